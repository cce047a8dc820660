import { render } from "./dom.js";
import { change, isOnline, state, subscribe } from "./state.js";
import { loadLanguage } from "./text.js";
import { preferences } from "./preferences.js";
import { setTheme } from "./theme.js";
import { opening, takeFragment } from "./address.js";
import { listenToHub } from "./hub.js";
import { listenToLevels } from "./sound.js";
import { answerFrom } from "./notifications.js";
import { installShell, keepWords } from "./shell.js";
import { readLink, restore } from "./sign-in.js";
import { markSeen } from "./memory.js";
import { app } from "./views/app.js";
import "./alerts.js";
import "./keys.js";

function takeAddress(fragment) {
	if (location.hash === "#diagnostics") change({ overlay: "diagnostics" });
	answerFrom(fragment);
	const link = readLink(fragment);
	if (link) change({ link: { ...link, token: isOnline() ? null : link.token } });
}

setTheme(preferences.theme);
loadLanguage();
subscribe(() => render(document.querySelector("#phone"), app()));
listenToHub();
listenToLevels();
for (const name of ["online", "offline"]) addEventListener(name, () => change());
addEventListener("hashchange", () => takeAddress(takeFragment()));
document.addEventListener("visibilitychange", () => {
	change({ now: Date.now() });
	markSeen();
});
setInterval(() => {
	if (!document.hidden && (state.calls.length > 0 || state.retryAt)) change({ now: Date.now() });
}, 1000);
installShell();
keepWords();
takeAddress(opening);
// A guest's link takes up no session.
if (state.link?.token) change({ isStarting: false });
else restore();
