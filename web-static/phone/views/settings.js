import { loadBlocked, set } from "../account.js";
import { hub } from "../hub.js";
import { askPermission, permission } from "../notifications.js";
import { preferences, setPreferences, setTheme } from "../preferences.js";
import { setPush, storeNotificationTexts } from "../shell.js";
import { signOut } from "../sign-in.js";
import { toastErrors } from "../toasts.js";
import { RINGTONES } from "../../audio/tones.js";
import { process, testMicrophone, useDevice } from "../audio.js";
import { language, languages, loadLanguage } from "../text.js";
import { soundBanner } from "./banners.js";
import { button, change, confirmButton, h, icon, isolate, person, selectRow, state, switchRow, t } from "./parts.js";

export const settingsPage = () => h("div.list-page.settings",
	h("div.page-head", h("h1", t("tab.settings"))),
	account(),
	Object.entries(sections).map(([id, view]) => h("section.group", { key: id, "aria-labelledby": id },
		h("h2", { id }, t(id)), h("div.group-body", view()))));

function account() {
	const { handles, settings, account: own } = state;
	const handle = handles[0] ?? { type: "generic", value: own ?? "" };
	const values = handles.map(({ value }, index) => [index > 0 && " · ", isolate(value)]);
	return h("div.account", person(handle, settings.displayName || own || handle.value, h("small", values)),
		state.calls.length > 0 ? confirmButton("signOut", t("signOut"), signOut, t("signOut.endsCall"))
			: button("small", t("signOut"), signOut));
}

const displayName = () => h("label.field.row", h("input", {
	value: state.settings.displayName, maxlength: 100, autocomplete: "name", "aria-labelledby": "settings.name",
	placeholder: state.account, onchange: ({ target }) => set({ displayName: target.value.trim() }),
}));

function disturbance() {
	const { doNotDisturb, device, quietHours } = state.settings;
	return [
		switchRow("disturb.all", doNotDisturb, (isOn) => set({ doNotDisturb: isOn })),
		switchRow("disturb.device", device.doNotDisturb, (isOn) => set({ device: { doNotDisturb: isOn } })),
		screeningSheet("quiet", quietHours.length),
		screeningSheet("blocked", Object.values(state.blocked).flat().length, loadBlocked),
	];
}

const openRow = (name, onclick, value) => (
	button("row.open", [h("span.grow", t(name)), h("span.quiet", value), icon("chevron")], onclick));

const sheetRow = (overlay, load, count) => openRow(overlay, () => {
	change({ overlay });
	load?.();
}, count || null);

const screeningSheet = (overlay, count, load) => sheetRow(overlay, () => {
	load?.();
	toastErrors(import("../../screening/screening.js"));
}, count);

const ownSheet = (overlay) => sheetRow(overlay, () => (
	toastErrors(import("../../account/data.js").then(({ load }) => load(overlay)))));

function notices() {
	const allowed = permission();
	return [
		switchRow("notify.calls", preferences.notifies && allowed === "granted", async (notifies) => {
			setPreferences({ notifies });
			if (notifies) await askPermission();
			change({});
		}, ["denied", "unsupported"].includes(allowed) && t(`notify.${allowed}`)),
		state.push && switchRow("notify.push", state.push.isOn, setPush),
	];
}

export function soundControls() {
	const { microphones, speakers } = state.devices;
	return h("div.sound-controls", soundBanner(),
		device("microphone", microphones),
		state.isMicrophoneAllowed || state.testsMicrophone || state.calls.length > 0
			? meter("input") : button("small", t("testMicrophone"), testMicrophone),
		switchRow("pushToTalk", preferences.pushToTalk, (pushToTalk) => setPreferences({ pushToTalk }), t("pushToTalk.hint")),
		device("speaker", speakers), volume("speakerVolume"), meter("output"),
		device("ringer", speakers), ringtoneRow(preferences.ringtone, (ringtone) => setPreferences({ ringtone })),
		volume("ringerVolume", () => hub.audio.tones.sample()),
		["echoCancellation", "noiseSuppression", "autoGainControl"].map((name) => (
			switchRow(`processing.${name}`, hub.audio.processing[name], (isOn) => process(name, isOn)))));
}

function device(kind, devices) {
	const named = devices.map(({ id, label }, index) => [id, label || t("device.unnamed", { count: index + 1 })]);
	const options = [["", t("device.default")], ...named];
	return selectRow(`device.${kind}`, hub.audio[kind] ?? "", options, (id) => useDevice(kind, id));
}

export function ringtoneRow(value, receive, ...more) {
	const options = [...more, ...Object.keys(RINGTONES).map((name) => [name, t(`ringtone.${name}`)])];
	return selectRow("ringtone", value in RINGTONES ? value : "", options, (name) => {
		receive(name);
		hub.audio.tones.sample(name);
	});
}

const volume = (name, onchange) => h("label.row.volume", h("span.grow", t(name)), h("input", {
	type: "range", max: 100, step: 5, value: String(Math.round(preferences[name] * 100)), onchange,
	oninput: ({ target }) => setPreferences({ [name]: target.valueAsNumber / 100 }),
}));

const meter = (level) => h("div.meter", {
	role: "meter", "aria-label": t(`level.${level}`), "aria-valuemin": 0, "aria-valuemax": 100, "aria-valuenow": 0,
	"data-level": level,
}, h("span"));

function appearance() {
	const themes = ["", "light", "dark"].map((theme) => [theme, t(`theme.${theme || "system"}`)]);
	return [
		languagePicker(),
		selectRow("theme", preferences.theme, themes, setTheme),
		shortcutsSwitch(),
		navigator.registerProtocolHandler && openRow("links", takeLinks),
	];
}

/** WCAG 2.2, 2.1.4. */
export const shortcutsSwitch = () => (
	switchRow("shortcuts.letters", preferences.shortcuts, (shortcuts) => setPreferences({ shortcuts })));

function takeLinks() {
	const { href } = new URL("#call=%s", document.baseURI);
	for (const scheme of ["tel", "web+callhub"]) navigator.registerProtocolHandler(scheme, href);
}

const accountRows = () => [
	hub.permissions?.includes?.("admin") && openRow("administration", () => (location.hash = "admin")),
	sheetRow("account", () => toastErrors(import("../../account/account.js").then(({ load }) => load()))),
	screeningSheet("privacy"),
	sheetRow("invite", () => toastErrors(import("../../invite/inviting.js"))), ownSheet("devices"), ownSheet("data"),
	sheetRow("diagnostics"),
];

export function languagePicker() {
	return selectRow("language", language, languages.map(({ code, name }) => [code, name]), (code) => {
		setPreferences({ language: code });
		loadLanguage();
		storeNotificationTexts();
	});
}

export const sections = {
	"settings.name": displayName, disturb: disturbance, notify: notices, sound: soundControls,
	"settings.appearance": appearance, "settings.account": accountRows,
};
