import { change, state } from "./state.js";
import { hasText, t } from "./text.js";

export function showToast(text, isUrgent = false) {
	const toast = { id: performance.now(), text, isUrgent };
	change({ toasts: [...state.toasts, toast].slice(-3) });
	setTimeout(dismissToast, 6000, toast);
}

export const dismissToast = (toast) => change({ toasts: state.toasts.filter((other) => other !== toast) });

export function errorText(error) {
	const { name, code, data, message = error } = error ?? {};
	const count = Math.ceil(data?.retryAfterSeconds);
	if (name === "tooMany" && count > 0) return t("error.tooManyFor", { count });
	const key = `error.${code === -32602 ? "invalid" : data?.reason ?? name}`;
	return hasText(key) ? t(key) : t("error.other", { message: String(message).slice(0, 200) });
}

export const toastErrors = (promise) => promise.catch((error) => showToast(errorText(error), true));
