import { change, state, subscribe } from "./state.js";
import { hub } from "./hub.js";

const setProblem = (other) => (error) => change({ soundProblem: error?.kind ?? other });

/** Starts audio unless it runs or was refused; must be called in a user gesture. */
export async function ensureAudio() {
	const { state: sound } = hub.audio;
	const isRefused = sound === "noMicrophone" && state.soundProblem === "permission";
	if (!isRefused && !["on", "starting"].includes(sound)) await startAudio();
}

export async function restoreAudio() {
	for (const gesture of ["pointerup", "keydown"]) addEventListener(gesture, ensureAudio, { once: true });
	const permission = await navigator.permissions?.query({ name: "microphone" }).catch(() => null);
	if (permission?.state === "granted") ensureAudio();
}

export function startAudio() {
	change({ soundProblem: null });
	return hub.audio.start().catch(setProblem("unsupported"));
}

export const useDevice = (kind, id) => (
	hub.audio.use({ [kind]: id || null }).then(() => change({ soundProblem: null }), setProblem("busy")));

export const process = (name, isOn) => hub.audio.process({ [name]: isOn }).then(() => change(), setProblem("busy"));

/** `data-level` is "input", "output", or a call's UUID: it is set without a render. */
export function listenToLevels() {
	hub.addEventListener("levels", showLevels);
	hub.audio.addEventListener("level", showLevels);
	subscribe(updateMicrophoneNeed);
	document.addEventListener("visibilitychange", updateMicrophoneNeed);
}

function updateMicrophoneNeed() {
	const isMeterVisible = !document.hidden && document.querySelector("[data-level=input]");
	hub.audio[isMeterVisible ? "needs" : "release"]("meter");
}

function showLevels() {
	const { inputLevel: input, outputLevel: output } = hub.audio;
	if (state.soundProblem === "silent" && input > 0) change({ soundProblem: null });
	if (document.hidden) return;
	for (const element of document.querySelectorAll("[data-level]")) {
		const { level: name } = element.dataset;
		const source = hub.sources.find(({ callUUID }) => callUUID === name);
		const level = loudness({ input, output }[name] ?? source?.level);
		element.style.setProperty("--level", level.toFixed(2));
		if (element.role === "meter") element.ariaValueNow = Math.round(level * 100);
	}
}

/** Returns 0…1 for -60…0 dB of full scale. */
const loudness = (level) => (level > 0.001 ? Math.min(1, 1 + Math.log10(level) / 3) : 0);
