import { CallList } from "../client/call-list.js";
import { call as snapshot } from "./fake-hub.js";
import { equal, test, throws } from "./harness.js";

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

test("a call knows who has transferred it and why it came back; anything else in their place is null", () => {
    const list = new CallList(() => {}, () => {});
    const handle = { type: "generic", value: "carol" };
    const alice = { handle: { type: "generic", value: "alice" }, name: "Alice", nameSource: "contact" };
    list.changed(snapshot("a"));
    const [call] = list.calls;
    const read = (more) => (list.changed(snapshot("a", more)), [call.transferredBy, call.returnedTransfer]);
    equal([call.transferredBy, call.returnedTransfer], [null, null]);
    equal(read({ transferredBy: { ...alice, more: 1 } }), [alice, null]);
    equal(read({ returnedTransfer: { handle, cause: "declined", more: 1 } }), [null, { handle, cause: "declined" }]);
    equal(read({ returnedTransfer: { handle, cause: null } }), [null, { handle, cause: null }]);
    for (const wrong of [null, 7, "alice", [], [alice], {}, { handle: "alice", name: "Alice" }, { handle: { type: 1 } }]) {
        equal(read({ transferredBy: wrong, returnedTransfer: wrong }), [null, null]);
    }
});

test("a call is transferred to another call, to a handle, or to a handle's text", async () => {
    const requests = [];
    const list = new CallList((actions) => Promise.resolve(requests.push(...actions)), () => {});
    ["a", "b"].forEach((uuid) => list.changed(snapshot(uuid)));
    const [call, other] = list.calls;
    const transfer = (target) => ({ type: "transfer", callUUID: "a", ...target });
    await call.transferTo(other);
    await call.transferTo({ type: "phoneNumber", value: "4711" });
    await call.transferTo("carol");
    equal(requests, [
        transfer({ toCallUUID: "b" }), transfer({ toHandle: { type: "phoneNumber", value: "4711" } }),
        transfer({ toHandle: { type: "generic", value: "carol" } }),
    ]);
    equal((await throws(() => call.transferTo(7))).name, "invalidArgument");
    equal(requests.length, 3);
});
