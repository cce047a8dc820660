import { formatHandle } from "../callhub.js";
import { newSecret } from "../client/identifier.js";
import { restoreAudio } from "../phone/audio.js";
import { hub } from "../phone/hub.js";
import { parseHandle } from "../phone/people.js";
import { preferences, setPreferences } from "../phone/preferences.js";
import { openSession, restore, updateSignIn } from "../phone/sign-in.js";
import { change, state, valueOrNull } from "../phone/state.js";
import { hasText } from "../phone/text.js";
import { showToast } from "../phone/toasts.js";
import { t } from "../phone/views/parts.js";
import "./text.js";

/** In this tab's storage: another page, or another person's link, cannot end what this one has begun. */
const KEY = "callhub.openid";

/** docs/protocol.md, Sign-in by a provider; `confirms`: a fresh one, by which a user may add a passkey. */
export async function begin(confirms = false) {
	const { start } = state.information.openID;
	const verifier = newSecret();
	const call = state.link && formatHandle(state.link.handle);
	try {
		sessionStorage.setItem(KEY, JSON.stringify({ verifier, call, confirms }));
	} catch {
		return updateSignIn({ error: () => t("openid.storage") });
	}
	const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
	const challenge = new Uint8Array(digest).toBase64({ alphabet: "base64url", omitPadding: true });
	if (/^\/[\w-][\w/-]*$/.test(start)) location.assign(`${start.slice(1)}?challenge=${challenge}${confirms ? "&prompt=login" : ""}`);
}

export async function finish(fragment) {
	const { verifier, call, confirms } = valueOrNull(() => JSON.parse(sessionStorage.getItem(KEY))) ?? {};
	const [, code] = /^openid=([\w-]+)$/.exec(fragment) ?? [];
	if (!code || !verifier) return fail(/^openid-error=(\w+)$/.exec(fragment)?.[1] ?? "otherTab");
	valueOrNull(() => sessionStorage.removeItem(KEY));
	const handle = call && parseHandle(call);
	const link = handle ? { handle, token: null } : state.link;
	change({ page: null, link });
	updateSignIn({ account: preferences.account });
	if (!await openSession({ openID: { code, verifier } })) return;
	setPreferences({ account: state.account });
	restoreAudio();
	if (!confirms) return;
	(await import("../account/account.js")).load();
	change({ overlay: "account" });
}

/** A link with such a fragment that somebody else has made changes nothing. */
async function fail(word) {
	const key = hasText(`openid.${word}`) ? `openid.${word}` : "openid.provider";
	const isOnline = hub.state !== "signedOut" || await restore();
	change({ page: null });
	if (isOnline) showToast(t(key), true);
	else updateSignIn({ account: preferences.account, error: () => t(key) });
}
