import { hub } from "../phone/hub.js";
import { errorText, showToast } from "../phone/toasts.js";
import { change, state } from "../phone/views/parts.js";

/** Performs an act; shows its error. Returns its result, or null. */
export async function act(method, params, done) {
	try {
		const result = await hub.request(method, params);
		if (done) showToast(done);
		return result;
	} catch (error) {
		showToast(errorText(error), true);
		return null;
	}
}

/** Reads all pages of a list, at most so many entries. */
export async function readAll(method, member, params = {}, most = 2000) {
	const all = [];
	let after;
	do {
		const result = await hub.request(method, { ...params, after });
		all.push(...result[member]);
		after = result.next;
	} while (after !== undefined && all.length < most);
	return all;
}

/** Indicates that a row is under the pointer or has the focus, or a question is open. */
export const isTouched = (selector) => (
	Boolean(state.confirming || state.overlay || document.querySelector(`${selector}:is(:hover, :focus-within)`)));

/** Returns the new rows; while the list is touched, rows keep their places, and those that are gone stay, marked. */
export function settle(rows, fresh, key, touched) {
	if (!touched) return fresh;
	const byKey = new Map(fresh.map((one) => [one[key], one]));
	const known = new Set(rows.map((one) => one[key]));
	return [
		...rows.map((one) => byKey.get(one[key]) ?? { ...one, isGone: true }),
		...fresh.filter((one) => !known.has(one[key])),
	];
}

/** Calls a function when the user has stopped typing. */
export function afterTyping(action) {
	let timer;
	return (...values) => {
		clearTimeout(timer);
		timer = setTimeout(() => action(...values), 250);
		change();
	};
}
