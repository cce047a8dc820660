import { change, valueOrNull } from "./state.js";

const KEY = "callhub.preferences";
/** An empty language or theme is the browser's. */
const DEFAULTS = {
	account: "", language: "", theme: "", shortcuts: true, notifies: true, hasCalled: false,
	pushToTalk: false, ringtone: "bell", speakerVolume: 1, ringerVolume: 1,
};
const stored = valueOrNull(() => Object.entries(JSON.parse(localStorage.getItem(KEY)))) ?? [];
const valid = stored.filter(([name, value]) => typeof value === typeof DEFAULTS[name]);

export const preferences = { ...DEFAULTS, ...Object.fromEntries(valid) };

export function setPreferences(members) {
	Object.assign(preferences, members);
	change();
	valueOrNull(() => localStorage.setItem(KEY, JSON.stringify(preferences)));
}

export function clearPreferences() {
	Object.assign(preferences, DEFAULTS);
	valueOrNull(() => localStorage.removeItem(KEY));
}
