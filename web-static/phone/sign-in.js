import { change, clearUser, isOnline, NO_CREDENTIALS, state, valueOrNull } from "./state.js";
import { formatHandle } from "../callhub.js";
import { hub } from "./hub.js";
import { errorText } from "./toasts.js";
import { preferences, setPreferences } from "./preferences.js";
import { askPermission } from "./notifications.js";
import { ensureAudio, restoreAudio, startAudio } from "./audio.js";
import { call } from "./actions.js";
import { parseHandle } from "./people.js";
import { unsubscribePush } from "./shell.js";
import { t } from "./text.js";

/** The key of the handle that the guest of this tab may call; the token is not stored. */
const GUEST_KEY = "callhub.guest";

/** Parses a link (docs/protocol.md, Invitation links). */
export function readLink(fragment) {
	// In a link `+` is a plus sign, not a space.
	const members = new URLSearchParams(fragment.replaceAll("+", "%2B"));
	const target = (members.get("call") ?? "").replace(/^(web\+)?callhub:/i, "");
	const handle = parseHandle(target.replace(/^tel:/i, "phoneNumber:"));
	return handle && { handle, token: members.get("token")?.slice(0, 8192) || null };
}

export const updateSignIn = (members) => change({ signIn: { ...state.signIn, ...members } });

/** Signs in with what was entered; must be called in a user gesture. */
export async function signIn() {
	const { isBusy, account: name, token: written, password } = state.signIn;
	if (isBusy) return;
	const [account, token] = [name.trim() || undefined, written.trim() || undefined];
	if (!account && !token) return updateSignIn({ error: t("signIn.nameMissing") });
	startAudio();
	askPermission();
	const isOpen = await openSession({ account, token, password: password || undefined });
	if (isOpen) setPreferences({ account: state.account ?? account });
}

/** Signs in by the link and calls its handle; must be called in a user gesture. */
export async function callAsGuest() {
	const { handle, token } = state.link;
	const isSignedIn = isOnline();
	if (!token && !isSignedIn) return updateSignIn({ error: t("guest.openAgain") });
	ensureAudio();
	change({ isGuest: true });
	valueOrNull(() => sessionStorage.setItem(GUEST_KEY, formatHandle(handle)));
	if (isSignedIn || await openSession({ token, permissions: ["call"] })) call(handle);
}

export function callLink() {
	call(state.link.handle);
	change({ link: null });
}

export async function signOut() {
	await unsubscribePush();
	hub.signOut();
	clearUser();
}

export async function restore() {
	updateSignIn({ account: preferences.account });
	const isRestored = await hub.restore().catch(() => false);
	const stored = hub.account?.startsWith("guest-") && valueOrNull(() => sessionStorage.getItem(GUEST_KEY));
	const handle = stored && parseHandle(stored);
	change({ isStarting: false });
	if (handle) change({ isGuest: true, link: { handle, token: null } });
	if (isRestored) restoreAudio();
}

async function openSession(credentials) {
	updateSignIn({ isBusy: true, error: null });
	try {
		const provider = { supportsVideo: false, localizedName: "CallHub" };
		await hub.signIn({ ...credentials, provider, device: { name: deviceName() } });
		updateSignIn(NO_CREDENTIALS);
		return true;
	} catch (error) {
		const { asksPassword, asksToken } = state.signIn;
		const needsPassword = !asksToken && ["credentialsMissing", "wrongPassword"].includes(error.name);
		const isInvalidLink = state.isGuest && ["wrongToken", "tokenExpired"].includes(error.name);
		const text = isInvalidLink ? t("guest.invalidLink") : errorText(error);
		updateSignIn({ error: text, asksPassword: asksPassword || needsPassword });
	} finally {
		updateSignIn({ isBusy: false });
	}
}

function deviceName() {
	const { userAgent } = navigator;
	const [browser] = /Edg|OPR|Firefox/.exec(userAgent) ?? /Chrome|Safari/.exec(userAgent) ?? [];
	const [system] = /Android|iPhone|iPad|Mac OS X|Windows|CrOS|Linux/.exec(userAgent) ?? [];
	return [{ Edg: "Edge", OPR: "Opera" }[browser] ?? browser, system].filter(Boolean).join(", ");
}
