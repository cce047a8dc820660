/** The phone itself, with a mouth instead of its microphone and an ear at all that it plays: `bench`, as on the bench. */
import { hub } from "../phone/hub.js";
import { Ear, mouth } from "./sound.js";

/** @param {number?} frequency of a tone; null: the sweep */
export async function attach(frequency) {
    const said = await mouth(hub.audio.context, frequency);
    await hub.audio.useSource(said);
    globalThis.bench = { hub, mouth: said, ear: await Ear.on(hub.audio.output) };
}
