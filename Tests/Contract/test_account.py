"""The account: where it is signed in, and all that is remembered of it erased."""

import signal

import pytest

from hub import Hub
from phone import generic


def test_an_account_sees_its_own_devices_and_signs_one_out(hub, people):
    name = people("alice")
    desk, phone = (hub.phone(name, id) for id in ("desk", "phone"))
    stranger = hub.phone(people("bob"))
    call = phone.start("echo")
    phone.call(call, state="connected")
    found = {one["session"]: one for one in desk.ask("account.devices")["sessions"]}
    assert set(found) == {desk.session["session"], phone.session["session"]}
    assert {(one["account"], one["device"]["id"], one["calls"]) for one in found.values()} == {
        (name, "desk", 0), (name, "phone", 1)
    }
    first = desk.ask("account.devices", limit=1)
    rest = desk.ask("account.devices", limit=1, after=first["next"])
    assert [one["session"] for one in first["sessions"] + rest["sessions"]] == list(found)
    assert "next" not in rest
    # Nobody signs out somebody else.
    stranger.refused(404, "account.signOut", session=phone.session["session"])
    desk.refused(-32602, "account.signOut")
    assert desk.ask("account.signOut", session=phone.session["session"]) == {}
    assert phone.hear("session.closing")["reason"] == "signedOut"
    assert phone.hear_close() == 1008
    # He hears of his call's end, and why he is sent away last.
    assert [name for _, name, _ in phone.stream][-1] == "session.closing"
    desk.refused(404, "account.signOut", session=phone.session["session"])
    assert [one["session"] for one in desk.ask("account.devices")["sessions"]] == [desk.session["session"]]


def test_an_account_erases_all_that_is_remembered_of_it_and_nothing_of_others(hub, people):
    alice, bob = people("alice"), people("bob")
    desk, phone = (hub.phone(alice, id) for id in ("desk", "phone"))
    other = hub.phone(bob)
    for one in (desk, other):
        one.ask("settings.set", displayName="Somebody", doNotDisturb=True)
        one.ask("block.add", handle=generic(people("eve")))
        one.ask("contacts.put", identifier="1", name="Eve", handles=[generic(people("eve"))])
        one.ask("directory.load", extension="x", incremental=False, blocking=[1234], identification=[])
        one.call(one.start(people("nobody")), state="ended")
        one.hear("recents.changed")
    assert desk.ask("account.erase") == {}
    for topic in ("recents", "settings", "contacts", "block"):
        phone.hear(topic + ".changed")
    for one, is_kept in ((desk, False), (phone, False), (other, True)):
        settings = one.ask("settings.get")
        assert (settings["displayName"], settings["doNotDisturb"]) == (("Somebody", True) if is_kept else ("", False))
        lists = (
            one.ask("block.list")["handles"], one.ask("contacts.list")["contacts"],
            one.ask("directory.status")["extensions"], one.ask("recents.list")["recents"],
        )
        assert [bool(entries) for entries in lists] == [is_kept] * 4
    assert desk.ask("account.erase") == {"ignored": True}
    # What is told now is kept again.
    desk.ask("settings.set", displayName="Alice")
    assert phone.ask("settings.get")["displayName"] == "Alice"


@pytest.mark.parametrize("by", [signal.SIGTERM, signal.SIGKILL], ids=["stopped", "killed"])
def test_what_was_erased_does_not_come_back_with_the_next_hub(by):
    with Hub() as hub:
        alice = hub.phone("alice")
        alice.ask("contacts.put", identifier="1", name="Eve", handles=[generic("eve")])
        alice.ask("directory.load", extension="x", incremental=False, blocking=[1234], identification=[])
        # Recents may still be on their way to the disk when they are erased.
        alice.call(alice.start("nobody"), state="ended")
        alice.hear("recents.changed")
        assert alice.ask("account.erase") == {}
        hub.stop(by)
        hub.start()
        again = hub.phone("alice")
        assert again.recents() == []
        assert again.ask("contacts.list")["contacts"] == []
        assert again.ask("directory.status")["extensions"] == []
