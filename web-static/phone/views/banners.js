import { pull } from "../actions.js";
import { askPermission, permission } from "../notifications.js";
import { nameOf } from "../people.js";
import { preferences, prefer } from "../preferences.js";
import { useUpdate } from "../shell.js";
import { callLink } from "../sign-in.js";
import { startSound } from "../sound.js";
import { button, change, h, hasText, icon, iconButton, state, t, unsaid } from "./parts.js";

export function banners() {
	const { calls, connection, elsewhere, hasUpdate, isGuest, link } = state;
	const isIdle = calls.length === 0;
	return [
		h("div", { role: "status", key: "connection" }, connection === "reconnecting" && connectionBanner()),
		h("div", { key: "sound" }, soundBanner()),
		isIdle && permission() === "default" && preferences.notifies && !isGuest && noticeBanner(),
		// Never in a call: the page is loaded anew.
		isIdle && hasUpdate && banner({ key: "update" }, t("update"), button("small", t("update.use"), useUpdate)),
		link && !isGuest && linkBanner(nameOf(link.handle)),
		elsewhere.filter(({ call }) => call.hasConnected && !call.hasEnded).map(elsewhereBanner),
	];
}

export const banner = ({ sign, ...props }, text, ...more) => (
	h("div.banner", props, sign && icon(sign), h("p.grow", text), more));

/** Browsers want a touch before they ask. */
const noticeBanner = () => banner({ key: "notices" }, t("notify.ask"),
	button("small", t("notify.allow"), () => askPermission().then(() => change({}))),
	iconButton("close", t("dismiss"), () => prefer({ notifies: false })));

/** Whom a link names is never called without a touch. */
const linkBanner = (name) => banner({ key: "link" }, t("link.asks", { name }),
	button("small.accept", t("callName", { name }), callLink),
	iconButton("close", t("dismiss"), () => change({ link: null })));

const elsewhereBanner = ({ call: { uuid }, device }) => banner({ key: uuid, sign: "pull" },
	t("elsewhere", { device: device?.name || t("elsewhere.device") }),
	button("small", t("elsewhere.pull"), () => pull(uuid)));

function connectionBanner() {
	const { calls, closing, now, retryAt } = state;
	const isRestart = ["draining", "shutdown"].includes(closing?.reason);
	const what = !navigator.onLine ? "noNetwork" : isRestart ? "hubRestarts" : "reconnecting";
	const count = Math.ceil((retryAt - now) / 1000);
	return h("div.banner.warning", unsaid("span.spinner"),
		h("p.grow", h("b", t(what)), " ", calls.length > 0 && t("callGoesOn")),
		count > 1 && unsaid("span.quiet", t("retryIn", { count })));
}

export function soundBanner() {
	const { sound, soundProblem } = state;
	const problem = sound === "blocked" ? sound : soundProblem ?? (sound === "off" && sound);
	if (!hasText(`sound.${problem}`)) return null;
	const mend = ["off", "blocked"].includes(problem) ? "soundOn" : "tryAgain";
	return banner({ role: "status", sign: problem === "off" ? "speaker" : "warning" }, t(`sound.${problem}`),
		!["insecure", "unsupported"].includes(problem) && button("small", t(mend), startSound));
}
