import { change, state } from "./state.js";
import { hasText, t } from "./text.js";

export function say(text, isUrgent = false) {
	const toast = { id: performance.now(), text, isUrgent };
	change({ toasts: [...state.toasts, toast].slice(-3) });
	setTimeout(() => change({ toasts: state.toasts.filter((other) => other !== toast) }), 6000);
}

export function explain(error) {
	const { name, code, data, message = error } = error ?? {};
	const count = Math.ceil(data?.retryAfterSeconds);
	if (name === "tooMany" && count > 0) return t("error.tooManyFor", { count });
	const key = `error.${code === -32602 ? "invalid" : name}`;
	return hasText(key) ? t(key) : t("error.other", { message: String(message).slice(0, 200) });
}

/** Gives undefined for what is broken. */
export const attempt = (promise) => promise.catch((error) => say(explain(error), true));
