import { change, readInformation, state } from "./state.js";

/** The lightest and the darkest ground of the accent colour in tokens.css. */
const GROUNDS = { light: [232, 235, 241], dark: [37, 43, 54] };
const CONTRAST = 4.5;

/** docs/protocol.md, Before the sign-in. */
export async function loadInformation() {
	const answer = await fetch("v1/info", { signal: AbortSignal.timeout(3000) }).catch(() => null);
	if (!answer?.ok) return;
	const information = readInformation(await answer.json().catch(() => null));
	change({ information });
	const { color } = information.brand;
	if (!/^#[0-9a-f]{6}$/i.test(color)) return;
	const { style } = document.documentElement;
	style.setProperty("--accent", `light-dark(${legible(color, GROUNDS.light, 0)}, ${legible(color, GROUNDS.dark, 255)})`);
	style.setProperty("--tint", "var(--soft)");
}

export const brandName = () => state.information?.brand.name || "CallHub";

export function logoURL() {
	const logo = state.information?.brand.logo;
	return /^\/[\w-][\w/.-]*$/.test(logo) ? logo.slice(1) : null;
}

/** Mixes a colour with black (0) or white (255) until its contrast suffices for text. */
export function legible(color, ground, end) {
	const parts = color.match(/\w\w/g).map((digits) => parseInt(digits, 16));
	const mixed = (share) => parts.map((part) => Math.round(part + (end - part) * share));
	let share = 0;
	while (share < 1 && contrast(mixed(share), ground) < CONTRAST) share += 0.02;
	return `rgb(${mixed(Math.min(share, 1)).join(" ")})`;
}

export function contrast(...colors) {
	const [dark, light] = colors.map(luminance).sort((a, b) => a - b);
	return (light + 0.05) / (dark + 0.05);
}

function luminance(parts) {
	const linear = (part) => (part <= 10.3 ? part / 3294.6 : ((part / 255 + 0.055) / 1.055) ** 2.4);
	const [red, green, blue] = parts.map(linear);
	return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
