"""settings.get and settings.set (docs/protocol.md, "Account data")."""

import pytest

FRESH = {
    "doNotDisturb": False,
    "quietHours": [],
    "timeZone": "",
    "device": {"doNotDisturb": False},
    "displayName": "",
    "isNamedInGroups": True,
    "isListed": True,
    "acceptsTransferredStrangers": True,
    "holdAudio": "hub",
}


def test_a_new_account_has_the_documented_settings(hub, people):
    assert hub.phone(people("alice")).ask("settings.get") == FRESH


def test_each_setting_is_set_alone_and_the_others_stay(hub, people):
    alice = hub.phone(people("alice"))
    nights = {"days": ["monday", "sunday"], "from": "22:00", "to": "07:00"}
    expected = dict(FRESH)
    for member, value in [
        ("doNotDisturb", True),
        ("quietHours", [nights]),
        ("timeZone", "Europe/Berlin"),
        ("isListed", False),
        ("device", {"doNotDisturb": True}),
        ("displayName", "Ada Lovelace é 🎩"),
        ("doNotDisturb", False),
        ("quietHours", []),
        ("displayName", ""),
        ("timeZone", ""),
        ("isNamedInGroups", False),
        ("isNamedInGroups", True),
        ("acceptsTransferredStrangers", False),
        ("acceptsTransferredStrangers", True),
        ("holdAudio", "music"),
        ("holdAudio", "tone"),
        ("holdAudio", "silence"),
        ("holdAudio", "hub"),
    ]:
        expected[member] = value
        answer = alice.ask("settings.set", **{member: value})
        assert alice.ask("settings.get") == answer
        # Only with quiet hours in it.
        isInOwnZone = expected["quietHours"] and not expected["timeZone"]
        assert bool(answer.pop("hubTimeZone", "")) == bool(isInOwnZone)
        assert answer == expected


def test_null_counts_as_absent(hub, people):
    alice = hub.phone(people("alice"))
    alice.ask("settings.set", displayName="Ada", doNotDisturb=True)
    nothing = {member: None for member in FRESH}
    assert alice.ask("settings.set", **nothing)["displayName"] == "Ada"
    assert alice.ask("settings.set")["doNotDisturb"] is True


def test_the_other_device_is_told_and_the_one_that_asked_is_not(hub, people):
    desk, mobile = (hub.phone(people("alice"), device) for device in ("desk", "mobile"))
    stranger = hub.phone(people("bob"))
    desk.ask("settings.set", displayName="Ada", doNotDisturb=True)
    mobile.hear("settings.changed")
    assert desk.told("settings.changed") == stranger.told("settings.changed") == []
    assert mobile.ask("settings.get") == desk.ask("settings.get")
    assert mobile.ask("settings.get")["displayName"] == "Ada"


def test_what_was_so_already_is_told_to_nobody(hub, people):
    desk, mobile = (hub.phone(people("alice"), device) for device in ("desk", "mobile"))
    desk.ask("settings.set", displayName="Ada")
    mobile.hear("settings.changed")
    desk.ask("settings.set", displayName="Ada")
    desk.ask("settings.set")
    assert mobile.told("settings.changed") == []


def test_a_devices_own_setting_is_that_devices_alone(hub, people):
    desk, mobile = (hub.phone(people("alice"), device) for device in ("desk", "mobile"))
    desk.ask("settings.set", device={"doNotDisturb": True})
    assert desk.ask("settings.get")["device"] == {"doNotDisturb": True}
    assert mobile.ask("settings.get")["device"] == {"doNotDisturb": False}
    desk.leave()
    # It stays with the device's id.
    assert hub.phone(people("alice"), "desk").ask("settings.get")["device"] == {"doNotDisturb": True}


NIGHTS = {"days": ["monday"], "from": "22:00", "to": "07:00"}


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ({"doNotDisturb": "yes"}, -32602),
        ({"doNotDisturb": 1}, -32602),
        ({"displayName": 7}, -32602),
        ({"isNamedInGroups": 1}, -32602),
        ({"isNamedInGroups": "no"}, -32602),
        ({"acceptsTransferredStrangers": 0}, -32602),
        ({"holdAudio": True}, -32602),
        ({"holdAudio": "noise"}, 602),
        ({"displayName": "x" * 257}, 602),
        ({"displayName": "é" * 129}, 602),
        ({"timeZone": 1}, -32602),
        ({"timeZone": "Europe/Atlantis"}, 602),
        ({"timeZone": "../../etc/passwd"}, 602),
        ({"timeZone": "Europe/Berlin\0"}, 602),
        ({"timeZone": "x" * 5000}, 602),
        ({"device": True}, -32602),
        ({"device": {"doNotDisturb": "yes"}}, -32602),
        ({"quietHours": {}}, -32602),
        ({"quietHours": ["monday"]}, -32602),
        ({"quietHours": [{"days": ["monday"], "from": "22:00"}]}, -32602),
        ({"quietHours": [NIGHTS | {"from": 22}]}, -32602),
        ({"quietHours": [NIGHTS | {"days": "monday"}]}, -32602),
        ({"quietHours": [NIGHTS | {"days": []}]}, 602),
        ({"quietHours": [NIGHTS | {"days": ["Monday"]}]}, 602),
        ({"quietHours": [NIGHTS | {"from": "24:00"}]}, 602),
        ({"quietHours": [NIGHTS | {"from": "7:00"}]}, 602),
        ({"quietHours": [NIGHTS | {"to": "07:60"}]}, 602),
        ({"quietHours": [NIGHTS | {"to": ""}]}, 602),
        ({"quietHours": [NIGHTS] * 33}, 602),
    ],
    ids=lambda value: str(value)[:60] if isinstance(value, dict) else None,
)
def test_a_wrong_value_is_refused_and_changes_nothing(hub, wrong, code):
    carol = hub.phone("carol")
    before = carol.ask("settings.get")
    # What is right beside it is not taken either.
    carol.refused(code, "settings.set", **({"displayName": "Mallory", "doNotDisturb": True} | wrong))
    assert carol.ask("settings.get") == before


def test_the_longest_values_are_taken(hub, people):
    alice = hub.phone(people("alice"))
    assert alice.ask("settings.set", displayName="x" * 256)["displayName"] == "x" * 256
    assert len(alice.ask("settings.set", quietHours=[NIGHTS] * 32)["quietHours"]) == 32
