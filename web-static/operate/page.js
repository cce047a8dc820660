import { note } from "../phone/acts.js";
import { operated } from "../phone/address.js";
import { cardsOf } from "../phone/cards.js";
import { hub } from "../phone/hub.js";
import { parseHandle } from "../phone/people.js";
import { signOut } from "../phone/sign-in.js";
import { isOnline } from "../phone/state.js";
import { errorText, showToast } from "../phone/toasts.js";
import { banners } from "../phone/views/banners.js";
import { callsPane } from "../phone/views/calls.js";
import { brandMark, button, change, field, form, h, input, state, t } from "../phone/views/parts.js";
import { footer, otherTabPage, signInPage } from "../phone/views/signed-out.js";
import "./text.js";

/** How often an absent device is looked for, in ms. */
const SEARCH_INTERVAL = 10_000;

let written = "";
/** The account's signed-in devices; null: not yet known. */
let devices = null;

/** Makes this tab the lock screen of another device, which has the sound of its calls: here it only rings. */
export function open() {
	const { audio } = hub;
	const start = audio.start.bind(audio);
	audio.start = () => start({ microphone: false });
	audio.needs = () => {};
	// Without contacts, Recents and settings of a phone of its own.
	const takePlace = () => {
		change({ isGuest: true, page });
		if (hub.state === "online") findDevices();
	};
	hub.addEventListener("state", takePlace);
	hub.addEventListener("incoming", findDevices);
	setInterval(() => !document.hidden && hub.state === "online" && !device() && findDevices(), SEARCH_INTERVAL);
	takePlace();
}

async function findDevices() {
	const { sessions } = await hub.request("account.devices").catch(() => ({}));
	if (!Array.isArray(sessions)) return;
	devices = sessions.filter((one) => typeof one?.device?.id === "string" && !one.operates).map((one) => one.device);
	change();
}

const device = () => devices?.find(({ id }) => id === operated);
const nameOf = ({ id, name }) => (typeof name === "string" && name.trim()) || id;

function page() {
	if (state.connection === "steppedBack") return otherTabPage();
	if (!isOnline()) return signInPage();
	const top = h("header.top", banners());
	if (cardsOf(state.calls).length + state.ended.length === 0) return h("div.guest", top, idle());
	return h("main.guest.shows-calls", h("h1.visually-hidden", title()), top, callsPane());
}

const deviceName = () => nameOf(device() ?? { id: operated });
const title = () => t("operate.title", { device: deviceName() });

const idle = () => h("main.card-page",
	form({ class: "card", "aria-labelledby": "operate-title" }, start,
		brandMark(), h("h1.clip", { id: "operate-title" }, title()),
		devices && !device() ? absent() : h("p.quiet", t("operate.lead")),
		field(t("operate.handle"), input((text) => (written = text),
			{ name: "handle", value: written, spellcheck: "false", autocapitalize: "none", maxlength: 1024, required: true })),
		h("button.primary.wide", { type: "submit" }, t("operate.call")),
		button("link", t("signOut"), signOut)),
	footer());

function absent() {
	return [
		h("p.note", { role: "status" }, t("operate.none", { device: operated })),
		devices.length > 0 && h("p.quiet", t("operate.others"), " ", devices.slice(0, 5).map((one, index) => [
			index > 0 && ", ", h("a.link", { href: `#operate=${encodeURIComponent(one.id)}` }, nameOf(one)),
		])),
	];
}

function start() {
	const handle = parseHandle(written.trim());
	if (!handle) return showToast(t("operate.noHandle"), true);
	note("call");
	const started = () => change(written = "");
	hub.call(handle).then(started, (error) => (
		showToast(error.code === 404 ? t("operate.absent", { device: deviceName() }) : errorText(error), true)));
}
