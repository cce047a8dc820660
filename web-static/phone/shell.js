import { change, state } from "./state.js";
import { hub } from "./hub.js";
import { toastErrors } from "./toasts.js";
import { askPermission } from "./notifications.js";
import { t } from "./text.js";

const serviceWorkers = navigator.serviceWorker;
const scope = new URL("./", document.baseURI).href;
const post = (type) => serviceWorkers.controller?.postMessage({ type });
const pushManager = async () => (await serviceWorkers?.ready)?.pushManager;
const sendSubscription = (subscription) => hub.request("push.subscribe", subscription.toJSON());

export async function installShell() {
	if (!await serviceWorkers?.register("service-worker.js", { updateViaCache: "none" }).catch(() => null)) return;
	serviceWorkers.addEventListener("message", ({ data }) => {
		if (data?.type === "update") change({ hasUpdate: true });
		if (data?.type === "used") location.reload();
	});
	let checking;
	// Not while the page loads.
	const check = () => {
		clearTimeout(checking);
		checking = setTimeout(post, 5000, "check");
	};
	hub.addEventListener("state", () => hub.state === "online" && check());
	check();
}

export const useUpdate = () => post("use");

export async function storeNotificationTexts() {
	const [accept, decline] = [t("choice.accept"), t("choice.decline")];
	const [body, missed] = [t("incoming.kind"), t("outcome.missed")];
	const cache = await globalThis.caches?.open(`callhub ${scope} words`).catch(() => null);
	await cache?.put(`${scope}words`, Response.json({ accept, decline, body, missed })).catch(() => {});
}

export async function removeShell() {
	await (await serviceWorkers?.getRegistration())?.unregister();
	const names = await globalThis.caches?.keys() ?? [];
	await Promise.all(names.filter((name) => name.startsWith(`callhub ${scope} `)).map((name) => caches.delete(name)));
}

export async function loadPush() {
	const push = await pushManager();
	const key = push && await hub.request("push.key").catch(() => null);
	const subscription = key && await push.getSubscription();
	if (subscription) await sendSubscription(subscription).catch(() => {});
	change({ push: key ? { key: key.applicationServerKey, isOn: Boolean(subscription) } : null });
}

export async function setPush(isOn) {
	if (!isOn) await unsubscribePush();
	else if (await askPermission() === "granted") await toastErrors(subscribe());
	await loadPush();
}

async function subscribe() {
	const push = await pushManager();
	const options = { userVisibleOnly: true, applicationServerKey: state.push.key };
	// A subscription with another key must be removed first.
	const subscription = await push.subscribe(options).catch(async () => {
		await (await push.getSubscription())?.unsubscribe();
		return push.subscribe(options);
	});
	await sendSubscription(subscription);
}

export async function unsubscribePush() {
	if (!state.push) return;
	const timeout = new Promise((done) => setTimeout(done, 2000));
	await Promise.race([hub.request("push.unsubscribe").catch(() => {}), timeout]);
	await (await (await pushManager())?.getSubscription())?.unsubscribe().catch(() => {});
}
