import { change, isOnline, state } from "./state.js";
import { formatHandle } from "../callhub.js";
import { hub, showEnded } from "./hub.js";
import { showToast, toastErrors } from "./toasts.js";
import { ensureAudio } from "./audio.js";
import { parseHandle } from "./people.js";
import { markSeen } from "./account-data.js";
import { t } from "./text.js";

const forEach = (calls, action) => toastErrors(Promise.all(calls.map(action)));

export function end(calls) {
	forEach(calls, (one) => one.end());
	calls.forEach(showEnded);
}

export const swap = () => toastErrors(hub.swap());
export const split = (one) => toastErrors(one.split());
export const toggleHold = (one) => toastErrors(one.state === "held" ? one.resume() : one.hold());

export function toggleMute(calls) {
	const action = calls.every((one) => one.isMuted) ? "unmute" : "mute";
	forEach(calls, (one) => one[action]());
}

/** Merges two cards; of two groups the held one's calls join the other. */
export function merge(active, held) {
	const [joining, joined] = held.isGroup && !active.isGroup ? [active, held] : [held, active];
	forEach(joining.calls, (one) => hub.merge(one, joined.calls[0]));
}

export function openTab(tab) {
	change({ tab, showsCalls: false, overlay: null });
	markSeen();
}

async function showWhenStarted(started) {
	ensureAudio();
	if (await toastErrors(started)) change({ showsCalls: true });
}

export const pull = (uuid) => showWhenStarted(hub.pull(uuid));

export function choose(ringing, choice) {
	if (choice === "decline") end([ringing]);
	else showWhenStarted(ringing.choose(choice));
}

export function call(handle) {
	type("");
	showWhenStarted(hub.call(handle));
}

/** Calls the number in the dial field; an empty field is filled with the last number called. */
export function dial() {
	const handle = parseHandle(state.dial.text);
	if (handle) return call(handle);
	type(formatHandle(state.recents.find(({ direction }) => direction === "outgoing")?.handle));
}

export function type(text) {
	change({ dial: { text: text.slice(0, 1024), isOpen: text.trim() !== "", highlighted: -1 } });
}

export function pressKey(key) {
	hub.audio.tones.key(key);
	type(state.dial.text + key);
}

export function sendTone(one, key) {
	change({ keyed: (state.keyed + key).slice(-24) });
	hub.audio.tones.key(key);
	toastErrors(one.playDTMF(key));
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
