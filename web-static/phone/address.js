// The first script to run: it takes a token out of the address bar and history.

export const opening = takeFragment();

export function takeFragment() {
	const fragment = location.hash.slice(1);
	if (!/(^|&)(call|token|answer|decline)=/.test(fragment)) return "";
	history.replaceState(null, "", location.pathname + location.search);
	return fragment;
}
