import { change, loadState, read, state } from "./state.js";
import { hub, request } from "./hub.js";

let requestedLoads = 0;

/** Requests without an error toast: the connection's banner shows a loss. */
const requestQuietly = (method, params) => hub.request(method, params).catch(() => null);

/** Loads the contacts; at most twice a second while an import changes many. */
export async function loadContacts() {
	requestedLoads += 1;
	if (requestedLoads > 1) return;
	const result = await requestQuietly("contacts.list");
	if (requestedLoads > 1) setTimeout(loadContacts, 500);
	requestedLoads = 0;
	const contacts = read("contacts", result?.contacts);
	if (result) change({ contacts: contacts.sort((one, other) => one.name.localeCompare(other.name)) });
}

export async function loadRecents() {
	const result = await requestQuietly("recents.list", { limit: 200 });
	if (result) change({ recents: read("recents", result.recents), now: Date.now() });
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
	change({ recents: state.recents.filter((recent) => recent.id !== id) });
	request("recents.remove", { ids: [id] });
}

export function toggleFavorite(contact) {
	const changed = { ...contact, favorite: !contact.favorite };
	change({ contacts: state.contacts.map((other) => (other.identifier === contact.identifier ? changed : other)) });
	request("contacts.put", changed);
}
