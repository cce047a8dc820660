import { change, read, show, state } from "./state.js";
import { ask, hub } from "./hub.js";
import { explain, say } from "./toasts.js";
import { forgetPreferences } from "./preferences.js";
import { loadContacts } from "./memory.js";
import { forgetShell } from "./shell.js";
import { fill, signOut } from "./sign-in.js";
import { decode, MAXIMUM_SIZE, readVCards } from "./vcard.js";
import { t } from "./text.js";

async function alter(method, params, load) {
	const result = await ask(method, params);
	await load();
	return result;
}

export const block = (entry, isBlocked) => alter(isBlocked ? "block.add" : "block.remove", entry, loadBlocked);
export const signOutDevice = (session) => alter("account.signOut", { session }, loadDevices);
export const putContact = (contact) => alter("contacts.put", contact, loadContacts);
export const removeContact = (identifier) => alter("contacts.remove", { identifier }, loadContacts);

export const set = (members) => show("settings", ask("settings.set", members));
export const loadBlocked = () => show("blocked", ask("block.list"));
export const loadDevices = () => show("sessions", pages("account.devices", "sessions",
	({ next: after }, list) => list.length && after && { after }));

export async function importContacts(file) {
	if (state.importing) return;
	if (file.size > MAXIMUM_SIZE) return say(t("import.large"), true);
	const { contacts, skipped, over } = readVCards(decode(await file.arrayBuffer()));
	const result = { total: contacts.length, taken: 0, skipped, refused: over, error: t("import.full") };
	const left = contacts.values();
	const putSome = async () => {
		for (const contact of left) {
			change({ importing: result });
			if (result.isFull) result.refused += 1;
			else await putPatiently(contact, result);
		}
	};
	// More at once are too much for the hub.
	await Promise.all(Array.from({ length: 8 }, putSome));
	change({ importing: null, imported: result });
	loadContacts();
}

async function putPatiently(contact, result, tries = 20) {
	// It stays a favourite.
	const known = state.contacts.find(({ identifier }) => identifier === contact.identifier);
	try {
		await hub.request("contacts.put", { ...known, ...contact });
		result.taken += 1;
	} catch (error) {
		const isTooMuch = error.code === 429;
		const seconds = error.data?.retryAfterSeconds;
		if (isTooMuch && seconds && tries > 0 && !result.isFull) {
			await new Promise((done) => setTimeout(done, Math.min(seconds, 60) * 1000));
			return putPatiently(contact, result, tries - 1);
		}
		result.isFull ||= isTooMuch && !seconds;
		result.error = result.isFull ? t("import.full") : explain(error);
		result.refused += 1;
	}
}

export async function exportAll() {
	const limit = 1000;
	const next = (_, piece) => piece.length && { limit, before: piece.at(-1).id };
	const all = await Promise.all([
		pages("recents.list", "recents", next, { limit }), ask("settings.get"), ask("block.list"), ask("contacts.list"),
		ask("directory.status"),
	]);
	if (!all.every(Boolean)) return;
	const [recents, settings, blocked, contacts, directory] = all;
	const data = { account: state.account, exportedAt: new Date(), settings, blocked, ...contacts, recents, directory };
	const href = URL.createObjectURL(new Blob([JSON.stringify(data, null, "\t")], { type: "application/json" }));
	Object.assign(document.createElement("a"), { href, download: "callhub.json" }).click();
	setTimeout(() => URL.revokeObjectURL(href), 60_000);
}

export async function eraseAll() {
	if (!await ask("account.erase")) return;
	await signOut();
	hub.erase();
	forgetPreferences();
	fill({ account: "" });
	await forgetShell();
	say(t("erase.done"));
}

async function pages(method, member, next, params) {
	const piece = await ask(method, params);
	const list = read(member, piece?.[member]);
	const more = piece && next(piece, list);
	const rest = more ? await pages(method, member, next, more) : [];
	return piece && rest && [...list, ...rest];
}
