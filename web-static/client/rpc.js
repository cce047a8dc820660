import { newUUID } from "./identifier.js";
import { objectOf, ownError } from "./read.js";

/** Ms, a lost connection included. */
const patience = 30_000;
const mostAttempts = 3;

export class Requests {
	/** Bytes of a message. */
	limit = Infinity;
	#open = new Map();

	constructor(send, done) {
		Object.assign(this, { send, done });
	}

	ask({ id, method, params }) {
		const isTransaction = method === "transaction.request" && Array.isArray(params?.actions);
		const actions = isTransaction ? params.actions.map((action) => ({ uuid: newUUID(), ...action })) : [];
		const request = { id, method, params: isTransaction ? { ...params, actions } : params, actions, attempts: 0 };
		this.#open.set(id, request);
		const fail = (name, message) => this.#finish(request, ownError(name, message));
		const { limit } = this;
		const { length } = new TextEncoder().encode(JSON.stringify(request.params));
		if (length + 256 > limit) return fail("tooLarge", `the hub takes no more than ${limit} bytes at a time`);
		request.timer = setTimeout(fail, patience, "timedOut", `the hub has not answered ${method} in time`);
		this.#write(request);
	}

	answered({ id, result, error }) {
		const request = this.#open.get(id);
		if (request) this.#finish(request, objectOf(error), result);
	}

	/** It was accepted, be it answered or not. */
	performed(action) {
		for (const request of this.#open.values()) {
			const actions = request.actions.map(({ uuid }) => uuid);
			if (actions.includes(action)) request.performed = { transaction: null, actions };
		}
	}

	/** Of a new connection: texts on the former may be lost. */
	resume(isNew) {
		const lost = ownError("connectionLost", "the connection was lost before the hub answered");
		for (const request of this.#open.values()) {
			const { attempts, performed } = request;
			if (isNew && performed) this.#finish(request, null, performed);
			else if (isNew && attempts === mostAttempts) this.#finish(request, lost);
			else if (isNew || attempts === 0) this.#write(request);
		}
	}

	fail(error, attempts = 0) {
		for (const request of this.#open.values()) if (request.attempts >= attempts) this.#finish(request, error);
	}

	#write(request) {
		if (this.send(request.id, request.method, request.params)) request.attempts += 1;
	}

	#finish(request, error, result) {
		clearTimeout(request.timer);
		this.#open.delete(request.id);
		this.done(request, error, error ? null : result ?? {});
	}
}
