import { change, loadState, read, state } from "./state.js";
import { newUUID } from "../client/identifier.js";
import { hub, request } from "./hub.js";
import { doNotDisturb } from "./quiet.js";
import { note } from "./acts.js";

const byName = (one, other) => one.name.localeCompare(other.name);
let requestedLoads = 0;

/** The connection's banner shows a loss. */
const requestQuietly = (method, params) => hub.request(method, params).catch(() => null);

/** At most twice a second: an import changes many. */
export async function loadContacts() {
	requestedLoads += 1;
	if (requestedLoads > 1) return;
	const result = await requestQuietly("contacts.list");
	if (requestedLoads > 1) setTimeout(loadContacts, 500);
	requestedLoads = 0;
	const contacts = read("contacts", result?.contacts);
	if (result) change({ contacts: contacts.sort(byName) });
}

export async function loadRecents() {
	const result = await requestQuietly("recents.list", { limit: 200 });
	// In the hub's order of ends.
	const recents = read("recents", result?.recents)
		.sort((one, other) => Date.parse(other.startedAt) - Date.parse(one.startedAt) || 0);
	if (result) change({ recents, now: Date.now() });
	markSeen();
}

export const loadSettings = () => loadState("settings", requestQuietly("settings.get"));

export function markSeen() {
	const isVisible = state.tab === "recents" && state.connection === "online" && !document.hidden;
	if (!isVisible || state.recents.every(({ seen }) => seen)) return;
	change({ recents: state.recents.map((recent) => ({ ...recent, seen: true })) });
	request("recents.markSeen");
}

export function removeRecent(id) {
	note("recents.remove");
	change({ recents: state.recents.filter((recent) => recent.id !== id) });
	request("recents.remove", { ids: [id] });
}

export function changeContact({ contact, name, handles }, members) {
	const changed = { ...contact ?? { identifier: newUUID(), name, handles }, ...members };
	const others = state.contacts.filter(({ identifier }) => identifier !== changed.identifier);
	change({ contacts: [...others, changed].sort(byName) });
	request("contacts.put", changed);
}

async function changeAndReload(method, params, load) {
	note(method);
	const result = await request(method, params);
	await load();
	return result;
}

export const block = (entry, isBlocked) => (
	changeAndReload(isBlocked ? "block.add" : "block.remove", entry, loadBlocked));
export const putContact = (contact) => changeAndReload("contacts.put", contact, loadContacts);
export const removeContact = (identifier) => changeAndReload("contacts.remove", { identifier }, loadContacts);

export function set(members) {
	const { doNotDisturb: isOn } = members.device ?? members;
	if (isOn !== undefined) note(`doNotDisturb ${isOn}`);
	return loadState("settings", request("settings.set", members));
}
export const endDoNotDisturb = () => {
	const until = doNotDisturb()?.until;
	set({ doNotDisturb: false, device: { doNotDisturb: false }, quietHoursSkippedUntil: until && new Date(until) });
};
export const loadBlocked = () => loadState("blocked", request("block.list"));

export async function pages(method, member, next, params) {
	const piece = await request(method, params);
	const list = read(member, piece?.[member]);
	const more = piece && next(piece, list);
	const rest = more ? await pages(method, member, next, more) : [];
	return piece && rest && [...list, ...rest];
}
