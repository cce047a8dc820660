import { change, h, isolate, t } from "../phone/views/parts.js";
import { searchField } from "./accounts.js";
import { afterTyping, readAll } from "./ask.js";

let owners = [];
let search = "";

export async function loadNumbers() {
	owners = await readAll("admin.handles", "owners", search ? { search } : {}, 500);
}

const find = afterTyping(async () => {
	await loadNumbers().catch(() => {});
	change();
});

/** Only reads: numbers are added and removed on the sheet of an account. */
export const numbersSection = () => [
	h("p.quiet", t("admin.numbersLead")),
	h("div.row.admin-tools", searchField("admin.findNumber", search, (text) => {
		search = text.trim();
		find();
	})),
	owners.length ? h("table.admin-table",
		h("thead", h("tr", ["kind", "number", "account"].map((name) => h("th", { scope: "col" }, t(`admin.column.${name}`))))),
		h("tbody", owners.map(({ handle, account }) => h("tr", { key: `${handle.type} ${handle.value}` },
			h("td", t(`admin.type.${handle.type}`)), h("td", isolate(handle.value)), h("td", isolate(account))))))
		: h("p.quiet", t("admin.no.numbers")),
];
