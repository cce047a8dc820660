import { JitterBuffer } from "./jitter-buffer.js";

const QUANTUM = 128;
const MAXIMUM_SOURCES = 16;
/** In quanta: 200 ms. */
const LEVEL_PERIOD = 75;
const KNEE = 0.8;

class PlayoutProcessor extends AudioWorkletProcessor {
	sources = [];
	scratch = new Float32Array(QUANTUM);
	quanta = 0;
	level = 0;

	constructor() {
		super();
		this.port.onmessage = ({ data }) => this.receive(data);
	}

	receive({ source, frames, concealed, index, arrived, startsTalkspurt }) {
		let buffer = this.sources.find((one) => one.source === source && !one.isRemoved);
		if (frames && !buffer && this.sources.length < MAXIMUM_SOURCES) {
			buffer = Object.assign(new JitterBuffer(), { source, level: 0 });
			this.sources.push(buffer);
		}
		if (frames) buffer?.push(frames, index, arrived, startsTalkspurt);
		else if (concealed) buffer?.conceal(concealed, index);
		else if (buffer) buffer.isRemoved = true;
	}

	process(inputs, [[output]]) {
		const { sources } = this;
		for (let place = 0; place < sources.length; place++) this.mix(output, sources[place]);
		if (sources.some(hasEnded)) this.sources = sources.filter((buffer) => !hasEnded(buffer));
		if (sources.length > 0) this.limit(output);
		if (++this.quanta % LEVEL_PERIOD === 0) this.report();
		return true;
	}

	mix(output, buffer) {
		const { scratch } = this;
		buffer.pull(scratch);
		const fade = buffer.isRemoved ? 1 / QUANTUM : 0;
		let { level } = buffer;
		for (let at = 0; at < QUANTUM; at++) {
			const sample = scratch[at] * (1 - fade * at);
			output[at] += sample;
			level = Math.max(level, Math.abs(sample));
		}
		buffer.level = level;
	}

	limit(output) {
		let { level } = this;
		for (let at = 0; at < QUANTUM; at++) {
			const size = Math.abs(output[at]);
			if (size > KNEE) output[at] = Math.sign(output[at]) * (KNEE + 0.2 * Math.tanh((size - KNEE) / 0.2));
			level = Math.max(level, Math.abs(output[at]));
		}
		this.level = level;
	}

	report() {
		const { sources, level: output } = this;
		const levels = { sources: Object.fromEntries(sources.map(({ source, level }) => [source, level])), output };
		for (const one of [this, ...sources]) one.level = 0;
		const isSecond = this.quanta % (5 * LEVEL_PERIOD) === 0;
		this.port.postMessage({ levels, statistics: isSecond && sources.map(statisticsOf) });
	}
}

const hasEnded = ({ isRemoved }) => isRemoved;

function statisticsOf({ source, delay, delayEstimator: { target }, statistics }) {
	const concealed = statistics.concealed / 48;
	const stretched = (statistics.stretched + statistics.cut) / 48;
	return { ...statistics, source, delay, target, concealed, stretched };
}

registerProcessor("playout", PlayoutProcessor);
