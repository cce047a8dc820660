import { formatHandle } from "../callhub.js";
import { h } from "../phone/dom.js";
import { bench } from "./bench.js";
import { kindOf, stateOf, wordsOf } from "./lines.js";
import { texts } from "./text.js";

export function form(props, send, ...children) {
	const onsubmit = (event) => {
		event.preventDefault();
		send(event.target.elements);
	};
	return h("form.tools", { ...props, onsubmit }, children);
}

/** A button that does a line. */
const does = (line, text, look = "") =>
	h(`button.small${look}`, { onclick: () => bench.act(line), "aria-label": line, title: line }, text);
const capital = (text) => text[0].toUpperCase() + text.slice(1);
/** A button of a call: its text is the line's, without the phone and perhaps the call. */
const act = ({ name }, text, call, look) => does(`${name}: ${text} ${call}`, capital(text), look);

/** A form of one field and a button; the line, or the function, gets the field's text. */
function field(phone, label, { value, ...attributes }, text, take) {
	// Set once: what has been typed stays.
	const created = (input) => (input.value = value ?? "");
	const takeTyped = ([{ value: typed }]) => typed.trim() && take(typed.trim());
	return form({ key: label }, takeTyped,
		h("input", { "aria-label": `${phone.name}: ${label}`, autocapitalize: "none", created, ...attributes }),
		h("button.small", { type: "submit", "aria-label": `${phone.name}: ${text}` }, text));
}

/** Takes a whole number of a field. */
const number = (from, to, take) => (value) =>
	(/^\d{1,6}$/.test(value) && value >= from && value <= to ? take(Number(value)) : bench.say(texts.badNumber(from, to)));

function callRow(phone, call) {
	const name = bench.nameOf(call.uuid);
	const { hasConnected, isOnHold, isMuted, group, choices = [], state, isOutgoing } = call;
	const isRinging = state === "ringing" && !isOutgoing;
	const other = call.localizedCallerName || formatHandle(call.remoteHandle);
	const isOther = (one) => one !== call && one.hasConnected && !(group && one.group === group);
	const others = phone.liveCalls.filter(isOther);
	return h("li", { key: call.uuid },
		h("p", h("b", name), " ", h("bdi", other), h("small", stateOf(phone, call))),
		h("div.tools",
			isRinging && choices.map((one) =>
				act(phone, wordsOf(one.name), name, one.name === "decline" ? ".danger" : ".accept")),
			!isRinging && act(phone, "end", name, ".danger"),
			hasConnected && [
				act(phone, isOnHold ? "unhold" : "hold", name),
				act(phone, isMuted ? "unmute" : "mute", name),
				group && act(phone, "split", name),
				others.map((one) => `Merge ${name} with ${bench.nameOf(one.uuid)}`).map((text) =>
					does(`${phone.name}: m${text.slice(1)}`, text)),
				field(phone, `keys on ${name}`, { inputmode: "tel", pattern: "[0-9A-D*#,;]+", size: 4 }, "Key",
					(digits) => bench.act(`${phone.name}: key ${digits} on ${name}`)),
			]));
}

function signIn(phone) {
	const send = ({ account, password }) => {
		const credentials = { account: account.value, password: password.value || undefined };
		if (bench.story.parties.has(phone.name)) bench.act(`${Object.assign(phone, credentials).name} signs in`);
		else bench.signIn(phone, credentials);
	};
	return form({ key: "sign in" }, send,
		h("input", {
			name: "account", "aria-label": `${phone.name}: account`, autocomplete: "off",
			created: (input) => (input.value = phone.account),
		}),
		h("input", {
			name: "password", type: "password", "aria-label": `${phone.name}: password`, placeholder: "password",
			autocomplete: "off",
		}),
		h("button.small", { type: "submit", "aria-label": `${phone.name} signs in` }, "Signs in"));
}

const check = (phone, text, checked, onchange) => h("label.check",
	h("input", { type: "checkbox", checked, onchange: ({ target }) => onchange(target.checked) }), text,
	h("span.visually-hidden", ` (${phone.name})`));

function switches(phone) {
	const { name, network, fulfilment, doNotDisturb, isSilent } = phone;
	const { mode, delay } = fulfilment;
	const modes = Object.entries(texts.fulfilments).map(([value, text]) => h("option", { value }, text));
	return h("details", h("summary", "Switches", h("span.visually-hidden", ` of ${name}`)),
		h("label.check", "Fulfilment ", h("select", {
			value: mode, "aria-label": `${name}: fulfilment`,
			onchange: ({ target }) => bench.fulfil(phone, { mode: target.value }),
		}, modes)),
		mode === "late" && field(phone, "delay of fulfilment in ms", { value: delay, inputmode: "numeric" }, "ms late",
			number(0, 60_000, (value) => bench.fulfil(phone, { delay: value }))),
		h("div.tools", [
			network.isDown ? "resumes" : "drops", network.isFrozen ? "thaws" : "freezes", isSilent ? "speaks" : "is silent",
		].map((text) => does(`${name} ${text}`, capital(text)))),
		field(phone, "delay of the connection in ms", { value: network.delay, inputmode: "numeric" }, "ms delayed",
			number(0, 60_000, (value) => bench.act(`${name} is delayed by ${value} ms`))),
		h("div.tools", field(phone, "number of callers", { value: 2, inputmode: "numeric" }, "call at once",
			number(1, 11, (value) => bench.ring(phone, value))),
			h("button.small", {
				"aria-label": `${name}: a call in 5 s`, onclick: () => setTimeout(bench.ring, 5_000, phone, 1),
			}, "A call in 5 s")),
		check(phone, "Do Not Disturb", doNotDisturb, (isOn) =>
			bench.act(`${name}: do not disturb ${isOn ? "on" : "off"}`)),
		check(phone, "Play here", phone.isPlayed, (isOn) => phone.play(isOn)));
}

/** A phone with its buttons. */
export function card(phone) {
	const { name, hub, network, fulfilment, pending, liveCalls } = phone;
	const isIn = !["signedOut", "closed"].includes(hub.state);
	const facts = [wordsOf(hub.state), fulfilment.mode !== "server" && "manual fulfilment", network.isFrozen && "frozen"];
	const states = liveCalls.map(({ state }) => state);
	return h("section.phone", { key: name, "aria-label": name, style: { "--hue": phone.tone } },
		h("div.tools", h("h2", name), h("small.grow", facts.filter(Boolean).join(", ")),
			h("button.link", { onclick: () => bench.remove(phone), "aria-label": `Remove ${name}` }, "Remove")),
		isIn ? field(phone, "whom to call", { list: "targets", placeholder: "name" }, "Call", (target) =>
			bench.act(`${name} calls ${target} as ${bench.nextCall()}`)) : signIn(phone),
		h("ul", liveCalls.map((call) => callRow(phone, call))),
		states.includes("connected") && states.includes("held") && does(`${name}: swap`, "Swap"),
		pending.map((action) => ["fulfills", "fails"].map((verb) => {
			const line = `${verb} ${kindOf(action)} ${bench.nameOf(action.callUUID)}`;
			return does(`${name} ${line}`, capital(line));
		})),
		isIn && switches(phone));
}
