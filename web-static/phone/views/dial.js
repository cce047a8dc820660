import { call, dial, pressKey, type } from "../actions.js";
import { chosenIndex } from "../directory.js";
import { ariaHidden, button, change, h, hinted, icon, iconButton, input, state, t } from "./parts.js";

const LETTERS = { 2: "ABC", 3: "DEF", 4: "GHI", 5: "JKL", 6: "MNO", 7: "PQRS", 8: "TUV", 9: "WXYZ", 0: "+" };

export function dialField(results) {
	const { dial: { text }, showsKeypad } = state;
	const chosen = chosenIndex();
	return h("div.row.dial-row", { guard: `${showsKeypad}` },
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

export function dialPad() {
	const { text } = state.dial;
	return h("div.dial-pad", { id: "dial-pad", guard: true }, keypad(pressKey),
		h("div.dial-call",
			iconButton("sound.soft", t("testCall"), () => call({ type: "generic", value: "echo" })),
			iconButton("phone.green", t("call"), dial),
			iconButton(text ? "back.soft" : "back.soft.away", t("deleteDigit"),
				() => type([...text].slice(0, -1).join("")), { disabled: !text })));
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
	// After the render.
	queueMicrotask(() => document.querySelector(`#dial-${highlighted}`)?.scrollIntoView({ block: "nearest" }));
}
