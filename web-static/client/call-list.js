import { Call } from "./call.js";

const most = 256;
/** Ended ones, for starts that are answered late. */
const mostPast = 16;

export class CallList {
	calls = [];
	#rung = new WeakSet();
	#past = [];

	constructor(request, tell) {
		Object.assign(this, { request, tell });
	}

	get = (uuid) => this.calls.find((call) => call.uuid === uuid);

	/** The hub may have told of its end before. */
	started(snapshot) {
		const known = () => [...this.#past, ...this.calls].findLast(({ uuid }) => uuid === snapshot.uuid);
		if (!known()) this.changed(snapshot);
		return known();
	}

	changed(snapshot) {
		if (this.#take(snapshot)) this.tell("calls");
	}

	/** Any other has ended unheard. */
	replace(snapshots, end = { endedReason: "failed", cause: "connectionLost" }) {
		const gone = this.calls.filter(({ uuid }) => !snapshots.some((one) => one.uuid === uuid));
		const over = { ...end, state: "ended", hasEnded: true, group: null, choices: [] };
		const all = [...gone.map((call) => ({ ...call, ...over })), ...snapshots];
		all.forEach((snapshot) => this.#take(snapshot));
		if (all.length > 0) this.tell("calls");
	}

	#take(snapshot) {
		const { uuid } = snapshot;
		const known = this.get(uuid);
		const call = known ?? new Call(uuid, this.request);
		const isChanged = call.update(snapshot) || !known;
		if (call.hasEnded || (!known && this.calls.length >= most)) {
			this.#past = [...this.#past, call].slice(-mostPast);
			if (!known) return false;
			this.calls = this.calls.filter((other) => other !== call);
		} else if (!known) {
			this.calls = [...this.calls, call];
		}
		if (isChanged) call.dispatchEvent(new Event("change"));
		if (call.hasEnded) {
			call.dispatchEvent(new Event("end"));
			this.tell("ended", call);
		} else if (call.state === "ringing" && !call.isOutgoing && !this.#rung.has(call)) {
			this.#rung.add(call);
			this.tell("incoming", call);
		}
		return isChanged;
	}
}
