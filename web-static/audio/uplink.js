import { Codec } from "./codec.js";
import { unwrap, writeRTP } from "./rtp.js";

const FRAME = 960;
const MOST_OPEN = 25;
const FEW = 8;
const PROBE = 500;
const LOWEST = 16_000;
const USUAL = 24_000;
const HIGHEST = 32_000;
const LOWER_AFTER = 2_000;
const RAISE_AFTER = 15_000;
const MUCH_LOST = 13;
const MUCH_OPEN = 15;
const MOST_WAITING = 50;
const TOLERANCE = 50;
const PATIENCE = 300;
const DRIFT = 0.02;
// Firefox says yes to another one and does nothing.
const TAKES_BIT_RATE = !/firefox/i.test(navigator.userAgent);
// With DTX outputs go missing without notice, FEC cannot be decoded.
const OPUS = { application: "voip", signal: "voice", frameDuration: 20_000 };

export class Uplink {
	pace = new Pace();
	time = new SenderTime();
	isMuted = false;
	ssrc = null;

	constructor({ send, problem, clock }) {
		Object.assign(this, { send, clock });
		const output = (chunk, entry) => this.encoded(chunk, entry);
		this.codec = new Codec(globalThis.AudioEncoder, "encoder", { problem, clock, output });
	}

	activate(ssrc) {
		const [start, random] = crypto.getRandomValues(new Uint32Array(2));
		Object.assign(this, { ssrc, start, sequence: random & 0xffff, packets: 0, octets: 0, begins: true });
		this.pace.begin(this.sequence);
	}

	/** A fresh encoder remembers nothing said to somebody else. */
	deactivate() {
		this.ssrc = null;
		this.codec.close();
	}

	senderInfo(now) {
		const { ssrc, packets, octets, lastTimestamp, lastSent } = this;
		return { ssrc, now, timestamp: Math.round(lastTimestamp + (this.clock() - lastSent) * 48), packets, octets };
	}

	frame(pcm, at) {
		const now = this.clock();
		this.begins = this.time.note(at, now) || this.begins || at !== this.lastAt + FRAME || !this.codec.coder;
		this.lastAt = at;
		if (this.ssrc === null) return;
		if (this.isMuted || !this.pace.allows(now)) this.begins = true;
		else if (this.isReady()) this.encode(pcm, at);
	}

	isReady() {
		const { codec, pace: { bitrate } } = this;
		if (bitrate !== this.bitrate) {
			this.bitrate = bitrate;
			Object.assign(codec.configuration, { bitrate, opus: OPUS });
			if (TAKES_BIT_RATE) codec.coder?.configure(codec.configuration);
			else codec.close();
		}
		if (codec.waiting.length > MOST_WAITING) return codec.fail("the encoder gives nothing back");
		return codec.open();
	}

	encode(data, at) {
		const sound = { format: "f32-planar", sampleRate: 48000, numberOfFrames: FRAME, numberOfChannels: 1 };
		const frame = new AudioData({ ...sound, timestamp: Math.round((at / 48) * 1000), data });
		this.codec.waiting.push({ timestamp: at + this.time.offset + this.start, marker: this.begins });
		this.begins = false;
		this.codec.coder.encode(frame);
		frame.close();
	}

	encoded(chunk, { timestamp, marker }) {
		const { ssrc, sequence } = this;
		const payload = new Uint8Array(chunk.byteLength);
		chunk.copyTo(payload);
		const isSent = this.send(writeRTP({ marker, sequence, timestamp, ssrc }, payload));
		this.begins ||= !isSent;
		if (!isSent) return;
		this.lastTimestamp = timestamp;
		this.lastSent = this.clock();
		this.pace.sent(sequence, this.lastSent);
		this.sequence = (sequence + 1) & 0xffff;
		this.packets += 1;
		this.octets += payload.length;
	}
}

/** Adds to the worklet's count what an interruption left out. */
export class SenderTime {
	offset = 0;
	reference = Infinity;

	note(at, now) {
		const lag = now - (at + this.offset) / 48;
		this.reference = Math.min(lag, this.reference + DRIFT);
		const behind = lag - this.reference;
		const isBehind = behind >= TOLERANCE;
		this.since = isBehind ? Math.min(this.since, now) : Infinity;
		this.least = isBehind ? Math.min(this.least, behind) : Infinity;
		if (now - this.since < PATIENCE) return false;
		this.offset += Math.round(this.least * 48);
		this.since = this.least = Infinity;
		return true;
	}
}

export class Pace {
	bitrate = USUAL;

	begin(sequence) {
		this.last = this.acknowledged = sequence - 1;
		this.isStopped = false;
		this.changedAt = this.badAt = null;
	}

	get unacknowledged() {
		return this.last - this.acknowledged;
	}

	allows(now) {
		this.isStopped ||= this.unacknowledged > MOST_OPEN;
		if (this.isStopped && now - this.allowedAt < PROBE) return false;
		this.allowedAt = now;
		return true;
	}

	sent(sequence, now) {
		this.last = unwrap(sequence, this.last, 16);
		this.changedAt ??= now;
		this.badAt ??= now;
	}

	report({ highest, fractionLost }, now) {
		const number = highest + 65536 * Math.floor((this.last - highest) / 65536);
		this.acknowledged = Math.max(this.acknowledged, number);
		if (this.unacknowledged <= FEW) this.isStopped = false;
		if (fractionLost > MUCH_LOST || this.unacknowledged > MUCH_OPEN) {
			this.badAt = now;
			if (now - this.changedAt >= LOWER_AFTER) this.change(this.bitrate * 0.75, now);
		} else if (now - Math.max(this.badAt, this.changedAt) >= RAISE_AFTER) {
			this.change(this.bitrate + 4_000, now);
		}
	}

	change(bitrate, now) {
		this.changedAt = now;
		this.bitrate = Math.round(Math.max(LOWEST, Math.min(HIGHEST, bitrate)));
	}
}
