"""Callees that one and the same call does not reach for all the reasons that there are, and one who just does not answer."""

import re

from phone import generic, number

CALLER = number("+49 30 1234")


def by_handle(phone):
    phone.ask("block.add", handle=number("49-301234"))


def by_prefix(phone):
    phone.ask("block.add", prefix="+4930")


def by_directory(phone):
    phone.ask("directory.load", extension="spam", incremental=False, blocking=[49301234], identification=[])


def by_silence(phone):
    phone.ask("settings.set", doNotDisturb=True)


def by_timetable(phone):
    always = {"days": ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]}
    phone.ask("settings.set", quietHours=[always | {"from": "00:00", "to": "00:00"}])


def by_device(phone):
    phone.ask("settings.set", device={"doNotDisturb": True})


# How callees keep the caller out.
WAYS = [by_handle, by_prefix, by_directory, by_silence, by_timetable, by_device]
# Those of them that leave no trace with the callee.
BLOCKED = [by_handle, by_prefix, by_directory]


def ways(of):
    return {"argvalues": of, "ids": [way.__name__ for way in of]}


UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
DATE = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")


def blanked(value, names, seen=None):
    """What was told, without what differs from call to call: ids are their order, dates are whether there is one."""
    seen = {} if seen is None else seen
    if isinstance(value, dict):
        return {key: "random" if key == "ssrc" else blanked(part, names, seen) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [blanked(part, names, seen) for part in value]
    if isinstance(value, str):
        if UUID.fullmatch(value):
            return f"id {seen.setdefault(value, len(seen))}"
        if value in names:
            return f"name {names.index(value)}"
        return DATE.sub("date", value)
    return value


def story(phone, names):
    """All that a phone was told, blanked."""
    phone.ask("session.ping")
    return blanked([(method, told) for _, method, told in phone.stream], names)


def expect_same(told, expected, what):
    """That two stories are the same; says where they part."""
    for index, (one, other) in enumerate(zip(told, expected)):
        assert one == other, f"{what}: number {index} of what the caller is told is another"
    assert len(told) == len(expected), f"{what}: the caller is told more or less"


def sign_in(hub, issuer, name, *handles, device="desk", **opening):
    return hub.phone(None, device, token=issuer.token(name, *(handles or [generic(name)])), **opening)
