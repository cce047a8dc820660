import { FrameClock } from "./clock.js";

/** A pitch is measured in 20 ms, tones in 100 ms, which separates tones 20 Hz apart. */
const pitchFrames = 960;
const toneFrames = 4800;

/** Posts `{at, rms, hertz}` of each 20 ms (`at`: ms since 1970 of its middle) and the tones of each 100 ms. */
class ToneDetector extends AudioWorkletProcessor {
    #clock = new FrameClock();
    #frequencies;
    #samples = new Float32Array(toneFrames);
    #count = 0;
    #at = 0;

    constructor({ processorOptions }) {
        super();
        this.#frequencies = processorOptions.frequencies;
    }

    process([[samples]]) {
        const time = this.#clock.time(currentFrame);
        if (this.#count === 0) this.#at = time;
        // No input counts as silence, which is measured too.
        if (samples) this.#samples.set(samples.subarray(0, Math.min(128, toneFrames - this.#count)), this.#count);
        else this.#samples.fill(0, this.#count, this.#count + 128);
        this.#count = Math.min(toneFrames, this.#count + 128);
        if (this.#count === toneFrames) this.#report();
        return true;
    }

    #report() {
        const pitches = [];
        for (let start = 0; start < toneFrames; start += pitchFrames) {
            const piece = this.#samples.subarray(start, start + pitchFrames);
            const at = this.#at + (start + pitchFrames / 2) / 48;
            pitches.push({ at, rms: rms(piece), hertz: pitch(piece) });
        }
        const tones = this.#frequencies.map(frequency => amplitude(this.#samples, frequency));
        this.port.postMessage({ pitches, at: this.#at + 50, tones });
        this.#count = 0;
    }
}

const rms = samples => Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);

/** The frequency between the first and the last upward crossing of zero; 0 without two of them. */
function pitch(samples) {
    let first = -1, last = -1, count = -1;
    for (let i = 1; i < samples.length; i++) {
        if (samples[i - 1] > 0 || samples[i] <= 0) continue;
        last = i - 1 + samples[i - 1] / (samples[i - 1] - samples[i]);
        if (first < 0) first = last;
        count++;
    }
    return count > 0 ? 48000 * count / (last - first) : 0;
}

/** The amplitude of one frequency, by Goertzel's algorithm under a Hann window. */
function amplitude(samples, frequency) {
    const step = 2 * Math.PI * frequency / 48000;
    const factor = 2 * Math.cos(step);
    let one = 0, two = 0;
    for (let i = 0; i < samples.length; i++) {
        const window = 1 - Math.cos(2 * Math.PI * i / samples.length);
        [one, two] = [samples[i] * window + factor * one - two, one];
    }
    return 2 * Math.sqrt(Math.max(0, one * one + two * two - factor * one * two)) / samples.length;
}

registerProcessor("test-tone-detector", ToneDetector);
