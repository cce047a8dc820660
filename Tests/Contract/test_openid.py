"""Sign-in by an OpenID provider, as docs/protocol.md has it: the way there and back, and everybody who is not to get through."""

import hashlib
import hmac
import json
import pathlib
import sqlite3
import sys
import threading
import time
from datetime import datetime
from urllib.parse import parse_qsl, urlencode, urlsplit

import jwt
import pytest
from cryptography.hazmat.primitives.serialization import load_der_private_key

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "OpenIDProvider"))

from authenticator import Authenticator
from browser import Browser, digest
from hub import Hub
from phone import Refused
from provider import CLIENT, SECRET, Key, Provider, b64

PROVIDER = Provider()
OPENID = {
    "issuer": PROVIDER.issuer, "clientID": CLIENT, "clientSecretFile": "{folder}/secret", "label": "Acme",
    "departmentClaim": "org.unit", "adminClaim": "groups", "adminValue": "phone admins",
}
SETTINGS = {
    "auth": {"mode": "accounts", "passwordMegabytes": 8, "passwordPasses": 1, "openID": OPENID},
    "limits": {"signInsPerMinute": 100000},
}
ACCOUNTS = {"taken": []}


def started(settings=SETTINGS, accounts=None):
    """A hub that the provider knows."""
    hub = Hub(settings, accounts, {"secret": SECRET + "\n"})
    PROVIDER.redirects.add(f"http://127.0.0.1:{hub.port}/v1/openid/callback")
    return hub


@pytest.fixture(scope="module")
def hub():
    with started(accounts=ACCOUNTS) as hub:
        # The last administrator would stay one.
        hub.account("add", "root", "--admin", "--password-stdin")
        yield hub
        assert hub.is_running, f"the hub has ended: {hub.log[-2000:]}"
        assert SECRET not in hub.log


@pytest.fixture
def provider(hub):
    PROVIDER.reset()
    return PROVIDER


@pytest.fixture
def browser(hub):
    return Browser(hub)


def opened(hub, proof, **more):
    phone = hub.stranger()
    phone.sign_in(None, openID=proof, **more)
    return phone


def reason(hub, proof):
    with pytest.raises(Refused) as refusal:
        opened(hub, proof)
    error = refusal.value
    assert (error.code, error.name) == (401, "wrongToken")
    return error.data["reason"]


# The right way


def test_the_page_is_told_of_the_provider(hub):
    information = json.loads(Browser(hub).get(f"http://127.0.0.1:{hub.port}/v1/info").body)
    assert information["openID"] == {"label": "Acme", "start": "/v1/openid/start"}


@pytest.mark.parametrize("algorithm", ["RS256", "ES256", "EdDSA"])
def test_a_new_user_gets_an_account_and_a_session(hub, provider, browser, people, algorithm):
    provider.key = provider.keys[algorithm]
    name = provider.user(people("Ann"), name="Ann Archer", org={"unit": "Sales"})
    session = opened(hub, browser.sign_in(name)).session
    assert session["account"] == name
    assert session["handles"] == [{"type": "generic", "value": name}]
    assert session["expiresAt"] and session["openIDToken"]
    assert "admin" not in json.dumps(session)
    assert provider.faults == []
    exported = json.loads(hub.account("export", name))
    assert (exported["personName"], exported["department"]) == ("Ann Archer", "Sales")
    assert [(one["issuer"], one["subject"]) for one in exported["identities"]] == [(provider.issuer, f"sub of {name}")]


def test_the_cookie_is_for_this_host_and_no_script(hub, provider, browser):
    answer = browser.get(f"{browser.page}v1/openid/start?challenge={digest('x')}")
    line = answer.headers["Set-Cookie"]
    assert line.startswith("__Host-callhub-openid=")
    assert {"Path=/", "HttpOnly", "Secure", "SameSite=Lax", "Max-Age=600"} <= set(line.split("; "))
    assert answer.headers["Cache-Control"] == "no-store"
    asked = dict(parse_qsl(urlsplit(answer.location).query))
    assert asked["code_challenge_method"] == "S256" and asked["scope"] == "openid profile email"
    assert line.partition("=")[2].partition(";")[0] not in answer.location


def test_two_tabs_of_a_browser_sign_in_side_by_side(hub, provider, browser, people):
    name = provider.user(people("Tab"))
    first, second = browser.start(), browser.start()
    for url in (first, second):
        assert opened(hub, browser.proof(browser.back(browser.at_provider(url, name)))).session["account"] == name


def test_a_public_client_sends_no_secret(provider, people):
    openID = {name: value for name, value in OPENID.items() if name != "clientSecretFile"}
    with started(SETTINGS | {"auth": SETTINGS["auth"] | {"openID": openID}}) as hub:
        provider.is_public_client = True
        assert opened(hub, Browser(hub).sign_in(provider.user(people("Pub")))).session


def test_the_claims_of_the_user_info_are_taken_where_the_token_has_none(hub, provider, browser, people):
    name = provider.user(people("Info"))
    provider.claims = {"preferred_username": None}
    provider.info = {"preferred_username": name}
    assert opened(hub, browser.sign_in(name)).session["account"] == name
    provider.info = {"preferred_username": name, "sub": "another"}
    assert Browser(hub).refused(name) == "token"


def test_a_token_opens_the_next_session_until_the_account_may_not(hub, provider, browser, people):
    name = provider.user(people("Again"))
    first = opened(hub, browser.sign_in(name)).session
    second = opened(hub, {"token": first["openIDToken"]}).session
    assert (second["account"], second["expiresAt"]) == (name, first["expiresAt"])
    hub.stop()
    hub.start()
    third = opened(hub, {"token": first["openIDToken"]})
    hub.account("disable", name)
    assert third.hear("session.closing")["reason"] == "signedOut"
    assert reason(hub, {"token": first["openIDToken"]}) == "openIDInvalid"
    assert Browser(hub).refused(name) == "disabled"
    hub.account("enable", name)
    fourth = opened(hub, Browser(hub).sign_in(name))
    hub.account("unlink", name, "--issuer", provider.issuer, "--subject", f"sub of {name}")
    assert fourth.hear("session.closing")["reason"] == "signedOut"
    assert reason(hub, {"token": first["openIDToken"]}) == "openIDInvalid"
    assert Browser(hub).refused(name) == "nameTaken"


# Accounts


def test_a_renamed_user_keeps_the_account(hub, provider, browser, people):
    name = provider.user(people("Old"), subject=people("1"))
    opened(hub, browser.sign_in(name))
    provider.user(people("New"), subject=people("1"), name="New Name")
    assert opened(hub, Browser(hub).sign_in(people("New"))).session["account"] == name
    assert json.loads(hub.account("export", name))["personName"] == "New Name"


def test_another_user_of_the_same_name_takes_over_nothing(hub, provider, browser, people):
    name = provider.user(people("Same"), subject=people("1"))
    opened(hub, browser.sign_in(name))
    for shown in (name, name.upper()):
        provider.users[shown] = {"sub": people("2"), "preferred_username": shown}
        assert Browser(hub).refused(shown) == "nameTaken"
    provider.user("taken")
    assert Browser(hub).refused("taken") == "nameTaken"


def test_an_operator_links_a_user_to_an_account(hub, provider, browser):
    provider.user("Taken by link", subject="linked", preferred_username="taken")
    assert browser.refused("Taken by link") == "nameTaken"
    hub.account("link", "taken", "--issuer", provider.issuer, "--subject", "linked")
    assert opened(hub, Browser(hub).sign_in("Taken by link")).session["account"] == "taken"
    assert "linked" in hub.account("link", "taken")
    hub.account("unlink", "taken", "--issuer", provider.issuer, "--subject", "linked")


def test_where_accounts_must_exist_only_linked_users_sign_in(provider, people):
    openID = OPENID | {"createsAccounts": False}
    with started(SETTINGS | {"auth": SETTINGS["auth"] | {"openID": openID}}, {"eve": []}) as hub:
        provider.user("eve")
        assert Browser(hub).refused("eve") == "noAccount"
        hub.account("link", "eve", "--issuer", provider.issuer, "--subject", "sub of eve")
        assert opened(hub, Browser(hub).sign_in("eve")).session["account"] == "eve"


def test_a_removed_account_does_not_come_back_and_an_erased_one_begins_anew(hub, provider, browser, people):
    name = provider.user(people("Gone"))
    opened(hub, browser.sign_in(name))
    hub.account("remove", name, "--yes")
    assert Browser(hub).refused(name) == "disabled"
    hub.account("erase", name, "--yes")
    assert opened(hub, Browser(hub).sign_in(name)).session["account"] == name


def test_the_provider_decides_who_administers(hub, provider, people):
    name = people("Boss")
    provider.user(name, groups=["all", "phone admins"])
    wanted = {"permissions": ["call", "admin"]}
    phone = opened(hub, Browser(hub).sign_in(name), **wanted)
    assert phone.ask("admin.accounts")["accounts"]
    provider.user(name, groups=["all", "phone admins of another server"])
    proof = Browser(hub).sign_in(name)
    with pytest.raises(Refused) as refusal:
        opened(hub, proof, **wanted)
    assert refusal.value.code == 403
    with pytest.raises(Refused):
        phone.ask("admin.accounts")


def test_accounts_and_rights_of_the_providers_are_in_the_audit_log(hub, provider, people):
    name = people("Clerk")
    before = len(hub.audit(1000))
    for groups in [["all"], ["phone admins"], ["phone admins"], ["all"]]:
        provider.user(name, groups=groups)
        Browser(hub).sign_in(name)
    found = [(one["act"], one["target"], one.get("detail"), one["origin"], one["account"]) for one in hub.audit(1000)[before:]]
    assert found == [
        ("account.add", name, None, "provider", name), ("account.admin", name, "on", "provider", name),
        ("account.admin", name, "off", "provider", name),
    ]


def test_the_provider_does_not_take_the_last_administrator_away(provider, people):
    with started(accounts={}) as hub:
        name = people("Only")
        provider.user(name, groups=["phone admins"])
        phone = opened(hub, Browser(hub).sign_in(name), permissions=["admin"])
        provider.user(name, groups=[])
        Browser(hub).sign_in(name)
        assert phone.ask("admin.status")["sessionCount"] == 1
        hub.logs("the last administrator stays one")
        phone.ask("admin.addAccount", account="second", password="Rosenkohl und Spinat", isAdmin=True)
        Browser(hub).sign_in(name)
        phone.refused(403, "admin.status")


def test_without_a_claim_for_it_the_right_is_the_operators(provider, people):
    openID = {name: value for name, value in OPENID.items() if not name.startswith("admin")}
    with started(SETTINGS | {"auth": SETTINGS["auth"] | {"openID": openID}}, {"eve": []}) as hub:
        hub.account("admin", "eve", "on")
        hub.account("link", "eve", "--issuer", provider.issuer, "--subject", "sub of eve")
        provider.user("eve", groups=[])
        phone = opened(hub, Browser(hub).sign_in("eve"), permissions=["admin"])
        assert phone.ask("admin.status")


def test_a_new_key_signs_all_users_of_the_provider_out_and_nobody_else(hub, provider, browser, people):
    name = provider.user(people("Key"))
    phone = opened(hub, browser.sign_in(name))
    taken = hub.phone("taken", password=Hub.PASSWORD)
    token = phone.session["openIDToken"]
    hub.account("renew-openid", "--yes")
    assert phone.hear("session.closing")["reason"] == "signedOut"
    assert reason(hub, {"token": token}) == "openIDInvalid"
    assert taken.ask("session.ping")["now"]
    fresh = opened(hub, Browser(hub).sign_in(name)).session["openIDToken"]
    hub.stop()
    hub.start()
    assert opened(hub, {"token": fresh}).session["account"] == name
    assert reason(hub, {"token": token}) == "openIDInvalid"


def test_a_token_by_the_replaced_key_is_void_in_a_hub_that_runs(hub, provider, browser, people):
    # As somebody makes it who has read the old key from a backup, with the account's next version.
    name = provider.user(people("Forged"))
    opened(hub, browser.sign_in(name))
    with sqlite3.connect(hub.database) as file:
        stored = file.execute("SELECT value FROM secrets WHERE name = 'openid-key'").fetchone()[0]
        version = file.execute("SELECT password_version FROM accounts WHERE name = ?", (name,)).fetchone()[0]
    file.close()
    key = load_der_private_key(stored, None)

    def forged(version):
        now = int(time.time())
        claims = {"iss": "callhub-openid", "aud": "callhub-openid", "sub": name, "iat": now, "exp": now + 600, "jti": str(version)}
        return jwt.encode(claims, key, algorithm="EdDSA")

    assert opened(hub, {"token": forged(version)}).session["account"] == name
    phone = opened(hub, {"token": forged(version)})
    hub.account("renew-openid", "--yes")
    assert phone.hear("session.closing")["reason"] == "signedOut"
    assert reason(hub, {"token": forged(version + 1)}) == "openIDInvalid"


@pytest.mark.parametrize("claims, word", [
    ({"preferred_username": None}, "claimMissing"), ({"preferred_username": 7}, "claimMissing"),
    ({"preferred_username": ""}, "claimMissing"), ({"preferred_username": "a" * 129}, "claimInvalid"),
    ({"preferred_username": "a\u0000b"}, "claimInvalid"), ({"preferred_username": " a"}, "claimInvalid"),
    ({"preferred_username": "guest-1"}, "claimInvalid"), ({"preferred_username": "Echo"}, "claimInvalid"),
])
def test_a_claim_that_is_no_account_name_is_refused(hub, provider, browser, claims, word):
    provider.claims = claims
    assert browser.refused(provider.user("Bad Claim")) == word


@pytest.mark.parametrize("verified, is_right", [(True, True), ("true", True), (None, True), (False, False), ("no", False), (0, False)])
def test_an_address_that_is_not_verified_names_no_account(provider, people, verified, is_right):
    openID = OPENID | {"accountClaim": "email"}
    with started(SETTINGS | {"auth": SETTINGS["auth"] | {"openID": openID}}) as hub:
        user = provider.user(people("mail"), email="mail@example.com")
        provider.claims = {"email_verified": verified}
        if is_right:
            assert opened(hub, Browser(hub).sign_in(user)).session["account"] == "mail@example.com"
        else:
            assert Browser(hub).refused(user) == "emailUnverified"


# A fresh sign-in, by which a user without a password makes a passkey


def page(hub, proof, device="p" * 32):
    """A page, under a name that may have passkeys."""
    phone = hub.stranger(origin=f"http://localhost:{hub.port}")
    phone.sign_in(None, openID=proof, device=device)
    return phone


def fresh(browser, user):
    return browser.proof(browser.back(browser.at_provider(browser.start(prompt="login"), user)))


def test_a_fresh_sign_in_confirms_the_first_passkey(hub, provider, browser, people):
    name = provider.user(people("Key"))
    opened(hub, browser.sign_in(name))
    asked = dict(parse_qsl(urlsplit(browser.start(prompt="login")).query))
    assert (asked["prompt"], asked["max_age"]) == ("login", "0")
    phone = page(hub, fresh(browser, name))
    left = datetime.fromisoformat(phone.session["confirmedUntil"]).timestamp() - time.time()
    assert 540 < left <= 601
    origin, key = f"http://localhost:{hub.port}", Authenticator()
    # A page that has been reloaded goes on, and so does one whose user has cancelled.
    held = {"session": phone.session["session"], "token": phone.session["resumeToken"], "seq": 0}
    phone.lose()
    phone = hub.stranger(origin=origin)
    phone.sign_in(None, resume=held)
    assert phone.session["confirmedUntil"]
    phone.ask("passkeys.create")
    options = phone.ask("passkeys.create")
    assert options["user"]["name"] == name
    phone.ask("passkeys.add", **(key.create(options, origin) | {"name": "First"}))
    assert [one["name"] for one in phone.ask("passkeys.list")["passkeys"]] == ["First"]
    other = hub.stranger(origin=origin)
    other.sign_in(passkey=key.get(other.ask("passkey.challenge"), origin))
    assert other.session["account"] == name and "confirmedUntil" not in other.session


def test_only_a_fresh_sign_in_confirms(hub, provider, browser, people):
    name = provider.user(people("Open"))
    usual = page(hub, browser.sign_in(name))
    confirmed = page(hub, fresh(browser, name), "f" * 32)
    by_token = page(hub, {"token": confirmed.session["openIDToken"]}, "t" * 32)
    for phone in (usual, by_token):
        assert "confirmedUntil" not in phone.session
        phone.refused(-32602, "passkeys.create")
        phone.refused(-32602, "passkeys.create", password=None)
        phone.refused(-32602, "passkeys.create", password="")
        phone.refused(403, "passkeys.create", password="guessed")
    program = opened(hub, fresh(browser, name))
    program.refused(403, "passkeys.create")
    assert browser.get(f"{browser.page}v1/openid/start?challenge={digest('x')}&prompt=none").status == 400


@pytest.mark.parametrize("seconds", [None, -3600, -60, 3600, "now", -1e300, 0])
def test_a_provider_that_has_not_asked_the_user_again_confirms_nothing(hub, provider, browser, people, seconds):
    name = provider.user(people("Stale"))
    start = browser.start(prompt="login")
    is_time = isinstance(seconds, int) and seconds != 0
    provider.claims = {"auth_time": time.time() + seconds if is_time else seconds}
    assert browser.word(browser.back(browser.at_provider(start, name))) == "notFresh"
    provider.claims = {"auth_time": time.time() - 3600}
    assert opened(hub, browser.sign_in(name)).session["account"] == name


# The ID token


def unsigned(claims):
    return ".".join(b64(json.dumps(part).encode()) for part in ({"alg": "none"}, claims)) + "."


def by_secret(claims):
    text = ".".join(b64(json.dumps(part).encode()) for part in ({"alg": "HS256", "typ": "JWT"}, claims))
    return text + "." + b64(hmac.digest(SECRET.encode(), text.encode(), hashlib.sha256))


def by_public_key(claims):
    key = PROVIDER.keys["RS256"]
    text = ".".join(b64(json.dumps(part).encode()) for part in ({"alg": "HS256", "kid": key.id}, claims))
    return text + "." + b64(hmac.digest(json.dumps(key.jwk).encode(), text.encode(), hashlib.sha256))


def by_another_key(claims):
    key = Key("ES256")
    key.id = PROVIDER.keys["ES256"].id
    return key.token(claims)


def changed_afterwards(claims):
    head, _, signature = PROVIDER.key.token(claims).split(".")
    return f"{head}.{b64(json.dumps(claims | {'sub': 'other'}).encode())}.{signature}"


NOW = int(time.time())


@pytest.mark.parametrize("knobs, word", [
    ({"claims": {"iss": "https://evil.example"}}, "token"), ({"claims": {"iss": None}}, "token"),
    ({"claims": {"aud": "another"}}, "token"), ({"claims": {"aud": None}}, "token"),
    ({"claims": {"aud": [CLIENT, "another"]}}, "token"), ({"claims": {"aud": []}}, "token"),
    ({"claims": {"azp": "another"}}, "token"), ({"claims": {"azp": 7}}, "token"),
    ({"claims": {"exp": None}}, "token"), ({"claims": {"exp": "soon"}}, "token"), ({"claims": {"exp": 2**63}}, "token"),
    ({"claims": {"exp": NOW - 3600}}, "clock"), ({"claims": {"exp": 0}}, "clock"),
    ({"claims": {"iat": None}}, "token"), ({"claims": {"iat": NOW + 3600, "exp": NOW + 7200}}, "clock"),
    ({"claims": {"nbf": NOW + 3600}}, "clock"),
    ({"claims": {"nonce": None}}, "token"), ({"claims": {"nonce": "another"}}, "token"), ({"claims": {"nonce": 7}}, "token"),
    ({"claims": {"at_hash": "another"}}, "token"), ({"claims": {"at_hash": 7}}, "token"),
    ({"claims": {"sub": None}}, "token"), ({"claims": {"sub": ""}}, "token"), ({"claims": {"sub": "s" * 257}}, "token"),
    ({"header": {"alg": "none"}}, "token"), ({"header": {"alg": "RS512"}}, "token"), ({"header": {"alg": "ES256"}}, "token"),
    ({"header": {"kid": "unknown"}}, "token"), ({"header": {"typ": "at+jwt"}}, "token"), ({"header": {"crit": ["x"]}}, "token"),
    ({"sign": unsigned}, "token"), ({"sign": by_secret}, "token"), ({"sign": by_public_key}, "token"),
    ({"sign": by_another_key}, "token"), ({"sign": changed_afterwards}, "token"), ({"sign": lambda _: "a.b.c"}, "token"),
    ({"answer": {"id_token": None}}, "provider"), ({"answer": {"id_token": 7}}, "provider"),
    ({"raw": b"{}"}, "provider"), ({"raw": b"not JSON"}, "provider"), ({"raw": b"[" * 100000}, "provider"),
    ({"raw": b'{"id_token":"' + b"a" * 300000 + b'"}'}, "provider"),
])
def test_a_wrong_id_token_signs_nobody_in(hub, provider, browser, knobs, word):
    for name, value in knobs.items():
        setattr(provider, name, value)
    assert browser.refused(provider.user("Mallory")) == word
    assert "Mallory" not in hub.account("list")


@pytest.mark.parametrize("claims", [
    {"aud": [CLIENT]}, {"aud": [CLIENT, "another"], "azp": CLIENT}, {"at_hash": None}, {"exp": NOW + 20_000_000},
])
def test_a_right_id_token_of_another_form_is_taken(hub, provider, browser, people, claims):
    provider.claims = claims
    assert opened(hub, browser.sign_in(provider.user(people("Form")))).session


def test_a_new_key_of_the_provider_is_fetched_and_invented_ones_are_not_asked_for_again_and_again(provider, people):
    with started() as hub:
        name = provider.user(people("Key"))
        opened(hub, Browser(hub).sign_in(name))
        assert provider.requests.count("/keys") == 1
        provider.key = Key("ES256")
        provider.published = [provider.key.jwk]
        opened(hub, Browser(hub).sign_in(name))
        assert provider.requests.count("/keys") == 2
        provider.header = {"kid": "invented"}
        for _ in range(3):
            assert Browser(hub).refused(name) == "token"
        # They were asked for an unknown key just now, and are not for a while.
        assert provider.requests.count("/keys") == 2
        assert provider.requests.count("/.well-known/openid-configuration") == 1


# State, cookie, code


def test_an_answer_counts_once(hub, provider, browser, people):
    name = provider.user(people("Once"))
    url = browser.at_provider(browser.start(), name)
    proof = browser.proof(browser.back(url))
    assert browser.word(browser.back(url)) == "expired"
    opened(hub, proof)
    assert reason(hub, proof) == "openIDInvalid"


def test_a_stolen_answer_is_of_no_use_in_another_browser(hub, provider, browser, people):
    name = provider.user(people("Victim"))
    url = browser.at_provider(browser.start(), name)
    thief = Browser(hub)
    assert thief.word(thief.back(url)) == "otherBrowser"
    thief.start()
    assert thief.word(thief.back(url)) == "expired", "the first attempt has used it up"
    assert browser.word(browser.back(url)) == "expired"


def test_a_browser_is_not_signed_in_as_the_attacker(hub, provider, browser, people):
    attacker = Browser(hub)
    url = attacker.at_provider(attacker.start(), provider.user(people("Attacker")))
    browser.start()
    assert browser.word(browser.back(url)) == "otherBrowser"


def test_a_stolen_code_of_the_fragment_is_of_no_use_to_another_page(hub, provider, browser, people):
    proof = browser.sign_in(provider.user(people("Page")))
    thief = Browser(hub)
    assert reason(hub, proof | {"verifier": thief.verifier}) == "openIDInvalid"
    assert reason(hub, proof) == "openIDInvalid", "the first attempt has used it up"


def test_a_code_of_the_provider_counts_for_its_own_sign_in_alone(hub, provider, browser, people):
    first = browser.at_provider(browser.start(), provider.user(people("Code")))
    second = dict(parse_qsl(urlsplit(browser.at_provider(browser.start(), people("Code"))).query))
    asked = dict(parse_qsl(urlsplit(first).query)) | {"code": second["code"]}
    # Another verifier of PKCE, and another nonce.
    assert browser.word(browser.back(f"{browser.page}v1/openid/callback?{urlencode(asked)}")) == "provider"
    assert provider.faults == ["code_verifier is missing or wrong"]


def test_a_token_of_another_sign_in_is_refused_by_its_nonce(hub, provider, browser, people):
    name = provider.user(people("Nonce"))
    kept = []
    # Of the nonce alone, as providers may leave the hash of the access token out.
    provider.claims = {"at_hash": None}
    provider.sign = lambda claims: kept.append(provider.key.token(claims)) or kept[-1]
    browser.sign_in(name)
    provider.sign = lambda claims: kept[0]
    assert browser.refused(name) == "token"


@pytest.mark.parametrize("redirect, word", [
    ({"iss": "https://evil.example"}, "token"), ({"iss": None}, "token"), ({"state": None}, "expired"),
    ({"state": "invented"}, "expired"), ({"code": None}, "provider"), ({"code": ""}, "provider"),
    ({"error": "server_error", "code": None, "error_description": "Není to možné. " * 300}, "provider"),
    ({"error": "access_denied", "code": None, "error_description": "이용할 수 없습니다"}, "denied"),
    ({"error": "<script>", "code": None}, "provider"),
])
def test_a_wrong_answer_of_the_provider_is_refused(hub, provider, browser, redirect, word):
    provider.redirect = redirect
    assert browser.refused(provider.user("Mallory")) == word


def test_a_user_may_cancel(hub, provider, browser):
    assert browser.refused("", cancel=True) == "denied"


def test_a_query_with_a_parameter_twice_is_refused(hub, provider, browser):
    url = browser.at_provider(browser.start(), provider.user("Twice"))
    answer = browser.get(url + "&state=another")
    assert answer.status == 400


@pytest.mark.parametrize("challenge", ["", "x", "a" * 42, "a" * 44, "+" * 43, "é" * 43, "a" * 5000, None])
def test_a_start_without_a_challenge_is_refused(hub, browser, challenge):
    query = "" if challenge is None else "?" + urlencode({"challenge": challenge})
    answer = browser.get(f"{browser.page}v1/openid/start{query}")
    assert answer.status == 400 and "challenge" in answer.body
    assert "Set-Cookie" not in answer.headers


def test_a_start_under_a_foreign_name_is_refused(hub, browser):
    answer = browser.get(f"{browser.page}v1/openid/start?challenge={digest('x')}", Host="evil.example")
    assert answer.status == 400 and "Location" not in answer.headers


def test_nothing_leads_to_another_page_than_the_phone(hub, provider, browser):
    for query in ["next=https://evil.example", "state=x&redirect_uri=https://evil.example", "error=x&error_uri=//evil"]:
        answer = browser.get(f"{browser.page}v1/openid/callback?{query}")
        assert (answer.status, answer.location) == (303, "../../#openid-error=expired")


@pytest.mark.parametrize("proof, code", [
    ({}, -32602), ({"code": "x"}, -32602), ({"verifier": "x"}, -32602), ({"code": "", "verifier": "x"}, -32602),
    ({"code": 1, "verifier": "x"}, -32602), ({"token": 7}, -32602), ("x", -32602), (7, -32602), ([], -32602),
    ({"code": "x", "verifier": "y"}, 401), ({"code": "a" * 43, "verifier": "a" * 60000}, 401), ({"token": "a.b.c"}, 401),
    ({"token": "x" * 60000}, 401),
])
def test_a_proof_that_is_none_is_refused(hub, proof, code):
    with pytest.raises(Refused) as refusal:
        hub.stranger().sign_in(None, openID=proof)
    assert refusal.value.code == code


def test_guessing_codes_makes_wait(hub):
    answers = []
    while len(answers) < 60 and 429 not in answers:
        with pytest.raises(Refused) as refusal:
            hub.stranger("127.0.6.1").sign_in(None, openID={"code": "x" * 43, "verifier": "y" * 43})
        answers.append(refusal.value.code)
    assert (answers[0], answers[-1]) == (401, 429)


# A provider that is not itself


@pytest.mark.parametrize("metadata", [
    {"issuer": "https://evil.example"}, {"issuer": PROVIDER.issuer + "/"}, {"issuer": None}, {"token_endpoint": None},
    {"jwks_uri": 7}, {"token_endpoint": "http://evil.example/token"}, {"token_endpoint": "file:///etc/passwd"},
    {"authorization_endpoint": "javascript:alert(1)"}, {"authorization_endpoint": "https://a.example/\r\nSet-Cookie: a=b"}, {"jwks_uri": "https://"}, {"response_types_supported": ["id_token"]},
    {"x": "y" * 300000},
])
def test_the_metadata_of_another_issuer_is_refused(provider, metadata):
    provider.metadata = metadata
    with started() as hub:
        browser = Browser(hub)
        answer = browser.get(f"{browser.page}v1/openid/start?challenge={digest('x')}")
        assert (answer.status, answer.location) == (303, "../../#openid-error=provider")


def test_a_provider_that_is_not_there_delays_nobody_else(provider, people):
    openID = OPENID | {"issuer": "http://127.0.0.1:1"}
    with started(SETTINGS | {"auth": SETTINGS["auth"] | {"openID": openID}}, {"alice": []}) as hub:
        browser = Browser(hub)
        answer = browser.get(f"{browser.page}v1/openid/start?challenge={digest('x')}")
        assert answer.location == "../../#openid-error=unreachable"
        assert hub.phone("alice", password=Hub.PASSWORD).session


def test_a_slow_provider_is_given_up_while_the_hub_goes_on(provider, people):
    settings = SETTINGS | {"session": {"signInTimeoutSeconds": 60, "handshakeTimeoutSeconds": 5}}
    with started(settings, {"alice": []}) as hub:
        is_over = threading.Event()
        provider.before_token = lambda: is_over.wait(30)
        browser = Browser(hub)
        url = browser.at_provider(browser.start(), provider.user(people("Slow")))
        answers = []
        waiting = threading.Thread(target=lambda: answers.append(browser.back(url)))
        waiting.start()
        alice = hub.phone("alice", password=Hub.PASSWORD)
        assert alice.ask("session.ping")["now"]
        waiting.join()
        is_over.set()
        assert answers == ["openid-error=unreachable"]


def test_a_hub_without_a_provider_has_no_such_pages():
    with Hub(accounts={}) as hub:
        browser = Browser(hub)
        assert browser.get(f"{browser.page}v1/openid/start?challenge={digest('x')}").status == 404
        assert browser.get(f"{browser.page}v1/openid/callback?state=x").status == 404
        with pytest.raises(Refused) as refusal:
            hub.stranger().sign_in(None, openID={"token": "x"})
        assert (refusal.value.code, refusal.value.name) == (401, "credentialsMissing")


def test_the_log_has_no_secrets(hub, provider, browser, people):
    proof = browser.sign_in(provider.user(people("Log")))
    token = opened(hub, proof).session["openIDToken"]
    browser.refused("", cancel=True)
    hub.logs("signed in by the provider")
    for secret in (SECRET, proof["code"], proof["verifier"], token, *browser.cookies[f"127.0.0.1:{hub.port}"].values()):
        assert secret not in hub.log
