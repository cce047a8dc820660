import { equal, test } from "./harness.js";
import { settle } from "../admin/ask.js";

const rows = (...ids) => ids.map((id) => ({ id, value: id }));
const shown = (list) => list.map(({ id, isGone }) => `${id}${isGone ? "-" : ""}`).join(" ");

test("rows come and go while nobody touches the list", () => {
	equal(shown(settle(rows("a", "b"), rows("b", "c"), "id", false)), "b c");
});

test("rows keep their places under a finger, and those that are gone stay, marked", () => {
	const list = settle(rows("a", "b", "c"), rows("d", "c", "a"), "id", true);
	equal(shown(list), "a b- c d");
	equal(shown(settle(list, rows("d", "a"), "id", true)), "a b- c- d");
	equal(shown(settle(list, rows("d", "a"), "id", false)), "d a");
});

test("a row under a finger has its new values", () => {
	const [row] = settle([{ id: "a", value: 1 }], [{ id: "a", value: 2 }], "id", true);
	equal(row.value, 2);
});
