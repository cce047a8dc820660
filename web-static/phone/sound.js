import { change, state, subscribe } from "./state.js";
import { hub } from "./hub.js";

const problem = (other) => (error) => change({ soundProblem: error?.kind ?? other });

/** Inside a user's touch. */
export async function ensureSound() {
	const { state: sound } = hub.audio;
	const isRefused = sound === "noMicrophone" && state.soundProblem === "permission";
	if (!isRefused && !["on", "starting"].includes(sound)) await startSound();
}

export async function restoreSound() {
	for (const touch of ["pointerup", "keydown"]) addEventListener(touch, ensureSound, { once: true });
	const permission = await navigator.permissions?.query({ name: "microphone" }).catch(() => null);
	if (permission?.state === "granted") ensureSound();
}

export function startSound() {
	change({ soundProblem: null });
	return hub.audio.start().catch(problem("unsupported"));
}

export const useDevice = (kind, id) => (
	hub.audio.use({ [kind]: id || null }).then(() => change({ soundProblem: null }), problem("busy")));

export const process = (name, isOn) => hub.audio.process({ [name]: isOn }).then(() => change(), problem("busy"));

/** `data-level` is "input", "output", or a call's UUID: shown without a render. */
export function listenToLevels() {
	hub.addEventListener("levels", show);
	hub.audio.addEventListener("level", show);
	subscribe(needMicrophone);
	document.addEventListener("visibilitychange", needMicrophone);
}

function needMicrophone() {
	const isSeen = !document.hidden && document.querySelector("[data-level=input]");
	hub.audio[isSeen ? "needs" : "release"]("meter");
}

function show() {
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

/** 0 is -60 dB of full scale. */
const loudness = (level) => (level > 0.001 ? Math.min(1, 1 + Math.log10(level) / 3) : 0);
