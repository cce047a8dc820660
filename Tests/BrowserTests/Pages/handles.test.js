import { contactOf, handleKey, nameOf } from "../phone/people.js";
import { state } from "../phone/state.js";
import { equal, ok, test } from "./harness.js";

const generic = (value) => ({ type: "generic", value });

test("handles are equal in any case and normal form, as for the hub", () => {
    for (const [one, other] of [["carol", "CAROL"], ["jürgen", "JU\u0308RGEN"], ["straße", "STRA\u1e9eE"],
        ["straße", "STRASSE"], ["οδυσσεύς", "ΟΔΥΣΣΕΎΣ"], ["i\u0307", "İ"], ["ﬁnn", "FINN"]]) {
        equal(handleKey(generic(one)), handleKey(generic(other)), one);
        equal(handleKey({ type: "emailAddress", value: one }), handleKey({ type: "emailAddress", value: other }));
    }
    for (const [one, other] of [["carol", "karol"], ["jürgen", "jurgen"], ["ıvan", "ivan"], ["ıvan", "IVAN"]]) {
        ok(handleKey(generic(one)) !== handleKey(generic(other)), one);
    }
    ok(handleKey(generic("a@b.c")) !== handleKey({ type: "emailAddress", value: "a@b.c" }));
    equal(handleKey({ type: "phoneNumber", value: "+49 (30) 1" }), handleKey({ type: "phoneNumber", value: "49301" }));
});

test("a contact is found by its handle in any case, and shown as it was created", () => {
    const before = state.contacts;
    state.contacts = [{ identifier: "1", name: "Robert", handles: [generic("Bob")] }];
    try {
        equal(contactOf(generic("BOB")).name, "Robert");
        equal(nameOf(generic("bob"), "bob"), "Robert");
        equal(contactOf(generic("bobby")), undefined);
    } finally {
        state.contacts = before;
    }
});
