import { language, t } from "./text.js";

const format = (date, options) => new Intl.DateTimeFormat(language, options).format(+new Date(date) || 0);

/** `0:07`, `12:30`, `1:02:03` */
export function clock(milliseconds) {
	const seconds = Math.max(0, milliseconds / 1000);
	const parts = [seconds / 3600, (seconds / 60) % 60, seconds % 60];
	return parts.map((part) => String(Math.floor(part)).padStart(2, "0")).join(":").replace(/^(00:)?0?/, "");
}

export const timeOfDay = (date, weekday) => format(date, { weekday, hour: "numeric", minute: "2-digit" });

export function day(date, now) {
	const midnight = (time) => new Date(time).setHours(0, 0, 0, 0);
	const days = Math.round((midnight(now) - midnight(date)) / 86_400_000);
	if (days === 0 || days === 1) return t(days ? "yesterday" : "today");
	return format(date, days > 1 && days < 7 ? { weekday: "long" } : { dateStyle: "long" });
}

export function duration(seconds) {
	const [unit, count] = seconds < 60 ? ["second", seconds] : ["minute", seconds / 60];
	return Math.round(count).toLocaleString(language, { style: "unit", unit, unitDisplay: "long" });
}
