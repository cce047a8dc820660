import { day, timeOfDay } from "../phone/format.js";
import { button, change, confirmButton, h, isolate, t } from "../phone/views/parts.js";
import { act, isTouched, readAll, settle } from "./ask.js";
import "../invite/text.js";

let list = [];

export async function loadInvitations() {
	const fresh = await readAll("invitations.list", "invitations", { all: true });
	list = settle(list, fresh.reverse(), "id", isTouched(".admin-list"));
}

export const invitationsSection = () => [
	h("div.row.admin-tools", button("small.primary", t("admin.invite"), async () => {
		await import("../invite/inviting.js");
		change({ overlay: "invite" });
	})),
	list.length ? h("ul.admin-list", list.map(row)) : h("p.quiet", t("invite.none")),
];

const isUsed = ({ usedAt, calls, maximumCalls }) => usedAt || calls >= maximumCalls;
const isValid = (one) => !one.revokedAt && !isUsed(one) && Date.parse(one.expiresAt) > Date.now();

function stateOf(one) {
	if (one.revokedAt) return t("invite.revoked");
	if (isUsed(one)) return one.usedBy ? t("invite.usedBy", { name: one.usedBy }) : t("invite.used");
	if (!isValid(one)) return t("invite.expired");
	return t("invite.valid", { time: `${day(one.expiresAt, Date.now())} ${timeOfDay(one.expiresAt)}` });
}

function row(one) {
	const { id, kind, handle, name, account, createdBy, isGone } = one;
	const title = name ?? account ?? handle?.value ?? t(`admin.invited.${kind}`);
	return h("li.row", { key: id, class: isGone && "gone" },
		h("span.grow", h("b", isolate(title)), h("small", t(`admin.invited.${kind}`), " · ",
			createdBy ? t("admin.by", { name: createdBy }) : t("admin.byOperator"), " · ", stateOf(one))),
		!isGone && isValid(one) && confirmButton(id, t("invite.revoke"), () => revoke(id), t("invite.revokeConfirm")));
}

async function revoke(id) {
	if (!await act("invitations.revoke", { id })) return;
	await loadInvitations().catch(() => {});
	change();
}
