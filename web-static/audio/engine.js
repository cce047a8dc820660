import { AudioError } from "./errors.js";
import { connectWorklets, makeGraph } from "./graph.js";
import { Microphone } from "./microphone.js";
import { Tones } from "./tones.js";
import { Watch } from "./watch.js";

/** docs/browser-phone.md, AudioEngine. */
export class AudioEngine extends EventTarget {
	microphone = null;
	speaker = null;
	ringer = null;
	processing = { echoCancellation: true, noiseSuppression: true, autoGainControl: true };
	devices = { microphones: [], speakers: [] };
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
			Object.assign(this, { input, output, watch: new Watch(this) });
		}
		return this.graph.context;
	}

	/** Inside a user's touch. @throws {AudioError} */
	start() {
		return this.starting ??= this.doStart().finally(() => {
			this.starting = undefined;
			this.mic.rest();
		});
	}

	async doStart() {
		checkBrowser();
		if (this.state === "off") this.setState("starting");
		this.context.resume().catch(() => {});
		const microphone = this.mic.open().catch((error) => error);
		try {
			await this.connect();
			const failure = await microphone;
			const isRunning = await this.runs(3000);
			this.decide();
			if (!isRunning) throw new AudioError("blocked", "The browser lets no sound begin without a touch.");
			if (failure) throw failure;
		} catch (error) {
			if (this.state === "starting") this.setState("off");
			throw error;
		}
	}

	/** Whether it runs in time; a forbidden `resume()` never answers. */
	async runs(patience) {
		if (this.context.state === "running") return true;
		const resumed = this.context.resume().then(() => true, () => false);
		return Promise.race([resumed, new Promise((resolve) => setTimeout(resolve, patience, false))]);
	}

	get isStarted() {
		return this.connecting && !this.starting;
	}

	connect() {
		return this.connecting ??= connectWorklets(this.graph).then((ports) => {
			this.post(ports, Object.values(ports));
			this.tellMuted();
		}).catch((error) => {
			this.connecting = undefined;
			throw new AudioError("unsupported", `The worklets cannot be loaded: ${error.message}`);
		});
	}

	settle() {
		if (this.isStarted) this.decide();
	}

	decide() {
		const heard = this.source || !this.problem ? "on" : "noMicrophone";
		this.setState(this.context.state === "running" ? heard : "blocked");
	}

	setState(state) {
		if (this.state === state) return;
		this.state = state;
		this.tell("state");
	}

	get muted() {
		return this.isMuted;
	}

	set muted(isMuted) {
		this.isMuted = Boolean(isMuted);
		this.mic.enable();
		this.tellMuted();
	}

	set callsMuted(areMuted) {
		this.areCallsMuted = areMuted;
		this.tellMuted();
	}

	tellMuted() {
		if (this.connecting) this.post({ muted: this.isMuted || this.areCallsMuted });
	}

	report({ kind, input: inputLevel, output: outputLevel, quality }) {
		if (kind === "levels") {
			Object.assign(this, { inputLevel, outputLevel });
			this.watch.level(inputLevel);
			this.tell("level");
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
		if (mic.isOpen || mic.isDue) await mic.open(microphone);
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
		} else if (this.mic.isDue) await this.mic.open();
		this.settle();
	}

	async listDevices() {
		const found = await navigator.mediaDevices.enumerateDevices().catch(() => []);
		// One without a name may not be seen yet.
		const own = found.filter(({ deviceId }) => !["", "default", "communications"].includes(deviceId));
		const of = (type) => own.filter(({ kind }) => kind === type).map(({ deviceId: id, label }) => ({ id, label }));
		this.devices = { microphones: of("audioinput"), speakers: of("audiooutput") };
		this.tell("devices");
	}

	tell(name) {
		this.dispatchEvent(new Event(name));
	}
}

function checkBrowser() {
	if (!globalThis.isSecureContext) throw new AudioError("insecure", "Sound needs https, or localhost.");
	const needed = ["AudioWorkletNode", "AudioEncoder", "AudioDecoder", "MediaDevices"];
	const missing = needed.filter((name) => !(name in globalThis));
	if (missing.length > 0) throw new AudioError("unsupported", `This browser lacks ${missing.join(", ")}.`);
}
