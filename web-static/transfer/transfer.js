import { note } from "../phone/acts.js";
import { cardsOf, transfers } from "../phone/cards.js";
import { home, personOf, search } from "../phone/directory.js";
import { focusInstead } from "../phone/guard.js";
import { callerName, partyOf } from "../phone/hub.js";
import { fold, handleKey, nameOf } from "../phone/people.js";
import { searchPeople } from "../phone/presence.js";
import { subscribe } from "../phone/state.js";
import { showToast, toastErrors } from "../phone/toasts.js";
import { SHEETS } from "../phone/views/app.js";
import { presenceDot, presenceText } from "../phone/views/banners.js";
import {
	button, change, h, hinted, icon, iconButton, input, isolate, person, sheet, state, t,
} from "../phone/views/parts.js";
import "./text.js";

const SHOWN = 50;
const BUILT_IN = /^generic:(echo|tone|music)$/;
const RETURNED = { declined: "declined", timeout: "timeout", busy: "busy" };
/** The call that the sheet is about, the text of its field, and who has been chosen. */
const draft = { call: null, text: "", chosen: null };
/** The names of those to whom this page has transferred calls. */
const targets = new WeakMap();
/** The calls that rang here when they had been transferred. */
const rung = new WeakSet();

Object.assign(transfers, { lineOf, openerOf });
SHEETS.transfer = transferSheet;
subscribe(() => {
	for (const call of state.calls) if (call.state === "ringing" && call.transferredBy) rung.add(call);
	if (state.overlay === "transfer" && !currentCard()) change({ overlay: null });
});
change();

function canTransfer({ calls: [call], isGroup, isActive, isHeld }) {
	const isOther = isGroup || state.isGuest || call.isExternal || call.remoteIsRinging;
	return (isActive || isHeld) && !isOther && !BUILT_IN.test(handleKey(partyOf(call)));
}

function openerOf(card) {
	const { calls: [call] } = card;
	return canTransfer(card) && (() => {
		Object.assign(draft, { call, text: "", chosen: null });
		change({ overlay: "transfer" });
	});
}

/** Returns what a transfer has to do with a call, in a sentence; null: nothing, or not any more. */
function lineOf(call) {
	const { hasEnded, isEnding, cause, transferredBy, returnedTransfer, remoteIsRinging } = call;
	const isRinging = call.state === "ringing" || remoteIsRinging;
	if (hasEnded || isEnding) {
		if (cause !== "transferred") return null;
		const name = targets.get(call);
		return name ? t("transfer.doneTo", { name }) : t("transfer.done");
	}
	if (returnedTransfer) {
		const { handle, cause: reason } = returnedTransfer;
		const { name } = personOf({ handle });
		return isRinging ? t(`transfer.back.${RETURNED[reason] ?? "unreachable"}`, { name }) : null;
	}
	if (!transferredBy) return null;
	const { handle, name, nameSource } = transferredBy;
	const by = nameSource === "hidden" ? t("unknown") : nameOf(handle, name);
	const isTarget = call.state === "ringing" || rung.has(call);
	return t(isTarget ? "transfer.from" : "transfer.you", { by, name: callerName(call) });
}

const currentCard = () => cardsOf(state.calls).find((card) => card.calls[0] === draft.call && canTransfer(card));

function set(members) {
	Object.assign(draft, members);
	change();
}

function transferSheet() {
	const card = currentCard();
	if (!card) return null;
	const { call } = draft;
	const [other] = cardsOf(state.calls).find((one) => one.id !== card.id && canTransfer(one))?.calls ?? [];
	// A guest's call goes to an account alone.
	const isAttended = other && !(call.link && other.link);
	return sheet("transfer", [
		isAttended && [
			connectButton(call, other), h("p.quiet", { key: "lead" }, t("transfer.connectLead")),
			h("h2.day", { key: "give" }, t("transfer.give")),
		],
		searchField(!isAttended),
		h("div.people-list", { key: "list" }, draft.chosen ? chosenPart(draft.chosen) : resultList()),
	], t("transfer.title", { name: callerName(call) }));
}

function connectButton(call, other) {
	const [first, second] = [call, other].map(callerName);
	return button("primary.wide", t("transfer.connect", { first, second }), () => {
		targets.set(call, second).set(other, first);
		transfer(other, [call, other]);
	}, { key: "connect" });
}

function transfer(to, calls) {
	note("transfer", calls);
	change({ overlay: null });
	toastErrors(draft.call.transferTo(to).catch((error) => {
		// The server does not say why: nobody is to learn of a block.
		if (error.name !== "invalidAction") throw error;
		showToast(t("transfer.refused"), true);
	}));
}

function searchField(takesFocus) {
	const { text } = draft;
	const type = (typed) => {
		set({ text: typed, chosen: null });
		searchPeople(typed, () => draft.text === typed);
	};
	return h("div.search", { key: "search" }, icon("search"), input(type, {
		...hinted("dial.field"), value: text, dir: "auto", spellcheck: "false", enterkeyhint: "search",
		// A keyboard on the screen would cover the list.
		created: (field) => takesFocus && !matchMedia("(pointer: coarse)").matches && queueMicrotask(() => field.focus()),
		onkeydown: chooseFirst,
	}), text && iconButton("close", t("dial.clear"), () => set({ text: "", chosen: null }), { key: "clear" }));
}

function chooseFirst(event) {
	if (event.key !== "Enter" || event.isComposing) return;
	event.preventDefault();
	const [first] = results();
	if (draft.text.trim() && first) set({ chosen: first });
}

/** Neither the call's own party nor the user. */
function results() {
	const { call, text } = draft;
	const all = text.trim() ? search(text) : home().flatMap(({ people }) => people);
	const own = [partyOf(call), ...state.handles].map(handleKey);
	const isOther = ({ keys }) => !keys.some((key) => own.includes(key));
	return [...new Map(all.filter(isOther).map((one) => [one.key, one])).values()].slice(0, SHOWN);
}

const resultList = () => h("ul.list", results().map((one) => h("li.row", { key: one.key },
	button("person.grow", shown(one), () => set({ chosen: one })))));

function shown(one) {
	const { name, handle, department, from } = one;
	const detail = from === "typed" ? t(`type.${handle.type}`)
		: department || (fold(handle.value) !== fold(name) && handle.value);
	const words = [presenceText(one), detail].filter(Boolean);
	return person(handle, name, h("small.clip", presenceText(one) && presenceDot(one),
		words.map((word, index) => [index > 0 && " · ", isolate(word)]), words.length === 0 && "\xa0"));
}

function chosenPart(one) {
	const { name, handle } = one;
	return h("div.form",
		h("div.row", h("div.person.grow", shown(one)),
			iconButton("close", t("transfer.another"), () => set({ chosen: null }))),
		h("button.primary.wide", {
			// The row that had the focus is gone.
			created: (element) => document.activeElement === document.body && focusInstead(element),
			// A key that is held down has chosen the row.
			onkeydown: (event) => event.repeat && event.preventDefault(),
			onclick() {
				targets.set(draft.call, name);
				transfer(handle, [draft.call]);
			},
		}, t("transfer.toName", { name })),
		h("p.quiet", t("transfer.lead", { name })));
}
