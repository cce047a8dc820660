import { preferences, prefer } from "./preferences.js";

export function setTheme(theme) {
	if (theme !== preferences.theme) prefer({ theme });
	document.documentElement.dataset.theme = ["light", "dark"].includes(theme) ? theme : "system";
}
