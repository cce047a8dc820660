/** Runs the tests of the module that the address names, one after the other; `results` has them when all are over. */
import { registered } from "./harness.js";

const name = new URLSearchParams(location.search).get("module");
const results = [];
try {
    await import(`./${name}`);
    for (const { sentence, body } of registered) {
        try {
            await Promise.race([body(), tooLong()]);
            results.push({ sentence, fault: null });
        } catch (error) {
            results.push({ sentence, fault: String(error?.stack ?? error) });
        }
    }
    globalThis.results = { results, fault: null };
} catch (error) {
    globalThis.results = { results, fault: String(error?.stack ?? error) };
}

function tooLong() {
    return new Promise((_, fail) => setTimeout(() => fail(new Error("not over after 60 s")), 60000));
}
