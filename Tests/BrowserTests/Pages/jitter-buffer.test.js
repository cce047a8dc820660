import { chance, concealed, middle, most, play, voice } from "./link.js";
import { equal, near, ok, test } from "./harness.js";

/** The largest step of the tone itself; time scaling must add no click. */
const PURE = 0.0289;

test("a loss-free stream is played with 25 ms of delay, and without a click", async () => {
    const heard = play({ seconds: 20 });
    near(middle(heard, 5000), 30 + 25, 8);
    equal(concealed(heard), 0);
    ok(heard.step < PURE, `the largest step is ${heard.step}`);
});

test("with up to 120 ms of random delay audio is played within 170 ms, with nothing concealed", async () => {
    for (const seed of [1, 2, 3]) {
        const random = chance(seed);
        const heard = play({ seconds: 40, delay: () => random() * 120 });
        ok(middle(heard, 3000) <= 170, `the delay is ${middle(heard, 3000)}`);
        equal(concealed(heard, 2000), 0, `concealed, seed ${seed}`);
        ok(concealed(heard) < 20, "hardly anything is concealed while nothing is known yet");
        ok(heard.step < 1.2 * PURE, `the largest step is ${heard.step}`);
    }
});

test("a second after a stall of 300 ms the delay is below 120 ms again", async () => {
    for (const at of [2500, 10_000]) {
        const heard = play({ seconds: 15, stalls: [{ at, length: 300 }] });
        ok(most(heard, at + 300, at + 400) > 200, "the stall is heard");
        ok(most(heard, at + 1300) < 120, `the delay is ${most(heard, at + 1300)}`);
        ok(concealed(heard) < 280, "no more is concealed than was missing");
        ok(heard.step < 1.2 * PURE, `the largest step is ${heard.step}`);
    }
});

test("audio is shortened and stretched without a click", async () => {
    const whole = play({ seconds: 8, sound: voice });
    const random = chance(9);
    let frames = 0;
    const jittered = play({ seconds: 8, sound: voice, delay: () => (++frames > 120 ? random() * 120 : 0) });
    const stalled = play({ seconds: 8, sound: voice, stalls: [{ at: 4000, length: 300 }] });
    ok(jittered.buffer.statistics.stretched > 100, "sound was repeated");
    ok(stalled.buffer.statistics.cut > 5000, "sound was cut");
    for (const { step } of [jittered, stalled]) ok(step < 1.2 * whole.step, `a step of ${step} after ${whole.step}`);
});

test("after a stall of 2 s no audio older than half a second is played", async () => {
    const heard = play({ seconds: 15, stalls: [{ at: 6000, length: 2000 }] });
    ok(most(heard, 0) < 500, `the delay is ${most(heard, 0)}`);
    ok(most(heard, 9000) < 120, "a second later all is as before");
    ok(heard.buffer.statistics.dropped > 60, "what is too old is dropped");
});

test("repeated stalls raise the target delay", async () => {
    const stalls = Array.from({ length: 13 }, (_, count) => ({ at: 3000 * (count + 1), length: 300 }));
    const heard = play({ seconds: 42, stalls });
    const first = concealed(heard) - concealed(heard, 5000);
    const later = concealed(heard, 29_000) / 4;
    ok(first > 200, `the first stall is heard: ${first} ms`);
    ok(later < first / 2, `of ${first} ms at first ${later} ms are left`);
});

test("clocks that differ by 200 ppm cause no delay and no gap", async () => {
    for (const ppm of [200, -200]) {
        const heard = play({ seconds: 60, ppm });
        near(middle(heard, 40_000), 30 + 27, 10);
        equal(concealed(heard), 0);
        ok(heard.step < 1.2 * PURE, `the largest step is ${heard.step}`);
    }
});

test("stale audio of a stalled sender, which pauses afterwards, is not played", async () => {
    // After 500 ms it says nothing, and then 20 ms twice a second, each of them marked.
    const isAsked = (frame) => (frame + 1) % 25 === 0;
    const number = (frame) => (frame < 325 || frame > 400 ? {}
        : frame === 400 || isAsked(frame) ? { startsTalkspurt: true } : { at: Infinity });
    const heard = play({ seconds: 15, stalls: [{ at: 6000, length: 2000 }], number });
    equal(heard.buffer.statistics.dropped, 29, "frames that are not heard");
    ok(most(heard, 9000) < 120, `the delay is ${most(heard, 9000)}`);
});

test("nor is it if a busy machine delivers the audio in real time", async () => {
    let frames = 0;
    const delay = () => (++frames > 300 && frames <= 308 ? 900 : 0);
    const heard = play({ seconds: 12, delay, number: (frame) => ({ startsTalkspurt: frame === 0 || frame === 300 }) });
    equal(heard.buffer.statistics.dropped, 27, "frames that are not heard");
});

test("a marked jump of the timestamp costs nothing, a backward one at most 160 ms", async () => {
    for (const by of [240_000, -240_000, 14_400, -14_400, 480_000_000, -480_000_000]) {
        const number = (frame) => (frame < 300 ? {} : { index: frame * 960 + by, startsTalkspurt: frame === 300 });
        const heard = play({ seconds: 12, number });
        ok(concealed(heard) <= (by < 0 ? 160 : 0), `of ${by} samples ${concealed(heard)} ms are concealed`);
        ok(most(heard, 6000) < 120, `the delay is ${most(heard, 6000)}, by ${by}`);
    }
});

test("an unmarked backward jump is accepted after two seconds", async () => {
    const heard = play({ seconds: 12, number: (frame) => (frame < 300 ? {} : { index: frame * 960 - 240_000 }) });
    ok(concealed(heard) < 2200, `${concealed(heard)} ms are concealed`);
    ok(most(heard, 9000) < 120, "then all is as before");
});

test("one lost frame of a hundred is concealed, and no more than that", async () => {
    const random = chance(5);
    let lost = 0;
    const heard = play({ seconds: 30, loses: () => random() < 0.01 && ++lost > 0 });
    ok(lost > 5, "frames were lost");
    near(concealed(heard), 20 * lost, 20);
});

test("a pause of the sender does not count as loss", async () => {
    const isPause = (frame) => frame >= 300 && frame < 400;
    const heard = play({
        seconds: 12,
        number: (frame) => (isPause(frame) ? { at: Infinity } : { startsTalkspurt: frame === 0 || frame === 400 }),
    });
    ok(heard.buffer.statistics.frames < 520, "there was a pause");
    equal(concealed(heard), 0);
});
