import { h, render } from "../phone/dom.js";
import { bench } from "./bench.js";
import { ScenarioFile } from "./file.js";
import { ladder, matrix } from "./pictures.js";
import { card, form } from "./card.js";
import { texts } from "./text.js";

const button = (text, onclick, more) => h("button.small", { onclick, ...more }, text);

async function begin() {
	for (let count = 0; count < 3; count++) await bench.add();
}

function save() {
	const href = URL.createObjectURL(new Blob([bench.story.text()], { type: "text/plain" }));
	Object.assign(document.createElement("a"), { href, download: "bench.scenario" }).click();
	setTimeout(() => URL.revokeObjectURL(href), 60_000);
	bench.changed();
}

async function open({ target }) {
	const [file] = target.files;
	if (file?.size > 1_000_000) bench.say(texts.tooLarge);
	else if (file) await file.text().then((text) => bench.open(new ScenarioFile(text)))
		.catch(({ message }) => bench.say(message));
	target.value = "";
}

function add({ name }) {
	bench.add(name.value.trim() || undefined);
	name.value = "";
}

const tools = () => h("div.tools",
	form({}, add,
		h("input", { name: "name", "aria-label": "Name of a phone to add", placeholder: "name", autocapitalize: "none" }),
		h("button.small", { type: "submit" }, "Add a phone")),
	button("Save as scenario", save, { disabled: bench.story.lines.length === 0 }),
	h("label.file", "Open a scenario", h("input.visually-hidden", { type: "file", accept: ".scenario", onchange: open })),
	button("Clear", bench.clear));

const steps = () => h("section.steps", h("h2", "Steps"),
	h("ol", { tabindex: 0, "aria-label": "Steps" }, bench.story.lines.map(({ text, isInBlock }) =>
		h("li", { class: isInBlock && "inner" }, text))));

function opened(file) {
	const isOver = file.isRunning || !file.next || file.next.state === "failed";
	return h("section.steps", h("h2", file.title || "Scenario"),
		h("div.tools", button("Do the next step", () => file.step(), { disabled: isOver }),
			button("Run", () => file.run(), { disabled: isOver }),
			button("Stop", () => (file.isRunning = false), { disabled: !file.isRunning }),
			button("Close", () => {
				bench.file = null;
				bench.changed();
			}, { "aria-label": "Close the scenario", disabled: file.isRunning })),
		h("ol", { tabindex: 0, "aria-label": "Steps of the file" }, file.steps.map(({ text, inner, state, error }) =>
			h("li", { class: state, "aria-current": state === "now" ? "step" : null }, text,
				inner.map((line) => h("div.inner", line)), state && h("b", ` ${state}`), error && h("small.red", error)))));
}

function page() {
	const { phones, file, message } = bench;
	return h("main",
		h("header", h("h1", texts.title), h("p.quiet.grow", texts.intro), phones.length > 0 && tools()),
		h("p.note", { role: "status", hidden: !message }, message),
		phones.length === 0 && h("button.wide.primary", { onclick: begin }, texts.begin),
		phones.length > 0 && [
			h("div.phones", phones.map(card)),
			h("div.seen", h("div", matrix(), file && opened(file), steps()), ladder()),
		],
		h("datalist", { id: "targets" }, ["echo", "tone", "music", ...phones.map(({ name }) => name)].map((value) =>
			h("option", { value }))));
}

let isScheduled = false;
bench.changed = () => {
	if (isScheduled) return;
	isScheduled = true;
	setTimeout(() => {
		isScheduled = false;
		const isAtEnd = ({ scrollTop, clientHeight, scrollHeight }) => scrollTop + clientHeight > scrollHeight - 30;
		const lists = [...document.querySelectorAll("ol")].filter(isAtEnd);
		render(document.querySelector("#bench"), page());
		for (const list of lists) list.scrollTop = list.scrollHeight;
	}, 20);
};
bench.changed();
