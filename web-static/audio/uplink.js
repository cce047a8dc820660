import { Codec } from "./codec.js";
import { unwrap, writeRTP } from "./rtp.js";

const FRAME = 960;
// Packets.
const MAXIMUM_UNACKNOWLEDGED = 25;
const RESUME_BELOW = 8;
// ms.
const PROBE_INTERVAL = 500;
const MINIMUM_BITRATE = 16_000;
const INITIAL_BITRATE = 24_000;
const MAXIMUM_BITRATE = 32_000;
const DECREASE_INTERVAL = 2_000;
const INCREASE_INTERVAL = 15_000;
const LOSS_THRESHOLD = 13;
const BACKLOG_THRESHOLD = 15;
const MAXIMUM_PENDING = 50;
const TOLERANCE = 50;
const JUMP_DELAY = 300;
const DRIFT = 0.02;
/** The peak of silence, the frames of it that are sent, and of how many after them one is. */
const SILENCE = 0.001;
const HANGOVER = 10;
const SILENCE_INTERVAL = 20;

export class Uplink {
	rateController = new RateController();
	mediaClock = new MediaClock();
	isMuted = false;
	silentFrames = 0;
	ssrc = null;

	constructor({ send, problem, clock }) {
		Object.assign(this, { send, clock });
		const output = (packet, entry) => this.encoded(packet, entry);
		this.codec = new Codec("encoder", { problem, clock, output });
	}

	activate(ssrc) {
		const [start, random] = crypto.getRandomValues(new Uint32Array(2));
		Object.assign(this, { ssrc, start, sequence: random & 0xffff, packets: 0, octets: 0, startsTalkspurt: true });
		this.rateController.begin(this.sequence);
	}

	/** An encoder's state holds audio of its call. */
	deactivate() {
		this.ssrc = null;
		this.codec.close();
	}

	senderInfo(now) {
		const { ssrc, packets, octets, lastTimestamp, lastSent } = this;
		return { ssrc, now, timestamp: Math.round(lastTimestamp + (this.clock() - lastSent) * 48), packets, octets };
	}

	frame(pcm, at, level) {
		const now = this.clock();
		this.silentFrames = level < SILENCE ? this.silentFrames + 1 : 0;
		this.startsTalkspurt ||= at !== this.lastAt + FRAME || !this.codec.coder;
		if (this.mediaClock.note(at, now)) this.startsTalkspurt = true;
		this.lastAt = at;
		if (this.ssrc === null) return;
		if (this.isMuted || this.isSilent || !this.rateController.allows(now)) this.startsTalkspurt = true;
		else if (this.isReady()) this.encode(pcm, at);
	}

	get isSilent() {
		return this.silentFrames > HANGOVER && this.silentFrames % SILENCE_INTERVAL > 0;
	}

	isReady() {
		const { codec, rateController: { bitrate } } = this;
		if (bitrate !== codec.bitrate) codec.use(bitrate);
		if (codec.pending.length > MAXIMUM_PENDING) return codec.fail("the encoder produces no output");
		return codec.open();
	}

	encode(pcm, at) {
		const entry = { timestamp: at + this.mediaClock.offset + this.start, marker: this.startsTalkspurt };
		this.startsTalkspurt = false;
		this.codec.push(pcm, entry);
	}

	encoded(payload, { timestamp, marker }) {
		const { ssrc, sequence } = this;
		const isSent = this.send(writeRTP({ marker, sequence, timestamp, ssrc }, payload));
		this.startsTalkspurt ||= !isSent;
		if (!isSent) return;
		this.lastTimestamp = timestamp;
		this.lastSent = this.clock();
		this.rateController.sent(sequence, this.lastSent);
		this.sequence = (sequence + 1) & 0xffff;
		this.packets += 1;
		this.octets += payload.length;
	}
}

export class MediaClock {
	offset = 0;
	reference = Infinity;

	note(at, now) {
		const lag = now - (at + this.offset) / 48;
		this.reference = Math.min(lag, this.reference + DRIFT);
		const behind = lag - this.reference;
		const isBehind = behind >= TOLERANCE;
		this.since = isBehind ? Math.min(this.since, now) : Infinity;
		this.least = isBehind ? Math.min(this.least, behind) : Infinity;
		if (now - this.since < JUMP_DELAY) return false;
		this.offset += Math.round(this.least * 48);
		this.since = this.least = Infinity;
		return true;
	}
}

export class RateController {
	bitrate = INITIAL_BITRATE;

	begin(sequence) {
		this.last = this.acknowledged = sequence - 1;
		this.isStopped = false;
		this.changedAt = this.badAt = null;
	}

	get unacknowledged() {
		return this.last - this.acknowledged;
	}

	allows(now) {
		this.isStopped ||= this.unacknowledged > MAXIMUM_UNACKNOWLEDGED;
		if (this.isStopped && now - this.allowedAt < PROBE_INTERVAL) return false;
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
		if (this.unacknowledged <= RESUME_BELOW) this.isStopped = false;
		if (fractionLost > LOSS_THRESHOLD || this.unacknowledged > BACKLOG_THRESHOLD) {
			this.badAt = now;
			if (now - this.changedAt >= DECREASE_INTERVAL) this.change(this.bitrate * 0.75, now);
		} else if (now - Math.max(this.badAt, this.changedAt) >= INCREASE_INTERVAL) {
			this.change(this.bitrate + 4_000, now);
		}
	}

	change(bitrate, now) {
		this.changedAt = now;
		this.bitrate = Math.round(Math.max(MINIMUM_BITRATE, Math.min(MAXIMUM_BITRATE, bitrate)));
	}
}
