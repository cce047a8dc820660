import { change, state } from "./state.js";
import { language, t } from "./text.js";
import { fold, handleKey, isNumber, memo, nameOf, parseHandle } from "./people.js";

const LAST_CALLS = 4;
const RESULTS = 50;
const BUILT_IN = ["echo", "tone", "music"];
const WITHOUT_SPACES = /[\p{sc=Han}\p{sc=Hangul}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/u;
const HERE = ["free", "onCall", "away", "doNotDisturb"];

/** By key, since the list was opened: a change of presence moves nobody under a finger. */
let ranks = new Map();

export function reorder() {
	ranks = new Map();
}

const person = ({ handles, ...more }) => ({ handle: handles[0], handles, keys: handles.map(handleKey), ...more });

const everyone = memo(() => [state.contacts, state.people, state.found], (contacts, people, found) => {
	const listed = new Map([...found, ...people].map((one) => [handleKey(one.handle), one]));
	const known = contacts.filter(({ handles }) => handles.length > 0).map((contact) => {
		const { identifier, handles } = contact;
		const { name, department } = handles.map((one) => listed.get(handleKey(one))).find(Boolean) ?? {};
		const shown = contact.name || name || handles[0].value;
		return person({ key: `contact ${identifier}`, name: shown, handles, contact, department, from: "contact" });
	});
	for (const { keys } of known) keys.forEach((key) => listed.delete(key));
	return [...known, ...[...listed].map(([key, { handle, name, department }]) => (
		person({ key, name: name || handle.value, handles: [handle], department, from: "directory" })))];
});

const everyoneByHandle = memo(() => [everyone()], (people) => new Map(
	people.flatMap((one) => one.keys.map((key) => [key, one])).reverse()));

export function personOf({ handle, name, link, unknown }) {
	const key = handleKey(handle);
	const known = everyoneByHandle().get(key);
	return known ?? person({
		key, name: unknown && name === handle.value ? t("unknown") : nameOf(handle, name), handles: [handle], link, from: name && "recent",
	});
}

export function presenceOf({ keys }) {
	const known = keys.map((key) => state.presences[key]).filter((one) => one && one.presence !== "unknown");
	return known.find(({ presence }) => HERE.includes(presence)) ?? known[0];
}

function rank(one) {
	if (!ranks.has(one.key)) ranks.set(one.key, Number(!HERE.includes(presenceOf(one)?.presence)));
	return ranks.get(one.key);
}

function inOrder(people, scoreOf = () => 0) {
	const { compare } = new Intl.Collator(language);
	return people.map((one) => [one, 2 * scoreOf(one) + rank(one)])
		.sort(([a, first], [b, second]) => first - second || compare(a.name, b.name)).map(([one]) => one);
}

export const sections = () => (state.dial.text.trim() ? results() : home());

const results = memo(() => [everyone(), state.recents, state.dial.text, ranks],
	() => [{ name: "results", people: search(state.dial.text) }]);

export const home = memo(
	() => [everyone(), state.recents, state.shownPeople, ranks],
	(people, recents, shown) => {
		const [favorites, others] = [true, false].map((isFavorite) => (
			inOrder(people.filter(({ contact }) => Boolean(contact?.favorite) === isFavorite))));
		const last = new Map();
		for (const recent of recents) {
			const one = personOf(recent);
			if (last.size < LAST_CALLS && !one.contact?.favorite && !last.has(one.key)) {
				last.set(one.key, { ...one, handle: recent.handle, recent });
			}
		}
		return [
			{ name: "favorites", people: favorites }, { name: "lastCalls", people: [...last.values()] },
			{ name: "everyone", people: others.slice(0, shown), hasMore: others.length > shown },
		].filter((section) => section.people.length > 0);
	},
);

const wide = matchMedia("(width >= 64rem) and (height >= 30rem)");
wide.addEventListener("change", () => change());

/** Returns everyone, who is in the place of calls where there is room and none are on; else undefined. */
export function everyoneBeside() {
	const { calls, ended, isGuest } = state;
	const hasRoom = wide.matches && calls.length + ended.length === 0 && !isGuest;
	return hasRoom ? home().find(({ name }) => name === "everyone") : undefined;
}

export const visibleHandles = memo(() => [sections(), everyoneBeside(), state.person, state.calls], (shown, beside, open, calls) => {
	const all = [...shown, beside].flatMap((section) => section?.people);
	const people = [open && personOf(open), ...all].filter(Boolean);
	const handles = people.filter(({ from }) => !["typed", "builtIn"].includes(from)).flatMap((one) => one.handles);
	// First, for the photo of who calls.
	handles.unshift(...calls.map(({ remoteHandle }) => remoteHandle).filter(Boolean));
	return [...new Map(handles.map((handle) => [handleKey(handle), handle])).values()];
});

const digitsOf = (text) => (isNumber(text) ? text.replace(/\D/g, "") : "");
const wordsOf = (text) => fold(text).split(/[^\p{L}\p{N}]+/u).filter(Boolean);

function matcher(text) {
	const wanted = wordsOf(text);
	const isPart = WITHOUT_SPACES.test(text);
	const fits = (word, start) => (isPart ? word.includes(start) : word.startsWith(start));
	return (words) => wanted.length > 0 && wanted.every((start) => words.some((word) => fits(word, start)));
}

export function search(text) {
	const typed = parseHandle(text);
	if (!typed) return [];
	const isMatch = matcher(text);
	const digits = digitsOf(text);
	const hasDigits = ({ value }) => digits.length > 2 && value.replace(/\D/g, "").includes(digits);
	const builtIn = BUILT_IN.map((name) => (
		{ ...personOf({ handle: { type: "generic", value: name }, name }), from: "builtIn" }));
	const candidates = new Map([...state.recents.map(personOf), ...builtIn, ...everyone()].map((one) => [one.key, one]));
	const isTyped = (handle) => handleKey(handle) === handleKey(typed);
	const found = [...candidates.values()].filter((one) => {
		one.words ??= wordsOf([one.name, one.department, ...one.handles.map(({ value }) => value)].join(" "));
		return isMatch(one.words) || one.handles.some(hasDigits);
	}).map((one) => {
		const { handles } = one;
		const isHit = (handle) => isMatch(wordsOf(handle.value)) || hasDigits(handle);
		return { ...one, handle: handles.find(isTyped) ?? handles.find(isHit) ?? one.handle };
	});
	const wanted = fold(text);
	const scoreOf = ({ name, handle, contact, from }) => {
		if (isTyped(handle) || fold(name) === wanted) return 0;
		if (from === "builtIn") return 4;
		return contact?.favorite ? 1 : fold(name).startsWith(wanted) ? 2 : 3;
	};
	const sorted = inOrder(found, scoreOf).slice(0, RESULTS);
	// What was typed is a result itself, unless somebody has this handle.
	const { type, value } = typed;
	const other = type !== "generic" ? "generic" : isNumber(value) && value.length > 4 && "phoneNumber";
	return [...sorted, ...[type, other].filter(Boolean)
		.map((one) => person({ key: `typed ${one}`, name: value, handles: [{ type: one, value }], from: "typed" }))
		.filter(({ keys: [key] }) => sorted.every((one) => handleKey(one.handle) !== key))];
}

export function chosenIndex() {
	const { text, highlighted } = state.dial;
	const [{ name, people } = {}] = sections();
	if (name !== "results" || people.length === 0) return -1;
	if (highlighted >= 0 && highlighted < people.length) return highlighted;
	const typed = parseHandle(text);
	const number = digitsOf(text);
	const exact = people.findIndex(({ handle, from }) => from !== "typed"
		&& (handleKey(handle) === handleKey(typed) || (number && digitsOf(handle.value) === number)));
	if (exact >= 0) return exact;
	// A whole number or address is called as it was typed.
	const known = typed.type === "generic" && !number ? people.filter(({ from }) => from !== "typed") : [];
	const named = known.filter((one) => fold(one.name) === fold(text));
	const only = [named, known].find(({ length }) => length === 1);
	return only ? people.indexOf(only[0]) : people.findIndex(({ from }) => from === "typed");
}

export const chosenResult = () => sections()[0]?.people[chosenIndex()];
