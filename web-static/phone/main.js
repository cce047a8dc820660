import { render } from "./dom.js";
import { focusInstead, watch } from "./guard.js";
import { change, isOnline, state, subscribe } from "./state.js";
import { loadLanguage } from "./text.js";
import { preferences, setTheme } from "./preferences.js";
import { operated, operatedBy, opening, removeFragment } from "./address.js";
import { listenToHub } from "./hub.js";
import { listenToLevels } from "./audio.js";
import { handleNotificationFragment } from "./notifications.js";
import { installShell, storeNotificationTexts } from "./shell.js";
import { opened, readLink, start } from "./sign-in.js";
import { errorText, showToast } from "./toasts.js";
import { markSeen } from "./account.js";
import { listenToAbsence } from "./presence.js";
import { app } from "./views/app.js";
import "./alerts.js";
import "./keys.js";

function openFragment(fragment) {
	if (location.hash === "#diagnostics") change({ overlay: "diagnostics" });
	handleNotificationFragment(fragment);
	const device = operatedBy(location.hash);
	if (device && device !== operated) return location.reload();
	if (location.hash === "#admin") import("../admin/page.js").then((page) => page.open());
	const secret = /^i=(.*)/.exec(fragment)?.[1];
	if (secret) {
		if (!isOnline()) change({ page: () => [] });
		opened().then(({ open }) => open(secret)).catch((error) => {
			change({ page: null });
			showToast(errorText(error), true);
		});
	}
	if (fragment.startsWith("openid")) {
		change({ page: () => [] });
		import("../openid/openid.js").then(({ finish }) => finish(fragment));
	}
	const link = readLink(fragment);
	if (link) change({ link: { ...link, token: isOnline() ? null : link.token } });
}

/** The sheet or the call has the focus of a button that is gone, so that Tab continues there. */
function renderPhone() {
	const { activeElement: focused, body } = document;
	watch(() => render(document.querySelector("#phone"), app()));
	if (focused === body) return;
	// After sheets and new cards.
	queueMicrotask(() => {
		const [place] = [".sheet", ".main-card", ".held-card"].map((one) => document.querySelector(one)).filter(Boolean);
		if (document.activeElement === body || focused?.disabled) focusInstead(place);
	});
}

setTheme(preferences.theme);
loadLanguage();
subscribe(renderPhone);
listenToHub();
listenToLevels();
listenToAbsence();
for (const name of ["online", "offline"]) addEventListener(name, () => change());
addEventListener("hashchange", () => openFragment(removeFragment()));
document.addEventListener("visibilitychange", () => {
	change({ now: Date.now() });
	markSeen();
});
setInterval(() => {
	if (!document.hidden && (state.calls.length > 0 || state.retryAt)) change({ now: Date.now() });
}, 1000);
setInterval(() => state.settings.quietHours.length > 0 && change(), 20_000);
installShell();
storeNotificationTexts();
openFragment(opening);
if (operated) import("../operate/page.js").then((page) => page.open());
start();
