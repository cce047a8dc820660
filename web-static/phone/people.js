import { state } from "./state.js";

const TYPES = ["generic", "phoneNumber", "emailAddress"];
const NUMBER = /^\+?[0-9][0-9 ()./-]*$/;

// Upper case unites ß and ss, and ς and σ; the capital of ı is another letter's.
const foldCase = (text) => text.split("ı").map((part) => part.toLowerCase().toUpperCase().toLowerCase()).join("ı")
	.normalize();

/** Returns a key that is equal for handles that the hub treats as equal. */
export const handleKey = ({ type, value }) => (
	`${type}:${type === "phoneNumber" ? value.replace(/^\+|[ ()./-]/g, "") : foldCase(value)}`);

/** Parses `bob`, `+49 30 123`, `b@example.org` or `phoneNumber:123`; returns null for an empty text. */
export function parseHandle(text) {
	const value = text.trim().slice(0, 1024);
	const [, prefix, named] = /^(\w+):(.*)$/s.exec(value) ?? [];
	const type = TYPES.find((name) => name.toLowerCase() === prefix?.toLowerCase());
	if (type) return named ? { type, value: named.trim() } : null;
	if (value.startsWith("+") && NUMBER.test(value)) return { type: "phoneNumber", value };
	if (/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value)) return { type: "emailAddress", value };
	return value ? { type: "generic", value } : null;
}

const fold = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").replace(/\s+/g, " ").toLowerCase();

export function initials(name) {
	const [word = "#", ...more] = String(name).split(/[^\p{L}\p{M}\p{N}\p{Emoji}\u200d\ufe0f]+/u).filter(Boolean);
	const ends = [word, ...more.slice(-1)];
	const first = (text) => new Intl.Segmenter().segment(text.slice(0, 32)).containing(0).segment;
	return ends.map(first).join("").toLocaleUpperCase();
}

export function hue(handle) {
	let hash = 2166136261;
	for (const character of handleKey(handle)) hash = Math.imul(hash ^ character.codePointAt(0), 16777619);
	hash = Math.imul(hash ^ (hash >>> 15), 739982445);
	return (((hash ^ (hash >>> 12)) >>> 0) % 24) * 15;
}

export function contactOf(handle) {
	const key = handleKey(handle);
	return state.contacts.find((contact) => contact.handles.some((other) => handleKey(other) === key));
}

export const nameOf = (handle, hubName) => contactOf(handle)?.name || hubName || handle.value;

export function suggestions(text) {
	const typed = parseHandle(text);
	if (!typed) return [];
	const search = fold(text.trim());
	const digits = NUMBER.test(text) ? text.replace(/\D/g, "") : "";
	const matches = (name, value) => ` ${name}`.includes(` ${search}`) || fold(value).includes(search)
		|| (digits.length > 2 && value.replace(/\D/g, "").includes(digits));
	const found = new Map();
	const addSuggestion = (handle, name, from) => {
		const key = handleKey(handle);
		const isNew = found.size < 6 && !found.has(key);
		if (isNew && matches(fold(name), handle.value)) found.set(key, { handle, name, from });
	};
	for (const { name, handles } of state.contacts) for (const handle of handles) addSuggestion(handle, name, "contact");
	for (const recent of state.recents) addSuggestion(recent.handle, nameOf(recent.handle, recent.name), "recent");
	for (const value of ["echo", "tone", "music"]) addSuggestion({ type: "generic", value }, value, "hub");
	const { type, value } = typed;
	const other = type !== "generic" ? "generic" : NUMBER.test(value) && value.length > 4 && "phoneNumber";
	if (other) addSuggestion({ type: other, value }, value, "typed");
	return [...found.values()];
}
