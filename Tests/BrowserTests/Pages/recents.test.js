import { t } from "../phone/text.js";
import { outcomeOf } from "../phone/views/lists.js";
import { equal, test } from "./harness.js";

const outgoing = { outcome: "cancelled", direction: "outgoing" };

test("a call that nobody answered is told from one that its caller cancelled", () => {
    equal(outcomeOf(outgoing), t("outcome.cancelled"));
    equal(outcomeOf({ ...outgoing, endedReason: "unanswered" }), t("reason.unanswered"));
    equal(outcomeOf({ ...outgoing, endedReason: "later" }), t("outcome.cancelled"));
});
