import { h } from "../phone/dom.js";
import { bench } from "./bench.js";
import { texts } from "./text.js";

const lane = 44;
const height = 20;
const middle = (index) => lane * (index + 0.5);

/** Who hears whom, as a table. */
export function matrix() {
	const { phones } = bench;
	const voices = [...new Set([...phones.map(({ name }) => name), ...phones.flatMap(({ heard }) => heard)])];
	const cell = (listener, voice) => h("td", listener.heard.includes(voice)
		&& [h("span.dot", { "aria-hidden": "true", style: hueOf(voice) }, "●"), h("span.visually-hidden", "hears")]);
	return h("table.matrix", h("caption", texts.matrix),
		h("thead", h("tr", h("th", { scope: "col" }, "hears"), voices.map((voice) => h("th", { scope: "col" }, voice)))),
		h("tbody", phones.map((listener) => h("tr", { key: listener.name },
			h("th", { scope: "row" }, listener.name), voices.map((voice) => cell(listener, voice))))));
}

const hueOf = (voice) => ({ "--hue": bench.phones.find(({ name }) => name === voice)?.tone ?? 440 });

function row({ key, seconds, kind, label, name, voices }) {
	const { phones } = bench;
	const hub = middle(phones.length);
	const lines = [...phones.keys(), phones.length].map((index) => `M${middle(index)} 0V${height}`).join("");
	const from = phones.findIndex((one) => one.name === name);
	const x = middle(from);
	const [start, end] = kind === "request" ? [x, hub - 3] : [hub, x + 3];
	const tip = kind === "request" ? -5 : 5;
	const hasArrow = from >= 0 && kind !== "heard";
	const heardBy = (phone) => voices.find((one) => one.name === phone.name)?.heard ?? [];
	const marks = phones.flatMap((phone, index) => heardBy(phone).map((voice, place) =>
		h("path.voice", { d: `M${middle(index) - 5 - 4 * place} 0V${height}`, style: hueOf(voice) })));
	const sign = { request: "→", reply: "←", notification: "←", refusal: "← refused:", step: "▸" }[kind] ?? "·";
	const arrow = `M${start} 10H${end}m${tip} -4l${-tip} 4l${tip} 4`;
	return h("li", { key, class: kind }, h("small", seconds),
		h("svg", { width: lane * (phones.length + 1), height, "aria-hidden": "true" },
			h("path.line", { d: lines }), marks, hasArrow && h("path.arrow", { d: arrow })),
		h("span", `${name && kind !== "heard" ? `${name} ` : ""}${sign} ${label}`));
}

/** Steps and messages in the order of time, with what is heard in the colours of the phones. */
export function ladder() {
	const { phones, ladder: { rows } } = bench;
	const names = [...phones.map(({ name }) => name), "hub"].map((name) => h("span", name));
	return h("section.ladder", h("h2", "Messages"),
		h("ol", { tabindex: 0, "aria-label": "Messages" },
			h("li.names", { key: "names" }, h("small", "s"), names), rows.map(row)));
}
