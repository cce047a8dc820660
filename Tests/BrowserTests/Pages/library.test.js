import { AudioError, CallHub, HubError, formatHandle, parseHandle } from "../callhub.js";
import { CallList } from "../client/call-list.js";
import { backoffDelay } from "../client/connection.js";
import { newSecret, newUUID } from "../client/identifier.js";
import { NotificationReceiver } from "../client/notification-receiver.js";
import { Store } from "../client/store.js";
import { call as snapshot } from "./fake-hub.js";
import { equal, next, ok, test, throws } from "./harness.js";

test("a handle is parsed as it is written", () => {
    const handles = { "bob": "generic", "phoneNumber:+49 30": "phoneNumber", "emailAddress:a@b": "emailAddress", "a:b": "generic" };
    for (const [text, type] of Object.entries(handles)) {
        equal(parseHandle(text).type, type);
        equal(formatHandle(parseHandle(text)), text);
    }
    equal(formatHandle({ type: "generic", value: "phoneNumber:7" }), "generic:phoneNumber:7");
    equal(parseHandle({ type: "generic", value: "x", more: 1 }), { type: "generic", value: "x" });
    equal(formatHandle(null), "");
});

test("names are random and in the format that the hub requires", () => {
    ok(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(newUUID()), "a UUID of version 4");
    ok(newUUID() !== newUUID(), "another each time");
    ok(newSecret().length === 43 && newSecret() !== newSecret(), "32 bytes");
});

test("reconnection attempts come 0.2 s apart, then up to 10 s", () => {
    const steps = Array.from({ length: 9 }, (_, attempts) => backoffDelay(attempts, 1));
    equal(steps, [200, 400, 800, 1600, 3200, 6400, 10000, 10000, 10000]);
    equal(backoffDelay(0, 0), 100);
});

test("the seq of a closing message is reused, or skipped", () => {
    const receiver = new NotificationReceiver(() => {}, { sources() {} });
    const take = (seq, method = "x") => receiver.receive(method, { seq });
    receiver.reset();
    equal([1, 2, 2, 1].map((seq) => take(seq)), ["new", "new", "duplicate", "duplicate"]);
    equal(take(3, "session.closing"), "new");
    equal(receiver.lastSeq, 2);
    equal([4, 6, 5].map((seq) => take(seq)), ["new", "gap", "new"]);
    receiver.reset({ seq: 2 });
    equal(take(4), "gap");
});

test("a list of calls reports each ring and each end once", () => {
    const told = [];
    const list = new CallList(() => {}, (event, call) => event === "calls" || told.push([event, call.uuid, call.cause]));
    const rings = snapshot("a", { state: "ringing", hasConnected: false });
    [rings, rings, { ...rings, remoteIsRinging: true }, snapshot("a"), rings].forEach((each) => list.changed(each));
    list.replace([rings, snapshot("b")]);
    equal(list.calls.map(({ uuid }) => uuid), ["a", "b"]);
    list.replace([snapshot("b"), snapshot("c", { state: "ended", hasEnded: true })]);
    list.replace([], { endedReason: "failed", cause: "shutdown" });
    list.replace([], { endedReason: "failed", cause: "shutdown" });
    equal(told, [["incoming", "a", null], ["ended", "a", "connectionLost"], ["ended", "b", "shutdown"]]);
});

test("a call that ended before its start was answered is not started again", () => {
    const list = new CallList(() => {}, () => {});
    list.changed(snapshot("a", { state: "ended", hasEnded: true, cause: "offline" }));
    equal([list.started({ uuid: "a", state: "starting" }).cause, list.calls.length], ["offline", 0]);
    ["starting", "connected"].forEach((state) => list.changed(snapshot("c", { state })));
    list.changed(snapshot("c", { state: "ended", hasEnded: true, cause: "declined" }));
    equal([list.started({ uuid: "c", state: "starting" }).cause, list.calls.length], ["declined", 0]);
    list.changed(snapshot("b"));
    equal(list.started({ uuid: "b", state: "starting" }).state, "connected");
});

test("accept chooses what ends no other call, or nothing", async () => {
    const requests = [];
    const list = new CallList((actions) => Promise.resolve(requests.push(actions)), () => {});
    const [answer, end] = [{ type: "answer", callUUID: "a" }, { type: "end", callUUID: "b" }];
    const hold = { type: "setHeld", callUUID: "b", isOnHold: true };
    const choices = [
        { name: "endAndAccept", actions: [end, answer] }, { name: "holdAndAccept", actions: [hold, answer] },
        { name: "decline", actions: [{ type: "end", callUUID: "a" }] },
    ];
    list.changed(snapshot("a", { state: "ringing", choices }));
    const [call] = list.calls;
    equal(call.choices.map((choice) => call.endedBy(choice)), [["b"], [], []]);
    await call.accept();
    equal(requests, [[hold, answer]]);
    list.changed(snapshot("a", { state: "ringing", choices: choices.filter(({ name }) => name !== "holdAndAccept") }));
    equal((await throws(() => call.accept())).name, "invalidArgument");
    equal(requests.length, 1);
});

test("decline and end carry a text for the caller", async () => {
    const requests = [];
    const list = new CallList((actions) => Promise.resolve(requests.push(...actions)), () => {});
    const end = { type: "end", callUUID: "a" };
    const choices = [
        { name: "accept", actions: [{ type: "answer", callUUID: "a" }] }, { name: "decline", actions: [end] },
    ];
    list.changed(snapshot("a", { state: "ringing", choices }));
    const [call] = list.calls;
    await call.choose("decline", { message: "Call me later" });
    await call.choose("decline");
    equal(requests, [{ ...end, message: "Call me later" }, end]);
    equal((await throws(() => call.choose("accept", { message: "Hi" }))).name, "invalidArgument");
    await call.end({ onlyHere: true, message: "In a meeting" });
    await call.end();
    equal(requests.slice(2), [{ ...end, onlyHere: true, message: "In a meeting" }, end]);
});

test("a call has the people in the conversation and the text of a decline as properties", () => {
    const list = new CallList(() => {}, () => {});
    const carol = { handle: { type: "generic", value: "carol" }, name: "Carol", nameSource: "contact" };
    list.changed(snapshot("a"));
    const [call] = list.calls;
    equal([call.participants, call.message], [[], null]);
    const wrong = [null, 7, {}, { ...carol, handle: "carol" }, { ...carol, name: 7 }];
    list.changed(snapshot("a", { participants: [{ ...carol, more: 1 }, ...wrong] }));
    equal(call.participants, [carol]);
    list.changed(snapshot("a", { participants: "carol", message: 7 }));
    equal([call.participants, call.message], [[], null]);
    list.changed(snapshot("a", { state: "ended", hasEnded: true, cause: "declined", message: "Later" }));
    equal(call.message, "Later");
});

test("mute and end show at once; a refusal takes them back, a request that has timed out is repeated", async () => {
    const requests = [];
    const request = ([{ type, isMuted }]) => {
        const { promise, ...settle } = Promise.withResolvers();
        requests.push({ type, isMuted, ...settle });
        return promise;
    };
    const list = new CallList(request, () => {});
    list.changed(snapshot("a"));
    const [call] = list.calls;
    const muted = call.mute();
    equal([call.isMuted, requests.length], [true, 1]);
    list.changed(snapshot("a", { remoteIsOnHold: true }));
    equal(call.isMuted, true, "the hub does not know it yet");
    requests[0].reject({ name: "timedOut" });
    while (requests.length < 2) await null;
    requests[1].resolve();
    await muted;
    list.changed(snapshot("a", { isMuted: true }));
    equal(call.isMuted, true);
    list.changed(snapshot("a"));
    equal(call.isMuted, false, "unmuted elsewhere");
    const [refused, ended] = [call.mute(), call.end()];
    equal([call.isMuted, call.isEnding], [true, true]);
    for (const { reject } of requests.slice(2)) reject({ name: "invalidAction" });
    await Promise.all([throws(() => refused), throws(() => ended)]);
    equal([call.isMuted, call.isEnding], [false, false]);
});

test("hold shows at once and silences the call, resume only when the hub says so; a refusal takes both back", async () => {
    const requests = [];
    const request = ([{ type, isOnHold }]) => {
        const { promise, ...settle } = Promise.withResolvers();
        requests.push({ type, isOnHold, ...settle });
        return promise;
    };
    const list = new CallList(request, () => {});
    list.changed(snapshot("a"));
    const [call] = list.calls;
    const shown = () => [call.isHolding, call.isResuming];
    let done = call.hold();
    equal(shown(), [true, false]);
    requests[0].reject({ name: "connectionLost" });
    while (requests.length < 2) await null;
    requests[1].resolve();
    await done;
    equal(shown(), [true, false], "accepted, and not performed yet");
    list.changed(snapshot("a", { state: "held", isOnHold: true }));
    equal(shown(), [false, false]);
    done = call.resume();
    equal(shown(), [false, true]);
    requests[2].reject({ name: "timedOut" });
    await throws(() => done);
    equal([shown(), requests.length], [[false, false], 3], "a resume is not repeated");
    const refused = call.resume();
    requests[3].resolve();
    await refused;
    list.changed(snapshot("a"));
    equal(shown(), [false, false]);
    const taken = call.hold();
    requests[4].reject({ name: "invalidAction" });
    await throws(() => taken);
    equal(shown(), [false, false]);
});

test("a malformed call has members of the right types", () => {
    const list = new CallList(() => {}, () => {});
    const odd = { state: 7, remoteHandle: "x", localizedCallerName: "n".repeat(1e5), choices: [null, { name: 7 }, 3], isMuted: "yes" };
    list.changed({ uuid: "a", ...odd, update: 1, accept: 2, __proto__: null });
    const [call] = list.calls;
    equal([call.state, call.remoteHandle, call.localizedCallerName.length, call.choices, call.isMuted], [null, null, 512, [], false]);
    equal(typeof call.accept, "function");
});

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

test("a call is made, rings once, is answered, held and ended", async () => {
    const [ann, bob] = await Promise.all(["ann", "bob"].map(signedIn));
    const ring = next(bob, "incoming");
    const call = await ann.call("bob");
    equal([call.state, call.isOutgoing, ann.calls.length], ["starting", true, 1]);
    const { detail } = await ring;
    equal(detail.call.choices.map(({ name }) => name), ["accept", "decline"]);
    await detail.call.accept();
    await until(call, () => call.state === "connected");
    await call.hold();
    await until(detail.call, () => detail.call.remoteIsOnHold);
    await call.resume();
    const tone = next(bob, "dtmf");
    await call.playDTMF("1,2");
    equal((await tone).detail.digits, "1");
    const over = next(ann, "ended");
    await detail.call.end();
    equal([(await over).detail.call === call, call.endedReason, ann.calls.length], [true, "remoteEnded", 0]);
    equal((await throws(() => call.hold())) instanceof HubError, true);
    equal((await throws(() => call.choose("accept"))).name, "invalidArgument");
    ann.signOut();
    bob.signOut();
});

test("a call is declined with a text, which its caller is shown", async () => {
    const [ann, bob] = await Promise.all([signedIn("asker"), signedIn("decliner")]);
    const rings = next(bob, "incoming");
    const call = await ann.call(bob.account);
    const { detail } = await rings;
    const over = next(ann, "ended");
    await detail.call.choose("decline", { message: "Can't talk now, call me later" });
    equal([(await over).detail.call === call, call.cause, call.message], [true, "declined", "Can't talk now, call me later"]);
    equal(detail.call.message, null);
    ann.signOut();
    bob.signOut();
});

test("calls are swapped, merged and split", async () => {
    const ann = await signedIn("swapper");
    const first = await ann.call("echo");
    await until(first, () => first.state === "connected");
    const second = await ann.call("tone");
    await until(second, () => second.state === "connected");
    equal(first.isOnHold, true);
    const swap = ann.swap();
    equal([second.isHolding, first.isResuming, ann.audio.areCallsMuted], [true, true, true], "at once");
    await swap;
    await until(second, () => second.isOnHold);
    await until(first, () => !first.isOnHold);
    equal([second.isHolding, first.isResuming, ann.audio.areCallsMuted], [false, false, false]);
    await ann.merge();
    await until(ann, () => first.group !== null && second.group === first.group, "calls");
    await first.split();
    await until(first, () => first.group === null);
    ann.signOut();
    equal([first.hasEnded, ann.calls.length, ann.account], [true, 0, null]);
    equal((await throws(() => ann.call("echo"))).name, "signedOut");
});

test("an invalid request is refused with a sentence, and not sent", async () => {
    const ann = await signedIn("muddled");
    const wrong = [
        () => ann.call(5), () => ann.call(null), () => ann.call(undefined), () => ann.call(["echo"]),
        () => ann.transaction("x"), () => ann.transaction(), () => ann.transaction([null]), () => ann.transaction(["end"]),
        () => ann.swap(), () => ann.swap("x"), () => ann.merge(), () => ann.merge("x"), () => ann.merge("x", "y"),
    ];
    for (const attempt of wrong) equal([String(attempt), (await throws(attempt)).name], [String(attempt), "invalidArgument"]);
    equal(ann.calls.length, 0);
    const error = await throws(() => ann.audio.use({ speaker: "there is none" }));
    equal([error instanceof AudioError, error.kind, ann.audio.speaker], [true, "noSpeaker", null]);
    ann.signOut();
});

test("a request beyond the hub's limit is not sent", async () => {
    const ann = await signedIn("talker");
    equal((await throws(() => ann.call("x".repeat(70_000)))).name, "tooLarge");
    equal(ann.state, "online");
    ann.signOut();
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

/** Whose locks this page has or waits for. */
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

test("a refused sign-in ends, even if it was to keep trying", async () => {
    const hub = new CallHub({ storage: null });
    equal((await throws(() => hub.signIn({ account: "echo", keepTrying: true }))).code, 409);
    equal([hub.state, hub.closing.reason], ["closed", "refused"]);
    await hub.signIn({ account: "patient" });
    hub.signOut();
});

test("a value that cannot be written as JSON is refused, and nothing waits for it", async () => {
    const hub = await signedIn("knot");
    const knot = {};
    knot.knot = knot;
    for (const params of [knot, { big: 1n }]) {
        equal((await throws(() => hub.request("session.ping", params))).name, "invalidArgument");
    }
    await hub.request("session.ping", { deed() {} });
    hub.signOut();
});

async function signedIn(account) {
    const hub = new CallHub({ storage: null });
    await hub.signIn({ account });
    return hub;
}

async function until(target, isSo, event = "change") {
    while (!isSo()) {
        await next(target, event);
    }
}
