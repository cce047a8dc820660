import { block, changeContact, removeRecent } from "../account.js";
import { call } from "../actions.js";
import { personOf } from "../directory.js";
import { day, timeOfDay } from "../format.js";
import { handleKey } from "../people.js";
import { showToast } from "../toasts.js";
import { presenceDot, presenceText } from "./banners.js";
import { contactSwitches, edit, outcomeOf } from "./lists.js";
import {
	avatar, button, change, confirmButton, h, hasText, icon, iconButton, isolate, rememberFocus, returnFocus, state, t,
} from "./parts.js";
import { ringtoneRow } from "./settings.js";

const HISTORY = 50;
const close = () => change({ person: null });

export function personPane() {
	const one = personOf(state.person);
	const { name, department, handle, from, link, contact } = one;
	const set = (members) => changeContact(one, members);
	const presence = presenceText(one);
	return h("section.pane.person-pane", {
		key: `person ${handleKey(state.person.handle)}`, "aria-labelledby": "person-name", tabindex: -1,
		onkeydown: ({ key }) => key === "Escape" && !state.overlay && close(),
		created(element) {
			rememberFocus(element);
			element.focus({ preventScroll: true });
		},
		// The page of another person keeps the focus.
		removed: (element) => !state.person && returnFocus(element),
	}, h("div.person-page",
		// The one that leads back where the page covers the list, the other one beside it.
		button("icon-button.back", ["chevron", "close"].map((one) => icon(one)), close,
			{ "aria-label": t("people.back"), title: t("people.back") }),
		h("div.person-head", avatar(handle, name, { class: "large" }), h("h1", { id: "person-name" }, isolate(name)),
			h("p.quiet", [department, !contact && t([`from.${from}`, "nameSource.handle"].find(hasText))].filter(Boolean).join(" · ")),
			presence && h("p", presenceDot(one), presence)),
		h("ul.group-body", { "aria-label": t("people.handles") }, one.handles.map((other) => handleRow(other, name))),
		!link && h("div.group-body", contactSwitches(contact, set),
			ringtoneRow(contact?.ringtone, (ringtone) => set({ ringtone: ringtone || undefined }), ["", t("ringtone.own")])),
		history(one),
		h("div.row.person-actions",
			!link && button("small", t(contact ? "contact.edit" : "contact.new"),
				() => edit(contact, handle, name === handle.value ? "" : name)),
			blockButton(one))));
}

const handleRow = (handle, name) => h("li.row", { key: handleKey(handle) },
	h("span.grow", isolate(handle.value), h("small", t(`type.${handle.type}`))),
	iconButton("phone.green", t("callAt", { name, handle: handle.value }), () => call(handle)));

function history({ keys, link }) {
	const calls = state.recents.filter((recent) => (
		link ? recent.link === link : keys.includes(handleKey(recent.handle)))).slice(0, HISTORY);
	return h("div", h("h2.day", t("calls")),
		calls.length === 0 && h("p.quiet", t("recents.none")),
		h("ul", calls.map((recent) => {
			const { id, direction, outcome, startedAt, name } = recent;
			return h("li.row", { key: id, class: outcome },
				h("span.grow", icon(direction, "tiny"), h("span.name", outcomeOf(recent)),
				h("small", h("time", { datetime: startedAt }, day(startedAt, Date.now()), " ", timeOfDay(startedAt)))),
				iconButton("trash", t("recents.delete", { name }), () => removeRecent(id)));
		})));
}

/** Each guest of a link has another handle: the link is blocked. */
function blockButton({ handles, link, name }) {
	const { blocked } = state;
	const entries = link ? [{ link }] : handles.map((handle) => ({ handle }));
	const keys = [...blocked.handles.map(handleKey), ...blocked.links];
	const isBlocked = (link ? [link] : handles.map(handleKey)).every((key) => keys.includes(key));
	const toggle = async () => {
		for (const entry of entries) if (!await block(entry, !isBlocked)) return;
		if (!isBlocked) showToast(t("blocked.done"));
	};
	return isBlocked ? button("small", t("blocked.remove", { name }), toggle, { key: "unblock" })
		: confirmButton("block", t("block"), toggle);
}
