import { render } from "../phone/dom.js";
import { read, state } from "../phone/state.js";
import { loadLanguage } from "../phone/text.js";
import { app } from "../phone/views/app.js";
import "../screening/screening.js";
import { equal, test } from "./harness.js";

loadLanguage();

const wrong = [null, undefined, true, 7, NaN, "x", {}, [], [[]], [null], [{}], { toString: 1, valueOf: 1 }, { length: 3 }];

/** Answers as a hub gives them. */
const answers = {
    contacts: [{
        identifier: "1", name: "Ann", handles: [{ type: "generic", value: "ann" }], favorite: true,
        breaksThroughDoNotDisturb: false,
    }],
    recents: [{
        id: "1", handle: { type: "generic", value: "ann" }, name: "Ann", direction: "incoming", outcome: "answered",
        silenced: false, seen: false, startedAt: "2026-11-22T10:00:00Z", duration: 70,
    }],
    settings: {
        doNotDisturb: false, displayName: "Ann", timeZone: "Asia/Seoul", device: { doNotDisturb: false },
        quietHours: [{ days: ["monday"], from: "22:00", to: "06:00" }],
    },
    blocked: { handles: [{ type: "generic", value: "eve" }], prefixes: ["49"], links: ["link-1"] },
    people: [{ handle: { type: "generic", value: "ann" }, name: "Ann", department: "Sales", presence: "free" }],
    sessions: [{ session: "1", device: { id: "1", name: "Desk" }, address: "::1", since: "2026-11-22T10:00:00Z" }],
};

/** Each value of an answer, in its place. */
function* places(value, path = []) {
    yield path;
    if (typeof value !== "object" || value === null) return;
    for (const name of Object.keys(value)) yield* places(value[name], [...path, name]);
}

function replaced(value, [name, ...rest], by) {
    if (name === undefined) return by;
    const copy = Array.isArray(value) ? [...value] : { ...value };
    copy[name] = replaced(value[name], rest, by);
    return copy;
}

/** What is drawn of an answer: its page, and the sheets above it. */
function draw(name, answer) {
    const root = document.createElement("div");
    const value = read(name, answer);
    const home = { isStarting: false, connection: "online", account: "me", confirming: null, person: null, draft: null };
    for (const [tab, overlay] of [
        ["people", null], ["recents", null], ["settings", null], ["settings", "quiet"],
        ["settings", "blocked"], ["settings", "devices"], ["settings", "data"],
    ]) {
        Object.assign(state, home, { [name]: value, tab, overlay });
        render(root, app());
    }
    for (const person of name === "recents" ? value : []) {
        Object.assign(state, { tab: "recents", overlay: null, person });
        render(root, app());
    }
    for (const text of ["ann", "1", "+"]) {
        Object.assign(state, { tab: "people", person: null, dial: { text, highlighted: -1 } });
        render(root, app());
    }
    Object.assign(state, { dial: { text: "", highlighted: -1 } });
    for (const draft of name === "contacts" ? value : []) {
        Object.assign(state, { tab: "people", overlay: "contact", draft });
        render(root, app());
    }
    return root;
}

test("no reply of a hub, however wrong, prevents the phone from being rendered", () => {
    const faults = [];
    for (const [name, answer] of Object.entries(answers)) {
        for (const path of places(answer)) {
            for (const value of wrong) {
                try {
                    draw(name, replaced(answer, path, value));
                } catch (fault) {
                    faults.push(`${name}.${path.join(".")}: ${JSON.stringify(value)}: ${fault.message}`);
                }
            }
        }
        Object.assign(state, { [name]: read(name) });
    }
    equal(faults, []);
});

test("a correct reply is rendered", () => {
    const drawn = Object.entries(answers).map(([name, answer]) => {
        const root = draw(name, answer);
        Object.assign(state, { [name]: read(name) });
        return root.querySelector("form, li, .row") !== null;
    });
    equal(drawn, [true, true, true, true, true, true]);
});
