import { newUUID } from "./identifier.js";
import { libraryError, objectOf } from "./validation.js";

/** In ms, including the time without a connection. */
const timeout = 30_000;
const maximumAttempts = 3;

export class PendingRequests {
	limit = Infinity;
	#pending = new Map();

	constructor(send, completed) {
		Object.assign(this, { send, completed });
	}

	start({ id, method, params }) {
		const isTransaction = method === "transaction.request" && Array.isArray(params?.actions);
		const actions = isTransaction ? params.actions.map((action) => ({ uuid: newUUID(), ...action })) : [];
		const request = { id, method, params: isTransaction ? { ...params, actions } : params, actions, attempts: 0 };
		this.#pending.set(id, request);
		const fail = (name, message) => this.#finish(request, libraryError(name, message));
		const { limit } = this;
		const { length } = new TextEncoder().encode(JSON.stringify(request.params));
		if (length + 256 > limit) return fail("tooLarge", `the hub takes no more than ${limit} bytes at a time`);
		request.timer = setTimeout(fail, timeout, "timedOut", `the hub has not answered ${method} in time`);
		this.#transmit(request);
	}

	receiveResponse({ id, result, error }) {
		const request = this.#pending.get(id);
		if (request) this.#finish(request, objectOf(error), result);
	}

	/** Its transaction was accepted, even if the response is lost. */
	actionPerformed(action) {
		for (const request of this.#pending.values()) {
			const actions = request.actions.map(({ uuid }) => uuid);
			if (actions.includes(action)) request.performed = { transaction: null, actions };
		}
	}

	resend(isNewConnection) {
		const lost = libraryError("connectionLost", "the connection was lost before the hub answered");
		for (const request of this.#pending.values()) {
			const { attempts, performed } = request;
			if (isNewConnection && performed) this.#finish(request, null, performed);
			else if (isNewConnection && attempts === maximumAttempts) this.#finish(request, lost);
			else if (isNewConnection || attempts === 0) this.#transmit(request);
		}
	}

	failAll(error, attempts = 0) {
		for (const request of this.#pending.values()) if (request.attempts >= attempts) this.#finish(request, error);
	}

	#transmit(request) {
		if (this.send(request.id, request.method, request.params)) request.attempts += 1;
	}

	#finish(request, error, result) {
		clearTimeout(request.timer);
		this.#pending.delete(request.id);
		this.completed(request, error, error ? null : result ?? {});
	}
}
