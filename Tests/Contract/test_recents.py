"""recents.list, recents.markSeen and recents.remove (CK-71)."""

import uuid

import pytest

from phone import generic

SETTINGS = {"limits": {"maximumRecents": 30}}


def talk_to_echo(phone, times):
    """Some calls, one after the other."""
    for _ in range(times):
        call = phone.start("echo")
        phone.call(call, state="connected")
        phone.do("end", call)
        phone.hear("recents.changed")


def ids(entries):
    return [entry["id"] for entry in entries]


def test_pages_are_one_list_the_newest_first(hub, people):
    alice = hub.phone(people("alice"))
    assert alice.recents() == []
    talk_to_echo(alice, 12)
    whole = alice.recents()
    assert len(whole) == len(set(ids(whole))) == 12
    assert [entry["endedAt"] for entry in whole] == sorted((entry["endedAt"] for entry in whole), reverse=True)
    pages, before = [], None
    while page := alice.recents(limit=5, **({"before": before} if before else {})):
        assert len(page) <= 5
        pages += page
        before = page[-1]["id"]
    assert pages == whole
    assert alice.recents(limit=1) == whole[:1]
    assert alice.recents(before=whole[3]["id"].upper(), limit=1000) == whole[4:]
    assert alice.recents(before=whole[-1]["id"]) == []


def test_a_call_that_ends_between_two_pages_shifts_nothing(hub, people):
    alice = hub.phone(people("alice"))
    talk_to_echo(alice, 4)
    first = alice.recents(limit=2)
    talk_to_echo(alice, 1)
    second = alice.recents(before=first[-1]["id"])
    assert ids(alice.recents())[1:] == ids(first) + ids(second)


def test_the_oldest_go_when_there_are_too_many(hub, people):
    alice = hub.phone(people("alice"))
    talk_to_echo(alice, 30)
    before = alice.recents()
    talk_to_echo(alice, 3)
    after = alice.recents()
    assert len(after) == 30
    assert ids(after)[3:] == ids(before)[:-3]
    alice.refused(404, "recents.list", before=before[-1]["id"])


def test_entries_are_marked_as_seen_on_both_devices(hub, people):
    desk, mobile = (hub.phone(people("alice"), device) for device in ("desk", "mobile"))
    talk_to_echo(desk, 4)
    for _ in range(4):
        mobile.hear("recents.changed")
    entries = ids(desk.recents())
    assert desk.ask("recents.markSeen", ids=[entries[1], str(uuid.uuid4())]) == {}
    mobile.hear("recents.changed")
    assert [entry["seen"] for entry in mobile.recents()] == [False, True, False, False]
    assert desk.recents() == mobile.recents()
    assert desk.ask("recents.markSeen", ids=[entries[1]]) == {"ignored": True}
    assert desk.ask("recents.markSeen", ids=[]) == {"ignored": True}
    assert mobile.told("recents.changed") == []
    assert mobile.ask("recents.markSeen") == {}
    desk.hear("recents.changed")
    assert all(entry["seen"] for entry in desk.recents())
    assert mobile.ask("recents.markSeen") == {"ignored": True}
    assert desk.told("recents.changed") == mobile.told("recents.changed") == []


def test_removed_entries_are_gone_on_both_devices(hub, people):
    desk, mobile = (hub.phone(people("alice"), device) for device in ("desk", "mobile"))
    talk_to_echo(desk, 4)
    for _ in range(4):
        mobile.hear("recents.changed")
    entries = ids(desk.recents())
    assert mobile.ask("recents.remove", ids=[entries[0], entries[2].upper(), str(uuid.uuid4())]) == {}
    desk.hear("recents.changed")
    assert ids(desk.recents()) == ids(mobile.recents()) == [entries[1], entries[3]]
    assert mobile.ask("recents.remove", ids=[entries[0]]) == {"ignored": True}
    mobile.refused(404, "recents.list", before=entries[0])
    assert desk.ask("recents.remove") == {}
    mobile.hear("recents.changed")
    assert desk.recents() == mobile.recents() == []
    assert desk.ask("recents.remove") == {"ignored": True}
    assert desk.told("recents.changed") == mobile.told("recents.changed") == []


def test_another_accounts_entries_are_nobody_elses(hub, people):
    alice, bob = hub.phone(people("alice")), hub.phone(people("bob"))
    talk_to_echo(alice, 1)
    (entry,) = alice.recents()
    assert bob.ask("recents.remove", ids=[entry["id"]]) == {"ignored": True}
    assert bob.ask("recents.markSeen", ids=[entry["id"]]) == {"ignored": True}
    bob.refused(404, "recents.list", before=entry["id"])
    assert alice.recents() == [entry]


@pytest.mark.parametrize(
    ("method", "wrong", "code"),
    [
        ("recents.list", {"limit": "5"}, -32602),
        ("recents.list", {"limit": 1.5}, -32602),
        ("recents.list", {"limit": True}, -32602),
        ("recents.list", {"limit": 0}, 602),
        ("recents.list", {"limit": -1}, 602),
        ("recents.list", {"limit": 1001}, 602),
        ("recents.list", {"limit": 10**30}, 602),
        ("recents.list", {"before": 7}, -32602),
        ("recents.list", {"before": "yesterday"}, 602),
        ("recents.list", {"before": ""}, 602),
        ("recents.list", {"before": str(uuid.uuid4())}, 404),
        ("recents.markSeen", {"ids": "all"}, -32602),
        ("recents.markSeen", {"ids": [7]}, -32602),
        ("recents.markSeen", {"ids": ["all"]}, 602),
        ("recents.remove", {"ids": {}}, -32602),
        ("recents.remove", {"ids": [None]}, -32602),
        ("recents.remove", {"ids": ["' OR 1=1 --"]}, 602),
    ],
)
def test_a_wrong_question_is_refused_and_changes_nothing(hub, method, wrong, code):
    carol = hub.phone("carol")
    if not carol.recents():
        talk_to_echo(carol, 2)
    before = carol.recents()
    carol.refused(code, method, **wrong)
    assert carol.recents() == before
    assert before[0]["handle"] == generic("echo")
