import { Line } from "./line.js";
import { HubError, objectOf, objectsOf, ownError } from "./read.js";
import { Store } from "./store.js";
import { Tabs } from "./tabs.js";

const overtaken = ownError("signedOut", "another sign-in has taken this one's place");
/** How calls end then. */
const endings = { signedOut: null, steppedBack: "answeredElsewhere", closed: "failed" };

export class Presence extends EventTarget {
	/** @type {"signedOut" | "connecting" | "online" | "reconnecting" | "steppedBack" | "closed"} */
	state = "signedOut";
	account = null;
	handles = null;
	device = null;
	hubInformation = null;
	limits = null;
	expiresAt = null;
	/** @type {?{reason: string, retryAt: ?number, address: ?string, error?: HubError}} */
	closing = null;
	retryAt = null;
	#line = new Line((report) => this.#reported(report));
	/** @type {(method: string, params?: object) => Promise<object>} */
	request = this.#line.request;
	toSound = this.#line.sound;
	#store;
	#tabs;
	#open = null;
	#signingIn;
	#received;

	constructor({ url, storage, name }, received) {
		super();
		this.url = url.replace(/^http/, "ws");
		this.name = name;
		this.#received = received;
		this.#store = new Store(this.url, storage);
		this.#tabs = new Tabs(this.url, {
			give: () => {
				this.stepBack();
				return this.#store.kept;
			},
			lost: () => this.stepBack(),
			signedOut: (account) => this.state === "steppedBack" && account === this.account && this.#end(),
		});
		// By Back.
		addEventListener("pageshow", ({ persisted }) => {
			if (!persisted || this.account === null || this.state === "signedOut") return;
			this.stepBack();
			this.restore();
		});
	}

	/** @param {object} options @returns {Promise<void>} */
	async signIn({ keepTrying = false, device = {}, ...options } = {}) {
		if (!(this.state in endings)) this.signOut();
		const named = { ...device, id: device.id ?? this.#store.device() };
		const open = { audio: { delivery: "streams" }, client: { name: this.name }, ...options, device: named };
		const isOurs = await this.#claim(options.account ?? null, open);
		if (isOurs === null) throw new HubError(overtaken);
		if (!isOurs) throw new HubError(ownError("anotherTab", "another tab of this browser is signed in as this account"));
		return this.#signIn(keepTrying);
	}

	/** @returns {Promise<boolean>} */
	async restore() {
		const account = this.#store.account();
		const kept = account && this.#store.session(account);
		if (!kept) return false;
		// What another tab has kept until it let go.
		if (await this.#claim(account, kept.record.open)) this.#resume(this.#store.session(account) ?? kept);
		return true;
	}

	/** Null where a later one has taken this one's place. */
	async #claim(account, open) {
		this.account = account;
		this.#open = open;
		if (account === null) this.#tabs.release();
		const isOurs = account === null || await this.#tabs.claim(account);
		if (open !== this.#open) return null;
		if (!isOurs) this.stepBack();
		return isOurs;
	}

	async takeOver() {
		const open = this.#open;
		if (this.state !== "steppedBack") return;
		this.#become({ state: "reconnecting" });
		const kept = await this.#tabs.take(this.account) ?? this.#store.session(this.account);
		if (open !== this.#open) return;
		return kept ? this.#resume(kept) : this.#open ? this.#signIn(true) : this.signOut();
	}

	stepBack() {
		if (this.account === null) return;
		this.#line.begin("stepBack");
		this.#tabs.release();
		this.#become({ state: "steppedBack" });
	}

	signOut() {
		this.#store.forget(this.account);
		if (this.account !== null) this.#tabs.signOut(this.account);
		this.#end();
	}

	erase() {
		this.signOut();
		this.#store.erase();
	}

	refresh = (token) => this.request("session.refresh", { token });
	tell = (name, detail = {}) => this.dispatchEvent(new CustomEvent(name, { detail }));

	#signIn(keepTrying) {
		this.#reject(overtaken);
		this.#line.begin("open", { url: this.url, open: this.#open, keepTrying });
		this.#become({ state: "connecting" });
		this.#signingIn = Promise.withResolvers();
		return this.#signingIn.promise;
	}

	#resume({ record, seq }) {
		this.#open = record.open;
		this.#line.begin("open", { url: this.url, seq, ...record });
		this.#received.notification({ method: "audio.sources", params: record.sound });
		this.#become({ state: "reconnecting" });
	}

	#end() {
		this.#reject(ownError("signedOut", "the user has signed out"));
		this.#line.begin("signOut");
		this.#tabs.release();
		this.account = this.handles = this.device = this.hubInformation = this.limits = this.expiresAt = this.#open = null;
		this.#become({ state: "signedOut" });
	}

	#reject(error) {
		this.#signingIn?.reject(new HubError(error));
	}

	#become({ state, retryAt = null, closing = null }) {
		if (closing?.error) {
			closing.error = new HubError(closing.error);
			this.#reject(closing.error);
		}
		if (state in endings && state !== this.state) this.#received.left(endings[state]);
		if (state !== this.state || retryAt !== this.retryAt || closing !== this.closing) {
			Object.assign(this, { state, retryAt, closing });
			this.tell("state");
		}
		if (state === "online") this.#signingIn?.resolve();
	}

	#reports = {
		state: (report) => this.#become(report),
		opened: ({ result }) => this.#opened(result),
		keep: ({ expiresAt }) => Object.assign(this, { expiresAt }),
		rejected: ({ error }) => {
			this.#reject(error);
			this.#tabs.release();
		},
		forget: () => this.#store.forget(this.account),
		expiring: ({ expiresAt }) => this.tell("expiring", { expiresAt }),
		problem: ({ what: kind = "connection", message }) => this.tell("problem", { kind, message }),
	};

	#reported(report) {
		this.#reports[report.kind]?.(report);
		this.#received[report.kind]?.(report);
		this.#store.keep(this.account, report);
	}

	#opened({ account, handles, device, hub, limits }) {
		if (typeof account === "string") this.account = account;
		this.handles = objectsOf(handles);
		Object.assign(this, { device: objectOf(device), hubInformation: objectOf(hub), limits: objectOf(limits) });
		// From the token.
		if (this.#tabs.account !== this.account) this.#tabs.take(this.account);
	}
}
