import { hub } from "./hub.js";
import { handleKey } from "./people.js";
import { change, state } from "./state.js";

const SIZE = 96;
const CACHE = "callhub photos";
const loading = new Set();

export const photoOf = ({ identifier, photoHash } = {}) => stored(photoHash, "contacts.photo", { identifier });

/** Of those whom the server shows it. */
export function photoOfPerson(handle) {
	const key = handleKey(handle);
	const isOwn = state.handles.some((one) => handleKey(one) === key);
	return stored((isOwn ? state.settings : state.presences[key])?.photoHash, "people.photo", { handle });
}

function stored(hash, method, params) {
	const photo = hash && state.photos[hash];
	if (hash && !photo && loading.size < 4 && !loading.has(hash)) load(hash, method, params);
	return photo;
}

async function load(hash, method, params) {
	const { account } = state;
	loading.add(hash);
	const cache = await caches.open(CACHE).catch(() => null);
	const cached = await (await cache?.match(hash))?.text();
	const photo = cached ?? (await hub.request(method, params).catch(() => ({}))).photo;
	loading.delete(hash);
	// After an error the next render asks again.
	if (!photo || state.account !== account) return;
	change({ photos: { ...state.photos, [hash]: photo } });
	if (!cached) cache?.put(hash, new Response(photo)).catch(() => {});
}

export const removePhotos = () => globalThis.caches?.delete(CACHE).catch(() => {});

export async function scalePhoto(blob) {
	const image = await createImageBitmap(blob).catch(() => null);
	if (!image) return;
	const { width, height } = image;
	const side = Math.min(width, height);
	const canvas = new OffscreenCanvas(SIZE, SIZE);
	const context = canvas.getContext("2d");
	Object.assign(context, { imageSmoothingQuality: "high", fillStyle: "#fff" }).fillRect(0, 0, SIZE, SIZE);
	context.drawImage(image, (width - side) / 2, (height - side) / 2, side, side, 0, 0, SIZE, SIZE);
	image.close();
	for (const quality of [0.9, 0.6, 0.3]) {
		const jpeg = await canvas.convertToBlob({ type: "image/jpeg", quality });
		if (jpeg.size <= 12_288) return btoa(String.fromCharCode(...new Uint8Array(await jpeg.arrayBuffer())));
	}
}
