/** Ms before a token ends. */
const notice = 60_000;
/** A timer takes no more than 2^31 ms. */
const longest = 7 * 86_400_000;

export class SignIn {
	#open;

	constructor(report) {
		this.report = report;
	}

	begin(url = "", open = {}, held = null, mustSucceed = false) {
		Object.assign(this, { held, mustSucceed, asksToObserve: true });
		this.#open = open;
		this.send(held?.address, url);
		this.#expires(null);
	}

	send(address, home) {
		this.addresses = [...new Set([address ?? home, home])];
	}

	address() {
		const next = this.addresses.shift();
		this.addresses.push(next);
		return next;
	}

	parameters(address, seq) {
		const { session, resumeToken: token } = this.held ?? {};
		if (this.held?.address === address) return { resume: { session, token, seq } };
		return { permissions: this.asksToObserve ? ["call", "observe"] : ["call"], ...this.#open };
	}

	/** A guest may only call. */
	asksLess() {
		const asked = this.asksToObserve && !this.#open.permissions;
		this.asksToObserve = false;
		return asked;
	}

	opened({ session, resumeToken, expiresAt }, address) {
		this.held = { session, resumeToken, address };
		this.mustSucceed = false;
		this.addresses = [address];
		this.#expires(expiresAt);
	}

	refreshed(token, expiresAt) {
		this.#open = { ...this.#open, token };
		this.#expires(expiresAt);
	}

	/** For a reload: no password. */
	get record() {
		const { password, ...open } = this.#open;
		return { open, held: this.held };
	}

	/** The hub's clock may differ by a little. */
	get hasExpired() {
		return Date.parse(this.expiresAt) < Date.now() + 1000;
	}

	#expires(time) {
		clearTimeout(this.timer);
		this.expiresAt = typeof time === "string" ? time : null;
		const left = Date.parse(this.expiresAt) - Date.now();
		const wait = Math.min(Math.max(left - notice, left / 2), longest);
		if (left > 0) this.timer = setTimeout(() => this.report({ kind: "expiring", expiresAt: time }), wait);
	}
}
