import { hub } from "../phone/hub.js";
import { day, timeOfDay } from "../phone/format.js";
import { button, change, h, hasText, isolate, t } from "../phone/views/parts.js";
import { act } from "./ask.js";

let entries = [];
let next;
let verdict = null;

export async function loadAudit() {
	const result = await hub.request("admin.audit", { limit: 50 });
	const [oldest] = result.entries.slice(-1);
	const older = entries.filter(({ number }) => oldest && number < oldest.number);
	if (older.length === 0) next = result.next;
	entries = [...result.entries, ...older];
}

export const auditSection = () => [
	h("p.quiet", t("admin.auditLead")),
	h("div.row.admin-tools", button("small", t("admin.verify"), verify)),
	verdict && h("p", { role: "status", class: verdict.fault ? "error" : "note" }, verdict.fault
		? t("admin.chainBroken", { number: verdict.fault.number, reason: verdict.fault.reason })
		: t("admin.chainWhole", { count: verdict.entryCount, number: verdict.head?.number ?? 0 })),
	verdict?.head && h("p.admin-hash.quiet", verdict.head.hash),
	entries.length ? h("ol.admin-list", { reversed: true }, entries.map(row)) : h("p.quiet", t("admin.no.audit")),
	next && button("wide", t("admin.older"), older),
];

function row({ number, at, origin, account, device, address, user, act: name, target, detail, result, reason }) {
	const who = account ?? user ?? t(`admin.origin.${origin}`);
	const from = [device, address].filter(Boolean).join(", ") || t(`admin.origin.${origin}`);
	const word = `admin.act.${name}`;
	return h("li.row", { key: String(number), class: result },
		h("div.grow", h("b", hasText(word) ? t(word) : name, target && [": ", isolate(target)]),
			h("small", `${day(at, Date.now())} ${timeOfDay(at)} · `, isolate(who), " · ", isolate(from)),
			detail && h("small", isolate(detail)),
			result === "refused" && h("small.red", t("admin.refused"), reason && [": ", reason])));
}

async function verify() {
	verdict = await act("admin.verifyAudit", {});
	change();
}

async function older() {
	const result = await act("admin.audit", { limit: 50, after: next });
	if (!result) return;
	entries = [...entries, ...result.entries];
	next = result.next;
	change();
}
