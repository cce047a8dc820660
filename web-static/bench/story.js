import { bench } from "./bench.js";
import { expectationsOf, isSteady, recordedWords, soundOf } from "./lines.js";
import { texts } from "./text.js";

/** What is done on the bench and what is seen, as the lines of a scenario. */
export class Story {
	/** @type {{text: string, isInBlock?: boolean}[]} */
	lines = [];
	notes = new Set();
	/** The options of each party. */
	parties = new Map();
	#changed = new Map();
	/** What was last expected of each call, and of each phone's sound. */
	#expected = new Map();
	#changedAt = 0;

	joins({ name, fulfilment, doNotDisturb }) {
		if (this.parties.has(name)) return;
		const isLate = this.lines.length > 0;
		this.parties.set(name, [fulfilment.mode !== "server" && "manual", isLate && "away"].filter(Boolean));
		if (isLate) this.step(`${name} signs in`);
		if (doNotDisturb) this.step(`${name}: do not disturb on`);
	}

	/** Adds a step behind what is seen since the one before; returns its line. */
	step(text, isInBlock) {
		if (!isInBlock) this.flush();
		const line = { text, isInBlock };
		this.lines.push(line);
		bench.ladder.add("step", text);
		bench.steppedAt = performance.now();
		return line;
	}

	/** Replaces a refused step by its refusal, where the language has one, or removes it. */
	failed(line, { code, name }) {
		const text = line.text.replace(" calls ", ": call ").replace(/ as [A-Z]\S*$/, "");
		const isAction = /: (answer|call|end|pull|hold|unhold|mute|unmute|split|merge|key) [^,]+$/.test(text);
		const isRefused = code > 0 && !/ cannot /.test(text);
		if (isRefused && isAction && !line.isInBlock) line.text = `${text.replace(":", " cannot")}: ${name}`;
		else this.lines.splice(this.lines.indexOf(line), 1);
		if (isRefused && !isAction) this.notes.add(texts.refused(line.text, name));
	}

	changed(phone, call) {
		this.#changed.set(`${phone.name} ${call.uuid}`, { phone, call });
		this.#changedAt = performance.now();
	}

	/** Adds what is seen since the last step. */
	flush() {
		const { phones } = bench;
		for (const [key, { phone, call }] of this.#changed) {
			if (!phone.isReachable) continue;
			const { before, words } = this.#expected.get(key) ?? {};
			for (const text of expectationsOf(phone, call, before, words)) this.#expect(text);
			this.#expected.set(key, { before: call, words: recordedWords(phone, call) });
			this.#changed.delete(key);
		}
		for (const phone of phones.filter((one) => one.isReachable && one.digits)) {
			this.#expectDigits(phone);
		}
		// A frozen phone is heard as long as its connection lasts.
		if (phones.some(({ network }) => network.isFrozen)) return;
		for (const phone of phones.filter((one) => one.isReachable && isSteady(one))) this.#expectSound(phone);
	}

	/** Expects keyed digits behind the step that keyed them: on a slow page they arrive behind later steps, in parts. */
	#expectDigits(phone) {
		const keyed = this.lines.findLastIndex(({ text }) => /: key /.test(text));
		const behind = this.lines.findIndex(({ isInBlock }, index) => index > keyed && !isInBlock);
		const index = behind < 0 ? this.lines.length : behind;
		const words = `expect ${phone.name} is told dtmf `;
		if (this.lines[index]?.text.startsWith(words)) this.lines[index].text += phone.digits;
		else this.lines.splice(index, 0, { text: words + phone.digits });
		phone.digits = "";
	}

	#expectSound(phone) {
		const { name, heard, heardAt } = phone;
		if (String(heard) === (this.#expected.get(name) ?? "")) return;
		this.#expected.set(name, String(heard));
		if (heard.length > 0 || phone.liveCalls.some((call) => call.hasConnected)) this.#expect(soundOf(phone), heardAt);
	}

	#expect(text, at = this.#changedAt) {
		const seconds = Math.ceil((at - bench.steppedAt) / 1000);
		this.lines.push({ text: seconds > 1 ? `${text} within ${seconds + 2} s` : text });
	}

	/** The file, in the form of `callhub scenario record`. */
	text() {
		this.flush();
		const [plain, special] = [[], []];
		for (const [name, options] of this.parties) {
			if (options.length > 0) special.push(`party ${name}: ${options.join(", ")}`);
			else plain.push(name);
		}
		const isEmpty = ({ text }, index, all) => text === "together:" && !all[index + 1]?.isInBlock;
		const lines = this.lines.filter((...line) => !isEmpty(...line))
			.map(({ text, isInBlock }) => (isInBlock ? `    ${text}` : text));
		const notes = [...this.notes].map((note) => `# Not here: ${note}.`);
		const parties = plain.length > 0 ? [`parties ${plain.join(", ")}`] : [];
		return [...notes, `scenario ${texts.scenario}`, ...parties, ...special, "", ...lines, ""].join("\n");
	}
}
