import { loadBlocked, pages } from "../phone/account.js";
import { note } from "../phone/acts.js";
import { day, timeOfDay } from "../phone/format.js";
import { hub, request } from "../phone/hub.js";
import { clearPreferences } from "../phone/preferences.js";
import { removeShell } from "../phone/shell.js";
import { signOut, updateSignIn } from "../phone/sign-in.js";
import { showToast } from "../phone/toasts.js";
import { SHEETS } from "../phone/views/app.js";
import { button, change, confirmButton, definitions, h, isolate, sheet, state, t } from "../phone/views/parts.js";
import "./text.js";

let sessions = [];

Object.assign(SHEETS, {
	data() {
		const { contacts, recents, blocked, settings } = state;
		return sheet("data", [
			definitions("keys", [
				["from.contact", contacts.length], ["tab.recents", recents.length < 200 ? recents.length : "200+"],
				["blocked", Object.values(blocked).flat().length],
				["quiet", settings.quietHours.length],
			]),
			button("small", t("save.all"), exportAll),
			// Always there: the button does not move.
			h("p.quiet", t("erase.help")),
			confirmButton("erase", t("erase"), eraseAll),
			h("div.visually-hidden", { role: "alert" }, state.confirming === "erase" && t("erase.help")),
		]);
	},

	devices() {
		const others = sessions.filter((one) => !isHere(one));
		return sheet("devices", [
			h("ul", sessions.map(deviceRow)),
			others.length > 0 && confirmButton("others", t("devices.signOutOthers"), () => signOutDevices({ others: true }),
				t("devices.signOutOthersConfirm", { count: others.length })),
		]);
	},
});

export function load(overlay) {
	if (overlay === "devices") loadDevices();
	else loadBlocked();
}

async function loadDevices() {
	const next = ({ next: after }, list) => list.length && after && { after };
	sessions = await pages("account.devices", "sessions", next) ?? [];
	change();
}

async function signOutDevices(which) {
	note("account.signOut");
	await request("account.signOut", which);
	await loadDevices();
}

const isHere = ({ device }) => device.id === hub.device?.id;

function deviceRow(one) {
	const { session, device, address, since } = one;
	const where = isHere(one) ? t("devices.this") : address && isolate(address);
	return h("li.row", { key: session },
		h("span.grow", isolate(device.name || t("elsewhere.device")),
			h("small", where && [where, " · "], day(since, Date.now()), " ", timeOfDay(since))),
		!isHere(one) && device.id && h("a.link", { href: `#operate=${encodeURIComponent(device.id)}`, target: "_blank" },
			t("devices.operate")),
		!isHere(one) && confirmButton(session, t("signOut"), () => signOutDevices({ session })));
}

export async function exportAll() {
	const limit = 1000;
	const next = (_, piece) => piece.length && { limit, before: piece.at(-1).id };
	const all = await Promise.all([
		pages("recents.list", "recents", next, { limit }), request("settings.get"), request("block.list"),
		request("contacts.list"), request("directory.status"),
	]);
	if (!all.every(Boolean)) return;
	const [recents, settings, blocked, contacts, directory] = all;
	for (const one of contacts.contacts.filter(({ photoHash }) => photoHash)) {
		if (!Object.assign(one, await request("contacts.photo", { identifier: one.identifier })).photo) return;
	}
	if (settings.photoHash && !Object.assign(settings, await request("people.photo", { handle: state.handles[0] })).photo) return;
	const passkeys = (await hub.request("passkeys.list").catch(() => null))?.passkeys;
	const data = { account: state.account, exportedAt: new Date(), settings, blocked, ...contacts, recents, directory, passkeys };
	const href = URL.createObjectURL(new Blob([JSON.stringify(data, null, "\t")], { type: "application/json" }));
	Object.assign(document.createElement("a"), { href, download: "callhub.json" }).click();
	setTimeout(() => URL.revokeObjectURL(href), 60_000);
}

async function eraseAll() {
	note("account.erase", state.calls);
	if (!await request("account.erase")) return;
	await signOut();
	hub.erase();
	clearPreferences();
	updateSignIn({ account: "" });
	await removeShell();
	showToast(t("erase.done"));
}
