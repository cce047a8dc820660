/** In ms. */
const LIMIT = 300_000;
const INTERVAL = 10_000;
const INPUTS = ["pointerdown", "pointermove", "keydown", "wheel", "touchstart"];

/** Reports the user's absence by the input of all tabs. */
export function watchAbsence(report, isBusy) {
	const channel = new BroadcastChannel("callhub input");
	let isAway = false;
	let inputAt = Date.now();
	let toldAt = 0;
	const show = (value) => {
		if (isAway !== value) report(isAway = value);
	};
	const check = () => {
		if (isBusy()) inputAt = Date.now();
		const left = LIMIT - (Date.now() - inputAt);
		if (left <= 0) show(true);
		setTimeout(check, left > 0 ? left : LIMIT);
	};
	const noteInput = () => {
		inputAt = Date.now();
		show(false);
	};
	for (const name of INPUTS) {
		addEventListener(name, () => {
			noteInput();
			if (inputAt - toldAt < INTERVAL) return;
			toldAt = inputAt;
			channel.postMessage(null);
		}, { capture: true, passive: true });
	}
	channel.onmessage = noteInput;
	setTimeout(check, LIMIT);
	watchLock(() => show(true));
	return () => isAway;
}

async function watchLock(locked) {
	const permission = await navigator.permissions?.query({ name: "idle-detection" }).catch(() => null);
	if (permission?.state !== "granted" || !globalThis.IdleDetector) return;
	const detector = new IdleDetector();
	detector.onchange = () => detector.screenState === "locked" && locked();
	await detector.start({ threshold: 60_000 }).catch(() => {});
}
