import { Codec } from "./codec.js";
import { opusSamples, parseRTP, unwrap } from "./rtp.js";

const MOST_SOURCES = 16;
const MOST_BYTES = 4000;
// More invented frames in a row are a drone.
const MOST_CONCEALED = 5;
const MOST_WAITING = 100;
// So many old packets in a row: the sender has begun anew.
const RESTART = 25;

export class Downlink {
	streams = new Map();
	gone = new Set();

	constructor(sound) {
		this.sound = sound;
	}

	sources(ssrcs) {
		for (const ssrc of this.streams.keys()) if (!ssrcs.includes(ssrc)) this.remove(ssrc);
		for (const ssrc of ssrcs) {
			this.gone.delete(ssrc);
			this.stream(ssrc);
		}
	}

	packet(bytes, at) {
		const packet = parseRTP(bytes);
		if (!packet || packet.payload.length > MOST_BYTES || this.gone.has(packet.ssrc)) return;
		const samples = opusSamples(packet.payload);
		if (samples > 0) this.stream(packet.ssrc)?.packet(packet, samples, at);
	}

	receptions() {
		return Array.from(this.streams.values(), (stream) => stream.block()).filter(Boolean);
	}

	stream(ssrc) {
		const { streams, sound } = this;
		if (!streams.has(ssrc) && streams.size < MOST_SOURCES) streams.set(ssrc, new Stream(ssrc, sound));
		return streams.get(ssrc);
	}

	remove(ssrc) {
		this.streams.get(ssrc).codec.close();
		this.streams.delete(ssrc);
		this.sound.play({ source: ssrc, gone: true });
		// A straggler must not bring it back.
		this.gone.add(ssrc);
		const [oldest] = this.gone;
		if (this.gone.size > 64) this.gone.delete(oldest);
	}
}

/** RFC 3550 appendix A. */
export class Reception {
	jitter = 0;

	constructor(ssrc) {
		this.ssrc = ssrc;
		this.begin();
	}

	begin() {
		this.highest = this.index = null;
		this.lastTransit = NaN;
		this.old = this.expected = this.received = 0;
		this.reported = { expected: 0, received: 0 };
	}

	take(sequence, timestamp, at) {
		this.received += 1;
		const number = unwrap(sequence, this.highest, 16);
		const step = number - (this.highest ?? number - 1);
		if (step <= 0) {
			this.old += 1;
			if (this.old < RESTART) return null;
			this.begin();
			return this.take(sequence, timestamp, at);
		}
		this.old = 0;
		this.expected += step;
		this.highest = number;
		this.index = unwrap(timestamp, this.index, 32);
		const transit = at * 48 - this.index;
		const difference = Math.abs(transit - this.lastTransit);
		if (difference < 48_000) this.jitter += (difference - this.jitter) / 16;
		this.lastTransit = transit;
		return step;
	}

	block() {
		const { ssrc, highest, expected, received, jitter } = this;
		if (highest === null) return null;
		const due = expected - this.reported.expected;
		const lost = Math.max(0, due - (received - this.reported.received));
		this.reported = { expected, received };
		const fractionLost = Math.min(255, Math.floor((256 * lost) / due)) || 0;
		return { ssrc, fractionLost, lost: expected - received, highest, jitter };
	}
}

class Stream extends Reception {
	fed = 0;

	constructor(source, { play, problem, clock }) {
		super(source);
		const output = (data, { isConcealed, ...entry }) => {
			const pcm = new Float32Array(data.numberOfFrames);
			data.copyTo(pcm, { planeIndex: 0, format: "f32-planar" });
			play({ source, [isConcealed ? "concealed" : "frames"]: pcm, ...entry }, [pcm.buffer]);
		};
		this.codec = new Codec(AudioDecoder, "decoder", { problem, clock, output });
		this.codec.open();
	}

	packet({ sequence, timestamp, marker, payload }, samples, arrived) {
		const step = this.take(sequence, timestamp, arrived);
		if (!step) return;
		const { index, end } = this;
		const isLate = !(index <= end);
		// Time is missing and no packet: a pause. Time that goes back starts anew.
		const begins = marker || index < end || (step === 1 && isLate);
		if (!begins && isLate) this.concealGap(index, samples, payload[0]);
		this.decode(payload, { index, arrived, begins });
		this.end = index + samples;
	}

	/** By packets without frames (RFC 6716 section 3.2.1). */
	concealGap(until, samples, mode) {
		const bytes = new Uint8Array([mode & 0xfc]);
		if (opusSamples(bytes) !== samples) return;
		for (let count = 0; count < MOST_CONCEALED && this.end < until; count++, this.end += samples) {
			this.decode(bytes, { index: this.end, isConcealed: true });
		}
	}

	decode(data, entry) {
		const { codec } = this;
		if (!codec.open() || codec.waiting.length >= MOST_WAITING) return;
		codec.waiting.push(entry);
		codec.coder.decode(new EncodedAudioChunk({ type: "key", timestamp: 20_000 * this.fed++, data }));
	}
}
