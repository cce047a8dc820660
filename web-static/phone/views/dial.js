import { call, dial, pressKey, type } from "../actions.js";
import { contactOf, handleKey, parseHandle, suggestions } from "../people.js";
import { ariaHidden, avatar, button, change, h, hinted, iconButton, input, isolate, state, t } from "./parts.js";

const LETTERS = { 2: "ABC", 3: "DEF", 4: "GHI", 5: "JKL", 6: "MNO", 7: "PQRS", 8: "TUV", 9: "WXYZ", 0: "+" };

export function dialPage() {
	const { text, isOpen } = state.dial;
	const suggested = isOpen ? suggestions(text) : [];
	return h("div.dial", h("div.above-field", suggested.length === 0 && favorites(), suggestionList(suggested)),
		dialField(suggested),
		h("div.dial-pad", keypad(pressKey),
			h("div.dial-call",
				iconButton("sound.soft", t("testCall"), () => call({ type: "generic", value: "echo" })),
				iconButton("phone.green", t("call"), dial),
				iconButton(text ? "back.soft" : "back.soft.away", t("deleteDigit"),
					() => type([...text].slice(0, -1).join("")), { disabled: !text }))));
}

/** The keypad; that of a call takes the focus and has no plus. */
export function keypad(press, isOfCall = false) {
	// A long press of 0.
	const plus = (event) => {
		event.preventDefault();
		press("+");
	};
	const keyButton = (key) => button("key", [key, ariaHidden("small", LETTERS[key])], () => press(key), {
		"aria-label": key, "data-first": isOfCall && key === "1", oncontextmenu: key === "0" && !isOfCall ? plus : null,
	});
	return h("div.keypad", { role: "group", "aria-label": t("keypad") }, [..."123456789*0#"].map(keyButton));
}

function favorites() {
	const people = state.contacts.filter(({ favorite, handles }) => favorite && handles.length > 0);
	return people.length > 0 && h("ul.favorites", { "aria-label": t("favorites"), guard: true },
		people.map(({ identifier, name, handles: [handle] }) => h("li", { key: identifier },
			button("favorite", [avatar(handle, name), isolate(name, "clip")], () => call(handle),
				{ title: name, "aria-label": t("callName", { name }) }))));
}

function dialField(suggested) {
	const { text, highlighted } = state.dial;
	return input(type, {
		id: "dial-field", class: "dial-field", role: "combobox", value: text, dir: "auto", ...hinted("dial.field"),
		spellcheck: "false", enterkeyhint: "go", "aria-expanded": suggested.length > 0, "aria-controls": "dial-list",
		"aria-autocomplete": "list", "aria-activedescendant": suggested[highlighted] ? `dial-${highlighted}` : null,
		onkeydown: (event) => navigate(event, suggested), onblur: () => updateDial({ isOpen: false }),
	});
}

const suggestionList = (suggested) => h("ul.suggestions", {
	id: "dial-list", role: "listbox", hidden: suggested.length === 0, "aria-label": t("dial.suggestions"),
}, suggested.map(option));

const updateDial = (members) => change({ dial: { ...state.dial, ...members } });

function option({ handle, name, from }, index, { length }) {
	return h("li.person", {
		id: `dial-${index}`, key: handleKey(handle), role: "option", "aria-selected": index === state.dial.highlighted,
		guard: `${index} ${length}`,
		// Otherwise the field loses the focus, which closes the list.
		onpointerdown: (event) => event.preventDefault(), onclick: () => call(handle),
	}, avatar(handle, name, { class: "small" }),
	h("span.grow", isolate(name, "clip"), h("small.clip", describe(handle, from))));
}

function describe({ type: kind, value }, from) {
	if (from === "hub") return t(`from.hub.${value}`);
	return from === "typed" ? t(`from.typed.${kind}`) : `${value} · ${t(`from.${from}`)}`;
}

function navigate(event, suggested) {
	const { key, isComposing } = event;
	const { highlighted } = state.dial;
	const step = { ArrowDown: 1, ArrowUp: -1 }[key];
	if (isComposing) return;
	if (step || key === "Enter") event.preventDefault();
	if (step) highlight(Math.max(-1, Math.min(highlighted + step, suggested.length - 1)));
	else if (key === "Escape") updateDial({ isOpen: false });
	else if (key === "Enter") {
		const handle = suggested[highlighted]?.handle ?? handleOfName(suggested);
		if (handle) call(handle);
		else dial();
	}
}

function highlight(highlighted) {
	updateDial({ isOpen: true, highlighted });
	// After the render.
	queueMicrotask(() => document.querySelector("#dial-list [aria-selected=true]")?.scrollIntoView({ block: "nearest" }));
}

/** Returns the handle of the only contact with the typed name, unless the text is a handle of the list. */
function handleOfName(suggested) {
	const text = state.dial.text.trim().toLowerCase();
	const typed = parseHandle(text);
	if (!typed || suggested.some(({ handle }) => handleKey(handle) === handleKey(typed))) return null;
	const people = suggested.filter(({ name, from }) => from === "contact" && name.toLowerCase() === text);
	const [one, other] = new Set(people.map(({ handle }) => contactOf(handle)));
	return other ? null : one && people[0].handle;
}
