import { quietUntil } from "../phone/quiet.js";
import { equal, test } from "./harness.js";

const everyDay = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
const end = (hours, zone, now) => {
    const until = quietUntil(hours, zone, Date.parse(now));
    return until === null || until === Infinity ? String(until) : new Date(until).toISOString();
};

test("quiet hours end at their end, of whatever day they began", () => {
    const nights = [{ days: ["monday", "tuesday"], from: "22:00", to: "07:00" }];
    // 2026-11-23 is a Monday; Seoul is 9 hours ahead.
    equal(end(nights, "Asia/Seoul", "2026-11-23T12:59:59Z"), "null");
    equal(end(nights, "Asia/Seoul", "2026-11-23T13:00:30Z"), "2026-11-23T22:00:00.000Z");
    equal(end(nights, "Asia/Seoul", "2026-11-24T21:59:00Z"), "2026-11-24T22:00:00.000Z");
    equal(end(nights, "Asia/Seoul", "2026-11-24T22:00:00Z"), "null");
    equal(end(nights, "Asia/Seoul", "2026-11-25T13:30:00Z"), "null");
});

test("quiet hours that follow each other end with the last of them, and those of all the week never", () => {
    const sunday = { days: ["sunday"], from: "00:00", to: "00:00" };
    const night = { days: ["saturday", "sunday"], from: "22:00", to: "07:00" };
    equal(end([night, sunday], "UTC", "2026-11-21T23:00:00Z"), "2026-11-23T07:00:00.000Z");
    equal(end([{ days: everyDay, from: "08:00", to: "08:00" }], "UTC", "2026-11-21T23:00:00Z"), "Infinity");
});

test("quiet hours end by the local clock, also in the night in which it changes", () => {
    const night = [{ days: ["saturday"], from: "22:00", to: "07:00" }];
    // The clocks go back on 2026-10-25 and forward on 2026-03-29.
    equal(end(night, "Europe/Berlin", "2026-10-24T21:00:00Z"), "2026-10-25T06:00:00.000Z");
    equal(end(night, "Europe/Berlin", "2026-03-28T22:00:00Z"), "2026-03-29T05:00:00.000Z");
});

test("without a known time zone, or with wrong times, nothing is said about quiet hours", () => {
    const all = [{ days: everyDay, from: "08:00", to: "08:00" }];
    for (const zone of ["", "Nowhere/Land"]) equal(end(all, zone, "2026-11-21T23:00:00Z"), "null");
    for (const [from, to] of [["x", "07:00"], [undefined, 7], ["07:00", null]]) {
        equal(end([{ days: ["monday", "noday", ""], from, to }], "UTC", "2026-11-23T05:00:00Z"), "null");
    }
    equal(end([], "UTC", "2026-11-23T05:00:00Z"), "null");
});
