// The first script to run: a token leaves the address bar and this tab's history at once.

export const opening = takeFragment();

export function takeFragment() {
	const fragment = location.hash.slice(1);
	if (!/(^|&)(call|token|answer|decline)=/.test(fragment)) return "";
	history.replaceState(null, "", location.pathname + location.search);
	return fragment;
}
