import { coders } from "./coders.js";

/** Browsers change timestamps, so outputs are matched to inputs by their order. */
export class Codec {
	pending = [];
	openedAt = -Infinity;

	constructor(name, options) {
		Object.assign(this, { name, ...options });
	}

	/** At most once a second; returns false after a failure. */
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

	push(data, entry) {
		this.pending.push(entry);
		this.coder.code(data);
	}

	conceal(samples, mode, entry) {
		this.pending.push(entry);
		this.coder.conceal(samples, mode);
	}

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
