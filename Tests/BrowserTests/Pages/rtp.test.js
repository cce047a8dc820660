import { isRTCP, compactNTP, opusSamples, parseReports, parseRTP, roundTrip, unwrap, writeReport, writeRTP }
    from "../audio/rtp.js";
import { ReceptionStatistics } from "../audio/downlink.js";
import { chance } from "./link.js";
import { equal, near, ok, test } from "./harness.js";

const header = { marker: true, sequence: 65535, timestamp: 4294967295, ssrc: 3405691582 };

test("an RTP packet is parsed as written", async () => {
    const bytes = writeRTP(header, new Uint8Array([0x78, 1, 2]));
    equal(Array.from(bytes), [0x80, 0xef, 255, 255, 255, 255, 255, 255, 0xca, 0xfe, 0xba, 0xbe, 0x78, 1, 2]);
    const { payload, ...read } = parseRTP(bytes);
    equal(read, header);
    equal(Array.from(payload), [0x78, 1, 2]);
    ok(!isRTCP(bytes), "it is no RTCP");
});

test("contributing sources and a header extension are skipped", async () => {
    const fixed = [0x92, 111, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3];
    const sources = [1, 1, 1, 1, 2, 2, 2, 2];
    const extension = [0xbe, 0xde, 0, 1, 0x10, 0x80, 0, 0];
    equal(Array.from(parseRTP(new Uint8Array([...fixed, ...sources, ...extension, 9])).payload), [9]);
});

test("an invalid RTP packet is refused", async () => {
    const whole = writeRTP(header, new Uint8Array([1]));
    for (let length = 0; length < 12; length++) equal(parseRTP(whole.subarray(0, length)), null);
    equal(parseRTP(new Uint8Array([0xa0, ...whole.subarray(1)])), null, "padding");
    equal(parseRTP(new Uint8Array([0x40, ...whole.subarray(1)])), null, "version 1");
    equal(parseRTP(new Uint8Array([0x80, 110, ...whole.subarray(2)])), null, "another payload type");
    equal(parseRTP(new Uint8Array([0x8f, ...whole.subarray(1)])), null, "sources beyond the end");
    equal(parseRTP(new Uint8Array([0x90, ...whole.subarray(1, 12), 0, 0, 255, 255])), null, "extension beyond the end");
});

test("arbitrary bytes never make a reader throw", async () => {
    const random = chance(1);
    for (let count = 0; count < 20_000; count++) {
        const bytes = Uint8Array.from({ length: random() * 80 }, () => random() * 256);
        if (bytes.length > 1 && count % 2 === 0) bytes.set([0x80 | (bytes[0] & 0x3f), 200 + (bytes[1] & 1)]);
        parseRTP(bytes);
        ok(parseReports(bytes).length * 24 <= bytes.length, "no block is made up");
        ok(opusSamples(bytes) <= 5760, "no packet is longer than 120 ms");
    }
});

test("the duration of an Opus packet is computed", async () => {
    equal([0x78, 0x08, 0x18, 0x60, 0x80, 0x79].map((first) => opusSamples(new Uint8Array([first, 0]))),
        [960, 960, 2880, 480, 120, 1920]);
    equal(opusSamples(new Uint8Array([0x03, 6])), 2880, "six frames of 10 ms");
    equal(opusSamples(new Uint8Array([0x1b, 3])), 0, "three of 60 ms are too long");
    equal(opusSamples(new Uint8Array([0x03])), 0, "a count is missing");
    equal(opusSamples(new Uint8Array([])), 0);
});

test("sequence numbers are extended over wraps in both directions", async () => {
    let last = null;
    const next = (bits) => (value) => (last = unwrap(value, last, bits));
    equal([65534, 65535, 0, 5, 65535, 1].map(next(16)), [65534, 65535, 65536, 65541, 65535, 65537]);
    last = null;
    equal([4294967295, 959].map(next(32)), [4294967295, 4294968255]);
});

test("a sender report with a block is parsed as written", async () => {
    const block = { ssrc: 7, highest: 65536 + 9, jitter: 48, lastReport: 5, sinceLastReport: 6, fractionLost: 12, lost: -3 };
    const now = 1_795_000_000_500;
    const bytes = writeReport({ ssrc: 9, now, timestamp: 960, packets: 3, octets: 180 }, [block]);
    ok(isRTCP(bytes), "it is RTCP");
    equal(bytes.length, 52);
    equal(new DataView(bytes.buffer).getUint32(10), compactNTP(now), "the middle of the time");
    equal(parseReports(bytes), [block]);
    equal(parseReports(writeReport({ ssrc: 9 }, [block, block])).length, 2);
});

test("a round-trip time is the time between report and reply, less the hub's own delay", async () => {
    const now = 1_795_000_000_000;
    const answer = { lastReport: compactNTP(now), sinceLastReport: 65536 / 10 };
    near(roundTrip(answer, now + 150), 50, 0.5);
    equal(roundTrip({ ...answer, lastReport: 0 }, now), null);
    equal(roundTrip(answer, now - 5000), null, "an answer before the question");
});

test("a stream's report counts missing packets", async () => {
    const reception = new ReceptionStatistics(5);
    equal(reception.reportBlock(), null);
    [65534, 65535, 0, 3].forEach((sequence, place) => reception.receive(sequence, place * 960, place * 20));
    equal(reception.receive(65535, 960, 100), null, "a number that has been");
    const { highest, lost, fractionLost } = reception.reportBlock();
    equal(highest, 65536 + 3);
    equal([lost, fractionLost], [1, Math.floor(256 / 6)]);
});

test("a sender that restarts with lower sequence numbers is accepted after a while", async () => {
    const reception = new ReceptionStatistics(5);
    reception.receive(30_000, 0, 0);
    const places = Array.from({ length: 30 }, (_, count) => reception.receive(count, count * 960, count * 20));
    ok(!places[0] && places.at(-1), "old at first, then not");
});
