// Untrusted: parsing takes linear time.

import { valueOrNull } from "../phone/state.js";

export const MAXIMUM_SIZE = 64_000_000;
const MAXIMUM_PHOTO = 2_000_000;
export const MAXIMUM_COUNT = 2000;

const HIDDEN = /[\p{Cc}\p{Zl}\p{Zp}]|(?![\u200c\u200d])\p{Cf}/gu;
const SCHEME = /^(tel|mailto|sips?|xmpp|(web\+)?callhub):/i;
const TYPES = { TEL: "phoneNumber", EMAIL: "emailAddress", IMPP: "generic" };
const encoder = new TextEncoder();

export function decode(bytes) {
	return valueOrNull(() => new TextDecoder("utf-8", { fatal: true }).decode(bytes))
		?? new TextDecoder("windows-1252").decode(bytes);
}

/** `skipped` have no number or address, `excess` are beyond the maximum. */
export function readVCards(text) {
	const cards = [];
	let card = null;
	for (const line of unfold(text)) {
		const { name, value } = parse(line);
		if (name === "BEGIN" && /^vcard$/i.test(value.trim())) {
			card = { handles: [] };
		} else if (card && name === "END") {
			cards.push(card);
			card = null;
		} else if (card && TYPES[name]) {
			card.handles.push({ type: TYPES[name], value });
		} else if (card) {
			card[name] ??= value;
		}
	}
	const limited = cards.slice(0, MAXIMUM_COUNT);
	const converted = limited.map(contactOf).filter(Boolean);
	const contacts = new Map(converted.map((contact) => [contact.identifier, contact]));
	const [skipped, excess] = [limited.length - converted.length, cards.length - limited.length];
	return { contacts: [...contacts.values()], skipped, excess };
}

/** Lines are folded before a space, or after `=` in quoted-printable. */
function* unfold(text) {
	let parts = [];
	for (const line of text.split(/\r\n|\n|\r/, 1_000_000)) {
		const last = parts.at(-1);
		if (last?.endsWith("=") && /;(encoding=)?quoted-printable[;:]/i.test(parts[0].slice(0, 300))) {
			parts[parts.length - 1] = last.slice(0, -1);
			parts.push(line);
		} else if (parts.length && /^[ \t]/.test(line)) {
			parts.push(line.slice(1));
		} else {
			yield parts.join("");
			parts = [line];
		}
	}
	yield parts.join("");
}

/** Such as `item1.TEL;TYPE="a:b":+49 30`. */
function parse(line) {
	const [head] = /^(?:"[^"]*"|[^":])*:/.exec(line.slice(0, 1000)) ?? [];
	if (!head) return {};
	const [name, ...parameters] = head.slice(0, -1).toUpperCase().split(";");
	const value = line.slice(head.length, name.endsWith("PHOTO") ? Infinity : head.length + 6000);
	const isQuoted = parameters.some((one) => /^(ENCODING=)?QUOTED-PRINTABLE$/.test(one));
	const charset = parameters.find((one) => one.startsWith("CHARSET="))?.slice(8);
	return { name: name.split(".").at(-1), value: isQuoted ? unquote(value, charset) : value };
}

function unquote(value, charset = "utf-8") {
	const bytes = (value.match(/=[0-9a-f]{2}|[^]/giu) ?? []).flatMap((one) => (
		one.length === 3 ? parseInt(one.slice(1), 16) : [...encoder.encode(one)]));
	return (valueOrNull(() => new TextDecoder(charset)) ?? new TextDecoder()).decode(new Uint8Array(bytes));
}

function contactOf({ handles, FN = "", N = "", ORG = "", UID = "", PHOTO = "" }) {
	const read = new Map();
	for (const { type, value: raw } of handles.slice(0, 20)) {
		const value = clean(raw.replace(SCHEME, "").replace(/;.*/s, ""), 1024);
		if (type === "phoneNumber" ? /\d/.test(value) : value) read.set(`${type}:${value}`, { type, value });
	}
	if (read.size === 0) return null;
	const [[key, { value }]] = read;
	const [family, given, further] = N.split(/(?<!\\);/, 3);
	const name = [FN, [given, further, family].filter(Boolean).join(" "), ORG.replaceAll(";", " "), value]
		.map((one) => clean(one)).find(Boolean);
	// The address of a photo is no base64.
	const data = valueOrNull(() => PHOTO.length < MAXIMUM_PHOTO && atob(PHOTO.replace(/^data:[^,]{0,99},/i, "")));
	const photo = data && { photo: new Blob([Uint8Array.from(data, (one) => one.charCodeAt(0))]) };
	return { identifier: clean(UID) || clean(key), name, handles: [...read.values()], ...photo };
}

function clean(text, limit = 256) {
	const plain = text.replace(/\\n|[\t\r\n]/gi, " ").replace(/\\([\\,;:])/g, "$1").replace(HIDDEN, "");
	const shown = plain.toWellFormed().replace(/(\p{M}{16})\p{M}+/gu, "$1").trim();
	return shown.slice(0, encoder.encodeInto(shown, new Uint8Array(limit)).read).trim();
}
