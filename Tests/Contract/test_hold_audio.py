"""Who is on hold receives a sound of the hub's, if the holder or the hub has chosen one."""

import pytest

from phone import generic

SOUNDS = ("tone", "music")


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
def pair(hub, people):
    """Alice's phone and Bob's in a call, with each one's end of it; nothing is unread."""
    alice, bob = (hub.phone(people(name)) for name in ("alice", "bob"))
    outgoing, incoming = connect(alice, bob)
    for phone in (alice, bob):
        phone.forget()
    return alice, bob, outgoing, incoming


def sources(phone):
    return phone.hear("audio.sources")["sources"]


@pytest.mark.parametrize("sound", SOUNDS)
def test_the_held_receive_the_sound_of_the_holder(pair, sound):
    alice, bob, outgoing, incoming = pair
    assert bob.ask("settings.set", holdAudio=sound)["holdAudio"] == sound
    bob.do("setHeld", incoming, isOnHold=True)
    (source,) = sources(alice)
    assert source == {
        "ssrc": source["ssrc"], "callUUID": outgoing, "handle": generic(sound), "name": sound, "isHoldAudio": True,
    }
    packets = alice.packets(25, ssrc=source["ssrc"])
    # A marker opens the talk spurt; then each packet is 20 ms behind the one before.
    assert [packet[1] for packet in packets] == [0x80 | 111] + [111] * (len(packets) - 1)
    numbers = [int.from_bytes(packet[2:4], "big") for packet in packets]
    times = [int.from_bytes(packet[4:8], "big") for packet in packets]
    assert [(number - numbers[0]) % 65_536 for number in numbers] == list(range(len(packets)))
    assert [(at - times[0]) % 2**32 for at in times] == [960 * index for index in range(len(packets))]
    bob.do("setHeld", incoming, isOnHold=False)
    (back,) = sources(alice)
    assert back["handle"] == generic(account(bob)) and "isHoldAudio" not in back
    # A packet of the sound that came later would be among these.
    seen = len(alice.audio)
    alice.ask("session.ping")
    assert alice.audio[seen:] == []


def test_silence_is_the_default_and_a_choice(pair):
    alice, bob, _, incoming = pair
    for choice in ("hub", "silence"):
        bob.ask("settings.set", holdAudio=choice)
        bob.do("setHeld", incoming, isOnHold=True)
        assert sources(alice) == []
        assert alice.told("audio.sources") == []
        bob.do("setHeld", incoming, isOnHold=False)
        assert len(sources(alice)) == 1
    assert alice.audio == []


def test_a_change_takes_effect_in_a_held_call(pair):
    alice, bob, _, incoming = pair
    bob.do("setHeld", incoming, isOnHold=True)
    assert sources(alice) == []
    seen = set()
    for sound in ("music", "tone", "music"):
        bob.ask("settings.set", holdAudio=sound)
        (source,) = sources(alice)
        assert source["handle"] == generic(sound)
        assert source["ssrc"] not in seen, "each sound has an SSRC of its own"
        seen.add(source["ssrc"])
        alice.packets(3, ssrc=source["ssrc"])
    bob.ask("settings.set", holdAudio="silence")
    assert sources(alice) == []


def test_music_goes_on_where_it_stopped(pair):
    alice, bob, _, incoming = pair
    bob.ask("settings.set", holdAudio="music")
    heard = []
    for _ in range(2):
        bob.do("setHeld", incoming, isOnHold=True)
        (source,) = sources(alice)
        alice.packets(10, ssrc=source["ssrc"])
        bob.do("setHeld", incoming, isOnHold=False)
        assert "isHoldAudio" not in sources(alice)[0]
        heard.append([int.from_bytes(packet[2:4], "big") for _, packet in alice.audio if rtp_source(packet) == source["ssrc"]])
    assert heard[1][0] == (heard[0][-1] + 1) % 65_536


def rtp_source(packet):
    return int.from_bytes(packet[8:12], "big")


def test_the_end_of_the_call_ends_the_sound(pair):
    alice, bob, outgoing, incoming = pair
    bob.ask("settings.set", holdAudio="music")
    bob.do("setHeld", incoming, isOnHold=True)
    (source,) = sources(alice)
    alice.packets(3, ssrc=source["ssrc"])
    bob.do("end", incoming)
    alice.call(outgoing, state="ended")
    assert sources(alice) == []
    seen = len(alice.audio)
    alice.ask("session.ping")
    assert alice.audio[seen:] == []


def test_who_holds_as_well_receives_nothing(pair):
    alice, bob, outgoing, incoming = pair
    for phone in (alice, bob):
        phone.ask("settings.set", holdAudio="music")
    bob.do("setHeld", incoming, isOnHold=True)
    alice.hear("audio.sources", lambda told: told["sources"] and "isHoldAudio" in told["sources"][0])
    alice.do("setHeld", outgoing, isOnHold=True)
    assert sources(alice) == []
    bob.do("setHeld", incoming, isOnHold=False)
    (source,) = sources(bob) or sources(bob)
    assert source["callUUID"] == incoming and source["isHoldAudio"]
    bob.packets(3, ssrc=source["ssrc"])
    assert alice.told("audio.sources") == []
