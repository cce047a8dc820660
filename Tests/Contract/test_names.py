"""What a call shows: explicit name, contact, directory, handle, in this order, and where it is from (CK-15)."""

import pytest

from phone import generic, number

ACCOUNTS = {"dora": ["phoneNumber:+49 30 1111"], "bob": ["phoneNumber:+49 30 5555"]}
SETTINGS = {"auth": {"mode": "accounts", "passwordMegabytes": 8, "passwordPasses": 1}}


def shown(call):
    return call["localizedCallerName"], call["nameSource"]


@pytest.fixture(scope="module")
def phones(hub):
    return [hub.phone(name, "desk", password=hub.PASSWORD) for name in ("bob", "dora")]


@pytest.fixture
def bob(phones):
    bob = phones[0]
    yield bob
    bob.ask("directory.load", extension="names", incremental=False, blocking=[], identification=[])
    for contact in bob.ask("contacts.list")["contacts"]:
        bob.ask("contacts.remove", identifier=contact["identifier"])
    bob.forget()


@pytest.fixture
def dora(phones):
    dora = phones[1]
    yield dora
    dora.ask("settings.set", displayName="")
    dora.forget()


def identify(phone, label="Acme"):
    entries = [{"number": 49301111, "label": label}]
    phone.ask("directory.load", extension="names", incremental=False, blocking=[], identification=entries)


def put(phone, identifier="1", name="Dora D.", value="0049301111"):
    phone.ask("contacts.put", identifier=identifier, name=name, handles=[number(value)])


def ring(dora, bob):
    """A call from Dora to Bob, as it rings there; it is over then."""
    call = dora.start(number("+49305555"))
    ringing = bob.ringing()
    dora.do("end", call)
    bob.call(ringing["uuid"], hasEnded=True)
    return ringing


def test_each_source_of_a_name_goes_before_the_next(dora, bob):
    assert shown(ring(dora, bob)) == ("+49 30 1111", "handle")
    identify(bob)
    assert shown(ring(dora, bob)) == ("Acme", "directory")
    put(bob, value="+49 (30) 11-11")
    assert shown(ring(dora, bob)) == ("Dora D.", "contact")
    dora.ask("settings.set", displayName="Dora Explicit")
    assert shown(ring(dora, bob)) == ("Dora Explicit", "caller")
    # And back again, one by one.
    dora.ask("settings.set", displayName="")
    assert shown(ring(dora, bob)) == ("Dora D.", "contact")
    bob.ask("contacts.remove", identifier="1")
    assert shown(ring(dora, bob)) == ("Acme", "directory")
    bob.ask("directory.setEnabled", extension="names", enabled=False)
    assert shown(ring(dora, bob)) == ("+49 30 1111", "handle")
    bob.ask("directory.setEnabled", extension="names", enabled=True)


def test_the_name_in_recents_is_the_one_that_was_shown(dora, bob):
    identify(bob)
    ring(dora, bob)
    bob.hear("recents.changed")
    identify(bob, "Another")
    assert (bob.recents()[0]["name"], bob.recents()[0]["handle"]) == ("Acme", number("+49 30 1111"))


def test_the_callee_is_shown_by_the_callers_own_contacts(dora, bob):
    dora.ask("contacts.put", identifier="b", name="Bobby", handles=[number("49305555")])
    call = dora.start(number("+49305555"))
    assert shown(dora.call(call, remoteIsRinging=True)) == ("Bobby", "contact")
    dora.do("end", call)
    dora.call(call, hasEnded=True)


def test_a_contact_without_a_name_gives_none(dora, bob):
    identify(bob)
    put(bob, "1", "", "49301111")
    assert shown(ring(dora, bob)) == ("Acme", "directory")
    put(bob, "2", "Second", "49301111")
    put(bob, "3", "Third", "49301111")
    assert shown(ring(dora, bob)) == ("Second", "contact")


def test_the_first_of_several_labels_is_shown(dora, bob):
    entries = [{"number": 49301111, "label": label} for label in ("First", "Second")]
    bob.ask("directory.load", extension="names", incremental=False, blocking=[], identification=entries)
    assert shown(ring(dora, bob)) == ("First", "directory")


def test_a_handle_of_another_type_with_the_same_value_is_another(dora, bob):
    bob.ask("contacts.put", identifier="1", name="Nobody", handles=[generic("+49 30 1111"), generic("49301111")])
    assert shown(ring(dora, bob)) == ("+49 30 1111", "handle")


def test_what_a_gateway_says_goes_before_all_else(bob):
    identify(bob)
    put(bob, value="+49301111")
    for update, expected in [
        ({"localizedCallerName": "Gateway"}, ("Gateway", "caller")),
        ({}, ("Dora D.", "contact")),
        ({"localizedCallerName": ""}, ("Dora D.", "contact")),
    ]:
        call = bob.report(number("+49 30 1111"), **update)
        assert shown(bob.ringing()) == expected
        bob.ask("provider.reportCallEnded", callUUID=call, reason="remoteEnded")
        bob.call(call, hasEnded=True)


def test_a_name_that_is_taken_back_uncovers_the_one_below(bob):
    """CK-16"""
    put(bob, value="+49301111")
    call = bob.report(number("+49 30 1111"), localizedCallerName="Gateway")
    bob.ringing()
    bob.ask("provider.reportCall", callUUID=call, update={"localizedCallerName": ""})
    assert shown(bob.call(call, nameSource="contact")) == ("Dora D.", "contact")
    bob.ask("provider.reportCallEnded", callUUID=call, reason="remoteEnded")
