import { CallHub } from "../callhub.js";
import { change, forgetUser, state } from "./state.js";
import { loadContacts, loadRecents, loadSettings } from "./memory.js";
import { loadBlocked } from "./account.js";
import { loadPush } from "./shell.js";
import { attempt, say } from "./toasts.js";
import { t } from "./text.js";
import { nameOf } from "./people.js";

export const hub = new CallHub({ name: "CallHub phone" });
export const ask = (method, params) => attempt(hub.request(method, params));

export function listenToHub() {
	const loads = new Map([
		["contacts.changed", loadContacts], ["recents.changed", loadRecents],
		["settings.changed", loadSettings], ["block.changed", loadBlocked],
	]);
	listen(hub, {
		state() {
			const isNew = hub.state === "online" && state.connection !== "online";
			// The other tab has signed out.
			if (hub.state === "signedOut" && state.connection === "steppedBack") forgetUser();
			const { state: connection, retryAt, closing, account, handles } = hub;
			change({ connection, retryAt, closing, account: account ?? state.account, handles: handles ?? [] });
			takeCalls();
			if (isNew && !state.isGuest) for (const load of [...loads.values(), loadPush]) load();
		},
		calls: takeCalls,
		elsewhere: takeCalls,
		incoming: () => change({ keypad: null, overlay: null }),
		ended: ({ call }) => showEnded(call),
		quality: () => change({ quality: hub.quality }),
		dtmf: ({ call, digits }) => call && say(t("dtmfHeard", { name: callerName(call), digits })),
		reset: ({ calls }) => calls > 0 && say(t("resetCalls"), true),
		notification: ({ method }) => loads.get(method)?.(),
	});
	listen(hub.audio, {
		state() {
			const { state: sound, problem } = hub.audio;
			const soundProblem = sound === "noMicrophone" ? problem.kind : sound === "on" ? null : state.soundProblem;
			change({ sound, soundProblem });
		},
		devices: () => change({ devices: hub.audio.devices }),
		microphoneLost: () => change({ soundProblem: "microphoneLost" }),
		microphoneBack: () => change({ soundProblem: null }),
		silent: () => change({ soundProblem: "silent" }),
	});
}

function listen(target, listeners) {
	for (const name in listeners) target.addEventListener(name, ({ detail }) => listeners[name](detail));
}

function takeCalls() {
	const calls = [...hub.calls];
	const isThere = (uuid) => calls.some((call) => call.uuid === uuid);
	// A call taken over may come back.
	const ended = state.ended.filter(({ uuid }) => !isThere(uuid));
	const isFirst = state.calls.length === 0 && calls.some((call) => call.state !== "ringing");
	const showsCalls = isFirst || (state.showsCalls && calls.length + ended.length > 0);
	const keypad = isThere(state.keypad) ? state.keypad : null;
	change({ calls, ended, elsewhere: hub.elsewhere, showsCalls, keypad, now: Date.now() });
}

const endedBut = (uuid) => state.ended.filter((other) => other.uuid !== uuid);

function showEnded(call) {
	const { uuid, isOutgoing, hasConnected, endedReason, cause } = call;
	if (isOutgoing || hasConnected) {
		change({ ended: [...endedBut(uuid), { uuid, call, at: Date.now() }].slice(-4) });
		const hasWords = endedReason !== null && (endedReason !== "remoteEnded" || cause);
		setTimeout(dismissEnded, hasWords ? 30_000 : 4000, uuid);
	}
	takeCalls();
}

export function dismissEnded(uuid) {
	change({ ended: endedBut(uuid) });
	takeCalls();
}

export const partyOf = (call) => call.remoteHandle ?? { type: "generic", value: "" };
export const callerName = (call) => call.localizedCallerName || nameOf(partyOf(call));
