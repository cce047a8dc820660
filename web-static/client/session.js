import { Connection } from "./connection.js";
import { NotificationReceiver } from "./notification-receiver.js";
import { isObject, libraryError, objectOf } from "./validation.js";
import { PendingRequests } from "./pending-requests.js";
import { SessionCredentials } from "./session-credentials.js";

const offlineStates = new Set(["signedOut", "steppedBack", "closed"]);
const resumable = new Set(["draining", "slowConsumer", "policy"]);
const retriableCodes = new Set([0, 429, 503]);
const unreachable = libraryError("unreachable", "the hub cannot be reached");
const signedOut = libraryError("signedOut", "nobody is signed in");

export class Session {
	#state = "signedOut";
	#closing = null;
	#requests = new PendingRequests(
		(...request) => this.#state === "online" && this.connection.current?.request(...request),
		(...answer) => this.#answer(...answer),
	);

	constructor(report, sound) {
		this.report = report;
		this.notifications = new NotificationReceiver(report, sound);
		this.credentials = new SessionCredentials(report);
		this.connection = new Connection({
			isInCall: () => this.notifications.activeCalls.size > 0,
			address: () => this.credentials.nextAddress(),
			opened: (socket) => this.#openSession(socket),
			signInMessage: (socket, message) => message.id === "open" && this.#handleOpenResponse(socket, message),
			message: (socket, message) => this.#receive(socket, message),
			packet: (bytes, at) => sound.packet(bytes, at),
			recovered: () => this.notifications.resumedCalls || this.#goOnline(false),
			lost: () => this.#update("reconnecting"),
			failed: () => !this.credentials.mustSucceed || this.#rejectSignIn(unreachable),
			retryScheduled: () => this.#update(),
			problem: (message) => report({ kind: "problem", message }),
		});
	}

	open({ url, open, keepTrying, held = null, seq, sound }) {
		this.stop(held ? "reconnecting" : "connecting");
		this.credentials.reset(url, open, held, !held && !keepTrying);
		this.notifications.reset({ seq, ...sound });
		this.connection.start();
	}

	stop(state, closing = null) {
		this.connection.stop();
		this.#requests.failAll(signedOut);
		this.notifications.reset();
		this.credentials.reset();
		this.#update(state, closing);
	}

	stepBack = () => this.stop("steppedBack");

	signOut() {
		this.connection.current?.request("close", "session.close");
		this.stop("signedOut");
	}

	checkConnection = () => this.connection.check();
	send = (bytes) => this.connection.current?.send(bytes);

	request(request) {
		if (offlineStates.has(this.#state)) this.#answer(request, signedOut, null);
		else this.#requests.start(request);
	}

	#answer({ id, method, params }, error, result) {
		if (method === "session.refresh" && !error) {
			this.credentials.refreshed(params.token, result.expiresAt);
			this.#saveSession();
		}
		this.report({ kind: "answer", id, error, result });
	}

	#openSession(socket) {
		socket.request("open", "session.open", this.credentials.parameters(socket.url, this.notifications.lastSeq));
	}

	#handleOpenResponse(socket, { result, error }) {
		const isOpen = typeof result?.session === "string" && typeof result.resumeToken === "string";
		const refusal = objectOf(error) ?? libraryError("unreachable", "the address is not that of a hub");
		if (!isOpen) return this.#handleRefusal(socket, refusal);
		const isResumed = result.resumed === true;
		if (!isResumed) this.credentials.heldSession ? this.#loseSession("connectionLost") : this.notifications.reset();
		this.credentials.opened(result, socket.url);
		this.#closing = null;
		this.#requests.limit = Number(result.limits?.maximumMessageBytes) || Infinity;
		this.connection.adopt(socket);
		this.connection.notBefore = 0;
		this.report({ kind: "opened", result });
		this.#saveSession();
		if (!isResumed) return this.#goOnline(true);
		this.notifications.beginReplay(result.calls);
		socket.request("fence", "session.ping", {});
	}

	#handleRefusal(socket, error) {
		const { code, data } = error;
		const isGone = code === 440 && this.credentials.heldSession;
		if (isGone) this.#loseSession("connectionLost");
		if (isGone || (code === 403 && this.credentials.reducePermissions())) return this.#openSession(socket);
		if (this.credentials.mustSucceed) return this.#rejectSignIn(error);
		const reason = code === 401 ? "credentials" : "refused";
		if (!retriableCodes.has(code)) return this.stop("closed", { reason, retryAt: null, error });
		this.connection.notBefore = retryTime(data?.retryAfterSeconds) ?? 0;
		socket.close();
	}

	#goOnline(isNewConnection) {
		this.#update("online");
		this.#requests.resend(isNewConnection);
	}

	#receive(socket, message) {
		const { id, method, params } = message;
		if (typeof method === "string" && isObject(params)) {
			const verdict = this.notifications.receive(method, params, socket);
			if (verdict === "gap") this.connection.reconnect();
			if (method === "session.closing" && verdict !== "duplicate") this.#handleClosing(socket, params);
			if (method === "provider.perform") this.#requests.actionPerformed(params.action?.uuid);
		} else if (id === "fence" && this.notifications.resumedCalls) {
			this.notifications.endReplay();
			this.#goOnline(true);
		} else {
			this.#requests.receiveResponse(message);
		}
	}

	#handleClosing(socket, params) {
		const closing = parseClosing(params, socket.url);
		const { reason, retryAt, address } = closing;
		if (reason === "replaced") return this.connection.attempt?.openedAt || this.stepBack();
		if (reason === "signedOut" || (reason === "expired" && this.credentials.hasExpired)) {
			this.report({ kind: "remove" });
			return this.stop("closed", closing);
		}
		if (!resumable.has(reason)) this.#loseSession(reason === "expired" ? "connectionLost" : "shutdown");
		this.connection.notBefore = retryAt ?? 0;
		this.credentials.setAddresses(address, socket.url);
		this.#update(this.#state, closing);
	}

	#loseSession(cause) {
		this.credentials.heldSession = null;
		this.#requests.failAll(libraryError("connectionLost", "the session has ended before the hub answered"), 1);
		this.notifications.reset();
		this.report({ kind: "reset", cause });
	}

	#rejectSignIn(error) {
		this.stop("signedOut");
		this.report({ kind: "rejected", error });
	}

	#saveSession() {
		const { sound, lastSeq: seq } = this.notifications;
		const { record, expiresAt } = this.credentials;
		this.report({ kind: "save", record: { ...record, sound }, seq, expiresAt });
	}

	#update(state = this.#state, closing = this.#closing) {
		this.#state = state;
		this.#closing = closing;
		this.report({ kind: "state", state, retryAt: this.connection.retryAt, closing });
	}
}

export function parseClosing({ reason, retryAfterSeconds, url }, from) {
	const { protocol, href } = (typeof url === "string" && url.length <= 2_048 && URL.parse(url)) || {};
	const address = protocol === "wss:" || (protocol === "ws:" && !from.startsWith("wss:")) ? href : null;
	return { reason: String(reason).slice(0, 64), retryAt: retryTime(retryAfterSeconds), address };
}

function retryTime(seconds) {
	return Number.isFinite(seconds) && seconds >= 0 ? Date.now() + Math.min(seconds, 3_600) * 1_000 : null;
}
