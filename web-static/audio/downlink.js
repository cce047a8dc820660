import { Codec } from "./codec.js";
import { opusSamples, parseRTP, unwrap } from "./rtp.js";

const MAXIMUM_SOURCES = 16;
const MAXIMUM_BYTES = 4000;
/** More concealed frames in a row sound like a drone. */
const MAXIMUM_CONCEALED = 5;
const MAXIMUM_PENDING = 100;
const RESTART_PACKETS = 25;

export class Downlink {
	streams = new Map();
	removed = new Set();

	constructor(session) {
		this.session = session;
	}

	sources(ssrcs) {
		for (const ssrc of this.streams.keys()) if (!ssrcs.includes(ssrc)) this.remove(ssrc);
		for (const ssrc of ssrcs) {
			this.removed.delete(ssrc);
			this.stream(ssrc);
		}
	}

	packet(bytes, at) {
		const packet = parseRTP(bytes);
		if (!packet || packet.payload.length > MAXIMUM_BYTES || this.removed.has(packet.ssrc)) return;
		const samples = opusSamples(packet.payload);
		if (samples > 0) this.stream(packet.ssrc)?.packet(packet, samples, at);
	}

	reportBlocks() {
		return Array.from(this.streams.values(), (stream) => stream.reportBlock()).filter(Boolean);
	}

	stream(ssrc) {
		const { streams, session } = this;
		if (!streams.has(ssrc) && streams.size < MAXIMUM_SOURCES) streams.set(ssrc, new Stream(ssrc, session));
		return streams.get(ssrc);
	}

	remove(ssrc) {
		this.streams.get(ssrc).codec.close();
		this.streams.delete(ssrc);
		this.session.play({ source: ssrc, removed: true });
		// A late packet must not create it again.
		this.removed.add(ssrc);
		const [oldest] = this.removed;
		if (this.removed.size > 64) this.removed.delete(oldest);
	}
}

/** RFC 3550 appendix A. */
export class ReceptionStatistics {
	jitter = 0;

	constructor(ssrc) {
		this.ssrc = ssrc;
		this.reset();
	}

	reset() {
		this.highest = this.index = null;
		this.lastTransit = NaN;
		this.oldPackets = this.expected = this.received = 0;
		this.reported = { expected: 0, received: 0 };
	}

	receive(sequence, timestamp, at) {
		this.received += 1;
		const number = unwrap(sequence, this.highest, 16);
		const step = number - (this.highest ?? number - 1);
		if (step <= 0) {
			this.oldPackets += 1;
			if (this.oldPackets < RESTART_PACKETS) return null;
			this.reset();
			return this.receive(sequence, timestamp, at);
		}
		this.oldPackets = 0;
		this.expected += step;
		this.highest = number;
		this.index = unwrap(timestamp, this.index, 32);
		const transit = at * 48 - this.index;
		const difference = Math.abs(transit - this.lastTransit);
		if (difference < 48_000) this.jitter += (difference - this.jitter) / 16;
		this.lastTransit = transit;
		return step;
	}

	reportBlock() {
		const { ssrc, highest, expected, received, jitter } = this;
		if (highest === null) return null;
		const expectedSince = expected - this.reported.expected;
		const lost = Math.max(0, expectedSince - (received - this.reported.received));
		this.reported = { expected, received };
		const fractionLost = Math.min(255, Math.floor((256 * lost) / expectedSince)) || 0;
		return { ssrc, fractionLost, lost: expected - received, highest, jitter };
	}
}

class Stream extends ReceptionStatistics {
	constructor(source, { play, problem, clock }) {
		super(source);
		const output = (pcm, { isConcealed, ...entry }) => (
			play({ source, [isConcealed ? "concealed" : "frames"]: pcm, ...entry }));
		this.codec = new Codec("decoder", { problem, clock, output });
		this.codec.open();
	}

	packet({ sequence, timestamp, marker, payload }, samples, arrived) {
		const step = this.receive(sequence, timestamp, arrived);
		if (!step) return;
		const { index, end } = this;
		const isLate = !(index <= end);
		// A gap in time but not in the numbers is a pause of the sender; time that goes back is a restart.
		const startsTalkspurt = marker || index < end || (step === 1 && isLate);
		if (!startsTalkspurt && isLate) this.concealGap(index, samples, payload[0]);
		if (this.isReady) this.codec.push(payload, { index, arrived, startsTalkspurt });
		this.end = index + samples;
	}

	concealGap(until, samples, mode) {
		if (opusSamples([mode & 0xfc]) !== samples) return;
		for (let count = 0; count < MAXIMUM_CONCEALED && this.end < until; count++, this.end += samples) {
			if (this.isReady) this.codec.conceal(samples, mode, { index: this.end, isConcealed: true });
		}
	}

	get isReady() {
		return this.codec.open() && this.codec.pending.length < MAXIMUM_PENDING;
	}
}
