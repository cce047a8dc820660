import { change, conform, state } from "./state.js";

/** Luminances with a contrast of 4.5 to --soft of tokens.css, light and dark. */
const DARK = 0.145;
const LIGHT = 0.283;

const INFORMATION = {
	authMode: "", setup: false, secureURL: "", openID: { label: "", start: "" }, brand: { name: "", color: "", logo: "" },
};

/** docs/protocol.md, Before the sign-in. */
export async function loadInformation() {
	const answer = await fetch("v1/info", { signal: AbortSignal.timeout(3000) }).catch(() => null);
	if (!answer?.ok) return;
	const information = conform(INFORMATION, await answer.json().catch(() => null));
	change({ information });
	const { color } = information.brand;
	if (!/^#[0-9a-f]{6}$/i.test(color)) return;
	const { style } = document.documentElement;
	style.setProperty("--accent", legible(color));
	style.setProperty("--tint", "var(--soft)");
}

export const brandName = () => state.information?.brand.name || "CallHub";

export function logoURL() {
	const logo = state.information?.brand.logo;
	return /^\/[\w-][\w/.-]*$/.test(logo) ? logo.slice(1) : null;
}

/** Limits the luminance for text on each ground. */
export function legible(color) {
	const darkened = (axis) => `calc(${axis} * min(1, ${DARK} / y))`;
	const lightened = (axis, white) => `calc(${axis} + (${white} - ${axis}) * max(0, (${LIGHT} - y) / (1 - y)))`;
	const mixed = (mix) => `color(from ${color} xyz ${mix("x", 0.9505)} ${mix("y", 1)} ${mix("z", 1.089)})`;
	return `light-dark(${mixed(darkened)}, ${mixed(lightened)})`;
}
