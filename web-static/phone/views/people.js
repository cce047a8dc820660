import { call, openPerson } from "../actions.js";
import { chosenIndex, sections } from "../directory.js";
import { day, timeOfDay } from "../format.js";
import { fold } from "../people.js";
import { showMorePeople } from "../presence.js";
import { dialField, dialPad } from "./dial.js";
import { edit, importButton, importResult, outcomeOf } from "./lists.js";
import { button, h, icon, iconButton, isolate, person, state, t } from "./parts.js";
import { disturbanceBanner, presenceDot, presenceText } from "./presence.js";

export function peoplePage() {
	const shown = sections();
	const isSearch = state.dial.text.trim() !== "";
	const results = isSearch ? shown[0].people : [];
	const above = [disturbanceBanner(), importResult()];
	// A row takes no tap just after it has moved.
	let place = above.filter(Boolean).length;
	return h("div.people", { class: state.showsKeypad && "dialling" },
		h("div.page-head", h("h1", t("tab.people")), importButton(), iconButton("add", t("contact.new"), () => edit())),
		dialField(results),
		h("div.people-list", above,
			isSearch ? resultList(results) : shown.map(({ name, people, hasMore }) => {
				place += people.length + 1;
				return section(name, people, place - people.length, hasMore);
			}),
			!isSearch && shown.length === 0 && h("p.empty", t("contacts.none"))),
		state.showsKeypad && dialPad());
}

const section = (name, people, place, hasMore) => h("div", { key: name },
	h("h2.day", t(name)),
	h("ul.list", people.map((one, index) => h("li.row", { key: one.key, guard: `${place + index}` }, cells(one)))),
	(hasMore || (name === "everyone" && state.nextPeople)) && button("small", t("people.more"), showMorePeople));

function resultList(results) {
	const chosen = chosenIndex();
	return h("div.list", { key: "results", id: "dial-list", role: "grid", "aria-label": t("dial.results") },
		results.map((one, index) => h("div.row", {
			key: one.key, id: `dial-${index}`, role: "row", "aria-selected": index === chosen, guard: `${index}`,
			// Otherwise the field loses the focus, and the keyboard of a telephone its place.
			onpointerdown: (event) => event.preventDefault(),
		}, cells(one, "gridcell"))));
}

function cells(one, role = null) {
	const { name, handle, recent, from } = one;
	const words = [presenceText(one), detailOf(one)].filter(Boolean);
	const line = h("small.clip", recent && icon(recent.direction, "tiny"), presenceText(one) && presenceDot(one),
		words.map((word, index) => [index > 0 && " · ", isolate(word)]),
		// Each row has the same height.
		words.length === 0 && "\xa0");
	const label = t("callAt", { name, handle: words.join(", ") || handle.value });
	return [
		h("div.grow", { role }, button("person", person(handle, name, line), () => call(handle), { "aria-label": label })),
		h("div", { role }, !["typed", "builtIn"].includes(from)
			&& iconButton("more", t("people.open", { name }), () => openPerson(one))),
	];
}

function detailOf({ name, handle, recent, department, from }) {
	const { type: kind, value } = handle;
	if (recent) return `${outcomeOf(recent)}, ${dayOrTime(recent.startedAt)}`;
	if (from === "builtIn") return t(`from.hub.${value}`);
	if (from === "typed") return t(`from.typed.${kind}`);
	return department || (fold(value) !== fold(name) && value);
}

function dayOrTime(date) {
	const name = day(date, Date.now());
	return name === t("today") ? timeOfDay(date) : name;
}
