/** A jitter buffer behind a simulated link: 20 ms frames go in at their time of arrival, samples come out. */
import { JitterBuffer } from "../audio/jitter-buffer.js";

/** Returns a generator of pseudo-random numbers from 0 to 1. @param {number} seed */
export function chance(seed) {
    let state = seed >>> 0;
    return () => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        return state / 2 ** 32;
    };
}

const tone = (place) => 0.5 * Math.sin((2 * Math.PI * 440 * place) / 48000);

/** A voice-like signal: a pitch from 125 to 155 Hz and back, with an overtone, and a second tone. */
export function voice(place) {
    const time = place / 48000;
    const phase = 2 * Math.PI * (140 * time - 7.5 * Math.cos(2 * time));
    return 0.2 * (Math.sin(phase) + 0.5 * Math.sin(2 * phase) + 0.7 * Math.sin(2 * Math.PI * 333.3 * time));
}

/**
 * Plays a tone of 440 Hz, or another sound, through a link.
 *
 * @param {object} link
 * @param {number} link.seconds
 * @param {() => number} [link.delay] ms that a packet takes beyond 30; none overtakes another, as with TCP
 * @param {{at: number, length: number}[]} [link.stalls] ms in which nothing comes
 * @param {(frame: number) => boolean} [link.loses]
 * @param {number} [link.ppm] how much slower the sender's clock is
 * @param {(frame: number) => {index?: number, startsTalkspurt?: boolean, at?: number}} [link.number] how the sender counts;
 * at infinity:
 *     the frame is never sent
 * @param {(place: number) => number} [link.sound] its samples
 * @returns {{buffer: JitterBuffer, moments: {now: number, delay: number, concealed: number}[], step: number}}
 * `delay`: from
 *     the end of a frame's taking to its playing, ms; `step`: the largest from one sample to the next
 */
export function play({ seconds, delay = () => 0, stalls = [], loses = () => false, ppm = 0, number, sound = tone }) {
    const buffer = new JitterBuffer();
    const frames = arrivals({ seconds, delay, stalls, ppm, number });
    const [pcm, output] = [new Float32Array(960), new Float32Array(128)];
    const moments = [];
    let [next, step, before, lost] = [0, 0, 0, []];
    const fill = (frame) => {
        for (let place = 0; place < 960; place++) pcm[place] = sound(frame * 960 + place);
        return pcm;
    };
    for (let now = 0; now < seconds * 1000; now += 128 / 48) {
        for (; next < frames.length && frames[next].at <= now; next++) {
            const { frame, index, startsTalkspurt, at } = frames[next];
            if (loses(frame)) {
                lost.push(frames[next]);
                continue;
            }
            for (const one of lost) buffer.conceal(fill(one.frame), one.index);
            lost = [];
            buffer.push(fill(frame), index, at, startsTalkspurt);
        }
        buffer.pull(output);
        for (const sample of output) {
            step = Math.max(step, Math.abs(sample - before));
            before = sample;
        }
        moments.push({ now, delay: buffer.delay + 30, concealed: buffer.statistics.concealed / 48 });
    }
    return { buffer, moments, step };
}

function arrivals({ seconds, delay, stalls, ppm, number }) {
    let last = 0;
    return Array.from({ length: seconds * 50 }, (_, frame) => {
        let at = 20 + frame * 20 * (1 + ppm * 1e-6) + 30 + delay();
        for (const stall of stalls) if (at >= stall.at && at < stall.at + stall.length) at = stall.at + stall.length;
        last = at = Math.max(at, last + 0.1);
        return { frame, at, index: frame * 960, startsTalkspurt: frame === 0, ...number?.(frame) };
    }).filter(({ at }) => at < Infinity);
}

/** Returns the median delay from a time on. */
export function middle({ moments }, from) {
    const delays = moments.filter(({ now }) => now >= from).map((moment) => moment.delay).sort((a, b) => a - b);
    return delays[delays.length >> 1];
}

/** Returns the maximum delay from a time on. */
export function most({ moments }, from, until = Infinity) {
    return Math.max(...moments.filter(({ now }) => now >= from && now < until).map((moment) => moment.delay));
}

/** Returns the concealed ms from a time on. */
export function concealed({ moments }, from = 0) {
    return moments.at(-1).concealed - moments.find(({ now }) => now >= from).concealed;
}
