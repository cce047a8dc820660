import { isCall, objectsOf } from "./validation.js";

export class NotificationReceiver {
	lastSeq;
	sound = { audioSession: null, sources: [] };
	activeCalls = new Set();
	resumedCalls;

	constructor(report, player) {
		Object.assign(this, { report, player });
	}

	reset({ seq = 0, audioSession, sources } = {}) {
		this.lastSeq = seq;
		this.activeCalls.clear();
		this.resumedCalls = this.closing = this.gap = null;
		this.#setSources(sources);
		this.#activate(audioSession);
	}

	beginReplay(calls) {
		const ended = [...this.resumedCalls?.values() ?? []].filter((call) => call.hasEnded);
		this.resumedCalls = new Map([...ended, ...objectsOf(calls, isCall)].map((call) => [call.uuid, call]));
	}

	/** Ended calls first: they may have made room for new ones. */
	endReplay() {
		const stateOf = (call) => (call.hasEnded ? "ended" : "active");
		const { ended = [], active = [] } = Object.groupBy(this.resumedCalls.values(), stateOf);
		this.resumedCalls = null;
		this.activeCalls = new Set(active.map((call) => call.uuid));
		this.report({ kind: "calls", calls: [...ended, ...active], seq: this.lastSeq });
	}

	receive(method, params, socket) {
		const { seq } = params;
		if (!Number.isSafeInteger(seq) || seq <= this.lastSeq) return "duplicate";
		const isNext = seq === this.lastSeq + 1 || (seq === this.lastSeq + 2 && this.closing === this.lastSeq + 1);
		if (!isNext && !this.#isUnfillable(seq, socket)) return "gap";
		if (!isNext) this.lastSeq = seq - 1;
		// Not counted: the hub may use the number again.
		if (method === "session.closing") this.closing = seq;
		else this.lastSeq = seq;
		this.#process(method, params);
		return "new";
	}

	#isUnfillable(number, socket) {
		const { lastSeq } = this;
		if (this.gap?.lastSeq === lastSeq) return this.gap.socket !== socket;
		this.gap = { lastSeq, socket };
		this.report({ kind: "problem", message: `notifications ${lastSeq + 1} to ${number - 1} are missing` });
		return false;
	}

	#process(method, params) {
		const { call } = params;
		if (method === "call.changed") {
			if (!isCall(call)) return;
			if (this.resumedCalls) return void this.resumedCalls.set(call.uuid, call);
			this.activeCalls[call.hasEnded ? "delete" : "add"](call.uuid);
		}
		if (method === "provider.didActivateAudioSession") this.#activate(params.audioSession);
		if (method === "provider.didDeactivateAudioSession") this.#activate(null);
		if (method === "audio.sources") this.#setSources(params.sources);
		if (method === "provider.didReset") this.reset({ seq: this.lastSeq });
		const sound = /^audio\.|^provider\.did/.test(method) ? this.sound : null;
		this.report({ kind: "notification", method, params, seq: this.lastSeq, sound });
	}

	#activate(session) {
		const isValid = typeof session?.id === "string" && Number.isInteger(session.ssrc);
		if (isValid) this.player.activate(session);
		else if (this.sound.audioSession) this.player.deactivate();
		this.sound.audioSession = isValid ? session : null;
	}

	#setSources(sources) {
		this.sound.sources = objectsOf(sources, ({ ssrc }) => Number.isInteger(ssrc));
		this.player.sources(this.sound.sources);
	}
}
