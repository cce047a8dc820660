import { change, forgetUser, isOnline, NO_CREDENTIALS, state, tried } from "./state.js";
import { formatHandle } from "../callhub.js";
import { hub } from "./hub.js";
import { explain } from "./toasts.js";
import { preferences, prefer } from "./preferences.js";
import { askPermission } from "./notifications.js";
import { ensureSound, restoreSound, startSound } from "./sound.js";
import { call } from "./actions.js";
import { parseHandle } from "./people.js";
import { leavePush } from "./shell.js";
import { t } from "./text.js";

/** Whom this tab's guest may call; never the token. */
const GUEST = "callhub.guest";

/** docs/protocol.md, Links */
export function readLink(fragment) {
	// A `+` is a plus here, no space.
	const members = new URLSearchParams(fragment.replaceAll("+", "%2B"));
	const called = (members.get("call") ?? "").replace(/^(web\+)?callhub:/i, "");
	const handle = parseHandle(called.replace(/^tel:/i, "phoneNumber:"));
	return handle && { handle, token: members.get("token")?.slice(0, 8192) || null };
}

export const fill = (members) => change({ signIn: { ...state.signIn, ...members } });

/** Must begin inside a user's touch. */
export async function signIn() {
	const { isBusy, account: name, token: written, password } = state.signIn;
	if (isBusy) return;
	const [account, token] = [name.trim() || undefined, written.trim() || undefined];
	if (!account && !token) return fill({ error: t("signIn.nameMissing") });
	startSound();
	askPermission();
	if (await open({ account, token, password: password || undefined })) prefer({ account: state.account ?? account });
}

/** Must begin inside a user's touch. */
export async function callAsGuest() {
	const { handle, token } = state.link;
	const isSignedIn = isOnline();
	if (!token && !isSignedIn) return fill({ error: t("guest.openAgain") });
	ensureSound();
	change({ isGuest: true });
	tried(() => sessionStorage.setItem(GUEST, formatHandle(handle)));
	if (isSignedIn || await open({ token, permissions: ["call"] })) call(handle);
}

export function callLink() {
	call(state.link.handle);
	change({ link: null });
}

export async function signOut() {
	await leavePush();
	hub.signOut();
	forgetUser();
}

export async function restore() {
	fill({ account: preferences.account });
	const isRestored = await hub.restore().catch(() => false);
	const kept = hub.account?.startsWith("guest-") && tried(() => sessionStorage.getItem(GUEST));
	const handle = kept && parseHandle(kept);
	change({ isStarting: false });
	if (handle) change({ isGuest: true, link: { handle, token: null } });
	if (isRestored) restoreSound();
}

async function open(credentials) {
	fill({ isBusy: true, error: null });
	try {
		const provider = { supportsVideo: false, localizedName: "CallHub" };
		await hub.signIn({ ...credentials, provider, device: { name: deviceName() } });
		fill(NO_CREDENTIALS);
		return true;
	} catch (error) {
		const { asksPassword, asksToken } = state.signIn;
		const isMended = !asksToken && ["credentialsMissing", "wrongPassword"].includes(error.name);
		const isInvalidLink = state.isGuest && ["wrongToken", "tokenExpired"].includes(error.name);
		fill({ error: isInvalidLink ? t("guest.invalidLink") : explain(error), asksPassword: asksPassword || isMended });
	} finally {
		fill({ isBusy: false });
	}
}

function deviceName() {
	const { userAgent } = navigator;
	const [browser] = /Edg|OPR|Firefox/.exec(userAgent) ?? /Chrome|Safari/.exec(userAgent) ?? [];
	const [system] = /Android|iPhone|iPad|Mac OS X|Windows|CrOS|Linux/.exec(userAgent) ?? [];
	return [{ Edg: "Edge", OPR: "Opera" }[browser] ?? browser, system].filter(Boolean).join(", ");
}
