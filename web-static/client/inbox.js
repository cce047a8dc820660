import { isCall, objectsOf } from "./read.js";

export class Inbox {
	seen;
	sound = { audioSession: null, sources: [] };
	alive = new Set();
	missed;

	constructor(report, player) {
		Object.assign(this, { report, player });
	}

	begin({ seq = 0, audioSession, sources } = {}) {
		this.seen = seq;
		this.alive.clear();
		this.missed = this.closing = this.hole = null;
		this.#hear(sources);
		this.#activate(audioSession);
	}

	catchUp(calls) {
		const ended = [...this.missed?.values() ?? []].filter((call) => call.hasEnded);
		this.missed = new Map([...ended, ...objectsOf(calls, isCall)].map((call) => [call.uuid, call]));
	}

	/** What has ended first: it was in the way of what began. */
	caughtUp() {
		const stateOf = (call) => (call.hasEnded ? "ended" : "alive");
		const { ended = [], alive = [] } = Object.groupBy(this.missed.values(), stateOf);
		this.missed = null;
		this.alive = new Set(alive.map((call) => call.uuid));
		this.report({ kind: "calls", calls: [...ended, ...alive], seq: this.seen });
	}

	take(method, params, socket) {
		const { seq } = params;
		if (!Number.isSafeInteger(seq) || seq <= this.seen) return "seen";
		const isNext = seq === this.seen + 1 || (seq === this.seen + 2 && this.closing === this.seen + 1);
		if (!isNext && !this.#isInVain(seq, socket)) return "hole";
		if (!isNext) this.seen = seq - 1;
		// Not counted: its number may come again.
		if (method === "session.closing") this.closing = seq;
		else this.seen = seq;
		this.#sort(method, params);
		return "new";
	}

	#isInVain(number, socket) {
		const { seen } = this;
		if (this.hole?.seen === seen) return this.hole.socket !== socket;
		this.hole = { seen, socket };
		this.report({ kind: "problem", message: `notifications ${seen + 1} to ${number - 1} are missing` });
		return false;
	}

	#sort(method, params) {
		const { call } = params;
		if (method === "call.changed") {
			if (!isCall(call)) return;
			if (this.missed) return void this.missed.set(call.uuid, call);
			this.alive[call.hasEnded ? "delete" : "add"](call.uuid);
		}
		if (method === "provider.didActivateAudioSession") this.#activate(params.audioSession);
		if (method === "provider.didDeactivateAudioSession") this.#activate(null);
		if (method === "audio.sources") this.#hear(params.sources);
		if (method === "provider.didReset") this.begin({ seq: this.seen });
		const sound = /^audio\.|^provider\.did/.test(method) ? this.sound : null;
		this.report({ kind: "notification", method, params, seq: this.seen, sound });
	}

	#activate(session) {
		const isValid = typeof session?.id === "string" && Number.isInteger(session.ssrc);
		if (isValid) this.player.activate(session);
		else if (this.sound.audioSession) this.player.deactivate();
		this.sound.audioSession = isValid ? session : null;
	}

	#hear(sources) {
		this.sound.sources = objectsOf(sources, ({ ssrc }) => Number.isInteger(ssrc));
		this.player.sources(this.sound.sources);
	}
}
