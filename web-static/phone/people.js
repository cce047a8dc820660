import { state } from "./state.js";

const TYPES = ["generic", "phoneNumber", "emailAddress"];
const SEEMS_NUMBER = /^\+?[0-9][0-9 ()./-]*$/;

/** As the hub compares them. */
export const handleKey = ({ type, value }) => (
	`${type}:${type === "phoneNumber" ? value.replace(/^\+|[ ()./-]/g, "") : value}`);

/** `bob`, `+49 30 123`, `b@example.org`, `phoneNumber:123`; or null. */
export function parseHandle(text) {
	const value = text.trim().slice(0, 1024);
	const [, prefix, named] = /^(\w+):(.*)$/s.exec(value) ?? [];
	const type = TYPES.find((name) => name.toLowerCase() === prefix?.toLowerCase());
	if (type) return named ? { type, value: named.trim() } : null;
	if (value.startsWith("+") && SEEMS_NUMBER.test(value)) return { type: "phoneNumber", value };
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

export const nameOf = (handle, hubsName) => contactOf(handle)?.name || hubsName || handle.value;

export function suggestions(text) {
	const typed = parseHandle(text);
	if (!typed) return [];
	const wanted = fold(text.trim());
	const digits = SEEMS_NUMBER.test(text) ? text.replace(/\D/g, "") : "";
	const matches = (name, value) => ` ${name}`.includes(` ${wanted}`) || fold(value).includes(wanted)
		|| (digits.length > 2 && value.replace(/\D/g, "").includes(digits));
	const found = new Map();
	const offer = (handle, name, from) => {
		const key = handleKey(handle);
		const isNew = found.size < 6 && !found.has(key);
		if (isNew && matches(fold(name), handle.value)) found.set(key, { handle, name, from });
	};
	for (const contact of state.contacts) for (const handle of contact.handles) offer(handle, contact.name, "contact");
	for (const recent of state.recents) offer(recent.handle, nameOf(recent.handle, recent.name), "recent");
	for (const value of ["echo", "tone", "music"]) offer({ type: "generic", value }, value, "hub");
	const { type, value } = typed;
	const other = type !== "generic" ? "generic" : SEEMS_NUMBER.test(value) && value.length > 4 && "phoneNumber";
	if (other) offer({ type: other, value }, value, "typed");
	return [...found.values()];
}
