"""Attacks from outside that no other file of these tests has: races, and what strangers learn by asking."""

import sqlite3
import subprocess

import pytest

from hub import PROGRAM, Hub
from phone import Refused

SETTINGS = {
    "auth": {"mode": "accounts", "passwordMegabytes": 8, "passwordPasses": 1},
    "limits": {"signInsPerMinute": 100000},
}
ACCOUNTS = {"alice": [], "disabled": []}
PASSWORD = "Rosenkohl und Spinat"


def test_of_fifty_machines_that_race_for_the_owners_link_one_wins():
    with Hub(SETTINGS) as hub:
        secret = hub.invite("owner")
        racers = [hub.stranger(f"127.0.9.{number + 1}") for number in range(50)]
        asked = [
            racer.begin("invitation.accept", secret=secret, account=f"racer {number}", password=PASSWORD)
            for number, racer in enumerate(racers)
        ]
        answers = [racer.answer(request)[1] for racer, request in zip(racers, asked)]
        owners = [answer["result"]["account"] for answer in answers if "result" in answer]
        assert len(owners) == 1
        # Used, or too many passwords at once.
        assert {answer["error"]["code"] for answer in answers if "error" in answer} <= {401, 503}
        listed = hub.account("list", "--all")
        assert len(listed.splitlines()) == 2 and owners[0] in listed
        accepted = [one for one in hub.audit() if one["act"] == "invitation.accept"]
        assert [one["target"] for one in accepted if one["result"] == "done"] == owners
        # The owner who was late sees that, and begins anew on the machine itself.
        hub.account("remove", owners[0], "--yes")
        again = hub.invite("owner")
        assert hub.stranger().ask("invitation.accept", secret=again, account="ann", password=PASSWORD) == {"account": "ann"}


def test_nobody_learns_of_an_account_without_its_password(hub):
    hub.account("disable", "disabled")
    hub.account("passwd", "disabled", "--password-stdin")
    hub.stop()
    hub.start()
    answers = []
    for number, (account, password) in enumerate([
        ("alice", "wrong guess"), ("nobody", "wrong guess"), ("disabled", "wrong guess"), ("disabled", Hub.PASSWORD),
    ]):
        with pytest.raises(Refused) as refusal:
            hub.stranger(f"127.0.7.{number + 1}").sign_in(account, password=password)
        answers.append((refusal.value.code, refusal.value.message, str(refusal.value.data)))
    assert len(set(answers)) == 1 and answers[0][0] == 401
    stranger = hub.stranger("127.0.7.9")
    for account in ["alice", "nobody"]:
        error = stranger.refused(401, "invitation.accept", secret="A" * 22, account=account, password=PASSWORD)
        assert error.data["reason"] == "unknown"
        stranger.refused(403, "account.register", account=account, password=PASSWORD)


def test_a_session_is_nobodys_whose_token_is_guessed_or_whose_numbers_are_impossible(hub):
    phone = hub.phone("alice", password=Hub.PASSWORD)
    name, token = phone.session["session"], phone.session["resumeToken"]
    other = hub.phone("alice", password=Hub.PASSWORD).session
    for resume, code in [
        ({"session": name, "token": "x" * 22, "seq": 0}, 440), ({"session": name, "token": "", "seq": 0}, 440),
        ({"session": name, "token": other["resumeToken"], "seq": 0}, 440),
        ({"session": other["session"], "token": token, "seq": 0}, 440),
        ({"session": name, "token": token, "seq": 2**63 - 1}, 440), ({"session": name, "token": token, "seq": 2**64}, 602),
        ({"session": name, "token": token, "seq": -1}, -32602),
    ]:
        with pytest.raises(Refused) as refusal:
            hub.stranger().sign_in(None, resume=resume)
        assert refusal.value.code == code
    assert phone.ask("session.ping")["now"], "the session is its own client's all the while"


def test_text_of_a_line_or_a_page_is_a_name_or_none(hub):
    phone = hub.phone("alice", password=Hub.PASSWORD)
    for name in ["a\r\nSet-Cookie: a=b", "a\u202eb", "a\u0000b", "a\u2028b"]:
        phone.refused(602, "settings.set", displayName=name)
        stranger = hub.stranger()
        stranger.refused(-32602, "session.open", account="alice", password=Hub.PASSWORD, device={"id": "x", "name": name})
    markup = "<img src=x onerror=alert(1)>"
    assert phone.ask("settings.set", displayName=markup)["displayName"] == markup


def test_the_removal_of_the_whole_log_is_found_by_its_numbers(hub):
    hub.account("disable", "disabled")
    copy = hub.folder / "copy"
    copy.mkdir()
    with sqlite3.connect(hub.database) as source, sqlite3.connect(copy / "callhub.db") as target:
        source.backup(target)
        target.execute("DELETE FROM audit")
        target.commit()
    source.close()
    target.close()
    done = subprocess.run(
        [PROGRAM, "admin", "audit", "--verify", "--data", str(copy)], capture_output=True, text=True, timeout=20
    )
    assert done.returncode == 4 and "are missing" in done.stderr
