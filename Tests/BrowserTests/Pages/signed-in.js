import { CallHub } from "../callhub.js";
import { next } from "./harness.js";

export async function signedIn(account) {
    const hub = new CallHub({ storage: null });
    await hub.signIn({ account });
    return hub;
}

export async function until(target, isSo, event = "change") {
    while (!isSo()) {
        await next(target, event);
    }
}
