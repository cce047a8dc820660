import { coders } from "./coders.js";

/** An encoder or decoder, by its `name`. Browsers change timestamps, so outputs are matched to inputs by their order. */
export class Codec {
	pending = [];
	openedAt = -Infinity;

	constructor(name, options) {
		Object.assign(this, { name, ...options });
	}

	/** Creates the coder if there is none, at most once a second; returns false if it has failed. */
	open() {
		if (this.coder) return true;
		const now = this.clock();
		const Coder = coders[this.name];
		if (!Coder || now - this.openedAt < 1000) return false;
		this.openedAt = now;
		const coder = new Coder({
			output: (data) => {
				const entry = this.coder === coder && this.pending.shift();
				if (entry) this.output(data, entry);
			},
			error: ({ message }) => this.coder === coder && this.fail(message),
		});
		this.coder = coder;
		coder.configure(this.bitrate);
		return this.coder === coder;
	}

	/** Codes samples or a packet; the output comes with the entry. */
	push(data, entry) {
		this.pending.push(entry);
		this.coder.code(data);
	}

	/** Conceals lost samples in the mode of a packet's first byte. */
	conceal(samples, mode, entry) {
		this.pending.push(entry);
		this.coder.conceal(samples, mode);
	}

	/** Changes the bit rate, of a running encoder too. */
	use(bitrate) {
		this.bitrate = bitrate;
		if (this.coder?.configure(bitrate) === false) this.close();
	}

	fail(message) {
		this.drop();
		this.problem(this.name, message);
	}

	close() {
		this.drop();
		this.openedAt = -Infinity;
	}

	drop() {
		this.coder?.close();
		this.coder = null;
		this.pending = [];
	}
}
