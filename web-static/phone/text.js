import { preferences } from "./preferences.js";
import calls from "./text/calls.js";
import errors from "./text/errors.js";
import pages from "./text/pages.js";
import settings from "./text/settings.js";
import sound from "./text/sound.js";

/** The plural `forms` between `|`. */
export const languages = [
	{ code: "en", name: "English", forms: ["one", "other"] },
	{ code: "ko", name: "한국어", forms: ["other"] },
	{ code: "cs", name: "Čeština", forms: ["one", "few", "other"] },
];
/** Right to left. */
const TURNS = /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc]/;

/** In the files an entry is a line of keys, then one for each language. */
const words = new Map([pages, calls, sound, settings, errors].flatMap((text) => text.trim().split("\n\n"))
	.map((entry) => entry.split("\n"))
	.flatMap(([keys, ...translations]) => keys.split(" ").map((key) => [key, translations])));
let current = 0;
let plurals;

export let language = "en";

export function loadLanguage() {
	const codes = languages.map(({ code }) => code);
	const wanted = [preferences.language, ...navigator.languages, "en"].map((tag) => tag.slice(0, 2));
	language = wanted.find((tag) => codes.includes(tag));
	current = codes.indexOf(language);
	plurals = new Intl.PluralRules(language);
	document.documentElement.lang = language;
}

/** `{name}` is one of `values`; their `count` chooses the plural form. */
export function t(key, values = {}) {
	const forms = (words.get(key)?.[current] ?? key).split("|");
	const form = forms.length > 1 ? languages[current].forms.indexOf(plurals.select(values.count)) : 0;
	return forms.at(form).replace(/\{(\w+)\}/g, (_, name) => isolated(values[name]));
}

export const hasText = (key) => words.has(key);

function isolated(value) {
	const text = typeof value === "number" ? value.toLocaleString(language) : String(value ?? "");
	return TURNS.test(text) ? `\u2068${text}\u2069` : text;
}
