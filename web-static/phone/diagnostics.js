import { change, state } from "./state.js";
import { newUUID } from "../callhub.js";
import { hub } from "./hub.js";
import { startAudio } from "./audio.js";
import { hasNativeOpus } from "../audio/coders.js";
import { permission } from "./notifications.js";
import { acts, note } from "./acts.js";

const NAMES = { socket: "WebSocket", opus: "Opus", worklet: "AudioWorklet", worker: "Service Worker" };
const TIMEOUT = 15_000;

const wait = (milliseconds, value) => new Promise((done) => setTimeout(done, milliseconds, value));
const version = () => hub.hubInformation?.version ?? "";

/** Of each the level (true: "ok", false: "bad"), details, and the key of its help. */
const CHECKS = {
	secure: () => [isSecureContext],
	async hub() {
		const { ok, status } = await fetch("healthz", { cache: "no-store" });
		return [ok, `${status} ${version()}`];
	},
	async socket() {
		const socket = new WebSocket(hub.url, "callhub.v1");
		const { type, code } = await new Promise((done) => {
			socket.onopen = socket.onclose = done;
		});
		socket.close();
		if (type === "open") return [true];
		// Shows what a proxy answers.
		const answer = await fetch(hub.url.replace(/^ws/, "http")).catch(() => null);
		return [false, `${code} · HTTP ${answer?.status ?? "–"} ${answer?.headers.get("via") ?? ""}`];
	},
	opus: async () => (await hasNativeOpus() ? [true] : ["WebAssembly" in globalThis, "WebAssembly"]),
	worklet: () => ["AudioWorkletNode" in globalThis, `${hub.audio.context.sampleRate} Hz`],
	async microphone() {
		await startAudio();
		const { soundProblem } = state;
		if (soundProblem) return [false, soundProblem, `sound.${soundProblem}`];
		let peak = 0;
		await poll(2000, () => {
			peak = Math.max(peak, hub.audio.inputLevel);
			return peak >= 0.02;
		});
		return [peak > 0.001 || "warn", `${Math.round(peak * 100)} %`];
	},
	async latency() {
		if (hub.state !== "online") return ["none"];
		const times = [];
		while (times.length < 10) {
			const began = performance.now();
			await hub.request("session.ping");
			times.push(performance.now() - began);
		}
		return summarize(times, 200);
	},
	async echo() {
		if (hub.state !== "online" || hub.calls.length > 0) return ["none"];
		const { audio, audio: { context } } = hub;
		const tone = new OscillatorNode(context, { frequency: 700 });
		const source = new GainNode(context, { gain: 0 });
		const analyser = new AnalyserNode(context);
		const uuid = newUUID();
		note("check", [{ uuid }]);
		const call = await hub.call("echo", { uuid });
		tone.connect(source);
		tone.start();
		audio.output.connect(analyser);
		try {
			await poll(TIMEOUT, () => call.state === "connected" || call.hasEnded);
			if (call.state !== "connected") return [false, call.cause ?? "ended"];
			await audio.useSource(source);
			await wait(500);
			const times = [];
			while (times.length < 5) times.push(await measureDelay(source.gain, analyser));
			const measured = times.filter(Boolean);
			return measured.length < 3 ? [false, `${measured.length}/5`] : summarize(measured, 250);
		} finally {
			audio.output.disconnect(analyser);
			tone.stop();
			await call.end().catch(() => {});
			await audio.useSource(null).catch(() => {});
		}
	},
	async storage() {
		localStorage.setItem("callhub check", "");
		localStorage.removeItem("callhub check");
		const { usage = 0 } = await navigator.storage?.estimate() ?? {};
		return [true, `${Math.ceil(usage / 1000)} kB`];
	},
	async worker() {
		const { active } = await navigator.serviceWorker?.getRegistration() ?? {};
		return [active ? true : "warn", state.push ? "push" : ""];
	},
	notify: () => [permission() === "granted" || "warn", permission()],
};

/** In a user gesture. */
export async function diagnose() {
	const findings = Object.keys(CHECKS).map((id) => (
		{ id, name: NAMES[id] ?? `diag.${id}`, help: `diag.${id}.help`, level: "run", detail: "" }));
	change({ findings });
	for (const finding of findings) {
		const outcome = Promise.race([Promise.try(CHECKS[finding.id]), wait(TIMEOUT, [false, "timeout"])]);
		const [result, detail = "", help = finding.help] = await outcome.catch(({ message }) => [false, message]);
		const level = result === true ? "ok" : result || "bad";
		Object.assign(finding, { level, detail: detail.slice(0, 120), help });
		change();
	}
}

/** Without names and secrets. */
export function report() {
	const lines = state.findings.map(({ id, level, detail }) => `\n${id}: ${level} ${detail}`).join("");
	const { userAgent, languages } = navigator;
	const done = acts.map((act) => `\n${JSON.stringify(act)}`).join("");
	return `CallHub ${version()}\n${userAgent}\n${location.protocol} ${hub.state} ${languages}${lines}${done}`;
}

async function poll(milliseconds, check) {
	for (const end = performance.now() + milliseconds; performance.now() < end; await wait(10)) {
		const outcome = check();
		if (outcome) return outcome;
	}
}

function summarize(times, limit) {
	const sorted = Float64Array.from(times, Math.round).sort();
	const median = sorted[sorted.length >> 1];
	return [median < limit || "warn", `${median} ms (max ${sorted.at(-1)})`];
}

/** In ms; falsy if the beep does not arrive. */
async function measureDelay(gain, analyser) {
	const { context } = analyser;
	const began = context.currentTime + 0.02;
	const samples = new Float32Array(analyser.fftSize);
	gain.setValueAtTime(0.5, began);
	gain.setValueAtTime(0, began + 0.2);
	const time = await poll(1500, () => {
		analyser.getFloatTimeDomainData(samples);
		const at = (index) => context.currentTime - began - (samples.length - index) / context.sampleRate;
		const first = samples.findIndex((sample, index) => Math.abs(sample) > 0.05 && at(index) > 0);
		return first >= 0 && at(first) * 1000;
	});
	await wait(700);
	return time;
}
