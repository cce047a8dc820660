import { WorkerClient } from "./worker-client.js";
import { newUUID } from "./identifier.js";
import { HubError, libraryError, objectOf, objectsOf } from "./validation.js";
import { Store } from "./store.js";
import { TabLock } from "./tab-lock.js";

const superseded = libraryError("signedOut", "another sign-in has replaced this one");
const usedByAnotherTab = libraryError("anotherTab", "another tab of this browser is signed in as this account");
const endedReasons = { signedOut: null, steppedBack: "answeredElsewhere", closed: "failed" };

export class TabSession extends EventTarget {
	state = "signedOut";
	account = null;
	handles = null;
	device = null;
	hubInformation = null;
	limits = null;
	expiresAt = null;
	confirmedUntil = null;
	closing = null;
	retryAt = null;
	#worker;
	request;
	#store;
	#lock;
	#parameters = null;
	#signInPromise;
	#handlers;

	constructor({ url, storage, scope = "", name, worker }, handlers) {
		super();
		this.#worker = new WorkerClient((report) => this.#handleReport(report), worker);
		const { request, postToSound } = this.#worker;
		Object.assign(this, { url: url.replace(/^http/, "ws"), name, request, postToSound });
		this.#handlers = handlers;
		this.#store = new Store(this.url + scope, storage);
		this.#lock = new TabLock(storage === null ? newUUID() : this.url + scope, {
			locks: storage === null ? null : navigator.locks,
			handOver: () => {
				this.stepBack();
				return this.#store.current;
			},
			lockLost: () => this.stepBack(),
			signedOut: (account) => this.state === "steppedBack" && account === this.account && this.#endSession(),
		});
		// Restored from the back/forward cache.
		addEventListener("pageshow", ({ persisted }) => {
			if (!persisted || this.account === null || this.state === "signedOut") return;
			this.stepBack();
			this.restore();
		});
	}

	async signIn({ keepTrying = false, device = {}, ...options } = {}) {
		if (!(this.state in endedReasons)) this.signOut();
		const named = { ...device, id: device.id ?? this.#store.device() };
		const open = { audio: { delivery: "streams" }, client: { name: this.name }, ...options, device: named };
		const hasLock = await this.#acquireLock(options.account ?? null, open);
		if (hasLock === null) throw new HubError(superseded);
		if (!hasLock) throw new HubError(usedByAnotherTab);
		return this.#signIn(keepTrying);
	}

	async restore() {
		const account = this.#store.account();
		const stored = account && this.#store.session(account);
		if (!stored) return false;
		// Another tab may have stored a newer record.
		if (await this.#acquireLock(account, stored.record.open)) this.#resume(this.#store.session(account) ?? stored);
		return true;
	}

	/** Resolves to null if a later sign-in has replaced this one. */
	async #acquireLock(account, parameters) {
		this.account = account;
		this.#parameters = parameters;
		if (account === null) this.#lock.release();
		const hasLock = account === null || await this.#lock.acquire(account);
		if (parameters !== this.#parameters) return null;
		if (!hasLock) this.stepBack();
		return hasLock;
	}

	async takeOver() {
		const parameters = this.#parameters;
		if (this.state !== "steppedBack") return;
		this.#update({ state: "reconnecting" });
		const stored = await this.#lock.takeOver(this.account) ?? this.#store.session(this.account);
		if (parameters !== this.#parameters) return;
		return stored ? this.#resume(stored) : this.#parameters ? this.#signIn(true) : this.signOut();
	}

	stepBack() {
		if (this.account === null) return;
		this.#worker.postNewGeneration("stepBack");
		this.#lock.release();
		this.#update({ state: "steppedBack" });
	}

	signOut() {
		this.#store.remove(this.account);
		if (this.account !== null) this.#lock.signOut(this.account);
		this.#endSession();
	}

	erase() {
		this.signOut();
		this.#store.erase();
	}

	refresh = (token) => this.request("session.refresh", { token });
	emit = (name, detail = {}) => this.dispatchEvent(new CustomEvent(name, { detail }));

	#signIn(keepTrying) {
		this.#rejectSignIn(superseded);
		this.#worker.postNewGeneration("open", { url: this.url, open: this.#parameters, keepTrying });
		this.#update({ state: "connecting" });
		this.#signInPromise = Promise.withResolvers();
		return this.#signInPromise.promise;
	}

	#resume({ record, seq }) {
		this.#parameters = record.open;
		this.#worker.postNewGeneration("open", { url: this.url, seq, ...record });
		this.#handlers.notification({ method: "audio.sources", params: record.sound });
		this.#update({ state: "reconnecting" });
	}

	#endSession() {
		this.#rejectSignIn(libraryError("signedOut", "the user has signed out"));
		this.#worker.postNewGeneration("signOut");
		this.#lock.release();
		this.account = this.handles = this.device = this.hubInformation = this.limits = this.expiresAt = null;
		this.#parameters = null;
		this.#update({ state: "signedOut" });
	}

	#rejectSignIn(error) {
		this.#signInPromise?.reject(new HubError(error));
	}

	#update({ state, retryAt = null, closing = null }) {
		if (closing?.error) {
			closing.error = new HubError(closing.error);
			this.#rejectSignIn(closing.error);
		}
		if (state in endedReasons && state !== this.state) this.#handlers.callsEnded(endedReasons[state]);
		if (state !== this.state || retryAt !== this.retryAt || closing !== this.closing) {
			Object.assign(this, { state, retryAt, closing });
			this.emit("state");
		}
		if (state === "online") this.#signInPromise?.resolve();
	}

	#reports = {
		state: (report) => this.#update(report),
		opened: ({ result }) => this.#handleOpened(result),
		save: ({ expiresAt }) => Object.assign(this, { expiresAt }),
		rejected: ({ error }) => {
			this.#rejectSignIn(error);
			this.#lock.release();
		},
		remove: () => this.#store.remove(this.account),
		expiring: ({ expiresAt }) => this.emit("expiring", { expiresAt }),
		problem: ({ component: kind = "connection", message }) => this.emit("problem", { kind, message }),
	};

	#handleReport(report) {
		this.#reports[report.kind]?.(report);
		this.#handlers[report.kind]?.(report);
		this.#store.save(this.account, report);
	}

	#handleOpened({ account, handles, device, hub, limits, permissions, confirmedUntil = null }) {
		Object.assign(this, { permissions, confirmedUntil });
		if (typeof account === "string") this.account = account;
		this.handles = objectsOf(handles);
		Object.assign(this, { device: objectOf(device), hubInformation: objectOf(hub), limits: objectOf(limits) });
		// The account name may come from the token.
		if (this.#lock.account !== this.account) this.#lock.takeOver(this.account);
	}
}
