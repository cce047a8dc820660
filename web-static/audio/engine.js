import { AudioError } from "./errors.js";
import { connectWorklets, makeGraph } from "./graph.js";
import { Microphone } from "./microphone.js";
import { Tones } from "./tones.js";
import { DeviceMonitor } from "./device-monitor.js";

/** The page's audio: AudioContext, microphone, speakers, tones; docs/browser-phone.md has its reference. */
export class AudioEngine extends EventTarget {
	microphone = null;
	speaker = null;
	ringer = null;
	processing = { echoCancellation: true, noiseSuppression: true, autoGainControl: true };
	devices = { microphones: [], speakers: [] };
	volumes = { speaker: 1, ringer: 1 };
	problem = null;
	mic = new Microphone(this);
	/** @type {"off"|"starting"|"blocked"|"on"|"noMicrophone"} */
	state = "off";
	/** @type {?AudioNode} */
	input = null;
	output = null;
	inputLevel = 0;
	outputLevel = 0;
	isMuted = false;
	areCallsMuted = false;
	areCallsHeld = false;
	/** The context is suspended while no call, no tone and no meter needs it. @type {?("resting"|"waking")} */
	rest = null;
	tones = new Tones(this);
	needs = (reason) => this.mic.needs(reason);
	release = (reason) => this.mic.release(reason);

	constructor(post) {
		super();
		this.post = post;
	}

	get context() {
		if (!this.graph) {
			const { input, output } = this.graph = makeGraph();
			Object.assign(this, { input, output, monitor: new DeviceMonitor(this) });
			this.setVolume({});
		}
		return this.graph.context;
	}

	/**
	 * Starts audio; must run in a user gesture. Without `microphone`, that is opened when something needs it.
	 * @param {{microphone?: boolean}} [options] @throws {AudioError}
	 */
	start({ microphone = true } = {}) {
		return this.starting ??= this.doStart(microphone).finally(() => {
			this.starting = undefined;
			this.mic.closeLater();
		});
	}

	async doStart(asksMicrophone) {
		checkBrowser();
		if (this.state === "off") this.setState("starting");
		this.wake();
		this.context.resume().catch(() => {});
		const open = () => this.mic.open().then(() => null, (error) => error);
		const opening = asksMicrophone || this.mic.isNeeded ? open() : null;
		try {
			await this.connect();
			// Something may have needed it meanwhile.
			const failure = await (opening ?? (this.mic.isNeeded ? open() : null));
			const isRunning = await this.isRunningWithin(3000);
			this.updateState();
			if (!isRunning) throw new AudioError("blocked", "The browser starts audio only after a user gesture.");
			if (failure) throw failure;
		} catch (error) {
			if (this.state === "starting") this.setState("off");
			throw error;
		}
	}

	/** Resolves to whether the context runs within a time in ms; a forbidden `resume()` never settles. */
	async isRunningWithin(timeout) {
		const resumed = this.context.resume().then(() => true, () => false);
		return Promise.race([resumed, new Promise((resolve) => setTimeout(resolve, timeout, false))]);
	}

	/** Resumes a resting context. */
	async wake() {
		if (this.rest !== "resting") return;
		this.rest = "waking";
		this.post({ wakes: true });
		await this.isRunningWithin(3000);
		if (this.rest === "waking") this.rest = null;
		this.updateStateIfStarted();
	}

	/** Suspends the context, with its threads, if nothing needs it. */
	restIfUnneeded() {
		const isRunning = this.graph?.context.state === "running";
		if (!isRunning || this.starting || this.mic.isNeeded || this.tones.playing) return;
		this.rest = "resting";
		this.inputLevel = this.outputLevel = 0;
		this.context.suspend().catch(() => {});
	}

	get isStarted() {
		return this.connecting && !this.starting;
	}

	connect() {
		return this.connecting ??= connectWorklets(this.graph).then((ports) => {
			this.post(ports, Object.values(ports));
			this.postMuted();
			this.monitor.postVisibility();
		}).catch((error) => {
			this.connecting = undefined;
			throw new AudioError("unsupported", `The worklets cannot be loaded: ${error.message}`);
		});
	}

	updateStateIfStarted() {
		if (this.isStarted) this.updateState();
	}

	updateState() {
		const runningState = this.source || !this.problem ? "on" : "noMicrophone";
		this.setState(this.rest || this.context.state === "running" ? runningState : "blocked");
	}

	setState(state) {
		if (this.state === state) return;
		this.state = state;
		this.emit("state");
	}

	get muted() {
		return this.isMuted;
	}

	set muted(isMuted) {
		this.isMuted = Boolean(isMuted);
		this.mic.enable();
		this.postMuted();
	}

	set callsMuted(areMuted) {
		this.areCallsMuted = areMuted;
		this.postMuted();
	}

	/** Silences the output while the hub has not confirmed the hold of the calls that are heard. */
	set callsHeld(areHeld) {
		this.areCallsHeld = areHeld;
		if (this.graph) this.output.gain.value = areHeld ? 0 : 1;
	}

	/** @param {{speaker?: number, ringer?: number}} volumes 0…1: of voices and tones, and of the ring */
	setVolume(volumes) {
		for (const [name, value] of Object.entries({ ...this.volumes, ...volumes })) {
			if (Number.isFinite(value)) this.volumes[name] = Math.max(0, Math.min(1, value));
			if (this.graph) this.graph[name].node.gain.value = this.volumes[name];
		}
	}

	postMuted() {
		if (this.connecting) this.post({ muted: this.isMuted || this.areCallsMuted });
	}

	report({ kind, input: inputLevel, output: outputLevel, quality }) {
		if (kind === "levels") {
			Object.assign(this, { inputLevel, outputLevel });
			this.monitor.level(inputLevel);
			this.emit("level");
		} else if (quality) {
			quality.delay += Math.round(1000 * (this.context.outputLatency || 0));
		}
	}

	/** @param {{microphone?: ?string, speaker?: ?string, ringer?: ?string}} devices */
	async use({ microphone, speaker, ringer }) {
		const { mic, graph } = this.context && this;
		for (const [kind, device] of Object.entries({ speaker, ringer })) {
			if (device === undefined) continue;
			await graph[kind].use(device).catch(({ message }) => {
				throw new AudioError("noSpeaker", message);
			});
			this[kind] = device;
		}
		if (microphone === undefined) return;
		if (mic.isOpen || mic.shouldBeOpen) await mic.open(microphone);
		this.microphone = microphone;
	}

	/** @param {Partial<AudioEngine["processing"]>} switches */
	async process(switches) {
		Object.assign(this.processing, switches);
		if (this.mic.isOpen) await this.mic.open();
	}

	/** @param {?AudioNode} node of `context` */
	async useSource(node) {
		const { input } = this.context && this;
		node?.connect(input);
		if (node !== this.source) this.source?.disconnect(input);
		this.source = node;
		if (node) {
			this.mic.close();
			this.problem = null;
		} else if (this.mic.shouldBeOpen) await this.mic.open();
		this.updateStateIfStarted();
	}

	async listDevices() {
		const found = await navigator.mediaDevices.enumerateDevices().catch(() => []);
		// A device without an ID is hidden until the microphone is permitted.
		const named = found.filter(({ deviceId }) => !["", "default", "communications"].includes(deviceId));
		const of = (type) => named.filter(({ kind }) => kind === type).map(({ deviceId: id, label }) => ({ id, label }));
		this.devices = { microphones: of("audioinput"), speakers: of("audiooutput") };
		this.emit("devices");
	}

	emit(name) {
		this.dispatchEvent(new Event(name));
	}
}

function checkBrowser() {
	if (!globalThis.isSecureContext) throw new AudioError("insecure", "Audio needs https, or localhost.");
	// Without WebCodecs, libopus codes in WebAssembly.
	const needed = ["AudioWorkletNode", "MediaDevices", "AudioEncoder" in globalThis ? "AudioDecoder" : "WebAssembly"];
	const missing = needed.filter((name) => !(name in globalThis));
	if (missing.length > 0) throw new AudioError("unsupported", `This browser lacks ${missing.join(", ")}.`);
}
