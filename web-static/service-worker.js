const base = self.registration.scope;
const FILE = /\.(js|css|svg|png|webmanifest)$/;
const IN_PAGE = /(?:href|src)="([\w./-]+)"/g;
const IN_MODULE = /"(\.{1,2}\/[\w./-]+\.js)"/g;
const CURRENT = `callhub ${base} shell`;
const NEXT = `callhub ${base} next shell`;

let queue = Promise.resolve();
const enqueue = (task) => (queue = queue.catch(() => {}).then(task));
const on = (name, task) => self.addEventListener(name, (event) => event.waitUntil(task(event)));

on("install", () => {
	self.skipWaiting();
	return enqueue(update);
});
on("activate", () => self.clients.claim());

self.addEventListener("fetch", (event) => {
	const url = event.request.url.replace(/[?#].*/s, "");
	const isOurs = url === base || (url.startsWith(base) && FILE.test(url));
	if (isOurs && event.request.method === "GET") event.respondWith(answer(event.request, url));
});

async function answer(request, url) {
	if (url === base && (await pages()).length === 0) await enqueue(takeNext);
	return await (await caches.open(CURRENT)).match(url, { ignoreVary: true }) ?? fetch(request);
}

const pages = async () =>
	(await self.clients.matchAll({ includeUncontrolled: true })).filter(({ url }) => url.startsWith(base));

async function update() {
	const current = await caches.open(CURRENT);
	const files = [...await fetchAll()];
	const differs = async ([url, file]) => await fingerprint(file) !== await fingerprint(await current.match(url));
	const changes = await Promise.all(files.map(differs));
	await caches.delete(NEXT);
	if (!changes.includes(true)) return;
	const next = await caches.open(NEXT);
	await Promise.all(files.map(([url, file]) => next.put(url, file)));
	if ((await current.keys()).length === 0) return takeNext();
	for (const page of await pages()) page.postMessage({ type: "update" });
}

async function fetchAll() {
	const files = new Map();
	const follow = async (url) => {
		if (files.has(url)) return;
		files.set(url, null);
		const file = await fetch(url, { cache: "no-cache" });
		if (!file.ok) throw new Error(`${url} is missing`);
		files.set(url, file);
		const found = (await file.clone().text()).matchAll(url === base ? IN_PAGE : IN_MODULE);
		const names = Array.from(found, ([, name]) => name).filter((name) => FILE.test(name));
		await Promise.all(names.map((name) => follow(new URL(name, url).href)));
	};
	await Promise.all([base, `${base}icons/ringing.svg`].map(follow));
	return files;
}

const fingerprint = async (file) => file && file.headers.get("content-security-policy") + await file.clone().text();

async function takeNext() {
	if (!await caches.has(NEXT)) return;
	const current = await caches.open(CURRENT);
	const next = await caches.open(NEXT);
	const files = await next.keys();
	for (const file of files) await current.put(file, await next.match(file));
	for (const { url } of await current.keys()) if (!files.some((file) => file.url === url)) await current.delete(url);
	await caches.delete(NEXT);
}

on("message", async ({ data, source }) => {
	if (data?.type === "check") await enqueue(update).catch(() => {});
	if (data?.type !== "use") return;
	await enqueue(takeNext);
	source.postMessage({ type: "used" });
});

const texts = () => caches.match(`${base}words`).then((file) => file.json())
	.catch(() => ({ accept: "Accept", decline: "Decline", body: "Incoming call", missed: "Missed call" }));

on("push", async ({ data }) => {
	const message = await new Response(data?.text()).json().catch(() => null);
	if (typeof message?.callUUID === "string") await showCall(message);
});

async function showCall({ type, callUUID, name, handle, expiresAt, missed: isMissed }) {
	const isOver = type === "over";
	// Chromium drops a pending notification when asked for those shown.
	const [shown] = isOver ? await self.registration.getNotifications({ tag: callUUID }) : [];
	if (isOver && !isMissed) return shown?.close();
	const { body, missed, ...titles } = await texts();
	const actions = ["accept", "decline"].map((action) => ({ action, title: titles[action] }));
	const ring = { body, actions, requireInteraction: true, renotify: true, vibrate: [400, 200, 400] };
	const isLate = Date.parse(expiresAt) < Date.now();
	const content = isOver ? { body: missed, silent: true } : isLate ? { body: missed } : ring;
	const options = { tag: callUUID, icon: "icons/phone-192.png", data: { callUUID }, ...content };
	const names = isOver ? [shown?.title] : [name, handle?.value];
	const title = (names.find((text) => text && typeof text === "string") ?? "CallHub").slice(0, 120);
	// Refused where the system shows no notifications.
	await self.registration.showNotification(title, options).catch(() => {});
}

on("notificationclick", async ({ notification, action }) => {
	const callUUID = String(notification.data?.callUUID);
	notification.close();
	const open = await pages();
	for (const page of open) page.postMessage({ type: "choice", callUUID, choice: action });
	const page = open.find((one) => one.visibilityState === "visible") ?? open[0];
	const verb = action === "decline" ? "decline" : "answer";
	if (!page) return self.clients.openWindow(base + (action && `#${verb}=${encodeURIComponent(callUUID)}`));
	if (action !== "decline") await page.focus().catch(() => {});
});
