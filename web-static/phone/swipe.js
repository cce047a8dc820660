/** In CSS pixels; below `SLACK` it is a tap or a scroll. */
const DELETE_DISTANCE = 110;
const SLACK = 12;

export function swipes(remove) {
	let start = null;
	let offset = 0;
	const move = (row, distance) => {
		offset = distance;
		row.style.setProperty("--offset", `${distance}px`);
		row.classList.toggle("far", Math.abs(distance) > DELETE_DISTANCE);
	};
	const end = ({ type, currentTarget }) => {
		if (type === "pointerup" && Math.abs(offset) > DELETE_DISTANCE) remove();
		start = null;
		move(currentTarget, 0);
	};
	return {
		onpointerdown({ pointerType, clientX }) {
			if (pointerType !== "mouse") start = clientX;
		},
		onpointermove({ clientX, currentTarget, pointerId }) {
			const distance = clientX - start;
			if (start === null || (offset === 0 && Math.abs(distance) < SLACK)) return;
			if (offset === 0) currentTarget.setPointerCapture(pointerId);
			move(currentTarget, distance);
		},
		onpointerup: end,
		onpointercancel: end,
	};
}
