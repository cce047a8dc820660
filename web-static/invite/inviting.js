import { copy } from "../phone/actions.js";
import { request } from "../phone/hub.js";
import { SHEETS } from "../phone/views/app.js";
import {
	button, change, confirmButton, field, form, h, input, isolate, language, selectRow, sheet, switchRow, t,
} from "../phone/views/parts.js";
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

function link({ url, qr }) {
	const share = () => navigator.share({ url }).catch(() => {});
	return h("div.form", { key: "link" },
		field(t("invite.link"), h("input", {
			readonly: true, value: url, name: "link", onfocus: ({ target }) => target.select(),
		})),
		h("p.quiet", t("invite.once")),
		button("primary.wide", t("invite.copy"), () => copy(url)),
		navigator.share && button("wide", t("invite.share"), share),
		h("img.code", { src: picture(qr), alt: t("invite.qr"), width: 240, height: 240 }),
		button("link", t("invite.another"), () => {
			created = null;
			change();
		}));
}

/** Draws the server's modules with the quiet zone that cameras need. */
function picture({ size, modules }) {
	const bits = atob(modules);
	const isDark = (index) => bits.charCodeAt(index >> 3) & (0x80 >> (index & 7));
	let path = "";
	for (let index = 0; index < size * size; index++) {
		if (isDark(index)) path += `M${index % size + 4} ${Math.floor(index / size) + 4}h1v1h-1z`;
	}
	const side = size + 8;
	return "data:image/svg+xml," + encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}">`
		+ `<path fill="#fff" d="M0 0h${side}v${side}H0z"/><path d="${path}"/></svg>`);
}

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
