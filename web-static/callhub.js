import { AudioEngine } from "./audio/engine.js";
import { AudioError } from "./audio/microphone.js";
import { Call, formatHandle, parseHandle, rejectArgument } from "./client/call.js";
import { CallList } from "./client/call-list.js";
import { newUUID } from "./client/identifier.js";
import { TabSession } from "./client/tab-session.js";
import { HubError, isCall, isObject, objectOf, objectsOf } from "./client/validation.js";

export { AudioEngine, AudioError, Call, HubError, formatHandle, newUUID, parseHandle };

const handledMethods = /^provider\.did|^session\.closing$/;

/** docs/browser-phone.md has the reference. */
export class CallHub extends TabSession {
	elsewhere = [];
	sources = [];
	quality = null;
	#list = new CallList((actions) => this.transaction(actions), (event, call) => this.#handleCallEvent(event, call));

	constructor({ url = new URL("v1", import.meta.url).href, storage, scope, name = "CallHub", worker } = {}) {
		super({ url, storage, scope, name, worker }, {
			notification: (report) => this.#handleNotification(report),
			calls: ({ calls }) => this.#list.replace(calls),
			reset: ({ cause }) => this.#reset(cause),
			opened: ({ result }) => this.#handleOpened(result),
			callsEnded: (endedReason) => this.#endCalls({ endedReason, cause: null }),
			levels: (report) => {
				const { sources, input, output } = report;
				this.audio.report(report);
				for (const source of this.sources) source.level = sources?.[source.ssrc] ?? 0;
				this.emit("levels", { input, output });
			},
			quality: (report) => {
				this.audio.report(report);
				this.quality = report.quality;
				this.emit("quality");
			},
		});
		this.audio = new AudioEngine(this.postToSound);
	}

	get calls() {
		return this.#list.calls;
	}

	async transaction(actions) {
		const isValid = Array.isArray(actions) && actions.every(isObject);
		if (!isValid) return rejectArgument("a transaction is an array of actions");
		const needsMicrophone = actions.find(({ type, isExternal }) => /^(start|answer|pull)$/.test(type) && !isExternal);
		if (needsMicrophone) this.audio.needs(needsMicrophone);
		try {
			return await this.request("transaction.request", { actions });
		} finally {
			this.audio.release(needsMicrophone);
		}
	}

	async call(to, { video: isVideo = false, uuid: callUUID = newUUID() } = {}) {
		const handle = parseHandle(to);
		await this.transaction([{ type: "start", callUUID, handle, isVideo }]);
		const known = { remoteHandle: handle, localizedCallerName: handle.value };
		return this.#list.started({ uuid: callUUID, state: "starting", isOutgoing: true, ...known });
	}

	swap(next = this.#held) {
		if (!(next instanceof Call)) return rejectArgument("there is no held call to swap to");
		const active = this.#active;
		const hold = (call) => ({ type: "setHeld", callUUID: call.uuid, isOnHold: call !== next });
		const resume = () => next.expectHeld(false, () => this.transaction([active, next].filter(Boolean).map(hold)));
		return active ? active.expectHeld(true, resume) : resume();
	}

	merge(call = this.#held, other = this.#active) {
		if (!(call instanceof Call && other instanceof Call)) return rejectArgument("it takes two calls to merge");
		return call.mergeWith(other);
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

	#handleCallEvent(event, call) {
		if (event === "calls") {
			const connected = this.calls.filter(({ state }) => state === "connected");
			const isHolding = (one) => (
				connected.some((other) => other.isHolding && (other === one || (one.group && other.group === one.group))));
			const areAll = (test) => connected.length > 0 && connected.every(test);
			this.audio.setCalls(areAll(isHolding), areAll((call) => call.isMuted || call.isEnding || isHolding(call)));
			const usesMicrophone = ({ isEnding, isExternal, isOutgoing, state }) => (
				!isEnding && !isExternal && (isOutgoing || state !== "ringing"));
			this.audio[this.calls.some(usesMicrophone) ? "needs" : "release"]("call");
		}
		this.emit(event, { call });
	}

	#notifications = {
		"call.changed": ({ call }) => this.#list.changed(call),
		"observer.callChanged": ({ call, device }) => {
			if (!isCall(call)) return;
			const others = this.elsewhere.filter((one) => one.call.uuid !== call.uuid);
			if (call.hasEnded !== true) others.push({ call, device: objectOf(device) });
			this.#setElsewhere(others);
		},
		"audio.sources": ({ sources }) => this.#setSources(sources),
		"call.dtmf": ({ callUUID, digits }) => typeof digits === "string"
			&& this.emit("dtmf", { call: this.#list.get(callUUID) ?? null, digits: digits.slice(0, 64) }),
		"provider.perform": (params) => params.fulfilled === false && this.emit("perform", params),
		"provider.didReset": () => this.#reset("connectionLost"),
	};

	#handleNotification({ method, params }) {
		if (Object.hasOwn(this.#notifications, method)) this.#notifications[method](params);
		else if (!handledMethods.test(method)) this.emit("notification", { method, params });
	}

	#handleOpened({ resumed, calls }) {
		// An operated device has calls already.
		if (resumed !== true) this.#list.replace(objectsOf(calls, isCall));
		const isActive = ({ call }) => isCall(call) && call.hasEnded !== true;
		const update = ({ elsewhere }) => this.#setElsewhere(objectsOf(elsewhere, isActive));
		this.request("observer.calls").then(update).catch(() => {});
	}

	#setElsewhere(calls) {
		this.elsewhere = calls;
		this.emit("elsewhere");
	}

	#reset(cause) {
		const calls = this.calls.length;
		this.#endCalls({ endedReason: "failed", cause });
		this.emit("reset", { cause, calls });
	}

	#endCalls(end) {
		this.#list.replace([], end);
		this.elsewhere = [];
		this.#setSources([]);
	}

	#setSources(sources) {
		this.sources = objectsOf(sources).map((source) => ({ ...source, level: 0 }));
		this.emit("sources");
	}
}
