import { state } from "./state.js";

const TYPES = ["generic", "phoneNumber", "emailAddress"];
const NUMBER = /^\+?[0-9][0-9 ()./-]*$/;

export const isNumber = (text) => NUMBER.test(text.trim());
// Upper case unites ß and ss, and ς and σ; the capital of ı is another letter's.
const foldCase = (text) => text.split("ı").map((part) => part.toLowerCase().toUpperCase().toLowerCase()).join("ı")
	.normalize();

/** Equal for handles that the hub treats as equal. */
export const handleKey = ({ type, value }) => (
	`${type}:${type === "phoneNumber" ? value.replace(/^\+|[ ()./-]/g, "") : foldCase(value)}`);

/** Parses `bob`, `+49 30 123`, `b@example.org` or `phoneNumber:123`. */
export function parseHandle(text) {
	const value = text.trim().slice(0, 1024);
	const [, prefix, named] = /^(\w+):(.*)$/s.exec(value) ?? [];
	const type = TYPES.find((name) => name.toLowerCase() === prefix?.toLowerCase());
	if (type) return named ? { type, value: named.trim() } : null;
	if (value.startsWith("+") && NUMBER.test(value)) return { type: "phoneNumber", value };
	if (/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value)) return { type: "emailAddress", value };
	return value ? { type: "generic", value } : null;
}

export const fold = (text) => (
	text.normalize("NFD").replace(/\p{M}/gu, "").toUpperCase().toLowerCase().replace(/\s+/g, " ").trim());

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

export function memo(inputs, compute) {
	let last, value;
	return () => {
		const now = inputs();
		if (!last || now.some((input, index) => input !== last[index])) value = compute(...now);
		last = now;
		return value;
	};
}

const contactsByHandle = memo(() => [state.contacts], (contacts) => new Map(
	contacts.flatMap((contact) => contact.handles.map((handle) => [handleKey(handle), contact])).reverse()));

export const contactOf = (handle) => contactsByHandle().get(handleKey(handle));

export const nameOf = (handle, hubName) => contactOf(handle)?.name || hubName || handle.value;
