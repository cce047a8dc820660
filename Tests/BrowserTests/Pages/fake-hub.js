/** A hub scripted by the test: it replaces the browser's WebSocket under the real modules of `client/`. */
import { Session } from "../client/session.js";

/** A queue whose items go to the first waiting taker that they match. */
class Waiting {
    #items = [];
    #takers = [];

    put(item) {
        const taker = this.#takers.find(({ matches }) => matches(item));
        this.#takers = this.#takers.filter((other) => other !== taker);
        taker ? taker.take(item) : this.#items.push(item);
    }

    next(matches = () => true) {
        const item = this.#items.find(matches);
        if (item !== undefined) {
            this.#items.splice(this.#items.indexOf(item), 1);
            return Promise.resolve(item);
        }
        return new Promise((take) => this.#takers.push({ matches, take }));
    }

    get all() {
        return this.#items;
    }
}

let sockets = new Waiting();
let former = null;

class FakeWebSocket {
    static OPEN = 1;
    readyState = 0;
    closedWith = null;
    #sent = new Waiting();

    constructor(url) {
        this.url = url;
        sockets.put(this);
    }

    send(data) {
        this.#sent.put(typeof data === "string" ? JSON.parse(data) : data);
    }

    close(code) {
        this.readyState = 3;
        this.closedWith ??= code;
    }

    // The hub's side.

    accept() {
        this.readyState = 1;
        this.onopen();
        return this;
    }

    end() {
        this.readyState = 3;
        this.onclose();
    }

    text(text) {
        this.onmessage({ data: text });
    }

    asked(method) {
        return this.#sent.next((message) => message.method === method);
    }

    unasked(method) {
        return this.#sent.all.every((message) => message.method !== method);
    }

    answer({ id }, result) {
        this.text(JSON.stringify({ jsonrpc: "2.0", id, result }));
    }

    refuse({ id }, error) {
        this.text(JSON.stringify({ jsonrpc: "2.0", id, error }));
    }

    tell(method, params) {
        this.text(JSON.stringify({ jsonrpc: "2.0", method, params }));
    }
}

/** The next socket that the client opens. @returns {Promise<FakeWebSocket>} */
export function socket() {
    return sockets.next();
}

/** A session under test, its reports, and its calls of the RTP session. */
export function client() {
    globalThis.WebSocket = FakeWebSocket;
    former?.stop("signedOut");
    sockets = new Waiting();
    const reports = new Waiting();
    const sound = [];
    const note = (name) => (value) => void sound.push([name, value?.id ?? null]);
    const log = [];
    const session = new Session(
        (report) => {
            log.push(report);
            reports.put(report);
        },
        { activate: note("activate"), deactivate: note("deactivate"), sources() {}, packet: note("packet") },
    );
    former = session;
    const heard = (kind, matches = () => true) => reports.next((report) => report.kind === kind && matches(report));
    const state = (name) => heard("state", (report) => report.state === name);
    return { session, sound, log, heard, state };
}

export const home = "ws://hub.test/v1";

export function opened(more = {}) {
    return {
        session: "s1", resumeToken: "t1", resumed: false, account: "ann", handles: [], device: { id: "d", name: null },
        calls: [], hub: {}, limits: {}, ...more,
    };
}

/** A client that is signed in. */
export async function online(open = { account: "ann" }) {
    const made = client();
    made.session.open({ url: home, open, keepTrying: false });
    const hub = (await socket()).accept();
    hub.answer(await hub.asked("session.open"), opened());
    await made.state("online");
    return { ...made, hub };
}

/** Resumes the session on a socket, as the hub does. */
export async function resume(hub, more = {}, missed = () => {}) {
    const request = await hub.accept().asked("session.open");
    hub.answer(request, opened({ resumed: true, ...more }));
    missed();
    hub.answer(await hub.asked("session.ping"), {});
    return request.params.resume;
}

export function call(uuid, more = {}) {
    return { uuid, state: "connected", isOutgoing: false, hasEnded: false, hasConnected: true, ...more };
}
