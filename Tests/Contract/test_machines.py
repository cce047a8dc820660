"""Several programs on one machine (device.focus), and sessions that operate another device (operate)."""

import uuid

import pytest


def phone(hub, account, device, **options):
    """A device on the machine "desk"."""
    return hub.phone(account, {"id": device, "focus": "desk"}, **options)


def test_an_answer_holds_the_call_of_another_program_on_the_machine(hub, people):
    bob = people("bob")
    alice, desk, door = hub.phone(people("alice")), phone(hub, bob, "phone"), phone(hub, bob, "door")
    alice.start(bob)
    first = desk.ringing()["uuid"]
    desk.do("answer", first)
    desk.call(first, state="connected")
    second = door.report({"type": "generic", "value": "gate"})
    ringing = door.call(second, state="ringing")
    choices = {choice["name"]: choice["actions"] for choice in ringing["choices"]}
    assert list(choices) == ["holdAndAccept", "endAndAccept", "decline"]
    assert [action["type"] for action in choices["holdAndAccept"]] == ["answer"]
    assert [(action["type"], action["callUUID"]) for action in choices["endAndAccept"]] == [("end", first), ("answer", second)]
    door.refused(104, "transaction.request", actions=[{"type": "end", "callUUID": first}])
    door.ask("transaction.request", actions=choices["holdAndAccept"])
    held = desk.hear("provider.perform", lambda told: told["action"]["type"] == "setHeld")
    assert (held["origin"], held["fulfilled"], held["action"]["isOnHold"]) == ("system", True, True)
    desk.call(first, state="held")
    door.call(second, state="connected")
    door.do("end", second)
    desk.call(first, state="connected")


def test_the_choice_to_end_ends_the_other_programs_call(hub, people):
    bob = people("bob")
    desk, door = phone(hub, bob, "phone"), phone(hub, bob, "door")
    first = desk.start("echo")
    desk.call(first, state="connected")
    door.report({"type": "generic", "value": "gate"})
    (end,) = [choice["actions"] for choice in door.ringing()["choices"] if choice["name"] == "endAndAccept"]
    assert len(door.ask("transaction.request", actions=end)["actions"]) == 2
    assert desk.call(first, state="ended")["endedReason"] is None
    assert desk.ask("observer.calls")["calls"] == []


def test_programs_on_other_machines_have_calls_of_their_own(hub, people):
    bob = people("bob")
    desk, tablet = phone(hub, bob, "phone"), hub.phone(bob, "tablet")
    calls = [each.start("echo") for each in (desk, tablet)]
    for each, call in zip((desk, tablet), calls):
        each.call(call, state="connected")
    assert [each["state"] for each in desk.ask("observer.calls")["calls"]] == ["connected"]


def test_a_page_operates_a_headless_device(hub, people):
    bob = people("bob")
    alice, door = hub.phone(people("alice")), hub.phone(bob, "door", fulfillment="manual")
    page = hub.phone(bob, "page", permissions=["operate"], operates="door")
    alice.start(bob)
    ringing = page.ringing()
    assert ringing["uuid"] == door.ringing()["uuid"]
    assert [choice["name"] for choice in ringing["choices"]] == ["accept", "decline"]
    page.ask("transaction.request", actions=ringing["choices"][0]["actions"])
    told = door.hear("provider.perform")
    assert (told["action"]["type"], told["origin"], told["fulfilled"]) == ("answer", "user", False)
    door.ask("action.fulfill", action=told["action"]["uuid"])
    page.call(ringing["uuid"], state="connected")
    assert page.ask("observer.calls")["calls"] == door.ask("observer.calls")["calls"]
    again = hub.phone(bob, "another page", permissions=["operate"], operates="door")
    assert [call["uuid"] for call in again.session["calls"]] == [ringing["uuid"]]
    again.do("end", ringing["uuid"])
    told = door.hear("provider.perform", lambda told: told["action"]["type"] == "end")
    door.ask("action.fulfill", action=told["action"]["uuid"])
    page.call(ringing["uuid"], state="ended")
    assert page.told("provider.perform") == []


def test_a_page_waits_for_its_device(hub, people):
    bob = people("bob")
    page = hub.phone(bob, "page", permissions=["operate"], operates="door")
    start = {"type": "start", "callUUID": str(uuid.uuid4()), "handle": {"type": "generic", "value": "echo"}}
    page.refused(404, "transaction.request", actions=[start])
    door = hub.phone(bob, "door")
    page.ask("transaction.request", actions=[start])
    page.call(start["callUUID"], state="connected")
    door.leave()
    assert page.call(start["callUUID"], state="ended")["hasEnded"]
    page.refused(404, "transaction.request", actions=[start])


@pytest.mark.parametrize("options", [
    {"permissions": ["operate"]}, {"operates": "door"}, {"permissions": ["operate"], "operates": ""},
    {"permissions": ["operate"], "operates": 7}, {"permissions": ["operate"], "operates": "a", "device": {"id": "a"}},
    {"device": {"focus": ""}}, {"device": {"focus": "a\nb"}},
])
def test_what_a_device_may_not_ask(hub, people, options):
    stranger = hub.stranger()
    stranger.refused(-32602, "session.open", **({"account": people("bob")} | options))
