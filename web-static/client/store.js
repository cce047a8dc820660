import { newSecret } from "./identifier.js";
import { isObject } from "./read.js";

/** What is this tab's alone. */
const own = /^tab$|^\w+ guest-/;

export class Store {
	kept = null;
	#prefix;
	#shared;
	#own;
	#device;

	constructor(url, storage = attempt(() => localStorage)) {
		this.#prefix = `callhub ${url} `;
		this.#shared = storage;
		this.#own = storage && attempt(() => sessionStorage);
	}

	device() {
		const kept = this.#get("device", "callhub ");
		this.#device ??= /^[\w-]{43}$/.test(kept) ? kept : newSecret();
		this.#set("device", this.#device, "callhub ");
		return this.#device;
	}

	account = () => this.#get("tab") ?? this.#get("last");

	session(account) {
		const record = attempt(() => JSON.parse(this.#get(`session ${account}`)));
		const seq = Number(this.#get(`seq ${account}`));
		const { open, held, sound } = record ?? {};
		const isWhole = [open, held, sound].every(isObject) && Number.isSafeInteger(seq);
		const isHeld = typeof held?.session === "string" && typeof held.resumeToken === "string";
		return isWhole && isHeld ? { record, seq } : null;
	}

	keep(account, { record, seq, sound }) {
		const next = sound ? { ...this.kept?.record, sound } : record;
		if (next?.held) {
			this.kept = { record: next };
			this.#set("tab", account);
			if (!own.test(`last ${account}`)) this.#set("last", account);
			this.#set(`session ${account}`, JSON.stringify(next));
		}
		if (!this.kept || seq === undefined) return;
		this.kept.seq = seq;
		this.#set(`seq ${account}`, seq);
	}

	forget(account) {
		this.kept = null;
		["tab", `session ${account}`, `seq ${account}`].forEach((name) => this.#set(name, null));
		if (this.#get("last") === account) this.#set("last", null);
	}

	erase() {
		this.#device = null;
		for (const storage of [this.#shared, this.#own]) {
			const keys = attempt(() => Object.keys(storage)) ?? [];
			keys.filter((key) => key.startsWith("callhub ")).forEach((key) => attempt(() => storage.removeItem(key)));
		}
	}

	#storage = (name) => (own.test(name) ? this.#own : this.#shared);
	#get = (name, prefix = this.#prefix) => attempt(() => this.#storage(name).getItem(prefix + name));

	#set(name, value, prefix = this.#prefix) {
		const storage = this.#storage(name);
		attempt(() => (value === null ? storage.removeItem(prefix + name) : storage.setItem(prefix + name, value)));
	}
}

function attempt(work) {
	try {
		return work() ?? null;
	} catch {
		return null;
	}
}
