import { copy } from "../phone/actions.js";
import { button, field, h, t } from "../phone/views/parts.js";
import "./text.js";

/** Shows a link that the server has made just now, as text and QR code. */
export function linkView({ url, qr }, ...more) {
	const share = () => navigator.share({ url }).catch(() => {});
	return h("div.form", { key: "link" },
		field(t("invite.link"), h("input", {
			readonly: true, value: url, name: "link", onfocus: ({ target }) => target.select(),
		})),
		h("p.quiet", t("invite.once")),
		button("primary.wide", t("invite.copy"), () => copy(url)),
		navigator.share && button("wide", t("invite.share"), share),
		h("img.code", { src: picture(qr), alt: t("invite.qr"), width: 240, height: 240 }),
		more);
}

/** Draws the server's modules with the quiet zone that cameras need. */
function picture({ size, modules }) {
	const bits = atob(modules);
	const isDark = (index) => bits.charCodeAt(index >> 3) & (0x80 >> (index & 7));
	let path = "";
	for (let index = 0; index < size * size; index++) {
		if (isDark(index)) path += `M${index % size + 4} ${Math.floor(index / size) + 4}h1v1h-1z`;
	}
	const side = size + 8;
	return "data:image/svg+xml," + encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}">`
		+ `<path fill="#fff" d="M0 0h${side}v${side}H0z"/><path d="${path}"/></svg>`);
}
