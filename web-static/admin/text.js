import { addTexts } from "../phone/text.js";
import accounts from "./text/accounts.js";
import audit from "./text/audit.js";
import invitations from "./text/invitations.js";
import now from "./text/now.js";
import numbers from "./text/numbers.js";
import page from "./text/page.js";
import status from "./text/status.js";

[accounts, audit, invitations, now, numbers, page, status].forEach(addTexts);
