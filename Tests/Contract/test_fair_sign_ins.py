"""Who wants everything looked at at once keeps nobody else out (docs/protocol.md, "Rate limits")."""

from hub import Hub

# A password takes some time, and no address is exempt.
SETTINGS = {"auth": {"mode": "accounts", "passwordMegabytes": 64, "passwordPasses": 2}, "limits": {"exemptAddresses": []}}
ACCOUNTS = {"alice": [], "root": []}


def codes(phones, account):
    """Answers to a wrong sign-in on each of the connections, asked all at once."""
    asked = [(phone, phone.begin("session.open", account=account(number), password="guess")) for number, phone in enumerate(phones)]
    return [phone.answer(request, within=60)[1]["error"]["code"] for phone, request in asked]


def test_a_crowd_at_one_address_keeps_nobody_else_waiting(hub):
    crowd = [hub.stranger("127.0.0.2") for _ in range(100)]
    asked = [(phone, phone.begin("session.open", account=f"nobody {number}", password="guess")) for number, phone in enumerate(crowd)]
    before = hub.cpu_seconds
    victim = hub.stranger("127.0.0.3")
    victim.sign_in("alice", password=Hub.PASSWORD)
    used = hub.cpu_seconds - before
    answers = [phone.answer(request, within=60)[1]["error"] for phone, request in asked]
    # Only a few of the crowd were looked at, and they were told at once.
    looked_at = [error for error in answers if error["code"] == 401]
    refused = [error for error in answers if error["code"] == 429]
    assert 1 <= len(looked_at) <= 12
    assert len(looked_at) + len(refused) == 100
    assert all(1 <= error["data"]["retryAfterSeconds"] <= 3 for error in refused)
    # The whole crowd would have taken some twenty seconds of the CPU's.
    assert used < 8
    for phone in crowd:
        phone.leave()


def test_only_a_few_guesses_at_one_account_are_looked_at_side_by_side(hub):
    crowd = [hub.stranger("127.0.0.4") for _ in range(100)]
    assert codes(crowd, lambda _: "alice").count(401) <= 12
    for phone in crowd:
        phone.leave()


def test_nobody_is_locked_out_by_his_name(hub):
    """Guesses from everywhere make strangers wait, not who has signed in there before."""
    hub.stranger("127.0.9.1").sign_in("root", password=Hub.PASSWORD)
    # Fifty are looked at, and one more every two seconds: a busy machine takes longer for them.
    answers, address = [], 0
    while answers != [429] and address < 60:
        address += 1
        crowd = [hub.stranger(f"127.0.8.{address}") for _ in range(6)]
        codes(crowd, lambda _: "root")
        for phone in crowd:
            phone.leave()
        answers = codes([hub.stranger(f"127.0.9.{address + 1}")], lambda _: "root")
    assert answers == [429]
    again = hub.stranger("127.0.9.1")
    again.sign_in("root", password=Hub.PASSWORD)
    assert again.session["account"] == "root"
