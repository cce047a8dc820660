import { choose, openTab } from "../actions.js";
import { brandName } from "../brand.js";
import { cardsOf, namesOf, transfers } from "../cards.js";
import { callerName, partyOf } from "../hub.js";
import { isOnline, ringingCalls, unseenMissed } from "../state.js";
import { dismissToast, toastErrors } from "../toasts.js";
import { banners, disturbance } from "./banners.js";
import { callsPane, linesOf, returnBar } from "./calls.js";
import { contactSheet, recentsPage } from "./lists.js";
import {
	ariaHidden, avatar, button, change, h, hasText, icon, isolate, rememberFocus, returnFocus, state, t,
} from "./parts.js";
import { peoplePage } from "./people.js";
import { personPane } from "./person.js";
import { settingsPage } from "./settings.js";
import { sheets } from "./sheets.js";
import { guestPage, insecurePage, otherTabPage, signInPage } from "./signed-out.js";

const TABS = { people: ["person", peoplePage], recents: ["clock", recentsPage], settings: ["gear", settingsPage] };
export const SHEETS = { ...sheets, contact: contactSheet };

export function app() {
	const ringing = isOnline() ? ringingCalls() : [];
	// The sheet of a message has the place of its call's card.
	const carded = ringing.filter(({ uuid }) => state.overlay !== "message" || uuid !== state.messageTo);
	const sheet = (isOnline() || state.overlay === "diagnostics") && SHEETS[state.overlay]?.();
	return [
		h("div.visually-hidden", { key: "announcement", role: "alert" },
			ringing.map((call) => [
				h("p", t("title.ringing", { name: callerName(call) })), h("p", transfers.lineOf(call))])),
		// First, so that it is the first that Tab reaches.
		carded.length > 0 && incoming(carded),
		h("div.page", { key: "page", inert: Boolean(sheet) }, page()),
		sheet && h("div.layer", { key: "sheet" }, sheet),
		h("div.toasts", { key: "toasts" }, toasts("status", false), toasts("alert", true)),
	];
}

function page() {
	if (state.isStarting) return h("div.splash", { "aria-busy": true });
	if (!isSecureContext) return insecurePage();
	if (state.page) return state.page();
	if (state.connection === "steppedBack") return otherTabPage();
	if (state.link?.token || state.isGuest) return guestPage();
	return isOnline() ? shell() : signInPage();
}

function shell() {
	const { calls, ended, tab, showsCalls, person } = state;
	const hasCalls = calls.length + ended.length > 0;
	const styles = [showsCalls && "shows-calls", hasCalls && "has-calls", person && "shows-person"];
	return h("div.shell", { class: styles.filter(Boolean).join(" ") },
		h("header.top", banners()),
		h("nav.tabs", { "aria-label": t("navigation") }, Object.keys(TABS).map(tabButton)),
		h("main",
			h("h1.visually-hidden", brandName()),
			h("section.pane", { key: tab, "aria-label": t(`tab.${tab}`) },
				cardsOf(calls).length > 0 && returnBar(), TABS[tab][1]()),
			person && personPane(),
			callsPane()));
}

function tabButton(name) {
	const count = name === "recents" ? unseenMissed() : 0;
	const word = t(`tab.${name}`);
	const quiet = name === "settings" && disturbance();
	return button("tab", [
		icon(TABS[name][0]), h("span.word", word), count > 0 && ariaHidden("span.badge", count > 99 ? "99+" : count),
		quiet && h("span.badge.quiet-badge", icon("moon")),
	], () => openTab(name), {
		"aria-current": state.tab === name ? "page" : null,
		"aria-label": count ? t("tab.recentsUnseen", { count }) : quiet ? `${word}, ${quiet.text}` : word,
	});
}

const toasts = (role, isUrgent) => h("div", { role }, state.toasts.filter((toast) => toast.isUrgent === isUrgent)
	.map((toast) => h("p.toast", { key: toast.id, onclick: () => dismissToast(toast) }, toast.text)));

/** No modal dialog, as nothing that the user does is interrupted. */
function incoming(ringing) {
	const [{ uuid }] = ringing;
	return h("div.incoming", {
		key: "incoming", role: "alertdialog", "aria-labelledby": `caller-${uuid}`, "aria-describedby": `about-${uuid}`,
		class: ringing.length > 1 && "several", created: rememberFocus,
	}, ringing.map(caller));
}

function leaveCard(section) {
	if (section.contains(document.activeElement)) returnFocus(section.parentElement);
}

function caller(call) {
	const { uuid, hasVideo, choices, nameSource, link, linkName, directoryTitle, transferredBy } = call;
	const name = callerName(call);
	const handle = partyOf(call);
	const id = `caller-${uuid}`;
	const kind = state.starting.includes(uuid) ? "state.answering"
		: `incoming.${call.mustReport ? "stillRinging" : hasVideo ? "video" : "kind"}`;
	const isContact = nameSource === "contact";
	const isNamed = !link && name !== handle.value && !["handle", "hidden"].includes(nameSource);
	const side = ({ name: one }) => (one === "decline" ? one : "accepts");
	const { decline = [], accepts = [] } = Object.groupBy(choices, side);
	const choiceButtons = (list) => list.map((choice) => choiceButton(call, choice));
	const source = !isContact && (directoryTitle ? isolate(directoryTitle) : linkName && !transferredBy
		? t("nameSource.guestOf", { name: linkName })
		: t(`nameSource.${!link ? isNamed ? nameSource : "handle" : transferredBy ? "anyGuest" : "guest"}`));
	return h("section.caller", { key: uuid, "aria-labelledby": id, removed: leaveCard },
		h("p.quiet.kind", state.apps?.label(call), hasVideo && icon("video"), t(kind)),
		h("div.caller-party",
			h("span.ringing-avatar", avatar(handle, name, { class: "large" })),
			h("h1", { id }, isolate(name)),
			h("p.quiet", { id: `about-${uuid}` }, isNamed && isolate(handle.value), isNamed && source && " · ", source),
			linesOf([call])),
		h("div.choices",
			h("div.declines", choiceButtons(decline), decline.length > 0 && !call.isExternal && messageButton(call)),
			h("div.accepts", choiceButtons(accepts))));
}

const messageButton = ({ uuid }) => button("link.tell", [icon("message"), t("message")],
	() => toastErrors(import("../../screening/message.js").then(({ open }) => open(uuid))));

function choiceButton(call, choice) {
	const { name, actions } = choice;
	const isDecline = name === "decline";
	const word = `choice.${name}`;
	const ended = call.endedBy(choice);
	const names = { name: namesOf(state.calls.filter(({ uuid }) => ended.includes(uuid))) };
	const holds = actions.some(({ type, isOnHold }) => type === "setHeld" && isOnHold);
	return button(isDecline ? "choice.decline" : "choice.accept", [
		h("span.disc", icon("phone", isDecline && "down"), holds && h("span.mark", icon("pause")),
			ended.length > 0 && h("span.mark.ends", icon("close"))),
		h("span.word", hasText(word) ? t(word, names) : name),
	], () => choose(call, name), {
		// Whom it ends may change.
		key: [name, ...ended].join(" "), disabled: !isDecline && state.starting.includes(call.uuid),
		"aria-keyshortcuts": isDecline ? "D" : choice === call.defaultChoice ? "A" : null,
	});
}
