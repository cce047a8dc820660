import { toBytes, toText } from "./base64url.js";

/** Has the user choose a passkey, one of `ids` if they are given, and sign the server's challenge by it. */
export async function usePasskey({ challenge, rpId, timeoutSeconds }, ids = []) {
	const { rawId, response } = await navigator.credentials.get({
		publicKey: {
			challenge: toBytes(challenge), rpId, userVerification: "required", timeout: timeoutSeconds * 1000,
			allowCredentials: ids.map((id) => ({ type: "public-key", id: toBytes(id) })),
		},
	});
	return {
		credential: toText(rawId), clientData: toText(response.clientDataJSON), signature: toText(response.signature),
		authenticatorData: toText(response.authenticatorData), userHandle: toText(response.userHandle ?? new ArrayBuffer(0)),
	};
}
