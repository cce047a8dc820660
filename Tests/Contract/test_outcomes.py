"""What becomes of a call in the Recents of both sides: all outcomes of CK-71 and D9, each made by a real call.

The calls that ring out do so together: the file's fixture makes all of them, the tests look at what is remembered.
"""

import datetime
import uuid

import pytest

from phone import generic, number

SETTINGS = {"calls": {"ringTimeoutSeconds": 10, "answerDeadlineSeconds": 1}}


class Pair:
    """A caller and a callee with two devices, who know nobody else."""

    def __init__(self, hub, name, **callee):
        self.hub, self.name = hub, name
        self.caller = hub.phone(f"caller {name}", "desk")
        self.callee = hub.phone(f"callee {name}", "desk", **callee)
        self.other = hub.phone(f"callee {name}", "mobile")

    def ring(self):
        """Has the caller call; the caller's UUID and the callee's."""
        outgoing = self.caller.start(self.callee.session["account"])
        incoming = self.callee.ringing()["uuid"]
        assert self.other.ringing()["uuid"] == incoming
        return outgoing, incoming

    def ended(self, *phones):
        """Waits until everybody is told that there is a new entry; it is what they have then."""
        entries = []
        for phone in phones:
            phone.hear("recents.changed")
            (entry,) = phone.recents()
            entries.append(entry)
        return entries


def connect(pair):
    outgoing, incoming = pair.ring()
    pair.callee.do("answer", incoming)
    pair.caller.call(outgoing, state="connected")
    return outgoing, incoming


@pytest.fixture(scope="module")
def unanswered(hub):
    """Calls that nobody takes, all at once: who called whom, by why nobody did."""
    pairs = {name: Pair(hub, name) for name in ("plain", "blocked", "directory", "silenced")}
    pairs["blocked"].callee.ask("block.add", handle=generic("caller blocked"))
    pairs["silenced"].callee.ask("settings.set", doNotDisturb=True)
    calls = {name: pair.caller.start(f"callee {name}") for name, pair in pairs.items() if name != "directory"}
    for name, call in calls.items():
        ended = pairs[name].caller.call(call, hasEnded=True)
        assert (ended["endedReason"], ended["cause"]) == ("unanswered", "timeout")
    return pairs


def test_a_call_that_is_answered(hub):
    """CK-71, CK-23: answered on the device that took it, answeredElsewhere on the other one."""
    pair = Pair(hub, "answered")
    outgoing, _ = connect(pair)
    pair.caller.do("end", outgoing)
    caller, callee, other = pair.ended(pair.caller, pair.callee, pair.other)
    assert (caller["direction"], caller["outcome"]) == ("outgoing", "answered")
    assert (callee["direction"], callee["outcome"]) == ("incoming", "answered")
    assert (other["direction"], other["outcome"]) == ("incoming", "answeredElsewhere")
    # But for that, both devices have the same entry.
    assert callee | {"outcome": None} == other | {"outcome": None}
    assert (caller["handle"], callee["handle"]) == (generic("callee answered"), generic("caller answered"))
    assert (caller["name"], callee["name"]) == ("callee answered", "caller answered")
    for entry in (caller, callee):
        started, connected, ended = (
            datetime.datetime.fromisoformat(entry[date]) for date in ("startedAt", "connectedAt", "endedAt")
        )
        assert started <= connected <= ended
        assert entry["duration"] == pytest.approx((ended - connected).total_seconds(), abs=0.0011)
        assert (entry["seen"], entry["silenced"]) == (False, False)


def test_a_call_that_is_declined(hub):
    """CK-21, CK-24, D9: declined on whichever device, it is declined on both."""
    pair = Pair(hub, "declined")
    outgoing, incoming = pair.ring()
    pair.other.do("end", incoming)
    assert pair.caller.call(outgoing, hasEnded=True)["cause"] == "declined"
    assert pair.callee.call(incoming, hasEnded=True)["endedReason"] == "declinedElsewhere"
    caller, callee, other = pair.ended(pair.caller, pair.callee, pair.other)
    assert (caller["direction"], caller["outcome"]) == ("outgoing", "declined")
    assert callee == other
    assert (callee["direction"], callee["outcome"], callee["connectedAt"], callee["duration"]) == (
        "incoming", "declined", None, 0
    )


def test_a_call_that_the_caller_gives_up(hub):
    """CK-25: cancelled for the caller, missed on both devices of the callee."""
    pair = Pair(hub, "cancelled")
    outgoing, _ = pair.ring()
    pair.caller.do("end", outgoing)
    caller, callee, other = pair.ended(pair.caller, pair.callee, pair.other)
    assert (caller["outcome"], callee["outcome"], other["outcome"]) == ("cancelled", "missed", "missed")
    assert callee == other


def test_a_call_that_rings_out(unanswered):
    """CK-22"""
    pair = unanswered["plain"]
    caller, callee, other = pair.ended(pair.caller, pair.callee, pair.other)
    assert (caller["outcome"], caller["connectedAt"], caller["duration"]) == ("cancelled", None, 0)
    assert (callee["outcome"], callee["silenced"]) == ("missed", False)
    assert callee == other


def test_a_call_that_is_blocked_is_in_the_callers_recents_alone(unanswered):
    """CK-11, D9"""
    pair = unanswered["blocked"]
    (caller,) = pair.ended(pair.caller)
    assert (caller["direction"], caller["outcome"], caller["silenced"]) == ("outgoing", "cancelled", False)
    assert pair.callee.recents() == pair.other.recents() == []
    assert pair.callee.told("recents.changed", "call.changed") == []


def test_a_call_that_is_silenced_is_missed_and_says_so(unanswered):
    """CK-13, D9; the caller's entry says nothing of it"""
    pair = unanswered["silenced"]
    caller, callee, other = pair.ended(pair.caller, pair.callee, pair.other)
    assert (caller["outcome"], caller["silenced"]) == ("cancelled", False)
    assert (callee["outcome"], callee["silenced"]) == ("missed", True)
    assert callee == other


def test_a_call_to_nobody_failed(hub):
    alice = hub.phone("caller of nobody")
    ended = alice.call(alice.start("a name that nobody has"), hasEnded=True)
    assert (ended["endedReason"], ended["cause"]) == ("failed", "unknownHandle")
    alice.hear("recents.changed")
    (entry,) = alice.recents()
    assert (entry["direction"], entry["outcome"]) == ("outgoing", "failed")
    assert entry["handle"] == generic("a name that nobody has")


def test_calls_missed_while_away_are_there_at_the_next_sign_in(hub):
    callee = hub.phone("callee away")
    caller = hub.phone("caller of away")
    callee.ask("session.close")
    callee.hear_close()
    for _ in range(2):
        assert caller.call(caller.start("callee away"), hasEnded=True)["cause"] == "offline"
    assert [entry["outcome"] for entry in caller.recents()] == ["failed"] * 2
    missed = hub.phone("callee away", "another").recents()
    assert [(entry["direction"], entry["outcome"], entry["seen"]) for entry in missed] == [("incoming", "missed", False)] * 2
    assert {entry["name"] for entry in missed} == {"caller of away"}


def test_an_answer_that_fails_is_a_failed_call_for_the_caller(hub):
    """CK-20"""
    pair = Pair(hub, "failing", fulfillment="manual")
    outgoing, incoming = pair.ring()
    pair.callee.do("answer", incoming)
    action = pair.callee.hear("provider.perform", lambda told: told["action"]["type"] == "answer")["action"]
    pair.callee.ask("action.fail", action=action["uuid"])
    assert pair.caller.call(outgoing, hasEnded=True)["endedReason"] == "failed"
    caller, callee = pair.ended(pair.caller, pair.callee)
    assert caller["outcome"] == "failed"
    assert callee["connectedAt"] is None and callee["outcome"] != "answered"


def test_a_call_to_who_is_busy_is_over_at_once(hub):
    """D2"""
    pair = Pair(hub, "busy", provider={"maximumCallGroups": 1})
    pair.other.ask("session.close")
    connect(Pair_of(pair))
    second = hub.phone("second caller of busy")
    second.start("callee busy")
    pair.callee.ringing()
    third = hub.phone("third caller of busy")
    ended = third.call(third.start("callee busy"), hasEnded=True)
    assert (ended["endedReason"], ended["cause"]) == ("remoteEnded", "busy")
    third.hear("recents.changed")
    (entry,) = third.recents()
    assert entry["outcome"] == "cancelled"
    pair.callee.hear("recents.changed")
    (missed,) = pair.callee.recents()
    assert (missed["name"], missed["outcome"], missed["silenced"]) == ("third caller of busy", "missed", False)


class Pair_of:
    """A pair whose other device has gone."""

    def __init__(self, pair):
        self.caller, self.callee = pair.caller, pair.callee

    def ring(self):
        outgoing = self.caller.start(self.callee.session["account"])
        return outgoing, self.callee.ringing()["uuid"]


def test_a_call_that_another_device_took_over_is_answered_on_both(hub):
    pair = Pair(hub, "pulled")
    outgoing, incoming = connect(pair)
    pair.other.do("pull", incoming)
    pair.other.call(incoming, state="connected")
    assert pair.callee.call(incoming, hasEnded=True)["cause"] == "pulled"
    pair.other.do("end", incoming)
    pair.caller.call(outgoing, hasEnded=True)
    pair.caller.hear("recents.changed")
    outcomes = [[entry["outcome"] for entry in phone.recents()] for phone in (pair.caller, pair.callee, pair.other)]
    assert outcomes == [["answered"]] * 3


@pytest.mark.parametrize(
    ("reason", "outcome"),
    [
        ("unanswered", "missed"),
        ("remoteEnded", "missed"),
        ("answeredElsewhere", "answeredElsewhere"),
        ("declinedElsewhere", "declined"),
    ],
)
def test_a_call_from_outside_ends_as_it_is_reported(hub, people, reason, outcome):
    alice = hub.phone(people("alice"))
    call = alice.report(number("+49 30 1234"), localizedCallerName="Gateway")
    assert alice.ringing()["uuid"] == call
    alice.ask("provider.reportCallEnded", callUUID=call, reason=reason)
    alice.hear("recents.changed")
    (entry,) = alice.recents()
    assert (entry["direction"], entry["outcome"], entry["name"]) == ("incoming", outcome, "Gateway")
    assert entry["handle"] == number("+49 30 1234")


def test_a_call_that_leaves_the_hub_and_never_connects_is_cancelled(hub, people):
    """CK-29"""
    alice = hub.phone(people("alice"))
    call = alice.start(number("+493099"), isExternal=True)
    alice.ask("provider.reportOutgoingCall", callUUID=call, event="startedConnecting")
    alice.do("end", call)
    alice.hear("recents.changed")
    call = alice.start(number("+493099"), isExternal=True)
    alice.ask("provider.reportOutgoingCall", callUUID=call, event="connected")
    alice.ask("provider.reportCallEnded", callUUID=call, reason="remoteEnded")
    alice.hear("recents.changed")
    assert [entry["outcome"] for entry in alice.recents()] == ["answered", "cancelled"]


def test_progress_that_is_reported_before_the_start_is_fulfilled_takes_effect_with_it(hub, people):
    """CK-27: many clients report first."""
    alice = hub.phone(people("alice"), fulfillment="manual")
    call = alice.start(number("+493099"), isExternal=True)
    action = alice.hear("provider.perform")["action"]["uuid"]
    alice.ask("provider.reportOutgoingCall", callUUID=call, event="connected")
    alice.ask("provider.reportOutgoingCall", callUUID=call, event="startedConnecting")
    assert [each["state"] for each in alice.ask("observer.calls")["calls"]] == ["starting"]
    alice.ask("action.fulfill", action=action)
    connected = alice.call(call, state="connected")
    assert connected["startedAt"] <= connected["startedConnectingAt"] <= connected["connectedAt"]
    alice.ask("provider.reportCallEnded", callUUID=call, reason="remoteEnded")
    call = alice.start(number("+493099"), isExternal=True)
    action = alice.hear("provider.perform", lambda told: told["action"]["callUUID"] == call)["action"]["uuid"]
    alice.ask("provider.reportOutgoingCall", callUUID=call, event="connected")
    alice.ask("action.fail", action=action)
    ended = alice.call(call, state="ended")
    assert (ended["hasConnected"], ended["connectedAt"], ended["cause"]) == (False, None, "actionFailed")


def test_a_caller_whom_nobody_knows_rings_and_can_be_blocked(hub, people):
    alice = hub.phone(people("alice"))
    call = str(uuid.uuid4())
    alice.ask("provider.reportNewIncomingCall", callUUID=call, update={"hasVideo": True})
    ringing = alice.ringing()
    assert ringing["uuid"] == call
    assert ringing["remoteHandle"] == generic("anonymous")
    assert (ringing["nameSource"], ringing["hasVideo"]) == ("hidden", False)
    alice.ask("provider.reportCall", callUUID=call, update={"remoteHandle": number("+493099")})
    assert alice.call(call, remoteHandle=number("+493099"))["nameSource"] == "handle"
    alice.ask("provider.reportCallEnded", callUUID=call, reason="remoteEnded")
    alice.ask("block.add", handle=generic("anonymous"))
    alice.refused(204, "provider.reportNewIncomingCall", callUUID=str(uuid.uuid4()), update={})
    alice.refused(
        602, "provider.reportNewIncomingCall",
        callUUID=str(uuid.uuid4()), update={"remoteHandle": {"type": "generic", "value": ""}},
    )


def test_a_device_whose_provider_wants_none_makes_no_entry(hub, people):
    """CK-71: off by configuration"""
    alice = hub.phone(people("alice"), provider={"includesCallsInRecents": False})
    bob = hub.phone(people("bob"))
    call = alice.start(people("bob"))
    bob.do("answer", bob.ringing()["uuid"])
    alice.call(call, state="connected")
    alice.do("end", call)
    bob.hear("recents.changed")
    assert [entry["outcome"] for entry in bob.recents()] == ["answered"]
    assert alice.recents() == []


def test_recents_know_the_provider_and_whether_it_was_video(hub, people):
    alice = hub.phone(people("alice"), provider={"localizedName": "Doorbell", "supportsVideo": True})
    call = str(uuid.uuid4())
    alice.ask("provider.reportNewIncomingCall", callUUID=call, update={"hasVideo": True})
    alice.ask("provider.reportCallEnded", callUUID=call, reason="remoteEnded")
    alice.hear("recents.changed")
    call = alice.report(number("+493099"))
    alice.ask("provider.reportCallEnded", callUUID=call, reason="remoteEnded")
    alice.hear("recents.changed")
    known, unknown = alice.recents()
    assert (known["hasVideo"], known["provider"], known.get("unknown")) == (False, "Doorbell", None)
    assert (unknown["hasVideo"], unknown["provider"], unknown["unknown"]) == (True, "Doorbell", True)


def test_a_translation_names_its_engine(hub, people):
    """CK-82"""
    alice = hub.phone(people("alice"), fulfillment="manual")
    call = alice.start("echo")

    def perform(kind, **fulfilment):
        action = alice.hear("provider.perform", lambda told: told["action"]["type"] == kind)["action"]["uuid"]
        return alice.ask("action.fulfill", action=action, **fulfilment)

    perform("start")
    alice.call(call, state="connected")
    alice.do("setTranslating", call, isTranslating=True, localLanguage="en", remoteLanguage="ko")
    perform("setTranslating", translationEngine="custom")
    assert alice.call(call, isTranslating=True)["translationEngine"] == "custom"
    alice.do("setMuted", call, isMuted=True)
    action = alice.hear("provider.perform", lambda told: told["action"]["type"] == "setMuted")["action"]["uuid"]
    alice.refused(602, "action.fulfill", action=action, translationEngine="custom")
    alice.refused(602, "action.fulfill", action=action, translationEngine="magic")
    assert alice.ask("action.fulfill", action=action) == {}
    alice.do("setTranslating", call, isTranslating=False)
    perform("setTranslating")
    assert "translationEngine" not in alice.call(call, isTranslating=False)


def test_what_is_in_recents_can_be_called_again(hub, people):
    """CK-72"""
    alice, bob = hub.phone(people("alice")), hub.phone(people("bob"))
    alice.do("end", alice.start(people("bob")))
    bob.hear("recents.changed")
    (missed,) = bob.recents()
    bob.start(missed["handle"])
    assert alice.ringing()["localizedCallerName"] == people("bob")


@pytest.mark.parametrize("most, words", [(1, "no groups (maximumCallsPerCallGroup is 1)"), (2, "2 calls in a group")])
def test_a_group_that_is_too_large_is_refused_in_words(hub, people, most, words):
    phone = hub.phone(people("alice"), provider={"maximumCallGroups": 3, "maximumCallsPerCallGroup": most})
    calls = [phone.call(phone.start(name), state="connected")["uuid"] for name in ["echo", "tone", "music"][:most + 1]]
    for call in calls[1:most]:
        phone.do("setGroup", call, callUUIDToGroupWith=calls[0])
        phone.call(call, state="connected")
    refusal = phone.refused(
        106, "transaction.request", actions=[{"type": "setGroup", "callUUID": calls[-1], "callUUIDToGroupWith": calls[0]}])
    assert words in str(refusal) and f"a group of {most + 1}, and" in str(refusal)
