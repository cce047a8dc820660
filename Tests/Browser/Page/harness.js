/** What tests of the phone's modules are written with; the Swift suite `ModuleTests` runs them, each file in a page. */

/** @type {{sentence: string, body: () => unknown}[]} */
export const registered = [];

/**
 * Registers a test. The call stands at the beginning of a line with a plain string, so that the suite finds it.
 * @param {string} sentence what is true
 * @param {() => unknown} body throws, or rejects, when it is not; with 20 s for it
 */
export function test(sentence, body) {
    registered.push({ sentence, body });
}

/** Fails where two values differ, as JSON shows them (bytes and samples as arrays, `undefined` as itself). */
export function equal(actual, expected, words = "") {
    const [is, should] = [shown(actual), shown(expected)];
    if (is !== should) throw new Error(`${words} is ${is.slice(0, 1000)}, should be ${should.slice(0, 1000)}`);
}

/** Fails where a condition is not so. */
export function ok(condition, words = "it") {
    if (!condition) throw new Error(`${words} is not so`);
}

/** Fails where a number is further than `by` from another. */
export function near(actual, expected, by, words = "") {
    if (!(Math.abs(actual - expected) <= by)) throw new Error(`${words} is ${actual}, should be ${expected} ± ${by}`);
}

/** Fails where a function does not throw, or its promise does not reject; gives the error. */
export async function throws(body, words = "it") {
    try {
        await body();
    } catch (error) {
        return error;
    }
    throw new Error(`${words} did not fail`);
}

/** The next event of a name. */
export function next(target, name) {
    return new Promise(then => target.addEventListener(name, then, { once: true }));
}

function shown(value) {
    return JSON.stringify(value, (_, inner) => ArrayBuffer.isView(inner) ? Array.from(inner)
        : inner === undefined ? "undefined" : Object.is(inner, -0) ? 0
        : typeof inner === "bigint" || Number.isNaN(inner) || inner === Infinity ? String(inner) : inner) ?? "undefined";
}
