import { hub } from "../phone/hub.js";
import { day, timeOfDay } from "../phone/format.js";
import { button, change, confirmButton, h, isolate, language, t } from "../phone/views/parts.js";
import { act } from "./ask.js";
import { addSamples, graphs } from "./graph.js";

let status = null;
let lastSample;
let lastRead = 0;

export async function loadStatus() {
	status = await hub.request("admin.status");
	// A sample is taken every ten seconds.
	if (Date.now() - lastRead < 9000) return;
	lastRead = Date.now();
	const history = await hub.request("admin.history", { since: lastSample });
	lastSample = history.samples.at(-1)?.at ?? lastSample;
	addSamples(history);
}

const when = (date) => date && `${day(date, Date.now())} ${timeOfDay(date)}`;
const number = (value) => value.toLocaleString(language);

export function statusSection() {
	if (!status) return h("p.quiet", { "aria-busy": true }, t("admin.loading"));
	return [graphs(), server(), certificate(), backup(), refusals(), log()];
}

const part = (name, ...content) => h("section", { key: name }, h("h2", t(`admin.${name}`)), content);
const facts = (rows) => h("dl.admin-facts", rows.filter(([, value]) => value).map(([name, value]) => (
	h("div", { key: name }, h("dt", t(`admin.fact.${name}`)), h("dd", value)))));

function server() {
	const { hub: program, startedAt, now, authMode, sessionCount, callCount, isDraining } = status;
	const minutes = Math.floor((Date.parse(now) - Date.parse(startedAt)) / 60_000);
	const uptime = t("admin.uptime", {
		days: Math.floor(minutes / 1440), hours: Math.floor(minutes / 60) % 24, minutes: minutes % 60,
	});
	return part("server", isDraining && h("p.note", t("admin.draining")), facts([
		["version", `${program.name} ${program.version}`], ["node", program.node], ["uptime", uptime],
		["mode", authMode], ["sessions", number(sessionCount)], ["calls", number(callCount)],
	]), h("p.quiet", t("admin.reloadHelp")),
	confirmButton("reload", t("admin.reload"), () => act("admin.reload", {}, t("admin.reloaded")), t("admin.reloadConfirm")));
}

function certificate() {
	const { certificate: one } = status;
	if (!one) return part("certificate", h("p.quiet", t("admin.noCertificate")));
	const days = Math.floor((Date.parse(one.expiresAt) - Date.now()) / 86_400_000);
	return part("certificate",
		days < 14 && h("p.note", t("admin.expiresSoon", { count: Math.max(0, days) })),
		one.failure && h("p.error", one.failure),
		facts([
			["kind", t(`admin.certificate.${one.kind}`)], ["names", isolate(one.names.join(", "))], ["issuer", one.issuer],
			["expires", when(one.expiresAt)], ["renewal", when(one.nextRenewalAt)],
		]));
}

function backup() {
	const { backup: one } = status;
	if (!one) return part("backup", h("p.quiet", t("admin.noBackup")));
	const size = one.bytes && `${(one.bytes / 1e6).toLocaleString(language, { maximumFractionDigits: 1 })} MB`;
	return part("backup", one.failure && h("p.error", one.failure),
		facts([
			["newest", when(one.newestAt) ?? t("admin.never")], ["size", size],
			["failures", one.failures > 0 && number(one.failures)],
		]),
		button("small", t(one.isRunning ? "admin.backupRuns" : "admin.backupNow"), backUp, { "aria-disabled": one.isRunning }));
}

async function backUp() {
	if (status.backup.isRunning) return;
	if (!await act("admin.backup", {}, t("admin.backupBegun"))) return;
	await loadStatus().catch(() => {});
	change();
}

function refusals() {
	const rows = status.refusals.filter(({ total }) => total > 0);
	return part("refusals", h("p.quiet", t("admin.refusalsLead")),
		rows.length ? h("table.admin-table",
			h("thead", h("tr", ["limit", "lastHour", "total"].map((name) => h("th", { scope: "col" }, t(`admin.column.${name}`))))),
			h("tbody", rows.map(({ limit, total, lastHour }) => h("tr", { key: limit },
				h("td", t(`admin.limit.${limit}`)), h("td.number", number(lastHour)), h("td.number", number(total))))))
			: h("p", t("admin.no.refusals")));
}

const log = () => part("log", status.log.length
	? h("ul.admin-log", { tabindex: 0, role: "list", "aria-label": t("admin.log") }, status.log.map(({ at, level, text }, index) => (
		h("li", { key: `${at} ${index}`, class: level }, h("small", when(at), " · ", t(`admin.level.${level}`)),
			isolate(text)))))
	: h("p.quiet", t("admin.no.log")));
