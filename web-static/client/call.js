import { HubError, isObject, libraryError, objectsOf } from "./validation.js";

const text = (value) => (typeof value === "string" ? value.slice(0, 512) : null);
const flag = (value) => value === true;
const flagOrTrue = (value) => value !== false;
const handle = (value) => {
	const read = { type: text(value?.type), value: text(value?.value) };
	return Object.values(read).includes(null) ? null : read;
};
const isChoice = ({ name, actions }) => typeof name === "string" && Array.isArray(actions) && actions.every(isObject);
const choices = (value) => objectsOf(value, isChoice).slice(0, 16);
const isPerson = (value) => handle(value.handle) !== null && typeof value.name === "string";
const people = (value) => objectsOf(value, isPerson).slice(0, 1000).map((one) => (
	{ handle: handle(one.handle), name: text(one.name), nameSource: text(one.nameSource) }));
const person = (value) => people([value])[0] ?? null;
const returned = (value) => handle(value?.handle) && { handle: handle(value.handle), cause: text(value.cause) };

const members = [
	[flag, "isOutgoing isOnHold hasConnected hasEnded isMuted hasVideo remoteIsRinging remoteIsOnHold isTranslating"],
	[flag, "isExternal mustReport"],
	[flagOrTrue, "supportsHolding supportsGrouping supportsUngrouping supportsDTMF"],
	[text, "state localizedCallerName nameSource group startedAt startedConnectingAt connectedAt endedAt endedReason"],
	[text, "cause link linkName message directoryTitle translationEngine"],
	[handle, "remoteHandle"],
	[choices, "choices"],
	[people, "participants"],
	[person, "transferredBy"],
	[returned, "returnedTransfer"],
].flatMap(([read, names]) => names.split(" ").map((name) => [name, read]));
const dtmfTypes = { "": "singleTone", ",": "softPause", ";": "hardPause" };

/** In the text `,` and `;` are pauses. */
export const dtmfActions = (callUUID, text) => (
	Array.from(text.matchAll(/([,;]?)([^,;]+)/g), ([, pause, digits]) => (
		{ type: "playDTMF", callUUID, digits, dtmfType: dtmfTypes[pause] })));

/** In ms. */
const ACTION_TIMEOUT = 10_000;

export class Call extends EventTarget {
	isEnding = false;
	isHolding = false;
	isResuming = false;
	#request;
	#changed;
	/** The hub's last snapshot, and by its members what was requested, until a snapshot shows it. */
	#atHub = {};
	#expected = {};

	constructor(uuid, request, changed = () => {}) {
		super();
		this.uuid = uuid;
		this.#request = request;
		this.#changed = changed;
		this.update({});
	}

	update(snapshot) {
		const atHub = Object.fromEntries(members.map(([name, parse]) => [name, parse(snapshot[name])]));
		for (const [name, { value, isAccepted }] of Object.entries(this.#expected)) {
			if (isAccepted || value === atHub[name] || atHub.hasEnded) delete this.#expected[name];
		}
		this.#atHub = atHub;
		const read = Object.entries({ ...atHub, ...this.#shown() });
		const changes = read.filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(this[name]));
		Object.assign(this, Object.fromEntries(changes));
		return changes.length > 0;
	}

	choose(name, { message } = {}) {
		const choice = this.choices.find((one) => one.name === name);
		if (!choice) return rejectArgument(`the call has no choice ${name}`);
		if (message && name !== "decline") return rejectArgument("a message goes with the choice decline");
		const isOwnEnd = ({ type, callUUID }) => type === "end" && callUUID === this.uuid;
		return this.#request(!message ? choice.actions
			: choice.actions.map((one) => (isOwnEnd(one) ? { ...one, message } : one)));
	}

	get defaultChoice() {
		const answers = ({ actions }) => actions.some(({ type }) => type === "answer");
		return this.choices.find((choice) => answers(choice) && this.endedBy(choice).length === 0);
	}

	endedBy = ({ actions }) => actions.filter(({ type, callUUID }) => type === "end" && callUUID !== this.uuid)
		.map(({ callUUID }) => callUUID);

	accept = () => this.choose(this.defaultChoice?.name);
	answer = () => this.#requestAction("answer");
	async end({ onlyHere = false, message } = {}) {
		this.#show({ isEnding: true });
		try {
			return await this.#insist("end", { ...(onlyHere && { onlyHere }), ...(message && { message }) });
		} catch (error) {
			this.#show({ isEnding: false });
			throw error;
		}
	}

	hold = () => this.expectHeld(true, (isWanted) => this.#insist("setHeld", { isOnHold: true }, isWanted));
	resume = () => this.expectHeld(false, () => this.#requestAction("setHeld", { isOnHold: false }));
	expectHeld = (isOnHold, request) => this.#expect("isOnHold", isOnHold, request);
	mute = () => this.#setMuted(true);
	unmute = () => this.#setMuted(false);
	#setMuted = (isMuted) => (
		this.#expect("isMuted", isMuted, (isWanted) => this.#insist("setMuted", { isMuted }, isWanted)));
	mergeWith = (other) => this.#requestAction("setGroup", { callUUIDToGroupWith: other.uuid });
	split = () => this.#requestAction("setGroup", { callUUIDToGroupWith: null });
	transferTo = async (to) => this.#requestAction("transfer",
		to instanceof Call ? { toCallUUID: to.uuid } : { toHandle: parseHandle(to) });

	playDTMF = (text) => this.#request(dtmfActions(this.uuid, String(text)));

	async #expect(name, value, request) {
		const expected = this.#expected[name] = { value };
		const forget = () => {
			if (this.#expected[name] !== expected) return;
			delete this.#expected[name];
			this.#show(this.#shown());
		};
		this.#show(this.#shown());
		try {
			const result = await request(() => this.#expected[name] === expected);
			expected.isAccepted = true;
			// An accepted action that its provider fails changes nothing.
			if (this.#atHub[name] === value) forget();
			else setTimeout(forget, ACTION_TIMEOUT);
			return result;
		} catch (error) {
			forget();
			throw error;
		}
	}

	#shown() {
		const { isMuted = { value: this.#atHub.isMuted }, isOnHold } = this.#expected;
		return { isMuted: isMuted.value, isHolding: isOnHold?.value === true, isResuming: isOnHold?.value === false };
	}

	/** A lost connection may outlast a request. */
	async #insist(type, more, isWanted = () => true) {
		for (;;) {
			try {
				return await this.#requestAction(type, more);
			} catch (error) {
				if (this.hasEnded && type !== "setHeld") return;
				const isLost = ["timedOut", "connectionLost"].includes(error?.name) && !this.hasEnded;
				if (!isLost || !isWanted()) throw error;
			}
		}
	}

	#show(members) {
		Object.assign(this, members);
		this.dispatchEvent(new Event("change"));
		this.#changed();
	}

	#requestAction = (type, more) => this.#request([{ type, callUUID: this.uuid, ...more }]);
}

const invalidArgument = (message) => new HubError(libraryError("invalidArgument", message));
export const rejectArgument = (message) => Promise.reject(invalidArgument(message));

const handleTypes = new Set(["generic", "phoneNumber", "emailAddress"]);

export function parseHandle(text) {
	if (isObject(text)) return { type: text.type, value: text.value };
	if (typeof text !== "string") throw invalidArgument("a handle is text or {type, value}");
	const written = text.trim();
	const [, type, value] = /^(\w+):\s*(.*)$/s.exec(written) ?? [];
	return handleTypes.has(type) ? { type, value } : { type: "generic", value: written };
}

export function formatHandle(handle) {
	if (!handle) return "";
	const { type, value } = handle;
	return type === "generic" && !handleTypes.has(value.split(":", 1)[0]) ? value : `${type}:${value}`;
}
