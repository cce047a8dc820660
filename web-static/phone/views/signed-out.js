import { takeOverSession } from "../actions.js";
import { callAsGuest, signIn, updateSignIn } from "../sign-in.js";
import { errorText } from "../toasts.js";
import { banners } from "./banners.js";
import { callsPane } from "./calls.js";
import {
	ariaHidden, avatar, button, change, field, form, h, hasText, icon, input, isolate, state, t,
} from "./parts.js";
import { languagePicker } from "./settings.js";

export const otherTabPage = () => h("main.card-page",
	h("div.card", cardHead("otherTab"), button("primary.wide", t("otherTab.use"), takeOverSession)));

const cardHead = (name) => [
	h("span.brand", icon("phone")), h("h1", { id: `${name}-title` }, t(`${name}.title`)),
	h("p.quiet", t(`${name}.lead`)),
];

export function signInPage() {
	const { isBusy, asksPassword, asksToken } = state.signIn;
	const secret = { type: "password", created: (element) => element.focus() };
	return h("main.card-page",
		form({ class: "card", "aria-labelledby": "signIn-title" }, signIn,
			cardHead("signIn"), closingNote("status"),
			state.link && h("p.note", t("signIn.toCall", { name: state.link.handle.value })),
			ask("account", { autocomplete: "username", spellcheck: "false" }, "name"),
			asksPassword && ask("password", { autocomplete: "current-password", ...secret }),
			asksToken && ask("token", { maxlength: 8192, ...secret }),
			errorLine(),
			h("button.primary.wide", { type: "submit", "aria-disabled": isBusy }, isBusy && ariaHidden("span.spinner"),
				t(isBusy ? "signIn.connecting" : "signIn.go")),
			(!asksPassword || !asksToken) && h("details", h("summary.link", t("signIn.otherOptions")),
				h("div.more", !asksPassword && more("Password"), !asksToken && more("Token")))),
		h("footer.quiet", languagePicker(),
			button("link", t("diagnostics"), () => change({ overlay: "diagnostics" }))));
}

function ask(name, props, label = name) {
	const { [name]: value, error } = state.signIn;
	return field(t(`signIn.${label}`), input((text) => updateSignIn({ [name]: text }),
		{ name, value, "aria-invalid": error ? true : null, ...props }), { key: name });
}

const more = (name) => (
	button("link", t(`signIn.with${name}`), () => updateSignIn({ [`asks${name}`]: true }), { key: name }));

const errorLine = () => h("p.error", { role: "alert" }, state.signIn.error);

function closingNote(role) {
	const { reason, error } = state.closing ?? {};
	const text = error ? errorText(error) : t([`closing.${reason}`, "closing.shutdown"].find(hasText));
	return state.closing && h("p.note", { role }, text);
}

export function guestPage() {
	const { calls, ended, link, sound, soundProblem } = state;
	if (!link) return signInPage();
	const hasCalls = calls.length + ended.length > 0;
	// The call button starts audio.
	const top = h("header.top", (hasCalls || sound !== "off" || soundProblem) && banners());
	if (!hasCalls) return h("div.guest", top, invitation(link.handle));
	return h("main.guest.shows-calls", h("h1.visually-hidden", "CallHub"), top, callsPane());
}

function invitation(handle) {
	const { isBusy } = state.signIn;
	const name = handle.value;
	return h("main.card-page", h("div.card",
		avatar(handle, name, { class: "large" }), h("h1", isolate(name)), h("p.quiet", t("guest.lead")),
		state.connection === "closed" && closingNote(),
		errorLine(),
		h("button.accept.wide", { "aria-disabled": isBusy, onclick: () => !isBusy && callAsGuest() },
			isBusy ? ariaHidden("span.spinner") : icon("phone"), t("callName", { name }))));
}
