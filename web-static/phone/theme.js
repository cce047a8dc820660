import { preferences, setPreferences } from "./preferences.js";

export function setTheme(theme) {
	if (theme !== preferences.theme) setPreferences({ theme });
	document.documentElement.style.colorScheme = theme;
}
