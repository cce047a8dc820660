// Times are in ms since 1970.

export { valueOrNull } from "../client/validation.js";

export const NO_CREDENTIALS = {
	password: "", token: "", guestName: "", asksPassword: false, asksToken: false, error: null,
};

const HANDLE = { type: "generic", value: "" };
const ACCOUNT_DATA = {
	contacts: [{ name: "", handles: [HANDLE] }], recents: [{ handle: HANDLE, name: "", startedAt: "" }],
	settings: { device: {}, displayName: "", timeZone: "", quietHours: [{ days: [""] }] },
	blocked: { handles: [HANDLE], prefixes: [""], links: [""] },
	sessions: [{ device: { name: "" }, since: "" }],
	people: [{ handle: HANDLE, name: "", department: "", presence: "" }],
};

/** Members of another type than the model's are empty or left out. */
export const read = (name, value) => conform(ACCOUNT_DATA[name], value);

export function conform(model, value) {
	if (Array.isArray(model)) return Array.isArray(value) ? value.map((one) => conform(model[0], one)) : [];
	if (typeof model !== "object") return typeof value === typeof model ? value : model;
	const scalars = Object.entries(value ?? {}).filter(([, one]) => Object(one) !== one);
	const members = Object.keys(model).map((name) => [name, conform(model[name], value?.[name])]);
	return Object.fromEntries([...scalars, ...members]);
}

const signedOutState = () => ({
	...conform(ACCOUNT_DATA), account: null, handles: [], findings: [], isGuest: false, keypad: null, keyed: "",
	/** `{handle, token, asksName}` */
	link: null,
	tab: "people", showsCalls: false, showsMissedOnly: false,
	dial: { text: "", highlighted: -1 }, showsKeypad: false,
	/** null until the hub has answered. */
	found: [], nextPeople: null, hasDirectory: null, shownPeople: 100,
	/** `{presence, until, photoHash}` by the key of a handle. */
	presences: {},
	photos: {},
	/** What `apps/apps.js` shows of the account's apps; null: they have no icon, name or ringtone. */
	apps: null,
	overlay: null,
	/** `{uuid, call, at}` */
	ended: [],
	draft: null, confirming: null, imported: null,
	/** `{handle, name, link}` */
	person: null,
	messageTo: null,
	/** `{key, isOn}` if the hub sends push messages; else null. */
	push: null,
});

export const state = {
	...signedOutState(),
	/** null: no answer of `/v1/info` yet, or an older server. */
	information: null,
	isStarting: true, connection: "signedOut", retryAt: null, closing: null,
	signIn: { ...NO_CREDENTIALS, account: "", isBusy: false },
	calls: [], elsewhere: [],
	/** The calls being answered or pulled, and the handles being called, until the hub has answered. */
	starting: [],
	sound: "off", quality: null, showsFigures: false,
	devices: { microphones: [], speakers: [] },
	/** `isMicrophoneAllowed`: the browser opens it without asking. */
	isMicrophoneAllowed: false, testsMicrophone: false, talksMuted: false, holdsToTalk: false,
	/** An AudioError's kind, "microphoneLost", "silent", or "noOutput". */
	soundProblem: null,
	toasts: [], now: Date.now(), importing: null, hasUpdate: false,
};

const listeners = [];
let isScheduled = false;

/** Renders in a microtask: hidden pages have no animation frames. */
export function change(members) {
	Object.assign(state, members);
	if (isScheduled) return;
	isScheduled = true;
	queueMicrotask(() => {
		isScheduled = false;
		for (const listener of listeners) listener();
	});
}

export async function loadState(name, answer) {
	const value = await answer;
	change(value && { [name]: read(name, value) });
}

export const subscribe = (listener) => listeners.push(listener);
export const clearUser = () => change({ ...signedOutState(), signIn: { ...state.signIn, ...NO_CREDENTIALS } });

export const isOnline = () => ["online", "reconnecting"].includes(state.connection);
export const isTalking = () => state.calls.some((call) => call.state === "connected" && !call.remoteIsRinging);
export const unseenMissed = () => state.recents.filter(({ seen, outcome }) => !seen && outcome === "missed").length;
export const ringingCalls = () => (
	state.calls.filter((call) => call.state === "ringing" && !call.isOutgoing && call.choices.length > 0));
