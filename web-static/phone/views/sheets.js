import { copy, declineWith } from "../actions.js";
import { diagnose, report } from "../diagnostics.js";
import { callerName } from "../hub.js";
import { SHORTCUTS } from "../keys.js";
import { ringingCalls } from "../state.js";
import { figures } from "./calls.js";
import {
	ariaHidden, button, change, definitions, form, h, hinted, icon, isolate, sheet, state, t,
} from "./parts.js";
import { shortcutsSwitch, soundControls } from "./settings.js";

const MAXIMUM_MESSAGE = 256;

export const sheets = {
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

	shortcuts() {
		const rows = SHORTCUTS.map(([key, name, shown]) => [`keys.${name}`, h("kbd", shown ?? key.toUpperCase())]);
		return sheet("shortcuts", [definitions("keys", rows), shortcutsSwitch()]);
	},

	sound: () => sheet("sound", [soundControls(), state.quality?.grade && figures()]),
};

export const entryForm = (hint, label, send, more) => form({ class: "row" }, ({ entry }) => send(entry),
	h("input", { name: "entry", required: true, ...hinted(hint), ...more }),
	h("button.small", { type: "submit" }, t(label)));

function cut({ target }) {
	const size = () => new TextEncoder().encode(target.value).length;
	while (size() > MAXIMUM_MESSAGE) target.value = [...target.value].slice(0, -1).join("");
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
