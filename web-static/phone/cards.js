import { callerName } from "./hub.js";
import { t } from "./text.js";

/** Returns a card for each call or group: the active one first, held ones last. */
export function cardsOf(all) {
	const shown = all.filter(({ state }) => !["ringing", "ended"].includes(state));
	const cards = [...Map.groupBy(shown, ({ group, uuid }) => group ?? uuid)].map(([id, calls]) => ({
		id, calls, isGroup: calls.length > 1,
		isActive: calls.some(({ state }) => state === "connected"),
		isHeld: calls.every(({ state }) => state === "held"),
	}));
	const rank = ({ isActive, isHeld }) => isHeld - isActive;
	return cards.sort((one, other) => rank(one) - rank(other));
}

/** Returns the names of up to two other parties, or their number. */
export const namesOf = (calls) => (
	calls.length > 2 ? t("group", { count: calls.length }) : calls.map(callerName).join(" & "));

export const nameOfCard = ({ calls }) => namesOf(calls);

/** Returns the ms since the first call was connected, or null. */
export function elapsed({ calls }, now) {
	const since = Math.min(...calls.map(({ connectedAt }) => Date.parse(connectedAt) || Infinity));
	return since < Infinity ? Math.max(0, now - since) : null;
}
