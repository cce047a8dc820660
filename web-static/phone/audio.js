import { change, isTalking, state, subscribe } from "./state.js";
import { hub } from "./hub.js";
import { preferences } from "./preferences.js";

/** A peak, and how many of five reports must have it. */
const SPEECH = 0.05;
const SPOKEN = 3;
let spoken = [];
let hintTimer;

const setProblem = (other) => (error) => change({ soundProblem: error?.kind ?? other });

/** In a user gesture; asks for no permission. */
export async function ensureAudio() {
	const { state: sound } = hub.audio;
	const isRefused = sound === "noMicrophone" && state.soundProblem === "permission";
	if (!isRefused && !["on", "starting"].includes(sound)) await startAudio(state.isMicrophoneAllowed);
}

export async function restoreAudio() {
	for (const gesture of ["pointerup", "keydown"]) addEventListener(gesture, ensureAudio, { once: true });
	await permissionKnown;
	if (state.isMicrophoneAllowed) ensureAudio();
}

const permissionKnown = followPermission();

async function followPermission() {
	const status = await navigator.permissions?.query({ name: "microphone" }).catch(() => null);
	const update = () => change({ isMicrophoneAllowed: status?.state === "granted" });
	status?.addEventListener("change", update);
	update();
}

export function startAudio(microphone = true) {
	change({ soundProblem: null });
	return hub.audio.start({ microphone }).catch((error) => {
		// After a gesture there is no other cause.
		const isStuck = error?.kind === "blocked" && navigator.userActivation.hasBeenActive;
		setProblem("unsupported")(isStuck ? { kind: "noOutput" } : error);
	});
}

/** In a user gesture: the browser asks for the microphone. */
export function testMicrophone() {
	change({ testsMicrophone: true });
	return startAudio();
}

export const talk = (holdsToTalk) => state.holdsToTalk !== holdsToTalk && change({ holdsToTalk });

function applyPreferences() {
	const { speakerVolume: speaker, ringerVolume: ringer, ringtone, pushToTalk } = preferences;
	const { audio } = hub;
	audio.setVolume({ speaker, ringer });
	audio.tones.ringtone = ringtone;
	const isCalling = state.calls.some((call) => call.isOutgoing || call.state !== "ringing");
	const isTesting = state.findings.some(({ level }) => level === "run");
	const isMuted = pushToTalk && isCalling && !isTesting && !state.holdsToTalk;
	if (audio.muted !== isMuted) audio.muted = isMuted;
}

function noticeSpeech({ inputLevel, areCallsMuted, areCallsHeld, muted }) {
	const isMuted = areCallsMuted && !areCallsHeld && !muted && isTalking();
	spoken = isMuted ? [inputLevel > SPEECH, ...spoken].slice(0, 5) : [];
	if (!isMuted && state.talksMuted) change({ talksMuted: false });
	if (spoken.filter(Boolean).length < SPOKEN) return;
	spoken = [];
	clearTimeout(hintTimer);
	hintTimer = setTimeout(change, 4000, { talksMuted: false });
	if (!state.talksMuted) change({ talksMuted: true });
}

export const useDevice = (kind, id) => (
	hub.audio.use({ [kind]: id || null }).then(() => change({ soundProblem: null }), setProblem("busy")));

export const process = (name, isOn) => hub.audio.process({ [name]: isOn }).then(() => change(), setProblem("busy"));

/** `data-level` is "input", "output", or a call's UUID. */
export function listenToLevels() {
	hub.addEventListener("levels", showLevels);
	hub.audio.addEventListener("level", () => noticeSpeech(hub.audio));
	[updateMicrophoneNeed, applyPreferences].forEach(subscribe);
	for (const name of ["blur", "pagehide"]) addEventListener(name, () => talk(false));
	document.addEventListener("visibilitychange", updateMicrophoneNeed);
}

function updateMicrophoneNeed() {
	const mayOpen = state.isMicrophoneAllowed || state.testsMicrophone || hub.audio.mic.isOpen;
	const isMeterVisible = mayOpen && !document.hidden && document.querySelector("[data-level=input]");
	hub.audio[isMeterVisible ? "needs" : "release"]("meter");
}

/** Each change of a ring costs a frame; one stays for so many ms after a peak. */
const STEPS = 3;
const HOLD = 1500;

function showLevels() {
	const { inputLevel: input, outputLevel: output } = hub.audio;
	if (state.soundProblem === "silent" && input > 0) change({ soundProblem: null });
	if (document.hidden) return;
	const now = performance.now();
	for (const element of document.querySelectorAll("[data-level]")) {
		const { level: name } = element.dataset;
		const source = hub.sources.find(({ callUUID }) => callUUID === name);
		const isMeter = element.role === "meter";
		const steps = isMeter ? 20 : STEPS;
		const level = Math.round(steps * loudness({ input, output }[name] ?? source?.level)) / steps;
		const shown = Number(element.style.getPropertyValue("--level"));
		if (level >= shown) element.peakAt = now;
		if (level === shown || (!isMeter && now - element.peakAt < HOLD && level < shown)) continue;
		element.style.setProperty("--level", level);
		if (isMeter) element.ariaValueNow = Math.round(level * 100);
	}
}

const loudness = (level) => (level > 0.001 ? Math.min(1, 1 + Math.log10(level) / 3) : 0);
