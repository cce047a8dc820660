import { form, h, hinted, t } from "../phone/views/parts.js";

export const entryForm = (hint, label, send, more) => form({ class: "row" }, ({ entry }) => send(entry),
	h("input", { name: "entry", required: true, ...hinted(hint), ...more }),
	h("button.small", { type: "submit" }, t(label)));
