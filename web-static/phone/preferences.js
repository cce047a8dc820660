import { change, conform, valueOrNull } from "./state.js";

const KEY = "callhub.preferences";
/** An empty language or theme is the browser's. */
const DEFAULTS = {
	account: "", language: "", theme: "", shortcuts: true, notifies: true, hasCalled: false,
	pushToTalk: false, ringtone: "bell", speakerVolume: 1, ringerVolume: 1,
};
export const preferences = conform(DEFAULTS, valueOrNull(() => JSON.parse(localStorage.getItem(KEY))));

export function setPreferences(members) {
	Object.assign(preferences, members);
	change();
	valueOrNull(() => localStorage.setItem(KEY, JSON.stringify(preferences)));
}

export function setTheme(theme) {
	if (theme !== preferences.theme) setPreferences({ theme });
	document.documentElement.style.colorScheme = theme;
}

export function clearPreferences() {
	Object.assign(preferences, DEFAULTS);
	valueOrNull(() => localStorage.removeItem(KEY));
}
