import { AudioError, CallHub, HubError, formatHandle, parseHandle } from "../callhub.js";
import { backoffDelay } from "../client/connection.js";
import { newSecret, newUUID } from "../client/identifier.js";
import { NotificationReceiver } from "../client/notification-receiver.js";
import { equal, next, ok, test, throws } from "./harness.js";
import { signedIn, until } from "./signed-in.js";

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
