"""The textbook cases of the caller directory: 1234 is blocked, 1111 has a label (CK-12, CK-15, CK-75 … CK-79)."""

import pytest

from phone import number

ACCOUNTS = {"blocked": ["phoneNumber:1234"], "acme": ["phoneNumber:1111"], "alice": ["phoneNumber:5555", "generic:alice"]}
SETTINGS = {"auth": {"mode": "accounts", "passwordMegabytes": 8, "passwordPasses": 1}}


@pytest.fixture(scope="module")
def alice(hub):
    alice = hub.phone("alice", "desk", password=hub.PASSWORD)
    load(alice, [1234], [(1111, "Acme Sales")])
    return alice


def load(phone, blocking, identification, **more):
    entries = [{"number": value, "label": label} for value, label in identification]
    message = {"extension": "textbook", "incremental": False, "blocking": blocking, "identification": entries}
    return phone.ask("directory.load", **(message | more))


def reported(phone, value):
    """A call from outside as it rings; it is over then."""
    call = phone.report(number(value))
    ringing = phone.ringing()
    phone.ask("provider.reportCallEnded", callUUID=call, reason="remoteEnded")
    phone.hear("recents.changed")
    return ringing


def is_refused(phone, value):
    """Whether a call from outside is kept out by the directory: incoming code 4, and nothing rings."""
    phone.forget()
    refusal = phone.refused(
        204, "provider.reportNewIncomingCall",
        callUUID="8a5c2f8c-0000-4000-8000-000000001234", update={"remoteHandle": number(value)},
    )
    assert refusal.data == {
        "domain": "com.apple.CallKit.error.incomingcall", "code": 4, "name": "filteredByBlockList"
    }
    return phone.told() == [] and phone.ask("observer.calls")["calls"] == []


def test_a_call_from_1234_is_refused_with_code_4(alice):
    before = alice.recents()
    assert is_refused(alice, "1234")
    assert is_refused(alice, "+1 2-34")
    assert alice.recents() == before


def test_a_call_from_1111_shows_its_label(alice):
    for value in ("1111", "+1111", "1 1 1 1"):
        ringing = reported(alice, value)
        assert (ringing["localizedCallerName"], ringing["nameSource"]) == ("Acme Sales", "directory")
    assert alice.recents()[0]["name"] == "Acme Sales"


def test_an_account_with_the_number_1111_shows_the_label_too(hub, alice):
    acme = hub.phone("acme", "desk", password=hub.PASSWORD)
    call = acme.start(number("5555"))
    ringing = alice.ringing()
    assert (ringing["localizedCallerName"], ringing["nameSource"]) == ("Acme Sales", "directory")
    acme.do("end", call)
    alice.hear("recents.changed")


def test_an_account_with_the_number_1234_is_not_told_that_it_is_blocked(hub, alice):
    alice.forget()
    caller = hub.phone("blocked", "desk", password=hub.PASSWORD)
    call = caller.start(number("5555"))
    assert caller.call(call, remoteIsRinging=True)["state"] == "connecting"
    caller.do("end", call)
    assert caller.call(call, hasEnded=True)["endedReason"] is None
    assert alice.told() == []


def test_a_number_that_is_neither_shows_itself(alice):
    ringing = reported(alice, "12345")
    assert (ringing["localizedCallerName"], ringing["nameSource"]) == ("12345", "handle")


def test_what_is_loaded_next_holds_from_then_on(alice):
    """CK-75, CK-77, CK-78, CK-79: what answers is always one whole load."""
    load(alice, [1111], [(1234, "No Longer Spam")], final=False)
    # Not yet.
    assert is_refused(alice, "1234")
    alice.refused(303, "directory.load", extension="textbook", incremental=False, blocking=[7], identification=[], batch=2)
    # Not ever.
    assert is_refused(alice, "1234")
    load(alice, [2222], [(2221, "Twenty-two")], incremental=True, removeBlocking=[1234])
    assert reported(alice, "1234")["nameSource"] == "handle"
    assert is_refused(alice, "2222")
    assert reported(alice, "1111")["localizedCallerName"] == "Acme Sales"
    alice.ask("directory.setEnabled", extension="textbook", enabled=False)
    assert reported(alice, "2222")["nameSource"] == reported(alice, "1111")["nameSource"] == "handle"
    alice.ask("directory.setEnabled", extension="textbook", enabled=True)
    assert is_refused(alice, "2222")
    load(alice, [1234], [(1111, "Acme Sales")])


def test_the_block_list_goes_before_the_directory(alice):
    """CK-11, CK-12: the same code, whichever it is."""
    alice.ask("block.add", handle=number("+1111"))
    assert is_refused(alice, "1111")
    alice.ask("block.remove", handle=number("+1111"))
    alice.ask("block.add", prefix="11")
    assert is_refused(alice, "1111")
    assert reported(alice, "2111")["nameSource"] == "handle"
    alice.ask("block.remove", prefix="11")
    assert reported(alice, "1111")["localizedCallerName"] == "Acme Sales"


def test_do_not_disturb_is_code_3_and_the_block_list_goes_before_it(alice):
    """CK-13"""
    alice.ask("settings.set", doNotDisturb=True)
    refusal = alice.refused(
        203, "provider.reportNewIncomingCall",
        callUUID="8a5c2f8c-0000-4000-8000-000000001111", update={"remoteHandle": number("1111")},
    )
    assert refusal.data["code"] == 3
    missed = alice.recents()[0]
    assert (missed["name"], missed["outcome"], missed["silenced"]) == ("Acme Sales", "missed", True)
    assert is_refused(alice, "1234")
    alice.ask("settings.set", doNotDisturb=False)
