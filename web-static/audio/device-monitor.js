/** In ms; Chromium reports no unplugged microphone. */
const SILENCE = 5_000;
const RECOVERY_PERIOD = 30_000;
const INTERRUPTION = 500;

export class DeviceMonitor {
	recoveredAt = -Infinity;

	constructor(engine) {
		this.engine = engine;
		engine.context.addEventListener("statechange", () => this.contextChanged());
		navigator.mediaDevices?.addEventListener("devicechange", () => this.devicesChanged());
		document.addEventListener("visibilitychange", () => {
			this.resume();
			this.postVisibility();
		});
	}

	contextChanged() {
		const { engine } = this;
		const isRunning = engine.context.state === "running";
		clearTimeout(this.interruptionTimer);
		this.hasRun ||= isRunning;
		if (isRunning || !this.hasRun || engine.rest) return engine.updateStateIfStarted();
		this.resume();
		this.interruptionTimer = setTimeout(() => engine.updateStateIfStarted(), INTERRUPTION);
	}

	postVisibility() {
		if (this.engine.connecting) this.engine.post({ hidden: document.hidden });
	}

	resume() {
		if (this.hasRun && this.engine.rest !== "resting") this.engine.context.resume().catch(() => {});
	}

	async devicesChanged() {
		const { engine } = this;
		this.resume();
		await engine.listDevices();
		const ids = engine.devices.speakers.map(({ id }) => id);
		for (const name of ["speaker", "ringer"]) {
			if (engine[name] && ids.length > 0 && !ids.includes(engine[name])) await engine.use({ [name]: null });
		}
		await engine.mic.devicesChanged();
	}

	level(level, now = performance.now()) {
		const { engine } = this;
		const isSilent = level === 0 && !engine.muted && engine.mic.isOpen && engine.state === "on";
		this.silentSince = isSilent ? this.silentSince ?? now : null;
		if (!isSilent || now - this.silentSince < SILENCE) return;
		this.silentSince = now;
		engine.emit("silent");
		if (now - this.recoveredAt < RECOVERY_PERIOD) return;
		this.recoveredAt = now;
		engine.mic.recover();
	}
}
