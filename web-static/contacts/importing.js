import { loadContacts } from "../phone/account.js";
import { hub } from "../phone/hub.js";
import { scalePhoto } from "../phone/photos.js";
import { change, state } from "../phone/state.js";
import { t } from "../phone/text.js";
import { errorText, showToast } from "../phone/toasts.js";
import { decode, MAXIMUM_SIZE, readVCards } from "./vcard.js";

export async function importContacts(file) {
	if (state.importing) return;
	if (file.size > MAXIMUM_SIZE) return showToast(t("import.large"), true);
	const { contacts, skipped, excess } = readVCards(decode(await file.arrayBuffer()));
	const result = { total: contacts.length, taken: 0, skipped, refused: excess, error: t("import.full") };
	const left = contacts.values();
	const importNext = async () => {
		for (const contact of left) {
			change({ importing: result });
			contact.photo &&= await scalePhoto(contact.photo);
			if (result.isFull) result.refused += 1;
			else await putWithRetries(contact, result);
		}
	};
	// The hub's rate limit allows few more at a time.
	await Promise.all(Array.from({ length: 8 }, importNext));
	change({ importing: null, imported: result });
	loadContacts();
}

async function putWithRetries(contact, result, tries = 20) {
	const existing = state.contacts.find(({ identifier }) => identifier === contact.identifier);
	try {
		await hub.request("contacts.put", { ...existing, ...contact });
		result.taken += 1;
	} catch (error) {
		const isTooMuch = error.code === 429;
		const seconds = error.data?.retryAfterSeconds;
		if (isTooMuch && !seconds && contact.photo) return putWithRetries({ ...contact, photo: undefined }, result);
		if (isTooMuch && seconds && tries > 0 && !result.isFull) {
			await new Promise((done) => setTimeout(done, Math.min(seconds, 60) * 1000));
			return putWithRetries(contact, result, tries - 1);
		}
		result.isFull ||= isTooMuch && !seconds;
		result.error = result.isFull ? t("import.full") : errorText(error);
		result.refused += 1;
	}
}
