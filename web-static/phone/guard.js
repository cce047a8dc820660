/** The time in ms for which what has just appeared takes no tap: the finger was on its way to what was there before. */
const DELAY = 300;
const appearances = new WeakMap();
let pressedAt = 0;

/** Makes an element ignore taps until it has been there for a while. */
export const guard = (element) => appearances.set(element, performance.now());

addEventListener("pointerdown", ({ timeStamp }) => (pressedAt = timeStamp), true);
addEventListener("click", (event) => {
	// A click without a pointer comes from a key or a screen reader.
	const isTap = event.detail > 0;
	if (!isTap || !event.composedPath().some((element) => pressedAt - appearances.get(element) < DELAY)) return;
	event.preventDefault();
	event.stopImmediatePropagation();
}, true);
