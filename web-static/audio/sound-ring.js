const SIZE = 65536;
const MASK = SIZE - 1;
// The rest is the past.
const ROOM = SIZE - 8192;
export const FADE = 240;
export const BLOCK = 1440;
const SHORTEST = 120;
const LONGEST = 720;
const QUIET = 0.003;
const STRIDE = 4;
const FULL = 960;
const FADED = 4800;
const COMFORT = 48_000;
const ENTRY = 120;
const LOUDEST = 0.001;

/** What waits and what was played. It is scaled by reading on elsewhere. */
export class SoundRing {
	ring = new Float32Array(SIZE);
	block = new Float32Array(BLOCK);
	read = SIZE;
	write = SIZE;

	get depth() {
		return this.write - this.read;
	}

	append(frame) {
		this.read += Math.max(0, this.depth + frame.length - ROOM);
		for (const sample of frame) this.ring[this.write++ & MASK] = sample;
	}

	copy(from, target, count) {
		for (let at = 0; at < count; at++) target[at] = this.ring[(from + at) & MASK];
	}

	silence(end) {
		while (this.write < end) this.ring[this.write++ & MASK] = 0;
	}

	fadeIn(length) {
		for (let at = 0; at < Math.min(FADE, length); at++) this.ring[(this.write - length + at) & MASK] *= at / FADE;
	}

	look(from) {
		this.copy(from, this.block, BLOCK);
		return findPeriod(this.block);
	}

	cross(to, fade) {
		const { ring, read } = this;
		for (let at = 0; at < fade; at++) {
			const other = ring[(read + at) & MASK];
			const here = (to + at) & MASK;
			ring[here] = other + (ring[here] - other) * (at / fade);
		}
		this.read = to;
	}
}

/** After the end: the last period, then background noise. */
export class Concealment {
	cycle = new Float32Array(BLOCK);
	returning = 0;
	floor = LOUDEST;
	seed = 1;

	listen(frame) {
		const loudness = Math.sqrt(energyOf(frame) / Math.max(1, frame.length));
		this.floor = Math.min(loudness, this.floor * 1.01 + 1e-7, LOUDEST);
	}

	enter(past, length) {
		const { cycle } = this;
		const overlap = length >> 2;
		cycle.set(past.subarray(-length));
		// The cycle's end leads into its beginning as the sound before the cycle did.
		for (let at = 0; at < overlap; at++) {
			const here = length - overlap + at;
			cycle[here] += (past[BLOCK - 2 * length + here] - cycle[here]) * (at / overlap);
		}
		this.leap = past[BLOCK - 1] - past[BLOCK - length - 1];
		this.length = length;
		this.played = this.returning = 0;
	}

	fill(output, from) {
		for (let at = from; at < output.length; at++) output[at] = this.next();
		this.returning = FADE;
	}

	leave(output, count) {
		for (let at = 0; at < count && this.returning > 0; at++, this.returning--) {
			output[at] += (this.next() - output[at]) * (this.returning / FADE);
		}
	}

	next() {
		const at = this.played++;
		const gain = at < FULL ? 1 : Math.max(0, 1 - (at - FULL) / (FADED - FULL));
		const comfort = at < FULL ? 0 : Math.max(0, 1 - at / COMFORT) * this.floor;
		this.seed = (Math.imul(this.seed, 1664525) + 1013904223) | 0;
		const entry = at < ENTRY ? this.leap * (1 - at / ENTRY) : 0;
		return this.cycle[at % this.length] * gain + entry + comfort * (this.seed / 2 ** 31) * 1.7;
	}
}

const energyOf = (samples) => samples.reduce((sum, sample) => sum + sample * sample, 0);

function findPeriod(block) {
	if (energyOf(block) < BLOCK * QUIET * QUIET) return { samples: LONGEST, likeness: 1, isQuiet: true };
	const { samples } = search(block, SHORTEST, LONGEST, STRIDE);
	return search(block, Math.max(SHORTEST, samples - STRIDE), Math.min(LONGEST, samples + STRIDE), 1);
}

function search(block, from, to, stride) {
	const best = { samples: to, likeness: -1 };
	for (let lag = from; lag <= to; lag += stride) {
		let [product, early, late] = [0, 1e-12, 1e-12];
		for (let at = 0; at < BLOCK - LONGEST; at += stride) {
			const x = block[at];
			const y = block[at + lag];
			product += x * y;
			early += x * x;
			late += y * y;
		}
		const likeness = product / Math.sqrt(early * late);
		if (likeness > best.likeness) Object.assign(best, { samples: lag, likeness });
	}
	return best;
}
