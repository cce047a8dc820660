import { change, read, show, state } from "./state.js";
import { ask, hub } from "./hub.js";

let wishes = 0;

/** The connection's banner tells enough. */
const askQuietly = (method, params) => hub.request(method, params).catch(() => null);

/** Seldom, while an import changes many. */
export async function loadContacts() {
	wishes += 1;
	if (wishes > 1) return;
	const result = await askQuietly("contacts.list");
	if (wishes > 1) setTimeout(loadContacts, 500);
	wishes = 0;
	const contacts = read("contacts", result?.contacts);
	if (result) change({ contacts: contacts.sort((one, other) => one.name.localeCompare(other.name)) });
}

export async function loadRecents() {
	const result = await askQuietly("recents.list", { limit: 200 });
	if (result) change({ recents: read("recents", result.recents), now: Date.now() });
	markSeen();
}

export const loadSettings = () => show("settings", askQuietly("settings.get"));

export function markSeen() {
	const isLooking = state.tab === "recents" && state.connection === "online" && !document.hidden;
	if (!isLooking || state.recents.every(({ seen }) => seen)) return;
	change({ recents: state.recents.map((recent) => ({ ...recent, seen: true })) });
	ask("recents.markSeen");
}

export function removeRecent(id) {
	change({ recents: state.recents.filter((recent) => recent.id !== id) });
	ask("recents.remove", { ids: [id] });
}

export function toggleFavorite(contact) {
	const changed = { ...contact, favorite: !contact.favorite };
	change({ contacts: state.contacts.map((other) => (other.identifier === contact.identifier ? changed : other)) });
	ask("contacts.put", changed);
}
