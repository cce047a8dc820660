import { hub } from "../phone/hub.js";
import { signIn, updateSignIn } from "../phone/sign-in.js";
import { errorText, showToast } from "../phone/toasts.js";
import { ariaHidden, brandMark, button, change, field, form, h, input, t } from "../phone/views/parts.js";
import { footer } from "../phone/views/signed-out.js";
import { ask } from "./request.js";
import "./text.js";

/** Opens the invitation of a link; its secret is not stored. */
export async function open(secret) {
	try {
		const offer = await ask("invitation.show", { secret });
		if (offer.kind === "guest") openCall(offer, secret);
		else if (hub.state === "online") leave(t("invite.signedIn"));
		else change({ page: accountPage(offer, secret) });
	} catch (error) {
		if (hub.state === "online") leave(errorText(error));
		else change({ page: () => refusal(error) });
	}
}

function leave(text) {
	change({ page: null });
	showToast(text, true);
}

function openCall({ handle, asksName }, invitation) {
	const isOnline = hub.state === "online";
	const link = { handle, asksName, token: null, ...!isOnline && { invitation } };
	change({ page: null, link, ...!isOnline && { isGuest: true } });
}

const refusal = (error) => h("main.card-page", h("div.card",
	brandMark(), h("h1", t("invite.invitation")), h("p", { role: "alert" }, errorText(error)), toSignIn()), footer());

const toSignIn = () => button("link", t("invite.toSignIn"), () => change({ page: null }));

function accountPage({ kind, from, account = "", name = "" }, secret) {
	const isReset = kind === "reset";
	const entered = { account, password: "", displayName: name };
	let isBusy = false;
	let error = null;
	const entry = (key, label, more) => field(t(`invite.${label}`), input((text) => {
		entered[key] = text;
	}, { name: key, value: entered[key], "aria-invalid": error ? true : null, ...more }), { key });

	async function accept() {
		if (isBusy) return;
		[isBusy, error] = [true, null];
		change();
		try {
			const { password } = entered;
			const displayName = entered.displayName.trim() || undefined;
			const made = await ask("invitation.accept", { secret, account: entered.account.trim(), password, displayName });
			change({ page: null });
			updateSignIn({ account: made.account, password });
			await signIn();
		} catch (fault) {
			[isBusy, error] = [false, fault];
			change();
		}
	}

	return () => h("main.card-page", form({ class: "card", "aria-labelledby": "invite-title" }, accept,
		brandMark(),
		h("h1", { id: "invite-title" }, t(`invite.${{ owner: "ownerTitle", reset: "resetTitle" }[kind] ?? "title"}`)),
		h("p.quiet", isReset ? t("invite.resetLead") : kind === "owner" ? t("invite.ownerLead") : from ? t("invite.from", { name: from })
			: t("invite.fromServer")),
		entry("account", "loginName", { autocomplete: "username", spellcheck: "false", required: true, maxlength: 128, readonly: isReset }),
		entry("password", "password", { type: "password", autocomplete: "new-password", required: true }),
		!isReset && entry("displayName", "shownName", { autocomplete: "name", maxlength: 100, autocapitalize: "words" }),
		h("p.error", { role: "alert" }, error && errorText(error)),
		h("button.primary.wide", { type: "submit", "aria-disabled": isBusy }, isBusy && ariaHidden("span.spinner"),
			t(isReset ? "invite.setPassword" : "invite.accept")),
		toSignIn()), footer());
}
