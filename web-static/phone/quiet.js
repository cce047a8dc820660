import { state, valueOrNull } from "./state.js";

export const DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
const DAY = 1440;
const WEEK = 7 * DAY;

function minuteOfWeek(time, timeZone) {
	const format = new Intl.DateTimeFormat("en", {
		timeZone, weekday: "long", hour: "2-digit", minute: "2-digit", hourCycle: "h23",
	});
	const parts = Object.fromEntries(format.formatToParts(time).map(({ type, value }) => [type, value]));
	return (DAYS.indexOf(parts.weekday.toLowerCase()) * 24 + Number(parts.hour)) * 60 + Number(parts.minute);
}

const minuteOfDay = (time) => {
	const [, hours, minutes] = /^(\d\d):(\d\d)$/.exec(time) ?? [];
	return hours * 60 + Number(minutes);
};

function intervalsOf({ days, from, to }) {
	const length = ((minuteOfDay(to) - minuteOfDay(from) + DAY - 1) % DAY) + 1;
	return days.map((day) => ({ start: DAYS.indexOf(day) * DAY + minuteOfDay(from), length }))
		.filter(({ start }) => start >= 0 && length > 0);
}

/** Null outside of quiet hours, Infinity if they never end. */
export function quietUntil(quietHours, timeZone, now) {
	if (quietHours.length === 0 || !timeZone) return null;
	const minute = valueOrNull(() => minuteOfWeek(now, timeZone));
	if (minute === null) return null;
	const intervals = quietHours.flatMap(intervalsOf);
	const isQuiet = (at) => intervals.some(({ start, length }) => (at - start + WEEK) % WEEK < length);
	let length = 0;
	while (isQuiet(minute + length)) if (++length === WEEK) return Infinity;
	if (length === 0) return null;
	const end = (Math.floor(now / 60_000) + length) * 60_000;
	// The clocks may change before.
	const shift = (minute + length - minuteOfWeek(end, timeZone) + 1.5 * WEEK) % WEEK - WEEK / 2;
	return end + shift * 60_000;
}

/** Returns null while calls ring. */
export function doNotDisturb(now = Date.now()) {
	const { doNotDisturb: isOn, device, quietHours, timeZone, hubTimeZone, quietHoursSkippedUntil } = state.settings;
	const isSwitchedOn = isOn === true || device.doNotDisturb === true;
	const until = Date.parse(quietHoursSkippedUntil) > now ? null : quietUntil(quietHours, timeZone || hubTimeZone, now);
	return isSwitchedOn || until !== null ? { isSwitchedOn, until } : null;
}
