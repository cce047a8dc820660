import { AudioEngine } from "./audio/engine.js";
import { AudioError } from "./audio/errors.js";
import { Call, formatHandle, parseHandle, refuse } from "./client/call.js";
import { CallList } from "./client/call-list.js";
import { newUUID } from "./client/identifier.js";
import { Presence } from "./client/presence.js";
import { HubError, isCall, isObject, objectOf, objectsOf } from "./client/read.js";

export { AudioEngine, AudioError, Call, HubError, formatHandle, newUUID, parseHandle };

const handled = /^provider\.did|^session\.closing$/;

/** See docs/browser-phone.md, "The library". */
export class CallHub extends Presence {
	elsewhere = [];
	sources = [];
	quality = null;
	#list = new CallList((actions) => this.transaction(actions), (event, call) => this.#called(event, call));

	/** @param {{url?: string, storage?: ?Storage, name?: string}} [options] */
	constructor({ url = new URL("v1", import.meta.url).href, storage, name = "CallHub" } = {}) {
		super({ url, storage, name }, {
			notification: (report) => this.#notified(report),
			calls: ({ calls }) => this.#list.replace(calls),
			reset: ({ cause }) => this.#reset(cause),
			opened: ({ result }) => this.#opened(result),
			left: (endedReason) => this.#leave({ endedReason, cause: null }),
			levels: (report) => {
				const { sources, input, output } = report;
				this.audio.report(report);
				for (const source of this.sources) source.level = sources?.[source.ssrc] ?? 0;
				this.tell("levels", { input, output });
			},
			quality: (report) => {
				this.audio.report(report);
				this.quality = report.quality;
				this.tell("quality");
			},
		});
		this.audio = new AudioEngine(this.toSound);
	}

	/** @type {Call[]} */
	get calls() {
		return this.#list.calls;
	}

	/** @param {object[]} actions @returns {Promise<{transaction: string, actions: string[]}>} */
	async transaction(actions) {
		if (!Array.isArray(actions) || !actions.every(isObject)) return refuse("a transaction is an array of actions");
		const speaking = actions.find(({ type, isExternal }) => /^(start|answer|pull)$/.test(type) && !isExternal);
		if (speaking) this.audio.needs(speaking);
		try {
			return await this.request("transaction.request", { actions });
		} finally {
			this.audio.release(speaking);
		}
	}

	/** @param {string | {type: string, value: string}} to @param {{video?: boolean}} [how] @returns {Promise<Call>} */
	async call(to, { video: isVideo = false } = {}) {
		const callUUID = newUUID();
		const handle = parseHandle(to);
		await this.transaction([{ type: "start", callUUID, handle, isVideo }]);
		const known = { remoteHandle: handle, localizedCallerName: handle.value };
		return this.#list.started({ uuid: callUUID, state: "starting", isOutgoing: true, ...known });
	}

	/** @param {Call} [next] */
	swap(next = this.#held) {
		if (!(next instanceof Call)) return refuse("there is no held call to swap to");
		const hold = (call) => ({ type: "setHeld", callUUID: call.uuid, isOnHold: call !== next });
		return this.transaction([this.#active, next].filter(Boolean).map(hold));
	}

	/** @param {Call} [call] @param {Call} [other] */
	merge(call = this.#held, other = this.#active) {
		return call instanceof Call && other instanceof Call ? call.mergeWith(other) : refuse("it takes two calls to merge");
	}

	pull(uuid) {
		return this.transaction([{ type: "pull", callUUID: uuid }]);
	}

	get #held() {
		return this.calls.findLast((call) => call.isOnHold);
	}

	get #active() {
		return this.calls.find((call) => call.state === "connected");
	}

	#called(event, call) {
		if (event === "calls") {
			const heard = this.calls.filter(({ state }) => state === "connected");
			this.audio.callsMuted = heard.length > 0 && heard.every((call) => call.isMuted);
			const speaks = ({ isExternal, isOutgoing, state }) => !isExternal && (isOutgoing || state !== "ringing");
			this.audio[this.calls.some(speaks) ? "needs" : "release"]("call");
		}
		this.tell(event, { call });
	}

	#notifications = {
		"call.changed": ({ call }) => this.#list.changed(call),
		"observer.callChanged": ({ call, device }) => {
			if (!isCall(call)) return;
			const others = this.elsewhere.filter((one) => one.call.uuid !== call.uuid);
			if (call.hasEnded !== true) others.push({ call, device: objectOf(device) });
			this.#seeElsewhere(others);
		},
		"audio.sources": ({ sources }) => this.#hear(sources),
		"call.dtmf": ({ callUUID, digits }) => typeof digits === "string"
			&& this.tell("dtmf", { call: this.#list.get(callUUID) ?? null, digits: digits.slice(0, 64) }),
		"provider.perform": (params) => params.fulfilled === false && this.tell("perform", params),
		"provider.didReset": () => this.#reset("connectionLost"),
	};

	#notified({ method, params }) {
		if (Object.hasOwn(this.#notifications, method)) this.#notifications[method](params);
		else if (!handled.test(method)) this.tell("notification", { method, params });
	}

	#opened({ resumed }) {
		if (resumed !== true) this.#list.replace([]);
		const isOn = ({ call }) => isCall(call) && call.hasEnded !== true;
		const see = ({ elsewhere }) => this.#seeElsewhere(objectsOf(elsewhere, isOn));
		this.request("observer.calls").then(see).catch(() => {});
	}

	#seeElsewhere(calls) {
		this.elsewhere = calls;
		this.tell("elsewhere");
	}

	#reset(cause) {
		const calls = this.calls.length;
		this.#leave({ endedReason: "failed", cause });
		this.tell("reset", { cause, calls });
	}

	#leave(end) {
		this.#list.replace([], end);
		this.elsewhere = [];
		this.#hear([]);
	}

	#hear(sources) {
		this.sources = objectsOf(sources).map((source) => ({ ...source, level: 0 }));
		this.tell("sources");
	}
}
