import { CallHub } from "../callhub.js";

/** In Hz; none is another's overtone, or the server's tone of 440 Hz. */
export const tones = [700, 1100, 850, 1300, 600, 950, 1450, 1000, 800, 1250, 650, 1150];
/** The amplitude of a tone from which it is heard, and its share of the loudest. */
const [least, leastShare] = [0.02, 0.2];
/** The mean square from which sound without a tone is heard: the server's music. */
const leastMusic = 0.0002;
/** The equal measurements that count: at its edges, and where packets are late, a sound has a wide spectrum. */
const measurements = 3;
const samples = new Float32Array(4096);
const hann = samples.map((_, index) => 1 - Math.cos((2 * Math.PI * index) / samples.length));

/** A phone: a session of its own, with a tone as its microphone and a connection that can be impaired. */
export class Phone {
	/** The calls as last notified, by UUID. */
	calls = new Map();
	/** The actions that wait for this phone. */
	pending = [];
	network = { isDown: false, isFrozen: false, delay: 0 };
	/** Fulfilment by the `server`, `late` by `delay` ms, as a failure (`fail`), or by hand (`none`). */
	fulfilment = { mode: "server", delay: 500 };
	doNotDisturb = false;
	digits = "";
	heard = [];
	#before = [];

	/** @param {(kind: string, value: object) => void} report */
	constructor(name, tone, report) {
		Object.assign(this, { name, account: name, tone });
		this.worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
		const note = ({ data: { from, text } }) => text && this.#note(from, JSON.parse(text), report);
		this.worker.addEventListener("message", note);
		const hub = this.hub = new CallHub({ storage: null, name: "CallHub bench", worker: this.worker });
		hub.addEventListener("perform", ({ detail: { action } }) => report("perform", action));
		for (const kind of ["state", "reset"]) hub.addEventListener(kind, () => report(kind));
	}

	get isReachable() {
		return this.hub.state === "online" && !this.network.isFrozen;
	}

	get liveCalls() {
		return [...this.calls.values()].filter((call) => !call.hasEnded);
	}

	async signIn(credentials) {
		Object.assign(this, credentials);
		const { account, password, hub, fulfilment } = this;
		if (!this.ear) await this.#startSound(hub.audio);
		const fulfillment = fulfilment.mode === "server" ? "automatic" : "manual";
		await hub.signIn({ account, password, fulfillment });
		this.doNotDisturb = (await hub.request("settings.get")).doNotDisturb;
	}

	async #startSound(audio) {
		const { context } = audio;
		const tone = new OscillatorNode(context, { frequency: this.tone });
		this.mouth = new GainNode(context, { gain: 0.2 });
		tone.connect(this.mouth);
		tone.start();
		await audio.useSource(this.mouth);
		// Played only if somebody wants to listen.
		this.speaker = new GainNode(context, { gain: 0 });
		audio.output.disconnect();
		audio.output.connect(this.speaker).connect(context.destination);
		await audio.start();
		this.ear = new AnalyserNode(context, { fftSize: samples.length });
		audio.output.connect(this.ear);
	}

	speak(isSpeaking) {
		this.isSilent = !isSpeaking;
		this.mouth.gain.value = isSpeaking ? 0.2 : 0;
	}

	play(isPlayed) {
		this.isPlayed = isPlayed;
		this.speaker.gain.value = isPlayed ? 1 : 0;
	}

	impair(change) {
		Object.assign(this.network, change);
		this.worker.postMessage({ to: "network", change });
		this.worker.postMessage({ to: "session", command: "checkConnection" });
	}

	leave() {
		this.calls.clear();
		this.pending = [];
		this.hub.signOut();
	}

	close() {
		this.leave();
		this.hub.audio.context.close();
		// The server is told first.
		setTimeout(() => this.worker.terminate(), 1000);
	}

	#note(from, message, report) {
		const { method, params = {}, result } = message;
		const calls = method === "call.changed" ? [params.call] : from === "message" && result?.calls || [];
		for (const call of calls.filter(({ uuid }) => uuid)) {
			this.calls.set(call.uuid, call);
			if (call.hasEnded) this.pending = this.pending.filter(({ callUUID }) => callUUID !== call.uuid);
			report("call", call);
		}
		if (method === "provider.perform" && !params.fulfilled) this.pending.push(params.action);
		if (method === "provider.timedOutPerforming") this.answered(params.action.uuid);
		if (method === "call.dtmf") this.digits += params.digits;
		report(from, message);
	}

	answered(uuid) {
		this.pending = this.pending.filter((action) => action.uuid !== uuid);
	}

	/** Measures the tones in what the phone plays; returns true if others are heard than before. */
	measure(phones) {
		if (this.ear?.context.state === "running") this.ear.getFloatTimeDomainData(samples);
		else samples.fill(0);
		const heard = voices([...phones.map(({ name, tone }) => [name, tone]), ["tone", 440]]);
		this.#before = [String(heard), ...this.#before].slice(0, measurements);
		const isSteady = new Set(this.#before).size === 1 && this.#before.length === measurements;
		const isNew = isSteady && String(heard) !== String(this.heard);
		if (isNew) Object.assign(this, { heard, heardAt: performance.now() });
		return isNew;
	}
}

function voices(known) {
	const sizes = known.map(([name, frequency]) => ({ name, size: amplitude(frequency) }));
	const limit = Math.max(least, leastShare * Math.max(...sizes.map(({ size }) => size)));
	const heard = sizes.filter(({ size }) => size >= limit).map(({ name }) => name);
	const energy = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length;
	return heard.length === 0 && energy > leastMusic ? ["music"] : heard;
}

/** The amplitude of a frequency, by Goertzel's algorithm under a Hann window. */
function amplitude(frequency) {
	const step = (2 * Math.PI * frequency) / 48000;
	const factor = 2 * Math.cos(step);
	let [one, two] = [0, 0];
	for (let index = 0; index < samples.length; index++) {
		[one, two] = [samples[index] * hann[index] + factor * one - two, one];
	}
	return (2 * Math.sqrt(Math.max(0, one * one + two * two - factor * one * two))) / samples.length;
}
