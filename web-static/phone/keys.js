import { change, isOnline, ringingCalls, state, subscribe } from "./state.js";
import { cardsOf, transfers } from "./cards.js";
import { choose, dial, end, merge, openTab, pressKey, sendTone, swap, toggleHold, toggleMute } from "./actions.js";
import { talk } from "./audio.js";
import { preferences } from "./preferences.js";

export const SHORTCUTS = [
	["a", "accept"], ["d", "decline"], ["m", "mute"], ["h", "hold"], ["s", "swap"], ["g", "merge"], ["t", "transfer"],
	["k", "keypad"], ["e", "end"], ["/", "dial"], ["1", "tabs", "Alt 1–3"], ["Escape", "close", "Esc"], ["?", "help"],
];

/** The time in ms for which a new card of an incoming call takes no key: that was meant for what was there before. */
const CARD_DELAY = 1000;
/** The same where a letter would act on another call. */
const CALL_DELAY = 300;
let ringing = "";
let targets = [];
const since = {};

subscribe(() => {
	const listed = ringingCalls().map(({ uuid }) => uuid).join();
	if (listed && listed !== ringing) note("ringing");
	ringing = listed;
	const ids = letterCards().map((card, index) => card?.id ?? targets[index]);
	if (targets.some((id, index) => id && id !== ids[index])) note("targets");
	targets = ids;
});

/** It is shown after this render, which may take its time. */
function note(name) {
	since[name] = performance.now();
	queueMicrotask(() => (since[name] = performance.now()));
}

const isCardNew = ({ timeStamp }) => ringing && timeStamp - since.ringing < CARD_DELAY;
for (const type of ["keydown", "click"]) addEventListener(type, ignoreEarly, true);

/** Space presses a button when it is released. */
function ignoreEarly(event) {
	const { detail, isTrusted, key, target } = event;
	const isPress = key ? [" ", "Enter"].includes(key) : detail === 0;
	if (!isPress || !isTrusted || !isCardNew(event) || !target.closest?.("[role=alertdialog]")) return;
	event.preventDefault();
	event.stopImmediatePropagation();
}

function letterCards() {
	const cards = cardsOf(state.calls);
	const active = cards.find((card) => card.isActive);
	const held = cards.find((card) => card.isHeld);
	return [active ?? held, held, cards.find((card) => !card.isHeld || cards.length === 1), active];
}

function shortcutActions() {
	const [activeOrHeld, held, first, active] = letterCards();
	const [caller] = ringingCalls();
	const accept = caller?.defaultChoice;
	return {
		a: accept && (() => choose(caller, accept.name)),
		d: caller && (() => choose(caller, "decline")),
		m: active && (() => toggleMute(active.calls)),
		h: activeOrHeld && (() => toggleHold(activeOrHeld)),
		s: active && held && swap,
		g: active && held && (() => merge(active, held)),
		t: first && !state.overlay && transfers.openerOf(first),
		k: active && (() => change({ keypad: state.keypad ? null : active.calls[0].uuid, keyed: "", showsCalls: true })),
		e: first && (() => end(first.calls)),
		"/": !state.isGuest && focusDial,
		"?": () => change({ overlay: state.overlay ? null : "shortcuts" }),
	};
}

const isTyped = ({ target }) => target.closest?.("input, select, textarea, [contenteditable]");

document.addEventListener("keydown", (event) => {
	const isIgnored = event.defaultPrevented || event.ctrlKey || event.metaKey || event.isComposing;
	if (!isIgnored && isTalkKey(event)) {
		event.preventDefault();
		return talk(true);
	}
	const action = !isIgnored && actionFor(event);
	if (!action) return;
	event.preventDefault();
	action();
});

document.addEventListener("keyup", (event) => {
	if (event.key !== " " || !state.holdsToTalk) return;
	// Otherwise it presses the button that has the focus.
	event.preventDefault();
	talk(false);
});

const isTalkKey = (event) => (
	event.key === " " && preferences.pushToTalk && !state.overlay && state.calls.length > 0
	&& !isTyped(event) && !event.target.closest?.("[role=alertdialog]"));

function actionFor(event) {
	const { key, code, target, altKey, repeat } = event;
	if (key === "Escape" && !altKey) return (state.overlay || state.keypad) && close;
	if (!isOnline()) return null;
	if (altKey) {
		const tab = ["people", "recents", "settings"][code.replace("Digit", "") - 1];
		return tab && !state.isGuest && (() => openTab(tab));
	}
	if (key === "Enter" && target === document.body) return isDialShown() && state.dial.text && dial;
	if (isTyped(event)) return null;
	if (/^[\d*#+]$/.test(key) && !state.overlay) return digit(key);
	const letter = key.toLowerCase();
	if (isCardNew(event) || ("mhsget".includes(letter) && event.timeStamp - since.targets < CALL_DELAY)) return null;
	// There a name may be typed.
	if (repeat || state.overlay === "transfer" || (!preferences.shortcuts && key !== "?")) return null;
	return shortcutActions()[letter];
}

function digit(key) {
	const keyed = state.calls.find((call) => call.uuid === state.keypad);
	if (keyed) return key !== "+" && (() => sendTone(keyed, key));
	return isDialShown() && !state.isGuest && (() => pressKey(key));
}

/** Calls may cover it. */
const isDialShown = () => document.querySelector("#dial-field")?.checkVisibility({ visibilityProperty: true });

const close = () => change(state.overlay ? { overlay: null } : { keypad: null, keyed: "" });

export function focusDial() {
	change({ keypad: null, keyed: "" });
	openTab("people");
	queueMicrotask(() => document.querySelector("#dial-field")?.focus());
}
