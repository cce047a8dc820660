/** An encoder or decoder. Browsers change timestamps, so outputs are matched to inputs by their order. */
export class Codec {
	configuration = { codec: "opus", sampleRate: 48000, numberOfChannels: 1 };
	pending = [];
	openedAt = -Infinity;

	constructor(Coder, name, options) {
		Object.assign(this, { Coder, name, ...options });
	}

	/** Creates the coder if there is none, at most once a second; returns false if it has failed. */
	open() {
		if (this.coder) return true;
		const now = this.clock();
		if (now - this.openedAt < 1000) return false;
		this.openedAt = now;
		const coder = new this.Coder({
			output: (data) => {
				const entry = this.coder === coder && this.pending.shift();
				if (entry) this.output(data, entry);
				data.close?.();
			},
			error: ({ message }) => this.coder === coder && this.fail(message),
		});
		coder.configure(this.configuration);
		this.coder = coder;
		return true;
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
		if (this.coder?.state !== "closed") this.coder?.close();
		this.coder = null;
		this.pending = [];
	}
}
