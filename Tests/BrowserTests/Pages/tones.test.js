import { AudioEngine } from "../audio/engine.js";
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
