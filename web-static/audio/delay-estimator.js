// Times are in ms.
const WINDOW = 10_000;
const MAXIMUM_PACKETS = 1024;
const QUANTILE = 0.97;
const INITIAL_TARGET = 100;
const MINIMUM_TARGET = 25;
const MAXIMUM_TARGET = 500;
const MARGIN = 20;
const LATEST_MARGIN = 8;
const LATEST_TOLERANCE = 15;
const DECAY = 0.04;
const STALE_LATENESS = 500;
/** The jump of the sender's clock that is accepted at the start of a talk spurt. */
const JUMP = 60;
const JUMP_PACKETS = 10;
const JUMP_TOLERANCE = 40;
const SHIFT_PACKETS = 100;
const SHIFT_TIME = 1_500;
/** Random delays up to 120 ms cause none. */
const STALL = 170;
const STALL_PERIOD = 1_000;

export class DelayEstimator {
	packets = [];
	sorted = [];
	target = INITIAL_TARGET;
	lastArrival = Infinity;
	stallAt = -Infinity;

	/** Returns the lateness. */
	observe(index, arrived, startsTalkspurt) {
		const { sorted } = this;
		const offset = arrived - index / 48;
		const elapsed = arrived - this.lastArrival;
		if (!startsTalkspurt && elapsed > STALL) {
			this.inStall = arrived - this.stallAt >= WINDOW;
			this.stallAt = arrived;
		}
		this.lastArrival = arrived;
		const lateness = offset - sorted[0];
		this.isStale = lateness > STALE_LATENESS;
		this.restarted = sorted.length === 0 || -lateness > (startsTalkspurt ? JUMP : STALE_LATENESS)
			|| this.hasJumpedBack(lateness, startsTalkspurt) || this.hasShifted(arrived);
		if (this.restarted) return this.restart(offset, arrived);
		if (!this.isStalled(lateness, arrived)) this.record(offset, arrived);
		this.target = Math.max(this.newTarget(), this.target - Math.min(1000, elapsed) * DECAY);
		return Math.max(0, offset - sorted[0]);
	}

	restart(offset, arrived) {
		this.target = Math.min(INITIAL_TARGET, this.target);
		this.isStale = this.inStall = false;
		this.packets.length = this.sorted.length = this.stalePackets = 0;
		this.shift = this.shiftedPackets = NaN;
		this.record(offset, arrived);
		return 0;
	}

	isStalled(lateness, arrived) {
		if (this.isStale) return true;
		if (lateness <= this.target || arrived - this.stallAt > STALL_PERIOD) this.inStall = false;
		return this.inStall;
	}

	hasJumpedBack(lateness, startsTalkspurt) {
		if (startsTalkspurt) {
			this.shift = lateness > JUMP ? lateness : NaN;
			this.shiftedPackets = 0;
		}
		if (Math.abs(lateness - this.shift) < JUMP_TOLERANCE) this.shiftedPackets += 1;
		else this.shift = this.shiftedPackets = NaN;
		return this.shiftedPackets >= JUMP_PACKETS;
	}

	hasShifted(arrived) {
		this.stalePackets = this.isStale ? this.stalePackets + 1 : 0;
		if (this.stalePackets === 1) this.staleSince = arrived;
		return this.stalePackets >= SHIFT_PACKETS && arrived - this.staleSince >= SHIFT_TIME;
	}

	record(offset, arrived) {
		const { packets, sorted } = this;
		while (packets.length === MAXIMUM_PACKETS || packets[0]?.arrived < arrived - WINDOW) {
			sorted.splice(placeOf(packets.shift().offset, sorted), 1);
		}
		packets.push({ offset, arrived });
		sorted.splice(placeOf(offset, sorted), 0, offset);
	}

	newTarget() {
		const { sorted } = this;
		const percentile = sorted[Math.floor(sorted.length * QUANTILE)] + MARGIN;
		const maximum = sorted.at(-1) + LATEST_MARGIN;
		const newTarget = (maximum <= percentile + LATEST_TOLERANCE ? maximum : percentile) - sorted[0];
		return Math.max(MINIMUM_TARGET, Math.min(MAXIMUM_TARGET, newTarget));
	}
}

function placeOf(offset, sorted) {
	let low = 0;
	for (let high = sorted.length; low < high;) {
		const middle = (low + high) >> 1;
		if (sorted[middle] < offset) low = middle + 1;
		else high = middle;
	}
	return low;
}
