import { block, set } from "../account.js";
import { copy, declineWith } from "../actions.js";
import { diagnose, report } from "../diagnostics.js";
import { callerName } from "../hub.js";
import { SHORTCUTS } from "../keys.js";
import { handleKey, parseHandle } from "../people.js";
import { DAYS } from "../quiet.js";
import { ringingCalls } from "../state.js";
import { figures } from "./calls.js";
import {
	ariaHidden, button, change, confirmButton, definitions, field, form, h, hinted, icon, iconButton, isolate,
	language, selectRow, sheet, state, t,
} from "./parts.js";
import { shortcutsSwitch, soundControls } from "./settings.js";

const MAXIMUM_QUIET_HOURS = 32;
const MAXIMUM_MESSAGE = 256;

export const sheets = {
	blocked() {
		const { handles, prefixes, links } = state.blocked;
		const nameOfLink = (link) => state.recents.find((recent) => recent.link === link)?.name ?? link;
		return sheet("blocked", [
			h("p.quiet", t("blocked.lead")),
			h("ul", handles.map((handle) => blockedRow(handleKey(handle), handle.value, { handle })),
				prefixes.map((prefix) => blockedRow(`+${prefix}`, `+${prefix}…`, { prefix })),
				links.map((link) => blockedRow(`link-${link}`, nameOfLink(link), { link }))),
			entryForm("blocked.entry", "block", addBlocked, { maxlength: 1024, autocapitalize: "none" }),
		]);
	},

	diagnostics() {
		const { findings } = state;
		const isRunning = findings.some(({ level }) => level === "run");
		const act = (style, key, action) => (
			button(style, t(key), () => !isRunning && action(), { "aria-disabled": isRunning }));
		return sheet("diagnostics", [
			h("p.quiet", t("diag.lead")),
			act("primary.wide", findings.length ? "tryAgain" : "diag.run", diagnose),
			h("ul.findings", { "aria-busy": isRunning }, findings.map(findingRow)),
			findings.length > 0 && act("small", "diag.copy", () => copy(report())),
		]);
	},

	message() {
		const call = ringingCalls().find(({ uuid }) => uuid === state.messageTo);
		if (!call) return null;
		const send = (text) => {
			change({ overlay: null });
			declineWith(call, text);
		};
		return sheet("message", [
			h("p.quiet", t("message.lead", { name: callerName(call) })),
			["callBack", "later", "coming"].map((name) => (
				button("small", t(`message.${name}`), () => send(t(`message.${name}`))))),
			entryForm("message.own", "message.send", ({ value }) => value.trim() && send(value.trim()),
				{ maxlength: MAXIMUM_MESSAGE, autocomplete: "off", oninput: cut }),
		]);
	},

	quiet() {
		const { quietHours, timeZone } = state.settings;
		const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
		const added = { days: DAYS.slice(0, 5), from: "22:00", to: "07:00" };
		const add = () => set({ quietHours: [...quietHours, added], timeZone: timeZone || here });
		const zones = [...new Set([timeZone, here])].map((zone) => [zone, zone || t("quiet.serverZone")]);
		return sheet("quiet", [
			quietHours.map(quietHoursRow),
			button("small", t("quiet.add"), add, { disabled: quietHours.length >= MAXIMUM_QUIET_HOURS }),
			selectRow("quiet.zone", timeZone, zones, (zone) => set({ timeZone: zone })),
		]);
	},

	shortcuts() {
		const rows = SHORTCUTS.map(([key, name, shown]) => [`keys.${name}`, h("kbd", shown ?? key.toUpperCase())]);
		return sheet("shortcuts", [definitions("keys", rows), shortcutsSwitch()]);
	},

	sound: () => sheet("sound", [soundControls(), state.quality?.grade && figures()]),
};

const entryForm = (hint, label, send, more) => form({ class: "row" }, ({ entry }) => send(entry),
	h("input", { name: "entry", required: true, ...hinted(hint), ...more }),
	h("button.small", { type: "submit" }, t(label)));

function cut({ target }) {
	const size = () => new TextEncoder().encode(target.value).length;
	while (size() > MAXIMUM_MESSAGE) target.value = [...target.value].slice(0, -1).join("");
}

const blockedRow = (key, name, entry) => h("li.row", { key }, isolate(name, "grow"),
	iconButton("close", t("blocked.remove", { name }), () => block(entry, false)));

function addBlocked(entry) {
	const prefix = /^\+?([\d ()./-]+)(\*|…|\.\.\.)$/.exec(entry.value.trim())?.[1].replace(/\D/g, "");
	const handle = parseHandle(entry.value);
	if (!prefix && !handle) return;
	block(prefix ? { prefix } : { handle }, true);
	entry.value = "";
}

function findingRow({ id, name, level, detail, help }) {
	const isWrong = level === "warn" || level === "bad";
	const iconName = isWrong ? "warning" : { ok: "check", none: "more" }[level];
	return h(`li.finding.${level}`, { key: id }, iconName ? icon(iconName) : ariaHidden("span.spinner"),
		h("div.grow", h("b", t(name)), " ",
			(isWrong || level === "ok") && h("span.visually-hidden", t(`diag.${level}`), " "),
			h("span.quiet", detail),
			isWrong && h("p", t(help)),
			level === "none" && h("p.quiet", t("diag.none"))));
}

function quietHoursRow(hours, index, all) {
	const replace = (members) => set({ quietHours: all.with(index, { ...hours, ...members }) });
	const time = (name) => field(t(`quiet.${name}`), h("input", {
		type: "time", value: hours[name], required: true,
		onchange: ({ target: { value } }) => value && replace({ [name]: value }),
	}), { class: "grow" });
	return h("fieldset.stretch", { key: index, "aria-label": `${t("quiet")} ${index + 1}` },
		h("div.days", DAYS.map((day, number) => dayButton(day, number, hours.days, replace))),
		h("div.row", time("from"), time("to"),
			iconButton("trash", t("remove"), () => set({ quietHours: all.toSpliced(index, 1) }))));
}

function dayButton(name, number, chosen, replace) {
	// 2024 began on a Monday.
	const word = (weekday) => new Date(2024, 0, number + 1).toLocaleDateString(language, { weekday });
	const isOn = chosen.includes(name);
	const days = DAYS.filter((one) => chosen.includes(one) !== (one === name));
	const onclick = () => days.length && replace({ days });
	return h("button", { "aria-pressed": isOn, "aria-label": word("long"), onclick }, word("short"));
}
