import { formatHandle, parseHandle } from "../callhub.js";
import { SHEETS } from "../phone/views/app.js";
import {
	button, change, confirmButton, field, form, h, hinted, icon, iconButton, input, isolate, sheet, state, switchRow, t,
} from "../phone/views/parts.js";
import { linkView } from "../invite/link.js";
import { act, afterTyping, isTouched, readAll, settle } from "./ask.js";

let accounts = [];
let search = "";
let shown = null;
let resetLink = null;
let erases = false;
let draft = emptyDraft();
/** The number of rows that are drawn. */
let limit = 50;

SHEETS.adminAccount = accountSheet;
SHEETS.adminAdd = addSheet;

function emptyDraft() {
	return { account: "", password: "", name: "", isAdmin: false };
}

export async function loadAccounts() {
	const fresh = await readAll("admin.accounts", "accounts", search ? { search } : {});
	accounts = settle(accounts, fresh, "account", isTouched(".admin-list"));
	if (shown) shown = fresh.find(({ account }) => account === shown.account) ?? shown;
}

const find = afterTyping(async () => {
	limit = 50;
	accounts = [];
	await loadAccounts().catch(() => {});
	change();
});

export const accountsSection = () => [
	h("div.row.admin-tools", searchField("admin.findAccount", search, (text) => {
		search = text.trim();
		find();
	}), button("small.primary", t("admin.add"), () => {
		draft = emptyDraft();
		change({ overlay: "adminAdd" });
	})),
	accounts.length ? h("ul.admin-list", accounts.slice(0, limit).map(row)) : h("p.quiet", t("admin.no.accounts")),
	accounts.length > limit && button("wide", t("admin.more", { count: accounts.length - limit }), () => {
		limit += 50;
		change();
	}),
];

export const searchField = (label, value, receive) => h("div.search.grow", icon("search"),
	input(receive, { type: "search", name: "search", value, ...hinted(label), maxlength: 100 }));

function row(one) {
	const { account, handles, devices, managed, isGone } = one;
	const marks = [
		managed?.isAdmin && t("admin.isAdmin"), managed?.isDisabled && t("admin.isDisabled"),
		!managed && t("admin.unmanaged"), devices > 0 && t("admin.deviceCount", { count: devices }),
	].filter(Boolean);
	return h("li", { key: account, class: isGone && "gone" }, button("row.open", [
		h("span.grow", h("b", isolate(account)), managed?.name && [" ", isolate(managed.name)],
			h("small", isolate([...marks, ...handles.map(({ value }) => value)].join(" · ")))),
		icon("chevron"),
	], () => open(one), { "aria-disabled": Boolean(isGone) }));
}

function open(one) {
	if (one.isGone) return;
	[shown, resetLink, erases] = [one, null, false];
	change({ overlay: "adminAccount" });
}

/** Performs an act on the shown account, and shows what it has become. */
async function apply(method, params, done) {
	const result = await act(`admin.${method}`, { account: shown.account, ...params }, done);
	await loadAccounts().catch(() => {});
	change();
	return result;
}

function accountSheet() {
	const { account, managed } = shown;
	return sheet("adminAccount", [
		managed ? rights(managed) : h("p.quiet", t("admin.unmanagedHelp")),
		numbers(),
		managed && [
			h("h3", t("admin.password")),
			resetLink ? linkView(resetLink)
				: [h("p.quiet", t("admin.resetHelp")), button("small", t("admin.reset"), reset)],
			h("h3", t("admin.remove")),
			h("p.quiet", t("admin.removeHelp")),
			switchRow("admin.erases", erases, (isOn) => {
				erases = isOn;
				change();
			}),
			confirmButton(`remove ${account}`, t("admin.remove"), remove,
				t(erases ? "admin.eraseConfirm" : "admin.removeConfirm", { name: account })),
		],
	], account);
}

function rights({ isAdmin, isDisabled }) {
	const { account } = shown;
	const set = (method, params, done) => () => apply(method, params, done);
	return h("div.stretch", { key: "rights" },
		h("p", t(isDisabled ? "admin.disabledNow" : "admin.enabledNow")),
		isDisabled ? button("small", t("admin.enable"), set("setDisabled", { isDisabled: false }, t("admin.done")))
			: confirmButton(`disable ${account}`, t("admin.disable"), set("setDisabled", { isDisabled: true }, t("admin.done")),
				t("admin.disableConfirm", { name: account })),
		h("p", t(isAdmin ? "admin.adminNow" : "admin.userNow")),
		confirmButton(`admin ${account}`, t(isAdmin ? "admin.takeAdmin" : "admin.giveAdmin"),
			set("setAdmin", { isAdmin: !isAdmin }, t("admin.done")),
			t(isAdmin ? "admin.takeAdminConfirm" : "admin.giveAdminConfirm", { name: account })));
}

function numbers() {
	const { account, handles, managed } = shown;
	return h("section", { key: "numbers" }, h("h3", t("admin.numbers")),
		h("ul", handles.map((handle) => h("li.row", { key: formatHandle(handle) }, isolate(handle.value, "grow"),
			managed && handles.length > 1 && confirmButton(`number ${formatHandle(handle)}`, t("remove"),
				() => apply("removeHandle", { handle }), t("admin.removeNumber", { number: handle.value, name: account }))))),
		managed && form({ class: "row" }, ({ entry }) => add(entry),
			h("input", { name: "entry", required: true, ...hinted("admin.addNumberHint"), maxlength: 200 }),
			h("button.small", { type: "submit" }, t("admin.addNumber"))));
}

async function add(entry) {
	const handle = parseHandle(entry.value);
	if (handle && await apply("addHandle", { handle })) entry.value = "";
}

async function reset() {
	const page = new URL("./", document.baseURI).href;
	resetLink = await apply("resetAccount", { page });
}

async function remove() {
	if (await act("admin.removeAccount", { account: shown.account, erases }, t("admin.removed"))) {
		accounts = accounts.filter(({ account }) => account !== shown.account);
		change({ overlay: null });
	}
}

function addSheet() {
	const text = (name, label, more) => field(t(label), input((value) => {
		draft[name] = value;
	}, { name, value: draft[name], ...more }), { key: name });
	return sheet("adminAdd", [
		h("p.quiet", t("admin.addHelp")),
		button("small", t("admin.inviteInstead"), async () => {
			await import("../invite/inviting.js");
			change({ overlay: "invite" });
		}),
		form({ class: "form" }, create,
			text("account", "admin.accountName", { required: true, maxlength: 128, spellcheck: "false" }),
			text("name", "admin.personName", { maxlength: 100 }),
			text("password", "admin.firstPassword", { required: true, type: "password", autocomplete: "new-password" }),
			switchRow("admin.makeAdmin", draft.isAdmin, (isOn) => {
				draft.isAdmin = isOn;
				change();
			}),
			h("button.primary.wide", { type: "submit" }, t("admin.add"))),
	], t("admin.add"));
}

async function create() {
	const { account, password, name, isAdmin } = draft;
	const made = await act("admin.addAccount", {
		account: account.trim(), password, name: name.trim() || undefined, isAdmin,
	}, t("admin.added", { name: account.trim() }));
	if (!made) return;
	draft = emptyDraft();
	await loadAccounts().catch(() => {});
	change({ overlay: null });
}
