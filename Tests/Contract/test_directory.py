"""directory.load, directory.setEnabled and directory.status (CK-75 … CK-79)."""

import time

import pytest

TIMEOUT = 3
SETTINGS = {"limits": {"maximumDirectoryEntries": 50, "directoryLoadTimeoutSeconds": TIMEOUT}}


EMPTY = {
    "extension": "spam", "status": "enabled", "blocking": 0, "identification": 0, "loadedAt": None, "incremental": False
}


def wait_for_expiry(other):
    """A load is over as soon as another device may begin one."""
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        _, answer = other.answer(other.begin("directory.load", **message([9], incremental=True, final=False)))
        if "result" in answer:
            break
        assert answer["error"]["code"] == 307
        other.wait(0.02)
    other.ask("directory.load", extension="spam", cancel=True)


def entries(*pairs):
    return [{"number": number, "label": label} for number, label in pairs]


def load(phone, blocking=(), identification=(), extension="spam", incremental=False, **more):
    return phone.ask("directory.load", **message(blocking, identification, extension, incremental, **more))


def message(blocking=(), identification=(), extension="spam", incremental=False, **more):
    return {
        "extension": extension,
        "incremental": incremental,
        "blocking": list(blocking),
        "identification": entries(*identification),
    } | more


def status(phone, extension="spam"):
    """What there is of an extension, but for the date."""
    (found,) = phone.ask("directory.status", extension=extension)["extensions"]
    loaded = found.pop("loadedAt")
    found.pop("lastError", None)
    return found | {"isLoaded": loaded is not None}


def stored(phone):
    """What there is of all extensions, but for the reasons why loads were not stored."""
    extensions = phone.ask("directory.status")["extensions"]
    return [{name: value for name, value in each.items() if name != "lastError"} for each in extensions]


def counts(phone, extension="spam"):
    found = status(phone, extension)
    return found["blocking"], found["identification"]


def test_a_full_load_is_stored_and_told_by_its_counts(hub, people):
    """CK-75, CK-78"""
    alice = hub.phone(people("alice"))
    assert alice.ask("directory.status") == {"extensions": []}
    assert load(alice, [1, 1234], [(5, "Five"), (1111, "Acme")]) == {"blocking": 2, "identification": 2}
    expected = {"extension": "spam", "status": "enabled", "blocking": 2, "identification": 2}
    assert status(alice) == expected | {"incremental": True, "isLoaded": True}
    assert load(alice, [7]) == {"blocking": 1, "identification": 0}
    assert counts(alice) == (1, 0)
    load(alice, extension="another", identification=[(1, "One")])
    both = alice.ask("directory.status")["extensions"]
    assert sorted(extension["extension"] for extension in both) == ["another", "spam"]


def test_an_incremental_load_is_the_difference(hub, people):
    """CK-75"""
    alice = hub.phone(people("alice"))
    load(alice, [1, 2, 3], [(10, "Ten"), (10, "Dix"), (20, "Twenty")])
    result = load(alice, [2, 4], [(10, "Zehn"), (30, "Thirty")], incremental=True, removeBlocking=[3, 2], removeIdentification=[10])
    # Without 3, 2 anew, 4 besides; both labels of 10 gone.
    assert result == {"blocking": 3, "identification": 3}
    assert load(alice, incremental=True, removeBlocking=[99], removeIdentification=[98]) == result
    assert load(alice, [5], incremental=True, removeAllBlocking=True) == {"blocking": 1, "identification": 3}
    assert load(alice, incremental=True, removeAllIdentification=True) == {"blocking": 1, "identification": 0}


def test_the_greatest_and_the_smallest_numbers_are_taken(hub, people):
    alice = hub.phone(people("alice"))
    assert load(alice, [1, 9223372036854775806], [(1, "x" * 256)]) == {"blocking": 2, "identification": 1}
    labels = [(7, f"{label:02}") for label in range(16)]
    assert load(alice, identification=labels) == {"blocking": 0, "identification": 16}


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        (message([2, 1]), 303),
        (message([1], [(2, "b"), (1, "a")]), 303),
        (message([1, 1]), 304),
        (message([1], [(1, "a"), (1, "a")]), 304),
        (message([], [], removeBlocking=[1]), 308),
        (message([], [], removeIdentification=[1]), 308),
        (message([], [], removeAllBlocking=True), 308),
        (message([], [], removeAllIdentification=True), 308),
        (message([1], incremental=True), 308),
        (message([1], batch=2), 302),
        (message([1], batch=7, final=False), 302),
        (message(range(1, 60)), 305),
        (message([0]), 602),
        (message([-1]), 602),
        (message([9223372036854775807]), 602),
        (message([1], [(0, "a")]), 602),
        (message([1], [(1, "")]), 602),
        (message([1], [(1, "x" * 257)]), 602),
        (message([1], [(1, f"{label:02}") for label in range(17)]), 305),
        (message([1], batch=0), 602),
        (message([1], extension=""), 602),
        (message([1], extension="x" * 257), 602),
        (message([1.5]), -32602),
        (message(["1"]), -32602),
        (message([1], [(1, 7)]), -32602),
        (message([1]) | {"blocking": 1}, -32602),
        (message([1]) | {"blocking": None}, -32602),
        (message([1]) | {"identification": None}, -32602),
        (message([1]) | {"identification": [1]}, -32602),
        (message([1]) | {"identification": [{"number": 1}]}, -32602),
        (message([1]) | {"incremental": None}, -32602),
        (message([1]) | {"incremental": "no"}, -32602),
        (message([1]) | {"extension": None}, -32602),
        (message([1]) | {"extension": 7}, -32602),
        (message([1], batch="1"), -32602),
        (message([1], final=1), -32602),
        (message([1], cancel=1), -32602),
        (message([1], removeBlocking=1), -32602),
    ],
    ids=lambda value: str(value)[:90],
)
def test_a_load_that_is_wrong_stores_nothing(hub, people, wrong, code):
    """CK-76: each error. An extension is there from the first load that names it, but has nothing to build on."""
    alice = hub.phone(people("alice"))
    alice.refused(code, "directory.load", **wrong)
    has_nothing(alice)


def has_nothing(phone):
    for extension in stored(phone):
        assert extension == EMPTY
    phone.refused(308, "directory.load", **message([1], incremental=True))


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        (message([3, 2]), 303),
        (message([2, 2]), 304),
        (message([1], incremental=True), 304),
        (message([], [(10, "Ten")], incremental=True), 304),
        (message(range(2, 60), incremental=True), 305),
        (message([7], batch=2), 302),
    ],
    ids=lambda value: str(value)[:90],
)
def test_a_load_that_is_wrong_leaves_what_there_was(hub, people, wrong, code):
    """CK-75, CK-76: all or nothing."""
    alice = hub.phone(people("alice"))
    load(alice, [1], [(10, "Ten")])
    before = stored(alice)
    alice.refused(code, "directory.load", **wrong)
    assert stored(alice) == before
    # What is right goes on from there: the entries are those of before, not only their counts.
    assert load(alice, [1], incremental=True, removeBlocking=[1]) == {"blocking": 1, "identification": 1}


def test_the_limit_is_of_all_extensions_together(hub, people):
    """CK-76: code 5"""
    alice = hub.phone(people("alice"))
    load(alice, range(1, 31), extension="first")
    load(alice, range(1, 21), extension="second")
    alice.refused(305, "directory.load", **message([1], extension="third"))
    assert load(alice, range(1, 31), extension="first") == {"blocking": 30, "identification": 0}
    load(alice, range(1, 20), extension="second")
    assert load(alice, [1], extension="third") == {"blocking": 1, "identification": 0}


def test_more_than_a_hundred_extensions_are_too_many(hub, people):
    """CK-76: code 5"""
    alice = hub.phone(people("alice"))
    for index in range(100):
        load(alice, extension=f"{index}")
    alice.refused(305, "directory.load", **message(extension="one more"))
    assert load(alice, [1], extension="7") == {"blocking": 1, "identification": 0}


def test_batches_are_one_load(hub, people):
    """CK-75: nothing of it is there before the last batch; the order goes through all of them."""
    alice = hub.phone(people("alice"))
    load(alice, [1])
    load(alice, [5, 6], [(1, "One")], final=False)
    assert counts(alice) == (1, 0)
    load(alice, [7], [(1, "Uno")], batch=2, final=False)
    assert load(alice, [8], batch=3) == {"blocking": 4, "identification": 2}
    assert counts(alice) == (4, 2)


@pytest.mark.parametrize(
    ("second", "code"),
    [
        (message([4], batch=2), 303),
        (message([5], batch=2), 304),
        (message([], [(9, "Nine")], batch=2), 304),
        (message([6], batch=3), 302),
    ],
    ids=["out of order", "twice", "the same label twice", "a batch is missing"],
)
def test_a_batch_that_is_wrong_ends_the_load(hub, people, second, code):
    alice = hub.phone(people("alice"))
    load(alice, [5], [(9, "Nine")], final=False)
    alice.refused(code, "directory.load", **second)
    has_nothing(alice)
    # It is over: the next batch belongs to none, and another load may begin.
    alice.refused(302, "directory.load", **message([7], batch=2))
    load(alice, [1])


def test_a_load_that_is_cancelled_is_forgotten(hub, people):
    alice = hub.phone(people("alice"))
    load(alice, [5], final=False)
    alice.ask("directory.load", extension="spam", cancel=True)
    alice.refused(302, "directory.load", **message([6], batch=2))
    has_nothing(alice)


def test_another_device_cannot_load_while_a_load_is_under_way(hub, people):
    """CK-76: code 7"""
    desk, mobile = (hub.phone(people("alice"), device) for device in ("desk", "mobile"))
    load(desk, [5], final=False)
    mobile.refused(307, "directory.load", **message([1]))
    mobile.refused(307, "directory.load", **message([6], batch=2))
    desk.refused(307, "directory.load", **message([1]))
    # Another extension is another matter, and the load under way goes on.
    load(mobile, [1], extension="another")
    assert load(desk, [6], batch=2) == {"blocking": 2, "identification": 0}


def test_a_load_whose_session_ends_is_forgotten(hub, people):
    desk, mobile = (hub.phone(people("alice"), device) for device in ("desk", "mobile"))
    load(desk, [5], final=False)
    desk.ask("session.close")
    desk.hear_close()
    assert load(mobile, [1]) == {"blocking": 1, "identification": 0}


def test_a_load_that_waits_too_long_is_expired(hub, people):
    """CK-79: nothing is stored, what was there before answers, and the batch that comes too late is told so."""
    desk, mobile = (hub.phone(people("alice"), device) for device in ("desk", "mobile"))
    load(desk, [1, 2], [(7, "Seven")])
    begun = time.monotonic()
    load(desk, [5], final=False)
    wait_for_expiry(mobile)
    assert TIMEOUT <= time.monotonic() - begun < 20
    assert load(desk, [6], batch=2) == {"blocking": 2, "identification": 1, "expired": True}
    assert counts(desk) == counts(mobile) == (2, 1)
    assert load(desk, [3], incremental=True, removeBlocking=[1]) == {"blocking": 2, "identification": 1}


def test_an_extension_that_is_off_takes_no_load(hub, people):
    """CK-76: code 6; CK-78"""
    alice = hub.phone(people("alice"))
    load(alice, [1])
    assert alice.ask("directory.setEnabled", extension="spam", enabled=True) == {"ignored": True}
    assert alice.ask("directory.setEnabled", extension="spam", enabled=False) == {}
    assert alice.ask("directory.setEnabled", extension="spam", enabled=False) == {"ignored": True}
    assert status(alice)["status"] == "disabled"
    alice.refused(306, "directory.load", **message([2]))
    alice.refused(306, "directory.load", **message([2], incremental=True))
    assert counts(alice) == (1, 0)
    alice.ask("directory.setEnabled", extension="spam", enabled=True)
    assert load(alice, [2], incremental=True) == {"blocking": 2, "identification": 0}


def test_an_extension_that_nobody_has_loaded_is_not_found(hub, people):
    """CK-76: code 1"""
    alice, bob = hub.phone(people("alice")), hub.phone(people("bob"))
    load(bob, [1])
    alice.refused(301, "directory.setEnabled", extension="spam", enabled=False)
    alice.refused(301, "directory.status", extension="spam")
    assert status(bob)["status"] == "enabled"


@pytest.mark.parametrize(
    ("method", "wrong", "code"),
    [
        ("directory.setEnabled", {"extension": "spam"}, -32602),
        ("directory.setEnabled", {"enabled": True}, -32602),
        ("directory.setEnabled", {"extension": 7, "enabled": True}, -32602),
        ("directory.setEnabled", {"extension": "spam", "enabled": "no"}, -32602),
        ("directory.setEnabled", {"extension": "", "enabled": True}, 301),
        ("directory.setEnabled", {"extension": "x" * 257, "enabled": True}, 301),
        ("directory.status", {"extension": 7}, -32602),
        ("directory.status", {"extension": ""}, 301),
    ],
)
def test_a_wrong_question_about_extensions_is_refused(hub, people, method, wrong, code):
    alice = hub.phone(people("alice"))
    load(alice, [1])
    alice.refused(code, method, **wrong)
    assert status(alice)["status"] == "enabled"


def test_a_directory_is_loaded_again_where_its_data_is(hub, people):
    """CK-76: a reload is asked of the other devices, and refused where it makes no sense."""
    desk, tablet = hub.phone(people("alice"), "desk"), hub.phone(people("alice"), "tablet")
    desk.refused(301, "directory.reload", extension="spam")
    load(desk, identification=[(1111, "Acme")])
    assert tablet.ask("directory.reload", extension="spam") == {}
    assert desk.hear("directory.reloadRequested")["extension"] == "spam"
    load(desk, batch=1, final=False)
    tablet.refused(307, "directory.reload", extension="spam")
    desk.ask("directory.load", extension="spam", cancel=True)
    desk.ask("directory.setEnabled", extension="spam", enabled=False)
    tablet.refused(306, "directory.reload", extension="spam")


def test_the_last_error_of_a_directory_is_kept_until_a_load_succeeds(hub, people):
    """CK-76, CK-79"""
    alice, other = (hub.phone(people("alice"), device) for device in ("desk", "mobile"))

    def last_error():
        (found,) = alice.ask("directory.status", extension="spam")["extensions"]
        return found.get("lastError")

    load(alice, [1])
    assert last_error() is None
    refusal = alice.refused(303, "directory.load", **message([2, 1]))
    fault = last_error()
    assert (fault["code"], fault["name"], fault["message"]) == (303, "entriesOutOfOrder", str(refusal.message))
    alice.ask("directory.load", extension="spam", cancel=True)
    assert last_error() == fault
    alice.ask("directory.load", extension="spam", cancel=True, message="the server of Acme does not answer")
    fault = last_error()
    assert (fault["code"], fault["message"]) == (300, "the server of Acme does not answer")
    alice.refused(602, "directory.load", extension="spam", cancel=True, message="two\nlines")
    load(alice, [1], final=False)
    wait_for_expiry(other)
    assert load(alice, [2], batch=2)["expired"] is True
    assert last_error()["code"] == 302
    load(alice, [3])
    assert last_error() is None


def test_the_title_of_a_directory_comes_with_its_labels(hub, people):
    """CK-15: "Acme Caller ID: Jane" """
    alice = hub.phone(people("alice"))
    load(alice, identification=[(1111, "Jane")], title="Acme Caller ID")
    assert status(alice)["title"] == "Acme Caller ID"

    def title_of_a_call():
        call = alice.report({"type": "phoneNumber", "value": "1111"})
        ringing = alice.ringing()
        alice.ask("provider.reportCallEnded", callUUID=call, reason="remoteEnded")
        assert (ringing["localizedCallerName"], ringing["nameSource"]) == ("Jane", "directory")
        return ringing.get("directoryTitle")

    assert title_of_a_call() == "Acme Caller ID"
    load(alice, identification=[(1112, "John")], incremental=True)
    assert title_of_a_call() == "Acme Caller ID"
    load(alice, identification=[(1111, "Jane")], title="")
    assert title_of_a_call() is None
    assert "title" not in status(alice)
    alice.refused(602, "directory.load", **message(title="x" * 257))
