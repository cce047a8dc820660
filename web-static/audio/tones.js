const RATE = 16000;
const RAMP = 0.008;

const bell = (at) => [659.3, 784, 987.8, 1318.5].map((frequency, index) => [at + 0.16 * index, 0.9, frequency]);
const trill = (at) => Array.from({ length: 10 }, (_, index) => [at + 0.08 * index, 0.12, index % 2 ? 932.3 : 740]);
const RING = { length: 4, gain: 0.5, rings: true };
export const RINGTONES = {
	bell: { ...RING, notes: [...bell(0), ...bell(1)] },
	trill: { ...RING, notes: [...trill(0), ...trill(1.2)] },
	marimba: { ...RING, notes: [523.3, 784, 659.3, 1046.5, 784].map((note, index) => [0.22 * index, 0.7, note]) },
};
/** Notes: start and length in seconds, frequencies in Hz. */
const TONES = {
	waiting: { length: 6, notes: [[0, 0.15, 425], [0.35, 0.15, 425]] },
	ringback: { length: 5, notes: [[0, 1, 425]] },
	busy: { length: 1, notes: [[0, 0.5, 425]] },
	ended: { length: 0.6, loop: false, notes: [[0, 0.14, 480], [0.2, 0.24, 380]] },
};

const ROWS = [697, 770, 852, 941];
const COLUMNS = [1209, 1336, 1477, 1633];
const KEYS = [..."123A456B789C*0#D"];

/** ITU-T E.180 and DTMF (Q.23). Buffers loop because timers of hidden pages are late. */
export class Tones {
	playing = null;
	ringtone = "bell";

	constructor(engine) {
		this.engine = engine;
	}

	async play(name, ringtone) {
		if (this.playing !== name) {
			this.stop();
			this.played = name === "ring" ? this.ring(ringtone) : TONES[name];
			const node = this.startNotes(this.played);
			node.addEventListener("ended", () => this.node === node && this.stop());
			Object.assign(this, { node, playing: name });
		}
		return this.engine.isRunningWithin(300);
	}

	stop() {
		this.node?.stop();
		this.node = this.playing = null;
		this.engine.mic.closeLater();
	}

	ring(name) {
		return RINGTONES[[name, this.ringtone].find((one) => Object.hasOwn(RINGTONES, one)) ?? "bell"];
	}

	sample(name) {
		this.sampled?.stop();
		this.sampled = this.startNotes({ ...this.ring(name), length: 2.5, loop: false });
	}

	key(digit) {
		const index = KEYS.indexOf(digit);
		const notes = [[0, 0.12, ROWS[index >> 2], COLUMNS[index & 3]]];
		if (index < 0) return;
		this.startNotes({ length: 0.13, loop: false, gain: 0.15, notes });
		this.engine.mic.closeLater();
	}

	/** `buffer`: a sound in place of notes. */
	startNotes({ length, loop = true, gain = 0.12, rings, notes, buffer }) {
		const { context, graph } = this.engine;
		this.engine.wake();
		buffer ??= context.createBuffer(1, Math.round(length * RATE), RATE);
		for (const note of notes ?? []) addNote(buffer.getChannelData(0), note, gain, rings);
		const node = new AudioBufferSourceNode(context, { buffer, loop });
		node.connect((rings ? graph.ringer : graph.speaker).node);
		node.start();
		if (!loop) node.stop(context.currentTime + length);
		return node;
	}
}

function addNote(samples, [at, length, ...frequencies], gain, decays) {
	const start = Math.round(at * RATE);
	for (let index = 0; index < length * RATE; index++) {
		const time = index / RATE;
		const envelope = gain * Math.min(1, time / RAMP, (length - time) / RAMP);
		const shape = decays ? envelope * Math.exp(-5 * time) : envelope;
		for (const frequency of frequencies) {
			const phase = 2 * Math.PI * frequency * time;
			const overtone = decays ? 0.25 * Math.sin(4 * phase) * Math.exp(-20 * time) : 0;
			samples[start + index] += (shape * (Math.sin(phase) + overtone)) / frequencies.length;
		}
	}
}
