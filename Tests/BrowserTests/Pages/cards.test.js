import { cardsOf, companions, namesOf } from "../phone/cards.js";
import { loadLanguage } from "../phone/text.js";
import { equal, test } from "./harness.js";

const handle = (value) => ({ type: "generic", value });
const person = (value, nameSource = "handle") => ({ handle: handle(value), name: "", nameSource });
const hidden = () => person("anonymous", "hidden");
const call = (value, participants = [], more = {}) => (
    { uuid: value, state: "connected", group: null, remoteHandle: handle(value), localizedCallerName: value, participants, ...more });
const calls = (...names) => names.map((name) => call(name, names.filter((other) => other !== name).map((other) => person(other))));

loadLanguage();

test("a conversation is titled by up to three people", () => {
    equal(namesOf(calls("Bob")), "Bob");
    equal(namesOf(calls("Bob", "Carol")), "Bob & Carol");
    equal(namesOf(calls("Bob", "Carol", "Dan")), "Bob, Carol & Dan");
    equal(namesOf(calls("Bob", "Carol", "Dan", "Eve")), "Bob, Carol & 2 others");
});

test("others in a conversation are those of no call of one's own, and a hidden one is a person without a name", () => {
    equal(companions(calls("Bob")), "");
    equal(companions(calls("Bob", "Carol")), "", "one's own merge");
    equal(companions([call("Bob", [person("Carol")])]), "with Carol");
    equal(companions([call("Bob", [person("Carol"), hidden()])]), "with Carol & one more person");
    equal(companions([call("Bob", [hidden(), hidden()])]), "with 2 more people");
    equal(companions([call("Bob", ["C", "D", "E", "F"].map((one) => person(one)))]), "with C, D & 2 others");
    equal(companions([call("Bob", [person("Carol"), person("Dan")]), call("Carol", [person("Bob"), person("Dan")])]), "with Dan");
    equal(companions([call("Bob", [hidden()]), call("Carol", [person("Bob")])]), "", "the hidden one is Carol");
});

test("a card that its user holds is held at once, one that is resumed is neither held nor active", () => {
    const look = (more) => cardsOf([call("Bob", [], more)]).map(({ isActive, isHeld, isResuming }) => [isActive, isHeld, isResuming])[0];
    equal(look({}), [true, false, false]);
    equal(look({ isHolding: true }), [false, true, false]);
    equal(look({ state: "held" }), [false, true, false]);
    equal(look({ state: "held", isResuming: true }), [false, false, true]);
    const group = [call("Bob", [], { group: "g", isHolding: true }), call("Carol", [], { group: "g" })];
    equal(cardsOf(group).map(({ isActive, isHeld }) => [isActive, isHeld]), [[false, true]], "the hub holds the whole group");
});
