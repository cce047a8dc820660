import { Socket } from "./socket.js";

/** Ms between looks, of quiet, and for an answer. */
const inCall = { look: 250, quiet: 1_000, answer: 1_000 };
const idle = { look: 1_000, quiet: 20_000, answer: 2_000 };
const silenceLimit = 15_000;

/** Ms. */
export const backOff = (attempts, random = Math.random()) => Math.min(200 * 2 ** attempts, 10_000) * (0.5 + random / 2);

/** A socket, and a second while it is silent: the first to receive is kept. */
export class Connection {
	current = null;
	/** Ms since 1970: when the hub allows the next attempt, and when it is made. */
	notBefore = 0;
	retryAt = null;
	#attempts = 0;
	attempt = null;
	#pingedAt = null;
	#isSilent = false;

	constructor(owner) {
		this.owner = owner;
	}

	start() {
		this.notBefore = this.#attempts = 0;
		this.#watch();
		this.#try();
	}

	stop() {
		clearTimeout(this.look);
		this.settle(null);
	}

	settle(socket) {
		const former = [this.current, this.attempt];
		this.#cancelRetry();
		this.current = socket;
		this.attempt = this.#pingedAt = null;
		this.#isSilent = false;
		socket?.settle();
		for (const other of former) if (other !== socket) other?.close();
	}

	wake() {
		if (this.retryAt) {
			this.#attempts = 0;
			return this.#schedule(0);
		}
		this.attempt?.wake();
		this.#ping();
	}

	reopen() {
		if (!this.#isTrying) this.#try();
	}

	get #isTrying() {
		return this.attempt ?? this.retryAt;
	}

	#events = {
		message: (socket, message) => {
			this.#heard(socket);
			this.owner[socket === this.current ? "message" : "greeted"](socket, message);
		},
		packet: (socket, bytes) => {
			this.#heard(socket);
			if (socket === this.current) this.owner.packet(bytes, socket.heard);
		},
		closed: (socket) => {
			if (socket === this.current) {
				this.current = null;
				if (performance.now() - socket.opened > 5_000) this.#attempts = 0;
				this.owner.lost();
				if (!this.#isTrying) this.#tryLater();
			} else if (socket === this.attempt) {
				this.attempt = null;
				if (this.owner.failed()) this.#tryLater();
			}
		},
	};

	#try() {
		this.#cancelRetry();
		this.attempt = new Socket(this.owner.address(), { ...this.owner, ...this.#events });
	}

	#tryLater() {
		this.#schedule(backOff(this.#attempts));
		this.#attempts += 1;
	}

	#heard(socket) {
		if (socket !== this.current) return;
		this.#pingedAt = null;
		if (!this.#isSilent || this.attempt?.opened) return;
		this.settle(socket);
		this.owner.back();
	}

	#schedule(delay) {
		this.#cancelRetry();
		const wait = Math.max(delay, this.notBefore - Date.now());
		this.retryAt = Date.now() + wait;
		this.retry = setTimeout(() => this.#try(), wait);
		this.owner.waiting();
	}

	#cancelRetry() {
		clearTimeout(this.retry);
		this.retryAt = null;
	}

	#ping() {
		const isSent = this.#pingedAt === null && this.current?.request("ping", "session.ping", {});
		if (isSent) this.#pingedAt = performance.now();
	}

	#watch() {
		const { look, quiet, answer } = this.owner.isBusy() ? inCall : idle;
		clearTimeout(this.look);
		this.look = setTimeout(() => this.#watch(), look);
		if (!this.current) return;
		const now = performance.now();
		const silence = now - this.current.heard;
		if (silence > quiet) this.#ping();
		if (this.#pingedAt !== null && now - this.#pingedAt > answer && !this.#isSilent) {
			this.#isSilent = true;
			this.owner.lost();
			this.reopen();
		}
		if (this.#isSilent && silence > silenceLimit + quiet) this.current.close();
	}
}
