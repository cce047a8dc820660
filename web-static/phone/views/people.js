import { call, dial, openPerson, pressKey, type } from "../actions.js";
import { chosenIndex, everyoneBeside, sections } from "../directory.js";
import { day, timeOfDay } from "../format.js";
import { fold } from "../people.js";
import { showMorePeople } from "../presence.js";
import { edit, importButton, importResult, outcomeOf } from "./lists.js";
import {
	ariaHidden, button, change, empty, h, hinted, icon, iconButton, input, isolate, person, state, t,
} from "./parts.js";
import { disturbanceBanner, presenceDot, presenceText } from "./banners.js";

const LETTERS = { 2: "ABC", 3: "DEF", 4: "GHI", 5: "JKL", 6: "MNO", 7: "PQRS", 8: "TUV", 9: "WXYZ", 0: "+" };

export function peoplePage() {
	const isSearch = state.dial.text.trim() !== "";
	const shown = sections().filter((one) => one !== everyoneBeside());
	const results = isSearch ? shown[0].people : [];
	return h("div.people", { class: state.showsKeypad && "dialling" },
		h("div.page-head", h("h1", t("tab.people")), importButton(), iconButton("add", t("contact.new"), () => edit())),
		dialField(results),
		h("div.people-list", disturbanceBanner(), importResult(),
			isSearch ? resultList(results) : shown.map(section),
			!isSearch && sections().length === 0 && empty("person", t("contacts.none"), testCallButton())),
		state.showsKeypad && dialPad());
}

export function besidePeople() {
	const everyone = everyoneBeside();
	return everyone && h("div.people-list.beside", section(everyone));
}

const callEcho = () => call({ type: "generic", value: "echo" });
export const testCallButton = () => button("small", t("testCall"), callEcho);

const section = ({ name, people, hasMore }) => h("div", { key: name },
	h("h2.day", t(name)),
	h("ul.list", people.map((one) => h("li.row", { key: one.key }, cells(one)))),
	(hasMore || (name === "everyone" && state.nextPeople)) && button("small", t("people.more"), showMorePeople));

function resultList(results) {
	const chosen = chosenIndex();
	return h("div.list", { key: "results", id: "dial-list", role: "grid", "aria-label": t("dial.results") },
		results.map((one, index) => h("div.row", {
			key: one.key, id: `dial-${index}`, role: "row", "aria-selected": index === chosen,
			// The field keeps the focus.
			onpointerdown: (event) => event.preventDefault(),
		}, cells(one, "gridcell"))));
}

function cells(one, role = null) {
	const { name, handle, recent, from } = one;
	const words = [presenceText(one), detailOf(one)].filter(Boolean);
	const line = h("small.clip", presenceText(one) && presenceDot(one), words.map((word, index) => [
		index > 0 && " · ", recent && index === words.length - 1 && icon(recent.direction, "tiny"), isolate(word)]),
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

function dialField(results) {
	const { dial: { text }, showsKeypad } = state;
	const chosen = chosenIndex();
	return h("div.row.dial-row",
		h("div.search.grow", icon("search"), input(type, {
			id: "dial-field", role: "combobox", value: text, dir: "auto", ...hinted("dial.field"), spellcheck: "false",
			enterkeyhint: "go", inputmode: showsKeypad ? "none" : null, "aria-haspopup": "grid",
			"aria-expanded": results.length > 0, "aria-controls": results.length > 0 ? "dial-list" : null,
			"aria-autocomplete": "list", "aria-activedescendant": chosen < 0 ? null : `dial-${chosen}`,
			onkeydown: (event) => navigate(event, results.length),
		}),
		text && iconButton("close", t("dial.clear"), () => type(""), { key: "clear" })),
		iconButton("keypad.soft", t("keypad"), () => change({ showsKeypad: !showsKeypad }),
			{ "aria-expanded": showsKeypad, "aria-controls": showsKeypad ? "dial-pad" : null }));
}

function dialPad() {
	const { text } = state.dial;
	return h("div.dial-pad", { id: "dial-pad" }, keypad(pressKey),
		h("div.dial-call",
			iconButton("sound.soft", t("testCall"), callEcho),
			iconButton("phone.green", t("call"), dial),
			iconButton("back.soft", t("deleteDigit"),
				() => type([...text].slice(0, -1).join("")), { disabled: !text })));
}

export function keypad(press, isOfCall = false) {
	const plus = (event) => {
		event.preventDefault();
		press("+");
	};
	const keyButton = (key) => button("key", [key, ariaHidden("small", LETTERS[key])], () => press(key), {
		"aria-label": key, "data-first": isOfCall && key === "1", oncontextmenu: key === "0" && !isOfCall ? plus : null,
	});
	return h("div.keypad", { role: "group", "aria-label": t("keypad") }, [..."123456789*0#"].map(keyButton));
}

function navigate(event, count) {
	const { key, isComposing } = event;
	const step = { ArrowDown: 1, ArrowUp: -1 }[key];
	const isTaken = step || key === "Enter" || (key === "Escape" && state.dial.text);
	if (isComposing || !isTaken) return;
	event.preventDefault();
	if (step && count > 0) highlight(Math.max(0, Math.min(chosenIndex() + step, count - 1)));
	else if (key === "Enter") dial();
	else if (key === "Escape") type("");
}

function highlight(highlighted) {
	change({ dial: { ...state.dial, highlighted } });
	queueMicrotask(() => document.querySelector(`#dial-${highlighted}`)?.scrollIntoView({ block: "nearest" }));
}
