// Times are ms since 1970.

export const NO_CREDENTIALS = { password: "", token: "", asksPassword: false, asksToken: false, error: null };

const HANDLE = { type: "generic", value: "" };
/** By their types: what the hub keeps. */
const KEPT = {
	contacts: [{ name: "", handles: [HANDLE] }], recents: [{ handle: HANDLE, name: "", startedAt: "" }],
	settings: { device: {}, displayName: "", timeZone: "", quietHours: [{ days: [""] }] },
	blocked: { handles: [HANDLE], prefixes: [""], links: [""] }, sessions: [{ device: { name: "" }, since: "" }],
};

/** What is of a wrong type is empty or left out. */
export const read = (name, value) => like(KEPT[name], value);

function like(model, value) {
	if (Array.isArray(model)) return Array.isArray(value) ? value.map((one) => like(model[0], one)) : [];
	if (typeof model !== "object") return typeof value === typeof model ? value : model;
	const plain = Object.entries(value ?? {}).filter(([, one]) => Object(one) !== one);
	const known = Object.keys(model).map((name) => [name, like(model[name], value?.[name])]);
	return Object.fromEntries([...plain, ...known]);
}

const nobody = () => ({
	...like(KEPT), account: null, handles: [], findings: [], isGuest: false, keypad: null, keyed: "",
	/** `{handle, token}` */
	link: null,
	tab: "dial", showsCalls: false, contactSearch: "", showsMissedOnly: false,
	dial: { text: "", isOpen: false, highlighted: -1 },
	/** A sheet's name (views/app.js). */
	overlay: null,
	/** `{uuid, call, at}` */
	ended: [],
	draft: null, person: null, confirming: null, imported: null,
	/** `{key, isOn}`, where the hub wakes closed phones. */
	push: null,
});

export const state = {
	...nobody(),
	isStarting: true, connection: "signedOut", retryAt: null, closing: null,
	signIn: { ...NO_CREDENTIALS, account: "", isBusy: false },
	calls: [], elsewhere: [], sound: "off", quality: null, showsFigures: false,
	devices: { microphones: [], speakers: [] },
	/** An AudioError's kind, "microphoneLost", or "silent". */
	soundProblem: null,
	toasts: [], now: Date.now(), importing: null, hasUpdate: false,
};

const listeners = [];
let isScheduled = false;

/** A hidden page has no animation frames. */
export function change(members) {
	Object.assign(state, members);
	if (isScheduled) return;
	isScheduled = true;
	queueMicrotask(() => {
		isScheduled = false;
		for (const listener of listeners) listener();
	});
}

export async function show(name, answer) {
	const value = await answer;
	change(value && { [name]: read(name, value) });
}

/** Null where `deed` throws. */
export function tried(deed) {
	try {
		return deed();
	} catch {
		return null;
	}
}

export const subscribe = (listener) => listeners.push(listener);
export const forgetUser = () => change({ ...nobody(), signIn: { ...state.signIn, ...NO_CREDENTIALS } });

export const isOnline = () => ["online", "reconnecting"].includes(state.connection);
export const isTalking = () => state.calls.some((call) => call.state === "connected");
export const unseenMissed = () => state.recents.filter(({ seen, outcome }) => !seen && outcome === "missed").length;
export const ringingCalls = () => (
	state.calls.filter((call) => call.state === "ringing" && !call.isOutgoing && call.choices.length > 0));
