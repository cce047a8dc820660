import { RINGTONES } from "../audio/tones.js";
import { operated } from "../phone/address.js";
import { h } from "../phone/dom.js";
import { hub } from "../phone/hub.js";
import { change, ringingCalls } from "../phone/state.js";
import { addTexts } from "../phone/text.js";

/** Longer sounds are no ringtones: each second is 192 kB of memory. */
const MAXIMUM_SECONDS = 60;
const media = new Map();
const deviceOf = new Map();
let providers = [];
let listing = 0;

// Another account of this browser has other apps.
hub.addEventListener("state", () => hub.state === "signedOut" && show([]));

/** Shows the icons of the account's apps and offers their ringtones. */
export async function show(listed) {
	const number = ++listing;
	providers = Array.isArray(listed) ? listed.filter((one) => Object(one) === one).slice(0, 100) : [];
	const hashes = providers.flatMap(({ iconHash, ringtoneHash }) => [iconHash, ringtoneHash]).filter(isHash);
	for (const hash of media.keys()) if (!hashes.includes(hash)) forget(hash);
	change({ apps: { icon, label, ringtone } });
	await findDevices();
	for (const { iconHash, ringtoneHash, name } of providers) {
		await load(iconHash, (bytes) => `data:image/png;base64,${bytes}`);
		await load(ringtoneHash, (bytes) => decode(bytes, ringtoneHash, name));
		if (number !== listing) return;
		change();
	}
	ringAnew();
}

const isHash = (hash) => typeof hash === "string" && /^[0-9a-f]{32}$/.test(hash);

function forget(hash) {
	media.delete(hash);
	delete RINGTONES[hash];
}

async function load(hash, use) {
	if (!isHash(hash) || media.has(hash)) return;
	const { media: bytes } = await hub.request("provider.media", { hash }).catch(() => ({}));
	// After an error the next list asks again.
	if (typeof bytes === "string" && /^[\w+/]*=*$/.test(bytes)) media.set(hash, await use(bytes));
}

async function decode(bytes, hash, name) {
	const { buffer } = Uint8Array.from(atob(bytes), (one) => one.charCodeAt(0));
	// The phone's own context begins with a user gesture.
	const sound = await new OfflineAudioContext(1, 1, 48_000).decodeAudioData(buffer).catch(() => null);
	if (!sound || sound.duration > MAXIMUM_SECONDS) return;
	const label = String(name ?? hash).replace(/[\s|{}]+/g, " ").slice(0, 64).trim() || hash;
	addTexts([`ringtone.${hash}`, label, label, label].join("\n"));
	RINGTONES[hash] = { buffer: sound, rings: true };
}

/** Of a call that rings on several devices, the app of another one. */
async function findDevices() {
	if (operated || ringingCalls().length === 0) return;
	const { elsewhere } = await hub.request("observer.calls").catch(() => ({}));
	if (!Array.isArray(elsewhere)) return;
	deviceOf.clear();
	for (const one of elsewhere) {
		const id = one?.device?.id;
		if (providers.some(({ device }) => device?.id === id)) deviceOf.set(one?.call?.uuid, id);
	}
}

function appOf({ uuid }) {
	const id = operated ?? deviceOf.get(uuid);
	return id && providers.find(({ device }) => device?.id === id);
}

function icon(name) {
	const hash = providers.find((one) => one.name === name && one.iconHash)?.iconHash;
	return mask(media.get(hash));
}

/** A template image: its alpha channel alone is shown. */
const mask = (url) => url && h("span.app-icon", { "aria-hidden": true, style: {
	display: "inline-block", width: "1.2em", height: "1.2em", "vertical-align": "-.25em", "margin-inline-end": ".3em",
	background: "currentColor", mask: `url(${url}) center / contain no-repeat`,
} });

/** The icon and name of the app of a call that rings. */
function label(call) {
	const app = appOf(call);
	if (!app) return null;
	return [mask(media.get(app.iconHash)), typeof app.name === "string" && [h("bdi", app.name), " · "]];
}

/** A call of the operated device rings here as it would there; a phone has a choice of its own. */
const ringtone = (call) => (operated ? appOf(call)?.ringtoneHash : null);

/** A call that rang before its app's ringtone was here. */
function ringAnew() {
	const { tones } = hub.audio;
	const hash = ringingCalls().map(ringtone).find((one) => Object.hasOwn(RINGTONES, one));
	if (!hash || tones.playing !== "ring" || tones.played === RINGTONES[hash]) return;
	tones.stop();
	tones.play("ring", hash);
}
