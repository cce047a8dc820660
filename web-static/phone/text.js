import { preferences } from "./preferences.js";
import calls from "./text/calls.js";
import contacts from "./text/contacts.js";
import errors from "./text/errors.js";
import pages from "./text/pages.js";
import people from "./text/people.js";
import recents from "./text/recents.js";
import settings from "./text/settings.js";
import signIn from "./text/sign-in.js";
import sound from "./text/sound.js";

export const languages = [
	{ code: "en", name: "English", forms: ["one", "other"] },
	{ code: "ko", name: "한국어", forms: ["other"] },
	{ code: "cs", name: "Čeština", forms: ["one", "few", "other"] },
];
const RIGHT_TO_LEFT = /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc]/;

const texts = new Map();
/** docs/browser-phone.md, User interface. */
export function addTexts(text) {
	let prefix;
	for (const entry of text.trim().split("\n\n")) {
		const [keys, ...translations] = entry.split("\n");
		[prefix = prefix] = keys.match(/^\w+/) ?? [];
		for (const key of keys.split(" ")) texts.set(key.replace(/^(?=\.)/, prefix), translations);
	}
}
[calls, contacts, errors, pages, people, recents, settings, signIn, sound].forEach(addTexts);
let current = 0;
let plurals;

export let language = "en";

export function loadLanguage() {
	const codes = languages.map(({ code }) => code);
	const preferred = [preferences.language, ...navigator.languages, "en"].map((tag) => tag.slice(0, 2));
	language = preferred.find((tag) => codes.includes(tag));
	current = codes.indexOf(language);
	plurals = new Intl.PluralRules(language);
	document.documentElement.lang = language;
}

export function t(key, values = {}) {
	const forms = (texts.get(key)?.[current] ?? key).split("|");
	const form = forms.length > 1 ? languages[current].forms.indexOf(plurals.select(values.count)) : 0;
	return forms.at(form).replace(/\{(\w+)\}/g, (_, name) => isolate(values[name]));
}

export const hasText = (key) => texts.has(key);

function isolate(value) {
	const text = typeof value === "number" ? value.toLocaleString(language) : String(value ?? "");
	return RIGHT_TO_LEFT.test(text) ? `\u2068${text}\u2069` : text;
}
