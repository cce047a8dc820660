import { FrameClock } from "./clock.js";

/** The sweep: from 400 Hz up by 300 Hz a second, restarted every 5 s, by the clock of the machine. */
const sweep = { low: 400, rate: 300, period: 5000 };

/** Replaces a microphone: plays a tone, or the sweep, whose pitch is the time at which it is sent. */
class ToneSource extends AudioWorkletProcessor {
    #clock = new FrameClock();
    #phase = 0;
    #frequency;
    #level = 0.3;

    constructor({ processorOptions }) {
        super();
        this.#frequency = processorOptions.frequency;
        this.port.onmessage = ({ data }) => {
            if ("frequency" in data) this.#frequency = data.frequency;
            if ("level" in data) this.#level = data.level;
        };
    }

    process(_, [[samples]]) {
        const start = this.#clock.time(currentFrame);
        for (let i = 0; i < samples.length; i++) {
            const at = (start + i / 48) % sweep.period;
            const frequency = this.#frequency ?? sweep.low + sweep.rate * at / 1000;
            this.#phase = (this.#phase + frequency / 48000) % 1;
            samples[i] = this.#level * Math.sin(2 * Math.PI * this.#phase);
        }
        return true;
    }
}

registerProcessor("test-tone-source", ToneSource);
