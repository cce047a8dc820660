import { Arrival } from "./arrival.js";
import { BLOCK, Concealment, FADE, SoundRing } from "./sound-ring.js";

const MS = 48;
const BAND = 10;
const NARROW_BAND = 5;
const FAST = 80;
const STALE = 400;
const RESERVE = 480;
const LIKENESS = 0.8;

export class JitterBuffer extends SoundRing {
	arrival = new Arrival();
	concealment = new Concealment();
	statistics = { concealed: 0, stretched: 0, cut: 0, dropped: 0, frames: 0 };
	/** Lateness + depth at push. */
	delay = 0;
	starved = 0;
	pause = 0;
	tries = 0;

	/** Where a frame `begins`, what is missing before it is a pause. */
	push(frame, index, arrived, begins) {
		const { arrival, statistics } = this;
		const late = arrival.observe(index, arrived, begins);
		if (arrival.isStale || late > this.mostDelay) {
			statistics.dropped += 1;
			return;
		}
		const gap = arrival.restarted ? Infinity : index - this.next;
		if (gap < 0) return;
		// Only now is it known what the silence was.
		if (statistics.frames > 0) statistics.concealed += Math.max(0, this.starved - (begins ? gap : 0));
		this.starved = 0;
		const weight = gap > 0 || this.depth === 0 ? 1 : 0.25;
		const due = this.read + Math.round(Math.max(0, arrival.target - late) * MS);
		this.silence(Math.min(this.write + gap, due));
		this.delay += (late + this.depth / MS - this.delay) * weight;
		this.append(frame);
		this.concealment.listen(frame);
		if (gap > 0) this.fadeIn(frame.length);
		this.next = index + frame.length;
		statistics.frames += 1;
		if (this.delay > this.mostDelay) this.skip();
	}

	conceal(frame, index) {
		if (index !== this.next || this.depth === 0) return;
		this.append(frame);
		this.next += frame.length;
		this.statistics.concealed += frame.length;
	}

	pull(output) {
		const count = output.length;
		this.adapt(count);
		const ready = Math.min(count, this.depth);
		this.copy(this.read, output, ready);
		this.concealment.leave(output, ready);
		this.read += ready;
		if (ready === count) return;
		if (this.starved === 0) this.concealment.enter(this.block, this.look(this.read - BLOCK).samples);
		this.starved += count - ready;
		this.concealment.fill(output, ready);
	}

	get excess() {
		return this.delay - this.arrival.target;
	}

	get mostDelay() {
		return Math.max(STALE, this.arrival.target + 100);
	}

	skip() {
		const count = Math.min(this.depth - 960, Math.round(this.excess * MS));
		if (count < FADE) return;
		this.move(count, FADE);
		this.statistics.dropped += Math.round(count / 960);
	}

	move(by, fade) {
		this.cross(this.read + by, fade);
		this.delay -= by / MS;
	}

	adapt(passed) {
		this.pause -= passed;
		if (this.pause > 0) return;
		const { excess } = this;
		if (excess > Math.max(NARROW_BAND, BAND + this.pause / 48_000)) this.isCutting = true;
		if (excess <= 2) this.isCutting = false;
		if (this.isCutting) this.cut(excess);
		else if (excess < -NARROW_BAND) this.stretch(excess);
	}

	cut(excess) {
		if (this.depth < BLOCK) return;
		const { samples, likeness, isQuiet } = this.look(this.read);
		const isFast = excess > FAST;
		const most = Math.min(this.depth - RESERVE, Math.round((excess + 5) * MS));
		const periods = isFast ? Math.max(1, Math.floor(Math.min(BLOCK / 2, most) / samples)) : 1;
		const count = isQuiet ? Math.min(960, most) : samples * periods;
		if (!this.scales(count, most, likeness)) return;
		this.move(count, isQuiet ? Math.min(FADE, count) : count);
		this.statistics.cut += count;
		this.pause = isFast ? count : BLOCK;
	}

	stretch(excess) {
		const { samples, likeness, isQuiet } = this.look(this.read - BLOCK);
		const count = isQuiet ? Math.min(480, this.depth) : samples;
		if (!this.scales(count, this.depth, likeness)) return;
		this.move(-count, count);
		this.statistics.stretched += count;
		this.pause = excess < -60 ? 960 : 2 * BLOCK;
	}

	scales(count, most, likeness) {
		const fits = count >= 48 && count <= most;
		const scales = fits && likeness >= LIKENESS - 0.05 * this.tries;
		if (fits) this.tries = scales ? 0 : this.tries + 1;
		if (!scales) this.pause = RESERVE;
		return scales;
	}
}
