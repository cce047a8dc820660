/** The time in ms for which what has just appeared takes no tap: the finger was on its way to what was there before. */
const DELAY = 300;
/** The time in ms for which a new card of an incoming call takes no key: it was meant for what was there before. */
export const KEY_DELAY = 1000;
const appearances = new WeakMap();
let pressedAt = 0;
let uncovered = { at: -DELAY };

/** Makes an element ignore taps until it has been there for a while. */
export const guard = (element) => appearances.set(element, performance.now());

/** Returns the ms from the appearance of the last of some elements to a moment. */
export const ageOf = (elements, at) => (
	Math.min(...elements.filter((one) => appearances.has(one)).map((one) => at - appearances.get(one))));

/** Makes the place of an element that disappears ignore taps for a while. */
export const uncover = (element) => (uncovered = { at: performance.now(), box: element.getBoundingClientRect() });

const isUncovered = ({ clientX: x, clientY: y }) => (
	pressedAt - uncovered.at < DELAY && x >= uncovered.box.x && x < uncovered.box.right
	&& y >= uncovered.box.y && y < uncovered.box.bottom);

addEventListener("pointerdown", ({ timeStamp }) => (pressedAt = timeStamp), true);
addEventListener("click", (event) => {
	// Otherwise it comes from a key or a screen reader.
	const isTap = event.detail > 0;
	const isOfCard = event.isTrusted && event.target.closest("[role=alertdialog]");
	const delay = isTap ? DELAY : isOfCard ? KEY_DELAY : 0;
	const isOld = ageOf(event.composedPath(), isTap ? pressedAt : event.timeStamp) >= delay;
	if (isOld && !(isTap && isUncovered(event))) return;
	event.preventDefault();
	event.stopImmediatePropagation();
}, true);
addEventListener("mousedown", (event) => {
	// Otherwise an open sheet loses the focus.
	const isFocusable = event.target.closest?.("button, input, select, label, [tabindex]");
	if (!isFocusable && document.querySelector(".sheet")) event.preventDefault();
});
