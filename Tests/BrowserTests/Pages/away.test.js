import { watchAbsence } from "../phone/away.js";
import { equal, test } from "./harness.js";

const MINUTE = 60_000;
const realNow = Date.now;
const realTimeout = globalThis.setTimeout;

/** A clock whose timers run when the test lets time pass. */
function clock() {
    let now = realNow();
    let timers = [];
    Date.now = () => now;
    globalThis.setTimeout = (body, delay) => void timers.push({ body, at: now + delay });
    const pass = (milliseconds) => {
        const end = now + milliseconds;
        for (;;) {
            const next = timers.filter(({ at }) => at <= end).sort((one, other) => one.at - other.at)[0];
            if (!next) break;
            timers = timers.filter((one) => one !== next);
            now = next.at;
            next.body();
        }
        now = end;
    };
    const stop = () => Object.assign(globalThis, { setTimeout: realTimeout }) && (Date.now = realNow);
    return { pass, stop };
}

const press = () => dispatchEvent(new KeyboardEvent("keydown", { key: "x" }));

test("a user is away after five minutes without input and without a call, and back with the next input", () => {
    const { pass, stop } = clock();
    const told = [];
    let isBusy = false;
    watchAbsence((isAway) => told.push(isAway), () => isBusy);
    pass(4 * MINUTE);
    press();
    pass(5 * MINUTE - 1);
    equal(told, []);
    pass(1);
    equal(told, [true]);
    pass(20 * MINUTE);
    equal(told, [true]);
    press();
    press();
    equal(told, [true, false]);
    isBusy = true;
    pass(30 * MINUTE);
    equal(told, [true, false]);
    isBusy = false;
    pass(11 * MINUTE);
    equal(told, [true, false, true]);
    stop();
});

test("input on another tab counts as well", async () => {
    const { pass, stop } = clock();
    const told = [];
    const back = Promise.withResolvers();
    watchAbsence((isAway) => told.push(isAway) && !isAway && back.resolve(), () => false);
    pass(5 * MINUTE);
    equal(told, [true]);
    stop();
    new BroadcastChannel("callhub input").postMessage(null);
    await back.promise;
    equal(told, [true, false]);
});
