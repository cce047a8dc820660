import { hasHostName } from "../phone/address.js";
import { day } from "../phone/format.js";
import { hub, request } from "../phone/hub.js";
import { deviceName } from "../phone/sign-in.js";
import { errorText, showToast } from "../phone/toasts.js";
import { button, change, confirmButton, field, form, h, input, state, t } from "../phone/views/parts.js";
import { toBytes, toText } from "./base64url.js";
import "./text.js";
import { usePasskey } from "./use.js";

const entered = { password: "", isBusy: false, error: null };
/** What a confirmation has returned for the next passkey, until it is made: some browsers want another tap for that. */
let options;
/** null: the account has no passwords here. */
let passkeys;

export const list = () => passkeys;

export async function loadPasskeys() {
	passkeys = (await hub.request("passkeys.list").catch(() => null))?.passkeys ?? null;
	change();
}

function update(members) {
	Object.assign(entered, members);
	change();
}

/** The reason for which this page cannot have passkeys. */
function obstacle() {
	if (!hasHostName) return "address";
	return !state.information?.passkeys || !globalThis.PublicKeyCredential ? "unsupported" : null;
}

/** Indicates that the provider has just authenticated the user for this session. */
const isConfirmed = () => Date.parse(hub.confirmedUntil) > Date.now();

async function confirm(isByPasskey) {
	if (isConfirmed()) return {};
	if (!isByPasskey) return { password: entered.password };
	const asked = await hub.request("passkeys.confirm");
	return { passkey: await usePasskey(asked, passkeys.filter(({ rpId }) => rpId === asked.rpId).map(({ id }) => id)) };
}

async function add(isByPasskey) {
	if (entered.isBusy) return;
	// The time of a fresh sign-in has passed.
	if (!isByPasskey && !options && !isConfirmed() && !entered.password) return change();
	update({ isBusy: true, error: null });
	try {
		options ??= await hub.request("passkeys.create", await confirm(isByPasskey));
		const { response } = await navigator.credentials.create({ publicKey: creation(options) });
		options = null;
		await hub.request("passkeys.add", {
			name: deviceName() || t("passkeys.unnamed"),
			clientData: toText(response.clientDataJSON), attestationObject: toText(response.attestationObject),
		});
		update({ password: "" });
		showToast(t("passkeys.added"));
		loadPasskeys();
	} catch (error) {
		// Only a refusal of the browser's leaves the confirmation as it is.
		if (error.name !== "NotAllowedError") options = null;
		update({ error: () => addErrorText(error) });
	} finally {
		update({ isBusy: false });
	}
}

/** The page leaves, and comes back with a session of its own. */
async function confirmAtProvider() {
	if (state.calls.length > 0) return update({ error: () => t("passkeys.endCalls") });
	const { begin } = await import("../openid/openid.js");
	begin(true);
}

function creation({ challenge, rpId, user, algorithms, exclude, timeoutSeconds }) {
	return {
		challenge: toBytes(challenge), rp: { id: rpId, name: state.information?.brand?.name || "CallHub" },
		user: { ...user, id: toBytes(user.id) }, attestation: "none", timeout: timeoutSeconds * 1000,
		pubKeyCredParams: algorithms.map((alg) => ({ type: "public-key", alg })),
		excludeCredentials: exclude.map((id) => ({ type: "public-key", id: toBytes(id) })),
		authenticatorSelection: { residentKey: "required", requireResidentKey: true, userVerification: "required" },
	};
}

function addErrorText(error) {
	const key = { InvalidStateError: "exists", NotAllowedError: "cancelled", wrongPassword: "wrongPassword" }[error.name];
	return key ? t(`passkeys.${key}`) : errorText(error);
}

export function passkeySection() {
	const { password, isBusy, error } = entered;
	const reason = obstacle();
	const asks = !isConfirmed();
	const { label } = state.information?.openID ?? {};
	return h("section.stretch", { key: "passkeys" }, h("h3", t("passkeys.title")),
		h("p.quiet", t("passkeys.lead")),
		passkeys.length > 0 && h("ul", passkeys.map(row)),
		reason ? h("p.note", t(`passkeys.${reason}`)) : form({ key: "add" }, () => add(false),
			asks && field(t("account.current"), input((text) => update({ password: text }), {
				name: "passkey-password", type: "password", value: password, autocomplete: "current-password", required: !options,
				"aria-invalid": error ? true : null,
			})),
			h("p.error", { role: "alert" }, error?.()),
			h("div.row",
				h("button.small", { type: "submit", "aria-disabled": isBusy }, t("passkeys.add")),
				// As an account without a password has to.
				asks && passkeys.length > 0 && button("small", t("passkeys.addByPasskey"), () => add(true)),
				asks && label && button("small", t("passkeys.confirmAt", { label }), confirmAtProvider))));
}

function row({ id, name, createdAt, lastUsedAt }) {
	const date = (time) => day(time, Date.now());
	return h("li.row", { key: id },
		h("label.grow", input(() => {}, {
			value: name, maxlength: 100, required: true, "aria-label": t("passkeys.name"), autocapitalize: "sentences",
			onchange: ({ target }) => rename(id, target.value.trim()),
		}), h("small", t("passkeys.made", { date: date(createdAt) }), " · ",
			lastUsedAt ? t("passkeys.used", { date: date(lastUsedAt) }) : t("passkeys.unused"))),
		confirmButton(`passkey-${id}`, t("remove"), () => remove(id), t("passkeys.removeConfirm")));
}

async function rename(id, name) {
	if (name) await request("passkeys.rename", { id, name });
	loadPasskeys();
}

async function remove(id) {
	if (await request("passkeys.remove", { id })) loadPasskeys();
}
