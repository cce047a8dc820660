import { hub, callerName } from "./hub.js";
import { isOnline, isTalking, ringingCalls, state, subscribe, tried, unseenMissed } from "./state.js";
import { t } from "./text.js";
import { cardsOf, nameOfCard } from "./cards.js";
import { closeNotification, notify } from "./notifications.js";
import { end, toggleMute } from "./actions.js";

const PATTERN = [400, 200, 400, 1000];
const { mediaSession: session } = navigator;
const { tones } = hub.audio;
const notified = new Set();
let played = null;
let told, wakeLock, stopping, blinking, isBlank;

for (const tell of [playTone, tellSystem, showInTab, keepAwake, tellHeadset]) subscribe(tell);
for (const tell of [tellSystem, keepAwake]) document.addEventListener("visibilitychange", tell);
hub.addEventListener("ended", ({ detail }) => playEnd(detail.call));
for (const [action, deed] of [["hangup", end], ["togglemicrophone", toggleMute]]) {
	// Browsers that do not know an action throw.
	tried(() => session.setActionHandler(action, () => current() && deed(current().calls)));
}

const current = () => cardsOf(state.calls).find((card) => !card.isHeld);

function wantedTone() {
	if (!isOnline()) return null;
	if (ringingCalls().length > 0) return isTalking() ? "waiting" : "ring";
	const calling = state.calls.find((call) => call.isOutgoing && call.state === "connecting");
	return calling?.remoteIsRinging && !isTalking() ? "ringback" : null;
}

function playTone() {
	const wanted = wantedTone();
	if (wanted === played) return;
	played = wanted;
	clearTimeout(stopping);
	if (wanted) tones.play(wanted);
	else tones.stop();
}

function playEnd({ isOutgoing, hasConnected, cause }) {
	// Its own ringback ends first.
	playTone();
	if (played || isTalking() || !(isOutgoing || hasConnected)) return;
	tones.play(["busy", "declined"].includes(cause) ? "busy" : "ended");
	stopping = setTimeout(() => !played && tones.stop(), 4000);
}

function tellSystem() {
	const ringing = ringingCalls();
	for (const uuid of notified) {
		if (ringing.some((call) => call.uuid === uuid)) continue;
		closeNotification(uuid);
		notified.delete(uuid);
	}
	if (!document.hidden && document.hasFocus()) return;
	for (const call of ringing) {
		if (!notified.has(call.uuid)) notify(call, callerName(call));
		notified.add(call.uuid);
	}
}

function showInTab() {
	const [ringing] = ringingCalls();
	if (Boolean(ringing) !== Boolean(blinking)) {
		clearInterval(blinking);
		blinking = ringing && setInterval(blink, 1000);
		isBlank = false;
		document.querySelector("link[rel=icon]").href = `icons/${ringing ? "ringing" : "phone"}.svg`;
		vibrate(ringing ? PATTERN : 0);
	}
	const [card] = cardsOf(state.calls);
	const missed = unseenMissed();
	const idle = `${missed ? `(${missed}) ` : ""}${card ? `${nameOfCard(card)} – ` : ""}CallHub`;
	document.title = !ringing ? idle : isBlank ? "CallHub" : t("title.ringing", { name: callerName(ringing) });
}

function blink() {
	isBlank = !isBlank;
	showInTab();
	if (!isBlank) vibrate(PATTERN);
}

function vibrate(pattern) {
	// Browsers refuse before the first touch.
	if (navigator.userActivation.hasBeenActive) navigator.vibrate?.(pattern);
}

function tellHeadset() {
	const card = current();
	const name = card && nameOfCard(card);
	const isOn = hub.audio.state === "on" && card?.calls.some((call) => !call.isMuted);
	const wanted = `${name} ${isOn}`;
	if (told === wanted) return;
	told = wanted;
	tried(() => {
		session.metadata = card ? new MediaMetadata({ title: name, artist: "CallHub" }) : null;
		session.playbackState = card ? "playing" : "none";
		session.setMicrophoneActive?.(isOn);
	});
}

/** Hidden pages lose the lock. */
function keepAwake() {
	if (isTalking() && !document.hidden) {
		wakeLock ??= navigator.wakeLock?.request("screen").catch(() => null);
	} else {
		wakeLock?.then((lock) => lock?.release());
		wakeLock = null;
	}
}
