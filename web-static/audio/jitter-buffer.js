import { DelayEstimator } from "./delay-estimator.js";
import { BLOCK, Concealment, FADE, SampleRing } from "./sample-ring.js";

const MS = 48;
const BAND = 10;
const NARROW_BAND = 5;
const FAST = 80;
const MAXIMUM_DELAY = 400;
const RESERVE = 480;
const MINIMUM_SIMILARITY = 0.8;

export class JitterBuffer extends SampleRing {
	delayEstimator = new DelayEstimator();
	concealment = new Concealment();
	statistics = { concealed: 0, stretched: 0, cut: 0, dropped: 0, frames: 0 };
	/** The playout delay in ms: lateness and depth at push, smoothed. */
	delay = 0;
	underrun = 0;
	cooldown = 0;
	rejections = 0;

	push(frame, index, arrived, startsTalkspurt) {
		const { delayEstimator, statistics } = this;
		const lateness = delayEstimator.observe(index, arrived, startsTalkspurt);
		if (delayEstimator.isStale || lateness > this.maximumDelay) {
			statistics.dropped += 1;
			return;
		}
		const gap = delayEstimator.restarted ? Infinity : index - this.next;
		if (gap < 0) return;
		// Whether the underrun was a loss or a pause shows only now.
		if (statistics.frames > 0) statistics.concealed += Math.max(0, this.underrun - (startsTalkspurt ? gap : 0));
		this.underrun = 0;
		const weight = gap > 0 || this.depth === 0 ? 1 : 0.25;
		const due = this.read + Math.round(Math.max(0, delayEstimator.target - lateness) * MS);
		this.silence(Math.min(this.write + gap, due));
		this.delay += (lateness + this.depth / MS - this.delay) * weight;
		this.append(frame);
		this.concealment.updateNoiseFloor(frame);
		if (gap > 0) this.fadeIn(frame.length);
		this.next = index + frame.length;
		statistics.frames += 1;
		if (this.delay > this.maximumDelay) this.skip();
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
		this.concealment.fadeOut(output, ready);
		this.read += ready;
		if (ready === count) return;
		if (this.underrun === 0) this.concealment.start(this.block, this.findPeriodAt(this.read - BLOCK).samples);
		this.underrun += count - ready;
		this.concealment.fill(output, ready);
	}

	get excess() {
		return this.delay - this.delayEstimator.target;
	}

	get maximumDelay() {
		return Math.max(MAXIMUM_DELAY, this.delayEstimator.target + 100);
	}

	skip() {
		const count = Math.min(this.depth - 960, Math.round(this.excess * MS));
		if (count < FADE) return;
		this.jumpBy(count, FADE);
		this.statistics.dropped += Math.round(count / 960);
	}

	jumpBy(by, fade) {
		this.crossfadeTo(this.read + by, fade);
		this.delay -= by / MS;
	}

	adapt(elapsed) {
		this.cooldown -= elapsed;
		if (this.cooldown > 0) return;
		const { excess } = this;
		if (excess > Math.max(NARROW_BAND, BAND + this.cooldown / 48_000)) this.isCutting = true;
		if (excess <= 2) this.isCutting = false;
		if (this.isCutting) this.cut(excess);
		else if (excess < -NARROW_BAND) this.stretch(excess);
	}

	cut(excess) {
		if (this.depth < BLOCK) return;
		const { samples, similarity, isQuiet } = this.findPeriodAt(this.read);
		const isFast = excess > FAST;
		const maximum = Math.min(this.depth - RESERVE, Math.round((excess + 5) * MS));
		const periods = isFast ? Math.max(1, Math.floor(Math.min(BLOCK / 2, maximum) / samples)) : 1;
		const count = isQuiet ? Math.min(960, maximum) : samples * periods;
		if (!this.canScale(count, maximum, similarity)) return;
		this.jumpBy(count, isQuiet ? Math.min(FADE, count) : count);
		this.statistics.cut += count;
		this.cooldown = isFast ? count : BLOCK;
	}

	stretch(excess) {
		const { samples, similarity, isQuiet } = this.findPeriodAt(this.read - BLOCK);
		const count = isQuiet ? Math.min(480, this.depth) : samples;
		if (!this.canScale(count, this.depth, similarity)) return;
		this.jumpBy(-count, count);
		this.statistics.stretched += count;
		this.cooldown = excess < -60 ? 960 : 2 * BLOCK;
	}

	canScale(count, maximum, similarity) {
		const fits = count >= 48 && count <= maximum;
		const canScale = fits && similarity >= MINIMUM_SIMILARITY - 0.05 * this.rejections;
		if (fits) this.rejections = canScale ? 0 : this.rejections + 1;
		if (!canScale) this.cooldown = RESERVE;
		return canScale;
	}
}
