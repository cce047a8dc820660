import * as webCodecs from "../audio/webcodecs.js";
import { load } from "../audio/wasm/coders.js";
import { equal, near, ok, test } from "./harness.js";

const libopus = await load();

const tone = (frame, length = 960) => Float32Array.from({ length }, (_, place) =>
    0.5 * Math.sin((2 * Math.PI * 440 * (frame * length + place)) / 48000));

/** Opens a coder; `outputs` are copies, `errors` the texts. */
function open(Coder, bitrate) {
    const [outputs, errors] = [[], []];
    const error = ({ message }) => errors.push(message);
    const coder = new Coder({ output: (data) => outputs.push(data.slice()), error });
    coder.configure(bitrate);
    return { coder, outputs, errors };
}

/** Codes all inputs; a browser's coder is flushed, and adds a packet of its own then. */
async function code(Coder, inputs, bitrate = 24_000) {
    const { coder, outputs, errors } = open(Coder, bitrate);
    for (const input of inputs) coder.code(input);
    await coder.coder?.flush();
    equal(errors, []);
    coder.close();
    return outputs.slice(0, inputs.length);
}

function hertz(frames) {
    const samples = frames.flatMap((frame) => Array.from(frame));
    let crossings = 0;
    for (let place = 1; place < samples.length; place++) crossings += samples[place - 1] < 0 && samples[place] >= 0;
    return (crossings * 48000) / samples.length;
}

const loudness = (frame) => Math.sqrt(frame.reduce((sum, sample) => sum + sample * sample, 0) / frame.length);
const frames = Array.from({ length: 50 }, (_, frame) => tone(frame));

test("packets of libopus are decoded by the browser, and the browser's by libopus", async () => {
    for (const [sender, receiver] of [[libopus, webCodecs], [webCodecs, libopus], [libopus, libopus]]) {
        const encoder = sender.encoder ?? sender.Encoder;
        const decoder = receiver.decoder ?? receiver.Decoder;
        const decoded = await code(decoder, await code(encoder, frames));
        equal(decoded.map(({ length }) => length), frames.map(() => 960));
        near(hertz(decoded.slice(10)), 440, 3);
        near(loudness(decoded.at(-1)), 0.5 / Math.SQRT2, 0.05);
    }
});

test("packets of libopus have the bit rate, which changes while it encodes", async () => {
    const { coder, outputs } = open(libopus.encoder, 32_000);
    const bitrate = () => (outputs.slice(-100).reduce((sum, { length }) => sum + length, 0) * 8) / 2;
    const noise = () => Float32Array.from({ length: 960 }, () => 0.2 * (Math.random() - 0.5));
    for (let frame = 0; frame < 150; frame++) coder.code(noise());
    ok(bitrate() > 22_000, `${bitrate()} bits a second with 32,000`);
    coder.configure(16_000);
    for (let frame = 0; frame < 150; frame++) coder.code(noise());
    ok(bitrate() < 18_000, `${bitrate()} bits a second with 16,000`);
});

test("libopus continues a tone over a lost packet", async () => {
    const packets = await code(libopus.encoder, frames);
    const { coder, outputs } = open(libopus.decoder);
    packets.forEach((packet, place) => (place === 30 ? coder.conceal(960, packet[0]) : coder.code(packet)));
    equal(outputs.length, 50);
    ok(loudness(outputs[30]) > 0.1, `${loudness(outputs[30])} of 0.35`);
    near(hertz(outputs.slice(29, 33)), 440, 20);
});

test("a broken packet is an error, after which libopus goes on", async () => {
    const packets = await code(libopus.encoder, frames);
    const { coder, outputs, errors } = open(libopus.decoder);
    const broken = [[], [0x7b, 0xbf, 255, 255], [0xff], new Array(4001).fill(1), [3, 0], [3, 63, 1]];
    for (const bytes of broken) coder.code(Uint8Array.from(bytes));
    equal([errors.length, outputs.length], [6, 0]);
    for (const samples of [0, -1, 5761, 2 ** 31, NaN]) coder.conceal(samples);
    equal(errors.length, 11);
    packets.forEach((packet) => coder.code(packet));
    near(hertz(outputs.slice(-40)), 440, 3);
});

test("random packets do no harm to libopus", () => {
    const { coder, outputs, errors } = open(libopus.decoder);
    for (let count = 0; count < 2000; count++) {
        coder.code(crypto.getRandomValues(new Uint8Array(1 + (count % 200))));
        if (count % 3 === 0) coder.conceal(960);
    }
    ok(outputs.every((frame) => frame.every(Number.isFinite)), "all samples are numbers");
    ok(errors.every((text) => /libopus' error -4 of decode/.test(text)), errors.find((text) => !text.includes("-4")));
    ok(outputs.length > 667, "some of them are packets");
});

test("libopus needs nothing of the page, and no more memory for more packets", async () => {
    const module = await WebAssembly.compileStreaming(fetch("../audio/wasm/opus.wasm"));
    equal(WebAssembly.Module.imports(module), []);
    const { coder } = open(libopus.encoder, 24_000);
    const { buffer } = coder.opus.memory;
    for (let frame = 0; frame < 500; frame++) coder.code(frames[frame % 50]);
    ok(coder.opus.memory.buffer === buffer, "the memory has not grown");
    ok(buffer.byteLength <= 1 << 20, `${buffer.byteLength} bytes`);
});
