import { newUUID } from "../callhub.js";
import { dtmfActions } from "../client/call.js";
import { bench } from "./bench.js";
import { texts } from "./text.js";

/** The time in ms for which a sound, or silence, must have lasted. */
const steady = 400;
const facts = "(?:not )?(?:starting|connecting|ringing|connected|held|ended|active|muted|unmuted|grouped|alone|video|"
	+ "outgoing|incoming|held by remote|remotely ringing|grouped with [A-Z][\\w-]*)";
/** The longest duration of scenarios, in ms; a timer takes less than 2^31. */
const longest = 86_400_000;
const kinds = "start|answer|end|hold|unhold|mute|unmute|group|ungroup|key|pull|translate";

/** Makes a pattern: WHO is a phone, CALL a call, TIME a duration. */
const pattern = (text) => new RegExp(`^${text.replaceAll("WHO", "([a-z][\\w-]*)").replaceAll("CALL", "([A-Z][\\w-]*)")
	.replaceAll("TIME", "([\\d.]+ (?:ms|s|min))")}$`);
const table = (rows) => Object.entries(rows).map(([text, make]) => [pattern(text), make]);

/** Returns the function of the row that matches, of a context and what the pattern has found; null without one. */
function lookUp(rows, text) {
	const [expression, make] = rows.find(([one]) => one.test(text)) ?? [];
	return make ? (...context) => make(...context, ...expression.exec(text).slice(1)) : null;
}

/** Returns a duration such as `1.5 s` in ms. */
export function duration(text) {
	const [value, unit] = text.split(" ");
	const time = value * { ms: 1, s: 1_000, min: 60_000 }[unit];
	if (!(time <= longest)) throw new Error(texts.badTime(text));
	return time;
}

/** The words of choices in lines: `hold and accept`. */
export const wordsOf = (choice) => choice.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
const listOf = (choices = []) => choices.map(({ name }) => wordsOf(name)).join(", ") || "nothing";

/** The line's word for an action of the protocol. */
export function kindOf({ type, isOnHold, isMuted, callUUIDToGroupWith }) {
	return {
		endHere: "end", playDTMF: "key", setTranslating: "translate", setHeld: isOnHold ? "hold" : "unhold",
		setMuted: isMuted ? "mute" : "unmute", setGroup: callUUIDToGroupWith ? "group" : "ungroup",
	}[type] ?? type;
}

const setHeld = ({ uuid: callUUID }, isOnHold) => ({ type: "setHeld", callUUID, isOnHold });
const setGroup = ({ uuid: callUUID }, other) => ({ type: "setGroup", callUUID, callUUIDToGroupWith: other });
const start = (target, callUUID) => ({ type: "start", callUUID, handle: bench.handle(target), isVideo: false });

/** The actions of a request, by a function that finds the phone's calls; it throws while there is none. */
const requests = table({
	"(accept|decline|hold and accept|end and accept|end held and accept) CALL": (find, words, call) =>
		find(call).choices.find(({ name }) => wordsOf(name) === words).actions,
	"(answer|end|pull) CALL": (find, type, call) => ({ type, callUUID: find(call).uuid }),
	"end CALL here": (find, call) => ({ type: "endHere", callUUID: find(call).uuid }),
	"(hold|unhold) CALL": (find, kind, call) => setHeld(find(call), kind === "hold"),
	"swap": (find) => [setHeld(find(null, "connected"), true), setHeld(find(null, "held"), false)],
	"swap CALL with CALL": (find, first, second) => [setHeld(find(first), true), setHeld(find(second), false)],
	"(mute|unmute) CALL": (find, kind, call) =>
		({ type: "setMuted", callUUID: find(call).uuid, isMuted: kind === "mute" }),
	"(?:split|ungroup) CALL": (find, call) => setGroup(find(call), null),
	"(?:merge|group) CALL with CALL": (find, call, other) => setGroup(find(call), find(other).uuid),
	"call (\\S+)": (find, target) => start(target, newUUID()),
	"key ([^\"\\s]+) on CALL": (find, text, call) => dtmfActions(find(call).uuid, text),
});

const steps = table({
	"wait TIME": (time) => new Promise((then) => setTimeout(then, duration(time))),
	"WHO calls (\\S+)(?: as CALL)?": async (name, target, call = bench.nextCall()) => {
		const [{ hub }, uuid] = [bench.phone(name), newUUID()];
		bench.begin(call, name, target, uuid);
		await hub.transaction([start(target, uuid)]).catch((error) => {
			bench.forget(uuid);
			throw error;
		});
	},
	"WHO: do not disturb (on|off)": async (name, word) => {
		const phone = bench.phone(name);
		phone.doNotDisturb = (await phone.hub.request("settings.set", { doNotDisturb: word === "on" })).doNotDisturb;
	},
	"WHO fulfills (every|no)thing": (name, all) => {
		bench.phone(name).fulfilment = { mode: all === "no" ? "none" : "late", delay: 0 };
	},
	[`WHO (fulfills|fails|ignores) (${kinds}) CALL`]: async (name, response, kind, call) => {
		const phone = bench.phone(name);
		const isIt = (one) => kindOf(one) === kind && bench.nameOf(one.callUUID) === call;
		const { uuid } = await bench.until(() => phone.pending.find(isIt), texts.notAsked(name, kind, call));
		phone.answered(uuid);
		const method = { fulfills: "action.fulfill", fails: "action.fail" }[response];
		return method && phone.hub.request(method, { action: uuid });
	},
	"WHO drops": (name) => reach(name, { isDown: true }, "reconnecting"),
	"WHO resumes": (name) => reach(name, { isDown: false }, "online"),
	"WHO freezes": (name) => bench.phone(name).impair({ isFrozen: true }),
	"WHO thaws": (name) => reach(name, { isFrozen: false }, "online"),
	"WHO is delayed by TIME": (name, time) => bench.phone(name).impair({ delay: duration(time) }),
	"WHO leaves": (name) => bench.phone(name).leave(),
	"WHO signs in": (name) => bench.phone(name).signIn(),
	"WHO (speaks|is silent)": (name, word) => bench.phone(name).speak(word === "speaks"),
});

function reach(name, change, state) {
	const phone = bench.phone(name);
	phone.impair(change);
	return bench.until(() => phone.hub.state === state, texts.notReached(name, state), 10_000);
}

async function request(phone, parts, text, expected) {
	const find = (name, state) => (name ? bench.call(phone, name) : phone.liveCalls.find((call) => call.state === state));
	const made = () => {
		try {
			return parts.flatMap((one) => one(find));
		} catch {
			return null;
		}
	};
	const error = await phone.hub.transaction(await bench.until(made, texts.notReady(phone.name, text)))
		.then(() => expected && new Error(texts.accepted), (refusal) => refusal.name !== expected && refusal);
	if (error) throw error;
}

/** The words that hold for a call. */
function wordsFor(phone, call = {}) {
	const { state, isMuted, isOnHold, isOutgoing, hasVideo, group, remoteIsOnHold, remoteIsRinging, uuid } = call;
	const others = group ? phone.liveCalls.filter((one) => one.group === group && one.uuid !== uuid) : [];
	const grouped = others.map((one) => `grouped with ${bench.nameOf(one.uuid)}`);
	return [
		state, state === "connected" && !isOnHold && !remoteIsOnHold && "active", isMuted ? "muted" : "unmuted",
		remoteIsOnHold && "held by remote", remoteIsRinging && "remotely ringing", group ? "grouped" : "alone",
		hasVideo && "video", isOutgoing ? "outgoing" : "incoming", ...grouped,
	].filter(Boolean);
}

/** Describes a call's state from its owner's side. */
export function stateOf(phone, call) {
	const unsaid = /^(unmuted|alone|active|incoming|outgoing|grouped with .*)$/;
	const words = wordsFor(phone, call).filter((word) => !unsaid.test(word));
	const state = call.hasEnded ? [endOf(call)] : words;
	return [...state, ...(call.choices?.length > 0 ? [`offers ${listOf(call.choices)}`] : [])].join(", ");
}

const endOf = ({ endedReason, cause }) => `ended: ${endedReason ?? "locally"}${cause ? ` because ${cause}` : ""}`;
const recorded = /^(ringing|connected|held|(un)?muted|held by remote|alone|grouped with .*)$/;

/** Returns the expectations of a call that has changed, as `callhub scenario record` writes them. */
export function expectationsOf(phone, call, before, known = ["unmuted", "alone"]) {
	const subject = `expect ${phone.name}'s ${bench.nameOf(call.uuid)}`;
	if (call.hasEnded) return before?.hasEnded ? [] : [`${subject} ${endOf(call)}`];
	const told = recordedWords(phone, call).filter((word) => !known.includes(word));
	if (before?.remoteIsOnHold && !call.remoteIsOnHold) told.push("not held by remote");
	const lines = told.length > 0 ? [`${subject} is ${told.join(", ")}`] : [];
	const hasChoice = call.choices?.length > 2 && listOf(call.choices) !== listOf(before?.choices);
	return hasChoice ? [...lines, `${subject} offers ${listOf(call.choices)}`] : lines;
}

export const recordedWords = (phone, call) => wordsFor(phone, call).filter((word) => recorded.test(word));

/** Indicates that a phone's sound has not changed for a while, since the last step. */
export const isSteady = ({ heardAt = 0 }, time = 0) =>
	performance.now() - Math.max(heardAt, bench.steppedAt + steady) >= Math.max(steady, time);

export function soundOf({ name, heard }) {
	const voices = heard.map((voice) => (voice === name ? "himself" : voice));
	const last = voices.pop() ?? "nothing";
	return `expect ${name} hears ${voices.length > 0 ? `${voices.join(", ")} and ${last}` : last}`;
}

const aboutCall = (test) => (phone, who, name, text) => {
	const call = bench.call(phone, name);
	return call && test(call, text, phone);
};
const checks = table({
	[`WHO's CALL is (${facts}(?:, ${facts})*)`]: aboutCall((call, text, phone) => text.split(", ")
		.every((word) => wordsFor(phone, call).includes(word.replace("not ", "")) !== word.startsWith("not "))),
	"WHO's CALL (ended: .+)": aboutCall((call, text) => call.hasEnded && `${endOf(call)} `.startsWith(`${text} `)),
	"WHO's CALL offers (.+)": aboutCall((call, text) => listOf(call.choices) === text),
	"WHO rings": (phone) => phone.liveCalls.some((call) => call.state === "ringing" && !call.isOutgoing),
	"WHO has (no|\\d+) calls?": (phone, who, count) => phone.liveCalls.length === (Number(count) || 0),
	"WHO is told dtmf (\\S+)": (phone, who, digits) => phone.digits.includes(digits),
	"WHO hears ([a-z][\\w-]*(?:(?:, | and )[a-z][\\w-]*)*)(?: for TIME)?": (phone, who, text, time = "0 s") => {
		const names = text.split(/, | and /).map((one) => (/^(him|her|it)self$/.test(one) ? phone.name : one));
		const heard = phone.heard.length > 0 ? [...phone.heard] : ["nothing"];
		return isSteady(phone, duration(time)) && String(names.sort()) === String(heard.sort());
	},
});

const seenAt = (phone) => [texts.hears(phone.name, phone.heard), ...phone.liveCalls.map((call) =>
	`${bench.nameOf(call.uuid)} ${stateOf(phone, call)}`)].join("; ");

/** Returns the function that does a line; throws a sentence for a line that the bench cannot do. */
export function parse(line) {
	const [, name, text, error] = pattern("WHO(?:: | cannot )(.+?)(?:: (\\w+))?").exec(line) ?? [];
	const parts = text?.split(", ").map((one) => lookUp(requests, one));
	if (parts?.every(Boolean)) return () => request(bench.phone(name), parts, text, error);
	const [, expected, within] = pattern("expect (.+?)(?: within ([\\d.]+ (?:s|min)))?").exec(line) ?? [];
	const found = expected ? lookUp(checks, expected) : lookUp(steps, line);
	if (!found) throw new Error(texts.cannot(line));
	if (!expected) return async () => found();
	const phone = () => bench.phone(/^[a-z][\w-]*/.exec(expected)[0]);
	const test = () => phone().isReachable && found(phone());
	return () => bench.until(test, () => texts.notSo(expected, seenAt(phone())), within && duration(within));
}
