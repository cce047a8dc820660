"""Passkeys, as docs/protocol.md has them: made, used, renamed, removed, and what an attacker makes of them."""

import json
import urllib.request

import pytest

from authenticator import FLAG, Authenticator, decoded, encoded
from hub import Hub
from phone import Refused

SETTINGS = {
    "auth": {"mode": "accounts", "passwordMegabytes": 8, "passwordPasses": 1},
    "limits": {"signInsPerMinute": 100000},
}
ACCOUNTS = {"alice": [], "bob": []}


@pytest.fixture
def origin(hub):
    return f"http://localhost:{hub.port}"


def page(hub, origin, account="alice", **opening):
    """A page that has signed in by the password."""
    phone = hub.stranger(origin=origin)
    phone.sign_in(account, password=Hub.PASSWORD, **opening)
    return phone


def registered(hub, origin, account="alice", algorithm=-7, counts=True):
    phone = page(hub, origin, account)
    key = Authenticator(algorithm, counts)
    made = phone.ask("passkeys.add", **key.create(phone.ask("passkeys.create", password=Hub.PASSWORD), origin))
    assert made["passkey"]["id"] == encoded(key.id)
    return phone, key


def restart(hub):
    hub.stop()
    hub.start()


def challenge(hub, origin, address="127.0.0.1"):
    return hub.stranger(address, origin).ask("passkey.challenge")


def signed_in(hub, origin, passkey, address="127.0.0.1", **opening):
    phone = hub.stranger(address, origin)
    phone.sign_in(passkey=passkey, **opening)
    return phone


def refusal(hub, origin, passkey, address="127.0.0.1", **opening):
    with pytest.raises(Refused) as refused:
        signed_in(hub, origin, passkey, address, **opening)
    return refused.value.code, refused.value.name


WRONG = (401, "wrongPasskey")


@pytest.mark.parametrize("algorithm", [-7, -8])
def test_a_passkey_is_made_and_signs_in_and_is_listed(hub, origin, algorithm):
    phone, key = registered(hub, origin, algorithm=algorithm)
    with urllib.request.urlopen(f"http://127.0.0.1:{hub.port}/v1/info") as information:
        assert json.load(information)["passkeys"] is True
    for _ in range(2):
        other = signed_in(hub, origin, key.get(challenge(hub, origin), origin))
        assert other.session["account"] == "alice"
    mine = [one for one in phone.ask("passkeys.list")["passkeys"] if one["id"] == encoded(key.id)]
    assert mine[0]["rpId"] == "localhost"
    assert mine[0]["lastUsedAt"] >= mine[0]["createdAt"]
    assert phone.ask("passkeys.rename", id=encoded(key.id), name="Gelber Schlüssel") == {}
    assert "Gelber Schlüssel" in [one["name"] for one in other.ask("passkeys.list")["passkeys"]]
    phone.ask("passkeys.remove", id=encoded(key.id))


def test_a_challenge_is_32_bytes_and_never_the_same(hub, origin):
    challenges = [challenge(hub, origin) for _ in range(20)]
    assert {len(decoded(one["challenge"])) for one in challenges} == {32}
    assert len({one["challenge"] for one in challenges}) == 20
    assert {(one["rpId"], one["timeoutSeconds"]) for one in challenges} == {("localhost", 300)}


def test_the_same_assertion_signs_in_once(hub, origin):
    phone, key = registered(hub, origin, counts=False)
    passkey = key.get(challenge(hub, origin), origin)
    signed_in(hub, origin, passkey)
    assert refusal(hub, origin, passkey) == WRONG
    assert refusal(hub, origin, passkey, "127.0.6.1") == WRONG
    phone.ask("passkeys.remove", id=encoded(key.id))


def test_an_assertion_is_for_its_own_account_alone(hub, origin):
    alice, key = registered(hub, origin)
    bob, other = registered(hub, origin, "bob")
    address = "127.0.6.2"
    assert refusal(hub, origin, key.get(challenge(hub, origin), origin), address, account="bob") == WRONG
    foreign = key.get(challenge(hub, origin), origin)
    foreign["userHandle"] = encoded(other.user)
    assert refusal(hub, origin, foreign, address) == WRONG
    mixed = key.get(challenge(hub, origin), origin) | {"credential": encoded(other.id)}
    assert refusal(hub, origin, mixed, address) == WRONG
    missing = key.get(challenge(hub, origin), origin) | {"userHandle": ""}
    assert refusal(hub, origin, missing, address) == WRONG
    assert signed_in(hub, origin, key.get(challenge(hub, origin), origin), account="ALICE").session["account"] == "alice"
    alice.ask("passkeys.remove", id=encoded(key.id))
    bob.ask("passkeys.remove", id=encoded(other.id))


@pytest.mark.parametrize(
    "wrong",
    [
        {"flags": FLAG.UV}, {"flags": FLAG.UP}, {"flags": FLAG(0)}, {"site": "evil.example"}, {"site": "127.0.0.1"},
        {"kind": "webauthn.create"}, {"kind": "payment.get"}, {"cross_origin": True}, {"claims": "http://evil.example"},
        {"claims": "https://localhost"}, {"claims": "http://localhost"}, {"challenge": encoded(bytes(32))},
    ],
    ids=str,
)
def test_a_wrong_assertion_is_refused_and_uses_up_its_challenge(hub, origin, wrong):
    phone, key = registered(hub, origin, counts=False)
    wrong = dict(wrong)
    asked = challenge(hub, origin)
    claims, other = wrong.pop("claims", origin), wrong.pop("challenge", None)
    passkey = key.get(asked | ({"challenge": other} if other else {}), claims, **wrong)
    address = f"127.0.7.{abs(hash(str(wrong) + claims)) % 200 + 1}"
    assert refusal(hub, origin, passkey, address) == WRONG
    if not other:
        assert refusal(hub, origin, key.get(asked, origin), address) == WRONG, "the challenge was used"
    phone.ask("passkeys.remove", id=encoded(key.id))


def test_a_challenge_of_another_page_is_refused(hub, origin):
    phone, key = registered(hub, origin)
    there = f"http://my.localhost:{hub.port}"
    asked = challenge(hub, there)
    assert asked["rpId"] == "my.localhost"
    assert refusal(hub, origin, key.get(asked, origin, site="localhost"), "127.0.6.3") == WRONG
    asked = challenge(hub, origin)
    assert refusal(hub, there, key.get(asked, there, site="localhost"), "127.0.6.3") == WRONG
    phone.ask("passkeys.remove", id=encoded(key.id))


def test_a_copied_authenticator_is_found_by_its_counter(hub, origin):
    phone, key = registered(hub, origin)
    signed_in(hub, origin, key.get(challenge(hub, origin), origin))
    key.counter -= 1
    assert refusal(hub, origin, key.get(challenge(hub, origin), origin), "127.0.6.4") == WRONG
    entry = hub.audit(1)[0]
    assert (entry["act"], entry["target"], entry["detail"]) == ("passkey.use", "alice", encoded(key.id)[:12])
    assert (entry["result"], entry["origin"], entry["address"]) == ("refused", "server", "127.0.6.4")
    assert "counter" in entry["reason"]
    hub.logs("passkey refused account=alice")
    before = len(hub.audit())
    forged = key.get(challenge(hub, origin), origin)
    key.counter = 0
    stale = key.get(challenge(hub, origin), origin) | {"signature": forged["signature"]}
    assert refusal(hub, origin, stale, "127.0.6.4") == WRONG
    assert len(hub.audit()) == before, "nobody writes into the log without the key"
    key.counter = 10
    signed_in(hub, origin, key.get(challenge(hub, origin), origin))
    phone.ask("passkeys.remove", id=encoded(key.id))


def test_a_removed_passkey_signs_nobody_in_and_its_sessions_end(hub, origin):
    phone, key = registered(hub, origin)
    own = signed_in(hub, origin, key.get(challenge(hub, origin), origin))
    other = signed_in(hub, origin, key.get(challenge(hub, origin), origin))
    assert own.ask("passkeys.remove", id=encoded(key.id)) == {}
    assert other.hear("session.closing")["reason"] == "signedOut"
    assert own.ask("session.ping")["now"], "who removes it stays"
    assert phone.ask("session.ping")["now"]
    assert refusal(hub, origin, key.get(challenge(hub, origin), origin), "127.0.6.5") == WRONG
    assert phone.refused(404, "passkeys.remove", id=encoded(key.id))
    assert phone.refused(404, "passkeys.rename", id=encoded(key.id), name="x")


def test_an_operator_removes_the_passkey_of_a_lost_phone(hub, origin):
    phone, key = registered(hub, origin)
    lost = signed_in(hub, origin, key.get(challenge(hub, origin), origin))
    assert encoded(key.id) in hub.account("passkeys", "alice", "--json")
    hub.account("passkeys", "alice", "remove", encoded(key.id)[:12], "--yes")
    assert lost.hear("session.closing")["reason"] == "signedOut"
    assert phone.ask("session.ping")["now"]
    assert encoded(key.id) not in hub.account("passkeys", "alice", "--json")


def test_passkeys_of_others_cannot_be_seen_renamed_or_removed(hub, origin):
    phone, key = registered(hub, origin)
    bob = page(hub, origin, "bob")
    assert encoded(key.id) not in str(bob.ask("passkeys.list"))
    assert bob.refused(404, "passkeys.remove", id=encoded(key.id))
    assert bob.refused(404, "passkeys.rename", id=encoded(key.id), name="mine")
    # Nor registered again, for another account.
    options = bob.ask("passkeys.create", password=Hub.PASSWORD)
    assert bob.refused(409, "passkeys.add", **key.create(options, origin))
    phone.ask("passkeys.remove", id=encoded(key.id))


def test_making_a_passkey_needs_the_password_a_challenge_and_a_page(hub, origin):
    phone = page(hub, origin)
    key = Authenticator()
    assert phone.refused(401, "passkeys.create", password="wrong guess").name == "wrongPassword"
    options = phone.ask("passkeys.create", password=Hub.PASSWORD)
    assert (options["algorithms"], options["rpId"], len(decoded(options["user"]["id"]))) == ([-8, -7], "localhost", 64)
    made = key.create(options, origin)
    for wrong in [
        {"flags": FLAG.UP}, {"flags": FLAG.UV}, {"site": "evil.example"}, {"cross_origin": True},
    ]:
        assert phone.refused(602, "passkeys.add", **key.create(options, origin, **wrong))
        assert phone.refused(409, "passkeys.add", **made), "the challenge was used"
        options = phone.ask("passkeys.create", password=Hub.PASSWORD)
        made = key.create(options, origin)
    other = page(hub, origin)
    assert other.refused(409, "passkeys.add", **made), "another session's challenge"
    assert phone.refused(602, "passkeys.add", **(made | {"name": ""}))
    assert phone.refused(602, "passkeys.add", **(made | {"name": "x" * 257}))
    assert phone.refused(602, "passkeys.add", **(made | {"clientData": "a+b"}))
    assert phone.refused(-32602, "passkeys.add", **(made | {"clientData": 7}))
    program = hub.phone("alice", password=Hub.PASSWORD)
    assert program.refused(403, "passkeys.create", password=Hub.PASSWORD)
    assert hub.stranger().refused(403, "passkey.challenge")
    assert hub.stranger(origin=f"http://127.0.0.1:{hub.port}").refused(403, "passkey.challenge")
    assert phone.refused(409, "passkey.challenge")


def test_an_account_without_a_password_adds_a_passkey_by_another_one(hub, origin, people):
    name = people("erin")
    hub.account("add", name, "--password-stdin")
    restart(hub)
    origin = f"http://localhost:{hub.port}"
    _, key = registered(hub, origin, name)
    hub.account("passwd", name, "--no-password")
    restart(hub)
    origin = f"http://localhost:{hub.port}"
    phone = signed_in(hub, origin, key.get(challenge(hub, origin), origin))
    phone.refused(403, "passkeys.create", password=Hub.PASSWORD)
    phone.refused(403, "account.setPassword", current=Hub.PASSWORD, new="Rosenkohl und Spinat")
    asked = phone.ask("passkeys.confirm")
    assert (len(decoded(asked["challenge"])), asked["rpId"], asked["timeoutSeconds"]) == (32, "localhost", 300)
    options = phone.ask("passkeys.create", passkey=key.get(asked, origin))
    assert options["exclude"] == [encoded(key.id)]
    second = Authenticator(-8)
    phone.ask("passkeys.add", **second.create(options, origin))
    assert signed_in(hub, origin, second.get(challenge(hub, origin), origin)).session["account"] == name


def test_a_passkey_confirms_for_its_own_account_and_session_and_once(hub, origin):
    address = "127.0.6.9"
    alice, key = registered(hub, origin)
    bob, other = registered(hub, origin, "bob")
    thief = hub.stranger(address, origin)
    thief.sign_in("alice", password=Hub.PASSWORD, device="t" * 32)
    wrong = []
    for make in [
        lambda asked: other.get(asked, origin),
        lambda asked: key.get(asked, "http://evil.example"),
        lambda asked: key.get(asked, origin, site="evil.example"),
        lambda asked: key.get(asked, origin, flags=FLAG.UP),
        lambda asked: key.get(challenge(hub, origin), origin),
        lambda asked: key.get(alice.ask("passkeys.confirm"), origin),
        lambda asked: key.get(asked, origin, kind="webauthn.create"),
        lambda asked: key.get(asked, origin) | {"userHandle": encoded(other.user)},
        lambda asked: key.get(asked, origin) | {"signature": encoded(bytes(70))},
    ]:
        passkey = make(thief.ask("passkeys.confirm"))
        error = thief.refused(401, "passkeys.create", passkey=passkey)
        assert error.name == "wrongPasskey"
        wrong.append(passkey)
        thief.refused(409, "passkeys.create", passkey=passkey)
    assert thief.refused(409, "passkeys.create", passkey=key.get(challenge(hub, origin), origin))
    # A challenge of a sign-in confirms nothing, and one of a confirmation signs nobody in.
    assert refusal(hub, origin, key.get(alice.ask("passkeys.confirm"), origin), "127.0.6.10") == WRONG
    good = key.get(alice.ask("passkeys.confirm"), origin)
    assert alice.ask("passkeys.create", passkey=good)["user"]["name"] == "alice"
    alice.refused(409, "passkeys.create", passkey=good)
    alice.refused(-32602, "passkeys.create", passkey=good, password=Hub.PASSWORD)
    alice.refused(-32602, "passkeys.create", passkey={})
    alice.refused(-32602, "passkeys.create")
    program = hub.phone("alice", password=Hub.PASSWORD)
    program.refused(403, "passkeys.confirm")
    hub.stranger(origin=origin).refused(401, "passkeys.confirm")
    alice.ask("passkeys.remove", id=encoded(key.id))
    bob.ask("passkeys.remove", id=encoded(other.id))


def test_wrong_passkeys_in_a_session_make_wait_as_wrong_passwords(hub, origin):
    alice, key = registered(hub, origin)
    thief = hub.stranger("127.0.6.11", origin)
    thief.sign_in("alice", password=Hub.PASSWORD, device="w" * 32)
    stranger = Authenticator()
    codes = []
    while len(codes) < 60 and 429 not in codes:
        with pytest.raises(Refused) as refused:
            thief.ask("passkeys.create", passkey=stranger.get(thief.ask("passkeys.confirm"), origin))
        codes.append(refused.value.code)
    assert codes[:20] == [401] * 20 and codes[-1] == 429
    with pytest.raises(Refused) as refused:
        thief.ask("passkeys.create", password=Hub.PASSWORD)
    assert refused.value.code == 429
    alice.ask("passkeys.remove", id=encoded(key.id))


def test_an_account_has_a_limited_number_of_passkeys(hub, origin):
    phone = page(hub, origin, "bob")
    keys = []
    for _ in range(20):
        key = Authenticator()
        phone.ask("passkeys.add", **key.create(phone.ask("passkeys.create", password=Hub.PASSWORD), origin))
        keys.append(key)
    assert phone.refused(429, "passkeys.create", password=Hub.PASSWORD)
    hub.account("passkeys", "bob", "remove", "all", "--yes")
    assert phone.ask("passkeys.list")["passkeys"] == []


@pytest.mark.parametrize("passkey", [7, "x", [], {}, {"credential": "a"}, {"credential": "a+"}, {"credential": None}], ids=str)
def test_a_malformed_passkey_is_refused_with_a_sentence(hub, origin, passkey):
    with pytest.raises(Refused) as refused:
        hub.stranger(origin=origin).sign_in(None, passkey=passkey)
    assert refused.value.code == -32602


def test_an_unknown_or_empty_credential_is_refused_like_a_wrong_one(hub, origin):
    key = Authenticator()
    for identifier in [b"", key.id, bytes(1023), bytes(20000)]:
        key.id = identifier
        assert refusal(hub, origin, key.get(challenge(hub, origin), origin), "127.0.6.6") == WRONG
    empty = {name: "" for name in key.get(challenge(hub, origin), origin)}
    assert refusal(hub, origin, empty, "127.0.6.6") == WRONG


def test_guessing_makes_wait(hub, origin):
    key = Authenticator()
    answers = []
    while len(answers) < 60 and (not answers or answers[-1] == WRONG):
        answers.append(refusal(hub, origin, key.get(challenge(hub, origin), origin), "127.0.6.7"))
    assert len(answers) > 20
    assert answers[-1] == (429, "tooMany")
    assert hub.stranger("127.0.6.7", origin).refused(429, "passkey.challenge")


def test_a_disabled_or_removed_account_has_no_passkeys(hub, origin, people):
    name = people("dora")
    hub.account("add", name, "--password-stdin")
    restart(hub)
    origin = f"http://localhost:{hub.port}"
    _, key = registered(hub, origin, name)
    hub.account("disable", name)
    restart(hub)
    assert refusal(hub, origin, key.get(challenge(hub, origin), origin), "127.0.6.8") == WRONG
    hub.account("enable", name)
    restart(hub)
    assert signed_in(hub, origin, key.get(challenge(hub, origin), origin)).session["account"] == name
    hub.account("remove", name, "--yes")
    hub.account("add", name, "--password-stdin")
    restart(hub)
    assert refusal(hub, origin, key.get(challenge(hub, origin), origin), "127.0.6.8") == WRONG
