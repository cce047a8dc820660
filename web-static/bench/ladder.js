import { bench } from "./bench.js";
import { kindOf, stateOf } from "./lines.js";

const maximumRows = 200;

/** Steps, messages and what is heard, in the words of the ladders of `callhub scenario`. */
export class Ladder {
	/** @type {{key: number, seconds: string, kind: string, label: string, name?: string, voices: object[]}[]} */
	rows = [];
	#begin = performance.now();
	#count = 0;
	#actions = new Map();

	add(kind, label, phone) {
		const seconds = ((performance.now() - this.#begin) / 1000).toFixed(3);
		const voices = bench.phones.map(({ name, heard }) => ({ name, heard }));
		this.#count += 1;
		this.rows = [...this.rows, { key: this.#count, seconds, kind, label, name: phone?.name, voices }].slice(-maximumRows);
	}

	message(phone, { id, method, params = {}, result, error }, isRequest) {
		if (["ping", "fence"].includes(id)) return;
		if (isRequest) this.add("request", this.#request(method, params), phone);
		else if (method) this.add("notification", this.#notification(phone, method, params), phone);
		else if (error) this.add("refusal", `${error.data?.name ?? error.code}: ${error.message}`, phone);
		else this.add("reply", replyOf(result), phone);
	}

	#action(action) {
		const { type, callUUID, callUUIDToGroupWith, handle, digits, uuid } = action;
		const name = bench.nameOf(callUUID);
		const text = {
			start: `call ${handle?.value} as ${name}`,
			endHere: `end ${name} here`,
			setGroup: callUUIDToGroupWith ? `merge ${name} with ${bench.nameOf(callUUIDToGroupWith)}` : `split ${name}`,
			playDTMF: `key ${digits} on ${name}`,
		}[type] ?? `${kindOf(action)} ${name}`;
		this.#actions.set(uuid, text);
		return text;
	}

	#request(method, { resume, actions, action }) {
		if (method === "transaction.request") return actions.map((one) => this.#action(one)).join(", ");
		const answered = this.#actions.get(action);
		return {
			"session.open": resume ? "resume" : "sign in", "session.close": "leave",
			"action.fulfill": `fulfill ${answered}`, "action.fail": `fail ${answered}`,
		}[method] ?? method;
	}

	#notification(phone, method, params) {
		const { action, origin, fulfilled, audioSession, call, callUUID, digits, sources, reason } = params;
		const namesOf = (uuids) => uuids.map(bench.nameOf).join(", ");
		return {
			"provider.perform": () => this.#action(action) + (origin === "system" ? ", by the hub" : "")
				+ (fulfilled ? "" : ", to be fulfilled"),
			"provider.timedOutPerforming": () => `${this.#action(action)}, too late`,
			"provider.didActivateAudioSession": () => `audio on: ${namesOf(audioSession.calls)}`,
			"provider.didDeactivateAudioSession": () => `audio off: ${namesOf(audioSession.calls)}`,
			"call.changed": () => `${bench.nameOf(call.uuid)} ${stateOf(phone, call)}`,
			"call.dtmf": () => `${digits} on ${bench.nameOf(callUUID)}`,
			"audio.sources": () => `sources: ${sources.map(({ name }) => name).join(", ") || "nobody"}`,
			"session.closing": () => reason,
		}[method]?.() ?? method;
	}
}

function replyOf({ resumed, resumeToken, ignored, actions }) {
	if (resumeToken) return resumed ? "resumed" : "signed in";
	return ignored ? "ignored" : actions ? "accepted" : "done";
}
