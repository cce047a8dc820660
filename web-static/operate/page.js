import { note } from "../phone/acts.js";
import { operated } from "../phone/address.js";
import { cardsOf } from "../phone/cards.js";
import { hub } from "../phone/hub.js";
import { parseHandle } from "../phone/people.js";
import { signOut } from "../phone/sign-in.js";
import { isOnline } from "../phone/state.js";
import { errorText, showToast } from "../phone/toasts.js";
import { banners } from "../phone/views/banners.js";
import { callsPane } from "../phone/views/calls.js";
import { brandMark, button, change, field, form, h, input, state, t } from "../phone/views/parts.js";
import { footer, otherTabPage, signInPage } from "../phone/views/signed-out.js";
import "./text.js";

let written = "";

/** Makes this tab the lock screen of another device, which has the sound of its calls: here it only rings. */
export function open() {
	const { audio } = hub;
	const start = audio.start.bind(audio);
	audio.start = () => start({ microphone: false });
	audio.needs = () => {};
	// Without contacts, Recents and settings of a phone of its own.
	const takePlace = () => change({ isGuest: true, page });
	hub.addEventListener("state", takePlace);
	takePlace();
}

function page() {
	if (state.connection === "steppedBack") return otherTabPage();
	if (!isOnline()) return signInPage();
	const top = h("header.top", banners());
	if (cardsOf(state.calls).length + state.ended.length === 0) return h("div.guest", top, idle());
	return h("main.guest.shows-calls", h("h1.visually-hidden", title()), top, callsPane());
}

const title = () => t("operate.title", { device: operated });

const idle = () => h("main.card-page",
	form({ class: "card", "aria-labelledby": "operate-title" }, start,
		brandMark(), h("h1.clip", { id: "operate-title" }, title()), h("p.quiet", t("operate.lead")),
		field(t("operate.handle"), input((text) => (written = text),
			{ name: "handle", value: written, spellcheck: "false", autocapitalize: "none", maxlength: 1024, required: true })),
		h("button.primary.wide", { type: "submit" }, t("operate.call")),
		button("link", t("signOut"), signOut)),
	footer());

function start() {
	const handle = parseHandle(written.trim());
	if (!handle) return showToast(t("operate.noHandle"), true);
	note("call");
	const started = () => change(written = "");
	hub.call(handle).then(started, (error) => (
		showToast(error.code === 404 ? t("operate.absent", { device: operated }) : errorText(error), true)));
}
