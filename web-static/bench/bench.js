import { parseHandle } from "../callhub.js";
import { Ladder } from "./ladder.js";
import { kindOf, parse } from "./lines.js";
import { Phone, tones } from "./phone.js";
import { Story } from "./story.js";
import { texts } from "./text.js";

const names = "alice bob carol dave erin frank grace heidi ivan judy kate leo".split(" ");
/** The words of scenarios that name no party. */
export const isName = (name) => /^[a-z][\w-]*$/.test(name) && !reserved.includes(name);
const reserved = ("scenario proves parties party hub patience seed let for repeat together in at wait clock expect "
	+ "either nobody anybody himself herself itself nothing everything music tone echo audio recents call no").split(" ");
const sleep = (time) => new Promise((then) => setTimeout(then, time));

/** The phones, the conversations between them, and what is done and seen. */
export const bench = {
	/** @type {Phone[]} */
	phones: [],
	/** The calls that have a name: the caller, the called party, and the UUID of each end. */
	conversations: [],
	steppedAt: 0,
	patience: 2_000,
	message: "",
	file: null,
	changed: () => {},

	phone(name) {
		const found = bench.phones.find((one) => one.name === name);
		if (!found) throw new Error(texts.noPhone(name));
		return found;
	},

	say(text) {
		bench.message = text;
		bench.changed();
	},

	/** Returns the handle of a party, or one that is written as such. */
	handle(target) {
		const phone = bench.phones.find(({ name }) => name === target);
		return phone?.hub.handles?.[0] ?? parseHandle(phone?.account ?? target);
	},

	/** Returns a name that no call has yet: the first one, or one of the following. */
	nextCall(index = 0) {
		const used = new Set(bench.conversations.map(({ name }) => name));
		for (let number = 0; ; number++) {
			const name = String.fromCharCode(65 + (number % 26)) + (Math.floor(number / 26) || "");
			if (!used.has(name) && index-- === 0) return name;
		}
	},

	begin(name, caller, callee, uuid) {
		bench.conversations.push({ name, caller, callee, ends: { [caller]: uuid } });
	},

	forget(uuid) {
		bench.conversations = bench.conversations.filter(({ ends }) => !Object.values(ends).includes(uuid));
	},

	nameOf: (uuid) => bench.conversations.find(({ ends }) => Object.values(ends).includes(uuid))?.name ?? uuid.slice(0, 8),

	/** Returns the call that a phone means by a name: the newest one. */
	call(phone, name) {
		const found = bench.conversations.findLast((one) => one.name === name && phone.name in one.ends);
		return phone.calls.get(found?.ends[phone.name]);
	},

	/** Waits for the value of a condition; the sentence says what was missing. */
	async until(condition, sentence, limit = bench.patience) {
		for (const end = performance.now() + limit; ;) {
			const value = condition();
			if (value) return value;
			if (performance.now() > end) throw new Error(sentence());
			await sleep(30);
		}
	},

	/** Does a line by hand; a failure is shown. */
	act(line) {
		bench.say("");
		return bench.perform(line).catch(({ message }) => bench.say(message));
	},

	/** Does a line, which becomes a line of the story. */
	async perform(text, isInBlock) {
		const run = parse(text);
		// What is seen, and each fulfilment, is noted anyway.
		if (/^expect | fulfills (every|no)thing$/.test(text)) return run();
		const line = bench.story.step(text, isInBlock);
		try {
			await run();
		} catch (error) {
			bench.story.failed(line, error);
			throw error;
		} finally {
			bench.changed();
		}
	},

	async together(lines) {
		bench.story.step("together:");
		const done = await Promise.allSettled(lines.map((line) => bench.perform(line, true)));
		for (const { reason } of done) if (reason) throw reason;
	},

	async add(name = names.find((one) => bench.phones.every((phone) => phone.name !== one)), mode = "server") {
		if (!isName(name) || bench.phones.some((one) => one.name === name)) return bench.say(texts.badName);
		const tone = tones.find((one) => bench.phones.every((phone) => phone.tone !== one));
		if (!tone) return bench.say(texts.tooMany(tones.length));
		const phone = new Phone(name, tone, (kind, value) => {
			reports[kind]?.(phone, value);
			bench.changed();
		});
		phone.fulfilment.mode = mode;
		bench.phones = [...bench.phones, phone];
		await bench.signIn(phone);
		return phone;
	},

	async signIn(phone, credentials) {
		bench.say("");
		await phone.signIn(credentials).then(() => bench.story.joins(phone), ({ message }) => bench.say(message));
		bench.changed();
	},

	async remove(phone) {
		if (phone.hub.state === "online") await bench.act(`${phone.name} leaves`);
		bench.phones = bench.phones.filter((one) => one !== phone);
		phone.close();
		bench.changed();
	},

	/** Changes the fulfilment; only at the beginning from the server's to the phone's own, which is another session. */
	async fulfil(phone, change) {
		const isOther = (change.mode ?? phone.fulfilment.mode) === "server" !== (phone.fulfilment.mode === "server");
		if (isOther && (phone.liveCalls.length > 0 || bench.story.lines.length > 0)) return bench.say(texts.inCalls);
		Object.assign(phone.fulfilment, change);
		if (!isOther) return bench.changed();
		bench.clear();
		phone.leave();
		await bench.signIn(phone);
	},

	/** Has free phones call one at the same time; adds phones if there are too few. */
	async ring(phone, count) {
		const free = () => bench.phones.filter((one) => one !== phone && one.isReachable && one.liveCalls.length === 0);
		while (free().length < count && (await bench.add())?.isReachable);
		if (free().length < count) return bench.say(texts.tooFew(phone.name, count));
		const lines = free().slice(0, count).map(({ name }, index) =>
			`${name} calls ${phone.name} as ${bench.nextCall(index)}`);
		if (count === 1) return bench.act(lines[0]);
		await bench.together(lines).catch(({ message }) => bench.say(message));
	},

	clear() {
		Object.assign(bench, { ladder: new Ladder(), story: new Story(), message: "" });
		for (const phone of bench.phones) {
			bench.story.joins(phone);
			if (phone.liveCalls.length > 0) bench.story.notes.add(texts.before);
		}
		bench.changed();
	},

	/** Makes the parties of an opened scenario the phones. */
	async open(file) {
		bench.file = null;
		for (const phone of bench.phones) await bench.remove(phone);
		Object.assign(bench, { conversations: [], patience: file.patience });
		bench.clear();
		for (const [name, mode] of file.parties) await bench.add(name, mode);
		bench.file = file;
		bench.changed();
	},
};

/** The reactions to reports of a phone. */
const reports = {
	request: (phone, message) => bench.ladder.message(phone, message, true),
	message: (phone, message) => bench.ladder.message(phone, message, false),
	reset: (phone) => bench.story.notes.add(texts.lost(phone.name)),
	call(phone, call) {
		if (!bench.conversations.some(({ ends }) => ends[phone.name] === call.uuid)) link(phone, call);
		bench.story.changed(phone, call);
	},
	/** Answers an action as the phone's fulfilment says. */
	async perform(phone, action) {
		const { mode, delay } = phone.fulfilment;
		if (mode !== "late" && mode !== "fail") return;
		if (mode === "late" && delay > 0) {
			bench.story.step(`wait ${delay} ms`);
			await sleep(delay);
		}
		const isWaiting = phone.pending.some(({ uuid }) => uuid === action.uuid);
		const line = `${kindOf(action)} ${bench.nameOf(action.callUUID)}`;
		if (isWaiting) bench.act(`${phone.name} ${mode === "late" ? "fulfills" : "fails"} ${line}`);
	},
};

/** Assigns a new call to the first call of its caller that has no other end, or names it. */
function link(phone, { uuid, isOutgoing, remoteHandle }) {
	const isRemote = (one) => JSON.stringify(bench.handle(one.name)) === JSON.stringify(remoteHandle);
	const caller = !isOutgoing && bench.phones.find(isRemote)?.name;
	const isOpen = (one) => one.caller === caller && one.callee === phone.name && !(phone.name in one.ends);
	const open = bench.conversations.filter(isOpen);
	const isOver = ({ ends }) => bench.phone(caller).calls.get(ends[caller])?.hasEnded;
	const found = open.find((one) => !isOver(one)) ?? open[0];
	if (found) return void (found.ends[phone.name] = uuid);
	bench.begin(bench.nextCall(), phone.name, null, uuid);
	bench.story.notes.add(texts.outside);
}

setInterval(() => {
	for (const phone of bench.phones) {
		if (!phone.measure(bench.phones)) continue;
		bench.ladder.add("heard", texts.hears(phone.name, phone.heard), phone);
		bench.changed();
	}
}, 100);
bench.clear();
