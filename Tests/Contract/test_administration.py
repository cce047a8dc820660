"""Administration, as docs/protocol.md has it: the accounts, the status and the audit log, for administrators alone."""

import hashlib
import uuid

import pytest

import reference
from hub import Hub
from issuer import Issuer
from phone import Refused, generic, number

ISSUER = Issuer()
SETTINGS = {
    "auth": Issuer.SETTINGS | {"mode": "accounts+token", "passwordMegabytes": 8, "passwordPasses": 1},
    "limits": {"signInsPerMinute": 100000, "causedMessagesPerSecond": 1000000},
    "backup": {"folder": "{folder}/backups"},
}
ACCOUNTS = {"alice": [], "bob": []}
PASSWORD = "Rosenkohl und Spinat"
# What each method needs, so that only the right is missing.
PARAMETERS = {
    "admin.endCall": {"conversation": "1.0"}, "admin.signOut": {"session": "1"},
    "admin.addAccount": {"account": "mallory", "password": PASSWORD},
    "admin.setDisabled": {"account": "bob", "isDisabled": True}, "admin.setAdmin": {"account": "bob", "isAdmin": True},
    "admin.addHandle": {"account": "bob", "handle": generic("robert")},
    "admin.removeHandle": {"account": "bob", "handle": generic("bob")}, "admin.removeAccount": {"account": "bob"},
    "admin.resetAccount": {"account": "bob"}, "admin.drain": {"graceSeconds": 86400},
}
METHODS = [name for name in reference.METHODS if name.startswith("admin.")]


@pytest.fixture(scope="module")
def hub():
    with Hub(SETTINGS, ACCOUNTS, ISSUER.files) as hub:
        hub.account("add", "root", "--admin", "--password-stdin")
        hub.account("add", "spare", "--admin", "--password-stdin")
        root = hub.stranger()
        # The running hub has seen the new accounts when they may sign in.
        for _ in range(100):
            try:
                root.sign_in("root", password=Hub.PASSWORD, permissions=["call", "admin"])
                break
            except Refused:
                root.wait(0.1)
        hub.root = root
        yield hub
        assert hub.is_running, f"the hub has ended: {hub.log[-2000:]}"


@pytest.fixture
def root(hub):
    return hub.root


@pytest.fixture
def made(hub, root, people):
    """The name of a new account with a password."""
    name = people("made")
    root.ask("admin.addAccount", account=name, password=PASSWORD)
    return name


def account(root, name):
    return next((one for one in root.ask("admin.accounts", search=name)["accounts"] if one["account"] == name), None)


def sign_in(hub, name, password=PASSWORD, **more):
    return hub.phone(name, password=password, **more)


def newest(root):
    return root.ask("admin.audit", limit=1)["entries"][0]


# The right


@pytest.mark.parametrize("method", METHODS)
def test_nobody_without_the_right_gets_an_answer(hub, root, method):
    parameters = PARAMETERS.get(method, {})
    hub.stranger().refused(401, method, **parameters)
    plain = sign_in(hub, "alice", Hub.PASSWORD)
    giving_it_up = sign_in(hub, "root", Hub.PASSWORD, device=str(uuid.uuid4()))
    token = hub.phone(None, token=ISSUER.token("tina", callhub=["call"]))
    optional = hub.phone(None, token=ISSUER.token("tom"), optionalPermissions=["admin"])
    secret = root.ask("invitations.create", kind="guest", handle=generic("alice"))["secret"]
    guest = hub.stranger()
    guest.sign_in(None, invitation=secret, optionalPermissions=["admin"])
    assert guest.session["permissions"] == ["call"]
    before = newest(root)["number"]
    for phone in [plain, giving_it_up, token, optional, guest]:
        phone.refused(403, method, **parameters)
        # Whatever else is wrong with it.
        phone.refused(403, method, **parameters, more=1)
    assert newest(root)["number"] == before
    assert account(root, "bob")["managed"]["isDisabled"] is False


@pytest.mark.parametrize("method", METHODS)
def test_a_session_loses_the_right_with_its_account(hub, root, people, method):
    name = people("deputy")
    root.ask("admin.addAccount", account=name, password=PASSWORD, isAdmin=True)
    deputy = sign_in(hub, name, permissions=["call", "admin"])
    deputy.ask("admin.status")
    root.ask("admin.setAdmin", account=name, isAdmin=False)
    deputy.refused(403, method, **PARAMETERS.get(method, {}))
    # The session itself goes on.
    deputy.ask("session.ping")
    root.ask("admin.removeAccount", account=name)


def test_the_phone_asks_for_the_right_and_goes_without_it(hub):
    asked = {"password": Hub.PASSWORD, "permissions": ["call", "observe"], "optionalPermissions": ["admin", "record"]}
    assert hub.phone("alice", "a", **asked).session["permissions"] == ["call", "observe", "record"]
    phone = hub.phone("root", "r", **asked)
    assert phone.session["permissions"] == ["call", "observe", "record", "admin"]
    phone.lose()
    resumed = hub.stranger()
    held = {"session": phone.session["session"], "token": phone.session["resumeToken"], "seq": len(phone.stream)}
    assert resumed.ask("session.open", resume=held)["permissions"] == ["call", "observe", "record", "admin"]
    resumed.ask("admin.status")
    resumed.ask("session.close")
    assert "permissions" not in hub.phone("bob", "b", password=Hub.PASSWORD).session
    hub.stranger().refused(-32602, "session.open", account="bob", optionalPermissions=["fly"])


# Accounts


def test_an_account_is_made_and_signs_in_at_once(hub, root, people):
    name = people("carol")
    handles = [generic(name), number("+49 30 555 " + name.split()[-1])]
    root.ask("admin.addAccount", account=name, password=PASSWORD, name="Carol C.", department="Sales", handles=handles)
    carol = sign_in(hub, name)
    assert carol.session["handles"] == handles
    entry = account(root, name)
    assert entry["devices"] == 1
    managed = entry["managed"]
    assert (managed["name"], managed["department"], managed["isAdmin"]) == ("Carol C.", "Sales", False)
    assert account(root, "+4930555" + name.split()[-1]) is None  # another name, though the search finds it:
    found = root.ask("admin.accounts", search="(030) 555 " + name.split()[-1])["accounts"]
    assert found == []
    found = root.ask("admin.accounts", search="30 555 " + name.split()[-1])["accounts"]
    assert name in [one["account"] for one in found]
    owners = root.ask("admin.handles", search=name.upper())["owners"]
    assert {"handle": handles[1], "account": name} in owners
    root.refused(409, "admin.addAccount", account=name.upper(), password=PASSWORD)
    entry = newest(root)
    assert (entry["act"], entry["result"], entry["account"]) == ("account.add", "refused", "root")


def test_bad_names_passwords_and_handles_are_refused(root, people):
    name = people("dave")
    for wrong in [{"password": "short"}, {"account": " x"}, {"account": "guest-1"}, {"account": "Echo"},
                  {"handles": [generic("echo")]}, {"handles": [number("0301234567")]}, {"handles": [number("abc")]},
                  {"handles": [{"type": "emailAddress", "value": "no address"}]}, {"handles": [generic("x" * 1025)]},
                  {"handles": [generic(str(n)) for n in range(101)]}, {"name": "x" * 257}]:
        root.refused(602, "admin.addAccount", **({"account": name, "password": PASSWORD} | wrong))
    for wrong in [{"account": ""}, {"account": 7}, {"password": None}, {"isAdmin": 1}, {"handles": "x"}]:
        root.refused(-32602, "admin.addAccount", **({"account": name, "password": PASSWORD} | wrong))
    root.refused(409, "admin.addAccount", account=name, password=PASSWORD, handles=[generic("alice")])
    assert account(root, name) is None


def test_a_disabled_account_is_signed_out_and_may_not_sign_in(hub, root, made):
    phone = sign_in(hub, made)
    call = phone.start("echo")
    phone.call(call, state="connected")
    root.ask("admin.setDisabled", account=made, isDisabled=True)
    assert phone.hear("session.closing")["reason"] == "signedOut"
    assert hub.stranger().refused(401, "session.open", account=made, password=PASSWORD).name == "wrongPassword"
    assert account(root, made)["managed"]["isDisabled"] is True
    root.ask("admin.setDisabled", account=made, isDisabled=False)
    sign_in(hub, made)
    assert [one["act"] for one in root.ask("admin.audit", limit=2)["entries"]] == ["account.enable", "account.disable"]


def test_numbers_are_added_and_removed(hub, root, made):
    mail = {"type": "emailAddress", "value": made.replace(" ", ".") + "@example.org"}
    root.ask("admin.addHandle", account=made, handle=mail)
    assert mail in account(root, made)["handles"]
    root.refused(409, "admin.addHandle", account="bob", handle=mail)
    root.ask("admin.removeHandle", account=made, handle=generic(made))
    root.refused(602, "admin.removeHandle", account=made, handle=mail)
    root.refused(602, "admin.addHandle", account=made, handle=number("0301"))
    root.refused(404, "admin.addHandle", account="nobody", handle=generic("nobody"))
    assert root.ask("admin.handles", search=mail["value"])["owners"] == [{"handle": mail, "account": made}]


def test_a_removed_account_is_gone_and_an_erased_one_with_its_data(hub, root, people):
    for erases in [False, True]:
        name = people(f"erin {erases}")
        root.ask("admin.addAccount", account=name, password=PASSWORD)
        phone = sign_in(hub, name)
        phone.ask("settings.set", displayName="Erin E.")
        root.ask("admin.removeAccount", account=name, **({"erases": True} if erases else {}))
        assert phone.hear("session.closing")["reason"] == "signedOut"
        hub.stranger().refused(401, "session.open", account=name, password=PASSWORD)
        assert newest(root)["act"] == ("account.erase" if erases else "account.remove")
        root.ask("admin.addAccount", account=name, password=PASSWORD)
        assert sign_in(hub, name).ask("settings.get")["displayName"] == ("" if erases else "Erin E.")


def test_unknown_accounts_are_404(root):
    for method in ["admin.setDisabled", "admin.setAdmin", "admin.removeAccount", "admin.resetAccount"]:
        root.refused(404, method, **(PARAMETERS[method] | {"account": "nobody"}))


def test_the_last_administrator_stays():
    with Hub(SETTINGS | {"backup": {}}, {"bob": []}, ISSUER.files) as hub:
        hub.account("add", "root", "--admin", "--password-stdin")
        root = hub.stranger()
        for _ in range(100):
            try:
                root.sign_in("root", password=Hub.PASSWORD, permissions=["admin"])
                break
            except Refused:
                root.wait(0.1)
        for method, more in [("setAdmin", {"isAdmin": False}), ("setDisabled", {"isDisabled": True}), ("removeAccount", {})]:
            refusal = root.refused(409, f"admin.{method}", account="ROOT", **more)
            assert refusal.data["reason"] == "lastAdministrator"
        root.ask("admin.setAdmin", account="bob", isAdmin=True)
        root.ask("admin.setAdmin", account="root", isAdmin=False)
        root.refused(403, "admin.status")
        assert sign_in(hub, "bob", Hub.PASSWORD, permissions=["admin"]).ask("admin.status")["sessionCount"] == 2
        sign_in(hub, "bob", Hub.PASSWORD, device="b", permissions=["admin"]).refused(404, "admin.backup")


# New passwords


def test_a_link_lets_the_user_choose_a_new_password_once(hub, root, made):
    phone = sign_in(hub, made)
    first = root.ask("admin.resetAccount", account=made.upper(), page="https://hub.example.com/")
    assert first["url"] == "https://hub.example.com/#i=" + first["secret"]
    second = root.ask("admin.resetAccount", account=made)
    for secret, reason in [(first["secret"], "revoked"), ("A" * 22, "unknown")]:
        stranger = hub.stranger("127.0.9.1")
        refusal = stranger.refused(401, "invitation.show", secret=secret)
        assert refusal.data["reason"] == reason
    secret = second["secret"]
    offer = hub.stranger().ask("invitation.show", secret=secret)
    assert (offer["kind"], offer["account"]) == ("reset", made)
    new = "Blumenkohl und Mangold"
    hub.stranger().refused(602, "invitation.accept", secret=secret, account="bob", password=new)
    hub.stranger().refused(602, "invitation.accept", secret=secret, account=made, password="short")
    # Until it is used, the old one is valid.
    sign_in(hub, made, device="another").leave()
    assert hub.stranger().ask("invitation.accept", secret=secret, account=made, password=new) == {"account": made}
    assert phone.hear("session.closing")["reason"] == "signedOut"
    sign_in(hub, made, new)
    hub.stranger().refused(401, "session.open", account=made, password=PASSWORD)
    refusal = hub.stranger().refused(401, "invitation.accept", secret=secret, account=made, password=new)
    assert refusal.data["reason"] == "used"
    listed = {one["id"]: one for one in root.ask("invitations.list", all=True)["invitations"]}
    assert "usedAt" in listed[second["invitation"]["id"]] and listed[second["invitation"]["id"]]["kind"] == "reset"
    entry = newest(root)
    assert (entry["act"], entry["origin"], entry["account"]) == ("account.newPassword", "invitation", made)
    assert new.encode() not in hub.database.read_bytes() and secret.encode() not in hub.database.read_bytes()
    for until in ["2000-01-01T00:00:00Z", "2200-01-01T00:00:00Z"]:
        root.refused(602, "admin.resetAccount", account=made, expiresAt=until)


# Status


def test_the_status_says_what_goes_on(hub, root):
    status = root.ask("admin.status")
    assert status["hub"]["name"] == "CallHub" and status["authMode"] == "accounts+token"
    assert status["startedAt"] < status["now"]
    assert {"messages", "signIns", "connections.full"} <= {one["limit"] for one in status["refusals"]}
    assert "certificate" not in status
    root.ask("admin.backup")
    assert newest(root)["act"] == "server.backup"
    for _ in range(200):
        backup = root.ask("admin.status")["backup"]
        if not backup["isRunning"]:
            break
        root.wait(0.05)
    assert backup["newestAt"] and backup["failures"] == 0
    assert list((hub.folder / "backups").glob("*.db"))
    before = {one["limit"]: one["total"] for one in root.ask("admin.status")["refusals"]}
    # On a busy machine a password takes longer to check, and the burst is refilled meanwhile.
    for _ in range(200):
        with pytest.raises(Refused) as refused:
            hub.stranger("127.0.8.1").ask("session.open", account="bob", password="wrong password")
        if refused.value.code == 429:
            break
    after = {one["limit"]: one for one in root.ask("admin.status")["refusals"]}
    assert after["signIns"]["total"] > before["signIns"]
    assert after["signIns"]["lastHour"] == after["signIns"]["total"]


def test_the_history_has_samples_and_goes_on(root):
    history = root.ask("admin.history")
    assert history["intervalSeconds"] == 10 and len(history["samples"]) >= 1
    last = history["samples"][-1]["at"]
    newer = root.ask("admin.history", since=last)["samples"]
    assert all(sample["at"] > last for sample in newer) and len(newer) < len(history["samples"]) + 2
    root.refused(602, "admin.history", since="yesterday")


def test_calls_have_the_quality_of_their_audio(hub, root):
    alice = sign_in(hub, "alice", Hub.PASSWORD, device="q")
    call = alice.start("echo")
    alice.call(call, state="connected")
    found = next(one for one in root.ask("admin.calls")["conversations"] if one["caller"]["account"] == "alice")
    assert set(found["caller"]["audio"]) == {"received", "lost", "dropped", "droppedSlow", "jitterMicroseconds"}
    root.ask("admin.endCall", conversation=found["conversation"])
    assert alice.call(call, hasEnded=True)["cause"] == "administrator"
    entry = newest(root)
    assert (entry["act"], entry["detail"], entry["result"]) == ("call.end", "alice, echo", "begun")
    root.refused(404, "admin.endCall", conversation=found["conversation"])


@pytest.mark.parametrize("limit", [0, -1, 501, 2**31, 2**32, 2**63 - 1, 2**64 - 1, 1.5])
@pytest.mark.parametrize("method", ["admin.handles", "admin.audit", "admin.accounts"])
def test_pages_of_an_impossible_length_are_refused(root, method, limit):
    root.refused(-32602 if limit == 1.5 else 602, method, limit=limit)


def test_pages_follow_one_another(root):
    for method, member in [("admin.handles", "owners"), ("admin.audit", "entries"), ("admin.accounts", "accounts")]:
        whole = root.ask(method)
        pages, after = [], None
        while True:
            page = root.ask(method, limit=2, **({"after": after} if after else {}))
            assert len(page[member]) <= 2
            pages += page[member]
            after = page.get("next")
            if not after or len(pages) >= 6:
                break
        assert pages[:6] == whole[member][:6][: len(pages)]
        root.refused(602, method, after="nonsense")
    root.refused(602, "admin.accounts", search="x" * 257)


# The audit log


def netstring(value):
    return b"-" if value is None else str(len(value.encode())).encode() + b":" + value.encode() + b","


def test_the_chain_can_be_computed_from_the_reference_alone(root, made):
    entries, after = [], None
    while True:
        page = root.ask("admin.audit", **({"after": after} if after else {}))
        entries += page["entries"]
        after = page.get("next")
        if not after:
            break
    entries.reverse()
    assert [one["number"] for one in entries] == list(range(1, len(entries) + 1))
    previous = "0" * 64
    for one in entries:
        assert one["previous"] == previous
        fields = [previous, str(one["number"])] + [
            one.get(name) for name in
            ("at", "origin", "account", "device", "address", "user", "act", "target", "detail", "result", "reason")
        ]
        previous = hashlib.sha256(b"".join(map(netstring, fields))).hexdigest()
        assert one["hash"] == previous
    verified = root.ask("admin.verifyAudit")
    assert verified["entryCount"] >= len(entries) and "fault" not in verified
    assert root.ask("admin.status")["audit"] == verified["head"]
    assert made in [one.get("target") for one in entries]
    text = str(entries)
    assert PASSWORD not in text and Hub.PASSWORD not in text


# The methods that change nothing; each other one has its act.
READING = {
    "admin.calls", "admin.devices", "admin.accounts", "admin.status", "admin.history", "admin.handles", "admin.audit",
    "admin.verifyAudit",
}
ACTS = {
    "admin.endCall": "call.end", "admin.signOut": "session.signOut", "admin.reload": "server.reload",
    "admin.drain": "server.drain", "admin.addAccount": "account.add", "admin.setDisabled": "account.disable",
    "admin.setAdmin": "account.admin", "admin.addHandle": "account.addHandle",
    "admin.removeHandle": "account.removeHandle", "admin.removeAccount": "account.remove",
    "admin.resetAccount": "account.reset", "admin.backup": "server.backup",
}


def test_each_method_that_changes_something_has_its_entry_and_no_other_has_one():
    assert set(METHODS) == READING | set(ACTS)
    with Hub(SETTINGS, {"alice": [], "bob": []}, ISSUER.files) as hub:
        hub.account("add", "root", "--admin", "--password-stdin")
        hub.stop()
        hub.start()
        root = hub.phone("root", password=Hub.PASSWORD, permissions=["call", "admin"])
        alice = sign_in(hub, "alice", Hub.PASSWORD, device="alice's")
        alice.call(alice.start("echo"), state="connected")
        call = root.ask("admin.calls")["conversations"][0]["conversation"]
        parameters = PARAMETERS | {
            "admin.endCall": {"conversation": call}, "admin.signOut": {"session": alice.session["session"]},
            "admin.removeAccount": {"account": "alice"}, "admin.drain": {"graceSeconds": 60},
        }
        before = len(hub.audit(1000))
        for method in sorted(READING):
            root.ask(method)
        assert len(hub.audit(1000)) == before
        # The last one ends the hub.
        for number, method in enumerate(sorted(ACTS, key="admin.drain".__eq__), before + 1):
            root.ask(method, **parameters.get(method, {}))
            entries = hub.audit(1000)
            assert (len(entries), entries[-1]["act"], entries[-1]["account"]) == (number, ACTS[method], "root")


def test_a_start_of_the_hub_logs_the_head_of_the_chain():
    with Hub(SETTINGS | {"backup": {}}, {"bob": []}, ISSUER.files) as hub:
        hub.account("disable", "bob")
        hub.stop()
        hub.start()
        hub.stop()
        lines = [line for line in hub.log.splitlines() if " audit log entry=" in line]
        assert len(lines) == 2 and lines[0] != lines[1] and "sha256=" in lines[1]
        hub.start()


def test_nothing_is_done_whose_entry_cannot_be_stored(hub, root, made):
    import sqlite3

    def sql(text):
        file = sqlite3.connect(hub.database)
        file.execute(text)
        file.commit()
        file.close()

    alice = sign_in(hub, "alice", Hub.PASSWORD, device="s")
    call = alice.start("echo")
    alice.call(call, state="connected")
    found = next(one for one in root.ask("admin.calls")["conversations"] if one["caller"]["account"] == "alice")
    alice.forget()
    sql("CREATE TRIGGER no BEFORE INSERT ON audit BEGIN SELECT raise(ABORT, 'disk'); END")
    try:
        for method, parameters in [
            ("admin.endCall", {"conversation": found["conversation"]}), ("admin.reload", {}),
            ("admin.setDisabled", {"account": made, "isDisabled": True}), ("admin.drain", {"graceSeconds": 0}),
            ("admin.resetAccount", {"account": made}), ("admin.removeAccount", {"account": made}),
        ]:
            assert root.refused(503, method, **parameters).name == "storeFailed"
    finally:
        sql("DROP TRIGGER no")
    assert alice.told("call.changed") == []
    assert account(root, made)["managed"]["isDisabled"] is False
    root.ask("admin.endCall", conversation=found["conversation"])


# The page


def test_info_tells_no_more_than_before_and_no_act_is_by_get(hub):
    import json
    import urllib.error
    import urllib.request

    base = f"http://127.0.0.1:{hub.port}"
    info = json.load(urllib.request.urlopen(base + "/v1/info"))
    before = {"name", "version", "authMode", "setup", "certificate", "selfRegistration", "secureURL", "brand"}
    assert set(info) - {"passkeys", "openID"} <= before
    for path in ["/v1/admin", "/v1/admin.drain", "/admin.drain", "/v1/admin.status", "/v1/audit"]:
        with pytest.raises(urllib.error.HTTPError) as refusal:
            urllib.request.urlopen(base + path)
        assert refusal.value.code == 404


def test_a_page_of_another_origin_opens_no_connection(hub):
    import asyncio

    import websockets

    async def open(origin):
        try:
            async with websockets.connect(hub.url, subprotocols=["callhub.v1"], origin=origin):
                return 101
        except websockets.InvalidStatus as refusal:
            return refusal.response.status_code

    own = f"http://127.0.0.1:{hub.port}"
    assert asyncio.run(open(own)) == 101
    for origin in ["https://evil.example", "null", own + ".evil.example", "http://127.0.0.2"]:
        assert asyncio.run(open(origin)) == 403
