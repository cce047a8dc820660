"""Icons and ringtones of providers, as docs/protocol.md has them: for the account's own devices, and nobody else."""

import base64
import hashlib
import struct

import pytest

from phone import generic
from test_own_photo import jpeg, png, text

MONKEY = {"localizedName": "Monkey Call", "ringtoneSound": "monkeys.wav"}


def wav(size):
    head = b"RIFF" + struct.pack("<I", size - 8) + b"WAVEfmt " + struct.pack("<IHHIIHH", 16, 1, 1, 8000, 16000, 2, 16)
    head += b"data" + struct.pack("<I", size - 44)
    return head + bytes(size - len(head))


def name_of(data):
    return hashlib.sha256(data).hexdigest()[:32]


@pytest.fixture
def door(hub, people):
    return hub.phone(people("door"), "entrance", provider=MONKEY)


def test_the_accounts_own_devices_are_shown_them(hub, people, door):
    icon, sound = png(120, 120), wav(40_960)
    phone = hub.phone(people("door"), "phone")
    page = hub.phone(people("door"), "page", permissions=["operate"], operates="entrance")
    assert door.ask("provider.setAppearance") == {"ignored": True}
    assert door.ask("provider.setAppearance", icon=text(icon), ringtone=text(sound)) == {}
    assert door.ask("provider.setAppearance", icon=text(icon)) == {"ignored": True}
    for device in [door, phone, page]:
        assert device.ask("provider.list")["providers"] == [{
            "device": {"id": "entrance", "name": None}, "name": "Monkey Call", "ringtoneSound": "monkeys.wav",
            "iconHash": name_of(icon), "ringtoneHash": name_of(sound),
        }]
        for data in [icon, sound]:
            assert base64.b64decode(device.ask("provider.media", hash=name_of(data))["media"]) == data
    stranger = hub.phone(people("stranger"))
    assert stranger.ask("provider.list") == {"providers": []}
    assert stranger.refused(404, "provider.media", hash=name_of(icon))


def test_the_icon_of_a_call_of_recents_outlives_its_device(hub, people, door):
    icon = png(40, 40)
    door.ask("provider.setAppearance", icon=text(icon), ringtone=text(wav(100)))
    call = door.call(door.start(generic("echo")), state="connected")
    door.do("end", call["uuid"])
    door.leave()
    phone = hub.phone(people("door"), "phone")
    entry = phone.recents()[0]
    assert phone.ask("provider.list")["providers"] == [{"name": entry["provider"], "iconHash": name_of(icon)}]
    assert phone.ask("provider.media", hash=name_of(icon))["media"] == text(icon)
    assert phone.refused(404, "provider.media", hash=name_of(wav(100)))
    phone.ask("account.erase")
    assert phone.ask("provider.list") == {"providers": []}


def changes(phone):
    """How often a phone was told that the providers have changed, since it was last asked."""
    count = len(phone.told("providers.changed"))
    for _ in range(count):
        assert set(phone.hear("providers.changed")) == {"seq"}
    return count


def test_the_accounts_other_devices_are_told_of_each_change_and_nobody_else(hub, people, door):
    phone = hub.phone(people("door"), "phone")
    page = hub.phone(people("door"), "page", permissions=["operate"], operates="entrance")
    others, stranger = [phone, page], hub.phone(people("stranger"))
    icon, sound = text(png(40, 40)), text(wav(100))
    for media, isNews in [
        ({"icon": icon}, True), ({"icon": icon}, False), ({"ringtone": sound}, True), ({}, False),
        ({"icon": text(png(41, 40)), "ringtone": text(wav(200))}, True), ({"icon": None}, True), ({"icon": None}, False),
    ]:
        door.ask("provider.setAppearance", **media)
        assert [changes(device) for device in others] == [isNews, isNews], media
    assert door.refused(602, "provider.setAppearance", icon=text(b"no image"))
    ape = MONKEY | {"localizedName": "Ape Call"}
    for provider, isNews in [
        (ape, True), (ape | {"maximumCallGroups": 1}, False), (ape | {"ringtoneSound": "apes.wav"}, True), ({}, True),
    ]:
        door.ask("provider.configure", provider=provider)
        assert [changes(device) for device in others] == [isNews, isNews], provider
    assert changes(door) == changes(stranger) == 0


def test_a_provider_that_comes_or_leaves_is_a_change_and_one_without_a_name_is_none(hub, people, door):
    other = hub.phone(people("door"), "other", provider=MONKEY)
    assert changes(door) == 1
    other.ask("provider.invalidate")
    assert changes(door) == 1
    other.ask("provider.configure", provider=MONKEY)
    assert changes(door) == 1
    other.leave()
    assert changes(door) == 1
    hub.phone(people("door"), "nameless").leave()
    assert changes(door) == 0


def test_who_was_away_is_told_at_the_resume_and_an_erasure_is_a_change(hub, people, door):
    phone, other = hub.phone(people("door"), "phone"), hub.phone(people("door"), "other")
    phone.forget()
    seq = max(told["seq"] for _, _, told in phone.stream)
    phone.lose()
    door.ask("provider.setAppearance", icon=text(png(40, 40)))
    resume = {"session": phone.session["session"], "token": phone.session["resumeToken"], "seq": seq}
    phone = hub.phone(people("door"), "phone", resume=resume)
    assert phone.session["resumed"] and phone.hear("providers.changed")
    # The icon of a device that has left is kept for Recents, until the account is erased.
    door.leave()
    assert changes(phone) == 1 and changes(other) == 2
    other.ask("account.erase")
    assert changes(phone) == 1 and phone.ask("provider.list") == {"providers": []}


def test_null_removes_an_absent_member_keeps_and_a_resumed_session_has_them_still(hub, people, door):
    icon, sound = png(8, 8), wav(1000)
    door.ask("provider.setAppearance", icon=text(icon), ringtone=text(sound))
    door.ask("provider.setAppearance", icon=None)
    listed = door.ask("provider.list")["providers"][0]
    assert "iconHash" not in listed and listed["ringtoneHash"] == name_of(sound)
    door.lose()
    resume = {"session": door.session["session"], "token": door.session["resumeToken"], "seq": 0}
    again = hub.phone(people("door"), resume=resume)
    assert again.session["resumed"] and again.ask("provider.list")["providers"][0]["ringtoneHash"] == name_of(sound)
    again.ask("provider.setAppearance", ringtone=None)
    assert "ringtoneHash" not in again.ask("provider.list")["providers"][0]


@pytest.mark.parametrize("icon", [
    b"", b"\x89PNG\r\n\x1a\n", jpeg(40, 40), b"GIF89a" + bytes(20), png(0, 8, rows=0), png(1025, 1), png(2**31, 1, rows=0),
    png(2**32 - 1, 2**32 - 1, rows=0), png(40, 40) + bytes(12_289 - len(png(40, 40))),
], ids=range(9))
def test_what_is_no_small_png_is_refused(door, icon):
    refusal = door.refused(602, "provider.setAppearance", icon=text(icon))
    assert "PNG image of at most 12288 bytes" in str(refusal)
    assert door.ask("provider.list")["providers"] == [{"device": {"id": "entrance", "name": None}, "name": "Monkey Call",
                                                        "ringtoneSound": "monkeys.wav"}]


@pytest.mark.parametrize("sound", [b"", b"RIFF", b"OggS" + bytes(100), b"ID3" + bytes(100), wav(40_961)], ids=range(5))
def test_what_is_no_short_sound_is_refused(door, sound):
    assert "Ogg Opus or WAV file of at most 40960 bytes" in str(door.refused(602, "provider.setAppearance", ringtone=text(sound)))


@pytest.mark.parametrize("value", [0, 1, 2**31, 2**32, 2**63 - 1, 2**64 - 1, True, {}, []])
def test_what_is_no_text_is_refused(door, value):
    for member in ["icon", "ringtone"]:
        assert door.refused(-32602, "provider.setAppearance", **{member: value})
    assert door.refused(-32602, "provider.media", hash=value)


def test_limits_are_taken_exactly(door):
    icon = png(1024, 1024, rows=1)
    assert door.ask("provider.setAppearance", icon=text(icon + bytes(12_288 - len(icon)))) == {}
    assert door.ask("provider.setAppearance", ringtone=text(wav(40_960))) == {}


def test_a_session_that_operates_says_so_in_the_list_of_devices(hub, people, door):
    page = hub.phone(people("door"), "page", permissions=["operate"], operates="entrance")
    devices = {one["device"]["id"]: one for one in page.ask("account.devices")["sessions"]}
    assert devices["page"]["operates"] == "entrance" and "operates" not in devices["entrance"]
