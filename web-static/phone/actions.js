import { change, isOnline, state } from "./state.js";
import { formatHandle, newUUID } from "../callhub.js";
import { cardsOf } from "./cards.js";
import { hub, showEnded } from "./hub.js";
import { handleKey } from "./people.js";
import { showToast, toastErrors } from "./toasts.js";
import { note } from "./acts.js";
import { ensureAudio } from "./audio.js";
import { chosenResult, reorder } from "./directory.js";
import { currentSearch, refreshPeople, searchPeople } from "./presence.js";
import { markSeen } from "./account.js";
import { t } from "./text.js";

const forEach = (calls, action) => toastErrors(Promise.all(calls.map(action)));

export function end(calls, act = "end") {
	note(act, calls);
	const { showsCalls } = state;
	forEach(calls, (one) => one.end());
	calls.forEach(showEnded);
	// They are shown as ended where they were shown.
	if (state.ended.length > 0) change({ showsCalls });
}

export function declineWith(ringing, message) {
	act("decline", [ringing], ringing.end({ message }));
	showEnded(ringing);
}

function act(name, calls, request) {
	note(name, calls);
	toastErrors(request);
}

export const swap = () => act("swap", [], hub.swap());
export const split = (one) => act("split", [one], one.split());
export const toggleHold = ({ calls: [one], isHeld }) => (
	isHeld ? act("resume", [one], one.resume()) : act("hold", [one], one.hold()));

export function toggleMute(calls) {
	const action = calls.every((one) => one.isMuted) ? "unmute" : "mute";
	note(action, calls);
	forEach(calls, (one) => one[action]());
}

/** Of two groups the held one's calls join the other. */
export function merge(active, held) {
	note("merge", [...active.calls, ...held.calls]);
	const [joining, joined] = held.isGroup && !active.isGroup ? [active, held] : [held, active];
	forEach(joining.calls, (one) => hub.merge(one, joined.calls[0]));
}

export function openTab(tab) {
	change({ tab, showsCalls: false, overlay: null, person: null, shownPeople: 100 });
	reorder();
	if (tab === "people") refreshPeople();
	markSeen();
}

/** At once or not at all: later nobody expects it. A second tap, too, does nothing. */
async function start(name, uuid, request, key = uuid) {
	if (hub.state !== "online") return showToast(t("reconnecting"), true);
	if (state.starting.includes(key)) return;
	note(name, [{ uuid }]);
	change({ starting: [...state.starting, key] });
	const answer = request();
	ensureAudio();
	const result = await toastErrors(answer);
	change({ starting: state.starting.filter((one) => one !== key) });
	if (result) change({ showsCalls: true, person: null });
}

export const pull = (uuid) => start("pull", uuid, () => hub.pull(uuid));

export function choose(ringing, choice) {
	if (choice === "decline") return end([ringing], choice);
	start(choice, ringing.uuid, () => ringing.choose(choice));
}

export function call(handle) {
	const uuid = newUUID();
	start("call", uuid, () => {
		type("");
		return hub.call(handle, { uuid });
	}, handleKey(handle));
}

/** An empty field is filled with the last number called. */
export async function dial() {
	const { text } = state.dial;
	// The one that was meant may be on the way.
	if (currentSearch) await currentSearch;
	if (state.dial.text !== text) return;
	const result = chosenResult();
	if (result) call(result.handle);
	else type(formatHandle(state.recents.find(({ direction }) => direction === "outgoing")?.handle));
}

export function type(text) {
	change({ dial: { text: text.slice(0, 1024), highlighted: -1 } });
	reorder();
	searchPeople(text);
}

export const openPerson = ({ handle, name, link }) => change({ person: { handle, name, link }, overlay: null });

export function pressKey(key) {
	hub.audio.tones.key(key);
	type(state.dial.text + key);
}

/** A digit goes to everyone in a group, as a tone would. */
export function sendTone(one, key) {
	change({ keyed: (state.keyed + key).slice(-24) });
	hub.audio.tones.key(key);
	const card = cardsOf(state.calls).find(({ calls }) => calls.includes(one));
	for (const call of card?.calls ?? []) if (call.supportsDTMF) toastErrors(call.playDTMF(key));
}

export async function takeOverSession() {
	// The calls have moved to this tab; they have not ended.
	await toastErrors(hub.takeOver().then(() => change({ ended: [] })));
	if (isOnline()) ensureAudio();
}

export function copy(text) {
	const copied = Promise.try(() => navigator.clipboard.writeText(text));
	copied.then(() => showToast(t("copied")), () => showToast(t("copyFailed"), true));
}
