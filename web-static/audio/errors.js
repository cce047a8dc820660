export class AudioError extends Error {
	name = "AudioError";

	constructor(kind, message) {
		super(message);
		this.kind = kind;
	}
}
