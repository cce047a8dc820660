const SIZE = 65536;
const MASK = SIZE - 1;
const CAPACITY = SIZE - 8192;
export const FADE = 240;
export const BLOCK = 1440;
const SHORTEST = 120;
const LONGEST = 720;
const QUIET = 0.003;
const STRIDE = 4;
const FULL_GAIN = 960;
const FADE_END = 4800;
const NOISE_END = 48_000;
const ENTRY_FADE = 120;
const MAXIMUM_NOISE = 0.001;

export class SampleRing {
	ring = new Float32Array(SIZE);
	block = new Float32Array(BLOCK);
	read = SIZE;
	write = SIZE;

	get depth() {
		return this.write - this.read;
	}

	append(frame) {
		this.read += Math.max(0, this.depth + frame.length - CAPACITY);
		const start = this.write & MASK;
		this.ring.set(frame.subarray(0, SIZE - start), start);
		this.ring.set(frame.subarray(SIZE - start));
		this.write += frame.length;
	}

	copy(from, target, count) {
		for (let index = 0; index < count; index++) target[index] = this.ring[(from + index) & MASK];
	}

	silence(end) {
		while (this.write < end) this.ring[this.write++ & MASK] = 0;
	}

	fadeIn(length) {
		const start = this.write - length;
		for (let index = 0; index < Math.min(FADE, length); index++) this.ring[(start + index) & MASK] *= index / FADE;
	}

	findPeriodAt(from) {
		this.copy(from, this.block, BLOCK);
		return findPeriod(this.block);
	}

	crossfadeTo(to, fade) {
		const { ring, read } = this;
		for (let index = 0; index < fade; index++) {
			const other = ring[(read + index) & MASK];
			const here = (to + index) & MASK;
			ring[here] = other + (ring[here] - other) * (index / fade);
		}
		this.read = to;
	}
}

export class Concealment {
	cycle = new Float32Array(BLOCK);
	fadeRemaining = 0;
	floor = MAXIMUM_NOISE;
	seed = 1;

	updateNoiseFloor(frame) {
		const loudness = Math.sqrt(energyOf(frame) / Math.max(1, frame.length));
		this.floor = Math.min(loudness, this.floor * 1.01 + 1e-7, MAXIMUM_NOISE);
	}

	start(past, length) {
		const { cycle } = this;
		const overlap = length >> 2;
		cycle.set(past.subarray(-length));
		// So that it loops without a click.
		for (let index = 0; index < overlap; index++) {
			const here = length - overlap + index;
			cycle[here] += (past[BLOCK - 2 * length + here] - cycle[here]) * (index / overlap);
		}
		this.discontinuity = past[BLOCK - 1] - past[BLOCK - length - 1];
		this.length = length;
		this.played = this.fadeRemaining = 0;
	}

	fill(output, from) {
		for (let index = from; index < output.length; index++) output[index] = this.next();
		this.fadeRemaining = FADE;
	}

	fadeOut(output, count) {
		for (let index = 0; index < count && this.fadeRemaining > 0; index++, this.fadeRemaining--) {
			output[index] += (this.next() - output[index]) * (this.fadeRemaining / FADE);
		}
	}

	next() {
		const index = this.played++;
		const gain = index < FULL_GAIN ? 1 : Math.max(0, 1 - (index - FULL_GAIN) / (FADE_END - FULL_GAIN));
		const noise = index < FULL_GAIN ? 0 : Math.max(0, 1 - index / NOISE_END) * this.floor;
		this.seed = (Math.imul(this.seed, 1664525) + 1013904223) | 0;
		const entry = index < ENTRY_FADE ? this.discontinuity * (1 - index / ENTRY_FADE) : 0;
		return this.cycle[index % this.length] * gain + entry + noise * (this.seed / 2 ** 31) * 1.7;
	}
}

const energyOf = (samples) => samples.reduce((sum, sample) => sum + sample * sample, 0);

function findPeriod(block) {
	if (energyOf(block) < BLOCK * QUIET * QUIET) return { samples: LONGEST, similarity: 1, isQuiet: true };
	const { samples } = search(block, SHORTEST, LONGEST, STRIDE);
	return search(block, Math.max(SHORTEST, samples - STRIDE), Math.min(LONGEST, samples + STRIDE), 1);
}

function search(block, from, to, stride) {
	const best = { samples: to, similarity: -1 };
	for (let lag = from; lag <= to; lag += stride) {
		let [product, early, late] = [0, 1e-12, 1e-12];
		for (let index = 0; index < BLOCK - LONGEST; index += stride) {
			const x = block[index];
			const y = block[index + lag];
			product += x * y;
			early += x * x;
			late += y * y;
		}
		const similarity = product / Math.sqrt(early * late);
		if (similarity > best.similarity) Object.assign(best, { samples: lag, similarity });
	}
	return best;
}
