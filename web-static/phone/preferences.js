import { change, tried } from "./state.js";

const KEY = "callhub.preferences";
/** "": the browser's. */
const DEFAULTS = { account: "", language: "", theme: "", shortcuts: true, notifies: true };
const kept = tried(() => Object.entries(JSON.parse(localStorage.getItem(KEY)))) ?? [];
const known = kept.filter(([name, value]) => typeof value === typeof DEFAULTS[name]);

/** Never a password, never a token. */
export const preferences = { ...DEFAULTS, ...Object.fromEntries(known) };

export function prefer(members) {
	Object.assign(preferences, members);
	change();
	tried(() => localStorage.setItem(KEY, JSON.stringify(preferences)));
}

export function forgetPreferences() {
	Object.assign(preferences, DEFAULTS);
	tried(() => localStorage.removeItem(KEY));
}
