import { set } from "../phone/account.js";
import { hub } from "../phone/hub.js";
import { photoOfPerson, scalePhoto } from "../phone/photos.js";
import { errorText, showToast } from "../phone/toasts.js";
import { SHEETS } from "../phone/views/app.js";
import {
	avatar, change, confirmButton, field, filePicker, form, h, input, sheet, state, switchRow, t,
} from "../phone/views/parts.js";
import { list, loadPasskeys, passkeySection } from "./passkeys.js";
import "./text.js";

const entered = { current: "", next: "", signsOut: true, isBusy: false, error: null };

SHEETS.account = () => sheet("account", [photo(), list() && [password(), passkeySection()], list() === null && managed()]);

export function load() {
	Object.assign(entered, { current: "", next: "", signsOut: true, error: null });
	loadPasskeys();
}

const managed = () => h("p.quiet", { key: "managed" }, t("account.managed"));

function photo() {
	const { handles, settings: { photoHash, displayName }, account } = state;
	const handle = handles[0] ?? { type: "generic", value: account ?? "" };
	const choose = async (file) => {
		const scaled = file && await scalePhoto(file);
		if (scaled) set({ photo: scaled });
		else if (file) showToast(t("account.noImage"), true);
	};
	return h("section.stretch", { key: "photo" }, h("h3", t("account.photo")),
		h("p.quiet", t("account.photoLead")),
		h("div.row",
			avatar(handle, displayName || account || handle.value, { class: "large" }, photoOfPerson(handle)),
			filePicker("image/*", t("account.choosePhoto"), choose, "small"),
			photoHash && confirmButton("photo", t("account.removePhoto"), () => set({ photo: null }))));
}

function update(members) {
	Object.assign(entered, members);
	change();
}

async function setPassword() {
	const { current, next, signsOut, isBusy } = entered;
	if (isBusy) return;
	update({ isBusy: true, error: null });
	try {
		await hub.request("account.setPassword", { current, new: next, keepsDevices: !signsOut });
		update({ current: "", next: "" });
		showToast(t("account.changed"));
	} catch (error) {
		update({ error: () => (error.name === "wrongPassword" ? t("account.wrongPassword") : errorText(error)) });
	} finally {
		update({ isBusy: false });
	}
}

function password() {
	const { current, next, signsOut, isBusy, error } = entered;
	const secret = (name, value, autocomplete) => field(t(`account.${name}`), input((text) => update({ [name]: text }),
		{ name, type: "password", value, autocomplete, required: true, "aria-invalid": error ? true : null }), { key: name });
	return form({ key: "password", class: "stretch", "aria-labelledby": "account-password" }, setPassword,
		h("h3", { id: "account-password" }, t("account.password")),
		// Password managers file the new password under it.
		h("input.visually-hidden", {
			name: "username", value: state.account, autocomplete: "username", readonly: true, tabindex: -1, "aria-hidden": true,
		}),
		secret("current", current, "current-password"), secret("next", next, "new-password"),
		switchRow("account.signsOut", signsOut, (isOn) => update({ signsOut: isOn }), t("account.signsOutHint")),
		h("p.error", { role: "alert" }, error?.()),
		h("button.small", { type: "submit", "aria-disabled": isBusy }, t("account.change")));
}
