import { newUUID } from "../../client/identifier.js";
import { putContact, removeContact, removeRecent } from "../account.js";
import { call, openPerson } from "../actions.js";
import { personOf } from "../directory.js";
import { day, duration, timeOfDay } from "../format.js";
import { parseHandle } from "../people.js";
import { photoOf, scalePhoto } from "../photos.js";
import { showToast, toastErrors } from "../toasts.js";
import { banner } from "./banners.js";
import {
	avatar, button, change, choice, confirmButton, empty, field, filePicker, form, h, icon, iconButton, input, isolate, person, sheet,
	state, switchRow, t,
} from "./parts.js";

/** `isGuessed`: the type follows the typed text until the user selects one. */
const NEW_HANDLE = { type: "phoneNumber", value: "", isGuessed: true };

export const importButton = () => (
	filePicker(".vcf,text/vcard", t("import"), importFile, "icon-button", icon("pull")));

const importFile = async (file) => (await toastErrors(import("../../contacts/importing.js")))?.importContacts(file);

export function importResult() {
	const { importing, imported } = state;
	const { taken, skipped, refused, total, error } = importing ?? imported ?? {};
	if (importing) return h("p.banner", h("progress", { value: taken + refused, max: total }), `${taken} / ${total}`);
	return imported && banner({ role: "status" }, [
		t("import.taken", { count: taken }), skipped > 0 && ` ${t("import.skipped", { count: skipped })}`,
		refused > 0 && ` ${t("import.refused", { count: refused })} ${error}`,
	], iconButton("close", t("dismiss"), () => change({ imported: null })));
}

export function edit(contact, handle = NEW_HANDLE, name = "") {
	const draft = contact ?? { identifier: newUUID(), name, handles: [handle], isNew: true };
	change({ overlay: "contact", draft: structuredClone(draft) });
}

export function contactSheet() {
	const { draft } = state;
	if (!draft) return null;
	const { name, handles, isNew, photo, photoHash } = draft;
	return sheet("contact", form({ class: "form" }, save,
		h("div.row", avatar(handles[0] ?? NEW_HANDLE, name, null, photo ?? photoOf(draft)),
			filePicker("image/*", t("contact.choosePhoto"), choosePhoto),
			(photo || photoHash) && button("link", t("contact.removePhoto"), () => fill({ photo: null, photoHash: null }))),
		field(t("signIn.name"), input((text) => fill({ name: text }),
			{ value: name, maxlength: 200, autocapitalize: "words" })),
		handles.map(handleRow),
		button("small", t("contact.addHandle"), () => fill({ handles: [...handles, NEW_HANDLE] })),
		contactSwitches(draft, fill),
		h("button.primary.wide", { type: "submit" }, t("save")),
		!isNew && confirmButton("contact", t("remove"), remove)), t(isNew ? "contact.new" : "contact.edit"));
}

export const contactSwitches = (contact, receive) => ["favorite", "breaksThroughDoNotDisturb"].map((member) => (
	switchRow(`contact.${member}`, contact?.[member], (isOn) => receive({ [member]: isOn }))));

async function choosePhoto(file) {
	const { identifier } = state.draft;
	const photo = await scalePhoto(file);
	if (!photo) showToast(t("contact.noImage"), true);
	else if (state.draft?.identifier === identifier) fill({ photo });
}

const fill = (members) => change({ draft: { ...state.draft, ...members } });

function handleRow(handle, index, handles) {
	const { type, value, isGuessed } = handle;
	const replace = (members) => fill({ handles: handles.with(index, { ...handle, ...members }) });
	return h("div.row", { key: index },
		choice(type, ["phoneNumber", "emailAddress", "generic"].map((one) => [one, t(`type.${one}`)]),
			(one) => replace({ type: one, isGuessed: false }), { "aria-label": t("contact.type") }),
		input((text) => replace({ value: text, type: isGuessed ? guess(text, type) : type }),
			{ value, required: true, "aria-label": t(`type.${type}`) }),
		handles.length > 1 && iconButton("close", t("remove"), () => fill({ handles: handles.toSpliced(index, 1) })));
}

function guess(text, type) {
	const handle = parseHandle(text);
	return handle?.value === text.trim() ? handle.type : type;
}

async function save() {
	const { isNew, ...contact } = state.draft;
	const handles = contact.handles.map(({ type, value }) => ({ type, value }));
	if (await putContact({ ...contact, handles })) change({ overlay: null, draft: null });
}

function remove() {
	removeContact(state.draft.identifier);
	change({ overlay: null });
}

export function recentsPage() {
	const { recents, showsMissedOnly, now } = state;
	const shown = recents.filter(({ outcome }) => !showsMissedOnly || outcome === "missed");
	return h("div.list-page",
		h("div.page-head", h("h1", t("tab.recents")),
			recents.length > 0 && h("div.segments", { role: "group", "aria-label": t("recents.filter") }, ["all", "missed"].map(filter))),
		shown.length === 0 && empty("clock", t(showsMissedOnly ? "recents.noneMissed" : "recents.none")),
		[...Map.groupBy(shown, ({ startedAt }) => day(startedAt, now))].map(([name, calls]) => (
			h("section", { key: name, "aria-label": name }, h("h2.day", name), h("ul.list", calls.map(recentRow))))));
}

function filter(name) {
	const showsMissedOnly = name === "missed";
	const isOn = state.showsMissedOnly === showsMissedOnly;
	return h("button", { "aria-pressed": isOn, onclick: () => change({ showsMissedOnly }) }, t(`recents.${name}`));
}

function recentRow(recent) {
	const { id, handle, outcome, direction, startedAt, hasVideo, provider, unknown } = recent;
	const { name } = personOf(recent);
	const how = `${outcomeOf(recent)}${recent.count > 1 ? ` (${recent.count})` : ""}`;
	const time = timeOfDay(startedAt);
	const remove = () => removeRecent(id);
	const line = h("small", icon(direction, "tiny"), hasVideo && icon("video", "tiny"), how, provider && [" · ", state.apps?.icon(provider), isolate(provider)], " · ", h("time", { datetime: startedAt }, time));
	return h("li.row.recent", { key: id, class: outcome, ...swipes(remove) },
		button("person.grow", person(handle, name, line), () => (unknown ? openPerson(recent) : call(handle)),
			{ "aria-label": t("callAt", { name, handle: `${how}, ${time}` }), title: t("callName", { name }) }),
		iconButton("trash.revealed", t("recents.delete", { name }), remove),
		iconButton("more", t("people.open", { name }), () => openPerson(recent)));
}

export function outcomeOf({ outcome, endedReason, silenced, duration: seconds, direction }) {
	if (outcome === "missed" && silenced) return t("outcome.silenced");
	if (outcome === "answered") return duration(seconds);
	if (endedReason === "unanswered") return t("reason.unanswered");
	return t(`outcome.${outcome === "declined" && direction === "outgoing" ? "declinedByThem" : outcome}`);
}

/** Below `SLACK` it is a tap or a scroll. */
const DELETE_DISTANCE = 110;
const SLACK = 12;

function swipes(remove) {
	let start = null;
	let offset = 0;
	const move = (row, distance) => {
		offset = distance;
		row.style.setProperty("--offset", `${distance}px`);
		row.classList.toggle("far", Math.abs(distance) > DELETE_DISTANCE);
	};
	const end = ({ type, currentTarget }) => {
		if (type === "pointerup" && Math.abs(offset) > DELETE_DISTANCE) remove();
		start = null;
		move(currentTarget, 0);
	};
	return {
		onpointerdown({ pointerType, clientX }) {
			if (pointerType !== "mouse") start = clientX;
		},
		onpointermove({ clientX, currentTarget, pointerId }) {
			const distance = clientX - start;
			if (start === null || (offset === 0 && Math.abs(distance) < SLACK)) return;
			if (offset === 0) currentTarget.setPointerCapture(pointerId);
			move(currentTarget, distance);
		},
		onpointerup: end,
		onpointercancel: end,
	};
}
