export const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
export const objectOf = (value) => (isObject(value) ? value : null);
export const isCall = (value) => isObject(value) && typeof value.uuid === "string";
export const objectsOf = (value, isValid = isObject) =>
	(Array.isArray(value) ? value.filter((one) => isObject(one) && isValid(one)) : []);

export class HubError extends Error {
	constructor({ code, message, data }) {
		super(typeof message === "string" ? message : "the hub gave no reason");
		this.code = Number.isFinite(code) ? code : 0;
		this.data = objectOf(data) ?? {};
		this.name = typeof this.data.name === "string" ? this.data.name : String(this.code);
	}
}

export const libraryError = (name, message) => ({ code: 0, message, data: { name } });

export function valueOrNull(body) {
	try {
		return body() ?? null;
	} catch {
		return null;
	}
}
