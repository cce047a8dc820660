"""Transfers: two others are connected with one another, or a call is given to somebody who is called."""

import uuid

import pytest

from phone import generic


@pytest.fixture
def trio(hub, people):
    alice, carol = (hub.phone(people(name)) for name in ("alice", "carol"))
    bob = hub.phone(people("bob"), provider={"maximumCallGroups": 6})
    return [alice, bob, carol]


def account(phone):
    return phone.session["account"]


def connect(caller, callee):
    """Connects two phones: the caller's UUID and the callee's."""
    outgoing = caller.start(account(callee))
    incoming = callee.ringing()["uuid"]
    callee.do("answer", incoming)
    caller.call(outgoing, state="connected")
    callee.call(incoming, state="connected")
    return outgoing, incoming


@pytest.fixture
def two_calls(trio):
    """Alice is on hold at Bob's, who talks with Carol: the phones, Alice's ends, Carol's ends."""
    alice, bob, carol = trio
    first = connect(alice, bob)
    second = connect(bob, carol)
    for phone in trio:
        phone.forget()
    return alice, bob, carol, first, second


def test_two_calls_are_joined_and_their_owner_is_free(two_calls):
    alice, bob, carol, (outgoing, held), (active, incoming) = two_calls
    bob.do("transfer", held, toCallUUID=active)
    for call in (held, active):
        ended = bob.call(call, state="ended")
        assert (ended["endedReason"], ended["cause"]) == (None, "transferred")
    bob.hear("provider.didDeactivateAudioSession")
    for phone, call, other in ((alice, outgoing, carol), (carol, incoming, alice)):
        changed = phone.call(call)
        assert (changed["state"], changed["remoteIsOnHold"]) == ("connected", False)
        assert changed["remoteHandle"] == generic(account(other))
        assert changed["transferredBy"]["handle"] == generic(account(bob))
        assert "provider.didDeactivateAudioSession" not in phone.told()
        sources = phone.hear("audio.sources")["sources"]
        assert [source["handle"] for source in sources] == [generic(account(other))]
    carol.do("end", incoming)
    assert alice.call(outgoing, state="ended")["endedReason"] == "remoteEnded"
    assert [entry["handle"]["value"] for entry in alice.recents()] == [account(carol), account(bob)]


def test_the_action_is_performed_by_a_client_that_fulfils_itself(hub, people):
    alice, carol = hub.phone(people("alice")), hub.phone(people("carol"))
    bob = hub.phone(people("bob"), fulfillment="manual")

    def fulfil(kind):
        action = bob.hear("provider.perform", lambda told: told["action"]["type"] == kind and not told["fulfilled"])["action"]
        bob.ask("action.fulfill", action=action["uuid"])
        return action

    outgoing = alice.start(account(bob))
    held = bob.ringing()["uuid"]
    bob.do("answer", held)
    fulfil("answer")
    active = bob.start(account(carol))
    fulfil("setHeld"), fulfil("start")
    carol.do("answer", carol.ringing()["uuid"])
    bob.call(active, state="connected")
    bob.do("transfer", held, toCallUUID=active)
    alice.forget()
    action = fulfil("transfer")
    assert (action["callUUID"], action["toCallUUID"]) == (held, active)
    assert alice.call(outgoing)["remoteHandle"] == generic(account(carol))


def test_a_call_is_given_to_somebody_who_takes_it(trio):
    alice, bob, carol = trio
    outgoing, incoming = connect(alice, bob)
    alice.forget()
    bob.do("transfer", incoming, toHandle=generic(account(carol)))
    assert bob.call(incoming, state="ended")["cause"] == "transferred"
    told = alice.call(outgoing, remoteIsRinging=True)
    assert (told["state"], told["remoteHandle"]) == ("connected", generic(account(carol)))
    assert told["transferredBy"]["handle"] == generic(account(bob))
    ringing = carol.ringing()
    assert (ringing["remoteHandle"], ringing["isOutgoing"]) == (generic(account(alice)), False)
    assert ringing["transferredBy"]["handle"] == generic(account(bob))
    carol.do("answer", ringing["uuid"])
    assert carol.call(ringing["uuid"], state="connected")["transferredBy"]["handle"] == generic(account(bob))
    assert alice.call(outgoing, remoteIsRinging=False)["state"] == "connected"


@pytest.mark.parametrize("cause", ["declined", "unknownHandle", "busy"])
def test_a_call_that_nobody_takes_comes_back(hub, people, trio, cause):
    alice, bob, carol = trio
    outgoing, incoming = connect(alice, bob)
    if cause == "busy":
        for _ in range(3):
            hub.phone(people("caller")).start(account(carol))
            carol.ringing()
    target = generic(people("nobody") if cause == "unknownHandle" else account(carol))
    bob.do("transfer", incoming, toHandle=target)
    if cause == "declined":
        carol.do("end", carol.ringing()["uuid"])
    back = bob.ringing()
    assert back["returnedTransfer"] == {"handle": target, "cause": cause}
    assert back["uuid"] != incoming and back["remoteHandle"] == generic(account(alice))
    assert "transferredBy" not in back
    alice.call(outgoing, state="connected", remoteHandle=generic(account(bob)), remoteIsRinging=True)
    bob.do("answer", back["uuid"])
    alice.call(outgoing, remoteIsRinging=False)
    bob.call(back["uuid"], state="connected")


def test_a_call_that_came_back_in_vain_ends(trio, people):
    alice, bob, _ = trio
    outgoing, incoming = connect(alice, bob)
    bob.do("transfer", incoming, toHandle=generic(people("nobody")))
    bob.do("end", bob.ringing()["uuid"])
    ended = alice.call(outgoing, state="ended")
    assert (ended["endedReason"], ended["cause"]) == ("remoteEnded", "declined")


def test_the_one_who_is_transferred_can_hang_up(trio):
    alice, bob, carol = trio
    outgoing, incoming = connect(alice, bob)
    bob.do("transfer", incoming, toHandle=generic(account(carol)))
    ringing = carol.ringing()["uuid"]
    alice.do("end", outgoing)
    ended = carol.call(ringing, state="ended")
    assert (ended["endedReason"], ended["cause"]) == ("remoteEnded", "cancelled")
    assert bob.told("call.changed").count("call.changed") <= 3


def test_what_cannot_be_transferred_is_refused_and_stays(two_calls):
    alice, bob, carol, (outgoing, held), (active, _) = two_calls
    unknown = str(uuid.uuid4())

    def refused(code, call, **members):
        action = {"type": "transfer", "callUUID": call} | members
        return bob.refused(code, "transaction.request", actions=[action])

    assert refused(104, unknown, toCallUUID=active).data["actionIndex"] == 0
    refused(104, held, toCallUUID=unknown)
    refused(106, held, toCallUUID=held)
    refused(-32602, held)
    refused(-32602, held, toHandle="carol")
    refused(602, held, toCallUUID=active, toHandle=generic("carol"))
    refused(602, held, toHandle=generic(""))
    refused(602, held, toCallUUID="a call")
    mute = {"type": "setMuted", "callUUID": held, "isMuted": True}
    for actions in (
        [mute, {"type": "transfer", "callUUID": held, "toCallUUID": active}],
        [{"type": "transfer", "callUUID": held, "toCallUUID": active}, mute],
    ):
        bob.refused(106, "transaction.request", actions=actions)
    again = alice.start(account(bob))
    ringing = bob.ringing()["uuid"]
    refused(106, ringing, toCallUUID=active)
    refused(106, held, toCallUUID=ringing)
    bob.do("answer", ringing)
    alice.call(again, state="connected")
    refused(106, held, toCallUUID=ringing)
    echo = bob.report(generic("outside"))
    bob.do("answer", echo)
    refused(106, echo, toCallUUID=held)
    assert {call["uuid"] for call in bob.ask("observer.calls")["calls"]} == {held, active, ringing, echo}


def test_those_who_have_blocked_one_another_are_not_joined(two_calls):
    alice, bob, carol, (_, held), (active, _) = two_calls
    carol.ask("block.add", handle=generic(account(alice)))
    for call, other in [(held, active), (active, held)]:
        bob.refused(106, "transaction.request", actions=[{"type": "transfer", "callUUID": call, "toCallUUID": other}])
    assert len(bob.ask("observer.calls")["calls"]) == 2


@pytest.mark.parametrize("one", ["alice", "carol"])
def test_no_end_of_an_attended_transfer_that_refuses_strangers_is_joined_with_one(two_calls, one):
    alice, bob, carol, (outgoing, held), (active, incoming) = two_calls
    refusing, other, own = (alice, carol, outgoing) if one == "alice" else (carol, alice, incoming)
    refusing.ask("settings.set", acceptsTransferredStrangers=False)
    for call, target in [(held, active), (active, held)]:
        bob.refused(106, "transaction.request", actions=[{"type": "transfer", "callUUID": call, "toCallUUID": target}])
    refusing.ask("contacts.put", identifier="1", name="A friend", handles=[generic(account(other))])
    bob.do("transfer", held, toCallUUID=active)
    assert refusing.call(own)["remoteHandle"] == generic(account(other))


def test_a_stranger_is_not_given_to_one_who_refuses_strangers(trio):
    alice, bob, carol = trio
    outgoing, incoming = connect(alice, bob)
    carol.ask("settings.set", acceptsTransferredStrangers=False)
    transfer = {"type": "transfer", "callUUID": incoming, "toHandle": generic(account(carol))}
    assert bob.refused(106, "transaction.request", actions=[transfer]).data["actionIndex"] == 0
    assert [call["state"] for call in bob.ask("observer.calls")["calls"]] == ["connected"]
    assert carol.told("call.changed") == [] and "transferredBy" not in alice.ask("observer.calls")["calls"][0]
    carol.ask("contacts.put", identifier="1", name="Alice", handles=[generic(account(alice))])
    bob.do("transfer", incoming, toHandle=generic(account(carol)))
    carol.do("answer", carol.ringing()["uuid"])
    alice.call(outgoing, remoteIsRinging=False, remoteHandle=generic(account(carol)))


def test_an_operator_transfers_for_a_device(hub, trio):
    alice, bob, carol = trio
    page = hub.phone(account(bob), "page", permissions=["operate"], operates=bob.session["device"]["id"])
    outgoing, incoming = connect(alice, bob)
    page.do("transfer", incoming, toHandle=generic(account(carol)))
    page.call(incoming, state="ended")
    carol.do("answer", carol.ringing()["uuid"])
    alice.call(outgoing, remoteIsRinging=False)
