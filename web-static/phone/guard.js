/** The time in ms for which what has come under the finger takes no tap: that was meant for what was there before. */
const DELAY = 300;
/** What takes taps, what covers it, and what cuts it off. */
const WATCHED = "a, button, input, label, select, summary, .people-list, .call-party, [role=alertdialog]";
/** `{element, box, isOther, at}`: where an element was until `at`; no box: nowhere. */
let changes = [];
const changedAt = new WeakMap();
let press = {};

/** Renders, and notes what that moves; what moves by scrolling and resizing the user moves. */
export function watch(render) {
	const before = places();
	render();
	const after = places();
	const at = performance.now();
	changes = changes.filter((one) => at - one.at < DELAY);
	for (const element of new Set([...before.keys(), ...after.keys()])) {
		const [old, place] = [before.get(element), after.get(element)];
		// With another style it means something else.
		const isOther = old?.style !== place?.style;
		if (!isOther && old.box.every((side, index) => side === place.box[index])) continue;
		changes.push({ element, box: old?.box, isOther, at });
		changedAt.set(element, at);
	}
}

function places() {
	const isThere = (one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest("[inert]");
	return new Map([...document.querySelectorAll(WATCHED)].filter(isThere).map((element) => {
		const { x, y, right, bottom } = element.getBoundingClientRect();
		return [element, { box: [x, y, right, bottom], style: element.className }];
	}));
}

/** Returns the ms from the last change of a control's place to a moment. */
export const ageOf = (control, at) => at - changedAt.get(control);

const wasUnder = (box, { clientX, clientY }) => (
	box && clientX >= box[0] && clientX < box[2] && clientY >= box[1] && clientY < box[3]);

/** Indicates that something else was there when the finger set out. */
const isNew = (target) => changes.some(({ element, box, isOther, at }) => press.timeStamp - at < DELAY
	&& (element.contains(target) ? isOther || !wasUnder(box, press)
		: element.matches("[role=alertdialog]") && wasUnder(box, press)));

addEventListener("pointerdown", (event) => {
	press = event;
	// Talk acts on it.
	if (isNew(event.target)) event.stopPropagation();
}, true);
addEventListener("click", (event) => {
	// Otherwise it comes from a key or a screen reader.
	if (event.detail === 0 || !isNew(event.target)) return;
	event.preventDefault();
	event.stopImmediatePropagation();
}, true);
addEventListener("mousedown", (event) => {
	// Otherwise an open sheet loses the focus.
	const isFocusable = event.target.closest?.("button, input, select, label, [tabindex]");
	if (!isFocusable && document.querySelector(".sheet")) event.preventDefault();
});
