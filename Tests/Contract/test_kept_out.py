"""Blocked, blocked by directory, silenced: nothing rings, and the caller cannot tell (CK-11 … CK-13, D9, D13).

The one who is kept out is held against one who calls somebody that just does not answer: all that both are told must be the
same, but for ids, names and dates.
"""

import pytest

from issuer import Issuer
from keptout import BLOCKED, CALLER, WAYS, blanked, by_device, expect_same, sign_in, story, ways
from phone import generic, number

ISSUER = Issuer()
SETTINGS = {"auth": Issuer.SETTINGS, "calls": {"ringTimeoutSeconds": 5}}


@pytest.fixture
def world(hub, people):
    """A callee with two devices, who keeps his caller out or does not."""

    def make(way):
        name = people(way.__name__ if way else "plain")
        devices = [sign_in(hub, ISSUER, name, device=device) for device in ("desk", "mobile")]
        if way:
            for device in devices if way is by_device else devices[:1]:
                way(device)
        for device in devices:
            device.forget()
        worlds.append(devices)
        return name, devices

    worlds = []
    yield make


class Callers:
    """One caller after the other under the same handle: a handle is one account's alone."""

    def __init__(self, hub):
        self.hub = hub
        self.phone = sign_in(hub, ISSUER, "caller", CALLER, provider={"maximumCallGroups": 1})

    def again(self):
        self.phone.leave()
        self.phone = sign_in(self.hub, ISSUER, "caller", CALLER, provider={"maximumCallGroups": 1})
        return self.phone


@pytest.fixture(scope="module")
def callers(hub):
    return Callers(hub)


def tell(callers, name, scenario, devices):
    """What a caller lives through with a callee, and has in Recents afterwards."""
    caller = callers.again()
    caller.ask("recents.remove")
    call = caller.start(name)
    caller.call(call, remoteIsRinging=True)
    scenario(caller, call, devices)
    caller.hear("recents.changed")
    names = [name, caller.session["device"]["id"], caller.session["session"]]
    return story(caller, names) + blanked(caller.recents(), names)


def gives_up(caller, call, devices):
    caller.do("end", call)
    caller.call(call, hasEnded=True)


def asks_for_all_there_is(caller, call, devices):
    """What else a caller can find out by: what may be done to the call, and what the hub says of it."""
    for kind, members in [
        ("setHeld", {"isOnHold": True}),
        ("playDTMF", {"digits": "1", "dtmfType": "singleTone"}),
        ("setGroup", {"callUUIDToGroupWith": None}),
        ("answer", {}),
        ("pull", {}),
    ]:
        caller.refused(106, "transaction.request", actions=[{"type": kind, "callUUID": call} | members])
    caller.do("setMuted", call, isMuted=True)
    assert caller.call(call, isMuted=True)["state"] == "connecting"
    (snapshot,) = caller.ask("observer.calls")["calls"]
    assert snapshot["remoteIsRinging"] is True
    assert caller.ask("provider.pending") == {"transactions": [], "actions": []}
    gives_up(caller, call, devices)


def is_left_by_both_devices(caller, call, devices):
    for device in devices:
        device.ask("session.close")
    assert caller.call(call, hasEnded=True)["cause"] == "offline"


def is_left_by_one_device(caller, call, devices):
    devices[0].ask("session.close")
    devices[0].hear_close()
    gives_up(caller, call, devices)


def calls_again(caller, call, devices):
    """The second call puts an end to the first one, which cannot be held."""
    second = caller.start(caller.ask("observer.calls")["calls"][0]["remoteHandle"])
    caller.call(call, hasEnded=True)
    caller.call(second, remoteIsRinging=True)
    caller.do("end", second)
    caller.call(second, hasEnded=True)


SCENARIOS = [gives_up, asks_for_all_there_is, is_left_by_both_devices, is_left_by_one_device, calls_again]


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.__name__)
def test_a_caller_who_is_kept_out_sees_what_everybody_sees(hub, world, callers, scenario):
    """D13"""
    name, devices = world(None)
    plain = tell(callers, name, scenario, devices)
    assert any(told["call"]["remoteIsRinging"] for method, told in plain[:-1] if method == "call.changed")
    for way in WAYS:
        name, devices = world(way)
        expect_same(tell(callers, name, scenario, devices), plain, way.__name__)


@pytest.mark.parametrize("way", **ways(WAYS))
def test_no_device_rings_or_is_told_of_the_call(hub, world, callers, way):
    """CK-11, CK-12, CK-13"""
    name, devices = world(way)
    tell(callers, name, asks_for_all_there_is, devices)
    expected = [] if way in BLOCKED else ["recents.changed"]
    for device in devices:
        assert device.told() == expected
        assert device.ask("observer.calls") == {"calls": [], "elsewhere": []}


@pytest.mark.parametrize("way", **ways(WAYS))
def test_recents_have_what_was_decided(hub, world, callers, way):
    """D9: blocked, none; silenced, missed and flagged. The caller's entry is as ever."""
    name, devices = world(way)
    outgoing = tell(callers, name, gives_up, devices)[-1]
    assert (outgoing["direction"], outgoing["outcome"], outgoing["silenced"]) == ("outgoing", "cancelled", False)
    for device in devices:
        entries = device.recents()
        if way in BLOCKED:
            assert entries == []
        else:
            assert [(entry["outcome"], entry["silenced"], entry["handle"]) for entry in entries] == [("missed", True, CALLER)]


@pytest.mark.parametrize("way", **ways(WAYS))
def test_whoever_is_not_kept_out_rings(hub, world, callers, people, way):
    name, devices = world(way)
    devices[0].ask(
        "contacts.put", identifier="vip", name="V. I. P.", handles=[generic(people("vip"))], breaksThroughDoNotDisturb=True
    )
    vip = sign_in(hub, ISSUER, people("vip"))
    call = vip.start(name)
    # A quiet device is quiet for everybody but the exempt; a block list knows no exceptions, but names others.
    for device in devices:
        assert device.ringing()["localizedCallerName"] == "V. I. P."
    vip.do("end", call)
    vip.call(call, hasEnded=True)


def test_the_list_goes_before_the_exception(hub, world, callers):
    """CK-11, CK-74: an exempt contact may be blocked all the same."""
    name, devices = world(None)
    devices[0].ask("settings.set", doNotDisturb=True)
    exempt = {"identifier": "1", "name": "Exempt", "handles": [CALLER], "favorite": True}
    devices[0].ask("contacts.put", **exempt, breaksThroughDoNotDisturb=True)
    caller = callers.again()
    call = caller.start(name)
    devices[0].ringing()
    caller.do("end", call)
    devices[0].hear("recents.changed")
    devices[0].ask("block.add", prefix="49")
    for device in devices:
        device.forget()
    call = caller.start(name)
    caller.call(call, remoteIsRinging=True)
    caller.do("end", call)
    caller.call(call, hasEnded=True)
    assert [device.told() for device in devices] == [[], []]


def test_a_favourite_that_is_not_flagged_does_not_break_through(hub, world, callers):
    """CK-74"""
    name, devices = world(None)
    devices[0].ask("settings.set", doNotDisturb=True)
    devices[0].ask("contacts.put", identifier="1", name="Favourite", handles=[CALLER], favorite=True)
    tell(callers, name, gives_up, devices)
    assert devices[1].recents()[0]["silenced"] is True


@pytest.mark.parametrize(
    ("prefix", "is_blocked"),
    [("4930", True), ("+49301234", True), ("49301234567", False), ("4931", False), ("30", False), ("4", True)],
)
def test_a_prefix_is_the_beginning_of_the_whole_number(hub, world, callers, prefix, is_blocked):
    name, devices = world(None)
    devices[0].ask("block.add", prefix=prefix)
    for device in devices:
        device.forget()
    tell(callers, name, gives_up, devices)
    assert ("call.changed" in devices[0].told()) is not is_blocked


@pytest.mark.parametrize("handle", [generic("49301234"), number("+493012345"), number("0301234"), number("+4930123")])
def test_another_handle_blocks_nobody_else(hub, world, callers, handle):
    name, devices = world(None)
    devices[0].ask("block.add", handle=handle)
    caller = callers.again()
    call = caller.start(name)
    devices[1].ringing()
    caller.do("end", call)
    caller.call(call, hasEnded=True)


def test_a_quiet_device_is_quiet_alone(hub, world, callers):
    """D9: the call was not silenced; another device of the account rang."""
    name, (desk, mobile) = world(None)
    desk.ask("settings.set", device={"doNotDisturb": True})
    desk.forget()
    caller = callers.again()
    call = caller.start(name)
    mobile.ringing()
    assert desk.told() == []
    caller.do("end", call)
    mobile.hear("recents.changed")
    assert [(entry["outcome"], entry["silenced"]) for entry in desk.recents()] == [("missed", False)]


def test_who_is_kept_out_by_somebody_busy_finds_him_busy(hub, world, callers, people):
    """D2, D13"""
    stories = []
    for way in (None, *WAYS):
        name = people(f"busy {way.__name__}" if way else "busy")
        callee = sign_in(hub, ISSUER, name, provider={"maximumCallGroups": 1})
        others = [sign_in(hub, ISSUER, people(f"{index} {name}")) for index in range(2)]
        for other in others:
            other.start(name)
            callee.ringing()
        if way:
            way(callee)
        caller = callers.again()
        caller.ask("recents.remove")
        assert caller.call(caller.start(name), hasEnded=True)["cause"] == "busy"
        caller.hear("recents.changed")
        names = [name, caller.session["device"]["id"], caller.session["session"]]
        stories.append(story(caller, names) + blanked(caller.recents(), names))
        for phone in (*others, callee):
            phone.leave()
    for way, told in zip(WAYS, stories[1:]):
        expect_same(told, stories[0], way.__name__)
