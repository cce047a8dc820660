/** The tones that tests speak: far from one another, and none is another's overtone. */
const tones = [440, 620, 1000, 1480];

/**
 * Something that speaks instead of a microphone.
 * @param {BaseAudioContext} context
 * @param {number?} frequency of a tone; null: the sweep whose pitch is the time
 * @returns {Promise<AudioWorkletNode>}
 */
export async function mouth(context, frequency) {
    await context.audioWorklet.addModule("/tests/mouth-worklet.js");
    const processorOptions = { frequency };
    return new AudioWorkletNode(context, "test-mouth", { numberOfInputs: 0, outputChannelCount: [1], processorOptions });
}

/** Hears a node; keeps all looks of the last minutes. */
export class Ear {
    /** @type {{at: number, rms: number, hertz: number}[]} */
    looks = [];
    /** @type {{at: number, tones: number[]}[]} */
    chords = [];

    static async on(node) {
        await node.context.audioWorklet.addModule("/tests/ear-worklet.js");
        const ear = new Ear();
        const processorOptions = { frequencies: tones };
        const options = { numberOfOutputs: 0, channelCount: 1, channelCountMode: "explicit", processorOptions };
        ear.node = new AudioWorkletNode(node.context, "test-ear", options);
        node.connect(ear.node);
        ear.node.port.onmessage = ({ data }) => {
            ear.looks.push(...data.looks);
            ear.chords.push({ at: data.at, tones: data.tones, told: Date.now() });
            if (ear.looks.length > 20000) ear.looks.splice(0, 5000);
            if (ear.chords.length > 4000) ear.chords.splice(0, 1000);
        };
        return ear;
    }

    /** Which of the tones are heard (amplitude over 0.01) in a chord. */
    static heard(chord) {
        return tones.filter((_, i) => chord.tones[i] > 0.01);
    }

    /** What was heard from a moment on (ms since 1970), as `{hertz: share of the time}`. */
    since(moment) {
        const chords = this.chords.filter(chord => chord.at > moment);
        const shares = tones.map(hertz => [hertz, chords.filter(chord => Ear.heard(chord).includes(hertz)).length]);
        return { chords: chords.length, shares: Object.fromEntries(shares.map(([h, n]) => [h, n / chords.length])) };
    }

    /** By how many ms one look of twenty comes to the page later than the quickest: how busy the machine is. */
    lag(moment) {
        const ways = this.chords.filter(({ at }) => at > moment).map(({ at, told }) => told - at).sort((a, b) => a - b);
        return ways[Math.floor(0.95 * (ways.length - 1))] - ways[0];
    }

    /**
     * Waits until exactly these tones are heard for so long.
     * @param {number[]} wanted Hz
     * @param {number} ms
     */
    async hears(wanted, ms = 1000, patience = 15000) {
        const end = Date.now() + patience;
        const last = () => this.chords.slice(-Math.ceil(ms / 100));
        const isSo = chord => String(Ear.heard(chord)) === String(wanted);
        const start = this.chords.length;
        while (this.chords.length - start < ms / 100 || !last().every(isSo)) {
            if (Date.now() > end) {
                const heard = last().map(chord => `[${Ear.heard(chord)}] ${chord.tones.map(t => t.toFixed(3))}`);
                throw new Error(`not [${wanted}] but ${heard.slice(-5).join(", ")}; ` +
                    `${this.chords.length - start} chords, context ${this.node.context.state}`);
            }
            await new Promise(then => this.node.port.addEventListener("message", then, { once: true }));
        }
        return last()[0].at;
    }

    /**
     * How old the sweep was when it was heard: `[at, age]` in ms, of all looks that are loud enough to tell.
     * @param {number} moment ms since 1970
     */
    ages(moment) {
        return this.looks.filter(look => look.at > moment).map(({ at, rms, hertz }) => {
            if (rms < 0.02 || hertz < 390 || hertz > 1910) return [at, null];
            const said = (hertz - 400) / 300 * 1000;
            // A context may play a little sooner than its clock tells.
            return [at, ((at % 5000) - said + 5500) % 5000 - 500];
        });
    }
}
