import { loadRecents } from "../phone/account.js";
import { chosenResult, presenceOf, reorder, sections, visibleHandles } from "../phone/directory.js";
import { hub } from "../phone/hub.js";
import { clearUser, state } from "../phone/state.js";
import { equal, test } from "./harness.js";

const generic = (value) => ({ type: "generic", value });
const number = (value) => ({ type: "phoneNumber", value });
const contact = (identifier, name, ...handles) => ({ identifier, name, handles });

/** A phone with these data, and nothing else. */
function phone(members) {
    clearUser();
    Object.assign(state, { contacts: [], recents: [], people: [], found: [], presences: {} }, members);
    reorder();
}

function typing(text) {
    state.dial = { text, highlighted: -1 };
    reorder();
}

function found(text) {
    typing(text);
    return sections()[0].people.filter(({ from }) => from !== "typed").map(({ name }) => name);
}

function called(text, highlighted = -1) {
    state.dial = { text, highlighted };
    reorder();
    const { type, value } = chosenResult()?.handle ?? {};
    return type === "generic" ? value : `${type}:${value}`;
}

const shown = () => sections().map(({ name, people }) => [name, ...people.map((one) => one.name)]);

test("people are found by the beginnings of the words of name, handle and department, without case and marks", () => {
    phone({
        contacts: [contact("1", "Jürgen Müller", generic("jm")), contact("2", "Anna", number("+49 30 4711"))],
        people: [{ handle: generic("eve"), name: "Ève Ångström", department: "Research & Development", presence: "free" }],
        recents: [{ id: "1", handle: generic("zoe.bell"), name: "Zoë", startedAt: "2026-11-23T10:00:00Z" }],
    });
    for (const [text, names] of Object.entries({
        jurgen: ["Jürgen Müller"], "MÜLLER JU": ["Jürgen Müller"], Jm: ["Jürgen Müller"], rgen: [],
        "4711": ["Anna"], "0 47": ["Anna"], "304": ["Anna"], "angstrom eve": ["Ève Ångström"], devel: ["Ève Ångström"],
        zoe: ["Zoë"], bell: ["Zoë"], nobody: [],
    })) equal(found(text), names, text);
    phone({ contacts: [contact("1", "홍길동", generic("hong"))] });
    equal(found("길동"), ["홍길동"]);
});

test("a person of the directory who is a contact is there once, with the contact's name", () => {
    phone({
        contacts: [contact("1", "Boss", generic("ANN"))],
        people: [{ handle: generic("ann"), name: "Ann Lee", department: "Sales", presence: "free" }],
    });
    equal(shown(), [["everyone", "Boss"]]);
    equal(sections()[0].people[0].department, "Sales");
});

test("Enter takes the highlighted result, else the exact one, else the only one, else what was typed", () => {
    phone({
        contacts: [
            contact("1", "Jürgen", number("+49 30 1234")), contact("2", "Bob", generic("bob")),
            contact("3", "Bobby Lee", generic("bobby")), contact("4", "Ann", number("+49"), generic("ann.w")),
        ],
    });
    equal(called("Jürgen"), "phoneNumber:+49 30 1234", "the only one");
    equal(called("jurg"), "phoneNumber:+49 30 1234", "its beginning");
    equal(called("BOB"), "bob", "the exact handle among two");
    equal(called("bo"), "bo", "two, and none exact");
    equal(called("bo", 1), "bobby", "the highlighted one");
    equal(called("ann.w"), "ann.w", "the handle that was typed, not the contact's first");
    equal(called("nobody"), "nobody");
    equal(called("1234"), "1234", "a number is called as it was typed");
    equal(called("+493012"), "phoneNumber:+493012");
    equal(called("49301234"), "phoneNumber:+49 30 1234", "unless somebody has exactly this number");
    equal(called("bob@example.org"), "emailAddress:bob@example.org");
    for (const text of ["", "  ", "generic:"]) equal(called(text), "undefined:undefined", `"${text}"`);
});

test("favourites are first, then the last calls, then all others, those who are here before the others", () => {
    const recent = (id, handle) => ({ id, handle, name: "", startedAt: "2026-11-23T10:00:00Z", outcome: "missed" });
    phone({
        contacts: [{ ...contact("1", "Zed", generic("zed")), favorite: true }, contact("2", "Ann", generic("ann"))],
        people: [{ handle: generic("bob"), name: "Bob" }, { handle: generic("cid"), name: "Cid" }],
        recents: [recent("1", generic("Bob")), recent("2", generic("eve")), recent("3", generic("bob")), recent("4", generic("zed"))],
        presences: { "generic:cid": { presence: "onCall" }, "generic:ann": { presence: "offline" } },
    });
    equal(shown(), [["favorites", "Zed"], ["lastCalls", "Bob", "eve"], ["everyone", "Cid", "Ann", "Bob"]]);
    equal(visibleHandles().map(({ value }) => value.toLowerCase()).sort(), ["ann", "bob", "cid", "eve", "zed"]);
});

test("a change of presence moves nobody until the list is opened again or the search changes", () => {
    phone({ people: ["a", "b", "c"].map((value) => ({ handle: generic(value), name: value })) });
    equal(shown(), [["everyone", "a", "b", "c"]]);
    state.presences = { "generic:c": { presence: "free" } };
    equal(shown(), [["everyone", "a", "b", "c"]]);
    state.people = [...state.people, { handle: generic("d"), name: "d" }];
    equal(shown(), [["everyone", "a", "b", "c", "d"]], "somebody new moves nobody else");
    equal(presenceOf(sections()[0].people[2]).presence, "free");
    reorder();
    equal(shown(), [["everyone", "c", "a", "b", "d"]]);
});

test("Recents are in the order of the beginning of calls, the newest first", async () => {
    phone({});
    const recent = (id, startedAt, endedAt) => ({ id, handle: generic(id), name: id, startedAt, endedAt, seen: true });
    const { request } = hub;
    hub.request = async () => ({
        recents: [
            recent("long", "2026-11-23T10:00:00.000Z", "2026-11-23T12:00:00.000Z"),
            recent("later", "2026-11-23T11:00:00.000Z", "2026-11-23T11:30:00.000Z"),
            recent("wrong", "no date", ""),
            recent("first", "2026-11-22T11:00:00.000Z", "2026-11-22T11:30:00.000Z"),
        ],
    });
    await loadRecents();
    hub.request = request;
    equal(state.recents.map(({ id }) => id).filter((id) => id !== "wrong"), ["later", "long", "first"]);
});
