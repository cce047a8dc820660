import { RTPSession } from "../audio/rtp-session.js";
import { isRTCP, parseRTP, writeReport, writeRTP } from "../audio/rtp.js";
import { equal, near, ok, test } from "./harness.js";

/** An RTP session and its ports: `say` sends as the capture worklet, `heard` is what the playout worklet gets. */
class Bench {
    constructor({ isOpen = () => true } = {}) {
        this.sent = [];
        this.reports = [];
        this.heard = [];
        this.watchers = [];
        this.at = 0;
        this.now = 1000;
        this.sound = new RTPSession({
            send: (bytes) => isOpen() && this.sent.push(bytes) > 0 && this.look(),
            report: (report) => this.reports.push(report) && this.look(),
            clock: () => this.now,
        });
        const { uplink } = this.sound;
        const take = uplink.frame.bind(uplink);
        uplink.frame = (...frame) => {
            take(...frame);
            this.look();
        };
        const [capture, playout] = [new MessageChannel(), new MessageChannel()];
        this.capture = capture.port1;
        this.playout = playout.port1;
        playout.port1.onmessage = ({ data }) => this.heard.push(data) && this.look();
        this.sound.configure({ capture: capture.port2, playout: playout.port2 });
    }

    look() {
        this.watchers = this.watchers.filter(({ isSo, then }) => !isSo() || then());
        return true;
    }

    /** Waits until a condition is true. */
    until(isSo) {
        return new Promise((resolve) => {
            this.watchers.push({ isSo, then: () => resolve() });
            this.look();
        });
    }

    /** Advances the clock while the playout reports. */
    async pass(time) {
        this.now += time;
        this.reports = this.reports.filter(({ kind }) => kind !== "levels");
        this.playout.postMessage({ levels: { sources: {}, output: 0 } });
        await this.until(() => this.reports.some(({ kind }) => kind === "levels"));
    }

    /** Sends frames of a tone. */
    say(count, hertz = 440) {
        for (let frame = 0; frame < count; frame++, this.at += 960) {
            const pcm = Float32Array.from({ length: 960 }, (_, place) =>
                0.5 * Math.sin((2 * Math.PI * hertz * (this.at + place)) / 48000));
            this.capture.postMessage({ pcm, level: 0.5, at: this.at }, [pcm.buffer]);
        }
    }

    get packets() {
        return this.sent.filter((bytes) => !isRTCP(bytes)).map((bytes) => ({ ...parseRTP(bytes), bytes }));
    }

    get frames() {
        return this.heard.filter(({ frames }) => frames);
    }

    /** Sends some frames and returns their packets. */
    async record(count, ssrc = 7) {
        this.sound.activate({ id: "one", ssrc, calls: [] });
        this.say(count);
        await this.until(() => this.packets.length >= count);
        return this.packets.map(({ bytes }) => bytes);
    }
}

const last = (values, count) => values.slice(-count);

function hertz(samples) {
    let crossings = 0;
    for (let place = 1; place < samples.length; place++) crossings += samples[place - 1] < 0 && samples[place] >= 0;
    return (crossings * 48000) / samples.length;
}

test("frames become packets of 20 ms with one number and 960 samples each", async () => {
    const bench = new Bench();
    await bench.record(20);
    const { packets } = bench;
    equal(packets.map(({ marker }) => marker).lastIndexOf(true), 0, "the last packet with a marker");
    equal(packets.map(({ ssrc }) => ssrc), packets.map(() => 7));
    packets.slice(1).forEach((packet, place) => {
        equal((packet.sequence - packets[place].sequence) & 0xffff, 1, "the step of the numbers");
        equal((packet.timestamp - packets[place].timestamp) >>> 0, 960, "the step of the timestamps");
    });
    bench.sound.deactivate();
});

test("packets are decoded to the audio sent", async () => {
    const bench = new Bench();
    const packets = await bench.record(50);
    bench.sound.sources([{ ssrc: 7 }]);
    packets.forEach((bytes, place) => bench.sound.packet(bytes, 1000 + 20 * place));
    await bench.until(() => bench.frames.length === 50);
    const samples = bench.frames.slice(10).flatMap(({ frames }) => Array.from(frames));
    near(hertz(samples), 440, 3);
    const { frames } = bench;
    equal(frames.map(({ startsTalkspurt }) => startsTalkspurt), frames.map((_, place) => place === 0));
    equal(frames.map(({ index }) => index - frames[0].index), frames.map((_, place) => 960 * place));
    bench.sound.deactivate();
});

test("audio captured before another activation is not sent after it", async () => {
    const bench = new Bench();
    await bench.record(5);
    const pcm = new Float32Array(960).fill(0.1);
    for (let frame = 5; frame < 10; frame++) bench.sound.uplink.frame(pcm, frame * 960);
    bench.sound.activate({ id: "two", ssrc: 8, calls: [] });
    for (let frame = 10; frame < 13; frame++) bench.sound.uplink.frame(pcm, frame * 960);
    await bench.sound.uplink.codec.coder.coder.flush();
    equal(bench.packets.map(({ ssrc }) => ssrc), [7, 7, 7, 7, 7, 8, 8, 8]);
    ok(bench.packets[5].marker, "it opens a talk spurt");
    bench.sound.deactivate();
});

test("silence is sent for 200 ms, then every 400 ms, and what follows it at once as a talk spurt", async () => {
    const bench = new Bench();
    await bench.record(5);
    for (const [level, count] of [[0.0009, 65], [0.0011, 3]]) {
        for (let frame = 0; frame < count; frame++, bench.at += 960) {
            bench.capture.postMessage({ pcm: new Float32Array(960).fill(level), level, at: bench.at });
        }
    }
    await bench.until(() => bench.packets.length === 5 + 10 + 3 + 3);
    const [first] = bench.packets;
    const places = bench.packets.map(({ timestamp }) => ((timestamp - first.timestamp) >>> 0) / 960);
    equal(places.slice(15), [24, 44, 64, 70, 71, 72]);
    equal(bench.packets.slice(15).map(({ marker }) => marker), [true, true, true, true, false, false]);
    equal(bench.packets.map(({ sequence }) => (sequence - first.sequence) & 0xffff), bench.packets.map((_, place) => place));
    bench.sound.deactivate();
});

test("a muted microphone sends nothing, and then starts a talk spurt after the gap", async () => {
    const bench = new Bench();
    await bench.record(5);
    bench.sound.configure({ muted: true });
    bench.say(10);
    await bench.until(() => bench.sound.uplink.lastAt === bench.at - 960);
    bench.sound.configure({ muted: false });
    bench.say(5);
    await bench.until(() => bench.packets.length === 10);
    const [before, after] = bench.packets.slice(4, 6);
    equal((after.sequence - before.sequence) & 0xffff, 1);
    equal((after.timestamp - before.timestamp) >>> 0, 11 * 960);
    ok(after.marker, "the marker");
    bench.sound.deactivate();
});

test("lost packets are concealed, five in a row at most", async () => {
    const bench = new Bench();
    const packets = await bench.record(40);
    bench.sound.sources([{ ssrc: 7 }]);
    const kept = packets.filter((_, place) => place !== 10 && (place < 20 || place >= 30));
    kept.forEach((bytes) => bench.sound.packet(bytes, bench.now));
    await bench.until(() => bench.frames.length === kept.length);
    const concealed = bench.heard.filter((message) => message.concealed);
    const first = bench.frames[0].index;
    equal(concealed.map(({ index }) => (index - first) / 960), [10, 20, 21, 22, 23, 24]);
    ok(concealed[0].concealed.some((sample) => Math.abs(sample) > 0.1), "it is not silence");
    bench.sound.deactivate();
});

test("duplicates and packets out of order are ignored", async () => {
    const bench = new Bench();
    const packets = await bench.record(10);
    bench.sound.sources([{ ssrc: 7 }]);
    for (const place of [0, 1, 1, 2, 0, 3, 4, 5]) bench.sound.packet(packets[place], bench.now);
    await bench.until(() => bench.frames.length === 6);
    const first = bench.frames[0].index;
    equal(bench.frames.map(({ index }) => (index - first) / 960), [0, 1, 2, 3, 4, 5]);
    bench.sound.deactivate();
});

test("a packet that crashes the decoder interrupts the audio only for a moment", async () => {
    const bench = new Bench();
    const packets = await bench.record(30);
    bench.sound.sources([{ ssrc: 7 }]);
    packets.slice(0, 5).forEach((bytes) => bench.sound.packet(bytes, bench.now));
    await bench.until(() => bench.frames.length === 5);
    const { sequence, timestamp } = parseRTP(packets[5]);
    const broken = new Uint8Array([0x7b, 0xbf, ...new Uint8Array(5).fill(255)]);
    const empty = new Uint8Array(0);
    bench.sound.packet(writeRTP({ marker: false, sequence, timestamp, ssrc: 7 }, empty), bench.now);
    bench.sound.packet(writeRTP({ marker: false, sequence, timestamp, ssrc: 7 }, broken), bench.now);
    const decoder = bench.sound.downlink.streams.get(7).codec.coder?.coder;
    // A browser that takes such a packet after all has nothing to recover from.
    decoder?.decode(new EncodedAudioChunk({ type: "key", timestamp: 0, data: new Uint8Array([0x7b, 0xff]) }));
    await bench.until(() => bench.reports.some(({ component }) => component === "decoder"));
    await bench.pass(1500);
    packets.slice(10).forEach((bytes) => bench.sound.packet(bytes, bench.now));
    await bench.until(() => bench.frames.length >= 25);
    near(hertz(last(bench.frames, 10).flatMap(({ frames }) => Array.from(frames))), 440, 5);
    bench.sound.deactivate();
});

test("after a deactivation no earlier audio is played", async () => {
    const bench = new Bench();
    const packets = await bench.record(20);
    bench.sound.sources([{ ssrc: 7 }]);
    packets.forEach((bytes) => bench.sound.packet(bytes, bench.now));
    bench.sound.deactivate();
    bench.sound.activate({ id: "two", ssrc: 9, calls: [] });
    await bench.until(() => bench.heard.some(({ removed }) => removed));
    const place = bench.heard.findIndex(({ removed }) => removed) + 1;
    const other = await new Bench().record(5, 11);
    bench.sound.sources([{ ssrc: 11 }]);
    other.forEach((bytes) => bench.sound.packet(bytes, bench.now));
    await bench.until(() => bench.frames.filter(({ source }) => source === 11).length === 5);
    ok(bench.heard.slice(place).every(({ source }) => source !== 7), "nothing of the first source after that");
    bench.sound.deactivate();
});

test("a removed source is closed, and its late packets do not reopen it", async () => {
    const bench = new Bench();
    const packets = await bench.record(10);
    bench.sound.sources([{ ssrc: 7 }, { ssrc: 8 }]);
    packets.slice(0, 5).forEach((bytes) => bench.sound.packet(bytes, bench.now));
    await bench.until(() => bench.frames.length === 5);
    bench.sound.sources([{ ssrc: 8 }]);
    packets.slice(5).forEach((bytes) => bench.sound.packet(bytes, bench.now));
    equal([...bench.sound.downlink.streams.keys()], [8]);
    await bench.until(() => bench.heard.some(({ removed, source }) => removed && source === 7));
    bench.sound.deactivate();
});

test("unannounced sources are played, up to a limit", async () => {
    const bench = new Bench();
    const [bytes] = await bench.record(1);
    const { payload } = parseRTP(bytes);
    for (let ssrc = 100; ssrc < 200; ssrc++) {
        bench.sound.packet(writeRTP({ marker: true, sequence: 1, timestamp: 1, ssrc }, payload), bench.now);
    }
    equal(bench.sound.downlink.streams.size, 16);
    bench.sound.deactivate();
});

test("the hub's report gives the round-trip time and continues the uplink", async () => {
    const bench = new Bench();
    await bench.record(26);
    bench.now += 20;
    bench.say(1);
    bench.sound.sendReport();
    const middle = new DataView(bench.sent.findLast(isRTCP).buffer).getUint32(10);
    const { sequence } = bench.packets.at(-1);
    const block = { ssrc: 7, fractionLost: 0, lost: 0, highest: sequence, jitter: 0, lastReport: middle, sinceLastReport: 0 };
    bench.now += 80;
    bench.sound.packet(writeReport({ ssrc: 1 }, [block]), bench.now);
    near(bench.sound.quality.roundTrip, 80, 1);
    ok(bench.sound.uplink.rateController.unacknowledged <= 1, "all is acknowledged");
    bench.sound.deactivate();
});

test("a stalled playout accumulates no audio", async () => {
    const bench = new Bench();
    const packets = await bench.record(20);
    bench.sound.sources([{ ssrc: 7 }]);
    bench.now += 1500;
    packets.slice(0, 10).forEach((bytes) => bench.sound.packet(bytes, bench.now));
    await bench.sound.downlink.streams.get(7).codec.coder.coder.flush();
    await bench.pass(0);
    packets.slice(10).forEach((bytes) => bench.sound.packet(bytes, bench.now));
    await bench.until(() => bench.frames.length === 10);
    ok(bench.frames[0].index - bench.frames[9].index === -9 * 960, "they are the last ten");
    equal(bench.frames[0].startsTalkspurt, false, "the first has not come");
    bench.sound.deactivate();
});

test("after a rest the first packets are played, and the timestamps do not jump in the first words", async () => {
    const bench = new Bench();
    const packets = await bench.record(10);
    const pcm = new Float32Array(960).fill(0.1);
    bench.sound.deactivate();
    bench.now += 60_000;
    bench.sound.configure({ wakes: true });
    bench.sound.activate({ id: "two", ssrc: 8, calls: [] });
    bench.sound.sources([{ ssrc: 7 }]);
    bench.sound.packet(packets[0], bench.now);
    await bench.until(() => bench.frames.length === 1);
    for (let frame = 0; frame < 40; frame++, bench.at += 960, bench.now += 20) {
        bench.sound.uplink.frame(pcm, bench.at);
    }
    const sent = () => bench.packets.filter(({ ssrc }) => ssrc === 8);
    await bench.until(() => sent().length === 40);
    equal(sent().map(({ marker }) => marker), sent().map((_, place) => place === 0));
    bench.sound.deactivate();
});

test("the levels of a hidden page are reported once a second, with the loudest of it", async () => {
    const bench = new Bench();
    bench.sound.activate({ id: "one", ssrc: 7, calls: [] });
    bench.sound.configure({ hidden: true });
    bench.say(1);
    for (let report = 1; report <= 20; report++) {
        bench.playout.postMessage({ levels: { sources: {}, output: 0 }, statistics: report % 10 === 0 && [] });
    }
    const levels = () => bench.reports.filter(({ kind }) => kind === "levels");
    await bench.until(() => bench.reports.filter(({ kind }) => kind === "quality").length === 2);
    equal(levels().map(({ input }) => input), [0.5, 0]);
    bench.sound.configure({ hidden: false });
    bench.playout.postMessage({ levels: { sources: {}, output: 0 } });
    await bench.until(() => levels().length === 3);
    bench.sound.deactivate();
});

test("a packet that cannot be sent has no sequence number, and the next one starts a talk spurt", async () => {
    let isOpen = true;
    let refused = 0;
    const bench = new Bench({ isOpen: () => isOpen || (refused++, false) });
    await bench.record(5);
    isOpen = false;
    bench.say(5);
    await new Promise((resolve) => {
        const { send } = bench.sound.uplink;
        bench.sound.uplink.send = (bytes) => {
            const isSent = send(bytes);
            if (refused === 5) resolve();
            return isSent;
        };
    });
    isOpen = true;
    bench.say(5);
    await bench.until(() => bench.packets.length === 10);
    const [before, after] = bench.packets.slice(4, 6);
    equal((after.sequence - before.sequence) & 0xffff, 1);
    equal((after.timestamp - before.timestamp) >>> 0, 6 * 960);
    ok(after.marker, "the marker");
    bench.sound.deactivate();
});
