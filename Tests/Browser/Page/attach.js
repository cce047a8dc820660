/** The phone as `bench`: with a tone source instead of its microphone and a tone detector at its output. */
import { hub } from "../phone/hub.js";
import { createToneSource, ToneDetector } from "./tones.js";

/** @param {number?} frequency of a tone; null: the sweep */
export async function attach(frequency) {
    const source = await createToneSource(hub.audio.context, frequency);
    await hub.audio.useSource(source);
    globalThis.bench = { hub, source, detector: await ToneDetector.on(hub.audio.output) };
}
