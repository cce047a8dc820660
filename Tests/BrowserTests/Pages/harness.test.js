import { equal, near, next, ok, test, throws } from "./harness.js";

test("equal detects differences", async () => {
    equal(new Uint8Array([1, 2]), [1, 2]);
    const error = await throws(() => equal({ a: 1 }, { a: 2 }));
    ok(error.message.includes("should be"), "the error says what should be");
});

test("near refuses NaN", async () => {
    near(1.5, 1, 0.5);
    await throws(() => near(NaN, 1, 10));
});

test("next waits for an event", async () => {
    const target = new EventTarget();
    setTimeout(() => target.dispatchEvent(new Event("now")), 0);
    equal((await next(target, "now")).type, "now");
});

test("throws fails if nothing is thrown", async () => {
    await throws(() => throws(() => {}));
});
