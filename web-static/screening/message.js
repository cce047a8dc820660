import { declineWith } from "../phone/actions.js";
import { callerName } from "../phone/hub.js";
import { ringingCalls } from "../phone/state.js";
import { addTexts } from "../phone/text.js";
import { SHEETS } from "../phone/views/app.js";
import { button, change, h, sheet, state, t } from "../phone/views/parts.js";
import { entryForm } from "./entry.js";

addTexts(`
message.lead
{name} gets your message, and the call is declined.
{name}님에게 메시지를 보내고 전화를 거절합니다.
{name} dostane zprávu a hovor bude odmítnut.

.callBack
Can’t talk now. I’ll call you back.
지금은 통화할 수 없습니다. 다시 전화하겠습니다.
Teď nemůžu mluvit. Zavolám vám zpátky.

.later
Can you call me later?
나중에 다시 전화해 주시겠어요?
Můžete mi zavolat později?

.coming
I’m on my way.
지금 가는 중입니다.
Už jsem na cestě.

.own
Your own message
직접 입력
Vlastní zpráva

.send
Send
보내기
Odeslat
`);

const MAXIMUM_MESSAGE = 256;

export const open = (uuid) => change({ overlay: "message", messageTo: uuid });

SHEETS.message = () => {
	const call = ringingCalls().find(({ uuid }) => uuid === state.messageTo);
	if (!call) return null;
	const send = (text) => {
		change({ overlay: null });
		declineWith(call, text);
	};
	return sheet("message", [
		h("p.quiet", t("message.lead", { name: callerName(call) })),
		["callBack", "later", "coming"].map((name) => (
			button("small", t(`message.${name}`), () => send(t(`message.${name}`))))),
		entryForm("message.own", "message.send", ({ value }) => value.trim() && send(value.trim()),
			{ maxlength: MAXIMUM_MESSAGE, autocomplete: "off", oninput: cut }),
	]);
};

function cut({ target }) {
	const size = () => new TextEncoder().encode(target.value).length;
	while (size() > MAXIMUM_MESSAGE) target.value = [...target.value].slice(0, -1).join("");
}
