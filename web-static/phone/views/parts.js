import { h } from "../dom.js";
import { logoURL } from "../brand.js";
import { focusInstead } from "../guard.js";
import { icon } from "../icons.js";
import { contactOf, hue, initials } from "../people.js";
import { photoOf, photoOfPerson } from "../photos.js";
import { change, ringingCalls, state } from "../state.js";
import { hasText, language, t } from "../text.js";

export { change, h, hasText, icon, language, state, t };

export const ariaHidden = (name, ...children) => h(name, { "aria-hidden": true }, children);

export const avatar = (handle, name, more, photo = photoOf(contactOf(handle)) ?? photoOfPerson(handle)) => (
	h("span.avatar", { style: { "--hue": hue(handle) }, "aria-hidden": true, ...more }, initials(name),
		photo && h("img", { src: `data:image/jpeg;base64,${photo}`, alt: "" })));

export const person = (handle, name, line, more) => [
	avatar(handle, name, more), h("span.grow", isolate(name, "clip name"), line),
];

/** Isolates the text direction of another user's text. */
export const isolate = (text, style) => (style ? h("span", { class: style }, isolate(text)) : h("bdi", text));

export function brandMark() {
	const src = logoURL();
	const onerror = () => {
		state.information.brand.logo = "";
		change();
	};
	return src ? h("img.logo", { src, alt: "", onerror }) : h("span.brand", icon("phone"));
}

export const button = (style, label, onclick, more) => h(`button.${style}`, { ...more, onclick }, label);

export function filePicker(accept, label, receive, style = "link", content = label) {
	const onchange = ({ target }) => {
		receive(target.files[0]);
		target.value = "";
	};
	return h(`label.${style}`, { title: label }, content,
		h("input.visually-hidden", { type: "file", accept, "aria-label": label, onchange }));
}

/** `iconName` may have classes: `phone.red`. */
export function iconButton(iconName, label, onclick, more) {
	const [name, ...style] = iconName.split(".");
	return button(["icon-button", ...style].join("."), icon(name), onclick,
		{ ...more, "aria-label": label, title: label });
}

export function form(props, send, ...children) {
	const onsubmit = (event) => {
		event.preventDefault();
		send(event.target.elements);
	};
	return h("form", { ...props, onsubmit }, children);
}

export const field = (label, control, more) => h("label.field", more, h("span", label), control);

export function input(receive, more) {
	const oninput = ({ target }) => receive(target.value);
	return h("input", { maxlength: 1024, autocomplete: "off", autocapitalize: "none", ...more, oninput });
}

export const hinted = (key) => ({ "aria-label": t(key), placeholder: t(key) });

export const choice = (value, options, receive, more) => (
	h("select", { value, ...more, onchange: ({ target }) => receive(target.value) },
		options.map(([option, word]) => h("option", { value: option }, word))));

export const selectRow = (name, value, options, receive) => (
	h("label.row.select", h("span.grow", t(name)), choice(value, options, receive)));

export function switchRow(name, isOn, receive, hint) {
	const onchange = ({ target }) => receive(target.checked);
	return h("label.row.switch", h("span.grow", t(name), hint && h("small", hint)),
		h("input", { type: "checkbox", role: "switch", checked: isOn, onchange }));
}

export const definitions = (style, rows) => (
	h(`dl.${style}`, rows.map(([term, ...details]) => h("div", h("dt", t(term)), h("dd", details)))));

export const empty = (iconName, text, ...more) => (
	h("div.empty", h("span.brand", icon(iconName)), h("p", text), more));

export function confirmButton(key, label, action, question = t("confirm")) {
	const isConfirming = state.confirming === key;
	const reset = () => isConfirming && change({ confirming: null });
	const press = () => {
		change({ confirming: isConfirming ? null : key });
		if (isConfirming) action();
	};
	return button("small", isConfirming ? question : label, press,
		{ key, class: isConfirming ? "danger" : "red", onblur: reset, removed: reset });
}

export function rememberFocus(element) {
	element.opener = document.activeElement;
}

/** To a sheet that has been opened meanwhile, or back. */
export const returnFocus = ({ opener }) => queueMicrotask(() => {
	const open = document.querySelector(".sheet");
	focusInstead(open?.contains(opener) === false ? open : opener);
});

export function sheet(name, content, title = t(name)) {
	const id = `${name}-title`;
	return h("div.sheet", {
		// The card of an incoming call is beside a sheet.
		key: name, role: "dialog", "aria-modal": ringingCalls().length === 0, "aria-labelledby": id, tabindex: -1,
		created(element) {
			rememberFocus(element);
			(element.querySelector("[data-first]") ?? element).focus();
		},
		removed: returnFocus,
	}, h("div.page-head", h("h2", { id }, title),
		iconButton("close", t("close"), () => change({ overlay: null }), { "data-first": true })), content);
}
