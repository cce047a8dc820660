import { callerName, partyOf } from "./hub.js";
import { handleKey, nameOf } from "./people.js";
import { t } from "./text.js";

export function cardsOf(all) {
	const shown = all.filter(({ state }) => !["ringing", "ended"].includes(state));
	const cards = [...Map.groupBy(shown, ({ group, uuid }) => group ?? uuid)].map(([id, calls]) => {
		const isHolding = calls.some((call) => call.isHolding);
		const isResuming = !isHolding && calls.some((call) => call.isResuming);
		return {
			id, calls, isGroup: calls.length > 1, isResuming,
			isActive: !isHolding && calls.some(({ state }) => state === "connected"),
			isHeld: isHolding || (!isResuming && calls.every(({ state }) => state === "held")),
		};
	});
	const rank = ({ isActive, isHeld }) => isHeld - isActive;
	return cards.sort((one, other) => rank(one) - rank(other));
}

/** `Bob`, `Bob & Carol`, `Bob, Carol & Dan`, `Bob, Carol & 2 others`, or `Bob & one more person`. */
function listed(names, hidden = 0) {
	const count = names.length + hidden - 2;
	if (names.length > 1 && count > 1) return t("names.more", { names: names.slice(0, 2).join(", "), count });
	const all = hidden > 0 ? [...names, t("names.hidden", { count: hidden })] : names;
	return [all.slice(0, -1).join(", "), ...all.slice(-1)].filter(Boolean).join(" & ");
}

export const namesOf = (calls) => listed(calls.map(callerName));

export function companions(calls) {
	const own = calls.map((call) => handleKey(partyOf(call)));
	const [all] = calls.map(({ participants }) => participants).sort((one, other) => other.length - one.length);
	const named = all.filter(({ handle, nameSource }) => nameSource !== "hidden" && !own.includes(handleKey(handle)));
	// The list of a call has everybody else but its own party.
	const hidden = Math.max(0, all.length + 1 - calls.length - named.length);
	const names = listed(named.map(({ handle, name }) => nameOf(handle, name)), hidden);
	return names && t("with", { names });
}

export const nameOfCard = ({ calls }) => namesOf(calls);

export function elapsed({ calls }, now) {
	const since = Math.min(...calls.map(({ connectedAt, remoteIsRinging }) => (
		(!remoteIsRinging && Date.parse(connectedAt)) || Infinity)));
	return since < Infinity ? Math.max(0, now - since) : null;
}

/** Set by `transfer/`, which is loaded with the first connection. */
export const transfers = { lineOf() {}, openerOf() {} };
