import { ageOf } from "./guard.js";

/** The last acts on calls and the input that caused each: no names and no handles. */
export const acts = [];
let source, press, isTap;

addEventListener("pointerdown", (event) => {
	press = describe(event);
	isTap = true;
}, true);
for (const type of ["click", "keydown"]) addEventListener(type, ({ detail }) => (isTap = detail > 0), true);

function describe(event) {
	const control = (event.submitter ?? event.target).closest?.("button, input, label");
	const { x, y, width, height } = control?.getBoundingClientRect() ?? {};
	return control && {
		control: `${control.vnode?.key ?? ""} ${control.className || control.type}`.trim(),
		shown: Math.round(ageOf(control, event.timeStamp)),
		place: [x, y, width, height].map(Math.round),
	};
}

/** Performs an action from outside the page. */
export function from(name, action) {
	source = name;
	action();
	source = null;
}

export function note(act, calls = []) {
	const { event } = globalThis;
	const by = source ?? (event?.target?.closest ? isTap ? "tap" : "key" : "program");
	acts.push({
		at: Date.now(), act, calls: calls.map(({ uuid }) => uuid), by, key: event?.key,
		...(by === "tap" ? press : by === "key" && describe(event)),
	});
	if (acts.length > 200) acts.shift();
}
