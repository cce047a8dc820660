"""One stream of a group, mixed by the hub (CH-10): what the protocol says of it, with packets made by hand."""

import itertools
import struct
import threading

import pytest

SETTINGS = {"audio": {"mixers": 1}}
# An Opus packet of 20 ms in one frame, which any decoder takes (RFC 6716): of transform coding, and silent.
OPUS = bytes([0xF8, 0xFF, 0xFE])


def packet(ssrc, number, level):
    """A packet with its level (RFC 6464): decibels below the overload point."""
    extension = struct.pack("!HHBBBB", 0xBEDE, 1, 1 << 4, level, 0, 0)
    return struct.pack("!BBHII", 0x90, 111, number & 0xFFFF, number * 960, ssrc) + extension + OPUS


class Mixed:
    """The parts of a packet that is a mix."""

    def __init__(self, bytes):
        first, second, self.number, self.timestamp, self.ssrc = struct.unpack("!BBHII", bytes[:12])
        assert first >> 6 == 2 and second & 0x7F == 111
        self.marker = bool(second & 0x80)
        count, place = first & 0x0F, 12
        self.sources = list(struct.unpack(f"!{count}I", bytes[place : place + 4 * count]))
        place += 4 * count
        self.levels = {}
        if first & 0x10:
            profile, words = struct.unpack("!HH", bytes[place : place + 4])
            element = bytes[place + 4 : place + 4 + 4 * words]
            assert profile == 0xBEDE and element[0] >> 4 == 2 and (element[0] & 0x0F) + 1 == count
            self.levels = dict(zip(self.sources, element[1 : 1 + count]))


class Talk(threading.Thread):
    """The packets of some phones, one each every 20 ms, until it is stopped."""

    def __init__(self, *talkers):
        super().__init__(daemon=True)
        self._talkers, self._stopped = talkers, threading.Event()
        self.start()

    def run(self):
        for number in itertools.count():
            for phone, ssrc, level in self._talkers:
                phone.send(packet(ssrc, number, level))
            if self._stopped.wait(0.02):
                return

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        self._stopped.set()
        self.join()


def is_of(ssrc):
    return lambda bytes: len(bytes) > 12 and not 192 <= bytes[1] <= 223 and bytes[8:12] == struct.pack("!I", ssrc)


def activated(phone):
    return phone.hear("provider.didActivateAudioSession")["audioSession"]["ssrc"]


class Trio:
    """Bob between a held call with Alice and one with Carol, all for mixes; each with the SSRC that they send with."""

    def __init__(self, hub, people):
        self.alice, self.bob, self.carol = (
            hub.phone(people(name), audio={"delivery": "mixed"}) for name in ("alice", "bob", "carol")
        )
        first = self.alice.start(people("bob"))
        self.with_alice = self.bob.ringing()["uuid"]
        self.bob.do("answer", self.with_alice)
        self.alice.call(first, state="connected")
        activated(self.bob)
        self.with_carol = self.bob.start(people("carol"))
        self.carol.do("answer", self.carol.ringing()["uuid"])
        self.bob.call(self.with_carol, state="connected")
        self.ssrcs = {phone: activated(phone) for phone in (self.alice, self.bob, self.carol)}
        self.mix = is_of(self.bob.session["audio"]["mixSSRC"])

    def merge(self):
        self.bob.do("setGroup", self.with_alice, callUUIDToGroupWith=self.with_carol)
        self.alice.hear("audio.sources", lambda told: len(told["sources"]) == 2)


@pytest.fixture
def trio(hub, people):
    return Trio(hub, people)


def test_the_answer_has_the_delivery_that_is_in_force(hub, people):
    audio = hub.phone(people("alice"), audio={"delivery": "mixed"}).session["audio"]
    assert audio["delivery"] == "mixed" and audio["mixedFrom"] == 3 and 0 <= audio["mixSSRC"] < 2**32
    for wish in ({}, {"audio": {"delivery": "streams"}}):
        audio = hub.phone(people("bob"), **wish).session["audio"]
        assert audio["delivery"] == "streams" and "mixSSRC" not in audio and "mixedFrom" not in audio


def test_each_member_receives_one_stream_of_the_others(trio):
    trio.merge()
    with Talk(*((phone, ssrc, 20 + place) for place, (phone, ssrc) in enumerate(trio.ssrcs.items()))):
        for phone, own in trio.ssrcs.items():
            others = {ssrc for ssrc in trio.ssrcs.values() if ssrc != own}
            fits = lambda bytes: trio.mix(bytes) and set(Mixed(bytes).sources) == others
            both = [Mixed(bytes) for bytes in phone.hear_packets(fits, 25)]
            # One stream: numbers and timestamps go on together. A machine with other things to do has a party's packets
            # come late, or the mixer leave frames out.
            mixes = [Mixed(bytes) for bytes in phone.hear_packets(trio.mix)]
            for one, next in zip(mixes, mixes[1:]):
                assert next.number == (one.number + 1) & 0xFFFF
                assert next.timestamp - one.timestamp in range(960, 48_000, 960)
            levels = {ssrc: 20 + place for place, ssrc in enumerate(trio.ssrcs.values())}
            assert both[-1].levels == {ssrc: levels[ssrc] for ssrc in others}


def test_two_parties_receive_packets_as_they_were_sent(trio):
    ssrc = trio.ssrcs[trio.carol]
    with Talk((trio.carol, ssrc, 20)):
        passed = trio.bob.hear_packets(is_of(ssrc), 10)
    assert passed[0] == packet(ssrc, int.from_bytes(passed[0][2:4]), 20)
    assert not any(trio.mix(bytes) for _, bytes in trio.bob.received)


def test_silence_is_sent_to_nobody(trio):
    trio.merge()
    with Talk(*((phone, ssrc, 127) for phone, ssrc in trio.ssrcs.items())):
        # The hub's reports on what it has received come every 200 ms.
        trio.alice.hear_packets(lambda bytes: 192 <= bytes[1] <= 223, 8)
    assert not any(trio.mix(bytes) for phone in trio.ssrcs for _, bytes in phone.received)


def test_a_party_that_wants_streams_gets_them_beside_mixes(hub, people):
    trio = Trio(hub, people)
    trio.merge()
    dave = hub.phone(people("dave"))
    call = trio.bob.start(people("dave"))
    dave.do("answer", dave.ringing()["uuid"])
    trio.bob.call(call, state="connected")
    trio.bob.do("setGroup", call, callUUIDToGroupWith=trio.with_carol)
    dave.hear("audio.sources", lambda told: len(told["sources"]) == 3)
    bobs = trio.bob.stream
    ssrc = next(told["audioSession"]["ssrc"] for _, method, told in reversed(bobs) if method == "provider.didActivateAudioSession")
    with Talk((trio.bob, ssrc, 20)):
        assert dave.hear_packets(is_of(ssrc), 10)
        assert trio.carol.hear_packets(trio.mix, 10)
    assert not any(trio.mix(bytes) for _, bytes in dave.received)
