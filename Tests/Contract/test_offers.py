"""Offers of whole transactions (executesTransactions), as provider.configure takes them back and takes them up."""

import pytest

STEPS = ["provider.execute", "provider.perform"]


def steps(phone, call, muted):
    """Mutes or unmutes a call; what the client is asked for at once, and the transaction and action of the request."""
    phone.forget()
    accepted = phone.do("setMuted", call, isMuted=muted)
    return phone.told(*STEPS), accepted["transaction"], accepted["actions"][0]


@pytest.fixture
def alice(hub, people):
    return hub.phone(people("alice"), fulfillment="manual", executesTransactions=True)


@pytest.fixture
def call(alice):
    call = alice.start("echo")
    offer = alice.hear("provider.execute")
    assert [action["type"] for action in offer["actions"]] == ["start"]
    assert alice.ask("provider.executed", transaction=offer["transaction"], handled=True) == {}
    assert alice.ask("action.fulfill", action=offer["actions"][0]["uuid"]) == {}
    alice.call(call, state="connected")
    return call


def test_offers_are_taken_back_left_as_they_are_and_taken_up(alice, call):
    assert alice.ask("provider.configure", provider={}, executesTransactions=False)["configuration"]["maximumCallGroups"] == 2
    told, _, action = steps(alice, call, True)
    assert told == ["provider.perform"]
    assert alice.ask("action.fulfill", action=action) == {}
    # A configuration that does not say it leaves it as it is.
    alice.ask("provider.configure", provider={"maximumCallGroups": 3})
    told, _, action = steps(alice, call, False)
    assert told == ["provider.perform"]
    # What is being performed is not offered any more.
    alice.ask("provider.configure", provider={}, executesTransactions=True)
    assert alice.told("provider.execute") == []
    assert alice.ask("action.fulfill", action=action) == {}
    told, transaction, action = steps(alice, call, True)
    assert told == ["provider.execute"]
    assert alice.ask("provider.executed", transaction=transaction, handled=True) == {}
    assert alice.ask("action.fulfill", action=action) == {}
    alice.call(call, isMuted=True)


def test_an_offer_that_is_under_way_is_still_to_be_answered(alice, call):
    told, transaction, action = steps(alice, call, True)
    assert told == ["provider.execute"]
    alice.ask("provider.configure", provider={}, executesTransactions=False)
    assert alice.told("provider.perform") == []
    assert alice.ask("provider.executed", transaction=transaction, handled=False) == {}
    assert alice.hear("provider.perform")["action"]["uuid"] == action


def test_the_member_is_true_or_false(alice):
    alice.refused(-32602, "provider.configure", provider={}, executesTransactions="yes")
