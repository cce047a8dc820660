"""Who guesses has to wait: by his address, and by the account that he guesses at (docs/protocol.md, "Rate limits")."""

import itertools
import time

from hub import Hub

SETTINGS = {"auth": {"mode": "accounts", "passwordMegabytes": 8, "passwordPasses": 1}}
ACCOUNTS = {"alice": []}


def guess(hub, address, account, times, at_once=1):
    """Answers to wrong sign-ins, each on a connection of its own."""
    answers, strangers = [], [hub.stranger(address) for _ in range(at_once)]
    for _ in range(times // at_once):
        asked = [(phone, phone.begin("session.open", account=account, password="guess")) for phone in strangers]
        answers += [phone.answer(request)[1]["error"] for phone, request in asked]
    for stranger in strangers:
        stranger.leave()
    return [(error["code"], error["data"]) for error in answers]


WRONG = (401, {"name": "wrongPassword"})


def guess_until_refused(hub, addresses, account, burst, seconds_for_one):
    """Guesses from one address after the other until one is refused, as it must be once a burst and what has come back
    since is used up; the refusal's data."""
    begin, looked_at = time.monotonic(), 0
    for address in itertools.cycle(addresses):
        (code, data), = guess(hub, address, account, 1)
        allowed = burst + int((time.monotonic() - begin) / seconds_for_one)
        if code == 429:
            assert looked_at >= burst
            return data
        assert (code, data) == WRONG
        looked_at += 1
        assert looked_at <= allowed


def test_an_address_that_is_often_wrong_has_to_wait(hub):
    # One every five seconds comes back.
    data = guess_until_refused(hub, ["127.0.0.2"], "nobody", 20, 5)
    assert data["name"] == "tooMany"
    assert 1 <= data["retryAfterSeconds"] <= 5
    # Nobody else has to.
    assert guess(hub, "127.0.0.3", "nobody else", 1) == [WRONG]


def test_an_account_that_is_guessed_at_from_everywhere_makes_wait(hub):
    data = guess_until_refused(hub, [f"127.0.1.{number}" for number in range(1, 5)], "victim", 50, 2)
    assert 1 <= data["retryAfterSeconds"] <= 4
    assert guess(hub, "127.0.1.9", "another victim", 1) == [WRONG]


def test_guessing_side_by_side_gains_nothing(hub):
    """What is looked at at once is counted all the same: who had forty looked at waits for the twenty that were too many."""
    begin = time.monotonic()
    answers = guess(hub, "127.0.2.1", "nobody at all", 40, at_once=40)
    looked_at = answers.count(WRONG)
    assert looked_at >= 20
    (code, data), = guess(hub, "127.0.2.1", "nobody there", 1)
    # One every five seconds comes back meanwhile.
    owed = looked_at - 20 - (time.monotonic() - begin) / 5
    if owed > 0:
        assert code == 429
        assert data["retryAfterSeconds"] > 4 * owed


def test_the_right_password_gets_in_meanwhile(hub):
    assert hub.phone("alice", password=Hub.PASSWORD).session["account"] == "alice"
