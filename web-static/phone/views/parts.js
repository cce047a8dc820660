import { h } from "../dom.js";
import { icon } from "../icons.js";
import { hue, initials } from "../people.js";
import { change, state } from "../state.js";
import { hasText, language, t } from "../text.js";

export { change, h, hasText, icon, language, state, t };

/** What screen readers have from elsewhere. */
export const unsaid = (name, ...children) => h(name, { "aria-hidden": true }, children);

export const avatar = (handle, name, more) => (
	h("span.avatar", { style: { "--hue": hue(handle) }, "aria-hidden": true, ...more }, initials(name)));

export const person = (handle, name, line, more) => [
	avatar(handle, name, more), h("span.grow", foreign(name, "clip name"), line),
];

/** Isolates the text direction of others' texts. */
export function foreign(text, style) {
	const isolated = h("bdi", text);
	return style ? h("span", { class: style }, isolated) : isolated;
}

export const button = (style, label, onclick, more) => h(`button.${style}`, { ...more, onclick }, label);

/** `sign` is an icon and classes: `phone.red` */
export function iconButton(sign, label, onclick, more) {
	const [name, ...style] = sign.split(".");
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

export function input(take, more) {
	const oninput = ({ target }) => take(target.value);
	return h("input", { maxlength: 1024, autocomplete: "off", autocapitalize: "none", ...more, oninput });
}

export function hinted(key) {
	const label = t(key);
	return { "aria-label": label, placeholder: label };
}

/** `options` are values and words. */
export const choice = (value, options, take, more) => (
	h("select", { value, ...more, onchange: ({ target }) => take(target.value) },
		options.map(([option, word]) => h("option", { value: option }, word))));

export const selectRow = (name, value, options, take) => (
	h("label.row.select", h("span.grow", t(name)), choice(value, options, take)));

export function switchRow(name, isOn, take, hint) {
	const onchange = ({ target }) => take(target.checked);
	return h("label.row.switch", h("span.grow", t(name), hint && h("small", hint)),
		h("input", { type: "checkbox", role: "switch", checked: isOn, onchange }));
}

export const definitions = (style, rows) => (
	h(`dl.${style}`, rows.map(([term, ...words]) => h("div", h("dt", t(term)), h("dd", words)))));

/** Asks, and is pressed once more. */
export function sureButton(key, label, deed) {
	const isAsked = state.confirming === key;
	const forget = () => isAsked && change({ confirming: null });
	const press = () => {
		change({ confirming: isAsked ? null : key });
		if (isAsked) deed();
	};
	return button("small", isAsked ? t("sure") : label, press,
		{ key, class: isAsked ? "danger" : "red", onblur: forget, removed: forget });
}

export function overlay(key, role, title) {
	return {
		key, role, "aria-modal": true, "aria-labelledby": title, tabindex: -1,
		created(element) {
			element.opener = document.activeElement;
			(element.querySelector("[data-first]") ?? element).focus();
		},
		removed({ opener }) {
			queueMicrotask(() => opener?.isConnected && opener.focus({ preventScroll: true }));
		},
	};
}

export function sheet(name, content, title = t(name)) {
	const id = `${name}-title`;
	return h("div.sheet", overlay(name, "dialog", id),
		h("div.page-head", h("h2", { id }, title),
			iconButton("close", t("close"), () => change({ overlay: null }), { "data-first": true })),
		content);
}
