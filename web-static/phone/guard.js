/** The time in ms for which what has come under the finger takes no tap: that was meant for what was there before. */
const DELAY = 300;
/** What takes taps, what covers it, and what cuts it off. */
const WATCHED = "a, button, input, label, select, summary, .people-list, .call-party, .toast, [role=alertdialog]";
/** The time in ms for which a busy page may keep a tap waiting. */
const BUSY = 5000;
const SIDES = ["x", "y", "right", "bottom"];
/** `{element, box, isOther, at}`: where an element was until `at`; no box: nowhere. */
let changes = [];
const changedAt = new WeakMap();
/** How far each scroller is scrolled; `{element, by, at}`: how far one has been just now, in px. */
let tops = new Map();
let scrolls = [];
let press = null;
let shown = new Map();
let isKeyLate, substitute, focusedAt;

/** Renders, and notes what that moves. */
export function watch(render) {
	tops.forEach((_, one) => noteScroll(one));
	const before = places();
	render();
	noteChanges(before);
	// What a browser scrolls to keep rows in their places moves none.
	tops = new Map([...tops.keys()].filter((one) => one.isConnected).map((one) => [one, one.scrollTop]));
}

/** A keyboard on the screen moves them without a render. */
addEventListener("resize", () => noteChanges(shown));

function noteChanges(before) {
	shown = places();
	const at = performance.now();
	changes = changes.filter((one) => at - one.at < BUSY);
	for (const element of new Set([...before.keys(), ...shown.keys()])) {
		const [old, place] = [before.get(element), shown.get(element)];
		// With another style it means something else.
		const isOther = old?.style !== place?.style;
		if (!isOther && SIDES.every((side) => old.box[side] === place.box[side])) continue;
		changes.push({ element, box: old?.box, isOther, at });
		changedAt.set(element, at);
	}
}

function noteScroll(element) {
	const by = element.scrollTop - (tops.get(element) ?? 0);
	if (!by) return;
	const at = performance.now();
	tops.set(element, element.scrollTop);
	scrolls = [...scrolls.filter((one) => at - one.at < BUSY), { element, by, at }];
}

addEventListener("scroll", ({ target }) => noteScroll(target.scrollingElement ?? target), true);

function places() {
	const isThere = (one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest("[inert]");
	return new Map([...document.querySelectorAll(WATCHED)].filter(isThere)
		.map((one) => [one, { box: one.getBoundingClientRect(), style: one.className }]));
}

/** Returns the ms from the last change of a control's place to a moment. */
export const ageOf = (control, at) => at - changedAt.get(control);

const controlOf = ({ target }) => target.closest?.("label") ?? target.closest?.(WATCHED);

/** Indicates that something else was there when the finger set out. */
function isNew(event) {
	const { target, timeStamp, clientX: x, clientY: y } = event;
	const wasUnder = (box) => box && x >= box.x && x < box.right && y >= box.y && y < box.bottom;
	return changes.some(({ element, box, isOther, at }) => timeStamp - at < DELAY
		&& (element.contains(target) ? isOther || !wasUnder(box)
			: element.matches(".toast, [role=alertdialog]") && wasUnder(box))) || isScrolled(event);
}

/** Indicates that another row was there before its list was scrolled. */
function isScrolled(event) {
	const { target, timeStamp, clientY: y } = event;
	const control = controlOf(event);
	if (!control || control.closest(".hang-up")) return false;
	// A scroller may be ahead of its event.
	for (let one = control.parentElement; one; one = one.parentElement) noteScroll(one);
	const by = scrolls.filter(({ element, at }) => element !== control && element.contains(target) && timeStamp - at < DELAY)
		.reduce((sum, one) => sum + one.by, 0);
	const { top, bottom } = control.getBoundingClientRect();
	return by && (y < top + by || y >= bottom + by);
}

addEventListener("pointerdown", (event) => {
	press = { control: controlOf(event), isNew: isNew(event) };
	// Talk acts on it.
	if (press.isNew) event.stopPropagation();
}, true);

/** For what had the focus and is gone: a key that was meant for that does nothing. */
export function focusInstead(element) {
	substitute = element;
	focusedAt = performance.now();
	element?.focus({ preventScroll: true });
	// What is gone or hidden takes no focus.
	substitute = document.activeElement;
}

/** Space presses a button when it is released. */
for (const type of ["keydown", "keyup"]) addEventListener(type, (event) => {
	const { key, target, timeStamp } = event;
	const isPress = key === "Enter" || (key === " " && /^(button|submit|checkbox)$/.test(target.type));
	if (type === "keydown") isKeyLate = isPress && target === substitute && timeStamp - focusedAt < DELAY;
	if (isPress && isKeyLate) ignore(event);
}, true);

function ignore(event) {
	event.preventDefault();
	event.stopImmediatePropagation();
}

addEventListener("click", (event) => {
	// Otherwise it comes from a key or a screen reader.
	if (event.detail === 0 || !press) return;
	const isMeant = !press.isNew && press.control === controlOf(event);
	press = null;
	if (!isMeant) ignore(event);
}, true);
addEventListener("mousedown", (event) => {
	// Otherwise an open sheet loses the focus.
	const isFocusable = event.target.closest?.("button, input, select, label, [tabindex]");
	// A slider moves at once.
	if (press?.isNew || (!isFocusable && document.querySelector(".sheet"))) event.preventDefault();
});
