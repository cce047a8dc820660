import { request } from "../phone/hub.js";
import { SHEETS } from "../phone/views/app.js";
import {
	button, change, confirmButton, field, form, h, input, isolate, language, selectRow, sheet, switchRow, t,
} from "../phone/views/parts.js";
import { linkView } from "./link.js";
import "./text.js";

const HOUR = 3_600_000;
const LIFETIMES = [1, 24, 7 * 24, 30 * 24];
const draft = { kind: "guest", name: "", guestNames: false, hours: 24, maximumCalls: "" };
let created = null;
let list = [];
let mayInvite = false;

SHEETS.invite = () => sheet("invite", [created ? link(created) : entry(), mine()]);
load();

export async function load() {
	const result = await request("invitations.list");
	if (!result) return;
	[list, mayInvite] = [result.invitations.reverse(), result.accounts];
	change();
}

function set(members) {
	Object.assign(draft, members);
	change();
}

async function create() {
	const { kind, name, guestNames, hours, maximumCalls } = draft;
	const result = await request("invitations.create", {
		kind,
		name: name.trim() || undefined,
		...kind === "guest" && { guestNames, maximumCalls: Number(maximumCalls) || undefined },
		expiresAt: new Date(Date.now() + hours * HOUR).toISOString(),
		page: new URL("./", document.baseURI).href,
	});
	if (!result) return;
	created = result;
	draft.name = "";
	change();
	load();
}

const lifetime = (hours) => (
	hours < 24 ? t("invite.hours", { count: hours }) : t("invite.days", { count: hours / 24 }));

function entry() {
	const { kind, name, guestNames, hours, maximumCalls } = draft;
	const kinds = ["guest", "account"].map((one) => [one, t(`invite.${one}`)]);
	const numbers = [["", t("invite.anyCalls")], ...[1, 5, 20].map((count) => [String(count), String(count)])];
	return form({ key: "entry", class: "form" }, create,
		h("p.quiet", t(mayInvite ? "invite.lead" : "invite.guestLead")),
		mayInvite && selectRow("invite.kind", kind, kinds, (one) => set({ kind: one })),
		field(t("invite.name"), input((text) => set({ name: text }), { name: "name", value: name, maxlength: 100 })),
		kind === "guest" && switchRow("invite.guestNames", guestNames, (isOn) => set({ guestNames: isOn })),
		selectRow("invite.until", String(hours), LIFETIMES.map((one) => [String(one), lifetime(one)]),
			(one) => set({ hours: Number(one) })),
		kind === "guest" && selectRow("invite.calls", maximumCalls, numbers, (one) => set({ maximumCalls: one })),
		h("button.primary.wide", { type: "submit" }, t("invite.create")));
}

const link = (made) => linkView(made, button("link", t("invite.another"), () => {
	created = null;
	change();
}));

const mine = () => h("section", { key: "mine" }, h("h3", t("invite.mine")),
	list.length ? h("ul", list.map(row)) : h("p.quiet", t("invite.none")));

function row(invitation) {
	const { id, kind, name, account, maximumCalls: count, calls } = invitation;
	const title = name ?? account;
	return h("li.row", { key: id },
		h("span.grow", h("b", isolate(title || t(`invite.${kind}`))), " ",
			h("small", title && [t(`invite.${kind}`), " · "], count && [t("invite.callsOf", { calls, count }), " · "],
				stateOf(invitation))),
		isValid(invitation) && confirmButton(id, t("invite.revoke"), () => revoke(id), t("invite.revokeConfirm")));
}

const isUsed = ({ usedAt, calls, maximumCalls }) => usedAt || calls >= maximumCalls;
const isValid = (one) => !one.revokedAt && !isUsed(one) && Date.parse(one.expiresAt) > Date.now();

function stateOf(one) {
	const { revokedAt, usedBy, expiresAt } = one;
	if (revokedAt) return t("invite.revoked");
	if (isUsed(one)) return usedBy ? t("invite.usedBy", { name: usedBy }) : t("invite.used");
	if (!isValid(one)) return t("invite.expired");
	const format = { month: "short", day: "numeric", hour: "numeric", minute: "2-digit" };
	return t("invite.valid", { time: new Date(expiresAt).toLocaleString(language, format) });
}

async function revoke(id) {
	if (await request("invitations.revoke", { id })) load();
}
