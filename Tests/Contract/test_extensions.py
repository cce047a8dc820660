"""What the reference has beyond the contract's section 9: push, administration, fresh tokens, and who must sign in first."""

import base64
import datetime
import os

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

import reference
from issuer import Issuer, encoded
from keptout import sign_in
from phone import generic

ISSUER = Issuer()
SETTINGS = {
    "auth": Issuer.SETTINGS,
    "push": {"contact": "mailto:admin@example.com", "services": ["push.example.com", "*.push.example.org"]},
}


def subscription(name="1", host="push.example.com"):
    point = ec.generate_private_key(ec.SECP256R1()).public_key().public_bytes(
        serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
    )
    return {"endpoint": f"https://{host}/{name}", "keys": {"p256dh": encoded(point), "auth": encoded(os.urandom(16))}}


@pytest.fixture
def alice(hub, people):
    return sign_in(hub, ISSUER, people("alice"))


def test_every_method_asks_for_a_session_first(hub):
    stranger = hub.stranger()
    first = {"session.open", "invitation.show", "invitation.accept", "account.register", "passkey.challenge"}
    for method in reference.METHODS:
        if method not in first:
            assert stranger.refused(401, method).name == "notSignedIn", method


def test_a_method_that_there_is_not_is_refused(alice):
    alice.refused(-32601, "settings.wipe")
    alice.refused(-32601, "")


def test_the_key_of_push_is_a_point_and_always_the_same(alice):
    key = alice.ask("push.key")["applicationServerKey"]
    point = base64.urlsafe_b64decode(key + "=" * (-len(key) % 4))
    ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
    assert len(point) == 65
    assert alice.ask("push.key")["applicationServerKey"] == key


def test_a_subscription_is_made_once_and_ended_once(alice):
    wanted = subscription(alice.session["session"])
    assert alice.ask("push.subscribe", **wanted, expirationTime=None) == {}
    assert alice.ask("push.subscribe", **wanted) == {"ignored": True}
    assert alice.ask("push.unsubscribe", endpoint=wanted["endpoint"]) == {}
    assert alice.ask("push.unsubscribe", endpoint=wanted["endpoint"]) == {"ignored": True}
    assert alice.ask("push.unsubscribe") == {"ignored": True}


def test_twenty_subscriptions_are_enough(alice):
    name = alice.session["session"]
    for index in range(20):
        assert alice.ask("push.subscribe", **subscription(f"{name}/{index}", "a.push.example.org")) == {}
    alice.refused(429, "push.subscribe", **subscription(f"{name}/more"))
    assert alice.ask("push.unsubscribe") == {}
    assert alice.ask("push.subscribe", **subscription(f"{name}/more")) == {}


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ({"endpoint": None}, -32602),
        ({"endpoint": 7}, -32602),
        ({"endpoint": "http://push.example.com/1"}, 602),
        ({"endpoint": "https://push.example.com/#1"}, 602),
        ({"endpoint": "https://user@push.example.com/1"}, 602),
        ({"endpoint": "https:///1"}, 602),
        ({"endpoint": "https://push.example.com/" + "x" * 1024}, 602),
        ({"endpoint": "https://127.0.0.1/1"}, 403),
        ({"endpoint": "https://push.example.com.mallory.example/1"}, 403),
        ({"endpoint": "https://push.example.com:8443/1"}, 403),
        ({"endpoint": "https://push.example.org/1"}, 403),
        ({"keys": None}, -32602),
        ({"keys": "x"}, -32602),
        ({"keys": {}}, -32602),
        ({"keys": {"p256dh": 7, "auth": 7}}, -32602),
        ({"keys": {"p256dh": encoded(b"\x04" + bytes(64)), "auth": encoded(bytes(16))}}, 602),
        ({"keys": {"p256dh": "!", "auth": encoded(bytes(16))}}, 602),
        ({"expirationTime": "tomorrow"}, -32602),
        ({"expirationTime": -1}, 602),
    ],
    ids=lambda value: str(value)[:70],
)
def test_a_wrong_subscription_is_refused(alice, wrong, code):
    alice.refused(code, "push.subscribe", **(subscription() | wrong))
    assert alice.ask("push.unsubscribe") == {"ignored": True}


def test_a_secret_of_another_length_is_refused(alice):
    right = subscription()
    for length in (0, 15, 17):
        alice.refused(602, "push.subscribe", **(right | {"keys": right["keys"] | {"auth": encoded(bytes(length))}}))


def test_a_fresh_token_prolongs_the_session(hub, people):
    name = people("alice")
    alice = sign_in(hub, ISSUER, name)
    until = alice.session["expiresAt"]
    claims = ISSUER.claims(name)
    fresh = alice.ask("session.refresh", token=ISSUER.token(name, exp=claims["exp"] + 1000))["expiresAt"]
    parse = datetime.datetime.fromisoformat
    assert (parse(fresh) - parse(until)).total_seconds() == pytest.approx(1000, abs=3)


def test_a_wrong_token_prolongs_nothing(hub, people):
    name = people("alice")
    alice = sign_in(hub, ISSUER, name)
    call = alice.start("echo")
    alice.call(call, state="connected")
    assert alice.refused(401, "session.refresh", token="token").name == "wrongToken"
    assert alice.refused(401, "session.refresh", token=ISSUER.token(name, exp=1000, iat=0)).name == "tokenExpired"
    alice.refused(403, "session.refresh", token=ISSUER.token(people("bob")))
    alice.refused(-32602, "session.refresh")
    alice.refused(-32602, "session.refresh", token=7)
    assert alice.ask("observer.calls")["calls"][0]["state"] == "connected"


def test_administration_is_for_administrators(hub, people, alice):
    for method in ("admin.calls", "admin.devices", "admin.accounts", "admin.reload", "admin.drain"):
        assert alice.refused(403, method).name == "notAllowed"
    alice.refused(403, "admin.endCall", conversation="1.0")
    alice.refused(403, "admin.signOut", session=alice.session["session"])
    root = hub.phone(None, token=ISSUER.token(people("root"), callhub=["admin"]), permissions=["admin"])
    sessions = {session["session"]: session for session in root.ask("admin.devices")["sessions"]}
    assert sessions[alice.session["session"]]["account"] == alice.session["account"]
    accounts = {account["account"]: account for account in root.ask("admin.accounts")["accounts"]}
    assert accounts[alice.session["account"]] == {
        "account": alice.session["account"], "handles": [generic(alice.session["account"])], "devices": 1
    }
    assert root.ask("admin.reload") == {}
    # An administrator who has not asked for it may not call.
    root.refused(101, "transaction.request", actions=[])


def test_an_administrator_sees_a_call_and_ends_it(hub, people, alice):
    root = hub.phone(None, token=ISSUER.token(people("root"), callhub=["admin"]), permissions=["admin"])
    bob = sign_in(hub, ISSUER, people("bob"))
    call = alice.start(people("bob"))
    bob.do("answer", bob.ringing()["uuid"])
    alice.call(call, state="connected")
    account = alice.session["account"]
    (seen,) = [one for one in root.ask("admin.calls")["conversations"] if one["caller"]["account"] == account]
    audio = seen["callee"].pop("audio")
    assert set(audio.values()) == {0}
    assert seen["callee"] == {"account": people("bob"), "handle": generic(people("bob")), "devices": ["desk"]}
    assert seen["state"] == "connected"
    assert root.ask("admin.endCall", conversation=seen["conversation"]) == {}
    for phone in (alice, bob):
        ended = phone.hear("call.changed", lambda told: told["call"]["hasEnded"])["call"]
        assert (ended["endedReason"], ended["cause"]) == ("failed", "administrator")
    root.refused(404, "admin.endCall", conversation=seen["conversation"])
    root.refused(-32602, "admin.endCall")
    assert root.ask("admin.signOut", session=alice.session["session"]) == {}
    assert alice.hear("session.closing")["reason"] == "signedOut"
    assert alice.hear_close() == 1008
    root.refused(404, "admin.signOut", session=alice.session["session"])
    root.refused(602, "admin.drain", graceSeconds=-1)
    root.refused(602, "admin.drain", graceSeconds=86_401)
    root.refused(-32602, "admin.drain", graceSeconds="soon")
