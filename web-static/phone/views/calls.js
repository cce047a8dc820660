import { call as callAgain, end, merge, sendTone, split, swap, toggleHold, toggleMute } from "../actions.js";
import { operated } from "../address.js";
import { talk } from "../audio.js";
import { cardsOf, companions, elapsed, nameOfCard, transfers } from "../cards.js";
import { clock } from "../format.js";
import { callerName, dismissEnded, partyOf } from "../hub.js";
import { focusDial } from "../keys.js";
import { preferences } from "../preferences.js";
import { banners, readiness } from "./banners.js";
import {
	ariaHidden, avatar, brandMark, button, change, definitions, h, hasText, icon, iconButton, isolate, language, person,
	state, t,
} from "./parts.js";
import { besidePeople, keypad, testCallButton } from "./people.js";

const FIGURES = {
	roundTrip: "ms", delay: "ms", jitter: "ms", target: "ms", concealed: "ms", dropped: "", unacknowledged: "",
	bitrate: "kb/s",
};

export function callsPane() {
	const { calls, ended, isGuest } = state;
	const cards = cardsOf(calls);
	const main = !cards[0]?.isHeld || cards.length === 1 ? cards[0] : null;
	return h("section.stage", { "aria-label": t("calls") },
		!isGuest && h("div.stage-top",
			iconButton("chevron.leave", t("backToPhone"), () => change({ showsCalls: false })),
			h("div.grow", banners())),
		// Screen readers announce each change, so there is no clock here.
		h("div.visually-hidden", { role: "status" }, cards.map((card) => [
			`${t([`announce.${stateOf(card)}`, "announce.connecting"].find(hasText), { name: nameOfCard(card) })}. `,
			lineOf(card.calls)]),
		state.talksMuted && t("state.muted")),
		cards.map((card) => card !== main && heldCard(card, cards)),
		ended.map(endedCard),
		main && mainCard(main, cards),
		cards.length + ended.length === 0 && idle());
}

export function returnBar() {
	const { calls, now } = state;
	const [card] = cardsOf(calls);
	return card && button("return-bar", [
		icon("phone"), h("span.grow.clip", t("returnTo", { name: nameOfCard(card) })),
		elapsed(card, now) !== null && ariaHidden("span.time", timeOf(card)),
	], () => change({ showsCalls: true }));
}

function idle() {
	const [handle] = state.handles;
	return [h("div.idle", { key: "idle" }, brandMark(), readiness(),
		handle && h("p.quiet", t("idle.reach"), " ", h("b.handle", isolate(handle.value))),
		testCallButton(),
		h("p.quiet.hint", t("shortcuts"), ": ", h("kbd", "?"))), besidePeople()];
}

function stateOf({ calls: [call], isGroup, isHeld, isActive, isResuming }) {
	if (isHeld) return "held";
	if (isResuming) return "resuming";
	if (call.remoteIsRinging && !isGroup) return "ringing";
	if (isActive) return call.remoteIsOnHold && !isGroup ? "heldByThem" : "connected";
	if (call.state === "starting") return call.state;
	return call.isOutgoing ? "connecting" : "answering";
}

const lineOf = ([call, other]) => !other && transfers.lineOf(call);
export const linesOf = (calls) => [companions(calls), lineOf(calls)].map((line) => line && h("p.quiet", line));

const timeOf = (card) => clock(elapsed(card, state.now) ?? 0);

function mainCard(card, cards) {
	const { id, calls, calls: [call], isGroup, isActive } = card;
	const keyed = calls.find(({ uuid }) => uuid === state.keypad);
	return h("article.main-card", { key: id, "aria-label": nameOfCard(card), tabindex: -1, created: takeFocus },
		h("div.call-face",
			h("div.call-party",
				isGroup ? h("h2", nameOfCard(card)) : party(call, !keyed),
				linesOf(calls),
				h("p.status", { key: "status" }, status(card)),
				isGroup && h("ul.members", calls.map(member)),
				isActive && !keyed && !call.remoteIsRinging && qualityLine()),
			keyed ? keys(keyed) : controls(card, cards),
			h("div.hang-up", roundButton(isGroup ? "endGroup" : call.connectedAt ? "end" : "cancel", () => end(calls),
				{ key: "end", iconName: "phone", shortcut: "E", class: "decline down" }),
			keyed && button("link", t("hideKeypad"), () => change({ keypad: null, keyed: "" })))));
}

function qualityLine() {
	const { connection, quality, showsFigures } = state;
	return connection === "online" && quality?.grade && h("div.quality", { key: "quality" },
		button(`link.grade.${quality.grade}`, [ariaHidden("span.bars"), t(`quality.${quality.grade}`)],
			() => change({ showsFigures: !showsFigures }), { "aria-expanded": showsFigures }),
		showsFigures && figures());
}

export function figures() {
	const { quality } = state;
	const number = (name) => Math.round(quality[name] / (name === "bitrate" ? 1000 : 1)).toLocaleString(language);
	return definitions("figures", Object.keys(FIGURES).filter((name) => Number.isFinite(quality[name]))
		.map((name) => [`figure.${name}`, number(name), " ", FIGURES[name]]));
}

function takeFocus(element) {
	queueMicrotask(() => {
		const { activeElement: focused, body } = document;
		// A new call takes the focus, unless text is being typed.
		const isDialled = focused.id === "dial-field" && !focused.value;
		if (isDialled || focused === body || !focused.checkVisibility()) element.focus({ preventScroll: true });
	});
}

function party(call, isLarge) {
	const name = callerName(call);
	const handle = partyOf(call);
	return [
		isLarge && avatar(handle, name, { class: "large", "data-level": call.uuid }),
		h("h2", isolate(name)),
		isLarge && name !== handle.value && h("p.quiet.reach", isolate(handle.value)),
	];
}

function member(call) {
	const { uuid, remoteIsOnHold, remoteIsRinging, supportsUngrouping } = call;
	const name = callerName(call);
	const word = remoteIsRinging ? "state.ringing" : remoteIsOnHold && "member.holds";
	return h("li.row", { key: uuid }, person(partyOf(call), name, word && h("small", t(word)), { "data-level": uuid }),
		supportsUngrouping && iconButton("split", t("splitName", { name }), () => split(call)), endButton([call], name));
}

const endButton = (calls, name) => iconButton("phone.down.red", t("endName", { name }), () => end(calls));

function status(card) {
	const { calls: [call], isActive, isHeld } = card;
	const callState = stateOf(card);
	const pill = (iconName, key) => h("span.pill", icon(iconName, "tiny"), t(`state.${key}`, { name: callerName(call) }));
	if (callState === "ringing" || !(isHeld || isActive)) return [ariaHidden("span.dots"), t(`state.${callState}`)];
	return [
		isActive && state.talksMuted && pill("muted", "muted"),
		isActive && call.hasVideo && pill("video", "video"),
		callState !== "connected" && pill("pause", callState),
		h("span.time", { role: "timer" }, timeOf(card)),
		isActive && call.isExternal && h("span", t("state.external")),
	];
}

const endTalk = () => talk(false);
const talkButton = () => roundButton("talk", ({ detail }) => detail === 0 && talk(!state.holdsToTalk), {
	iconName: "microphone", pressed: state.holdsToTalk, class: "talk", disc: state.holdsToTalk && level(),
	onpointerdown: () => talk(true), onpointerup: endTalk, onpointerleave: endTalk, onpointercancel: endTalk,
	oncontextmenu: (event) => event.preventDefault(),
});

const roundButton = (key, onclick, { iconName = key, shortcut, pressed, disc, ...more } = {}) => (
	button("round", [h("span.disc", disc, icon(iconName)), h("span.word", t(key))], onclick,
		{ key, "aria-keyshortcuts": shortcut, "aria-pressed": pressed, ...more }));

/** Six places that never move: what cannot be done now is disabled. */
function controls(card, cards) {
	const { calls, calls: [call], isActive, isHeld, isResuming } = card;
	const isMuted = calls.every((one) => one.isMuted);
	const held = cards.find((other) => other.isHeld && other !== card);
	const canMerge = held && isActive && [...calls, ...held.calls].every((one) => one.supportsGrouping);
	const canAdd = !state.isGuest && (isActive || isHeld);
	const transfer = transfers.openerOf(card);
	const canHold = isHeld || ((isActive || isResuming) && calls.every((one) => one.supportsHolding));
	return h("div.controls",
		preferences.pushToTalk && !isMuted && !operated ? talkButton() : roundButton("mute", () => toggleMute(calls),
			{ iconName: isMuted ? "muted" : "microphone", shortcut: "M", pressed: isMuted, disc: isActive && level() }),
		roundButton("keypad", () => change({ keypad: call.uuid }),
			{ shortcut: "K", disabled: !isActive || !calls.some((one) => one.supportsDTMF) }),
		roundButton("sound", () => change({ overlay: "sound" }), { iconName: "speaker", disabled: Boolean(operated) }),
		held ? roundButton("merge", () => merge(card, held), { shortcut: "G", disabled: !canMerge })
			: roundButton("addCall", focusDial, { iconName: "add", disabled: !canAdd }),
		held ? roundButton("swap", swap, { shortcut: "S", disabled: !isActive })
			: roundButton("hold", () => toggleHold(card),
				{ iconName: "pause", shortcut: "H", pressed: isHeld, disabled: !canHold }),
		roundButton("transfer", transfer, { shortcut: "T", disabled: !transfer }));
}

const level = () => h("span.own-level", { "data-level": "input" });

const keys = (call) => h("div.call-keys", { key: "keys" },
	h("output.dialled", { "aria-label": t("keyed") }, state.keyed || "\xa0"),
	keypad((key) => sendTone(call, key), true));

const smallCard = (key, call, name, line, ...buttons) => (
	h("article.held-card", { key, "aria-label": name, tabindex: -1 }, avatar(partyOf(call), callerName(call)),
		h("div.grow", h("h2.clip", isolate(name)), line), buttons));

const quietLine = (text) => text && h("p.quiet.clip", text);

function heldCard(card, cards) {
	const { id, calls, calls: [call], isHeld } = card;
	const iconName = cards[0].isActive ? "swap" : "play";
	const name = nameOfCard(card);
	return smallCard(id, call, name,
		[quietLine(companions(calls)),
			h("p.quiet", isHeld ? [t("state.held"), " ", h("span.time", timeOf(card))] : status(card))],
		isHeld && iconButton(`${iconName}.soft`, t("resumeName", { name }), () => toggleHold(card)),
		endButton(calls, name));
}

function endedCard({ uuid, call, at }) {
	const { connectedAt, endedAt, cause, endedReason, isOutgoing, message } = call;
	const name = callerName(call);
	const length = connectedAt && ` · ${clock((Date.parse(endedAt) || at) - Date.parse(connectedAt))}`;
	const isCancelled = isOutgoing && !connectedAt && !endedReason;
	const reasons = [`cause.${cause}`, isCancelled && "cause.cancelled", `reason.${endedReason}`, "reason.ended"];
	return smallCard(`ended-${uuid}`, call, name,
		h("div", { role: "status" }, h("p.quiet", transfers.lineOf(call) ?? t(reasons.find(hasText), { name }), length),
			message && h("p.said", isolate(message))),
		iconButton("phone.green", t("callAgainName", { name }), () => {
			dismissEnded(uuid);
			callAgain(partyOf(call));
		}),
		iconButton("close", t("dismiss"), () => dismissEnded(uuid)));
}
