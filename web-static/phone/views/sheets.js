import { copy } from "../actions.js";
import { diagnose, report } from "../diagnostics.js";
import { SHORTCUTS } from "../keys.js";
import { figures } from "./calls.js";
import { ariaHidden, button, definitions, h, icon, sheet, state, t } from "./parts.js";
import { shortcutsSwitch, soundControls } from "./settings.js";

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

	shortcuts() {
		const rows = SHORTCUTS.map(([key, name, shown]) => [`keys.${name}`, h("kbd", shown ?? key.toUpperCase())]);
		return sheet("shortcuts", [definitions("keys", rows), shortcutsSwitch()]);
	},

	sound: () => sheet("sound", [soundControls(), state.quality?.grade && figures()]),
};

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
