const expiryNotice = 60_000;
/** In ms; a timer takes less than 2^31. */
const longestTimer = 7 * 86_400_000;

export class SessionCredentials {
	#open;

	constructor(report) {
		this.report = report;
	}

	reset(url = "", open = {}, heldSession = null, mustSucceed = false) {
		Object.assign(this, { heldSession, mustSucceed, requestsObserve: true });
		this.#open = open;
		this.setAddresses(heldSession?.address, url);
		this.#scheduleExpiryNotice(null);
	}

	setAddresses(address, home) {
		this.addresses = [...new Set([address ?? home, home])];
	}

	nextAddress() {
		const next = this.addresses.shift();
		this.addresses.push(next);
		return next;
	}

	parameters(address, seq) {
		const { session, resumeToken: token } = this.heldSession ?? {};
		if (this.heldSession?.address === address) return { resume: { session, token, seq } };
		return { permissions: this.requestsObserve ? ["call", "observe"] : ["call"], ...this.#open };
	}

	/** Guests lack the permission `observe`. */
	reducePermissions() {
		const requested = this.requestsObserve && !this.#open.permissions;
		this.requestsObserve = false;
		return requested;
	}

	opened({ session, resumeToken, expiresAt, openIDToken: token }, address) {
		this.heldSession = { session, resumeToken, address };
		// The code is used up.
		if (this.#open.openID && token) this.#open = { ...this.#open, openID: { token } };
		// It is good for one sign-in.
		const { passkey, ...open } = this.#open;
		this.#open = open;
		this.mustSucceed = false;
		this.addresses = [address];
		this.#scheduleExpiryNotice(expiresAt);
	}

	refreshed(token, expiresAt) {
		this.#open = { ...this.#open, token };
		this.#scheduleExpiryNotice(expiresAt);
	}

	get record() {
		const { password, openID, ...open } = this.#open;
		return { open, held: this.heldSession };
	}

	/** With a second's tolerance for the hub's clock. */
	get hasExpired() {
		return Date.parse(this.expiresAt) < Date.now() + 1000;
	}

	#scheduleExpiryNotice(time) {
		clearTimeout(this.timer);
		this.expiresAt = typeof time === "string" ? time : null;
		const left = Date.parse(this.expiresAt) - Date.now();
		const wait = Math.min(Math.max(left - expiryNotice, left / 2), longestTimer);
		if (left > 0) this.timer = setTimeout(() => this.report({ kind: "expiring", expiresAt: time }), wait);
	}
}
