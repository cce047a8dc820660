import { parseClosing } from "../client/session.js";
import { call, client, home, online, opened, resume, socket } from "./fake-hub.js";
import { equal, ok, test } from "./harness.js";

test("a refused sign-in ends", async () => {
    const { session, heard, log } = client();
    session.open({ url: home, open: { account: "ann", password: "wrong" }, keepTrying: false });
    const hub = (await socket()).accept();
    hub.refuse(await hub.asked("session.open"), { code: 401, message: "no", data: { name: "wrongPassword" } });
    equal((await heard("rejected")).error.code, 401);
    equal(log.findLast(({ kind }) => kind === "state").state, "signedOut");
    equal(hub.closedWith, 4000);
});

test("a sign-in without a hub ends, or continues if requested", async () => {
    const { session, heard } = client();
    session.open({ url: home, open: { account: "ann" }, keepTrying: false });
    (await socket()).end();
    equal((await heard("rejected")).error.data.name, "unreachable");
    session.open({ url: home, open: { account: "ann" }, keepTrying: true });
    (await socket()).end();
    const { retryAt } = await heard("state", (report) => report.retryAt !== null);
    ok(retryAt - Date.now() <= 200, "the second attempt comes within 0.2 s");
    (await socket()).accept();
});

test("a guest, who may only call, is signed in", async () => {
    const { session, heard } = client();
    session.open({ url: home, open: { token: "link" }, keepTrying: false });
    const hub = (await socket()).accept();
    const refusal = { code: 403, message: "no", data: { name: "notAllowed" } };
    hub.refuse(await hub.asked("session.open"), refusal);
    const second = await hub.asked("session.open");
    equal(second.params, { permissions: ["call"], token: "link" });
    hub.refuse(second, refusal);
    equal((await heard("rejected")).error.code, 403);
});

test("the data stored for a reload contains no password", async () => {
    const { heard } = await online({ account: "ann", password: "secret" });
    const { record } = await heard("save");
    equal(record.held, { session: "s1", resumeToken: "t1", address: home });
    ok(!JSON.stringify(record).includes("secret"), "no password");
});

test("the code of a sign-in by a provider is used once, then its token, and neither is stored", async () => {
    const { session, heard } = client();
    session.open({ url: home, open: { openID: { code: "secret code", verifier: "secret" } }, keepTrying: false });
    const hub = (await socket()).accept();
    const first = await hub.asked("session.open");
    equal(first.params.openID, { code: "secret code", verifier: "secret" });
    hub.answer(first, opened({ openIDToken: "secret token" }));
    const { record } = await heard("save");
    ok(!JSON.stringify(record).includes("secret"), "neither");
    hub.end();
    const second = (await socket()).accept();
    second.refuse(await second.asked("session.open"), { code: 440, message: "gone", data: { name: "sessionGone" } });
    equal((await second.asked("session.open")).params.openID, { token: "secret token" });
});

test("a message with wrong types is ignored, and the next one is processed", async () => {
    const { hub, heard } = await online();
    ["", "[]", "null", "7", "{"].forEach((text) => hub.text(text));
    const odd = [{ method: 7 }, { method: "call.changed" }, { method: "call.changed", params: [] }, { id: {}, result: 3 },
        { id: "fence", error: 7 }, { id: "close" }, {}];
    odd.forEach((message) => hub.text(JSON.stringify(message)));
    const methods = ["call.changed", "audio.sources", "provider.didActivateAudioSession", "provider.perform", "observer.callChanged",
        "session.nothing", "__proto__"];
    let seq = 1;
    for (const method of methods) {
        for (const value of [null, 7, "x", [], { uuid: 7 }]) {
            hub.tell(method, { seq, call: value, sources: value, audioSession: value, action: value });
            seq += 1;
        }
    }
    hub.tell("recents.changed", { seq });
    equal((await heard("notification", ({ method }) => method === "recents.changed")).seq, seq);
});

test("a notification is delivered once", async () => {
    const { hub, log, heard } = await online();
    [1, 2, 2, 1, 3].forEach((seq) => hub.tell("recents.changed", { seq }));
    await heard("notification", ({ seq }) => seq === 3);
    equal(log.filter(({ kind }) => kind === "notification").map(({ seq }) => seq), [1, 2, 3]);
});

test("a gap in seq is filled by a resume, or skipped if that does not fill it", async () => {
    const { hub, log, heard } = await online();
    hub.tell("recents.changed", { seq: 1 });
    hub.tell("recents.changed", { seq: 4 });
    hub.tell("recents.changed", { seq: 5 });
    const second = await socket();
    const named = await resume(second, {}, () => [2, 3, 4, 7].forEach((seq) => second.tell("recents.changed", { seq })));
    equal(named, { session: "s1", token: "t1", seq: 1 });
    const third = await socket();
    await resume(third, {}, () => third.tell("recents.changed", { seq: 7 }));
    await heard("notification", ({ seq }) => seq === 7);
    equal(log.filter(({ kind }) => kind === "notification").map(({ seq }) => seq), [1, 2, 3, 4, 7]);
});

test("missed changes are delivered as the current state, not one by one", async () => {
    const { hub, log, heard } = await online();
    hub.tell("call.changed", { seq: 1, call: call("a") });
    hub.end();
    const second = await socket();
    await resume(second, { calls: [call("c", { state: "held" })] }, () => {
        second.tell("call.changed", { seq: 2, call: call("b", { state: "ringing" }) });
        second.tell("call.changed", { seq: 3, call: call("a", { state: "ended", hasEnded: true, cause: "declined" }) });
        second.tell("call.changed", { seq: 4, call: call("b", { state: "ended", hasEnded: true }) });
        second.tell("call.changed", { seq: 5, call: call("c", { state: "held" }) });
    });
    const { calls, seq } = await heard("calls");
    equal(calls.map(({ uuid, state }) => [uuid, state]), [["b", "ended"], ["a", "ended"], ["c", "held"]]);
    equal(seq, 5);
    equal(log.filter(({ kind, method }) => kind === "notification" && method === "call.changed").length, 1);
});

test("the audio session continues over a loss, and ends with the session", async () => {
    const { hub, sound, heard } = await online();
    hub.tell("provider.didActivateAudioSession", { seq: 1, audioSession: { id: "x", ssrc: 7, calls: [] } });
    hub.end();
    const second = await socket();
    await resume(second);
    await heard("calls");
    equal(sound, [["activate", "x"]]);
    second.end();
    const third = (await socket()).accept();
    third.refuse(await third.asked("session.open"), { code: 440, message: "gone", data: { name: "sessionGone" } });
    equal((await heard("reset")).cause, "connectionLost");
    equal(sound, [["activate", "x"], ["deactivate", null]]);
    const anew = await third.asked("session.open");
    equal(anew.params, { permissions: ["call", "observe"], account: "ann" });
});

test("a stored session is resumed after the last seq received, with its audio session", async () => {
    const { session, sound, heard } = client();
    const held = { session: "s1", resumeToken: "t1", address: home };
    const kept = { audioSession: { id: "x", ssrc: 7, calls: [] }, sources: [] };
    session.open({ url: home, open: { account: "ann" }, held, sound: kept, seq: 41 });
    const hub = await socket();
    equal(await resume(hub, { calls: [call("a")] }), { session: "s1", token: "t1", seq: 41 });
    equal((await heard("calls")).calls.map(({ uuid }) => uuid), ["a"]);
    equal(sound, [["activate", "x"]]);
});

test("an unanswered request is repeated, an answered one is not", async () => {
    const { session, hub, heard } = await online();
    const ask = (id, type) => {
        session.request({ id, method: "transaction.request", params: { actions: [{ type, callUUID: "a" }] } });
    };
    ask(1, "playDTMF");
    ask(2, "end");
    const tones = await hub.asked("transaction.request");
    hub.end();
    const second = await socket();
    await resume(second, {}, () => {
        second.tell("provider.perform", { seq: 1, action: tones.params.actions[0], fulfilled: true });
    });
    const again = await second.asked("transaction.request");
    equal(again.params.actions[0].type, "end");
    ok(second.unasked("transaction.request"), "the tones are not played twice");
    second.answer(again, { transaction: "t", actions: ["u"] });
    for (const expected of [1, 2]) {
        const { id, error, result } = await heard("answer");
        equal([id, error, result.actions.length], [expected, null, 1]);
    }
});

test("a silent socket in a call is accompanied by a second one", async () => {
    const { hub, log, heard, state } = await online();
    hub.tell("call.changed", { seq: 1, call: call("a") });
    const began = performance.now();
    const second = await socket();
    const noticed = performance.now() - began;
    ok(noticed > 1_500 && noticed < 10_000, `noticed after ${noticed} ms`);
    equal(hub.readyState, 1, "the first still lives");
    second.accept();
    hub.tell("session.closing", { seq: 2, reason: "replaced" });
    await resumeOpened(second);
    await heard("calls");
    await state("online");
    equal(hub.closedWith, 4000);
    ok(!log.some((report) => report.state === "steppedBack"), "replaced by itself");
});

test("a socket that receives data again needs no second one", async () => {
    const { hub, state } = await online();
    hub.tell("call.changed", { seq: 1, call: call("a") });
    const second = await socket();
    await state("reconnecting");
    hub.answer(await hub.asked("session.ping"), {});
    await state("online");
    equal(second.closedWith, 4000);
});

test("a replaced client does not reconnect", async () => {
    const { hub, session, heard, state } = await online();
    hub.tell("session.closing", { seq: 1, reason: "replaced" });
    equal((await state("steppedBack")).retryAt, null);
    equal(hub.closedWith, 4000);
    session.request({ id: 1, method: "observer.calls", params: {} });
    equal((await heard("answer")).error.data.name, "signedOut");
});

test("a signed-out client is not stored and does not reconnect", async () => {
    const { hub, heard } = await online();
    hub.tell("session.closing", { seq: 1, reason: "signedOut" });
    await heard("remove");
    equal((await heard("state", ({ closing }) => closing?.reason === "signedOut")).state, "closed");
});

test("a stopping hub ends the calls, and is reconnected after the time that it gives", async () => {
    const { hub, heard } = await online();
    hub.tell("call.changed", { seq: 1, call: call("a") });
    hub.tell("session.closing", { seq: 2, reason: "shutdown", retryAfterSeconds: 60 });
    equal((await heard("reset")).cause, "shutdown");
    hub.end();
    const { retryAt, closing } = await heard("state", (report) => report.retryAt !== null);
    ok(retryAt - Date.now() > 59_000, "not before");
    equal(closing.reason, "shutdown");
});

test("a client follows a redirect, and returns if it cannot connect there", async () => {
    const { hub, heard } = await online();
    hub.tell("session.closing", { seq: 1, reason: "draining", url: "wss://other.test/v1" });
    hub.end();
    const other = await socket();
    equal(other.url, "wss://other.test/v1");
    other.end();
    const back = await socket();
    equal(back.url, home);
    equal(await resume(back), { session: "s1", token: "t1", seq: 0 });
    await heard("calls");
    back.tell("session.closing", { seq: 1, reason: "draining", url: "wss://other.test/v1" });
    back.end();
    const there = (await socket()).accept();
    equal((await there.asked("session.open")).params.account, "ann", "the other hub knows nothing of the session");
});

test("a client is redirected neither from wss to ws, nor permanently", async () => {
    const from = (url, more) => parseClosing({ reason: "draining", url, ...more }, "wss://hub.test/v1");
    equal(from("ws://hub.test/v1").address, null);
    equal(from("https://hub.test/v1").address, null);
    equal(from("wss://b.test/v1").address, "wss://b.test/v1");
    equal([7, "", "nowhere", null].map((url) => from(url).address), [null, null, null, null]);
    ok(from(null, { retryAfterSeconds: 1e300 }).retryAt - Date.now() <= 3_600_000, "bounded");
    equal(from(null, { retryAfterSeconds: "5" }).retryAt, null);
    equal(parseClosing({ reason: "draining", url: "ws://b.test/v1" }, home).address, "ws://b.test/v1");
});

test("a busy hub is tried again after its retry time, one that requires a password is not", async () => {
    const { hub, heard } = await online();
    hub.end();
    const second = (await socket()).accept();
    const refusal = { code: 503, message: "busy", data: { name: "overloaded", retryAfterSeconds: 1 } };
    second.refuse(await second.asked("session.open"), refusal);
    const { retryAt } = await heard("state", (report) => report.retryAt - Date.now() > 900);
    const third = (await socket()).accept();
    ok(Date.now() >= retryAt, "not before");
    third.refuse(await third.asked("session.open"), { code: 440, message: "gone", data: { name: "sessionGone" } });
    third.refuse(await third.asked("session.open"), { code: 401, message: "who?", data: { name: "credentialsMissing" } });
    const { state, closing } = await heard("state", (report) => report.closing?.reason === "credentials");
    equal([state, closing.error.code], ["closed", 401]);
});

test("when the network returns clients reconnect at once, except during a retry time", async () => {
    const { session, hub, heard, log } = await online();
    hub.end();
    for (let attempt = 0; attempt < 3; attempt += 1) (await socket()).end();
    await heard("state", ({ retryAt }) => retryAt - Date.now() > 700);
    const began = performance.now();
    session.checkConnection();
    const back = await socket();
    ok(performance.now() - began < 200, "at once");
    await resume(back);
    back.tell("session.closing", { seq: 1, reason: "draining", retryAfterSeconds: 60 });
    back.end();
    await heard("state", ({ retryAt }) => retryAt - Date.now() > 59_000);
    session.checkConnection();
    ok(log.at(-1).retryAt - Date.now() > 59_000, "not before");
});

test("after a working connection the reconnection delays start anew", async () => {
    const { hub, heard } = await online();
    const retry = async (lost) => {
        lost.end();
        const { retryAt } = await heard("state", (report) => report.retryAt !== null);
        return retryAt - Date.now();
    };
    ok(await retry(hub) <= 200, "soon");
    const second = await socket();
    ok(await retry(second) > 190, "later each time");
    const third = await socket();
    await resume(third);
    await heard("calls");
    ok(await retry(third) > 390, "a short connection is none");
    const fourth = await socket();
    await resume(fourth);
    await heard("calls");
    const now = () => Performance.prototype.now.call(performance) + 6_000;
    Object.defineProperty(performance, "now", { value: now, configurable: true });
    const wait = await retry(fourth);
    delete performance.now;
    ok(wait <= 200, "soon again");
});

test("the expiry of a token is announced in time", async () => {
    const { session, heard } = client();
    session.open({ url: home, open: { token: "old" }, keepTrying: false });
    const hub = (await socket()).accept();
    const soon = new Date(Date.now() + 1_000).toISOString();
    hub.answer(await hub.asked("session.open"), opened({ expiresAt: soon }));
    equal((await heard("expiring")).expiresAt, soon);
    session.request({ id: 1, method: "session.refresh", params: { token: "new" } });
    const later = new Date(Date.now() + 1e12).toISOString();
    hub.answer(await hub.asked("session.refresh"), { expiresAt: later });
    const { record, expiresAt } = await heard("save", (kept) => kept.record.open.token === "new");
    equal([record.held.session, expiresAt], ["s1", later]);
});

test("an expired token is not tried again, a valid one is", async () => {
    for (const [left, state] of [[200, "closed"], [60_000, "reconnecting"]]) {
        const { session, heard } = client();
        session.open({ url: home, open: { token: "old" }, keepTrying: false });
        const hub = (await socket()).accept();
        hub.answer(await hub.asked("session.open"), opened({ expiresAt: new Date(Date.now() + left).toISOString() }));
        await heard("opened");
        hub.tell("session.closing", { seq: 1, reason: "expired" });
        if (left > 1_000) hub.end();
        equal((await heard("state", (told) => told.closing && told.state !== "online")).state, state);
        session.stop("signedOut");
    }
});

/** As `resume`, of a socket that is open already. */
async function resumeOpened(hub) {
    hub.answer(await hub.asked("session.open"), opened({ resumed: true }));
    hub.answer(await hub.asked("session.ping"), {});
}
