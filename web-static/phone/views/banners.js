import { endDoNotDisturb } from "../account.js";
import { pull } from "../actions.js";
import { presenceOf } from "../directory.js";
import { timeOfDay } from "../format.js";
import { askPermission, permission } from "../notifications.js";
import { nameOf } from "../people.js";
import { preferences, setPreferences } from "../preferences.js";
import { doNotDisturb } from "../quiet.js";
import { useUpdate } from "../shell.js";
import { callLink } from "../sign-in.js";
import { ensureAudio, startAudio } from "../audio.js";
import { ariaHidden, button, change, h, hasText, icon, iconButton, state, t } from "./parts.js";

export function banners() {
	const { calls, connection, elsewhere, hasUpdate, isGuest, link } = state;
	const isIdle = calls.length === 0;
	return [
		h("div", { role: "status", key: "connection" }, connection === "reconnecting" && connectionBanner()),
		h("div", { key: "sound" }, soundBanner()),
		// One question at a time: after the first call, which asks for the microphone.
		isIdle && permission() === "default" && preferences.notifies && preferences.hasCalled && !isGuest && noticeBanner(),
		// Never during a call: the page is reloaded.
		isIdle && hasUpdate && banner({ key: "update" }, t("update"), button("small", t("update.use"), useUpdate)),
		link && !isGuest && linkBanner(nameOf(link.handle)),
		elsewhere.filter(({ call }) => call.hasConnected && !call.hasEnded).map(elsewhereBanner),
	];
}

export const banner = ({ iconName, ...props }, text, ...more) => (
	h("div.banner", props, iconName && icon(iconName), h("p.grow", text), more));

const noticeBanner = () => banner({ key: "notices" }, t("notify.ask"),
	button("small", t("notify.allow"), () => askPermission().then(() => change({}))),
	iconButton("close", t("dismiss"), () => setPreferences({ notifies: false })));

const linkBanner = (name) => banner({ key: "link" }, t("link.confirm", { name }),
	button("small.accept", t("callName", { name }), callLink),
	iconButton("close", t("dismiss"), () => change({ link: null })));

const elsewhereBanner = ({ call: { uuid }, device }) => banner({ key: uuid, iconName: "pull" },
	t("elsewhere", { device: device?.name || t("elsewhere.device") }),
	button("small", t("elsewhere.pull"), () => pull(uuid)));

function connectionBanner() {
	const { calls, closing, now, retryAt } = state;
	const isRestart = ["draining", "shutdown"].includes(closing?.reason);
	const key = !navigator.onLine ? "noNetwork" : isRestart ? "serverRestarts" : "reconnecting";
	const count = Math.ceil((retryAt - now) / 1000);
	return h("div.banner.warning", ariaHidden("span.spinner"),
		h("p.grow", h("b", t(key)), " ", calls.length > 0 && t("keepingCall")),
		count > 1 && ariaHidden("span.quiet", t("retryIn", { count })));
}

export function soundBanner() {
	const { sound, soundProblem } = state;
	const isBlocked = sound === "blocked" && soundProblem !== "noOutput";
	const problem = isBlocked ? sound : soundProblem ?? (sound === "off" && sound);
	if (!hasText(`sound.${problem}`)) return null;
	const fix = ["off", "blocked"].includes(problem) ? "soundOn" : "tryAgain";
	return banner({ role: "status", iconName: problem === "off" ? "speaker" : "warning" }, t(`sound.${problem}`),
		!["insecure", "unsupported"].includes(problem)
			&& button("small", t(fix), () => (fix === "soundOn" ? ensureAudio() : startAudio())));
}

/** In ms: a time that is further away has its day. */
const NEAR = 20 * 3_600_000;

const until = (time) => (
	t("disturb.until", { time: timeOfDay(time, time - Date.now() > NEAR ? "short" : undefined) }));

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
	return [h("h2.readiness", quiet ? [icon("moon"), quiet.text] : t("idle.title")), quiet?.canEnd && endButton()];
}

export function disturbanceBanner() {
	const quiet = disturbance();
	return quiet && banner({ key: "disturb", iconName: "moon", role: "status" }, quiet.text, quiet.canEnd && endButton());
}
