"""Texts that take long to compare: thousands of combining marks on one letter, in every place where a client may put a text.

Unicode's normal form has the marks of a letter sorted, which takes the square of their number: a single message of 60 KB could
stop all calls for seconds, and its sender need not even have signed in.
"""


import pytest

from phone import generic

MARKED = "a" + "\u0301\u0323\u0328\u0345\u0327" * 5_000
UUID = "8a5c2f8c-0000-4000-8000-000000000001"

STRANGERS = {
    "method": (MARKED, {}),
    "account": ("session.open", {"account": MARKED}),
    "password": ("session.open", {"account": "alice", "password": MARKED}),
    "token": ("session.open", {"token": MARKED}),
    "device": ("session.open", {"account": "alice", "device": {"id": MARKED}}),
    "device's name": ("session.open", {"account": "alice", "device": {"name": MARKED}}),
    "client": ("session.open", {"account": "alice", "client": {"name": MARKED}}),
    "permission": ("session.open", {"account": "alice", "permissions": [MARKED]}),
    "fulfillment": ("session.open", {"account": "alice", "fulfillment": MARKED}),
    "ringtone": ("session.open", {"account": "alice", "provider": {"ringtoneSound": MARKED}}),
    "resume": ("session.open", {"resume": {"session": MARKED[:15_000], "token": MARKED[:15_000], "seq": 1}}),
}
START = {"type": "start", "callUUID": UUID}
USERS = {
    "refresh": ("session.refresh", {"token": MARKED}),
    "callee": ("transaction.request", {"actions": [START | {"handle": generic(MARKED)}]}),
    "contact": ("transaction.request", {"actions": [START | {"handle": generic("echo"), "contactIdentifier": MARKED}]}),
    "action": ("transaction.request", {"actions": [{"type": MARKED, "callUUID": UUID}]}),
    "uuid": ("transaction.request", {"actions": [{"type": "end", "callUUID": MARKED}]}),
    "caller": ("provider.reportNewIncomingCall", {"callUUID": UUID, "update": {"remoteHandle": generic(MARKED)}}),
    "name": ("settings.set", {"displayName": MARKED}),
    "zone": ("settings.set", {"timeZone": MARKED}),
    "blocked": ("block.add", {"handle": generic(MARKED)}),
    "no longer blocked": ("block.remove", {"handle": generic(MARKED)}),
    "prefix": ("block.add", {"prefix": MARKED}),
    "put": ("contacts.put", {"identifier": "1", "name": "", "handles": [generic(MARKED)]}),
    "removed": ("contacts.remove", {"identifier": MARKED}),
    "extension": ("directory.setEnabled", {"extension": MARKED, "enabled": True}),
    "status": ("directory.status", {"extension": MARKED}),
    "before": ("recents.list", {"before": MARKED}),
    "session": ("admin.signOut", {"session": MARKED}),
    "conversation": ("admin.endCall", {"conversation": MARKED}),
}


def answered_quickly(hub, phone, method, parameters):
    before = hub.cpu_seconds
    _, message = phone.answer(phone.begin(method, **parameters))
    assert hub.cpu_seconds - before < 2
    return message.get("error")


@pytest.mark.parametrize("place", STRANGERS)
def test_no_text_of_a_stranger_keeps_the_hub_busy(hub, place):
    assert answered_quickly(hub, hub.stranger(), *STRANGERS[place])


@pytest.mark.parametrize("place", USERS)
def test_no_text_of_a_user_keeps_the_hub_busy(hub, people, place):
    alice = hub.phone(people("alice"), permissions=["call", "admin"])
    assert answered_quickly(hub, alice, *USERS[place])


def test_names_of_members_and_ids_of_requests_take_no_time_either(hub):
    alice = hub.stranger()
    before = hub.cpu_seconds
    _, message = alice.answer(alice.begin("session.open", account="alice", **{MARKED[:15_000]: 1, MARKED[:15_000] + "b": 2}))
    assert "result" in message
    alice.send('{"jsonrpc":"2.0","id":"' + MARKED + '","method":"session.ping"}')
    assert "result" in alice.answer(MARKED)[1]
    assert hub.cpu_seconds - before < 3


def test_a_text_that_people_write_is_taken(hub, people):
    """Marks are fine: Zalgo's text, Vietnamese, Hindi, Arabic, families of emoji."""
    alice = hub.phone(people("alice"))
    for name in ("H̶̛̲̦̆̎̕ȇ̸͙ c̴̛̖o̷̩͠m̵̙͛e̸̪̓s̷̭̀", "Nguyễn Thị Ánh", "हिन्दी", "مُحَمَّد", "👩‍👩‍👧‍👦", "a" + "\u0301" * 100):
        assert alice.ask("settings.set", displayName=name)["displayName"] == name


SEEN = ("김철수", "Nguyễn Thị Ánh", "हिन्दी", "مُحَمَّد", "Alice Liddell", "🦊")
HIDING = {
    "joiner": "alice\u200d", "non-joiner": "alice\u200c", "selector": "alice\ufe0f", "zero width space": "ali\u200bce",
    "tag": "alice\U000e0061", "written backwards": "\u202eecila", "isolated": "\u2066alice", "soft hyphen": "al\u00adice",
    "filler": "alice\u3164", "space behind": "alice ", "space in front": " alice", "two spaces": "alice  b",
    "space that does not break": "alice\u00a0b", "wide space": "alice\u3000b", "line": "alice\u2028", "Zalgo": "a" + "\u0301" * 5,
    "129 bytes": "x" * 129,
}


@pytest.mark.parametrize("name", SEEN)
def test_an_account_whose_name_is_seen_whole_signs_in(hub, name):
    assert hub.phone(name).session["account"] == name


@pytest.mark.parametrize("kind", HIDING)
def test_an_account_in_whose_name_something_hides_does_not(hub, kind):
    """Else somebody looks like another one to all whom he calls."""
    error = hub.stranger().refused(-32602, "session.open", account=HIDING[kind])
    assert "params.account" in str(error)
