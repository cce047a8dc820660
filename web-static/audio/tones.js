const RATE = 16000;
const EDGE = 0.008;

const strokes = (at) => [659.3, 784, 987.8, 1318.5].map((frequency, place) => [at + 0.16 * place, 0.9, frequency]);
// Start and length in seconds, frequencies.
const TONES = {
	ring: { length: 4, gain: 0.5, rings: true, notes: [...strokes(0), ...strokes(1)] },
	waiting: { length: 6, notes: [[0, 0.15, 425], [0.35, 0.15, 425]] },
	ringback: { length: 5, notes: [[0, 1, 425]] },
	busy: { length: 1, notes: [[0, 0.5, 425]] },
	ended: { length: 0.6, loop: false, notes: [[0, 0.14, 480], [0.2, 0.24, 380]] },
};

const ROWS = [697, 770, 852, 941];
const COLUMNS = [1209, 1336, 1477, 1633];
const KEYS = [..."123A456B789C*0#D"];

/** ITU-T E.180, keys Q.23; looped buffers: timers of hidden pages are late. */
export class Tones {
	playing = null;

	constructor(engine) {
		this.engine = engine;
	}

	/** @returns {Promise<boolean>} whether it is heard at once */
	async play(name) {
		if (this.playing !== name) {
			this.stop();
			const node = this.sound(TONES[name]);
			node.addEventListener("ended", () => this.node === node && this.stop());
			Object.assign(this, { node, playing: name });
		}
		return this.engine.runs(300);
	}

	stop() {
		this.node?.stop();
		this.node = this.playing = null;
	}

	key(digit) {
		const place = KEYS.indexOf(digit);
		const notes = [[0, 0.12, ROWS[place >> 2], COLUMNS[place & 3]]];
		if (place >= 0) this.sound({ length: 0.13, loop: false, gain: 0.15, notes });
	}

	sound({ length, loop = true, gain = 0.12, rings, notes }) {
		const { context, graph } = this.engine;
		const buffer = context.createBuffer(1, Math.round(length * RATE), RATE);
		for (const note of notes) addNote(buffer.getChannelData(0), note, gain, rings);
		const node = new AudioBufferSourceNode(context, { buffer, loop });
		node.connect((rings ? graph.ringer : graph.speaker).node);
		node.start();
		return node;
	}
}

function addNote(samples, [at, length, ...frequencies], gain, decays) {
	const start = Math.round(at * RATE);
	for (let place = 0; place < length * RATE; place++) {
		const time = place / RATE;
		const edge = gain * Math.min(1, time / EDGE, (length - time) / EDGE);
		const shape = decays ? edge * Math.exp(-5 * time) : edge;
		for (const frequency of frequencies) {
			const phase = 2 * Math.PI * frequency * time;
			const overtone = decays ? 0.25 * Math.sin(4 * phase) * Math.exp(-20 * time) : 0;
			samples[start + place] += (shape * (Math.sin(phase) + overtone)) / frequencies.length;
		}
	}
}
