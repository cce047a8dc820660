import { timeOfDay } from "../phone/format.js";
import { h, language, t } from "../phone/views/parts.js";

const HOUR = 3_600_000;
/** The height and the width of a graph in its own units: a unit of width is a ten-thousandth of an hour. */
const [WIDTH, HEIGHT] = [10_000, 100];
const digits = (value, maximumFractionDigits = 0) => value.toLocaleString(language, { maximumFractionDigits });
let samples = [];
let interval = 10;

/** The graphs: what is drawn, and how a value is written. */
const GRAPHS = {
	calls: [({ calls }) => calls, (value) => digits(value)],
	packets: [({ packets }) => packets / interval, (value) => digits(value)],
	latency: [({ latencyMicroseconds }) => latencyMicroseconds === undefined ? null : latencyMicroseconds / 1000,
		(value) => `${digits(value, 2)} ms`],
};

export function addSamples({ intervalSeconds, samples: fresh }) {
	interval = intervalSeconds || interval;
	samples = [...samples, ...fresh.map((one) => ({ ...one, time: Date.parse(one.at) }))].slice(-360);
}

export const graphs = () => h("section", { key: "graphs" }, h("h2", t("admin.hour")),
	samples.length < 2 ? h("p.quiet", t("admin.noSamples"))
		: [h("div.admin-graphs", Object.keys(GRAPHS).map(graph)), table()]);

function graph(name) {
	const [valueOf, write] = GRAPHS[name];
	const end = samples.at(-1).time;
	const points = samples.map((one) => ({ x: WIDTH * (1 - (end - one.time) / HOUR), value: valueOf(one) }));
	const values = points.map(({ value }) => value).filter((value) => value !== null);
	const most = values.length ? Math.max(...values) : 0;
	const last = points.at(-1).value;
	const lastText = last === null ? "–" : write(last);
	const summary = t("admin.graphSummary", { name: t(`admin.graph.${name}`), last: lastText, most: write(most) });
	return h("figure.admin-graph", { key: name },
		h("figcaption", h("b", t(`admin.graph.${name}`)), " ", h("span.last", lastText), h("small", t("admin.most", { most: write(most) }))),
		h("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img", "aria-label": summary },
			h("path", { class: "base", d: `M0 ${HEIGHT - .5}H${WIDTH}` }),
			h("path", { class: "line", d: line(points, most) })),
		h("div.admin-axis", { "aria-hidden": true }, h("small", timeOfDay(end - HOUR)), h("small", timeOfDay(end))));
}

/** A line with gaps where there are no values. */
function line(points, most) {
	let path = "";
	let isDown = false;
	for (const { x, value } of points) {
		if (value !== null) path += `${isDown ? "L" : "M"}${Math.round(x)} ${(HEIGHT - 2 - (HEIGHT - 6) * (most ? value / most : 0)).toFixed(1)}`;
		isDown = value !== null;
	}
	return path || "M0 0";
}

/** The values of each five minutes, for those who do not see the graphs. */
function table() {
	const rows = Map.groupBy(samples, ({ time }) => Math.floor(time / 300_000));
	return h("details", { key: "values" }, h("summary", t("admin.values")),
		h("table.admin-table",
			h("thead", h("tr", h("th", { scope: "col" }, t("admin.column.time")),
				Object.keys(GRAPHS).map((name) => h("th", { scope: "col" }, t(`admin.graph.${name}`))))),
			h("tbody", [...rows].map(([start, group]) => h("tr", { key: String(start) }, h("td", timeOfDay(start * 300_000)),
				Object.values(GRAPHS).map(([valueOf, write]) => {
					const values = group.map(valueOf).filter((value) => value !== null);
					return h("td.number", values.length ? write(Math.max(...values)) : "–");
				}))))));
}
