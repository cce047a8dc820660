export const OPUS = { codec: "opus", sampleRate: 48000, numberOfChannels: 1 };
/** Firefox ignores another bit rate while it encodes, and below complexity 8 it codes speech as music. */
const isFirefox = /firefox/i.test(navigator.userAgent);
// Without DTX, which omits outputs unnoticed, and without FEC, which WebCodecs cannot decode.
const VOICE = { application: "voip", signal: "voice", frameDuration: 20_000, ...!isFirefox && { complexity: 5 } };
const MONO = { format: "f32-planar", sampleRate: 48000, numberOfChannels: 1 };

class Coder {
	timestamp = 0;

	close() {
		if (this.coder.state !== "closed") this.coder.close();
	}
}

export class Encoder extends Coder {
	constructor({ output, error }) {
		super();
		this.coder = new AudioEncoder({ error, output: (chunk) => {
			const packet = new Uint8Array(chunk.byteLength);
			chunk.copyTo(packet);
			output(packet);
		} });
	}

	configure(bitrate) {
		if (isFirefox && this.timestamp > 0) return false;
		this.coder.configure({ ...OPUS, bitrate, opus: VOICE });
	}

	code(data) {
		const frame = new AudioData({ ...MONO, numberOfFrames: data.length, timestamp: this.timestamp, data });
		this.timestamp += 20_000;
		this.coder.encode(frame);
		frame.close();
	}
}

export class Decoder extends Coder {
	constructor({ output, error }) {
		super();
		this.coder = new AudioDecoder({ error, output: (data) => {
			const samples = new Float32Array(data.numberOfFrames);
			data.copyTo(samples, { planeIndex: 0, format: "f32-planar" });
			data.close();
			output(samples);
		} });
	}

	configure() {
		this.coder.configure(OPUS);
	}

	code(data) {
		this.coder.decode(new EncodedAudioChunk({ type: "key", timestamp: this.timestamp, data }));
		this.timestamp += 20_000;
	}

	/** Conceals by a packet without frames (RFC 6716 section 3.2.1). */
	conceal(samples, mode) {
		this.code(new Uint8Array([mode & 0xfc]));
	}
}
