import { CallHub } from "../callhub.js";
import { Store } from "../client/store.js";
import { equal, next, test, throws } from "./harness.js";
import { signedIn, until } from "./signed-in.js";

test("stored data is returned, and removed", () => {
    const store = new Store("ws://keep.test/v1");
    const record = { open: { account: "ann" }, held: { session: "s", resumeToken: "t", address: "a" }, sound: {} };
    store.save("ann", { record, seq: 7 });
    store.save("ann", { seq: 8 });
    equal(new Store("ws://keep.test/v1").session("ann"), { record, seq: 8 });
    equal([store.account(), new Store("ws://other.test/v1").account()], ["ann", null]);
    equal(new Store("ws://keep.test/v1").device(), store.device());
    localStorage.setItem("callhub ws://keep.test/v1 session eve", "{\"open\":null}");
    equal(store.session("eve"), null);
    store.remove("ann");
    equal([store.account(), store.session("ann")], [null, null]);
    store.save("guest-1", { record, seq: 9 });
    equal(new Store("ws://keep.test/v1").session("guest-1"), { record, seq: 9 });
    equal(Object.keys(localStorage).filter((key) => key.includes("guest-1")), []);
    store.erase();
    equal(new Store("ws://keep.test/v1").session("guest-1"), null);
    equal(Object.keys(localStorage).filter((key) => key.startsWith("callhub ")), []);
});

test("without permission for storage nothing is stored, and nothing throws", () => {
    const forbidden = new Proxy({}, {
        get() {
            throw new DOMException("no", "SecurityError");
        },
        ownKeys() {
            throw new DOMException("no", "SecurityError");
        },
    });
    const store = new Store("ws://keep.test/v1", forbidden);
    store.save("ann", { record: { held: {} }, seq: 7 });
    equal([store.session("ann"), store.device() === store.device()], [null, true]);
    store.remove("ann");
    store.erase();
});

test("one tab has an account, the next one takes it over with its calls", async () => {
    const first = new CallHub();
    await first.signIn({ account: "tabs" });
    const call = await first.call("echo");
    await until(call, () => call.state === "connected");
    const second = new CallHub();
    equal([await second.restore(), second.state, second.account], [true, "steppedBack", "tabs"]);
    equal((await throws(() => second.signIn({ account: "tabs" }))).name, "anotherTab");
    await second.takeOver();
    await until(second, () => second.calls.length === 1, "calls");
    equal([first.state, first.calls.length, call.endedReason, second.calls[0].uuid === call.uuid],
        ["steppedBack", 0, "answeredElsewhere", true]);
    await first.takeOver();
    await until(first, () => first.state === "online", "state");
    equal([second.state, first.calls[0].state], ["steppedBack", "connected"]);
    first.signOut();
    await until(second, () => second.state === "signedOut", "state");
    equal([second.account, await new CallHub().restore()], [null, false]);
});

test("an account that no tab holds is restored", async () => {
    const first = new CallHub();
    await first.signIn({ account: "back" });
    const call = await first.call("echo");
    await until(call, () => call.state === "connected");
    first.stepBack();
    const second = new CallHub();
    equal([await second.restore(), second.state], [true, "reconnecting"]);
    await until(second, () => second.state === "online", "state");
    equal(second.calls.map(({ uuid, state }) => [uuid, state]), [[call.uuid, "connected"]]);
    second.signOut();
});

test("a page whose session is resumed elsewhere releases its calls", async () => {
    const hub = new CallHub();
    await hub.signIn({ account: "moved" });
    const call = await hub.call("echo");
    const other = new WebSocket(hub.url, "callhub.v1");
    await next(other, "open");
    const { record, seq } = new Store(hub.url).session("moved");
    const params = { resume: { session: record.held.session, token: record.held.resumeToken, seq } };
    other.send(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "session.open", params }));
    await until(hub, () => hub.state === "steppedBack", "state");
    equal([hub.calls.length, call.endedReason, hub.retryAt], [0, "answeredElsewhere", null]);
    other.close(1000);
    hub.signOut();
});

/** Returns the accounts of the locks that this page has or waits for, sorted. */
async function locks() {
    const { held, pending } = await navigator.locks.query();
    return [...held, ...pending].map(({ name }) => name.split(" ").at(-1)).sort();
}

test("of several sign-ins at once the last one counts, and no lock remains", async () => {
    const hub = new CallHub();
    const early = throws(() => hub.signIn({ account: "one" }));
    const late = throws(() => hub.signIn({ account: "two" }));
    await hub.signIn({ account: "two" });
    equal([(await early).name, (await late).name], ["signedOut", "signedOut"]);
    equal([hub.state, hub.account, await locks()], ["online", "two", ["two"]]);
    const again = new CallHub();
    const restored = again.restore();
    await again.signIn({ account: "three" });
    equal([await restored, again.account, hub.state, await locks()], [true, "three", "online", ["three", "two"]]);
    again.signOut();
    const left = throws(() => again.signIn({ account: "four" }));
    again.signOut();
    equal([(await left).name, again.state], ["signedOut", "signedOut"]);
    again.stepBack();
    equal([again.state, again.device, await locks()], ["signedOut", null, ["two"]]);
    hub.signOut();
});

test("a page that takes over twice, or is restored twice, keeps the session", async () => {
    const first = new CallHub();
    await first.signIn({ account: "twice" });
    const second = new CallHub();
    await Promise.all([second.restore(), second.restore()]);
    equal(second.state, "steppedBack");
    await Promise.all([second.takeOver(), second.takeOver()]);
    await until(second, () => second.state === "online", "state");
    equal([first.state, await locks()], ["steppedBack", ["twice"]]);
    second.signOut();
});

test("clients without storage are devices of their own, each with the worker that it is given", async () => {
    const worker = new Worker("/client/worker.js", { type: "module" });
    const first = new CallHub({ storage: null, worker });
    const answered = next(worker, "message");
    await first.signIn({ account: "several" });
    await answered;
    const second = await signedIn("several");
    const other = await signedIn("caller of several");
    equal([first.state, second.state, await locks()], ["online", "online", []]);
    const rings = [first, second].map((hub) => next(hub, "incoming"));
    const call = await other.call("several");
    await Promise.all(rings);
    await second.calls[0].accept();
    await until(call, () => call.state === "connected");
    for (const hub of [first, second, other]) hub.signOut();
});
