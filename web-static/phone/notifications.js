import { state, subscribe } from "./state.js";
import { t } from "./text.js";
import { preferences } from "./preferences.js";
import { choose } from "./actions.js";

const workers = navigator.serviceWorker;
const registered = async () => workers?.getRegistration().catch(() => null);
let wished = {};

subscribe(grant);
workers?.addEventListener("message", ({ data }) => data?.type === "choice" && answer(data.callUUID, data.choice));

export const permission = () => globalThis.Notification?.permission ?? "unsupported";

/** Must begin inside a user's touch. */
export const askPermission = async () => (
	permission() === "default" ? Notification.requestPermission() : permission());

export async function notify({ uuid }, name) {
	if (!preferences.notifies || permission() !== "granted") return;
	const registration = await registered();
	registration?.showNotification(name, {
		tag: uuid, data: { callUUID: uuid }, body: t("incoming.kind"), icon: "icons/phone-192.png",
		requireInteraction: true, silent: true,
		actions: ["accept", "decline"].map((action) => ({ action, title: t(`choice.${action}`) })),
	}).catch(() => {});
}

export async function closeNotification(tag) {
	const registration = await registered();
	(await registration?.getNotifications({ tag }))?.forEach((shown) => shown.close());
}

export function answerFrom(fragment) {
	const [, verb, uuid] = /^(answer|decline)=([\w-]{1,64})$/.exec(fragment) ?? [];
	if (verb) answer(uuid, verb === "answer" ? "accept" : verb);
}

function answer(uuid, choice) {
	globalThis.focus();
	wished = { uuid, choice, until: Date.now() + 30_000 };
	grant();
}

/** The call may come later than the press. */
function grant() {
	const { uuid, choice, until } = wished;
	const call = state.calls.find((one) => one.uuid === uuid && one.choices.length > 0);
	if (!call) return;
	wished = {};
	if (choice && Date.now() < until) choose(call, choice === "accept" ? call.choices[0].name : choice);
}
