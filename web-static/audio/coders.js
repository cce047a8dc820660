import { Decoder, Encoder, OPUS } from "./webcodecs.js";

const NAMES = ["AudioEncoder", "AudioDecoder"];
const hasClasses = NAMES.every((name) => name in globalThis);
export const coders = hasClasses ? { encoder: Encoder, decoder: Decoder } : {};

export async function hasNativeOpus() {
	if (!hasClasses) return false;
	const answers = await Promise.all(NAMES.map((name) => globalThis[name].isConfigSupported(OPUS)));
	return answers.every(({ supported }) => supported);
}

let loading;

export const prepareCoders = () => loading ??= prepare().catch((error) => {
	loading = undefined;
	throw error;
});

async function prepare() {
	if (await hasNativeOpus().catch(() => false)) return;
	const { load } = await import("./wasm/coders.js");
	Object.assign(coders, await load());
}
