"""Recorders: who may be one, and what `record.told` brings (docs/protocol.md, "Notifications")."""

import pytest

import reference
from issuer import Issuer
from keptout import sign_in

ISSUER = Issuer()
SETTINGS = {"auth": Issuer.SETTINGS}
SESSION = ["session.opened", "session.lost", "session.resumed", "session.closed"]


def recorder(hub, name, device="tape"):
    return hub.phone(None, device, token=ISSUER.token(name, callhub=["record"]), permissions=["record"])


def recorded(phone):
    """What a recorder was told up to now: every news is as the reference has it, and so is what it passes on."""
    phone.ask("session.ping")
    news = [told for _, method, told in phone.stream if method == "record.told"]
    for told in news:
        reference.check_notification("record.told", told)
        if told["method"] in SESSION:
            assert told["params"] == {}
        else:
            reference.check_notification(told["method"], {"seq": 1} | told["params"])
    return news


def talk(caller, callee, name):
    """A call that is answered, held, taken up and ended."""
    outgoing = caller.start(name)
    incoming = callee.ringing()["uuid"]
    callee.do("answer", incoming)
    caller.call(outgoing, state="connected")
    caller.do("setHeld", outgoing, isOnHold=True)
    callee.call(incoming, remoteIsOnHold=True)
    caller.do("setHeld", outgoing, isOnHold=False)
    caller.do("playDTMF", outgoing, digits="1", dtmfType="singleTone")
    callee.hear("call.dtmf")
    callee.do("end", incoming)
    caller.call(outgoing, state="ended")


def test_a_recorder_is_told_what_the_accounts_devices_are_told(hub, people):
    names = people("alice"), people("bob")
    tapes = [recorder(hub, name) for name in names]
    phones = [sign_in(hub, ISSUER, name) for name in names]
    talk(*phones, names[1])
    stories = [recorded(tape) for tape in tapes]
    for story, phone in zip(stories, phones):
        phone.ask("session.ping")
        assert {told["device"]["id"] for told in story} == {"desk"}
        assert story[0]["method"] == "session.opened"
        own = [
            (method, {key: value for key, value in told.items() if key != "seq"})
            for _, method, told in phone.stream
            if not method.startswith(("recents.", "settings.", "contacts.", "block."))
        ]
        assert [(told["method"], told["params"]) for told in story if told["method"] not in SESSION] == own
        assert [told["event"] for told in story] == sorted(told["event"] for told in story)
        assert [told["at"] for told in story] == sorted(told["at"] for told in story)
    # Both ends of the call are of one conversation, and what came of one thing has one number.
    conversations = [{told["conversation"] for told in story if "conversation" in told} for story in stories]
    assert len(conversations[0]) == 1 and conversations[0] == conversations[1]
    connected = [
        {told["event"] for told in story if told["params"].get("call", {}).get("state") == "connected"} for story in stories
    ]
    assert connected[0] & connected[1]


def test_a_recorder_does_not_ring_and_may_not_call(hub, people):
    name = people("alice")
    tape = recorder(hub, name)
    bob = sign_in(hub, ISSUER, people("bob"))
    call = bob.start(name)
    assert bob.call(call, state="ended")["cause"] == "offline"
    assert tape.refused(101, "transaction.request", actions=[
        {"type": "start", "callUUID": "8a5c2f8c-0000-4000-8000-000000000001", "handle": {"type": "generic", "value": "echo"}}
    ]).name == "unentitled"
    assert recorded(tape) == []


@pytest.mark.parametrize("claims", [{}, {"callhub": ["call", "observe"]}, {"scope": "callhub:call callhub:observe"}])
def test_a_token_that_does_not_name_it_lets_nobody_record(hub, people, claims):
    stranger = hub.stranger()
    token = ISSUER.token(people("alice"), **claims)
    assert stranger.refused(403, "session.open", token=token, permissions=["record"]).name == "notAllowed"


def test_a_scope_may_name_it(hub, people):
    token = ISSUER.token(people("alice"), scope="profile callhub:record")
    assert hub.phone(None, "tape", token=token, permissions=["record"]).session["resumed"] is False


def test_a_token_that_records_no_longer_is_no_fresh_one(hub, people):
    name = people("alice")
    tape = recorder(hub, name)
    tape.refused(403, "session.refresh", token=ISSUER.token(name))


def test_a_recorder_takes_its_session_up_and_has_missed_nothing(hub, people):
    names = people("alice"), people("bob")
    tape = recorder(hub, names[0])
    phones = [sign_in(hub, ISSUER, name) for name in names]
    before = recorded(tape)
    tape.lose()
    talk(*phones, names[1])
    back = hub.stranger()
    last = tape.stream[-1][2]["seq"]
    resume = {"session": tape.session["session"], "token": tape.session["resumeToken"], "seq": last}
    assert back.ask("session.open", resume=resume)["resumed"] is True
    missed = recorded(back)
    assert [told["seq"] for told in missed] == list(range(last + 1, last + 1 + len(missed)))
    assert not set(told["seq"] for told in before) & set(told["seq"] for told in missed)
    ended = [told["params"]["call"]["state"] for told in missed if told["method"] == "call.changed"]
    assert ended[-1] == "ended"
    back.ask("session.close")
