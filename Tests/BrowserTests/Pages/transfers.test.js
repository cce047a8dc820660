import { Call } from "../client/call.js";
import { cardsOf, transfers } from "../phone/cards.js";
import { change, state } from "../phone/state.js";
import { loadLanguage } from "../phone/text.js";
import "../transfer/transfer.js";
import { call as snapshot } from "./fake-hub.js";
import { equal, test } from "./harness.js";

loadLanguage();

const handle = (value) => ({ type: "generic", value });
const transferredBy = { handle: handle("alice"), name: "alice", nameSource: "handle" };

function called(more) {
    const call = new Call("a", () => Promise.resolve());
    call.update(snapshot("a", { remoteHandle: handle("carol"), localizedCallerName: "carol", ...more }));
    return call;
}

const line = (more) => transfers.lineOf(called(more)) ?? null;

test("a call that came back says why, as long as it rings", () => {
    const back = (cause, more = { state: "ringing" }) => line({ returnedTransfer: { handle: handle("dan"), cause }, ...more });
    equal(["declined", "timeout", "busy", "offline", "unknownHandle", "other", null].map((cause) => back(cause)), [
        "dan declined the transfer", "dan did not answer the transfer", "dan is busy",
        ...Array(4).fill("dan is not reachable"),
    ]);
    equal(back("declined", { remoteIsRinging: true }), "dan declined the transfer", "the other party waits");
    equal(back("declined", {}), null, "it was answered");
});

test("a transferred call says by whom: to its target before and after the answer, to the other one whom they talk to", async () => {
    equal(line({ transferredBy }), "alice has transferred you to carol");
    equal(line({ transferredBy: { ...transferredBy, nameSource: "hidden" } }), "Unknown caller has transferred you to carol");
    const call = called({ transferredBy, state: "ringing" });
    change({ calls: [call] });
    await null;
    equal(transfers.lineOf(call), "transferred by alice");
    call.update(snapshot("a", { transferredBy, remoteHandle: handle("carol") }));
    equal(transfers.lineOf(call), "transferred by alice");
    change({ calls: [] });
    equal([line({}), line({ hasEnded: true, state: "ended", transferredBy })], [null, null]);
    equal(line({ hasEnded: true, state: "ended", cause: "transferred" }), "Transferred");
});

test("what the hub would refuse to transfer has no button for it", () => {
    const can = (...all) => cardsOf(all.map((more) => called(more))).map((card) => Boolean(transfers.openerOf(card)))[0];
    const remoteHandle = handle("echo");
    equal([can({}), can({ state: "held" }), can({ remoteHandle: { type: "phoneNumber", value: "echo" } })], [true, true, true]);
    equal([
        can({ state: "connecting", isOutgoing: true }), can({ isExternal: true }), can({ remoteHandle }),
        can({ remoteIsRinging: true }), can({ group: "g" }, { group: "g" }),
    ], Array(5).fill(false));
    state.isGuest = true;
    equal(can({}), false);
    state.isGuest = false;
});
