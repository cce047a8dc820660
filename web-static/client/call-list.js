import { Call } from "./call.js";

const maximumCalls = 256;
const maximumEnded = 16;

export class CallList {
	calls = [];
	#announced = new WeakSet();
	#recentlyEnded = [];

	constructor(request, emit) {
		Object.assign(this, { request, emit });
	}

	get = (uuid) => this.calls.find((call) => call.uuid === uuid);

	/** The call may have ended already. */
	started(snapshot) {
		const known = () => [...this.#recentlyEnded, ...this.calls].findLast(({ uuid }) => uuid === snapshot.uuid);
		if (!known()) this.changed(snapshot);
		return known();
	}

	changed(snapshot) {
		if (this.#apply(snapshot)) this.emit("calls");
	}

	replace(snapshots, end = { endedReason: "failed", cause: "connectionLost" }) {
		const missing = this.calls.filter(({ uuid }) => !snapshots.some((one) => one.uuid === uuid));
		const ended = { ...end, state: "ended", hasEnded: true, group: null, choices: [] };
		const all = [...missing.map((call) => ({ ...call, ...ended })), ...snapshots];
		all.forEach((snapshot) => this.#apply(snapshot));
		if (all.length > 0) this.emit("calls");
	}

	#apply(snapshot) {
		const { uuid } = snapshot;
		const known = this.get(uuid);
		const call = known ?? new Call(uuid, this.request, () => this.emit("calls"));
		const isChanged = call.update(snapshot) || !known;
		if (call.hasEnded || (!known && this.calls.length >= maximumCalls)) {
			this.#recentlyEnded = [...this.#recentlyEnded, call].slice(-maximumEnded);
			if (!known) return false;
			this.calls = this.calls.filter((other) => other !== call);
		} else if (!known) {
			this.calls = [...this.calls, call];
		}
		if (isChanged) call.dispatchEvent(new Event("change"));
		if (call.hasEnded) {
			call.dispatchEvent(new Event("end"));
			this.emit("ended", call);
		} else if (call.state === "ringing" && !call.isOutgoing && !this.#announced.has(call)) {
			this.#announced.add(call);
			this.emit("incoming", call);
		}
		return isChanged;
	}
}
