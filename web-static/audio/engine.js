import { connectWorklets, makeGraph } from "./graph.js";
import { AudioError, Microphone } from "./microphone.js";
import { Tones } from "./tones.js";
import { DeviceMonitor } from "./device-monitor.js";

export class AudioEngine extends EventTarget {
	microphone = null;
	speaker = null;
	ringer = null;
	processing = { echoCancellation: true, noiseSuppression: true, autoGainControl: true };
	devices = { microphones: [], speakers: [] };
	volumes = { speaker: 1, ringer: 1 };
	problem = null;
	mic = new Microphone(this);
	state = "off";
	input = null;
	output = null;
	inputLevel = 0;
	outputLevel = 0;
	isMuted = false;
	areCallsMuted = false;
	areCallsHeld = false;
	/** "resting" while no call, tone or meter needs the context, then "waking". */
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

	/** In a user gesture; without `microphone` that is opened when something needs it. */
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

	/** A forbidden `resume()` never settles. */
	async isRunningWithin(timeout) {
		const resumed = this.context.resume().then(() => true, () => false);
		return Promise.race([resumed, new Promise((resolve) => setTimeout(resolve, timeout, false))]);
	}

	async wake() {
		if (this.rest !== "resting") return;
		this.rest = "waking";
		this.post({ wakes: true });
		await this.isRunningWithin(3000);
		if (this.rest === "waking") this.rest = null;
		this.updateStateIfStarted();
	}

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

	/** Silences held calls before the hub does. */
	setCalls(areCallsHeld, areCallsMuted) {
		Object.assign(this, { areCallsHeld, areCallsMuted });
		if (this.graph) this.output.gain.value = areCallsHeld ? 0 : 1;
		this.postMuted();
	}

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

	async process(switches) {
		Object.assign(this.processing, switches);
		if (this.mic.isOpen) await this.mic.open();
	}

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
	const needed = ["AudioWorkletNode", "MediaDevices", "AudioEncoder" in globalThis ? "AudioDecoder" : "WebAssembly"];
	const missing = needed.filter((name) => !(name in globalThis));
	if (missing.length > 0) throw new AudioError("unsupported", `This browser lacks ${missing.join(", ")}.`);
}
