import { Socket } from "./socket.js";

/** In ms. */
const inCall = { checkInterval: 250, pingAfter: 1_000, pingTimeout: 1_000 };
const idle = { checkInterval: 1_000, pingAfter: 20_000, pingTimeout: 2_000 };
const silenceLimit = 15_000;

export const backoffDelay = (attempts, random = Math.random()) => (
	Math.min(200 * 2 ** attempts, 10_000) * (0.5 + random / 2));

/** While the socket is silent a second one is opened; the first that receives is kept. */
export class Connection {
	current = null;
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
		this.#checkLiveness();
		this.#connect();
	}

	stop() {
		clearTimeout(this.checkTimer);
		this.adopt(null);
	}

	adopt(socket) {
		const former = [this.current, this.attempt];
		this.#cancelRetry();
		this.current = socket;
		this.attempt = this.#pingedAt = null;
		this.#isSilent = false;
		socket?.cancelTimeout();
		for (const other of former) if (other !== socket) other?.close();
	}

	check() {
		if (this.retryAt) {
			this.#attempts = 0;
			return this.#schedule(0);
		}
		this.attempt?.closeIfStuck();
		this.#ping();
	}

	reconnect() {
		if (!this.#isReconnecting) this.#connect();
	}

	get #isReconnecting() {
		return this.attempt ?? this.retryAt;
	}

	#events = {
		message: (socket, message) => {
			this.#noteReceived(socket);
			this.owner[socket === this.current ? "message" : "signInMessage"](socket, message);
		},
		packet: (socket, bytes) => {
			this.#noteReceived(socket);
			if (socket === this.current) this.owner.packet(bytes, socket.lastReceivedAt);
		},
		closed: (socket) => {
			if (socket === this.current) {
				this.current = null;
				if (performance.now() - socket.openedAt > 5_000) this.#attempts = 0;
				this.owner.lost();
				if (!this.#isReconnecting) this.#connectLater();
			} else if (socket === this.attempt) {
				this.attempt = null;
				if (this.owner.failed()) this.#connectLater();
			}
		},
	};

	#connect() {
		this.#cancelRetry();
		this.attempt = new Socket(this.owner.address(), { ...this.owner, ...this.#events });
	}

	#connectLater() {
		this.#schedule(backoffDelay(this.#attempts));
		this.#attempts += 1;
	}

	#noteReceived(socket) {
		if (socket !== this.current) return;
		this.#pingedAt = null;
		if (!this.#isSilent || this.attempt?.openedAt) return;
		this.adopt(socket);
		this.owner.recovered();
	}

	#schedule(delay) {
		this.#cancelRetry();
		const wait = Math.max(delay, this.notBefore - Date.now());
		this.retryAt = Date.now() + wait;
		this.retryTimer = setTimeout(() => this.#connect(), wait);
		this.owner.retryScheduled();
	}

	#cancelRetry() {
		clearTimeout(this.retryTimer);
		this.retryAt = null;
	}

	#ping() {
		const isSent = this.#pingedAt === null && this.current?.request("ping", "session.ping", {});
		if (isSent) this.#pingedAt = performance.now();
	}

	#checkLiveness() {
		const { checkInterval, pingAfter, pingTimeout } = this.owner.isInCall() ? inCall : idle;
		clearTimeout(this.checkTimer);
		this.checkTimer = setTimeout(() => this.#checkLiveness(), checkInterval);
		if (!this.current) return;
		const now = performance.now();
		const silence = now - this.current.lastReceivedAt;
		if (silence > pingAfter) this.#ping();
		if (this.#pingedAt !== null && now - this.#pingedAt > pingTimeout && !this.#isSilent) {
			this.#isSilent = true;
			this.owner.lost();
			this.reconnect();
		}
		if (this.#isSilent && silence > silenceLimit + pingAfter) this.current.close();
	}
}
