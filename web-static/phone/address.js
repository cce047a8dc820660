// The first script to run: a token leaves the address bar and the history.

if (location.hash === "#bench") location.replace("bench.html");

export const opening = removeFragment();

/** The device of the account whose calls this tab operates; null: the tab is a phone. */
export const operated = operatedBy(location.hash);

export function operatedBy(hash) {
	return new URLSearchParams(hash.slice(1).replaceAll("+", "%2B")).get("operate")?.slice(0, 256) || null;
}

export function removeFragment() {
	const fragment = location.hash.slice(1);
	if (!/(^|&)(i|call|token|answer|decline|openid|openid-error)=/.test(fragment)) return "";
	history.replaceState(null, "", location.pathname + location.search);
	return fragment;
}

/** Under an IP address there are no passkeys. */
export const hasHostName = !/^\[|^[\d.]+$/.test(location.hostname);
