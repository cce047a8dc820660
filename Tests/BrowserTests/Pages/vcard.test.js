import { decode, MAXIMUM_COUNT, readVCards } from "../contacts/vcard.js";
import { equal, ok, test } from "./harness.js";

const card = (...lines) => ["BEGIN:VCARD", ...lines, "END:VCARD", ""].join("\r\n");
const read = (...lines) => readVCards(card(...lines)).contacts[0];

test("a card of version 4 is read: folded lines, groups, quoted parameters, URIs, escapes", () => {
    const contact = read("VERSION:4.0", "UID:urn:uuid:1", "FN:Ada ", " Lovelace\\, Countess",
        "item1.TEL;VALUE=uri;TYPE=\"work,voice:x\":tel:+44-20-1234;ext=5", "EMAIL:ada@example.org");
    equal(contact, {
        identifier: "urn:uuid:1", name: "Ada Lovelace, Countess",
        handles: [{ type: "phoneNumber", value: "+44-20-1234" }, { type: "emailAddress", value: "ada@example.org" }],
    });
});

test("a card of version 2.1 is read: extra quoted-printable lines, a picture, no FN", () => {
    const contact = read("VERSION:2.1", "N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:Dvo=C5=99=C3=A1k;Anton=", "=C3=ADn",
        "TEL;CELL:+420 123", "PHOTO;ENCODING=BASE64;JPEG:", " AAAA=", "");
    equal(contact.name, "Antonín Dvořák");
    equal(contact.handles, [{ type: "phoneNumber", value: "+420 123" }]);
});

const bytesOf = async ({ photo }) => [...new Uint8Array(await photo.arrayBuffer())];

test("the photo of a card is read, as each version embeds it", async () => {
    for (const photo of ["PHOTO;ENCODING=BASE64;JPEG:\r\n AQID\r\n BA==\r\n", "PHOTO;ENCODING=b;TYPE=JPEG:AQI\r\n DBA==",
        "item2.PHOTO:data:image/jpeg;base64,AQIDBA==", "PHOTO;TYPE=jpeg;X=\"a:b\":AQIDBA=="]) {
        equal(await bytesOf(read("TEL:1", photo)), [1, 2, 3, 4], photo);
    }
    const large = read("TEL:1", `PHOTO;ENCODING=b:${"\r\n AAAA".repeat(300_000)}`);
    equal(large.photo.size, 900_000);
});

test("a photo that is elsewhere, broken or too long is left out, and its contact is not", () => {
    for (const photo of ["PHOTO;VALUE=uri:http://example.org/a.jpg", "PHOTO:https://example.org/aaaa", "PHOTO;ENCODING=b:A",
        "PHOTO;ENCODING=b:", "PHOTO;ENCODING=b:@@@@", "PHOTO:data:image/svg+xml,<svg/>",
        `PHOTO;ENCODING=b:${"AAAA".repeat(500_000)}`]) {
        equal(read("FN:A", photo, "TEL:1"), {
            identifier: "phoneNumber:1", name: "A", handles: [{ type: "phoneNumber", value: "1" }],
        }, photo.slice(0, 60));
    }
});

test("quoted-printable of another charset is read, and an unknown charset causes no error", () => {
    equal(read("FN;CHARSET=ISO-8859-1;QUOTED-PRINTABLE:J=FCrgen", "TEL:1").name, "Jürgen");
    equal(read("FN;CHARSET=NONSENSE;QUOTED-PRINTABLE:J=C3=BCrgen", "TEL:1").name, "Jürgen");
});

test("a file that is not UTF-8 is read as Windows-1252", () => {
    equal(decode(new Uint8Array([0x4a, 0xfc]).buffer), "Jü");
    equal(decode(new TextEncoder().encode("\ufeffJü").buffer), "Jü");
});

test("invisible characters are removed, and texts are truncated at whole characters", () => {
    equal(read("FN:ev\u202eil\u0000\u200b\u2028 x", "TEL:1").name, "evil x");
    equal(read("FN:\u{1f468}\u200d\u{1f469}", "TEL:1").name, "\u{1f468}\u200d\u{1f469}", "joiners stay");
    const { name } = read(`FN:${"\u{1f600}".repeat(100)}`, "TEL:1");
    equal(name, "\u{1f600}".repeat(64));
    equal(read(`FN:a${"\u0301".repeat(500)}`, "TEL:1").name, `a${"\u0301".repeat(16)}`);
});

test("cards without a handle are counted, and so are those beyond the limit", () => {
    equal(readVCards(card("FN:Nobody") + card("FN:Words", "TEL:no digits") + card("TEL:7")).skipped, 2);
    const many = Array.from({ length: MAXIMUM_COUNT + 3 }, (_, index) => card(`TEL:${index}`)).join("");
    const { contacts, excess } = readVCards(many);
    equal([contacts.length, excess], [MAXIMUM_COUNT, 3]);
});

test("duplicate cards are one contact, with the same identifier in the next file", () => {
    const twice = readVCards(card("FN:A", "TEL:+1 2") + card("FN:B", "TEL:+1 2")).contacts;
    equal(twice.map(({ identifier, name }) => [identifier, name]), [["phoneNumber:+1 2", "B"]]);
});

test("malformed cards cause no crash", () => {
    for (const text of ["", "END:VCARD", "BEGIN:VCARD", "BEGIN:VCARD\nBEGIN:VCARD\nTEL", ":", ";:;", "\0".repeat(1000),
        "BEGIN:VCARD\n__proto__:x\nCONSTRUCTOR:x\nTEL;QUOTED-PRINTABLE:=ZZ=\nEND:VCARD"]) readVCards(text);
    equal(readVCards("BEGIN:VCARD\nTEL:1\nBEGIN:VCARD\nTEL:2\nEND:VCARD").contacts.length, 1);
});

test("malicious files take time in proportion to their length", () => {
    const files = [card("FN:x", "TEL:1").repeat(300_000), `BEGIN:VCARD\nFN;QUOTED-PRINTABLE:${"=\n".repeat(3e6)}`,
        "A;".repeat(5e6), `BEGIN:VCARD\nFN:${"\n a".repeat(4e6)}`, `BEGIN:VCARD\n${"TEL:1\n".repeat(2e6)}END:VCARD`,
        card("TEL:1", `FN:${"a\u0301".repeat(5e6)}`), card("TEL:1", `N:${"\\".repeat(5e6)}`),
        card("TEL:1", `PHOTO;ENCODING=b:${"\n AAAA".repeat(3e6)}`), card("TEL:1", `PHOTO:data:${"x".repeat(2e7)}`),
        card("TEL:1", `PHOTO;ENCODING=b:${"A".repeat(1_900_000)}`).repeat(20)];
    const began = performance.now();
    for (const file of files) readVCards(file);
    ok(performance.now() - began < 15_000, "in time");
});
