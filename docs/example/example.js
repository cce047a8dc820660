import { CallHub } from "../callhub.js";

const hub = new CallHub({ name: "Example" });
const [signIn, dial, list, status] = document.querySelectorAll("body > [id]");
const say = (error) => status.replaceChildren(error.message);

function button(textContent, act) {
	return Object.assign(document.createElement("button"), { textContent, onclick: () => act().catch(say) });
}

function row(call) {
	const item = document.createElement("li");
	const choices = call.choices.map(({ name }) => button(name, () => hub.audio.start().then(() => call.choose(name))));
	if (choices.length === 0) choices.push(button("Hang up", () => call.end()));
	item.append(`${call.localizedCallerName}: ${call.state} `, ...choices);
	return item;
}

hub.addEventListener("calls", () => list.replaceChildren(...hub.calls.map(row)));
hub.addEventListener("state", () => {
	signIn.hidden = !["signedOut", "closed"].includes(hub.state);
	dial.hidden = hub.state !== "online";
	status.textContent = hub.state;
});
addEventListener("submit", (event) => event.preventDefault());
signIn.onsubmit = () => hub.signIn({ account: signIn.account.value }).catch(say);
dial.onsubmit = () => hub.audio.start().then(() => hub.call(dial.handle.value)).catch(say);
hub.restore();
