import { day, duration, timeOfDay } from "../phone/format.js";
import { change, confirmButton, h, isolate, language, state, t } from "../phone/views/parts.js";
import { act, isTouched, readAll, settle } from "./ask.js";

let calls = [];
let sessions = [];
let at = Date.now();

export async function loadNow() {
	const [newCalls, newSessions] = await Promise.all([
		readAll("admin.calls", "conversations"), readAll("admin.devices", "sessions"),
	]);
	const touched = isTouched(".admin-list");
	calls = settle(calls, newCalls, "conversation", touched);
	sessions = settle(sessions, newSessions, "session", touched);
	at = Date.now();
}

export const nowSection = () => [
	list("calls", calls, callRow),
	list("sessions", sessions, sessionRow),
];

const list = (name, rows, row) => h("section", { key: name },
	h("h2", t(`admin.${name}`), " ", h("small.count", rows.filter(({ isGone }) => !isGone).length)),
	rows.length ? h("ul.admin-list", rows.map(row)) : h("p.quiet", t(`admin.no.${name}`)));

const nameOf = ({ account, handle }) => account ?? handle.value;
const percent = (share) => share.toLocaleString(language, { style: "percent", maximumFractionDigits: 1 });
const count = (number) => number.toLocaleString(language);

function callRow(call) {
	const { conversation, state: phase, caller, callee, startedAt, connectedAt, isGone } = call;
	const [one, other] = [nameOf(caller), nameOf(callee)];
	const since = connectedAt ?? startedAt;
	const seconds = Math.max(0, Math.round((at - Date.parse(since)) / 1000));
	return h("li.row", { key: conversation, class: isGone && "gone" },
		h("div.grow", h("b", isolate(one), " → ", isolate(other)),
			h("small", t(`admin.state.${phase}`), since && [" · ", duration(seconds)]),
			[caller, callee].map((party) => party.audio && quality(party))),
		!isGone && confirmButton(conversation, t("admin.endCall"), () => end(conversation),
			t("admin.endCallConfirm", { one, other })));
}

function quality(party) {
	const { received, lost, dropped, droppedSlow, jitterMicroseconds } = party.audio;
	const values = {
		name: nameOf(party), loss: percent(received + lost > 0 ? lost / (received + lost) : 0),
		jitter: (jitterMicroseconds / 1000).toLocaleString(language, { maximumFractionDigits: 1 }),
		dropped: count(dropped + droppedSlow), packets: count(received),
	};
	return h("small.quality-line", t("admin.quality", values));
}

async function end(conversation) {
	if (await act("admin.endCall", { conversation }, t("admin.callEnded"))) reload();
}

function sessionRow({ session, account, device, address, since, calls: number, isGone }) {
	const shown = device.name || device.id;
	return h("li.row", { key: session, class: isGone && "gone" },
		h("div.grow", h("b", isolate(account)), h("small", isolate(shown ?? ""), shown && " · ",
			address ? isolate(address) : t("admin.lost"), " · ", day(since, at), " ", timeOfDay(since),
			number > 0 && [" · ", t("admin.callCount", { count: number })])),
		!isGone && confirmButton(session, t("signOut"), () => signOut(session),
			t(number > 0 ? "admin.signOutCalls" : "admin.signOutConfirm", { name: account })));
}

async function signOut(session) {
	if (await act("admin.signOut", { session }, t("admin.signedOut"))) reload();
}

async function reload() {
	await loadNow().catch(() => {});
	change({ confirming: state.confirming });
}
