import { prepareCoders } from "./coders.js";
import { Downlink } from "./downlink.js";
import { isRTCP, parseReports, roundTrip, writeReport } from "./rtp.js";
import { MediaClock, Uplink } from "./uplink.js";

/** In ms. */
const PLAYOUT_TIMEOUT = 1000;
const COUNTERS = ["concealed", "stretched", "dropped"];
const MAXIMUM_SILENCE = 2;
/** In ms after ITU-T G.114, less the delay of devices. */
const GOOD = { delay: 200, concealed: 100, roundTrip: 300, unacknowledged: 25 };
const FAIR = { delay: 400, concealed: 300, roundTrip: 700, unacknowledged: 25 };

export class RTPSession {
	quality = new Quality();
	input = 0;
	problem = (component, message) => this.report({ kind: "problem", component, message });

	play = (message) => {
		if (message.arrived && this.clock() - this.playedAt > PLAYOUT_TIMEOUT) return;
		this.playout?.postMessage(message);
	};

	constructor({ send, report, clock }) {
		Object.assign(this, { send, report, clock });
		this.uplink = new Uplink(this);
		this.downlink = new Downlink(this);
		this.prepare();
	}

	prepare() {
		prepareCoders().catch(({ message }) => this.problem("unsupported", `Opus cannot be coded: ${message}`));
	}

	configure({ capture, playout, muted, hidden, wakes }) {
		if (muted !== undefined) this.uplink.isMuted = muted;
		this.isHidden = hidden ?? this.isHidden;
		if (wakes) this.wake();
		if (!capture) return;
		capture.onmessage = ({ data: { pcm, level, at } }) => {
			this.input = Math.max(this.input, level);
			this.uplink.frame(pcm, at, level);
		};
		playout.onmessage = ({ data }) => this.receivePlayoutReport(data);
		Object.assign(this, { capture, playout, playedAt: this.clock() });
	}

	wake() {
		this.playedAt = this.clock();
		this.uplink.mediaClock = new MediaClock();
	}

	activate({ ssrc }) {
		const { uplink } = this;
		if (uplink.ssrc === ssrc) return;
		if (uplink.ssrc !== null) this.deactivate();
		this.prepare();
		uplink.activate(ssrc);
		this.timer = setInterval(() => this.sendReport(), 1000);
	}

	deactivate() {
		clearInterval(this.timer);
		this.uplink.deactivate();
		this.downlink.sources([]);
		this.downlink = new Downlink(this);
		this.quality = new Quality();
		this.report({ kind: "quality", quality: null });
	}

	sources(list) {
		this.downlink.sources(list.map(({ ssrc }) => ssrc));
	}

	packet(bytes, at) {
		const { ssrc } = this.uplink;
		if (ssrc === null) return;
		if (!isRTCP(bytes)) return this.downlink.packet(bytes, at);
		for (const report of parseReports(bytes)) if (report.ssrc === ssrc) this.receiveReport(report);
	}

	receiveReport(reception) {
		this.uplink.rateController.report(reception, this.clock());
		// The hub repeats reports; each is measured once.
		if (reception.lastReport === this.lastReport) return;
		this.lastReport = reception.lastReport;
		this.quality.noteRoundTrip(roundTrip(reception, this.now()));
	}

	now() {
		return performance.timeOrigin + this.clock();
	}

	sendReport() {
		const reportBlocks = this.downlink.reportBlocks();
		this.quality.jitter = Math.max(0, ...reportBlocks.map(({ jitter }) => jitter)) / 48;
		this.send(writeReport(this.uplink.senderInfo(this.now()), reportBlocks));
	}

	receivePlayoutReport({ levels, statistics }) {
		this.playedAt = this.clock();
		if (!this.isHidden || statistics) {
			this.report({ kind: "levels", input: this.input, ...levels });
			this.input = 0;
		}
		if (!statistics || this.uplink.ssrc === null) return;
		this.quality.note(statistics);
		this.report({ kind: "quality", quality: this.quality.figures(this.uplink.rateController) });
	}
}

export class Quality {
	sums = [];
	seconds = [];
	roundTrip = null;
	jitter = 0;

	noteRoundTrip(value) {
		if (value !== null) this.roundTrip = value + ((this.roundTrip ?? value) - value) * 0.75;
	}

	note(statistics) {
		const before = ({ source }, name) => this.sums.find((one) => one.source === source)?.[name] ?? 0;
		const since = (name) => statistics.reduce((sum, one) => sum + one[name] - before(one, name), 0);
		const second = Object.fromEntries([...COUNTERS, "frames"].map((name) => [name, since(name)]));
		this.sums = statistics;
		this.seconds = [...this.seconds, second].slice(-10);
	}

	figures({ unacknowledged, bitrate }) {
		const playing = this.sums.filter(({ frames }) => frames > 0);
		const roundTrip = this.roundTrip && Math.round(this.roundTrip);
		const maximum = (name) => Math.round(Math.max(0, ...playing.map((one) => one[name])));
		const delay = maximum("delay") + Math.round(roundTrip / 2);
		const jitter = Math.round(this.jitter);
		const figures = { roundTrip, unacknowledged, bitrate, jitter, delay, target: maximum("target") };
		for (const name of COUNTERS) figures[name] = Math.round(this.seconds.reduce((sum, one) => sum + one[name], 0));
		figures.warns = figures.concealed > 30 * this.seconds.length;
		const isReceiving = this.seconds.slice(-MAXIMUM_SILENCE).some(({ frames }) => frames > 0);
		figures.grade = isReceiving ? grade(figures) : null;
		return figures;
	}
}

export function grade(statistics) {
	const within = (bounds) => Object.keys(bounds).every((name) => statistics[name] <= bounds[name]);
	return within(GOOD) ? "good" : within(FAIR) ? "fair" : "poor";
}
