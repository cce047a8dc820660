import { change, state } from "./state.js";
import { hub } from "./hub.js";
import { attempt } from "./toasts.js";
import { askPermission } from "./notifications.js";
import { t } from "./text.js";

const workers = navigator.serviceWorker;
const scope = new URL("./", document.baseURI).href;
const WORDS = { accept: "choice.accept", decline: "choice.decline", body: "incoming.kind", missed: "outcome.missed" };
const post = (type) => workers.controller?.postMessage({ type });
const pushManager = async () => (await workers?.ready)?.pushManager;
const tell = (subscription) => hub.request("push.subscribe", subscription.toJSON());

export async function installShell() {
	if (!await workers?.register("service-worker.js", { updateViaCache: "none" }).catch(() => null)) return;
	workers.addEventListener("message", ({ data }) => {
		if (data?.type === "update") change({ hasUpdate: true });
		if (data?.type === "used") location.reload();
	});
	let checking;
	// Not while a page loads what it needs.
	const check = () => {
		clearTimeout(checking);
		checking = setTimeout(post, 5000, "check");
	};
	hub.addEventListener("state", () => hub.state === "online" && check());
	check();
}

export const useUpdate = () => post("use");

export async function keepWords() {
	const words = Object.fromEntries(Object.entries(WORDS).map(([name, key]) => [name, t(key)]));
	const cache = await globalThis.caches?.open(`callhub ${scope} words`).catch(() => null);
	await cache?.put(`${scope}words`, Response.json(words)).catch(() => {});
}

export async function forgetShell() {
	await (await workers?.getRegistration())?.unregister();
	const names = await globalThis.caches?.keys() ?? [];
	await Promise.all(names.filter((name) => name.startsWith(`callhub ${scope} `)).map((name) => caches.delete(name)));
}

export async function loadPush() {
	const push = await pushManager();
	const key = push && await hub.request("push.key").catch(() => null);
	const subscription = key && await push.getSubscription();
	if (subscription) await tell(subscription).catch(() => {});
	change({ push: key ? { key: key.applicationServerKey, isOn: Boolean(subscription) } : null });
}

/** Inside a user's touch. */
export async function setPush(isOn) {
	if (!isOn) await leavePush();
	else if (await askPermission() === "granted") await attempt(subscribe());
	await loadPush();
}

async function subscribe() {
	const push = await pushManager();
	const options = { userVisibleOnly: true, applicationServerKey: state.push.key };
	// One for another hub's key is in the way.
	const subscription = await push.subscribe(options).catch(async () => {
		await (await push.getSubscription())?.unsubscribe();
		return push.subscribe(options);
	});
	await tell(subscription);
}

export async function leavePush() {
	if (!state.push) return;
	const soon = new Promise((done) => setTimeout(done, 2000));
	await Promise.race([hub.request("push.unsubscribe").catch(() => {}), soon]);
	await (await (await pushManager())?.getSubscription())?.unsubscribe().catch(() => {});
}
