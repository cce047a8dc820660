import { newSecret } from "./identifier.js";
import { isObject, valueOrNull } from "./validation.js";

/** Names in `sessionStorage`. */
const tabOnly = /^tab$|^\w+ guest-/;

export class Store {
	current = null;
	#prefix;
	#localStorage;
	#sessionStorage;
	#device;

	constructor(url, storage = valueOrNull(() => localStorage)) {
		this.#prefix = `callhub ${url} `;
		this.#localStorage = storage;
		this.#sessionStorage = storage && valueOrNull(() => sessionStorage);
	}

	device() {
		const stored = this.#get("device", "callhub ");
		this.#device ??= /^[\w-]{43}$/.test(stored) ? stored : newSecret();
		this.#set("device", this.#device, "callhub ");
		return this.#device;
	}

	account = () => this.#get("tab") ?? this.#get("last");

	session(account) {
		const record = valueOrNull(() => JSON.parse(this.#get(`session ${account}`)));
		const seq = Number(this.#get(`seq ${account}`));
		const { open, held, sound } = record ?? {};
		const isComplete = [open, held, sound].every(isObject) && Number.isSafeInteger(seq);
		const isResumable = typeof held?.session === "string" && typeof held.resumeToken === "string";
		return isComplete && isResumable ? { record, seq } : null;
	}

	save(account, { record, seq, sound }) {
		const next = sound ? { ...this.current?.record, sound } : record;
		if (next?.held) {
			this.current = { record: next };
			this.#set("tab", account);
			if (!tabOnly.test(`last ${account}`)) this.#set("last", account);
			this.#set(`session ${account}`, JSON.stringify(next));
		}
		if (!this.current || seq === undefined) return;
		this.current.seq = seq;
		this.#set(`seq ${account}`, seq);
	}

	remove(account) {
		this.current = null;
		["tab", `session ${account}`, `seq ${account}`].forEach((name) => this.#set(name, null));
		if (this.#get("last") === account) this.#set("last", null);
	}

	erase() {
		this.#device = null;
		for (const storage of [this.#localStorage, this.#sessionStorage]) {
			const remove = (key) => key.startsWith("callhub ") && storage.removeItem(key);
			valueOrNull(() => Object.keys(storage).forEach(remove));
		}
	}

	#storage = (name) => (tabOnly.test(name) ? this.#sessionStorage : this.#localStorage);
	#get = (name, prefix = this.#prefix) => valueOrNull(() => this.#storage(name).getItem(prefix + name));

	#set(name, value, prefix = this.#prefix) {
		const storage = this.#storage(name);
		valueOrNull(() => (value === null ? storage.removeItem(prefix + name) : storage.setItem(prefix + name, value)));
	}
}
