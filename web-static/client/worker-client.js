import { HubError, libraryError } from "./validation.js";

export class WorkerClient {
	#worker;
	#pending = new Map();
	#lastID = 0;
	#generation = 0;

	constructor(receive, worker) {
		this.#worker = worker ?? new Worker(new URL("./worker.js", import.meta.url), { type: "module", name: "callhub" });
		this.#worker.onmessage = ({ data }) => {
			if (data.kind === "answer") this.#handleAnswer(data);
			else if (data.from === "sound" || data.generation === this.#generation) receive(data);
		};
		this.#worker.onerror = ({ message }) => receive({ kind: "problem", component: "worker", message });
		addEventListener("online", () => this.post("checkConnection"));
		document.addEventListener("visibilitychange", () => document.hidden || this.post("checkConnection"));
	}

	postNewGeneration(command, values) {
		this.#generation += 1;
		this.post(command, { ...values, generation: this.#generation });
	}

	post(command, values) {
		this.#worker.postMessage({ ...values, to: "session", command });
	}

	postToSound = (message, transfer) => this.#worker.postMessage({ ...message, to: "sound" }, transfer);

	request = (method, params = {}) => {
		const answer = Promise.withResolvers();
		this.#lastID += 1;
		this.#pending.set(this.#lastID, answer);
		const request = { id: this.#lastID, method };
		try {
			this.post("request", { ...request, params: JSON.parse(JSON.stringify(params)) });
		} catch ({ message }) {
			this.#handleAnswer({ ...request, error: libraryError("invalidArgument", message) });
		}
		return answer.promise;
	};

	#handleAnswer({ id, error, result }) {
		const { resolve, reject } = this.#pending.get(id);
		this.#pending.delete(id);
		error ? reject(new HubError(error)) : resolve(result);
	}
}
