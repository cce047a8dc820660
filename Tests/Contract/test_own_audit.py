"""A user's changes of the own account in the audit log: that they happened, and nothing of their content."""

import sqlite3

import pytest

from authenticator import Authenticator, encoded
from hub import Hub
from phone import Refused
from test_own_photo import png, text

SETTINGS = {
    "auth": {"mode": "accounts", "passwordMegabytes": 8, "passwordPasses": 1},
    "limits": {"signInsPerMinute": 100000, "messagesPerSecond": 100000},
}
ACCOUNTS = {name: [] for name in ["alice", "bob", "carol", "dave", "erin"]}
NEW = "Rosenkohl und Spinat"


@pytest.fixture
def origin(hub):
    return f"http://localhost:{hub.port}"


def page(hub, origin, account, name="A phone"):
    phone = hub.stranger(origin=origin)
    phone.session = phone.ask("session.open", account=account, password=Hub.PASSWORD, device={"id": name, "name": name})
    return phone


def newest(hub):
    entry = hub.audit(1)[0]
    return {name: entry.get(name) for name in ("act", "target", "detail", "result", "origin", "account", "device")}


def by(account, act, detail=None, result="done", device="A phone"):
    return {
        "act": act, "target": account, "detail": detail, "result": result, "origin": "session", "account": account,
        "device": device,
    }


def test_each_change_has_one_entry_without_its_content(hub, origin):
    phone = page(hub, origin, "alice")
    key, image = Authenticator(), png(96, 96)
    word = encoded(key.id)[:12]

    def add():
        options = phone.ask("passkeys.create", password=Hub.PASSWORD)
        phone.ask("passkeys.add", **(key.create(options, origin) | {"name": "Secret name"}))

    other = page(hub, origin, "alice", "Lost phone")
    steps = [
        (lambda: phone.ask("settings.set", photo=text(image)), by("alice", "account.photo")),
        (lambda: phone.ask("settings.set", photo=None), by("alice", "account.photo", "removed")),
        (add, by("alice", "passkey.add", word)),
        (lambda: phone.ask("passkeys.rename", id=encoded(key.id), name="Other name"), by("alice", "passkey.rename", word)),
        (lambda: phone.ask("passkeys.remove", id=encoded(key.id)), by("alice", "passkey.remove", word)),
        (lambda: phone.ask("account.signOut", session=other.session["session"]), by("alice", "session.signOut", "Lost phone", "begun")),
        (lambda: hub.phone("alice", password=Hub.PASSWORD) and phone.ask("account.signOut", others=True), by("alice", "session.signOut", "all other devices", "begun")),
        (lambda: phone.ask("account.setPassword", current=Hub.PASSWORD, new=NEW), by("alice", "account.password")),
        (lambda: phone.ask("settings.set", displayName="Alice") and phone.ask("account.erase"), by("alice", "account.eraseData")),
    ]
    before = len(hub.audit())
    for number, (act, entry) in enumerate(steps, before + 1):
        act()
        assert newest(hub) == entry
        assert len(hub.audit()) == number
    log = str(hub.audit())
    for content in ["Secret name", "Other name", NEW, Hub.PASSWORD, text(image)[:40]]:
        assert content not in log


def test_what_changes_nothing_has_no_entry(hub, origin):
    phone = page(hub, origin, "bob")
    image = png(8, 8)
    phone.ask("settings.set", photo=text(image))
    before = len(hub.audit())
    phone.ask("settings.set", photo=text(image))
    phone.ask("settings.set", displayName="Bob", doNotDisturb=True)
    phone.ask("account.signOut", others=True)
    phone.refused(404, "account.signOut", session="none")
    phone.refused(404, "passkeys.remove", id="AAAA")
    phone.refused(404, "passkeys.rename", id="AAAA", name="x")
    phone.refused(401, "account.setPassword", current="wrong guess", new=NEW)
    phone.refused(602, "settings.set", photo="AAAA")
    phone.ask("passkeys.create", password=Hub.PASSWORD)
    phone.ask("contacts.put", identifier="1", name="A friend", handles=[])
    assert len(hub.audit()) == before


def test_nobody_fills_the_audit_log(hub):
    phone = hub.phone("carol", password=Hub.PASSWORD)
    answers = []
    for number in range(130):
        try:
            phone.ask("settings.set", photo=text(png(8, 8 + number % 2)))
            answers.append(200)
        except Refused as refusal:
            answers.append(refusal.code)
    assert answers[:120] == [200] * 120
    assert answers.count(429) >= 5
    second = hub.phone("carol", password=Hub.PASSWORD)
    for method, parameters in [
        ("settings.set", {"photo": None}), ("account.erase", {}), ("account.signOut", {"others": True}),
        ("passkeys.remove", {"id": "AAAA"}), ("account.setPassword", {"current": Hub.PASSWORD, "new": NEW}),
    ]:
        # One may have come back by the clock.
        try:
            second.refused(429, method, **parameters)
        except AssertionError:
            second.refused(429, method, **parameters)
    # Other settings, and others, go on.
    second.ask("settings.set", displayName="Carol")
    hub.phone("dave", password=Hub.PASSWORD).ask("settings.set", photo=text(png(8, 8)))


def test_on_a_full_disk_a_stolen_device_is_signed_out_all_the_same(hub):
    phone, stolen = (hub.phone("erin", password=Hub.PASSWORD) for _ in range(2))
    with sqlite3.connect(hub.database) as file:
        file.execute("CREATE TRIGGER full BEFORE INSERT ON audit BEGIN SELECT raise(ABORT, 'disk'); END")
    try:
        phone.ask("account.signOut", session=stolen.session["session"])
        assert stolen.hear("session.closing")["reason"] == "signedOut"
        hub.logs("own act not in the audit log")
        # What is stored anyway is stored with its entry, or not at all.
        phone.refused(503, "settings.set", photo=text(png(8, 8)))
        phone.refused(503, "account.setPassword", current=Hub.PASSWORD, new=NEW)
    finally:
        with sqlite3.connect(hub.database) as file:
            file.execute("DROP TRIGGER full")
    assert "photoHash" not in phone.ask("settings.get")
    hub.phone("erin", password=Hub.PASSWORD)


def test_where_anybody_may_use_any_name_nothing_is_recorded():
    with Hub({"auth": {"mode": "open"}}) as hub:
        phone = hub.phone("alice")
        phone.ask("settings.set", photo=text(png(8, 8)))
        phone.ask("account.erase")
        assert hub.audit() == []
