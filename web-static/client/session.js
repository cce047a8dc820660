import { readClosing, retryTime } from "./closing.js";
import { Connection } from "./connection.js";
import { Inbox } from "./inbox.js";
import { isObject, objectOf, ownError } from "./read.js";
import { Requests } from "./rpc.js";
import { SignIn } from "./sign-in.js";

const over = new Set(["signedOut", "steppedBack", "closed"]);
/** Reasons to close, and codes of errors. */
const resumable = new Set(["draining", "slowConsumer", "policy"]);
const passing = new Set([0, 429, 503]);
const signedOut = ownError("signedOut", "nobody is signed in");

export class Session {
	#state = "signedOut";
	#closing = null;
	#requests = new Requests(
		(...request) => this.#state === "online" && this.link.current?.request(...request),
		(...answer) => this.#answer(...answer),
	);

	constructor(report, sound) {
		this.report = report;
		this.inbox = new Inbox(report, sound);
		this.signIn = new SignIn(report);
		this.link = new Connection({
			isBusy: () => this.inbox.alive.size > 0,
			address: () => this.signIn.address(),
			opened: (socket) => this.#greet(socket),
			greeted: (socket, message) => message.id === "open" && this.#greeted(socket, message),
			message: (socket, message) => this.#heard(socket, message),
			packet: (bytes, at) => sound.packet(bytes, at),
			back: () => this.inbox.missed || this.#online(false),
			lost: () => this.#become("reconnecting"),
			failed: () => !this.signIn.mustSucceed || this.#reject(ownError("unreachable", "no hub answers there")),
			waiting: () => this.#become(),
			problem: (message) => report({ kind: "problem", message }),
		});
	}

	open({ url, open, keepTrying, held = null, seq, sound }) {
		this.stop(held ? "reconnecting" : "connecting");
		this.signIn.begin(url, open, held, !held && !keepTrying);
		this.inbox.begin({ seq, ...sound });
		this.link.start();
	}

	stop(state, closing = null) {
		this.link.stop();
		this.#requests.fail(signedOut);
		this.inbox.begin();
		this.signIn.begin();
		this.#become(state, closing);
	}

	/** Without a word to the hub: another tab may resume it. */
	stepBack = () => this.stop("steppedBack");

	signOut() {
		this.link.current?.request("close", "session.close");
		this.stop("signedOut");
	}

	wake = () => this.link.wake();
	send = (bytes) => this.link.current?.send(bytes);

	request(request) {
		if (over.has(this.#state)) this.#answer(request, signedOut, null);
		else this.#requests.ask(request);
	}

	#answer({ id, method, params }, error, result) {
		if (method === "session.refresh" && !error) {
			this.signIn.refreshed(params.token, result.expiresAt);
			this.#keep();
		}
		this.report({ kind: "answer", id, error, result });
	}

	#greet(socket) {
		socket.request("open", "session.open", this.signIn.parameters(socket.url, this.inbox.seen));
	}

	#greeted(socket, { result, error }) {
		const isOpen = typeof result?.session === "string" && typeof result.resumeToken === "string";
		const refusal = objectOf(error) ?? ownError("unreachable", "what answers there is no hub");
		if (!isOpen) return this.#refused(socket, refusal);
		const isResumed = result.resumed === true;
		if (!isResumed) this.signIn.held ? this.#lose("connectionLost") : this.inbox.begin();
		this.signIn.opened(result, socket.url);
		this.#closing = null;
		this.#requests.limit = Number(result.limits?.maximumMessageBytes) || Infinity;
		this.link.settle(socket);
		this.link.notBefore = 0;
		this.report({ kind: "opened", result });
		this.#keep();
		if (!isResumed) return this.#online(true);
		this.inbox.catchUp(result.calls);
		socket.request("fence", "session.ping", {});
	}

	#refused(socket, error) {
		const { code, data } = error;
		const isGone = code === 440 && this.signIn.held;
		if (isGone) this.#lose("connectionLost");
		if (isGone || (code === 403 && this.signIn.asksLess())) return this.#greet(socket);
		if (this.signIn.mustSucceed) return this.#reject(error);
		const reason = code === 401 ? "credentials" : "refused";
		if (!passing.has(code)) return this.stop("closed", { reason, retryAt: null, error });
		this.link.notBefore = retryTime(data?.retryAfterSeconds) ?? 0;
		socket.close();
	}

	#online(isNew) {
		this.#become("online");
		this.#requests.resume(isNew);
	}

	#heard(socket, message) {
		const { id, method, params } = message;
		if (typeof method === "string" && isObject(params)) {
			const verdict = this.inbox.take(method, params, socket);
			if (verdict === "hole") this.link.reopen();
			if (method === "session.closing" && verdict !== "seen") this.#asked(socket, params);
			if (method === "provider.perform") this.#requests.performed(params.action?.uuid);
		} else if (id === "fence" && this.inbox.missed) {
			this.inbox.caughtUp();
			this.#online(true);
		} else {
			this.#requests.answered(message);
		}
	}

	#asked(socket, params) {
		const closing = readClosing(params, socket.url);
		const { reason, retryAt, address } = closing;
		if (reason === "replaced") return this.link.attempt?.opened || this.stepBack();
		if (reason === "signedOut" || (reason === "expired" && this.signIn.hasExpired)) {
			this.report({ kind: "forget" });
			return this.stop("closed", closing);
		}
		if (!resumable.has(reason)) this.#lose(reason === "expired" ? "connectionLost" : "shutdown");
		this.link.notBefore = retryAt ?? 0;
		this.signIn.send(address, socket.url);
		this.#become(this.#state, closing);
	}

	#lose(cause) {
		this.signIn.held = null;
		this.#requests.fail(ownError("connectionLost", "the session has ended before the hub answered"), 1);
		this.inbox.begin();
		this.report({ kind: "reset", cause });
	}

	#reject(error) {
		this.stop("signedOut");
		this.report({ kind: "rejected", error });
	}

	#keep() {
		const { sound, seen: seq } = this.inbox;
		const { record, expiresAt } = this.signIn;
		this.report({ kind: "keep", record: { ...record, sound }, seq, expiresAt });
	}

	#become(state = this.#state, closing = this.#closing) {
		this.#state = state;
		this.#closing = closing;
		this.report({ kind: "state", state, retryAt: this.link.retryAt, closing });
	}
}
