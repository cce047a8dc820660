"""contacts.list, contacts.put, contacts.remove and contacts.photo (docs/protocol.md)."""

import base64
import hashlib

import pytest

from phone import generic, number

BOB = {"identifier": "b", "name": "Bob", "handles": [generic("bob"), number("+49 30 1234")]}
FLAGS = {"favorite": False, "breaksThroughDoNotDisturb": False}


def test_contacts_are_listed_by_their_identifiers(hub, people):
    alice = hub.phone(people("alice"))
    assert alice.ask("contacts.list") == {"contacts": []}
    put = [
        BOB | {"favorite": True, "breaksThroughDoNotDisturb": True},
        {"identifier": "a", "name": "", "handles": []} | FLAGS,
        {"identifier": "c", "name": "Zoë 🎩", "handles": [{"type": "emailAddress", "value": "z@example.org"}]} | FLAGS,
    ]
    for contact in put:
        assert alice.ask("contacts.put", **contact) == {}
    assert alice.ask("contacts.list") == {"contacts": sorted(put, key=lambda contact: contact["identifier"])}


def test_a_contact_that_is_put_again_is_replaced_whole(hub, people):
    alice = hub.phone(people("alice"))
    alice.ask("contacts.put", **BOB, favorite=True, breaksThroughDoNotDisturb=True)
    robert = {"identifier": "b", "name": "Robert", "handles": [generic("rob")]}
    assert alice.ask("contacts.put", **robert) == {}
    # Flags that are left out are false.
    assert alice.ask("contacts.list") == {"contacts": [robert | FLAGS]}
    assert alice.ask("contacts.put", **robert) == {"ignored": True}


def test_a_removed_contact_is_gone_on_both_devices(hub, people):
    desk, mobile = (hub.phone(people("alice"), device) for device in ("desk", "mobile"))
    desk.ask("contacts.put", **BOB)
    mobile.hear("contacts.changed")
    assert desk.ask("contacts.list") == mobile.ask("contacts.list") == {"contacts": [BOB | FLAGS]}
    assert mobile.ask("contacts.remove", identifier="b") == {}
    desk.hear("contacts.changed")
    assert desk.ask("contacts.list") == mobile.ask("contacts.list") == {"contacts": []}
    assert desk.told("contacts.changed") == mobile.told("contacts.changed") == []


def test_what_was_so_already_is_told_to_nobody(hub, people):
    desk, mobile = (hub.phone(people("alice"), device) for device in ("desk", "mobile"))
    desk.ask("contacts.put", **BOB)
    mobile.forget()
    assert desk.ask("contacts.put", **BOB) == {"ignored": True}
    assert desk.ask("contacts.remove", identifier="nobody") == {"ignored": True}
    assert mobile.told("contacts.changed") == []


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ({"identifier": None}, -32602),
        ({"identifier": 7}, -32602),
        ({"identifier": ""}, 602),
        ({"identifier": "x" * 257}, 602),
        ({"name": None}, -32602),
        ({"name": ["Bob"]}, -32602),
        ({"name": "é" * 129}, 602),
        ({"handles": None}, -32602),
        ({"handles": generic("bob")}, -32602),
        ({"handles": ["bob"]}, -32602),
        ({"handles": [generic("")]}, 602),
        ({"handles": [{"type": "fax", "value": "1"}]}, 602),
        ({"handles": [generic("x" * 1025)]}, 602),
        ({"favorite": "yes"}, -32602),
        ({"breaksThroughDoNotDisturb": 1}, -32602),
    ],
    ids=lambda value: str(value)[:60],
)
def test_a_wrong_contact_is_refused_and_changes_nothing(hub, wrong, code):
    carol = hub.phone("carol")
    carol.ask("contacts.put", **BOB)
    carol.refused(code, "contacts.put", **(BOB | {"name": "Mallory"} | wrong))
    assert carol.ask("contacts.list") == {"contacts": [BOB | FLAGS]}


@pytest.mark.parametrize(("wrong", "code"), [({}, -32602), ({"identifier": 7}, -32602)])
def test_a_wrong_removal_is_refused_and_removes_nothing(hub, wrong, code):
    carol = hub.phone("carol")
    carol.ask("contacts.put", **BOB)
    carol.refused(code, "contacts.remove", **wrong)
    assert carol.ask("contacts.list") == {"contacts": [BOB | FLAGS]}


def test_an_identifier_that_cannot_be_there_is_not_there(hub, people):
    alice = hub.phone(people("alice"))
    for identifier in ("", "x" * 257):
        assert alice.ask("contacts.remove", identifier=identifier) == {"ignored": True}


def test_more_than_two_thousand_contacts_are_too_many(hub, people):
    """Over three devices: one alone may send a thousand messages in one go."""
    *phones, third = (hub.phone(people("alice"), device) for device in ("desk", "mobile", "car", "third"))
    for part, (phone, count) in enumerate(zip(phones, (900, 900, 200))):
        contacts = [{"identifier": f"{part}.{index}", "name": f"{index}", "handles": []} for index in range(count)]
        assert phone.ask_all("contacts.put", contacts) == [{}] * count
    assert third.refused(429, "contacts.put", **BOB).name == "tooMany"
    # Another text for one that is there takes no room.
    assert third.ask("contacts.put", identifier="0.0", name="other", handles=[]) == {}
    assert third.ask("contacts.remove", identifier="0.0") == {}
    assert third.ask("contacts.put", **BOB) == {}
    assert len(third.ask("contacts.list")["contacts"]) == 2000


def test_contacts_that_make_no_answer_of_512_kb_are_too_many(hub, people):
    alice = hub.phone(people("alice"))
    handles = [generic(f"{index:04}" + "x" * 1000) for index in range(50)]
    taken = 0
    while taken < 20:
        _, message = alice.answer(alice.begin("contacts.put", identifier=f"{taken}", name="", handles=handles))
        if "error" in message:
            break
        taken += 1
    assert message["error"]["code"] == 429
    assert 8 <= taken <= 10
    assert len(alice.ask("contacts.list")["contacts"]) == taken


def photo(size, start=b"\xff\xd8\xff"):
    """Returns base64 of a JPEG image's size and beginning."""
    return base64.b64encode(start.ljust(size, b"\0")).decode()


@pytest.mark.parametrize("size", [3, 12_287, 12_288])
def test_a_photo_is_listed_by_its_hash_and_sent_on_request(hub, people, size):
    desk, mobile = (hub.phone(people("alice"), device) for device in ("desk", "mobile"))
    assert desk.ask("contacts.put", **BOB, photo=photo(size)) == {}
    mobile.hear("contacts.changed")
    name = hashlib.sha256(base64.b64decode(photo(size))).hexdigest()[:32]
    assert mobile.ask("contacts.list") == {"contacts": [BOB | FLAGS | {"photoHash": name}]}
    assert mobile.ask("contacts.photo", identifier="b") == {"photo": photo(size)}
    # A client that knows no photos does not remove them.
    assert mobile.ask("contacts.put", **BOB, favorite=True) == {}
    assert desk.ask("contacts.photo", identifier="b") == {"photo": photo(size)}
    assert desk.ask("contacts.put", **BOB, favorite=True, photo=None) == {}
    assert mobile.refused(404, "contacts.photo", identifier="b").name == "notFound"
    assert desk.refused(404, "contacts.photo", identifier="nobody").name == "notFound"


@pytest.mark.parametrize(
    "wrong",
    [
        "", "/w==", "no base64", photo(12_289), photo(12_288)[:-1], photo(30, b"GIF89a"), photo(30, b"<svg/>"),
        photo(30, b"RIFF0000WAVE"),
    ],
)
def test_what_is_no_small_image_is_refused_and_changes_nothing(hub, people, wrong):
    carol = hub.phone(people("carol"))
    carol.ask("contacts.put", **BOB, photo=photo(100))
    carol.refused(602, "contacts.put", **(BOB | {"name": "Mallory"}), photo=wrong)
    assert carol.ask("contacts.list")["contacts"][0]["name"] == "Bob"
    assert carol.ask("contacts.photo", identifier="b") == {"photo": photo(100)}


def test_all_photos_of_an_account_have_eight_megabytes(hub, people):
    alice = hub.phone(people("alice"))
    fits = 8 * 1024 * 1024 // 12_288
    contacts = [{"identifier": f"{index}", "name": "", "handles": [], "photo": photo(12_288)} for index in range(fits)]
    for start in range(0, fits, 50):
        assert alice.ask_all("contacts.put", contacts[start:start + 50]) == [{}] * len(contacts[start:start + 50])
    assert alice.refused(429, "contacts.put", **BOB, photo=photo(12_288)).name == "tooMany"
    assert alice.ask("contacts.put", **BOB) == {}
    assert alice.ask("contacts.put", identifier="0", name="", handles=[], photo=None) == {}
    assert alice.ask("contacts.put", **BOB, photo=photo(12_288)) == {}


@pytest.mark.parametrize("name", ["a", "0-9", "z" * 32])
def test_a_ringtone_is_kept_known_or_not(hub, people, name):
    alice = hub.phone(people("alice"))
    assert alice.ask("contacts.put", **BOB, ringtone=name) == {}
    assert alice.ask("contacts.list") == {"contacts": [BOB | FLAGS | {"ringtone": name}]}
    for wrong in ("", "A", "a b", "ä", "z" * 33):
        alice.refused(602, "contacts.put", **BOB, ringtone=wrong)
    assert alice.ask("contacts.put", **BOB) == {}
    assert alice.ask("contacts.list") == {"contacts": [BOB | FLAGS]}
