import { callerName, hub, partyOf } from "./hub.js";
import { change, isOnline, isTalking, ringingCalls, state, subscribe, unseenMissed, valueOrNull } from "./state.js";
import { brandName } from "./brand.js";
import { t } from "./text.js";
import { contactOf } from "./people.js";
import { cardsOf, nameOfCard } from "./cards.js";
import { closeNotification, notify, notifyMissed } from "./notifications.js";
import { preferences, setPreferences } from "./preferences.js";
import { end, toggleMute } from "./actions.js";
import { from } from "./acts.js";

const PATTERN = [400, 200, 400, 1000];
const { mediaSession: session } = navigator;
const { tones } = hub.audio;
const notified = new Set();
const rung = new WeakSet();
let playedTone = null;
let shownMetadata, wakeLock, stopTimer, blinkTimer, isBlank;

[updateTone, showNotifications, updateTab, updateWakeLock, updateMediaSession, closeMessageSheet].forEach(subscribe);
for (const update of [showNotifications, updateWakeLock]) document.addEventListener("visibilitychange", update);
hub.addEventListener("ended", ({ detail: { call } }) => {
	playEndTone(call);
	noteMissed(call);
	if (!preferences.hasCalled) setPreferences({ hasCalled: true });
});
for (const [name, action] of [["hangup", end], ["togglemicrophone", toggleMute]]) {
	// Browsers throw for an unknown action.
	valueOrNull(() => session.setActionHandler(name, () => current() && from("media session", () => action(current().calls))));
}

const current = () => cardsOf(state.calls).find((card) => !card.isHeld);

function currentTone() {
	if (!isOnline()) return null;
	if (ringingCalls().length > 0) return isTalking() ? "waiting" : "ring";
	const isRung = state.calls.some((call) => call.remoteIsRinging && /^connect/.test(call.state));
	return isRung && !isTalking() ? "ringback" : null;
}

function updateTone() {
	const wanted = currentTone();
	if (wanted === playedTone) return;
	playedTone = wanted;
	clearTimeout(stopTimer);
	const [call = {}] = ringingCalls();
	if (wanted) tones.play(wanted, contactOf(partyOf(call))?.ringtone ?? state.apps?.ringtone(call));
	else tones.stop();
}

function playEndTone({ isOutgoing, hasConnected, cause }) {
	// The call's own ringback stops first.
	updateTone();
	if (playedTone || isTalking() || !(isOutgoing || hasConnected)) return;
	tones.play(["busy", "declined"].includes(cause) ? "busy" : "ended");
	stopTimer = setTimeout(() => !playedTone && tones.stop(), 4000);
}

function showNotifications() {
	const ringing = ringingCalls();
	ringing.forEach((call) => rung.add(call));
	for (const uuid of notified) {
		if (ringing.some((call) => call.uuid === uuid)) continue;
		closeNotification(uuid);
		notified.delete(uuid);
	}
	if (isInSight()) return;
	for (const call of ringing) {
		if (!notified.has(call.uuid)) notify(call, callerName(call));
		notified.add(call.uuid);
	}
}

const isInSight = () => !document.hidden && document.hasFocus();

function noteMissed(call) {
	const { hasConnected, isEnding, endedReason } = call;
	const isMissed = rung.has(call) && !hasConnected && !isEnding && ["remoteEnded", "unanswered"].includes(endedReason);
	if (!isMissed || isInSight()) return;
	notified.delete(call.uuid);
	notifyMissed(call.uuid, callerName(call));
}

function closeMessageSheet() {
	const isRinging = ringingCalls().some(({ uuid }) => uuid === state.messageTo);
	if (state.overlay === "message" && !isRinging) change({ overlay: null, messageTo: null });
}

function updateTab() {
	const [ringing] = ringingCalls();
	if (Boolean(ringing) !== Boolean(blinkTimer)) {
		clearInterval(blinkTimer);
		blinkTimer = ringing && setInterval(blink, 1000);
		isBlank = false;
		document.querySelector("link[rel=icon]").href = `icons/${ringing ? "ringing" : "phone"}.svg`;
		vibrate(ringing ? PATTERN : 0);
	}
	const [card] = cardsOf(state.calls);
	const missed = unseenMissed();
	const idle = `${missed ? `(${missed}) ` : ""}${card ? `${nameOfCard(card)} – ` : ""}${brandName()}`;
	document.title = !ringing ? idle : isBlank ? brandName() : t("title.ringing", { name: callerName(ringing) });
}

function blink() {
	isBlank = !isBlank;
	updateTab();
	if (!isBlank) vibrate(PATTERN);
}

function vibrate(pattern) {
	// Browsers refuse before the first user gesture.
	if (navigator.userActivation.hasBeenActive) navigator.vibrate?.(pattern);
}

function updateMediaSession() {
	const card = current();
	const name = card && nameOfCard(card);
	const isOn = hub.audio.state === "on" && card?.calls.some((call) => !call.isMuted);
	const wanted = `${name} ${isOn}`;
	if (shownMetadata === wanted) return;
	shownMetadata = wanted;
	valueOrNull(() => {
		session.metadata = card ? new MediaMetadata({ title: name, artist: brandName() }) : null;
		session.playbackState = card ? "playing" : "none";
		session.setMicrophoneActive?.(isOn);
	});
}

/** A hidden page loses the wake lock. */
function updateWakeLock() {
	if (isTalking() && !document.hidden) {
		wakeLock ??= navigator.wakeLock?.request("screen").catch(() => null);
	} else {
		wakeLock?.then((lock) => lock?.release());
		wakeLock = null;
	}
}
