import { brandName, loadInformation } from "../phone/brand.js";
import { hub } from "../phone/hub.js";
import { change, state } from "../phone/state.js";
import { signIn, updateSignIn } from "../phone/sign-in.js";
import { errorText, showToast } from "../phone/toasts.js";
import { ariaHidden, brandMark, button, field, form, h, input, isolate, t } from "../phone/views/parts.js";
import { footer } from "../phone/views/signed-out.js";
import { ask } from "./request.js";
import "./text.js";

/** Opens the invitation of a link; its secret is not stored. */
export async function open(secret) {
	try {
		const offer = await ask("invitation.show", { secret });
		if (offer.kind === "guest") openCall(offer, secret);
		else if (hub.state === "online") leave(t("invite.signedIn"));
		else showForm(offer, (members) => ask("invitation.accept", { secret, ...members }));
	} catch (error) {
		if (hub.state === "online") leave(errorText(error));
		else await refuse(error, secret);
	}
}

/** Opens the form of a server where anybody may create an account. */
export const register = () => showForm({ kind: "register" }, (members) => ask("account.register", members));

const showForm = (offer, create) => change({ page: accountPage(offer, create) });

async function refuse(error, secret) {
	// Safari opens no WebSocket under a certificate that the device does not trust, whatever the user has allowed.
	const answer = error.name === "unreachable" && await fetch("v1/info").catch(() => null);
	const { certificate } = await answer?.json?.().catch(() => null) ?? {};
	const href = certificate?.trustURL === "/trust" && `trust#i=${encodeURIComponent(secret)}`;
	change({ page: () => card(h("h1", t("invite.invitation")), h("p", { role: "alert" }, errorText(error)),
		href && h("a.link", { href }, t("invite.trust")), toSignIn()) });
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

const card = (...content) => h("main.card-page", h("div.card", brandMark(), content), footer());

const toSignIn = () => button("link", t("invite.toSignIn"), leaveToSignIn);

const hasNoOwner = () => {
	const { setup, selfRegistration, openID } = state.information ?? {};
	return setup === true && !selfRegistration && !openID?.label;
};

/** Shows what to do on a server where nobody can sign in yet (docs/operations.md, Start with one command). */
export const showSetup = () => state.page || leaveToSignIn();

function leaveToSignIn() {
	if (!hasNoOwner()) return change({ page: null });
	change({ page: () => card(h("h1", isolate(brandName())), h("p", { role: "status" }, t("invite.noOwner")),
		button("primary.wide", t("invite.reload"), async () => {
			await loadInformation();
			if (!hasNoOwner()) change({ page: null });
		})) });
}

function leadOf({ kind, from }) {
	if (["owner", "register", "reset"].includes(kind)) return t(`invite.${kind}Lead`);
	return from ? t("invite.from", { name: from }) : t("invite.fromServer");
}

function accountPage(offer, create) {
	const { kind, account = "", name = "" } = offer;
	const isReset = kind === "reset";
	const entered = { account, password: "", displayName: name };
	let isBusy = false;
	let error = null;
	let isOwned = false;
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
			const made = await create({ account: entered.account.trim(), password, displayName });
			change({ information: { ...state.information, setup: false } });
			updateSignIn({ account: made.account, password });
			await signIn();
			change({ page: null });
		} catch (fault) {
			[isBusy, error] = [false, fault];
			isOwned = kind === "owner" && fault.data?.reason === "used";
			change(isOwned && { information: { ...state.information, setup: false } });
		}
	}

	return () => h("main.card-page", form({ class: "card", "aria-labelledby": "invite-title" }, accept,
		brandMark(),
		h("h1", { id: "invite-title" }, t(`invite.${{ owner: "ownerTitle", reset: "resetTitle" }[kind] ?? "title"}`)),
		h("p.quiet", leadOf(offer)),
		entry("account", "loginName", { autocomplete: "username", spellcheck: "false", required: true, maxlength: 128, readonly: isReset }),
		entry("password", "password", { type: "password", autocomplete: "new-password", required: true }),
		!isReset && entry("displayName", "shownName", { autocomplete: "name", maxlength: 100, autocapitalize: "words" }),
		h("p.error", { role: "alert" }, isOwned ? t("invite.owned") : error && errorText(error)),
		h("button.primary.wide", { type: "submit", "aria-disabled": isBusy }, isBusy && ariaHidden("span.spinner"),
			t(isReset ? "invite.setPassword" : "invite.accept")),
		(kind !== "owner" || isOwned) && toSignIn()), footer());
}
