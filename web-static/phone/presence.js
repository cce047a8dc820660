import { watchAbsence } from "./away.js";
import { change, isOnline, isTalking, read, state, subscribe } from "./state.js";
import { hub } from "./hub.js";
import { reorder, visibleHandles } from "./directory.js";
import { handleKey } from "./people.js";

/** Of a subscription, and of a page. */
const LIMIT = 500;
const DELAY = 300;
const RETRY = 10_000;
const METHOD_NOT_FOUND = -32601;

let watchedKeys;
let watchTimer, searchTimer;
/** A promise until the hub has answered, 2 s at most. */
export let currentSearch = null;
let isOpening = true;

subscribe(watch);

async function requestPeople(params) {
	try {
		const result = await hub.request("people.list", params);
		const people = read("people", result.people);
		note(people);
		return { people, next: typeof result.next === "string" ? result.next : null };
	} catch ({ code }) {
		// An older hub, which is not asked again.
		if (code === METHOD_NOT_FOUND) change({ hasDirectory: false, people: [], presences: {} });
		return null;
	}
}

export async function loadPeople() {
	isOpening = true;
	change({ hasDirectory: null });
	watchAnew();
	await refreshPeople();
}

function watchAnew() {
	watchedKeys = undefined;
	watch();
}

export async function refreshPeople() {
	if (state.hasDirectory === false || state.isGuest || !isOnline()) return;
	const page = await requestPeople({ limit: LIMIT });
	if (page) change({ people: page.people, nextPeople: page.next, hasDirectory: true });
}

export async function showMorePeople() {
	change({ shownPeople: state.shownPeople + 100 });
	const { nextPeople: after, people, shownPeople } = state;
	if (!after || shownPeople <= people.length) return;
	const page = await requestPeople({ limit: LIMIT, after });
	if (page && state.nextPeople === after) change({ people: [...people, ...page.people], nextPeople: page.next });
}

export function searchPeople(text, isCurrent = () => state.dial.text === text) {
	clearTimeout(searchTimer);
	currentSearch = null;
	const search = text.trim();
	if (!search || !state.nextPeople) return;
	const own = currentSearch = new Promise((done) => {
		setTimeout(done, 2000);
		searchTimer = setTimeout(async () => {
			const page = await requestPeople({ search, limit: 50 });
			if (page && isCurrent()) change({ found: page.people });
			if (currentSearch === own) currentSearch = null;
			done();
		}, DELAY);
	});
}

export const updatePresence = (params) => note(read("people", params?.people));

function note(people) {
	const known = people.map(({ handle, presence, until, photoHash }) => (
		[handleKey(handle), { presence, until, photoHash }]));
	if (known.length > 0) change({ presences: { ...state.presences, ...Object.fromEntries(known) } });
}

function watch() {
	if (!state.hasDirectory || state.connection !== "online") return;
	const handles = visibleHandles().slice(0, LIMIT);
	const keys = handles.map(handleKey).join("\n");
	if (keys === watchedKeys) return;
	watchedKeys = keys;
	clearTimeout(watchTimer);
	watchTimer = setTimeout(async () => {
		const result = await hub.request("people.subscribe", { handles }).catch(() => null);
		updatePresence(result);
		if (!result) watchTimer = setTimeout(watchAnew, RETRY);
		if (isOpening) reorder();
		isOpening = false;
		change();
	}, isOpening ? 0 : DELAY);
}

/** A new session knows no absence. */
export function listenToAbsence() {
	let hasSent = false;
	const send = (isAway) => {
		if (state.connection !== "online" || state.isGuest) return;
		hasSent = true;
		hub.request("presence.set", { isAway }).catch(() => {});
	};
	const isAway = watchAbsence(send, isTalking);
	hub.addEventListener("state", () => hub.state === "online" && (isAway() || hasSent) && send(isAway()));
}
