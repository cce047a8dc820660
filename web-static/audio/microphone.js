const KINDS = {
	NotAllowedError: "permission", SecurityError: "permission",
	NotReadableError: "busy", AbortError: "busy",
};

export class Microphone {
	linger = 3000;
	reasons = new Set();

	constructor(engine) {
		this.engine = engine;
	}

	get isOpen() {
		return this.track?.readyState === "live";
	}

	get isNeeded() {
		return this.reasons.size > 0;
	}

	get shouldBeOpen() {
		return this.engine.isStarted && this.isNeeded;
	}

	needs(reason) {
		if (this.reasons.has(reason)) return;
		this.reasons.add(reason);
		clearTimeout(this.closing);
		this.engine.wake();
		if (this.shouldBeOpen && !this.isOpen && !this.opening) this.open().catch(() => {});
	}

	release(reason) {
		if (this.reasons.delete(reason)) this.closeLater();
	}

	closeLater() {
		clearTimeout(this.closing);
		if (this.isNeeded) return;
		this.closing = setTimeout(() => {
			this.close();
			this.engine.restIfUnneeded();
		}, this.linger);
	}

	async open(device = this.engine.microphone) {
		const { engine } = this;
		if (engine.source) return;
		const opening = this.opening = {};
		try {
			const stream = await acquire(device, engine.processing);
			if (this.opening === opening) this.use(stream);
			else stream.getAudioTracks()[0].stop();
		} catch (error) {
			if (this.opening === opening && !this.isOpen) {
				this.close();
				engine.problem = error;
			}
			throw error;
		} finally {
			if (this.opening === opening) this.opening = null;
			engine.updateStateIfStarted();
			engine.listDevices();
		}
	}

	use(stream) {
		const [track] = stream.getAudioTracks();
		const node = this.engine.context.createMediaStreamSource(stream);
		node.connect(this.engine.input);
		this.close();
		Object.assign(this, { track, node });
		this.engine.problem = null;
		this.enable();
		track.addEventListener("ended", () => this.track === track && this.isNeeded && this.recover());
	}

	close() {
		this.node?.disconnect();
		this.track?.stop();
		this.opening = this.track = this.node = null;
	}

	enable() {
		if (this.track) this.track.enabled = !this.engine.isMuted;
	}

	async recover() {
		if (this.track && !this.isOpen) this.engine.emit("microphoneLost");
		await this.open().then(() => this.isOpen && this.engine.emit("microphoneBack"), () => {});
	}

	async devicesChanged() {
		const { engine } = this;
		if (!engine.problem) return;
		if (this.isNeeded) return this.recover();
		if (engine.problem.kind === "permission" || engine.devices.microphones.length === 0) return;
		engine.problem = null;
		engine.updateStateIfStarted();
	}
}

async function acquire(device, processing) {
	try {
		const audio = { ...processing, channelCount: 1, deviceId: device ? { exact: device } : undefined };
		return await navigator.mediaDevices.getUserMedia({ audio });
	} catch (error) {
		if (device && ["OverconstrainedError", "NotFoundError"].includes(error.name)) return acquire(null, processing);
		throw new AudioError(KINDS[error.name] ?? "noMicrophone", error.message);
	}
}

export class AudioError extends Error {
	name = "AudioError";

	constructor(kind, message) {
		super(message);
		this.kind = kind;
	}
}
