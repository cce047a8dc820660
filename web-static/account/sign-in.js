import { ask } from "../invite/request.js";
import { openSession, updateSignIn } from "../phone/sign-in.js";
import { errorText } from "../phone/toasts.js";
import { state, t } from "../phone/views/parts.js";
import "./text.js";
import { usePasskey } from "./use.js";

export async function signInByPasskey() {
	if (state.signIn.isBusy) return;
	updateSignIn({ isBusy: true, error: null });
	try {
		const passkey = await usePasskey(await ask("passkey.challenge", {}));
		updateSignIn({ isBusy: false });
		await openSession({ passkey });
	} catch (error) {
		const isCancelled = error.name === "NotAllowedError";
		updateSignIn({ isBusy: false, error: () => (isCancelled ? t("passkeys.cancelled") : errorText(error)) });
	}
}
