import { CallHub } from "../callhub.js";
import { operated } from "./address.js";
import { change, clearUser, state } from "./state.js";
import { loadBlocked, loadContacts, loadRecents, loadSettings } from "./account.js";
import { loadPeople, updatePresence } from "./presence.js";
import { removePhotos } from "./photos.js";
import { loadPush } from "./shell.js";
import { showToast, toastErrors } from "./toasts.js";
import { t } from "./text.js";
import { nameOf } from "./people.js";

export const hub = new CallHub({ name: "CallHub phone", scope: operated ? `operate ${operated} ` : "" });
export const request = (method, params) => toastErrors(hub.request(method, params));

export function listenToHub() {
	const loads = new Map([
		["contacts.changed", loadContacts], ["recents.changed", loadRecents],
		["settings.changed", loadSettings], ["block.changed", loadBlocked], ["providers.changed", loadApps],
	]);
	addListeners(hub, {
		state() {
			const isNewConnection = hub.state === "online" && state.connection !== "online";
			if (hub.state === "signedOut") removePhotos();
			// The tab with the session has signed out.
			if (hub.state === "signedOut" && state.connection === "steppedBack") clearUser();
			const { state: connection, retryAt, closing, account, handles } = hub;
			change({ connection, retryAt, closing, account: account ?? state.account, handles: handles ?? [] });
			updateCalls();
			if (isNewConnection) import("../transfer/transfer.js").catch(() => {});
			if (isNewConnection && !state.isGuest) for (const load of [...loads.values(), loadPush, loadPeople]) load();
			if (isNewConnection && operated) loadApps();
		},
		calls: updateCalls,
		incoming: loadApps,
		elsewhere: updateCalls,
		// What its user ends is shown as ended at once.
		ended: ({ call }) => (call.isEnding ? updateCalls() : showEnded(call)),
		// The next second's render shows it.
		quality: () => Object.assign(state, { quality: hub.quality }),
		dtmf: ({ call, digits }) => call && showToast(t("dtmfHeard", { name: callerName(call), digits })),
		reset: ({ calls }) => calls > 0 && showToast(t("callsReset"), true),
		notification: ({ method, params }) => (method === "people.changed" ? updatePresence(params) : loads.get(method)?.()),
	});
	addListeners(hub.audio, {
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

/** Their icons and ringtones are loaded only for an account that has any. */
async function loadApps() {
	const { providers } = await hub.request("provider.list").catch(() => ({}));
	if (providers?.length || state.apps) (await import("../apps/apps.js")).show(providers);
}

function addListeners(target, listeners) {
	for (const name in listeners) target.addEventListener(name, ({ detail }) => listeners[name](detail));
}

function updateCalls() {
	const calls = hub.calls.filter(({ isEnding }) => !isEnding);
	const isListed = (uuid) => calls.some((call) => call.uuid === uuid);
	const ended = state.ended.filter(({ uuid }) => !isListed(uuid));
	const isFirst = state.calls.length === 0 && calls.some((call) => call.state !== "ringing");
	const showsCalls = isFirst || (state.showsCalls && calls.length + ended.length > 0);
	const keypad = isListed(state.keypad) ? state.keypad : null;
	change({ calls, ended, elsewhere: hub.elsewhere, showsCalls, keypad, now: Date.now() });
}

const endedExcept = (uuid) => state.ended.filter((other) => other.uuid !== uuid);

export function showEnded(call) {
	const { uuid, isOutgoing, hasConnected, endedReason, cause } = call;
	if (isOutgoing || hasConnected) {
		change({ ended: [...endedExcept(uuid), { uuid, call, at: Date.now() }].slice(-4) });
		const hasReason = endedReason !== null && (endedReason !== "remoteEnded" || cause);
		if (!call.message) setTimeout(dismissEnded, hasReason ? 30_000 : 4000, uuid);
	}
	updateCalls();
}

export function dismissEnded(uuid) {
	change({ ended: endedExcept(uuid) });
	updateCalls();
}

export const partyOf = (call) => call.remoteHandle ?? { type: "generic", value: "" };
export function callerName(call) {
	// The handle of a guest means nothing to people.
	if (call.link && call.nameSource === "handle") return t("guest.name");
	if (call.nameSource === "hidden") return t("unknown");
	return call.localizedCallerName || nameOf(partyOf(call));
}
