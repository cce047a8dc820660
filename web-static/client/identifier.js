const random = (count) => crypto.getRandomValues(new Uint8Array(count));

/** `crypto.randomUUID` needs https. */
export const newUUID = () => random(16).toHex().replace(/^(.{8})(.{4}).(.{3}).(.{3})/, "$1-$2-4$3-8$4-");
export const newSecret = () => random(32).toBase64({ alphabet: "base64url", omitPadding: true });
