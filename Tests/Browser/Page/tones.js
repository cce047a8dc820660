/** The frequencies of the tests' tones in Hz: far from one another, and none is another's overtone. */
const tones = [440, 620, 1000, 1480];

/**
 * Creates an audio source that replaces a microphone.
 * @param {BaseAudioContext} context
 * @param {number?} frequency of a tone in Hz; null: the sweep, whose pitch is the time
 * @returns {Promise<AudioWorkletNode>}
 */
export async function createToneSource(context, frequency) {
    await context.audioWorklet.addModule("/tests/tone-source-worklet.js");
    const options = { numberOfInputs: 0, outputChannelCount: [1], processorOptions: { frequency } };
    return new AudioWorkletNode(context, "test-tone-source", options);
}

/** Measures the tones and the pitch of a node's output; keeps the measurements of the last minutes. */
export class ToneDetector {
    /** The pitch of each 20 ms. @type {{at: number, rms: number, hertz: number}[]} */
    pitches = [];
    /** The amplitudes of the tones in each 100 ms. @type {{at: number, tones: number[], receivedAt: number}[]} */
    levels = [];

    static async on(node) {
        await node.context.audioWorklet.addModule("/tests/tone-detector-worklet.js");
        const detector = new ToneDetector();
        const processorOptions = { frequencies: tones };
        const options = { numberOfOutputs: 0, channelCount: 1, channelCountMode: "explicit", processorOptions };
        detector.node = new AudioWorkletNode(node.context, "test-tone-detector", options);
        node.connect(detector.node);
        detector.node.port.onmessage = ({ data }) => {
            detector.pitches.push(...data.pitches);
            detector.levels.push({ at: data.at, tones: data.tones, receivedAt: Date.now() });
            if (detector.pitches.length > 20000) detector.pitches.splice(0, 5000);
            if (detector.levels.length > 4000) detector.levels.splice(0, 1000);
        };
        return detector;
    }

    /** Returns the frequencies of the audible tones: those with an amplitude over 0.01. */
    static audible(level) {
        return tones.filter((_, i) => level.tones[i] > 0.01);
    }

    /** Returns the share of the time in which each tone was audible since a moment in ms since 1970. */
    sharesSince(moment) {
        const levels = this.levels.filter(({ at }) => at > moment);
        const count = hertz => levels.filter(level => ToneDetector.audible(level).includes(hertz)).length;
        const shares = Object.fromEntries(tones.map(hertz => [hertz, count(hertz) / levels.length]));
        return { levels: levels.length, shares };
    }

    /** Returns the 95th percentile of the delay of measurements in ms, beyond the shortest: how busy the machine is. */
    reportLag(moment) {
        const delays = this.levels.filter(({ at }) => at > moment).map(({ at, receivedAt }) => receivedAt - at);
        delays.sort((a, b) => a - b);
        return delays[Math.floor(0.95 * (delays.length - 1))] - delays[0];
    }

    /**
     * Waits until exactly some tones have been audible for a time.
     * @param {number[]} wanted frequencies in Hz
     * @param {number} ms how long they must be audible
     * @param {number} timeout ms
     */
    async waitForTones(wanted, ms = 1000, timeout = 15000) {
        const end = Date.now() + timeout;
        const last = () => this.levels.slice(-Math.ceil(ms / 100));
        const matches = level => String(ToneDetector.audible(level)) === String(wanted);
        const start = this.levels.length;
        while (this.levels.length - start < ms / 100 || !last().every(matches)) {
            if (Date.now() > end) {
                const found = last().map(level =>
                    `[${ToneDetector.audible(level)}] ${level.tones.map(t => t.toFixed(3))}`);
                throw new Error(`not [${wanted}] but ${found.slice(-5).join(", ")}; ` +
                    `${this.levels.length - start} measurements, context ${this.node.context.state}`);
            }
            await new Promise(then => this.node.port.addEventListener("message", then, { once: true }));
        }
        return last()[0].at;
    }

    /**
     * Returns the latency of the sweep as `[at, latency]` in ms, null where it is too soft to measure.
     * @param {number} moment ms since 1970
     */
    latencies(moment) {
        return this.pitches.filter(({ at }) => at > moment).map(({ at, rms, hertz }) => {
            if (rms < 0.02 || hertz < 390 || hertz > 1910) return [at, null];
            const sentAt = (hertz - 400) / 300 * 1000;
            // A context may play a little earlier than its clock says.
            return [at, ((at % 5000) - sentAt + 5500) % 5000 - 500];
        });
    }
}
