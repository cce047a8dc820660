import { scalePhoto } from "../phone/photos.js";
import { equal, ok, test } from "./harness.js";

async function image(width, height, draw, type = "image/png") {
    const canvas = new OffscreenCanvas(width, height);
    draw(canvas.getContext("2d"));
    return canvas.convertToBlob({ type });
}

const bytesOf = (base64) => Uint8Array.from(atob(base64), (one) => one.charCodeAt(0));

async function pixels(base64) {
    const photo = await createImageBitmap(new Blob([bytesOf(base64)]));
    const context = new OffscreenCanvas(photo.width, photo.height).getContext("2d");
    context.drawImage(photo, 0, 0);
    return { ...photo, width: photo.width, height: photo.height, at: (x, y) => context.getImageData(x, y, 1, 1).data };
}

const isNear = (color, wanted) => wanted.every((value, index) => Math.abs(color[index] - value) < 12);

test("a photo is the middle of an image as a JPEG of 96 by 96 pixels, white where it is transparent", async () => {
    for (const type of ["image/png", "image/jpeg", "image/webp"]) {
        const wide = await image(1000, 300, (context) => {
            context.fillStyle = "#f00";
            context.fillRect(0, 0, 1000, 300);
            context.fillStyle = "#00f";
            context.fillRect(350, 0, 300, 300);
        }, type);
        const scaled = await scalePhoto(wide);
        equal([...bytesOf(scaled).slice(0, 3)], [0xff, 0xd8, 0xff], type);
        const { width, height, at } = await pixels(scaled);
        equal([width, height], [96, 96]);
        ok(isNear(at(3, 48), [0, 0, 255]) && isNear(at(92, 48), [0, 0, 255]), `${type}: without the ends`);
    }
    const { at } = await pixels(await scalePhoto(await image(5, 9, () => {})));
    ok(isNear(at(48, 48), [255, 255, 255]), "transparent");
});

test("a photo has at most the 12,288 bytes that the hub takes", async () => {
    const noise = await image(96, 96, (context) => {
        const data = context.createImageData(96, 96);
        let random = 1;
        data.data.forEach((_, index) => {
            random = Math.imul(random, 1103515245) + 12345;
            data.data[index] = index % 4 === 3 ? 255 : (random >>> 16) & 255;
        });
        context.putImageData(data, 0, 0);
    });
    ok(noise.size > 20_000, `${noise.size} bytes`);
    const { length } = bytesOf(await scalePhoto(noise));
    ok(length > 1000 && length <= 12_288, `${length} bytes`);
});

test("what is no image has no photo", async () => {
    const whole = new Uint8Array(await (await image(50, 50, () => {})).arrayBuffer());
    for (const bytes of [[], [0], [0xff, 0xd8, 0xff], "<svg xmlns='http://www.w3.org/2000/svg'/>", "GIF89a", whole.slice(0, 40)]) {
        equal(await scalePhoto(new Blob([typeof bytes === "string" ? bytes : Uint8Array.from(bytes)])), undefined, `${bytes}`);
    }
});
