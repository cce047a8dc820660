export function parseClosing({ reason, retryAfterSeconds, url }, from) {
	const { protocol, href } = (typeof url === "string" && url.length <= 2_048 && URL.parse(url)) || {};
	const address = protocol === "wss:" || (protocol === "ws:" && !from.startsWith("wss:")) ? href : null;
	return { reason: String(reason).slice(0, 64), retryAt: retryTime(retryAfterSeconds), address };
}

export function retryTime(seconds) {
	return Number.isFinite(seconds) && seconds >= 0 ? Date.now() + Math.min(seconds, 3_600) * 1_000 : null;
}
