"""Invitations, as docs/protocol.md has them: an account by a secret, once; a guest's calls, so many and no more."""

import datetime
import json
import time
import urllib.request

import pytest

from hub import Hub
from phone import Refused, generic

SETTINGS = {
    "auth": {"mode": "accounts", "passwordMegabytes": 8, "passwordPasses": 1},
    "invitations": {"accounts": "everyone"},
    "limits": {"signInsPerMinute": 100000},
}
ACCOUNTS = {"alice": [], "bob": []}
PASSWORD = "Rosenkohl und Spinat"
PAGE = "https://hub.example.com/"


@pytest.fixture
def alice(hub):
    return hub.phone("alice", password=Hub.PASSWORD)


@pytest.fixture
def bob(hub):
    return hub.phone("bob", password=Hub.PASSWORD)


def invite(phone, kind="account", **more):
    return phone.ask("invitations.create", kind=kind, **more)


def accept(hub, secret, account, password=PASSWORD, **more):
    return hub.stranger().ask("invitation.accept", secret=secret, account=account, password=password, **more)


def refused(ask, *arguments, **more):
    with pytest.raises(Refused) as refusal:
        ask(*arguments, **more)
    return refusal.value


def reason(ask, *arguments, **more):
    error = refused(ask, *arguments, **more)
    assert (error.code, error.name) == (401, "invitationInvalid")
    return error.data["reason"]


def guest(hub, secret, **more):
    phone = hub.stranger()
    phone.sign_in(None, invitation=secret, **more)
    return phone


def test_who_accepts_has_an_account_at_once(hub, alice, people):
    made = invite(alice, account=people("carol"), name="Carol", page=PAGE)
    assert made["url"] == PAGE + "#i=" + made["secret"]
    assert len(made["secret"]) == 22
    offer = hub.stranger().ask("invitation.show", secret=made["secret"])
    assert offer == {
        "kind": "account", "from": "alice", "account": people("carol"), "name": "Carol",
        "expiresAt": made["invitation"]["expiresAt"],
    }
    assert accept(hub, made["secret"], people("carol"), displayName="Carol C.") == {"account": people("carol")}
    assert hub.phone(people("carol"), password=PASSWORD).session["account"] == people("carol")
    assert reason(accept, hub, made["secret"], people("dave")) == "used"
    assert reason(hub.stranger().ask, "invitation.show", secret=made["secret"]) == "used"
    entry = [one for one in alice.ask("invitations.list")["invitations"] if one["id"] == made["invitation"]["id"]][0]
    assert entry["usedBy"] == people("carol")
    assert entry["createdBy"] == "alice"
    assert "secret" not in entry
    assert made["secret"].encode() not in hub.database.read_bytes()


def test_of_two_who_accept_at_once_one_wins(hub, alice, people):
    secret = invite(alice)["secret"]
    strangers = [hub.stranger() for _ in range(4)]
    asked = [
        stranger.begin("invitation.accept", secret=secret, account=people(f"racer {number}"), password=PASSWORD)
        for number, stranger in enumerate(strangers)
    ]
    answers = [stranger.answer(request)[1] for stranger, request in zip(strangers, asked)]
    assert len([answer for answer in answers if "result" in answer]) == 1
    assert [answer["error"]["data"]["reason"] for answer in answers if "error" in answer] == ["used"] * 3


def test_a_bad_name_or_password_leaves_the_invitation_as_it_is(hub, alice, people):
    secret = invite(alice)["secret"]
    for password, why in [
        ("short", "passwordTooShort"), ("password1", "passwordTooCommon"), ("a" * 2000, "passwordUnusable"),
        (people("Nomen Est Omen"), "passwordIsName"),
    ]:
        error = refused(accept, hub, secret, people("nomen est omen"), password)
        assert (error.code, error.data["reason"]) == (602, why)
    for name in ["guest-1", "Echo", " carol", "a" * 129, "a\u0000b"]:
        error = refused(accept, hub, secret, name)
        assert (error.code, error.data["reason"]) == (602, "accountInvalid")
    for name in ["alice", "ALICE"]:
        assert refused(accept, hub, secret, name).code == 409
    assert refused(accept, hub, secret, "").code == -32602
    assert refused(accept, hub, secret, 7).code == -32602
    assert accept(hub, secret, people("nomen"))["account"] == people("nomen")


@pytest.mark.parametrize("secret", ["A", "A" * 21, "A" * 23, "A" * 21 + "B", "+" * 22, "é" * 11, "A" * 60000])
def test_a_secret_of_another_length_or_alphabet_is_unknown(hub, secret):
    for method in ["invitation.show", "invitation.accept"]:
        more = {"account": "carol", "password": PASSWORD} if method == "invitation.accept" else {}
        assert reason(hub.stranger("127.0.4.1").ask, method, secret=secret, **more) == "unknown"


def test_guessing_secrets_makes_wait(hub, alice):
    secret = invite(alice)["secret"]
    answers = []
    while len(answers) < 60 and (not answers or answers[-1].code != 429):
        answers.append(refused(hub.stranger("127.0.5.1").ask, "invitation.show", secret="A" * 22))
    assert [answer.data.get("reason") for answer in answers[:20]] == ["unknown"] * 20
    assert answers[-1].code == 429
    # The right one, too, from there; not from elsewhere.
    assert refused(hub.stranger("127.0.5.1").ask, "invitation.show", secret=secret).code == 429
    assert hub.stranger("127.0.5.2").ask("invitation.show", secret=secret)["kind"] == "account"
    with pytest.raises(Refused) as refusal:
        hub.stranger("127.0.5.1").sign_in(None, invitation=secret)
    assert refusal.value.code == 429


def test_a_revoked_invitation_is_refused_everywhere(hub, alice, bob, people):
    made = invite(alice)
    assert refused(bob.ask, "invitations.revoke", id=made["invitation"]["id"]).code == 404
    assert alice.ask("invitations.revoke", id=made["invitation"]["id"]) == {}
    assert reason(accept, hub, made["secret"], people("carol")) == "revoked"
    for unknown in ["", "x", "a" * 65, "é"]:
        assert refused(alice.ask, "invitations.revoke", id=unknown).code in (404, -32602)


def test_a_guest_calls_one_handle_so_many_times(hub, alice):
    made = invite(alice, "guest", maximumCalls=2, name="Visitor")
    assert made["invitation"]["handle"] == generic("alice")
    offer = hub.stranger().ask("invitation.show", secret=made["secret"])
    assert (offer["kind"], offer["handle"], offer["callsLeft"]) == ("guest", generic("alice"), 2)
    first, second = guest(hub, made["secret"]), guest(hub, made["secret"])
    error = refused(first.start, generic("bob"))
    assert error.code == 403
    first.start(generic("alice"))
    assert hub.stranger().ask("invitation.show", secret=made["secret"])["callsLeft"] == 1
    second.start(generic("alice"))
    for phone in (first, second):
        assert reason(phone.start, generic("alice")) == "used"
    assert reason(guest, hub, made["secret"]) == "used"
    assert [one["calls"] for one in alice.ask("invitations.list")["invitations"] if one["id"] == made["invitation"]["id"]] == [2]
    hub.stop()
    hub.start()
    assert reason(guest, hub, made["secret"]) == "used"


def test_a_revocation_signs_guests_out(hub, alice):
    made = invite(alice, "guest")
    phone = guest(hub, made["secret"])
    alice.ask("invitations.revoke", id=made["invitation"]["id"])
    assert phone.hear("session.closing")["reason"] == "expired"
    assert reason(guest, hub, made["secret"]) == "revoked"


def test_a_guest_may_not_invite(hub, alice):
    phone = guest(hub, invite(alice, "guest")["secret"])
    for method, more in [("invitations.list", {}), ("invitations.create", {"kind": "guest"}), ("invitations.revoke", {"id": "x"})]:
        assert refused(phone.ask, method, **more).code == 403


def test_an_invitation_of_one_kind_does_not_do_for_the_other(hub, alice, people):
    assert refused(accept, hub, invite(alice, "guest")["secret"], people("carol")).code == 409
    assert refused(guest, hub, invite(alice)["secret"]).code == 401


@pytest.mark.parametrize("more, code", [
    ({"maximumCalls": 0}, 602), ({"maximumCalls": 1001}, 602), ({"maximumCalls": 2**31}, 602),
    ({"maximumCalls": 2**63 - 1}, 602), ({"maximumCalls": -1}, 602), ({"maximumCalls": "1"}, -32602),
    ({"maximumCalls": 1.5}, -32602), ({"expiresAt": "2020-01-01T00:00:00Z"}, 602),
    ({"expiresAt": "2099-01-01T00:00:00Z"}, 602), ({"expiresAt": "tomorrow"}, 602), ({"expiresAt": 1}, -32602),
    ({"name": ""}, 602), ({"name": "a" * 257}, 602), ({"name": "a\u202eb"}, 602), ({"account": "carol"}, 602),
    ({"handle": {"type": "generic", "value": "bob"}}, 403), ({"page": "javascript:alert(1)"}, 602),
    ({"page": "https://" + "a" * 300}, 602), ({"page": "https://a/#b"}, 602),
])
def test_bad_numbers_dates_and_names_are_refused(alice, more, code):
    assert refused(invite, alice, "guest", **more).code == code


@pytest.mark.parametrize("more", [{"maximumCalls": 1}, {"maximumCalls": 1000}, {"name": "a" * 256}])
def test_the_limits_themselves_are_taken(alice, more):
    assert invite(alice, "guest", **more)["invitation"].items() >= more.items()


@pytest.mark.parametrize("more, code", [
    ({"kind": "owner"}, 602), ({"kind": "other"}, 602), ({"kind": 1}, -32602), ({"isAdmin": True}, 403),
    ({"maximumCalls": 1}, 602), ({"handle": {"type": "generic", "value": "alice"}}, 602), ({"account": "echo"}, 602),
])
def test_what_no_account_can_be_invited_by_is_refused(alice, more, code):
    assert refused(alice.ask, "invitations.create", **{"kind": "account"} | more).code == code


def test_the_qr_code_is_as_large_as_its_modules(alice):
    import base64

    code = invite(alice, page=PAGE)["qr"]
    assert len(base64.b64decode(code["modules"])) == (code["size"] ** 2 + 7) // 8
    assert "qr" not in invite(alice)


def test_only_administrators_list_the_invitations_of_all(alice, bob):
    made = invite(alice)["invitation"]["id"]
    assert made not in [one["id"] for one in bob.ask("invitations.list")["invitations"]]
    assert refused(bob.ask, "invitations.list", all=True).code == 403
    pages = alice.ask("invitations.list", limit=1)
    assert len(pages["invitations"]) == 1 and "next" in pages
    assert refused(alice.ask, "invitations.list", after="x").code == 602


def test_nobody_accepts_on_a_connection_with_a_session(alice):
    assert refused(alice.ask, "invitation.show", secret="A" * 22).code == 409


def test_administrators_alone_invite_to_accounts_by_default():
    with Hub({"auth": SETTINGS["auth"]}, ACCOUNTS) as hub:
        hub.stop()
        hub.account("admin", "alice", "on")
        hub.start()
        # The page's session has the permission to call alone.
        assert invite(hub.phone("alice", password=Hub.PASSWORD))["secret"]
        bob = hub.phone("bob", password=Hub.PASSWORD)
        assert refused(invite, bob).code == 403
        assert "accounts" not in bob.ask("invitations.list")
        assert invite(bob, "guest")["secret"]


def test_who_registers_has_an_account_where_that_is_allowed():
    with Hub({"auth": SETTINGS["auth"]}) as hub:
        assert refused(hub.stranger().ask, "account.register", account="carol", password=PASSWORD).code == 403
    with Hub({"auth": SETTINGS["auth"] | {"selfRegistration": True}}) as hub:
        assert hub.stranger().ask("account.register", account="carol", password=PASSWORD) == {"account": "carol"}
        assert hub.phone("carol", password=PASSWORD).session["account"] == "carol"
        assert refused(hub.stranger().ask, "account.register", account="Carol", password=PASSWORD).code == 409


def test_an_open_hub_has_guests_and_no_accounts():
    with Hub() as hub:
        alice = hub.phone("alice")
        assert guest(hub, invite(alice, "guest")["secret"]).session["account"].startswith("guest-")
        assert refused(invite, alice).code == 403


def test_an_owner_is_the_first_administrator_and_the_only_one_by_that_link():
    with Hub({"auth": SETTINGS["auth"]}) as hub:
        assert information(hub)["setup"] is True
        old, new = hub.invite("owner"), hub.invite("owner")
        assert reason(accept, hub, old, "eve") == "revoked"
        offer = hub.stranger().ask("invitation.show", secret=new)
        assert sorted(offer) == ["expiresAt", "kind"] and offer["kind"] == "owner"
        strangers = [hub.stranger() for _ in range(4)]
        asked = [
            stranger.begin("invitation.accept", secret=new, account=f"racer {number}", password=PASSWORD)
            for number, stranger in enumerate(strangers)
        ]
        answers = [stranger.answer(request)[1] for stranger, request in zip(strangers, asked)]
        owners = [answer["result"]["account"] for answer in answers if "result" in answer]
        assert len(owners) == 1
        assert [answer["error"]["data"]["reason"] for answer in answers if "error" in answer] == ["used"] * 3
        assert "setup" not in information(hub)
        owner = hub.phone(owners[0], password=PASSWORD, permissions=["call", "admin"])
        assert owner.ask("invitations.list", all=True)["accounts"] is True
        assert invite(owner)["secret"]


def test_an_owners_link_is_over_when_the_hub_has_another_administrator():
    with Hub({"auth": SETTINGS["auth"]}) as hub:
        secret = hub.invite("owner")
        hub.account("add", "root", "--admin", "--password-stdin")
        assert reason(accept, hub, secret, "eve") == "used"


def test_who_registers_first_is_not_the_owner():
    with Hub({"auth": SETTINGS["auth"] | {"selfRegistration": True}}) as hub:
        assert information(hub)["selfRegistration"] is True
        secret = hub.invite("owner")
        hub.stranger().ask("account.register", account="carol", password=PASSWORD)
        with pytest.raises(Refused) as refusal:
            hub.phone("carol", password=PASSWORD, permissions=["admin"])
        assert refusal.value.code == 403
        assert accept(hub, secret, "ann") == {"account": "ann"}
        assert hub.phone("ann", password=PASSWORD, permissions=["admin"]).session["account"] == "ann"


@pytest.mark.parametrize("kind", ["account", "guest"])
def test_an_invitation_is_refused_when_it_is_too_late(hub, alice, people, kind):
    end = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=3)
    made = invite(alice, kind, expiresAt=end.isoformat().replace("+00:00", "Z"))
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        try:
            hub.stranger("127.0.6.1").ask("invitation.show", secret=made["secret"])
        except Refused as refusal:
            assert refusal.data["reason"] == "expired"
            break
    assert datetime.datetime.now(datetime.timezone.utc) >= end
    if kind == "account":
        assert reason(accept, hub, made["secret"], people("carol")) == "expired"
    else:
        assert reason(guest, hub, made["secret"]) == "expired"


def information(hub):
    with urllib.request.urlopen(f"http://127.0.0.1:{hub.port}/v1/info", timeout=20) as answer:
        return json.load(answer)
