import { change, clearUser, isOnline, NO_CREDENTIALS, state, valueOrNull } from "./state.js";
import { operated } from "./address.js";
import { formatHandle, newUUID } from "../callhub.js";
import { loadInformation } from "./brand.js";
import { hub } from "./hub.js";
import { errorText } from "./toasts.js";
import { preferences, setPreferences } from "./preferences.js";
import { ensureAudio, restoreAudio } from "./audio.js";
import { call } from "./actions.js";
import { parseHandle } from "./people.js";
import { unsubscribePush } from "./shell.js";
import { t } from "./text.js";
import { note } from "./acts.js";

/** The token is not stored. */
const GUEST_KEY = "callhub.guest";

/** docs/protocol.md, Guest links. */
export function readLink(fragment) {
	// In a link `+` is a plus sign, not a space.
	const members = new URLSearchParams(fragment.replaceAll("+", "%2B"));
	const target = (members.get("call") ?? "").replace(/^(web\+)?callhub:/i, "");
	const handle = parseHandle(target.replace(/^tel:/i, "phoneNumber:"));
	const token = members.get("token")?.slice(0, 8192) || null;
	return handle && { handle, token, asksName: asksName(token) };
}

function asksName(token) {
	const claims = token?.split(".")[1]?.replaceAll("-", "+").replaceAll("_", "/");
	return valueOrNull(() => JSON.parse(atob(claims)).guestNames) === true;
}

export const updateSignIn = (members) => change({ signIn: { ...state.signIn, ...members } });

/** Must be called in a user gesture. */
export async function signIn() {
	const { isBusy, account: name, token: written, password } = state.signIn;
	if (isBusy) return;
	const isByToken = authMode() === "token";
	const [account, token] = [(!isByToken && name.trim()) || undefined, written.trim() || undefined];
	if (!account && !token) return updateSignIn({ error: () => t(`signIn.${isByToken ? "token" : "name"}Missing`) });
	ensureAudio();
	const isOpen = await openSession({ account, token, password: password || undefined });
	if (isOpen) setPreferences({ account: state.account ?? account });
}

/** Must be called in a user gesture. */
export async function callAsGuest() {
	const { isBusy, guestName: written } = state.signIn;
	const { handle, token, invitation, asksName: isAsked } = state.link;
	if (isBusy) return;
	const isSignedIn = isOnline();
	if (!token && !invitation && !isSignedIn) return updateSignIn({ error: () => t("guest.openAgain") });
	const guestName = written.trim() || undefined;
	if (isAsked && !guestName && !isSignedIn) return updateSignIn({ error: () => t("signIn.nameMissing") });
	ensureAudio();
	change({ isGuest: true });
	valueOrNull(() => sessionStorage.setItem(GUEST_KEY, formatHandle(handle)));
	if (isSignedIn || await openSession({ token, invitation, guestName, permissions: ["call"] })) call(handle);
}

export function callLink() {
	call(state.link.handle);
	if (hub.state === "online") change({ link: null });
}

export async function signOut() {
	note("signOut", state.calls);
	await unsubscribePush();
	hub.signOut();
	clearUser();
}

export const opened = () => import("../invite/opened.js");

export const authMode = () => state.information?.authMode ?? "";

export async function start() {
	const loading = loadInformation();
	// A guest link resumes no session, and an insecure page has no microphone.
	const isRestored = isSecureContext && !state.link?.token && !state.page && await restore();
	if (!isRestored) await loading;
	if (!isRestored && state.information?.setup) (await opened()).showSetup();
	change({ isStarting: false });
}

export async function restore() {
	updateSignIn({ account: preferences.account });
	const isRestored = await hub.restore().catch(() => false);
	const stored = hub.account?.startsWith("guest-") && valueOrNull(() => sessionStorage.getItem(GUEST_KEY));
	const handle = stored && parseHandle(stored);
	if (handle) opened();
	if (handle) change({ isGuest: true, link: { handle, token: null } });
	if (isRestored) restoreAudio();
	return isRestored;
}

export async function openSession(credentials) {
	updateSignIn({ isBusy: true, error: null });
	try {
		const provider = { supportsVideo: false };
		const device = { name: deviceName() };
		await hub.signIn(operated
			? { ...credentials, permissions: ["operate"], operates: operated, device: { ...device, id: newUUID() } }
			: { optionalPermissions: ["admin"], ...credentials, provider, device });
		updateSignIn(NO_CREDENTIALS);
		return true;
	} catch (error) {
		const { asksPassword, asksToken } = state.signIn;
		const needsPassword = !asksToken && ["credentialsMissing", "wrongPassword"].includes(error.name);
		updateSignIn({ error: () => signInErrorText(error), asksPassword: asksPassword || needsPassword });
	} finally {
		updateSignIn({ isBusy: false });
	}
}

export const signInErrorText = (error) => (
	state.isGuest && !operated && ["wrongToken", "tokenExpired"].includes(error.name) ? t("guest.invalidLink") : errorText(error));

export function deviceName() {
	const { userAgent } = navigator;
	const [browser] = /Edg|OPR|Firefox/.exec(userAgent) ?? /Chrome|Safari/.exec(userAgent) ?? [];
	const [system] = /Android|iPhone|iPad|Mac OS X|Windows|CrOS|Linux/.exec(userAgent) ?? [];
	return [{ Edg: "Edge", OPR: "Opera" }[browser] ?? browser, system].filter(Boolean).join(", ");
}
