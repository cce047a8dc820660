import { ScenarioFile } from "../bench/file.js";
import { duration, parse } from "../bench/lines.js";
import { equal, ok, test, throws } from "./harness.js";

test("the bench knows the steps and expectations that it writes itself", () => {
    const lines = [
        "alice calls bob as A", "alice calls echo", "bob: accept A", "bob: hold and accept B", "bob: end held and accept B",
        "bob: hold A", "bob: end A here", "bob: swap", "bob: swap A with B", "bob: merge A with B", "bob: split A",
        "bob: key 12,3;4# on A", "bob: hold A, unhold B", "bob cannot hold A: invalidAction", "alice cannot call bob: noReason",
        "bob: do not disturb on", "bob fulfills answer A", "bob fails unhold A", "bob ignores end A", "bob fulfills everything",
        "bob drops", "bob is delayed by 80 ms", "bob signs in", "bob is silent", "wait 1.5 s", "expect bob rings",
        "expect bob's A is connected, not muted, grouped with B", "expect bob's A ended: remoteEnded because declined",
        "expect bob's A offers nothing", "expect bob has no calls", "expect bob is told dtmf 12# within 4 s",
        "expect bob hears alice, carol and dave for 1 s", "expect bob hears nothing within 3 s",
    ];
    for (const line of lines) equal(typeof parse(line), "function", line);
});

test("the bench names a line that it cannot do, however long, and at once", async () => {
    const long = "a".repeat(100_000);
    const lines = [
        "hub restarts", "alice calls bob with video", "bob: hold", "bob: hold A, dance B", "expect bob never heard alice",
        "expect bob's A is happy", "expect bob hears alice within 150 ms", "repeat 3 times:", long, `expect a hears ${long}!`,
        `expect a's A is ${"held".repeat(20_000)}`, `bob: ${"hold A, ".repeat(10_000)}x`,
    ];
    const start = performance.now();
    for (const line of lines) {
        const { message } = await throws(() => parse(line), line.slice(0, 80));
        ok(message.startsWith("This page cannot do “") && message.length < 300, message);
    }
    ok(performance.now() - start < 5_000, "it takes no time");
});

test("a time of a scenario is 24 h at most", async () => {
    equal(["0 ms", "1.5 s", "1440 min"].map(duration), [0, 1_500, 86_400_000]);
    for (const text of ["1441 min", "2147483648 ms", "9223372036854775807 s", "1.2.3 s"]) {
        equal((await throws(() => duration(text))).message, `“${text}” is no time up to 24 h, such as 200 ms, 1.5 s or 2 min.`);
    }
});

test("an opened scenario has the parties that its lines name, or that its steps do", () => {
    const parties = (text) => [...new ScenarioFile(text).parties];
    equal(parties("scenario X\nparties alice, bob\nparty carol: manual\n\nalice calls bob # as A"),
        [["alice", "server"], ["bob", "server"], ["carol", "none"]]);
    equal(parties("together:\n    alice calls bob\n    carol calls echo\nexpect dave rings").map(([name]) => name),
        ["alice", "bob", "carol", "dave"]);
    equal(parties(""), []);
    const { steps } = new ScenarioFile("hub: grace 1 s\nparty bob on phone, laptop\ntogether:\n    hub drains\nbob rings\n");
    equal(steps.map(({ error, number }) => [Boolean(error), number]), [[true, 1], [true, 2], [true, 3], [true, 5]]);
});
