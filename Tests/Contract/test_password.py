"""One's own password and devices, as docs/protocol.md has them (account.setPassword, account.signOut)."""

import time

import pytest

from hub import Hub
from issuer import Issuer
from phone import Refused

ISSUER = Issuer()
SETTINGS = {
    # Long enough that two requests meet.
    "auth": Issuer.SETTINGS | {"mode": "accounts+token", "passwordMegabytes": 32, "passwordPasses": 2},
    "limits": {"signInsPerMinute": 100000},
}
ACCOUNTS = {name: [] for name in ["alice", "bob", "carol", "dave", "erin", "frank"]}
NEW = "Rosenkohl und Spinat"


def wrong(ask, *arguments, **parameters):
    with pytest.raises(Refused) as refusal:
        ask(*arguments, **parameters)
    return refusal.value.code, refusal.value.name


def sign_in(hub, account, password, address="127.0.0.1"):
    phone = hub.stranger(address)
    phone.sign_in(account, password=password)
    return phone


def test_the_new_password_counts_and_the_other_devices_are_signed_out(hub):
    here, there = hub.phone("alice", password=Hub.PASSWORD), hub.phone("alice", password=Hub.PASSWORD)
    bob = hub.phone("bob", password=Hub.PASSWORD)
    call = here.start("bob")
    bob.ringing()
    assert here.ask("account.setPassword", current=Hub.PASSWORD, new=NEW) == {}
    assert there.hear("session.closing")["reason"] == "signedOut"
    here.do("end", call)
    assert [one["session"] for one in here.ask("account.devices")["sessions"]] == [here.session["session"]]
    assert wrong(sign_in, hub, "alice", Hub.PASSWORD, "127.0.8.1") == (401, "wrongPassword")
    again = sign_in(hub, "alice", NEW)
    # Once more, from a session that the first change has left.
    assert here.ask("account.setPassword", current=NEW, new=Hub.PASSWORD, keepsDevices=True) == {}
    assert again.ask("session.ping")["now"]
    sign_in(hub, "alice", Hub.PASSWORD)


def test_a_change_outlives_a_restart_and_a_lost_session_of_the_old_password_is_gone(hub):
    here, lost = hub.phone("carol", password=Hub.PASSWORD), hub.phone("carol", password=Hub.PASSWORD)
    opened = lost.session
    lost.lose()
    here.ask("account.setPassword", current=Hub.PASSWORD, new=NEW)
    resume = {"session": opened["session"], "token": opened["resumeToken"], "seq": 1}
    assert wrong(hub.stranger().sign_in, None, resume=resume) == (440, "sessionGone")
    hub.stop()
    hub.start()
    assert wrong(sign_in, hub, "carol", Hub.PASSWORD, "127.0.8.2") == (401, "wrongPassword")
    assert sign_in(hub, "carol", NEW).session["account"] == "carol"


@pytest.mark.parametrize(
    ("new", "why"),
    [("short", "passwordTooShort"), ("password1", "passwordTooCommon"), ("a" * 2000, "passwordUnusable"),
     ("a\u0000bcdefgh", "passwordUnusable")],
    ids=["short", "common", "long", "control"],
)
def test_a_bad_new_password_changes_nothing_and_counts_for_nothing(hub, new, why):
    bob = hub.phone("bob", password=Hub.PASSWORD)
    for current in [Hub.PASSWORD, "wrong guess"]:
        error = bob.refused(602, "account.setPassword", current=current, new=new)
        assert error.data["reason"] == why
    sign_in(hub, "bob", Hub.PASSWORD)


def test_parameters_must_be_texts(hub):
    bob = hub.phone("bob", password=Hub.PASSWORD)
    for parameters in [{}, {"current": "a"}, {"current": 7, "new": "b"}, {"current": "", "new": "b"}]:
        bob.refused(-32602, "account.setPassword", **parameters)
    bob.refused(-32602, "account.setPassword", current="a", new="b", keepsDevices="yes")


def test_a_session_of_a_token_has_no_password_to_change(hub):
    token = hub.phone(token=ISSUER.token("alice"))
    error = token.refused(403, "account.setPassword", current=Hub.PASSWORD, new=NEW)
    assert "token" in error.message
    assert token.refused(403, "passkeys.list")
    sign_in(hub, "alice", Hub.PASSWORD)


def test_guessing_the_password_in_a_session_makes_wait_as_at_the_sign_in(hub):
    thief = hub.stranger("127.0.8.3")
    thief.sign_in("dave", password=Hub.PASSWORD, device="d" * 32)
    begun, answers = time.monotonic(), []
    while len(answers) < 60 and (not answers or answers[-1] == (401, "wrongPassword")):
        answers.append(wrong(thief.ask, "account.setPassword", current=f"guess {len(answers)}", new=NEW))
    # Twenty, and one every five seconds.
    assert 20 <= len(answers) - 1 <= 20 + (time.monotonic() - begun) / 5 + 1
    assert answers[-1] == (429, "tooMany")
    assert wrong(thief.ask, "account.setPassword", current=Hub.PASSWORD, new=NEW) == (429, "tooMany")
    # Other sessions on that device, too; the user elsewhere is not locked out.
    second = hub.stranger("127.0.8.3")
    with pytest.raises(Refused) as refusal:
        second.sign_in("dave", password=Hub.PASSWORD, device="d" * 32)
    assert refusal.value.code == 429
    sign_in(hub, "dave", Hub.PASSWORD, "127.0.8.4")


def test_passwords_of_a_session_are_verified_one_at_a_time(hub):
    erin = hub.phone("erin", password=Hub.PASSWORD)
    for _ in range(4):
        asked = [erin.begin("account.setPassword", current="wrong guess", new=NEW) for _ in range(4)]
        codes = [erin.answer(one)[1]["error"]["code"] for one in asked]
        assert codes[0] == 401
        # If this client is kept waiting in between, one comes when the one before is done, and is verified.
        if set(codes[1:]) == {429}:
            break
    assert set(codes[1:]) == {429}
    assert erin.ask("account.setPassword", current=Hub.PASSWORD, new=NEW) == {}


def test_all_other_devices_are_signed_out_at_once(hub):
    here = hub.phone("frank", password=Hub.PASSWORD)
    others = [hub.phone("frank", password=Hub.PASSWORD) for _ in range(3)]
    bystander = hub.phone("bob", password=Hub.PASSWORD)
    assert here.ask("account.signOut", others=True) == {}
    for other in others:
        assert other.hear("session.closing")["reason"] == "signedOut"
    assert here.ask("account.signOut", others=True) == {}
    assert len(here.ask("account.devices")["sessions"]) == 1
    assert bystander.ask("session.ping")["now"]
    here.refused(-32602, "account.signOut", others=False)
