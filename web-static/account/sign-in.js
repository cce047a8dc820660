import { ask } from "../invite/request.js";
import { openSession, updateSignIn } from "../phone/sign-in.js";
import { errorText } from "../phone/toasts.js";
import { state, t } from "../phone/views/parts.js";
import { toBytes, toText } from "./base64url.js";
import "./text.js";

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

async function usePasskey({ challenge, rpId, timeoutSeconds }) {
	const { rawId, response } = await navigator.credentials.get({
		publicKey: { challenge: toBytes(challenge), rpId, userVerification: "required", timeout: timeoutSeconds * 1000 },
	});
	return {
		credential: toText(rawId), clientData: toText(response.clientDataJSON), signature: toText(response.signature),
		authenticatorData: toText(response.authenticatorData), userHandle: toText(response.userHandle ?? new ArrayBuffer(0)),
	};
}
