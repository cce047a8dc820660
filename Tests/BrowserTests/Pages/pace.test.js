import { Quality, grade } from "../audio/rtp-session.js";
import { RateController, MediaClock } from "../audio/uplink.js";
import { equal, near, ok, test } from "./harness.js";

/** Sends frames until a time, while the hub says what it has. */
function send(rateController, from, until, acknowledge) {
    let sent = 0;
    for (let now = from; now < until; now += 20) {
        if (rateController.allows(now)) {
            rateController.sent((rateController.last + 1) & 0xffff, now);
            sent += 1;
        }
        if (now % 200 === 0) acknowledge?.(now);
    }
    return sent;
}

const fresh = (sequence) => {
    const rateController = new RateController();
    rateController.begin(sequence);
    return rateController;
};

test("with more than 25 packets unacknowledged only one in half a second is sent", async () => {
    const rateController = fresh(100);
    equal(send(rateController, 0, 520), 26);
    equal(send(rateController, 520, 3020), 5);
});

test("when the hub has caught up sending continues, also when the sequence number wraps", async () => {
    const rateController = fresh(65_530);
    send(rateController, 0, 2000);
    ok(rateController.isStopped, "stopped");
    rateController.report({ highest: 65_536 + ((rateController.last) & 0xffff), fractionLost: 0 }, 2000);
    equal(rateController.unacknowledged, 0);
    equal(send(rateController, 2000, 2200), 10);
});

test("a probe packet shows that those before it are lost", async () => {
    const rateController = fresh(0);
    send(rateController, 0, 1100);
    const asked = rateController.last;
    rateController.report({ highest: asked, fractionLost: 200 }, 1100);
    ok(rateController.allows(1120), "it goes on");
});

test("a report on packets never sent changes nothing", async () => {
    const rateController = fresh(10);
    send(rateController, 0, 1000);
    rateController.report({ highest: 5000, fractionLost: 0 }, 1000);
    ok(rateController.unacknowledged > 25, "they are still unacknowledged");
});

test("the bit rate decreases with packet loss, and increases up to 32 kb/s without", async () => {
    const rateController = fresh(0);
    const report = (fractionLost) => (now) => rateController.report({ highest: rateController.last, fractionLost }, now);
    send(rateController, 0, 20_000, report(50));
    equal(rateController.bitrate, 16_000);
    send(rateController, 20_000, 30_000, report(0));
    equal(rateController.bitrate, 16_000, "not at once");
    send(rateController, 30_000, 120_000, report(0));
    equal(rateController.bitrate, 32_000);
});

test("a suspended audio context advances the media clock, a burst does not", async () => {
    const time = new MediaClock();
    for (let frame = 0; frame < 100; frame++) ok(!time.note(frame * 960, frame * 20), "all is well");
    for (let frame = 100; frame < 160; frame++) ok(!time.note(frame * 960, 3200), "a burst of a busy worker");
    ok(!time.note(160 * 960, 3200), "which has caught up");
    const jumps = Array.from({ length: 60 }, (_, count) => time.note((161 + count) * 960, 3620 + count * 20));
    equal(jumps.filter(Boolean).length, 1);
    near(time.offset / 48, 400, 25);
});

const playing = (sums) => [{
    source: 1, delay: 60, target: 40, concealed: 0, stretched: 0, cut: 0, dropped: 0, frames: 1, ...sums,
}];

test("quality covers the last ten seconds", async () => {
    const quality = new Quality();
    equal(quality.figures({ unacknowledged: 0, bitrate: 24_000 }).grade, null);
    for (let second = 1; second <= 5; second++) quality.note(playing({ concealed: 100 * second, frames: second }));
    quality.noteRoundTrip(40);
    const bad = quality.figures({ unacknowledged: 3, bitrate: 24_000 });
    equal([bad.grade, bad.warns, bad.concealed, bad.delay, bad.roundTrip], ["poor", true, 500, 80, 40]);
    for (let second = 6; second <= 15; second++) quality.note(playing({ concealed: 500, frames: second }));
    const good = quality.figures({ unacknowledged: 3, bitrate: 24_000 });
    equal([good.grade, good.warns, good.concealed], ["good", false, 0]);
    const grades = [1, 2, 3].map(() => {
        quality.note(playing({ concealed: 500, frames: 15 }));
        return quality.figures({ unacknowledged: 3, bitrate: 24_000 }).grade;
    });
    equal(grades, ["good", null, null], "without packets there is no grade");
});

test("delay, concealed audio and a stalled uplink each lower it", async () => {
    const good = { delay: 100, concealed: 0, roundTrip: 50, unacknowledged: 2 };
    equal(grade(good), "good");
    equal(grade({ ...good, delay: 250 }), "fair");
    equal(grade({ ...good, concealed: 200 }), "fair");
    equal(grade({ ...good, delay: 450 }), "poor");
    equal(grade({ ...good, unacknowledged: 26 }), "poor");
});
