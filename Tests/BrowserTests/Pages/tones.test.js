import { AudioEngine } from "../audio/engine.js";
import { RINGTONES } from "../audio/tones.js";
import { equal, near, next, ok, test } from "./harness.js";

/** Listens at an engine's speaker or ringer until the middle of a tone; gives the strongest frequencies. */
async function listen(engine, place, count) {
    const { context } = engine;
    const analyser = new AnalyserNode(context, { fftSize: 4096, smoothingTimeConstant: 0 });
    engine.graph[place].node.connect(analyser);
    const bins = new Float32Array(analyser.frequencyBinCount);
    await new Promise((resolve) => {
        const look = () => {
            analyser.getFloatFrequencyData(bins);
            if (Math.max(...bins) > -50) resolve();
            else requestAnimationFrame(look);
        };
        look();
    });
    // The analyser's window is full of the tone 85 ms after its first sample.
    const end = context.currentTime + 0.09;
    await new Promise((resolve) => {
        const look = () => (context.currentTime > end ? resolve() : requestAnimationFrame(look));
        look();
    });
    analyser.getFloatFrequencyData(bins);
    engine.graph[place].node.disconnect(analyser);
    const peaks = [...bins.keys()].filter((bin) => bins[bin] > bins[bin - 1] && bins[bin] > bins[bin + 1]);
    return peaks.sort((a, b) => bins[b] - bins[a]).slice(0, count).map((bin) => (bin * 48000) / 4096).sort((a, b) => a - b);
}

test("the waiting tone plays on the speaker, the ring on the ringer", async () => {
    const engine = new AudioEngine(() => {});
    await engine.context.resume();
    equal(await engine.tones.play("ringback"), true);
    near((await listen(engine, "speaker", 1))[0], 425, 12);
    equal(engine.tones.playing, "ringback");
    await engine.tones.play("ring");
    const [hertz] = await listen(engine, "ringer", 1);
    ok([659, 784, 988, 1319].some((note) => Math.abs(note - hertz) < 15), `${hertz} Hz is a note of the ring`);
    engine.tones.stop();
    equal(engine.tones.playing, null);
    await engine.context.close();
});

test("the ringtone is one of three, an unknown one is the first, and volumes are within their range", async () => {
    const engine = new AudioEngine(() => {});
    engine.setVolume({ ringer: 0.5 });
    await engine.context.resume();
    const { ringer, speaker } = engine.graph;
    equal([ringer.node.gain.value, speaker.node.gain.value], [0.5, 1], "set before there is a context");
    for (const [volume, wanted] of [[-1, 0], [1e9, 1], [NaN, 1], ["x", 1]]) {
        engine.setVolume({ ringer: volume });
        equal(ringer.node.gain.value, wanted);
    }
    engine.tones.ringtone = "constructor";
    equal(engine.tones.ring().notes.length, RINGTONES.bell.notes.length);
    engine.tones.ringtone = "marimba";
    equal(engine.tones.ring("trill").notes.length, RINGTONES.trill.notes.length, "a caller's own");
    await engine.tones.play("ring", "no-such-ringtone");
    const [hertz] = await listen(engine, "ringer", 1);
    ok([523, 784, 659, 1047].some((note) => Math.abs(note - hertz) < 15), `${hertz} Hz is a note of the marimba`);
    engine.tones.stop();
    for (const name of Object.keys(RINGTONES)) {
        engine.tones.ringtone = name;
        engine.tones.sample();
        const peak = Math.max(...engine.tones.sampled.buffer.getChannelData(0).map(Math.abs));
        ok(peak > 0.2 && peak <= 1, `${name} has the peak ${peak}`);
    }
    await engine.context.close();
});

test("a tone that does not repeat ends by itself", async () => {
    const engine = new AudioEngine(() => {});
    await engine.tones.play("ended");
    await next(engine.tones.node, "ended");
    equal(engine.tones.playing, null);
    await engine.context.close();
});

test("a key plays the two frequencies of its row and column", async () => {
    const engine = new AudioEngine(() => {});
    await engine.context.resume();
    engine.tones.key("6");
    const [row, column] = await listen(engine, "speaker", 2);
    near(row, 770, 15);
    near(column, 1477, 15);
    engine.tones.key("x");
    engine.tones.key("");
    await engine.context.close();
});
