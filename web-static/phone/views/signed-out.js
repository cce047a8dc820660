import { takeOverSession } from "../actions.js";
import { hasHostName, opening, operated } from "../address.js";
import { ensureAudio } from "../audio.js";
import { brandName, logoURL } from "../brand.js";
import { authMode, callAsGuest, opened, signIn, signInErrorText, updateSignIn } from "../sign-in.js";
import { banners } from "./banners.js";
import { callsPane } from "./calls.js";
import {
	ariaHidden, avatar, brandMark, button, change, field, form, h, icon, input, isolate, state, t,
} from "./parts.js";
import { languagePicker } from "./settings.js";

export const otherTabPage = () => h("main.card-page",
	h("div.card", cardHead("otherTab"), button("primary.wide", t("otherTab.use"), takeOverSession)));

export function insecurePage() {
	const { secureURL } = state.information ?? {};
	const href = /^https:\/\//.test(secureURL) && `${secureURL}${opening && `#${opening}`}`;
	return h("main.card-page", h("div.card", cardHead("insecure"),
		href ? [h("p", t("insecure.open")), h("a.link", { href }, secureURL)] : h("p.note", t("insecure.operator"))),
		footer());
}

const cardHead = (name, title = t(`${name}.title`), lead = t(`${name}.lead`)) => [
	brandMark(), h("h1", { id: `${name}-title` }, title), h("p.quiet", lead),
];

export const footer = () => h("footer.quiet", languagePicker(),
	button("link", t("diagnostics"), () => change({ overlay: "diagnostics" })));

export function signInPage() {
	const { isBusy } = state.signIn;
	const mode = authMode();
	const asksPassword = mode.startsWith("accounts") || state.signIn.asksPassword;
	const asksToken = mode === "token" || state.signIn.asksToken;
	const others = [
		!asksPassword && !mode && more("Password"),
		!asksToken && ["", "accounts+token"].includes(mode) && more("Token"),
	];
	const secret = { type: "password", created: (element) => state.signIn.account && element.focus() };
	const isBranded = brandName() !== "CallHub";
	const { label } = state.information?.openID ?? {};
	return h("main.card-page",
		form({ class: "card", "aria-labelledby": "signIn-title" }, signIn,
			cardHead("signIn", isBranded ? isolate(brandName()) : undefined, mode === "token" ? false : undefined),
			closingNote("status"),
			state.link && h("p.note", t("signIn.toCall", { name: state.link.handle.value })),
			label && button("primary.wide", t("signIn.withProvider", { label }), signInWithProvider, { key: "openID" }),
			mode !== "token" && ask("account", { autocomplete: "username", spellcheck: "false" }, "name"),
			asksPassword && ask("password", { autocomplete: "current-password", ...secret }),
			asksToken && ask("token", { maxlength: 8192, ...secret }),
			errorLine(),
			h(`button${label ? "" : ".primary"}.wide`, { type: "submit", "aria-disabled": isBusy },
				isBusy && ariaHidden("span.spinner"), t(isBusy ? "signIn.connecting" : "signIn.go")),
			state.information?.selfRegistration && button("link", t("signIn.register"), () => opened().then((page) => page.register())),
			state.information?.passkeys && hasHostName && globalThis.PublicKeyCredential
				&& button("small.wide", t("signIn.withPasskey"), usePasskey, { type: "button" }),
			others.some(Boolean) && h("details", h("summary.link", t("signIn.otherOptions")), h("div.more", others))),
		footer());
}

const signInWithProvider = () => import("../../openid/openid.js").then(({ begin }) => begin());
function usePasskey() {
	ensureAudio();
	import("../../account/sign-in.js").then(({ signInByPasskey }) => signInByPasskey());
}

function ask(name, props, label = name) {
	const { [name]: value, error } = state.signIn;
	return field(t(`signIn.${label}`), input((text) => updateSignIn({ [name]: text }),
		{ name, value, "aria-invalid": error ? true : null, ...props }), { key: name });
}

const more = (name) => (
	button("link", t(`signIn.with${name}`), () => updateSignIn({ [`asks${name}`]: true }), { key: name }));

const errorLine = () => h("p.error", { role: "alert" }, state.signIn.error?.());

function closingNote(role) {
	const { reason, error } = state.closing ?? {};
	const isInvalidLink = state.isGuest && !operated && reason === "expired";
	return state.closing && h("p.note", { role },
		error && error.name !== "credentialsMissing" ? signInErrorText(error) : t(isInvalidLink ? "guest.invalidLink" : `closing.${reason}`));
}

export function guestPage() {
	const { calls, connection, ended, link, sound, soundProblem } = state;
	if (!link) return signInPage();
	const hasCalls = calls.length > 0 || (ended.length > 0 && connection !== "closed");
	const top = h("header.top", (hasCalls || sound !== "off" || soundProblem) && banners());
	if (!hasCalls) return h("div.guest", top, invitation(link));
	return h("main.guest.shows-calls", h("h1.visually-hidden", brandName()), top, callsPane());
}

function invitation({ handle, asksName }) {
	const { isBusy } = state.signIn;
	const name = handle.value;
	const isBranded = logoURL() || brandName() !== "CallHub";
	return h("main.card-page", form({ class: "card" }, callAsGuest,
		isBranded && h("p.brand-line", logoURL() && brandMark(), isolate(brandName())),
		avatar(handle, name, { class: "large" }), h("h1", isolate(name)), h("p.quiet", t("guest.lead")),
		state.connection === "closed" && closingNote(),
		asksName && ask("guestName", { autocomplete: "name", maxlength: 64, autocapitalize: "words" }),
		errorLine(),
		h("button.accept.wide", { type: "submit", "aria-disabled": isBusy },
			isBusy ? ariaHidden("span.spinner") : icon("phone"), t("callName", { name }))));
}
