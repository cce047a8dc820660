import { hub } from "../phone/hub.js";
import { errorText, showToast } from "../phone/toasts.js";
import { returnBar } from "../phone/views/calls.js";
import { button, change, h, icon, state, t } from "../phone/views/parts.js";
import { accountsSection, loadAccounts } from "./accounts.js";
import { auditSection, loadAudit } from "./audit.js";
import { invitationsSection, loadInvitations } from "./invitations.js";
import { loadNow, nowSection } from "./now.js";
import { loadNumbers, numbersSection } from "./numbers.js";
import { loadStatus, statusSection } from "./status.js";
import { addStyle } from "./style.js";
import "./text.js";

/** How often the shown section is read again, in ms. */
const INTERVAL = 3000;
const SECTIONS = {
	now: [loadNow, nowSection],
	accounts: [loadAccounts, accountsSection],
	invitations: [loadInvitations, invitationsSection],
	numbers: [loadNumbers, numbersSection],
	status: [loadStatus, statusSection],
	audit: [loadAudit, auditSection],
};
let section = "now";
let timer = null;
/** Set until the first sign-in of a page that was opened at `#admin`. */
let isAwaited = false;

/** Opens the page, at once or after the sign-in; closes it for those who may not see it. */
export async function open() {
	if (hub.state !== "online") {
		isAwaited = true;
		return;
	}
	isAwaited = false;
	if (!hub.permissions?.includes?.("admin")) return close(t("admin.notAllowed"));
	addStyle();
	change({ page, overlay: null });
	clearInterval(timer);
	timer = setInterval(() => refresh(), INTERVAL);
	load();
}

/** Returns to the phone. */
export function close(text) {
	isAwaited = false;
	clearInterval(timer);
	if (state.page === page) change({ page: null, overlay: null });
	if (location.hash === "#admin") history.replaceState(null, "", location.pathname + location.search);
	if (text) showToast(text, true);
}

hub.addEventListener("state", () => {
	if (isAwaited && hub.state === "online") open();
	else if (state.page === page && hub.state === "signedOut") close();
});

/** Nothing is replaced while the user looks at a question or has a sheet open. */
const refresh = () => !document.hidden && !state.confirming && !state.overlay && hub.state === "online" && load();

async function load() {
	try {
		await SECTIONS[section][0]();
		change();
	} catch (error) {
		if (error.code === 403) close(t("admin.notAllowed"));
		else if (error.name !== "signedOut") showToast(errorText(error), true);
	}
}

function show(name) {
	section = name;
	change({ confirming: null });
	load();
}

const page = () => h("main.admin",
	h("header.admin-head",
		button("link.back", [icon("chevron"), t("admin.back")], () => close()),
		h("h1", t("administration"))),
	returnBar(),
	h("nav.admin-tabs", { "aria-label": t("admin.sections") }, Object.keys(SECTIONS).map((name) => (
		button("small", t(`admin.${name}`), () => show(name), { key: name, "aria-current": name === section ? "page" : null })))),
	h("section.admin-section", { key: section, "aria-label": t(`admin.${section}`) }, SECTIONS[section][1]()));
