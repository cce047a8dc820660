import { duration, parse } from "./lines.js";
import { bench, isName } from "./bench.js";
import { texts } from "./text.js";

const verbs = "calls|cannot|fulfills|fails|drops|resumes|freezes|thaws|leaves|signs|speaks|is|hears|has|rings";
const starter = new RegExp(`^(?:expect )?([a-z][\\w-]*)(?=:|'s | (?:${verbs})\\b)`);

/** An opened scenario: its parties, and its steps, which are done one after the other. */
export class ScenarioFile {
	title = "";
	patience = 2_000;
	/** The fulfilment of each party. */
	parties = new Map();
	/** @type {{text: string, number: number, inner: string[], error?: string, state?: "now" | "passed" | "failed"}[]} */
	steps = [];
	isRunning = false;

	constructor(text) {
		for (const [index, line] of text.split("\n").entries()) {
			// In quotes the sign begins no comment.
			const words = line.replace(line.includes("\"") ? /^\s*#.*/ : /(^|\s)#.*/, "").trimEnd();
			const last = this.steps.at(-1);
			if (/^\s/.test(words) && last?.text.endsWith(":")) last.inner.push(words.trim());
			else if (words && !this.#readHeader(words)) this.steps.push({ text: words, number: index + 1, inner: [] });
		}
		for (const step of this.steps) {
			try {
				if (step.text !== "together:") parse(step.text);
				step.inner.forEach(parse);
			} catch ({ message }) {
				step.error = message;
			}
		}
		if (this.parties.size > 0) return;
		for (const { text, inner } of this.steps) for (const line of [text, ...inner]) this.#meet(line);
	}

	/** Reads a line that stands before the steps; returns false for another one. */
	#readHeader(line) {
		const [, word, rest] = /^(scenario|parties|party|patience|proves|seed) (.+)/.exec(line) ?? [];
		if (word === "scenario") this.title = rest;
		if (word === "patience") this.patience = duration(rest);
		if (word === "parties") for (const name of rest.split(", ")) this.parties.set(name, "server");
		if (word !== "party") return Boolean(word);
		const [, name, options] = /^([\w-]+)(?:: (manual|streams|manual, streams))?$/.exec(rest) ?? [];
		if (name) this.parties.set(name, options?.startsWith("manual") ? "none" : "server");
		return Boolean(name);
	}

	/** Adds the parties that a line names. */
	#meet(line) {
		const found = [starter.exec(line)?.[1], / calls ([a-z][\w-]*)( |$)/.exec(line)?.[1]];
		for (const name of found) if (name && isName(name)) this.parties.set(name, "server");
	}

	get next() {
		return this.steps.find(({ state }) => state !== "passed");
	}

	/** Does the next step; returns whether it has passed. A line that cannot be done is named and ends the run. */
	async step() {
		const { next } = this;
		if (!next || next.state) return false;
		next.state = "now";
		bench.say("");
		try {
			if (next.error) throw new Error(next.error);
			await (next.inner.length > 0 ? bench.together(next.inner) : bench.perform(next.text));
			next.state = "passed";
			if (!this.next) bench.say(texts.passed(this.title));
		} catch ({ message }) {
			next.state = "failed";
			bench.say(texts.failed(next.number, message));
		}
		return next.state === "passed";
	}

	async run() {
		this.isRunning = true;
		while (this.isRunning && await this.step());
		this.isRunning = false;
		bench.changed();
	}
}
