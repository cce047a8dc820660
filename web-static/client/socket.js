/** In ms; the hub verifies one password after another. */
const openTimeout = 5_000;
const signInTimeout = 15_000;
const stuckAfter = 1_000;

export class Socket {
	lastReceivedAt = performance.now();
	openedAt = null;
	#socket = null;
	#isClosed = false;

	constructor(url, owner) {
		this.url = url;
		this.owner = owner;
		this.#startTimeout(openTimeout);
		try {
			this.#socket = new WebSocket(url, "callhub.v1");
		} catch (error) {
			owner.problem(`no WebSocket could be created: ${error.message}`);
			return this.#startTimeout(0);
		}
		const onopen = () => {
			this.openedAt = this.lastReceivedAt = performance.now();
			this.#startTimeout(signInTimeout);
			owner.opened(this);
		};
		const onmessage = ({ data }) => this.#receive(data);
		Object.assign(this.#socket, { binaryType: "arraybuffer", onopen, onmessage, onclose: () => this.#handleClose() });
	}

	cancelTimeout() {
		clearTimeout(this.timer);
	}

	send(data) {
		if (this.#socket?.readyState !== WebSocket.OPEN) return false;
		this.#socket.send(data);
		return true;
	}

	request = (id, method, params) => this.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));

	/** Not with code 1000, which would end the session. */
	close() {
		this.#socket?.close(4000);
		this.#handleClose();
	}

	closeIfStuck() {
		if (this.openedAt === null && performance.now() - this.lastReceivedAt > stuckAfter) this.close();
	}

	#startTimeout(time) {
		this.cancelTimeout();
		this.timer = setTimeout(() => this.close(), time);
	}

	#receive(data) {
		if (this.#isClosed) return;
		this.lastReceivedAt = performance.now();
		try {
			if (typeof data === "string") this.owner.message(this, JSON.parse(data));
			else this.owner.packet(this, new Uint8Array(data));
		} catch (error) {
			this.owner.problem(`a message from the hub could not be parsed: ${error.message}`);
		}
	}

	#handleClose() {
		this.cancelTimeout();
		if (this.#isClosed) return;
		this.#isClosed = true;
		this.owner.closed(this);
	}
}
