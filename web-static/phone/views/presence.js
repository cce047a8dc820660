import { endDoNotDisturb } from "../account.js";
import { presenceOf } from "../directory.js";
import { doNotDisturb } from "../quiet.js";
import { banner } from "./banners.js";
import { ariaHidden, button, h, hasText, icon, language, t } from "./parts.js";

/** In ms: a time that is further away has its day. */
const NEAR = 20 * 3_600_000;

function until(time) {
	const weekday = time - Date.now() > NEAR ? "short" : undefined;
	const format = new Intl.DateTimeFormat(language, { weekday, hour: "numeric", minute: "2-digit" });
	return t("disturb.until", { time: format.format(time) });
}

export function presenceText(person) {
	const { presence, until: end } = presenceOf(person) ?? {};
	if (presence === "doNotDisturb" && Date.parse(end) > Date.now()) return until(Date.parse(end));
	return hasText(`presence.${presence}`) ? t(`presence.${presence}`) : "";
}

export const presenceDot = (person) => ariaHidden(`span.dot.${presenceOf(person)?.presence}`);

/** Returns null while calls ring. */
export function disturbance() {
	const quiet = doNotDisturb();
	if (!quiet) return null;
	const isTimed = !quiet.isSwitchedOn && quiet.until < Infinity;
	const canEnd = quiet.isSwitchedOn || isTimed;
	return { text: isTimed ? until(quiet.until) : t("disturb"), canEnd };
}

const endButton = () => button("small", t("disturb.end"), endDoNotDisturb, { key: "end" });

export function readiness() {
	const quiet = disturbance();
	return [h("h2.readiness", quiet ? [icon("moon"), quiet.text] : t("idle.title")),
		quiet?.canEnd && endButton()];
}

export function disturbanceBanner() {
	const quiet = disturbance();
	return quiet && banner({ key: "disturb", iconName: "moon", role: "status" }, quiet.text,
		quiet.canEnd && endButton());
}
