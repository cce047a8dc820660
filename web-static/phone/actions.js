import { change, isOnline, state } from "./state.js";
import { formatHandle } from "../callhub.js";
import { hub } from "./hub.js";
import { attempt, say } from "./toasts.js";
import { ensureSound } from "./sound.js";
import { parseHandle } from "./people.js";
import { markSeen } from "./memory.js";
import { t } from "./text.js";

const forEach = (calls, deed) => attempt(Promise.all(calls.map(deed)));

export const end = (calls) => forEach(calls, (one) => one.end());
export const swap = () => attempt(hub.swap());
export const split = (one) => attempt(one.split());
export const toggleHold = (one) => attempt(one.state === "held" ? one.resume() : one.hold());

export function toggleMute(calls) {
	const deed = calls.every((one) => one.isMuted) ? "unmute" : "mute";
	forEach(calls, (one) => one[deed]());
}

/** Of two groups the held one's calls join. */
export function merge(active, held) {
	const [joining, joined] = held.isGroup && !active.isGroup ? [active, held] : [held, active];
	forEach(joining.calls, (one) => hub.merge(one, joined.calls[0]));
}

export function openTab(tab) {
	change({ tab, showsCalls: false, overlay: null });
	markSeen();
}

async function begin(started) {
	ensureSound();
	if (await attempt(started)) change({ showsCalls: true });
}

export const pull = (uuid) => begin(hub.pull(uuid));

export const choose = (ringing, choice) => (choice === "decline" ? attempt : begin)(ringing.choose(choice));

export function call(handle) {
	type("");
	begin(hub.call(handle));
}

/** An empty field takes up the number called last. */
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
	attempt(one.playDTMF(key));
}

export async function useHere() {
	// They went to the other tab.
	await attempt(hub.takeOver().then(() => change({ ended: [] })));
	if (isOnline()) ensureSound();
}

export function copy(text) {
	const copied = Promise.try(() => navigator.clipboard.writeText(text));
	copied.then(() => say(t("copied")), () => say(t("copyFailed"), true));
}
