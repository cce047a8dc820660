import { newUUID } from "./identifier.js";

/** In ms. */
const timeout = 1_000;

export class TabLock {
	account = null;
	/** A lock that an earlier request gets is released at once. */
	#generation = 0;
	#release;
	#pending = new Map();

	constructor(url, owner) {
		this.owner = owner;
		this.channel = new BroadcastChannel(`callhub ${url}`);
		this.channel.onmessage = ({ data }) => this.#receive(data ?? {});
		// The next page may load before this one is unloaded.
		addEventListener("pagehide", () => this.release());
	}

	async acquire(account) {
		if (this.account === account) return true;
		this.release();
		const generation = this.#generation;
		if (await this.#lock(account, { ifAvailable: true }, generation)) return true;
		// A page that reloads does not reply.
		if (await this.#query("who", account, timeout / 2)) return false;
		return this.#lock(account, { signal: AbortSignal.timeout(timeout / 2) }, generation);
	}

	async takeOver(account) {
		this.release();
		const generation = this.#generation;
		if (await this.#lock(account, { ifAvailable: true }, generation)) return null;
		const reply = await this.#query("give", account, timeout);
		const signal = AbortSignal.timeout(timeout);
		if (!await this.#lock(account, { signal }, generation)) await this.#lock(account, { steal: true }, generation);
		return reply?.given ?? null;
	}

	signOut(account) {
		this.channel.postMessage({ signedOut: account });
	}

	release() {
		this.account = null;
		this.#generation += 1;
		this.#release?.();
	}

	#lock(account, options, generation) {
		const { promise, resolve } = Promise.withResolvers();
		const isCurrent = () => generation === this.#generation;
		if (!isCurrent()) return false;
		const hold = (lock) => {
			const isGranted = lock !== null && isCurrent();
			resolve(isGranted);
			if (!isGranted) return null;
			this.account = account;
			return new Promise((release) => (this.#release = release));
		};
		// There are none without https or storage: the hub replaces the older session.
		const held = this.owner.locks?.request(`${this.channel.name} ${account}`, options, hold) ?? hold(true);
		held.catch(() => {
			// Timed out; or stolen, long after it was granted.
			resolve(false);
			if (this.account === account && isCurrent()) this.owner.lockLost();
		});
		return promise;
	}

	#query(question, account, limit) {
		const id = newUUID();
		const { promise, resolve } = Promise.withResolvers();
		this.#pending.set(id, resolve);
		setTimeout(resolve, limit);
		this.channel.postMessage({ ask: question, account, id });
		return promise.finally(() => this.#pending.delete(id));
	}

	#receive({ to, id, ask, account, signedOut, given }) {
		if (signedOut !== undefined) return this.owner.signedOut(signedOut);
		if (to !== undefined) return this.#pending.get(to)?.({ given });
		if (account !== this.account) return;
		this.channel.postMessage({ to: id, given: ask === "give" ? this.owner.handOver() : null });
	}
}
