"""block.list, block.add and block.remove (docs/protocol.md)."""

import pytest

from phone import generic, number


def test_handles_and_prefixes_are_listed_in_the_order_in_which_they_were_said(hub, people):
    alice = hub.phone(people("alice"))
    assert alice.ask("block.list") == {"handles": [], "prefixes": []}
    handles = [generic("zoe"), number("+49 30 1234"), {"type": "emailAddress", "value": "a@example.org"}, generic("bob")]
    for handle in handles:
        assert alice.ask("block.add", handle=handle) == {}
    for prefix in ("4989", "+4930", "1"):
        assert alice.ask("block.add", prefix=prefix) == {}
    assert alice.ask("block.list") == {"handles": handles, "prefixes": ["4989", "4930", "1"]}


def test_an_entry_that_is_there_is_ignored_and_told_to_nobody(hub, people):
    desk, mobile = (hub.phone(people("alice"), device) for device in ("desk", "mobile"))
    desk.ask("block.add", handle=number("+49 (30) 12-34"))
    desk.ask("block.add", prefix="+4930")
    mobile.forget()
    # Telephone numbers are compared by their digits.
    assert desk.ask("block.add", handle=number("49 30 1234")) == {"ignored": True}
    assert desk.ask("block.add", prefix="4930") == {"ignored": True}
    assert desk.ask("block.remove", handle=generic("49301234")) == {"ignored": True}
    assert desk.ask("block.remove", prefix="493") == {"ignored": True}
    assert mobile.told("block.changed") == []


def test_an_entry_that_is_removed_is_gone_on_both_devices(hub, people):
    desk, mobile = (hub.phone(people("alice"), device) for device in ("desk", "mobile"))
    desk.ask("block.add", handle=number("+49301234"))
    mobile.hear("block.changed")
    mobile.ask("block.add", prefix="4930")
    desk.hear("block.changed")
    assert desk.ask("block.list") == mobile.ask("block.list") == {"handles": [number("+49301234")], "prefixes": ["4930"]}
    assert mobile.ask("block.remove", handle=number("0049301234")) == {"ignored": True}
    assert mobile.ask("block.remove", handle=number("49-30-1234")) == {}
    desk.hear("block.changed")
    assert desk.ask("block.remove", prefix="+4930") == {}
    mobile.hear("block.changed")
    assert desk.ask("block.list") == mobile.ask("block.list") == {"handles": [], "prefixes": []}
    assert desk.told("block.changed") == mobile.told("block.changed") == []


WRONG = [
    ({}, -32602),
    ({"handle": None}, -32602),
    ({"handle": "bob"}, -32602),
    ({"handle": {"value": "bob"}}, -32602),
    ({"handle": {"type": "generic"}}, -32602),
    ({"handle": {"type": "generic", "value": 7}}, -32602),
    ({"handle": {"type": 1, "value": "bob"}}, -32602),
    ({"handle": {"type": "fax", "value": "bob"}}, 602),
    ({"handle": generic("")}, 602),
    ({"prefix": 49}, -32602),
    ({"prefix": ""}, 602),
    ({"prefix": "+"}, 602),
    ({"prefix": "49x"}, 602),
    ({"prefix": "0049"}, 602),
    ({"prefix": "1" * 19}, 602),
    ({"prefix": "٤٩"}, 602),
    ({"prefix": "４９"}, 602),
    ({"handle": generic("bob"), "prefix": "49"}, 602),
]


@pytest.mark.parametrize("method", ["block.add", "block.remove"])
@pytest.mark.parametrize(("wrong", "code"), WRONG, ids=lambda value: str(value)[:60])
def test_a_wrong_entry_is_refused_and_changes_nothing(hub, method, wrong, code):
    carol = hub.phone("carol")
    before = carol.ask("block.list")
    carol.refused(code, method, **wrong)
    assert carol.ask("block.list") == before


def test_a_handle_that_is_too_long_can_neither_be_added_nor_be_there(hub, people):
    alice = hub.phone(people("alice"))
    alice.refused(602, "block.add", handle=generic("x" * 1025))
    alice.refused(602, "block.add", handle=generic("é" * 513))
    assert alice.ask("block.remove", handle=generic("x" * 1025)) == {"ignored": True}


def test_the_longest_entries_are_taken(hub, people):
    alice = hub.phone(people("alice"))
    assert alice.ask("block.add", handle=generic("x" * 1024)) == {}
    assert alice.ask("block.add", prefix="1" * 18) == {}


def test_more_than_two_thousand_entries_are_too_many(hub, people):
    """Over three devices: one alone may send a thousand messages in one go."""
    alice, *others = (hub.phone(people("alice"), device) for device in ("desk", "mobile", "car"))
    entries = [{"handle": generic(f"caller {index}")} for index in range(990)]
    entries += [{"prefix": str(10_000 + index)} for index in range(1010)]
    for phone, some in zip(others, (entries[:990], entries[990:1900])):
        assert phone.ask_all("block.add", some) == [{}] * len(some)
    for entry in entries[1900:]:
        assert alice.ask("block.add", **entry) == {}
    assert alice.refused(429, "block.add", handle=generic("one too many")).name == "tooMany"
    assert alice.refused(429, "block.add", prefix="3").name == "tooMany"
    # What is there is none more; and one that goes makes room.
    assert alice.ask("block.add", prefix="10000") == {"ignored": True}
    assert alice.ask("block.remove", prefix="10000") == {}
    assert alice.ask("block.add", prefix="3") == {}
    stored = alice.ask("block.list")
    assert (len(stored["handles"]), len(stored["prefixes"])) == (990, 1010)
