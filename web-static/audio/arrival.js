// Times are ms.
const WINDOW = 10_000;
const MOST = 1024;
const QUANTILE = 0.97;
const START = 100;
const FLOOR = 40;
const CEILING = 500;
const MARGIN = 20;
const LATEST_MARGIN = 8;
const LATEST_COST = 15;
const DECAY = 0.04;
const OUTAGE = 500;
const JUMP = 60;
const ALIKE = 10;
const LIKENESS = 40;
const SHIFT_PACKETS = 100;
const SHIFT_TIME = 1_500;
// Random delays up to 120 ms never look like it.
const STALL = 170;
const BURST = 1_000;

export class Arrival {
	packets = [];
	sorted = [];
	target = START;
	lastArrival = Infinity;
	stallAt = -Infinity;

	/** Where a packet `begins`, a jump may be believed. */
	observe(index, arrived, begins) {
		const { sorted } = this;
		const offset = arrived - index / 48;
		const passed = arrived - this.lastArrival;
		if (!begins && passed > STALL) {
			this.inStall = arrived - this.stallAt >= WINDOW;
			this.stallAt = arrived;
		}
		this.lastArrival = arrived;
		const late = offset - sorted[0];
		this.isStale = late > OUTAGE;
		this.restarted = sorted.length === 0 || -late > (begins ? JUMP : OUTAGE)
			|| this.hasJumpedBack(late, begins) || this.hasShifted(arrived);
		if (this.restarted) return this.restart(offset, arrived);
		if (!this.isStalled(late, arrived)) this.record(offset, arrived);
		this.target = Math.max(this.wanted(), this.target - Math.min(1000, passed) * DECAY);
		return Math.max(0, offset - sorted[0]);
	}

	restart(offset, arrived) {
		this.target = Math.min(START, this.target);
		this.isStale = this.inStall = false;
		this.packets.length = this.sorted.length = this.outages = 0;
		this.shift = this.alike = NaN;
		this.record(offset, arrived);
		return 0;
	}

	isStalled(late, arrived) {
		if (this.isStale) return true;
		if (late <= this.target || arrived - this.stallAt > BURST) this.inStall = false;
		return this.inStall;
	}

	hasJumpedBack(late, begins) {
		if (begins) {
			this.shift = late > JUMP ? late : NaN;
			this.alike = 0;
		}
		if (Math.abs(late - this.shift) < LIKENESS) this.alike += 1;
		else this.shift = this.alike = NaN;
		return this.alike >= ALIKE;
	}

	hasShifted(arrived) {
		this.outages = this.isStale ? this.outages + 1 : 0;
		if (this.outages === 1) this.outageSince = arrived;
		return this.outages >= SHIFT_PACKETS && arrived - this.outageSince >= SHIFT_TIME;
	}

	record(offset, arrived) {
		const { packets, sorted } = this;
		while (packets.length === MOST || packets[0]?.arrived < arrived - WINDOW) {
			sorted.splice(sorted.indexOf(packets.shift().offset), 1);
		}
		packets.push({ offset, arrived });
		const place = sorted.findLastIndex((other) => other < offset) + 1;
		sorted.splice(place, 0, offset);
	}

	wanted() {
		const { sorted } = this;
		const most = sorted[Math.floor(sorted.length * QUANTILE)] + MARGIN;
		const latest = sorted.at(-1) + LATEST_MARGIN;
		const wanted = (latest <= most + LATEST_COST ? latest : most) - sorted[0];
		return Math.max(FLOOR, Math.min(CEILING, wanted));
	}
}
