/** CSS pixels; below `SLACK` it is a tap or a scroll. */
const FAR = 110;
const SLACK = 12;

export function swipes(remove) {
	let start = null;
	let drawn = 0;
	const draw = (row, distance) => {
		drawn = distance;
		row.style.setProperty("--drawn", `${distance}px`);
		row.classList.toggle("far", Math.abs(distance) > FAR);
	};
	const end = ({ type, currentTarget }) => {
		if (type === "pointerup" && Math.abs(drawn) > FAR) remove();
		start = null;
		draw(currentTarget, 0);
	};
	return {
		onpointerdown({ pointerType, clientX }) {
			if (pointerType !== "mouse") start = clientX;
		},
		onpointermove({ clientX, currentTarget, pointerId }) {
			const distance = clientX - start;
			if (start === null || (drawn === 0 && Math.abs(distance) < SLACK)) return;
			if (drawn === 0) currentTarget.setPointerCapture(pointerId);
			draw(currentTarget, distance);
		},
		onpointerup: end,
		onpointercancel: end,
	};
}
