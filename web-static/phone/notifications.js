import { state, subscribe, unseenMissed } from "./state.js";
import { t } from "./text.js";
import { preferences } from "./preferences.js";
import { choose, openTab } from "./actions.js";
import { from } from "./acts.js";

const serviceWorkers = navigator.serviceWorker;
const currentRegistration = async () => serviceWorkers?.getRegistration().catch(() => null);
/** The tags of notifications; `isCounted`: Recents have had one that is not seen. */
const missed = new Set();
let isCounted = false;
let pendingChoice = {};

[applyPendingChoice, closeSeen].forEach(subscribe);
serviceWorkers?.addEventListener("message", ({ data }) => {
	if (data?.type !== "choice") return;
	if (missed.has(data.callUUID)) openTab("recents");
	answer(data.callUUID, data.choice, "notification");
});

export const permission = () => globalThis.Notification?.permission ?? "unsupported";

/** In a user gesture. */
export const askPermission = async () => (
	permission() === "default" ? Notification.requestPermission() : permission());

/** Accept decides about no other call. */
const isFree = ({ choices }) => choices.some(({ name }) => name === "accept");

export function notify(call, name) {
	const actions = isFree(call) ? ["accept", "decline"] : ["decline"];
	show(call.uuid, name, {
		body: t("incoming.kind"), requireInteraction: true,
		actions: actions.map((action) => ({ action, title: t(`choice.${action}`) })),
	});
}

export function notifyMissed(uuid, name) {
	missed.add(uuid);
	show(uuid, name, { body: t("outcome.missed") });
}

async function show(uuid, name, content) {
	if (!preferences.notifies || permission() !== "granted") return;
	const options = { tag: uuid, data: { callUUID: uuid }, icon: "icons/phone-192.png", silent: true, ...content };
	(await currentRegistration())?.showNotification(name, options).catch(() => {});
}

/** Recents have missed calls a little later. */
function closeSeen() {
	if (unseenMissed() > 0) isCounted = missed.size > 0;
	else if (isCounted) {
		missed.forEach(closeNotification);
		missed.clear();
		isCounted = false;
	}
}

export async function closeNotification(tag) {
	const registration = await currentRegistration();
	(await registration?.getNotifications({ tag }))?.forEach((shown) => shown.close());
}

export function handleNotificationFragment(fragment) {
	const [, verb, uuid] = /^(answer|decline)=([\w-]{1,64})$/.exec(fragment) ?? [];
	if (verb) answer(uuid, verb === "answer" ? "accept" : verb, "URL");
}

function answer(uuid, choice, source) {
	globalThis.focus();
	pendingChoice = { uuid, choice, source, until: Date.now() + 30_000 };
	applyPendingChoice();
}

function applyPendingChoice() {
	const { uuid, choice, source, until } = pendingChoice;
	const call = state.calls.find((one) => one.uuid === uuid && one.choices.length > 0);
	// Later it is refused: calls are shown before the session is there.
	if (!call || state.connection !== "online") return;
	pendingChoice = {};
	const isSafe = choice === "accept" ? isFree(call) : choice === "decline";
	if (isSafe && Date.now() < until) from(source, () => choose(call, choice));
}
