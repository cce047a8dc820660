/** The encoder's effort; more costs CPU, less sounds worse. */
const COMPLEXITY = 5;

export async function load() {
	const file = await fetch(new URL("./opus.wasm", import.meta.url));
	if (!file.ok) throw new Error(`${file.url} answers ${file.status}`);
	const module = await WebAssembly.compile(await file.arrayBuffer());

	/** An instance of libopus each; its output comes before `code` returns. */
	class Coder {
		constructor({ output, error }) {
			Object.assign(this, { output, error, opus: new WebAssembly.Instance(module).exports });
			const { memory: { buffer }, samples, packet, _initialize } = this.opus;
			_initialize();
			this.samples = new Float32Array(buffer, samples(), 5760);
			this.packet = new Uint8Array(buffer, packet(), 4000);
		}

		call(name, ...values) {
			try {
				const result = this.opus[name](...values);
				if (result >= 0) return result;
				this.error({ message: `libopus' error ${result} of ${name}` });
			} catch (error) {
				this.error(error);
			}
			return null;
		}

		close() {}
	}

	class Encoder extends Coder {
		configure(bitrate) {
			this.call(this.isOpen ? "setBitrate" : "openEncoder", bitrate, COMPLEXITY);
			this.isOpen = true;
		}

		code(data) {
			this.samples.set(data);
			const count = this.call("encode", data.length);
			if (count !== null) this.output(this.packet.subarray(0, count));
		}
	}

	class Decoder extends Coder {
		configure() {
			this.call("openDecoder");
		}

		code(data) {
			if (data.length > this.packet.length) return this.error({ message: "the packet is too long" });
			this.packet.set(data);
			this.play(this.call("decode", data.length));
		}

		conceal(samples) {
			this.play(this.call("conceal", samples));
		}

		play(count) {
			if (count !== null) this.output(this.samples.slice(0, count));
		}
	}

	return { encoder: Encoder, decoder: Decoder };
}
