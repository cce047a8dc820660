const network = { isDown: false, isFrozen: false, delay: 0 };
const sockets = new Set();
const RealSocket = globalThis.WebSocket;

/** Messages in one direction, in order, each after the delay. */
class Lane {
	waiting = [];

	constructor(deliver, isHeld) {
		Object.assign(this, { deliver, isHeld });
	}

	put(...message) {
		this.waiting.push({ due: performance.now() + network.delay, message });
		this.flush();
	}

	flush() {
		clearTimeout(this.timer);
		while (this.waiting.length > 0 && !this.isHeld()) {
			const wait = this.waiting[0].due - performance.now();
			if (wait > 0) return void (this.timer = setTimeout(() => this.flush(), wait));
			this.deliver(...this.waiting.shift().message);
		}
	}
}

/** The worker's WebSocket, which reports its texts, and which the page can drop, freeze and delay. */
globalThis.WebSocket = class {
	static OPEN = RealSocket.OPEN;
	outgoing = new Lane((data) => {
		this.report("request", data);
		this.socket.send(data);
	}, () => this.readyState !== RealSocket.OPEN);
	incoming = new Lane((name, event) => {
		this.report("message", event.data);
		this[name]?.(event);
	}, () => network.isFrozen);

	constructor(url, protocol) {
		if (network.isDown) throw new Error("dropped by hand");
		this.socket = new RealSocket(url, protocol);
		this.socket.binaryType = "arraybuffer";
		for (const name of ["onopen", "onmessage", "onclose"]) {
			this.socket[name] = (event) => this.incoming.put(name, event);
		}
		sockets.add(this);
	}

	get readyState() {
		return this.socket.readyState;
	}

	report(from, text) {
		if (typeof text === "string") self.postMessage({ from, text });
	}

	send(data) {
		this.outgoing.put(data);
	}

	close(code) {
		sockets.delete(this);
		this.socket.close(code);
	}
};

// Before the library's handler.
addEventListener("message", (event) => {
	if (event.data.to !== "network") return;
	event.stopImmediatePropagation();
	Object.assign(network, event.data.change);
	for (const socket of [...sockets]) {
		if (network.isDown) {
			socket.close(4000);
			socket.incoming.waiting = [];
			socket.onclose?.();
		}
		socket.outgoing.flush();
		socket.incoming.flush();
	}
});
