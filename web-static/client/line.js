import { HubError, ownError } from "./read.js";

/** To the worker. */
export class Line {
	#worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module", name: "callhub" });
	#waiting = new Map();
	#last = 0;
	#era = 0;

	constructor(hear) {
		this.#worker.onmessage = ({ data }) => {
			if (data.kind === "answer") this.#answered(data);
			else if (data.from === "sound" || data.era === this.#era) hear(data);
		};
		this.#worker.onerror = ({ message }) => hear({ kind: "problem", what: "worker", message });
		addEventListener("online", () => this.tell("wake"));
		document.addEventListener("visibilitychange", () => document.hidden || this.tell("wake"));
	}

	/** Reports of an earlier era are dropped. */
	begin(order, values) {
		this.#era += 1;
		this.tell(order, { ...values, era: this.#era });
	}

	tell(order, values) {
		this.#worker.postMessage({ ...values, to: "session", do: order });
	}

	sound = (message, transfer) => this.#worker.postMessage({ ...message, to: "sound" }, transfer);

	request = (method, params = {}) => {
		const answer = Promise.withResolvers();
		this.#last += 1;
		this.#waiting.set(this.#last, answer);
		const request = { id: this.#last, method };
		try {
			this.tell("request", { ...request, params: JSON.parse(JSON.stringify(params)) });
		} catch ({ message }) {
			this.#answered({ ...request, error: ownError("invalidArgument", message) });
		}
		return answer.promise;
	};

	#answered({ id, error, result }) {
		const { resolve, reject } = this.#waiting.get(id);
		this.#waiting.delete(id);
		error ? reject(new HubError(error)) : resolve(result);
	}
}
