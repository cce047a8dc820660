/** Ms to open, and to sign in: passwords wait for one another. */
const openLimit = 5_000;
const greetingLimit = 15_000;
const stuck = 1_000;

export class Socket {
	heard = performance.now();
	opened = null;
	#socket = null;
	#isOver = false;

	constructor(url, owner) {
		this.url = url;
		this.owner = owner;
		this.#allow(openLimit);
		try {
			this.#socket = new WebSocket(url, "callhub.v1");
		} catch (error) {
			owner.problem(`no WebSocket to be had: ${error.message}`);
			return this.#allow(0);
		}
		const onopen = () => {
			this.opened = this.heard = performance.now();
			this.#allow(greetingLimit);
			owner.opened(this);
		};
		const onmessage = ({ data }) => this.#take(data);
		Object.assign(this.#socket, { binaryType: "arraybuffer", onopen, onmessage, onclose: () => this.#end() });
	}

	settle() {
		clearTimeout(this.limit);
	}

	send(data) {
		if (this.#socket?.readyState !== WebSocket.OPEN) return false;
		this.#socket.send(data);
		return true;
	}

	request = (id, method, params) => this.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));

	/** At once, and not with 1000, which ends the session. */
	close() {
		this.#socket?.close(4000);
		this.#end();
	}

	wake() {
		if (this.opened === null && performance.now() - this.heard > stuck) this.close();
	}

	#allow(time) {
		this.settle();
		this.limit = setTimeout(() => this.close(), time);
	}

	#take(data) {
		if (this.#isOver) return;
		this.heard = performance.now();
		try {
			if (typeof data === "string") this.owner.message(this, JSON.parse(data));
			else this.owner.packet(this, new Uint8Array(data));
		} catch (error) {
			this.owner.problem(`a message of the hub could not be read: ${error.message}`);
		}
	}

	#end() {
		this.settle();
		if (this.#isOver) return;
		this.#isOver = true;
		this.owner.closed(this);
	}
}
