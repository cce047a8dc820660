"""contacts.list, contacts.put and contacts.remove (docs/protocol.md)."""

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
