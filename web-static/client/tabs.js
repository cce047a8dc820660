import { newUUID } from "./identifier.js";

/** Ms. */
const patience = 1_000;

export class Tabs {
	account = null;
	/** Grows: a lock for an earlier one is not wanted any more. */
	#turn = 0;
	#release;
	#answers = new Map();

	constructor(url, owner) {
		this.owner = owner;
		this.channel = new BroadcastChannel(`callhub ${url}`);
		this.channel.onmessage = ({ data }) => this.#heard(data ?? {});
		// The next page may be there before this one is gone.
		addEventListener("pagehide", () => this.release());
	}

	async claim(account) {
		if (this.account === account) return true;
		this.release();
		const turn = this.#turn;
		if (await this.#lock(account, { ifAvailable: true }, turn)) return true;
		// A page that reloads holds it a little longer, mute.
		if (await this.#ask("who", account, patience / 2)) return false;
		return this.#lock(account, { signal: AbortSignal.timeout(patience / 2) }, turn);
	}

	async take(account) {
		this.release();
		const turn = this.#turn;
		if (await this.#lock(account, { ifAvailable: true }, turn)) return null;
		const answer = await this.#ask("give", account, patience);
		const signal = AbortSignal.timeout(patience);
		if (!await this.#lock(account, { signal }, turn)) await this.#lock(account, { steal: true }, turn);
		return answer?.given ?? null;
	}

	signOut(account) {
		this.channel.postMessage({ signedOut: account });
	}

	release() {
		this.account = null;
		this.#turn += 1;
		this.#release?.();
	}

	#lock(account, options, turn) {
		const { promise, resolve } = Promise.withResolvers();
		const isCurrent = () => turn === this.#turn;
		if (!isCurrent()) return false;
		const hold = (lock) => {
			const isOurs = lock !== null && isCurrent();
			resolve(isOurs);
			if (!isOurs) return null;
			this.account = account;
			return new Promise((release) => (this.#release = release));
		};
		// By plain http there are none: the hub keeps order.
		const held = navigator.locks?.request(`${this.channel.name} ${account}`, options, hold) ?? hold(true);
		held.catch(() => {
			// Out of time; or, long after, stolen.
			resolve(false);
			if (this.account === account && isCurrent()) this.owner.lost();
		});
		return promise;
	}

	#ask(question, account, limit) {
		const id = newUUID();
		const { promise, resolve } = Promise.withResolvers();
		this.#answers.set(id, resolve);
		setTimeout(resolve, limit);
		this.channel.postMessage({ ask: question, account, id });
		return promise.finally(() => this.#answers.delete(id));
	}

	#heard({ to, id, ask, account, signedOut, given }) {
		if (signedOut !== undefined) return this.owner.signedOut(signedOut);
		if (to !== undefined) return this.#answers.get(to)?.({ given });
		if (account !== this.account) return;
		this.channel.postMessage({ to: id, given: ask === "give" ? this.owner.give() : null });
	}
}
