import { state, subscribe } from "./state.js";
import { t } from "./text.js";
import { preferences } from "./preferences.js";
import { choose } from "./actions.js";

const serviceWorkers = navigator.serviceWorker;
const currentRegistration = async () => serviceWorkers?.getRegistration().catch(() => null);
let pendingChoice = {};

subscribe(applyPendingChoice);
serviceWorkers?.addEventListener("message", ({ data }) => {
	if (data?.type === "choice") answer(data.callUUID, data.choice);
});

export const permission = () => globalThis.Notification?.permission ?? "unsupported";

/** Asks for the permission; must be called in a user gesture. */
export const askPermission = async () => (
	permission() === "default" ? Notification.requestPermission() : permission());

/** Indicates that a press on Accept decides about no other call. */
const isFree = ({ choices }) => choices.some(({ name }) => name === "accept");

export async function notify(call, name) {
	if (!preferences.notifies || permission() !== "granted") return;
	const registration = await currentRegistration();
	const { uuid } = call;
	const actions = isFree(call) ? ["accept", "decline"] : ["decline"];
	registration?.showNotification(name, {
		tag: uuid, data: { callUUID: uuid }, body: t("incoming.kind"), icon: "icons/phone-192.png",
		requireInteraction: true, silent: true,
		actions: actions.map((action) => ({ action, title: t(`choice.${action}`) })),
	}).catch(() => {});
}

export async function closeNotification(tag) {
	const registration = await currentRegistration();
	(await registration?.getNotifications({ tag }))?.forEach((shown) => shown.close());
}

export function handleNotificationFragment(fragment) {
	const [, verb, uuid] = /^(answer|decline)=([\w-]{1,64})$/.exec(fragment) ?? [];
	if (verb) answer(uuid, verb === "answer" ? "accept" : verb);
}

function answer(uuid, choice) {
	globalThis.focus();
	pendingChoice = { uuid, choice, until: Date.now() + 30_000 };
	applyPendingChoice();
}

/** Applies a choice from a notification once the call is listed, which may be later. */
function applyPendingChoice() {
	const { uuid, choice, until } = pendingChoice;
	const call = state.calls.find((one) => one.uuid === uuid && one.choices.length > 0);
	if (!call) return;
	pendingChoice = {};
	const isSafe = choice === "accept" ? isFree(call) : choice === "decline";
	if (isSafe && Date.now() < until) choose(call, choice);
}
