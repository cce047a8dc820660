"""One's own photo, as docs/protocol.md has it: given in the settings, shown to those who may see the person."""

import base64
import hashlib
import struct
import zlib

import pytest

from hub import Hub
from phone import generic

SETTINGS = {"auth": {"mode": "accounts", "passwordMegabytes": 8, "passwordPasses": 1}}
ACCOUNTS = {name: [] for name in ["alice", "bob", "carol"]}


def png(width, height, rows=None):
    """A black image; with `rows` that many of its rows alone."""
    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    header = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    data = zlib.compress(bytes((1 + (width + 7) // 8) * (height if rows is None else rows)), 9)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


def jpeg(width, height):
    return bytes.fromhex("ffd8ffe000104a46494600010100000100010000") + b"\xff\xc2\x00\x0b\x08" + struct.pack(">HH", height, width) + b"\x01\x01\x11\x00"


def webp(width, height):
    data = b"VP8X" + struct.pack("<I", 10) + bytes(4) + (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
    return b"RIFF" + struct.pack("<I", len(data) + 4) + b"WEBP" + data


def text(image):
    return base64.b64encode(image).decode()


def photo_hash(image):
    return hashlib.sha256(image).hexdigest()[:32]


@pytest.fixture
def alice(hub):
    phone = hub.phone("alice", password=Hub.PASSWORD)
    yield phone
    phone.ask("settings.set", photo=None, isListed=True)
    phone.ask("block.remove", handle=generic("bob"))


@pytest.fixture
def bob(hub):
    return hub.phone("bob", password=Hub.PASSWORD)


def listed(phone, name):
    return [one for one in phone.ask("people.list")["people"] if one["handle"] == generic(name)][0]


def test_a_photo_is_named_by_its_hash_and_read_once(hub, alice, bob):
    image = png(96, 96)
    other = hub.phone("alice", password=Hub.PASSWORD)
    assert "photoHash" not in alice.ask("settings.get")
    assert bob.ask("people.subscribe", handles=[generic("alice")])["people"][0].get("photoHash") is None
    assert alice.ask("settings.set", photo=text(image))["photoHash"] == photo_hash(image)
    assert other.hear("settings.changed") is not None
    assert other.ask("settings.get")["photoHash"] == photo_hash(image)
    assert listed(bob, "alice")["photoHash"] == photo_hash(image)
    told = bob.hear("people.changed", lambda told: told["people"][0].get("photoHash"))
    assert told["people"][0]["photoHash"] == photo_hash(image)
    for phone in [bob, alice]:
        assert phone.ask("people.photo", handle=generic("ALICE"))["photo"] == text(image)
    assert alice.ask("settings.set", displayName="Alice")["photoHash"] == photo_hash(image)
    assert "photoHash" not in alice.ask("settings.set", photo=None)
    assert bob.refused(404, "people.photo", handle=generic("alice"))
    assert "photoHash" not in listed(bob, "alice")


def test_a_photo_outlives_a_restart_and_is_in_the_export(hub):
    image = jpeg(1024, 1)
    alice = hub.phone("alice", password=Hub.PASSWORD)
    alice.ask("settings.set", photo=text(image))
    hub.stop()
    hub.start()
    bob = hub.phone("bob", password=Hub.PASSWORD)
    assert listed(bob, "alice")["photoHash"] == photo_hash(image)
    assert bob.ask("people.photo", handle=generic("alice"))["photo"] == text(image)
    assert text(image) in hub.account("export", "alice")
    alice = hub.phone("alice", password=Hub.PASSWORD)
    alice.ask("account.erase")
    assert bob.refused(404, "people.photo", handle=generic("alice"))
    assert text(image) not in hub.account("export", "alice")


def test_who_may_not_see_a_person_gets_no_photo(hub, alice, bob):
    image = webp(512, 512)
    alice.ask("settings.set", photo=text(image))
    alice.ask("block.add", handle=generic("bob"))
    assert bob.refused(404, "people.photo", handle=generic("alice"))
    assert "photoHash" not in str(bob.ask("people.subscribe", handles=[generic("alice")]))
    carol = hub.phone("carol", password=Hub.PASSWORD)
    assert carol.ask("people.photo", handle=generic("alice"))["photo"] == text(image)
    alice.ask("settings.set", isListed=False)
    assert carol.refused(404, "people.photo", handle=generic("alice"))
    assert alice.ask("people.photo", handle=generic("alice"))["photo"] == text(image)
    watcher = hub.phone("carol", password=Hub.PASSWORD, permissions=["observe"])
    alice.ask("settings.set", isListed=True)
    assert watcher.refused(404, "people.photo", handle=generic("alice"))


def test_no_contact_is_the_user_itself(hub, alice):
    alice.ask("settings.set", photo=text(png(8, 8)))
    assert alice.refused(404, "contacts.photo", identifier="")
    assert alice.ask("contacts.remove", identifier="") == {"ignored": True}
    assert alice.ask("people.photo", handle=generic("alice"))


@pytest.mark.parametrize(
    "image",
    [
        png(1025, 1), png(1, 1025), png(60000, 60000, rows=1), png(2**31, 1, rows=0), png(0, 8, rows=0), jpeg(65535, 65535),
        jpeg(0, 0), webp(16384, 16384), webp(1025, 2), b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"\xff\xd8" + b"\xff" * 100,
        b"RIFF....WEBP", b"RIFF....WEBPVP8X", b"RIFF....WEBPVP8L....\x2f\xff\xff\xff\xff", b"GIF89a" + bytes(20), b"",
        b"<svg/>", png(96, 96) + bytes(12_288),
    ],
    ids=range(19),
)
def test_what_is_no_small_image_is_refused(alice, image):
    assert alice.refused(602, "settings.set", photo=text(image), displayName="Nobody")
    assert alice.ask("settings.get")["displayName"] != "Nobody"


@pytest.mark.parametrize("photo", [7, True, [], {}, "not base64", "////"], ids=str)
def test_what_is_no_base64_is_refused(alice, photo):
    code = 602 if isinstance(photo, str) else -32602
    assert alice.refused(code, "settings.set", photo=photo)
