"""Quiet hours go by the clock of the zone that the account names (docs/protocol.md, "settings.get, settings.set")."""

import datetime
import zoneinfo

import pytest

from phone import number

DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
# Their clocks show quite different times, and often another day.
ZONES = ["Pacific/Kiritimati", "Asia/Kolkata", "Europe/Berlin", "America/St_Johns", "Pacific/Pago_Pago"]
UUID = "8a5c2f8c-0000-4000-8000-000000000001"


def stretch(zone, begin, end):
    """Quiet hours around now: minutes from now on the zone's clock, on the day on which they begin there."""
    now = datetime.datetime.now(zoneinfo.ZoneInfo(zone))
    start, stop = (now + datetime.timedelta(minutes=minutes) for minutes in (begin, end))
    return {"days": [DAYS[start.weekday()]], "from": f"{start:%H:%M}", "to": f"{stop:%H:%M}"}


def is_quiet(phone):
    """Whether a call from outside is kept out at this moment."""
    request = phone.begin("provider.reportNewIncomingCall", callUUID=UUID, update={"remoteHandle": number("+491")})
    error = phone.answer(request)[1].get("error")
    if error:
        assert error["code"] == 203, error
        return True
    phone.ask("provider.reportCallEnded", callUUID=UUID, reason="remoteEnded")
    raise AssertionError("it rings")


def rings(phone):
    call = phone.report(number("+491"))
    assert phone.ringing()["uuid"] == call
    phone.ask("provider.reportCallEnded", callUUID=call, reason="remoteEnded")
    return True


@pytest.mark.parametrize("zone", ZONES)
def test_a_stretch_that_is_now_is_quiet(hub, people, zone):
    alice = hub.phone(people("alice"))
    for begin, end in ((-3, 5), (-600, 5), (-3, 600), (-600, 600)):
        alice.ask("settings.set", timeZone=zone, quietHours=[stretch(zone, begin, end)])
        assert is_quiet(alice), (begin, end)


@pytest.mark.parametrize("zone", ZONES)
def test_a_stretch_that_is_not_now_is_not(hub, people, zone):
    alice = hub.phone(people("alice"))
    for begin, end in ((5, 600), (-600, -5), (5, 1435), (-1400, -700)):
        alice.ask("settings.set", timeZone=zone, quietHours=[stretch(zone, begin, end)])
        assert rings(alice), (begin, end)


def test_another_day_is_another_day(hub, people):
    alice = hub.phone(people("alice"))
    now = stretch("Asia/Tokyo", -30, 30)
    others = [day for day in DAYS if day not in now["days"]]
    alice.ask("settings.set", timeZone="Asia/Tokyo", quietHours=[now | {"days": others}])
    assert rings(alice)
    alice.ask("settings.set", quietHours=[now | {"days": others}, now])
    assert is_quiet(alice)


def test_the_same_time_in_another_zone_is_another_time(hub, people):
    alice = hub.phone(people("alice"))
    alice.ask("settings.set", timeZone="Asia/Tokyo", quietHours=[stretch("Asia/Tokyo", -30, 30)])
    assert is_quiet(alice)
    alice.ask("settings.set", timeZone="Europe/Berlin")
    assert rings(alice)


def test_quiet_hours_without_a_zone_are_by_the_clock_of_the_zone_that_the_answer_names(hub, people):
    alice = hub.phone(people("alice"))
    anyHours = {"days": DAYS, "from": "22:00", "to": "07:00"}
    zone = alice.ask("settings.set", timeZone="", quietHours=[anyHours])["hubTimeZone"]
    alice.ask("settings.set", quietHours=[stretch(zone, -3, 5)])
    assert is_quiet(alice)
    alice.ask("settings.set", quietHours=[stretch(zone, 5, 600)])
    assert rings(alice)
    assert "hubTimeZone" not in alice.ask("settings.set", timeZone="Asia/Tokyo")


def test_quiet_hours_leave_the_switch_alone(hub, people):
    alice = hub.phone(people("alice"))
    settings = alice.ask("settings.set", timeZone="Asia/Tokyo", quietHours=[stretch("Asia/Tokyo", -30, 30)])
    assert settings["doNotDisturb"] is False
    assert is_quiet(alice)
    assert alice.ask("settings.get") == settings


def test_a_favourite_that_is_flagged_breaks_through(hub, people):
    """CK-74"""
    alice = hub.phone(people("alice"))
    alice.ask("settings.set", timeZone="Asia/Tokyo", quietHours=[stretch("Asia/Tokyo", -30, 30)])
    vip = {"identifier": "1", "name": "Mother", "handles": [number("491")], "favorite": True}
    alice.ask("contacts.put", **vip)
    assert is_quiet(alice)
    alice.ask("contacts.put", **vip, breaksThroughDoNotDisturb=True)
    assert rings(alice)
    alice.ask("settings.set", doNotDisturb=True, device={"doNotDisturb": True})
    assert rings(alice)
