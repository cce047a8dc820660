const PAYLOAD_TYPE = 111;
const HEADER = 12;

const HEADERS = { 200: 28, 201: 8 };
const BLOCK = 24;
const BLOCK_FIELDS = ["ssrc", "loss", "highest", "jitter", "lastReport", "sinceLastReport"];
const EPOCH = 2208988800;

/** RFC 5761 section 4. */
export const isRTCP = (bytes) => bytes.length > 1 && bytes[1] >= 192 && bytes[1] <= 223;

/** RFC 3550 section 5.1, without padding. */
export function parseRTP(bytes) {
	const [first, second] = bytes;
	if (bytes.length < HEADER || first >> 6 !== 2 || first & 0x20 || (second & 0x7f) !== PAYLOAD_TYPE) return null;
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
	let start = HEADER + 4 * (first & 0x0f);
	if (first & 0x10) {
		if (bytes.length < start + 4) return null;
		start += 4 + 4 * view.getUint16(start + 2);
	}
	if (start > bytes.length) return null;
	return {
		marker: second >= 0x80,
		sequence: view.getUint16(2),
		timestamp: view.getUint32(4),
		ssrc: view.getUint32(8),
		payload: bytes.subarray(start),
	};
}

export function writeRTP({ marker, sequence, timestamp, ssrc }, payload) {
	const bytes = new Uint8Array(HEADER + payload.length);
	const view = new DataView(bytes.buffer);
	view.setUint16(0, (marker ? 0x8080 : 0x8000) | PAYLOAD_TYPE);
	view.setUint16(2, sequence);
	view.setUint32(4, timestamp);
	view.setUint32(8, ssrc);
	bytes.set(payload, HEADER);
	return bytes;
}

export function opusSamples(packet) {
	const [first, second] = packet;
	const mode = first >> 3;
	const frame = mode < 12 ? [480, 960, 1920, 2880][mode & 3] : mode < 16 ? 480 << (mode & 1) : 120 << (mode & 3);
	const samples = frame * [1, 2, 2, second & 0x3f][first & 3];
	return packet.length > 0 && samples <= 5760 ? samples : 0;
}

export function unwrap(value, last, bits) {
	const size = 2 ** bits;
	return value - size * Math.round((value - (last ?? value)) / size);
}

export function parseReports(bytes) {
	const blocks = [];
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
	let start = 0;
	while (start + 8 <= bytes.length && bytes[start] >> 6 === 2) {
		const end = start + 4 + 4 * view.getUint16(start + 2);
		if (end > bytes.length || end < start + 8) break;
		let offset = start + (HEADERS[bytes[start + 1]] ?? Infinity);
		for (let count = bytes[start] & 0x1f; count > 0 && offset + BLOCK <= end; count--, offset += BLOCK) {
			const words = BLOCK_FIELDS.map((name, word) => [name, view.getUint32(offset + 4 * word)]);
			const { loss, ...block } = Object.fromEntries(words);
			blocks.push({ ...block, fractionLost: loss >>> 24, lost: loss << 8 >> 8 });
		}
		start = end;
	}
	return blocks;
}

/** RFC 3550 section 6.4. */
export function writeReport({ ssrc, now, timestamp, packets, octets }, blocks) {
	const seconds = now / 1000 + EPOCH;
	const sent = packets ? [seconds, (seconds % 1) * 2 ** 32, timestamp, packets, octets] : [];
	const words = [ssrc, ...sent, ...blocks.flatMap(blockWords)];
	const view = new DataView(new ArrayBuffer(4 + 4 * words.length));
	view.setUint16(0, 0x8000 | (blocks.length << 8) | (packets ? 200 : 201));
	view.setUint16(2, words.length);
	words.forEach((word, index) => view.setUint32(4 + 4 * index, word));
	return new Uint8Array(view.buffer);
}

function blockWords({ fractionLost, lost, ...block }) {
	block.loss = (fractionLost << 24) | (Math.max(-0x800000, Math.min(0x7fffff, lost)) & 0xffffff);
	return BLOCK_FIELDS.map((name) => block[name] ?? 0);
}

export const compactNTP = (now) => Math.floor((now / 1000 + EPOCH) * 65536) % 2 ** 32;

export function roundTrip({ lastReport, sinceLastReport }, now) {
	if (lastReport === 0) return null;
	const units = (compactNTP(now) - lastReport - sinceLastReport) | 0;
	return units < -65 || units > 65536 * 30 ? null : Math.max(0, units / 65.536);
}
