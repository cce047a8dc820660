import { call, dial, pressKey, type } from "../actions.js";
import { contactOf, handleKey, parseHandle, suggestions } from "../people.js";
import { avatar, button, change, foreign, h, hinted, iconButton, input, state, t, unsaid } from "./parts.js";

const LETTERS = { 2: "ABC", 3: "DEF", 4: "GHI", 5: "JKL", 6: "MNO", 7: "PQRS", 8: "TUV", 9: "WXYZ", 0: "+" };

export function dialPage() {
	const { text } = state.dial;
	return h("div.dial", favorites(), combo(),
		h("div.dial-pad", keypad(pressKey),
			h("div.dial-call",
				iconButton("sound.soft", t("testCall"), () => call({ type: "generic", value: "echo" })),
				iconButton("phone.green", t("call"), dial),
				iconButton(text ? "back.soft" : "back.soft.away", t("deleteDigit"),
					() => type([...text].slice(0, -1).join("")), { disabled: !text }))));
}

/** A call's takes the focus, and knows no plus. */
export function keypad(press, isOfCall = false) {
	// By a long press.
	const plus = (event) => {
		event.preventDefault();
		press("+");
	};
	const keyButton = (key) => button("key", [key, unsaid("small", LETTERS[key])], () => press(key), {
		"aria-label": key, "data-first": isOfCall && key === "1", oncontextmenu: key === "0" && !isOfCall ? plus : null,
	});
	return h("div.keypad", { role: "group", "aria-label": t("keypad") }, [..."123456789*0#"].map(keyButton));
}

function favorites() {
	const people = state.contacts.filter(({ favorite, handles }) => favorite && handles.length > 0);
	return people.length > 0 && h("ul.favorites", { "aria-label": t("favorites") },
		people.map(({ identifier, name, handles: [handle] }) => h("li", { key: identifier },
			button("favorite", [avatar(handle, name), foreign(name, "clip")], () => call(handle),
				{ title: name, "aria-label": t("callName", { name }) }))));
}

function combo() {
	const { text, isOpen, highlighted } = state.dial;
	const found = isOpen ? suggestions(text) : [];
	return h("div.combo",
		input(type, {
			id: "dial-field", class: "dial-field", role: "combobox", value: text, dir: "auto", ...hinted("dial.field"),
			spellcheck: "false", enterkeyhint: "go", "aria-expanded": found.length > 0, "aria-controls": "dial-list",
			"aria-autocomplete": "list", "aria-activedescendant": found[highlighted] ? `dial-${highlighted}` : null,
			onkeydown: (event) => steer(event, found), onblur: () => turn({ isOpen: false }),
		}),
		h("ul.suggestions", {
			id: "dial-list", role: "listbox", hidden: found.length === 0, "aria-label": t("dial.suggestions"),
		}, found.map(option)));
}

const turn = (members) => change({ dial: { ...state.dial, ...members } });

function option({ handle, name, from }, index) {
	return h("li.person", {
		id: `dial-${index}`, key: handleKey(handle), role: "option", "aria-selected": index === state.dial.highlighted,
		// Else the field loses the focus, and the list is gone.
		onpointerdown: (event) => event.preventDefault(), onclick: () => call(handle),
	}, avatar(handle, name, { class: "small" }),
	h("span.grow", foreign(name, "clip"), h("small.clip", describe(handle, from))));
}

function describe({ type: kind, value }, from) {
	if (from === "hub") return t(`from.hub.${value}`);
	return from === "typed" ? t(`from.typed.${kind}`) : `${value} · ${t(`from.${from}`)}`;
}

function steer(event, found) {
	const { key, isComposing } = event;
	const { highlighted } = state.dial;
	const step = { ArrowDown: 1, ArrowUp: -1 }[key];
	if (isComposing) return;
	if (step || key === "Enter") event.preventDefault();
	if (step) turn({ isOpen: true, highlighted: Math.max(-1, Math.min(highlighted + step, found.length - 1)) });
	else if (key === "Escape") turn({ isOpen: false });
	else if (key === "Enter") {
		const handle = found[highlighted]?.handle ?? named(found);
		if (handle) call(handle);
		else dial();
	}
}

/** A full name goes before an unknown handle. */
function named(found) {
	const text = state.dial.text.trim().toLowerCase();
	const typed = parseHandle(text);
	if (!typed || found.some(({ handle }) => handleKey(handle) === handleKey(typed))) return null;
	const people = found.filter(({ name, from }) => from === "contact" && name.toLowerCase() === text);
	const [one, other] = new Set(people.map(({ handle }) => contactOf(handle)));
	return other ? null : one && people[0].handle;
}
