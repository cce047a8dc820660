"""What a caller learns with a stopwatch: nothing (D13).

Fifty calls each to callees who keep the caller out in one way or another, and to two who just do not answer, all under way at the
same time in a random order. Measured are the answer to the start, the ring, and the end when it has rung out.
"""

import random
import statistics
import time
import uuid

import pytest

from issuer import Issuer
from keptout import by_prefix, by_silence, sign_in
from phone import PATIENCE, generic, number

ISSUER = Issuer()
RING_TIMEOUT = 5
SETTINGS = {"auth": Issuer.SETTINGS, "calls": {"ringTimeoutSeconds": RING_TIMEOUT}, "log": {"level": "info"}}
EACH = 50
SEED = random.randrange(10_000)

# Of the differences between medians, in seconds. Less would have it fail when the machine hiccups. To the ring belongs what it takes
# the hub to tell a device: some tenths of a millisecond in a debug build.
RESOLUTION = {"answer": 0.003, "ring": 0.003, "end": 0.03}


def caller_number(index):
    return 49_301_000 + index


def by_handles(phone):
    handles = [{"handle": number(f"+{caller_number(index)}")} for index in range(EACH * len(CALLEES))]
    assert phone.ask_all("block.add", handles) == [{}] * len(handles)


def by_entries(phone):
    numbers = [caller_number(index) for index in range(EACH * len(CALLEES))]
    phone.ask("directory.load", extension="spam", incremental=False, blocking=numbers, identification=[])


CALLEES = {
    "plain": None, "plain too": None, "handle": by_handles, "prefix": by_prefix, "directory": by_entries, "silence": by_silence
}


def when(phone, fits):
    """When a phone was told of a call that fits."""
    phone.hear("call.changed", lambda told: fits(told["call"]), PATIENCE + RING_TIMEOUT)
    return next(came for came, method, told in phone.stream if method == "call.changed" and fits(told["call"]))


@pytest.fixture(scope="module")
def times(hub):
    """Seconds by what is measured and by callee."""
    print(f"seed {SEED}")
    for name, keep_out in CALLEES.items():
        callee = sign_in(hub, ISSUER, name, provider={"maximumCallGroups": 1000})
        if keep_out:
            keep_out(callee)
    order = [name for name in CALLEES for _ in range(EACH)]
    random.Random(SEED).shuffle(order)
    callers = [
        (name, sign_in(hub, ISSUER, f"caller {index}", number(f"+{caller_number(index)}"))) for index, name in enumerate(order)
    ]
    times = {what: {name: [] for name in CALLEES} for what in [*RESOLUTION, "whole"]}
    starts, rings = [], []
    for name, caller in callers:
        start = {"type": "start", "callUUID": str(uuid.uuid4()), "handle": generic(name)}
        asked = time.perf_counter()
        starts.append(asked)
        answered, message = caller.answer(caller.begin("transaction.request", actions=[start]))
        assert "result" in message, message
        rings.append(when(caller, lambda call: call["remoteIsRinging"]))
        times["answer"][name].append(answered - asked)
        times["ring"][name].append(rings[-1] - asked)
    for (name, caller), asked, rang in zip(callers, starts, rings):
        ended = when(caller, lambda call: call["hasEnded"])
        times["end"][name].append(ended - rang)
        times["whole"][name].append(ended - asked)
    return times


def plain(times, what):
    return times[what]["plain"] + times[what]["plain too"]


@pytest.mark.parametrize("what", RESOLUTION)
@pytest.mark.parametrize("callee", [name for name in CALLEES if name != "plain"])
def test_medians_are_the_same(times, what, callee):
    difference = statistics.median(times[what][callee]) - statistics.median(plain(times, what))
    # A machine with other things to do spreads them; half of the calls to somebody who does not answer are within this.
    lower, _, upper = statistics.quantiles(plain(times, what), n=4)
    bound = RESOLUTION[what] + (upper - lower) / 2
    assert abs(difference) < bound, f"{callee}: {difference * 1000:+.1f} of {bound * 1000:.1f} ms, seed {SEED}"


@pytest.mark.parametrize("what", ["answer", "end"])
@pytest.mark.parametrize("callee", [name for name in CALLEES if name != "plain"])
def test_who_guesses_by_one_call_is_hardly_more_often_right_than_wrong(times, what, callee):
    """How often a call to the callee takes longer than one to somebody who does not answer: 0.5 says nothing, 0 and 1 all."""
    others = plain(times, what)
    pairs = [(own > other) + (own == other) / 2 for own in times[what][callee] for other in others]
    share = statistics.mean(pairs)
    assert 0.2 < share < 0.8, f"{callee}: {share:.2f}, seed {SEED}"


def test_nobody_is_told_of_the_end_before_the_ring_is_out(times):
    for name, ends in times["end"].items():
        # From before the request: a ring that this client reads late makes no end early.
        assert RING_TIMEOUT <= min(times["whole"][name]) and statistics.median(ends) < RING_TIMEOUT + 5, name
