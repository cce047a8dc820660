"""Attempts to sign in wrongly, in each `auth.mode`: refused with a clear error, nothing stored, nobody disturbed.

Each attempt comes from an address of its own, since who guesses is slowed down (test_guessing.py).
"""

import itertools
import json
import unicodedata

import pytest

import badtokens
from hub import Hub
from issuer import Issuer
from phone import Refused, generic

SQL = badtokens.SQL
ACCOUNTS = ("alice", "bob", "zoë")


class World:
    """A hub of some mode with a call in it that nothing may disturb."""

    def __init__(self, mode):
        self.mode, self.issuer = mode, Issuer()
        self.takes_tokens, self.takes_passwords = "token" in mode, "accounts" in mode
        settings = {
            "auth": Issuer.SETTINGS | {"mode": mode, "passwordMegabytes": 8, "passwordPasses": 1},
            "limits": {"maximumMessageBytes": 2_097_152},
        }
        accounts = {name: [] for name in ACCOUNTS} if self.takes_passwords else None
        self.hub = Hub(settings, accounts, self.issuer.files)
        self.addresses = itertools.count(2)
        self.phones = {name: self.hub.phone(**self.right(name)) for name in ACCOUNTS}
        alice, bob = self.phones["alice"], self.phones["bob"]
        self.call = alice.start("bob")
        bob.do("answer", bob.ringing()["uuid"])
        alice.call(self.call, state="connected")
        self.take_stock()

    def take_stock(self):
        """Notes what is stored, after somebody was let in."""
        for name in ("Anybody", "Somebody"):
            # What there is to be written of a sign-in is written before this.
            for phone in self.phones.values():
                phone.ask("settings.set", displayName=name)
        for phone in self.phones.values():
            phone.forget()
        self.stored = self.hub.stored()

    def right(self, name):
        """What a right sign-in says."""
        if self.takes_passwords:
            return {"account": name, "password": Hub.PASSWORD}
        return {"token": self.issuer.token(name)}

    def stranger(self):
        address = next(self.addresses)
        return self.hub.stranger(f"127.0.{address // 250}.{address % 250 + 1}")

    def refuses(self, parameters, *expected):
        """Tries a sign-in, as parameters or as their text; it must be refused for one of the reasons, and do no harm."""
        stranger = self.stranger()
        before = self.hub.cpu_seconds
        if isinstance(parameters, str):
            stranger.send('{"jsonrpc":"2.0","id":"raw","method":"session.open","params":' + parameters + "}")
            _, message = stranger.answer(None if -32700 in dict(expected) else "raw")
        else:
            _, message = stranger.answer(stranger.begin("session.open", **parameters))
        error = message.get("error")
        assert error, f"somebody got in: {message['result']['account']}"
        assert (error["code"], error.get("data", {}).get("name")) in expected, error
        assert 10 < len(error["message"]) < 400 and error["message"].isprintable(), error
        assert self.hub.cpu_seconds - before < 5
        self.is_untouched()
        # And the connection is as good as before.
        stranger.refused(401, "settings.get")
        stranger.leave()

    def is_untouched(self):
        stored = self.hub.stored()
        for table, rows in self.stored.items():
            assert stored[table] == rows, f"{table} has changed"
        assert stored.keys() == self.stored.keys()
        alice = self.phones["alice"]
        (call,) = alice.ask("observer.calls")["calls"]
        assert (call["uuid"], call["state"]) == (self.call, "connected")
        assert [phone.told() for phone in self.phones.values()] == [[], [], []]


MODES = ["accounts", "token", "accounts+token"]
# Where tokens are looked at; elsewhere all of them are refused for one reason.
by_token = pytest.mark.parametrize("world", MODES[1:], indirect=True, scope="module")


@pytest.fixture(scope="module", params=MODES)
def world(request):
    world = World(request.param)
    with world.hub as hub:
        yield world
        assert hub.is_running, hub.log[-2000:]


TOKEN = (401, "wrongToken")
PASSWORD = (401, "wrongPassword")
MISSING = (401, "credentialsMissing")
PARAMETER = (-32602, None)


@by_token
@pytest.mark.parametrize("name", badtokens.WRONG)
def test_a_token_is_refused(world, name):
    world.refuses({"token": badtokens.WRONG[name](world.issuer)}, TOKEN)


@by_token
@pytest.mark.parametrize("name", badtokens.EXPIRED)
def test_an_expired_token_is_refused_as_such(world, name):
    world.refuses({"token": badtokens.EXPIRED[name](world.issuer)}, (401, "tokenExpired"))


def test_a_right_token_is_taken_where_tokens_are(world):
    """That the table above is of wrong tokens for what is wrong with them."""
    if not world.takes_tokens:
        for token in (world.issuer.token("alice"), "token", SQL, "a" * 1_000_000, badtokens.unsigned("none")(world.issuer)):
            world.refuses({"token": token}, TOKEN)
        return
    for by in ("ES256", "another ES256", "EdDSA", "HS256"):
        phone = world.hub.phone(None, token=world.issuer.token("alice", by="ES256" if by.startswith("another") else by))
        assert phone.session["account"] == "alice"
        phone.leave()
    built = badtokens.sign(world.issuer, {"alg": "ES256", "kid": "ES256"}, world.issuer.claims("alice"))
    phone = world.hub.phone(None, token=built)
    assert phone.session["account"] == "alice"
    phone.leave()
    world.take_stock()


LOOKALIKES = {
    "Cyrillic a": "аlice", "full width": "ａｌｉｃｅ", "zero width space": "ali\u200bce", "zero width joiner": "alice\u200d",
    "right to left": "\u202ealice", "reversed": "\u202eecila", "combining": "alice\u0301",
    "dotless i": "alıce", "ligature": "alﬁce", "soft hyphen": "al\u00adice", "mark": "\ufeffalice",
    "blank behind": "alice ", "blank in front": " alice", "no break": "alice\u00a0", "tab": "alice\t", "Greek": "αlice",
    "mathematical": "𝐚lice", "variation": "alice\ufe0f", "tag": "alice\U000e0061", "zoe": "zoe",
}
NAMES = LOOKALIKES | {
    "NUL": "alice\0", "NUL and more": "alice\0bob", "only NUL": "\0", "10 kB": "x" * 10_000, "alice and 10 kB": "alice" + " " * 10_000,
    "a megabyte": "x" * 1_000_000, "SQL": SQL, "SQL or": "alice' OR '1'='1", "SQL comment": "alice'--", "SQL union": "' UNION SELECT 1 --",
    "percent": "%", "underscore": "alic_", "star": "*", "path": "../alice", "format": "%s%n%@", "127 bytes": "x" * 127, "handle": "generic:alice",
}


@pytest.mark.parametrize("name", ["ALICE", "Alice", "ZOË", "zoe\u0308"])
def test_a_name_in_another_case_or_form_is_the_account_as_it_was_created(world, name):
    account = {"a": "alice", "z": "zoë"}[name[0].lower()]
    if not world.takes_passwords:
        return world.refuses({"account": name, "password": Hub.PASSWORD}, MISSING)
    phone = world.hub.phone(name, password=Hub.PASSWORD)
    assert phone.session["account"] == account
    phone.leave()
    world.take_stock()


@pytest.mark.parametrize("kind", NAMES)
def test_another_name_with_a_right_password_is_refused(world, kind):
    expected = [PASSWORD] if world.takes_passwords else [MISSING]
    world.refuses({"account": NAMES[kind], "password": Hub.PASSWORD}, *expected)


@pytest.mark.parametrize("kind", NAMES)
def test_another_name_beside_a_right_token_is_refused(world, kind):
    world.refuses({"account": NAMES[kind], "token": world.issuer.token("alice")}, TOKEN)


PASSWORDS = {
    "wrong": "wrong", "blank behind": Hub.PASSWORD + " ", "NUL behind": Hub.PASSWORD + "\0", "NUL and more": Hub.PASSWORD + "\0x",
    "only NUL": "\0", "capitals": Hub.PASSWORD.upper(), "half": Hub.PASSWORD[:14], "twice": Hub.PASSWORD * 2, "10 k": "x" * 10_000,
    "right and 10 k": Hub.PASSWORD + "x" * 10_000, "a megabyte": "x" * 1_000_000,
    "SQL": SQL, "SQL or": "' OR '1'='1", "blank": " ", "hash": "$argon2id$v=19$m=8192,t=1,p=1$c2FsdHNhbHQ$", "star": "*",
    "Cyrillic": Hub.PASSWORD.replace("o", "о"), "zero width": Hub.PASSWORD.replace("r", "r\u200b"), "right to left": "\u202e" + Hub.PASSWORD,
}


@pytest.mark.parametrize("kind", PASSWORDS)
def test_a_wrong_password_is_refused(world, kind):
    world.refuses({"account": "alice", "password": PASSWORDS[kind]}, PASSWORD if world.takes_passwords else MISSING)


def test_a_password_that_nobody_can_type_is_refused_unread(world):
    """See test_texts.py; that it is a password is no reason to repeat it."""
    world.refuses({"account": "alice", "password": "a" + "\u0301" * 300_000}, (602, "invalidArgument"))


@pytest.mark.parametrize("account", ["alice", "nobody", SQL])
def test_nothing_to_show_is_not_enough(world, account):
    world.refuses({"account": account}, MISSING)
    world.refuses({"account": account, "password": None, "token": None}, MISSING)
    world.refuses({}, MISSING)


@pytest.mark.parametrize(
    "wrong",
    [
        {"account": 7}, {"account": ["alice"]}, {"account": {"name": "alice"}}, {"account": ""}, {"account": True},
        {"password": 7}, {"password": ["x"]}, {"password": {}}, {"password": False},
        {"token": 7}, {"token": ["x"]}, {"token": {}}, {"token": ""}, {"token": False},
        {"device": "desk"}, {"device": {"id": 7}}, {"device": {"id": ""}}, {"device": {"name": 7}},
        {"permissions": ["root"]}, {"permissions": "admin"}, {"resume": True}, {"resume": {"session": 7, "token": 7, "seq": "x"}},
        {"fulfillment": SQL}, {"audio": {"delivery": SQL}}, {"audio": 7},
    ],
    ids=str,
)
def test_a_parameter_of_another_kind_is_refused(world, wrong):
    world.refuses(world.right("alice") | wrong, PARAMETER)


@pytest.mark.parametrize("member", ["account", "password", "token"])
def test_half_a_character_is_refused(world, member):
    """A lone surrogate, escaped: JSON that stands for no text."""
    right = json.dumps({"account": "alice", "password": Hub.PASSWORD} | {member: "?"}).replace("?", r"\ud83d")
    world.refuses(right, (-32700, None), PARAMETER, PASSWORD, TOKEN, MISSING)


def test_what_a_session_may_not_do_is_refused_at_its_beginning(world):
    world.refuses(world.right("alice") | {"permissions": ["call", "admin"]}, (403, "notAllowed"))


def test_a_session_of_somebody_else_cannot_be_taken_up(world):
    session = world.phones["alice"].session
    for resume in [
        {"session": session["session"], "token": "guess", "seq": 0},
        {"session": session["session"], "token": SQL, "seq": 0},
        {"session": SQL, "token": session["resumeToken"], "seq": 0},
        {"session": world.phones["bob"].session["session"], "token": session["resumeToken"], "seq": 0},
        {"session": session["session"], "token": session["resumeToken"] + "\0", "seq": 0},
    ]:
        world.refuses({"resume": resume}, (440, "sessionGone"))
    resume = {"session": session["session"], "token": session["resumeToken"], "seq": 1}
    world.refuses({"account": "bob", "resume": resume}, (403, "notAllowed"))


@by_token
def test_names_of_the_hubs_own_and_handles_of_others_are_taken(world):
    world.refuses({"token": world.issuer.token("echo")}, (409, "conflict"))
    world.refuses({"token": world.issuer.token("mallory", generic("alice"))}, (409, "conflict"))
    world.refuses({"token": world.issuer.token("mallory", generic("alic\u0065"))}, (409, "conflict"))


def test_a_message_beyond_the_limit_closes_its_connection_alone(world):
    stranger = world.stranger()
    stranger.begin("session.open", token="a" * 3_000_000)
    assert stranger.hear_close() == 1009
    world.is_untouched()


def test_another_spelling_of_the_same_characters_is_the_same_account(world):
    """Both forms of ë look the same, on every screen: they are one account, not two."""
    phone = world.hub.phone(**world.right(unicodedata.normalize("NFD", "zoë")))
    try:
        assert unicodedata.normalize("NFC", phone.session["account"]) == "zoë"
        assert phone.ask("settings.get")["displayName"] == "Somebody"
    finally:
        phone.leave()
        world.take_stock()


def test_sql_in_what_a_right_sign_in_says_is_text(world):
    """A device may be called anything; whoever has a token may be, too."""
    right = {"token": world.issuer.token(SQL, name=SQL)} if world.takes_tokens else world.right("alice")
    phone = world.stranger()
    phone.ask("session.open", **right, device={"id": SQL, "name": SQL}, client={"name": SQL, "version": SQL})
    assert phone.session is None
    phone.ask("settings.set", device={"doNotDisturb": True}, displayName=SQL)
    phone.ask("contacts.put", identifier=SQL, name=SQL, handles=[generic(SQL)])
    phone.ask("block.add", handle=generic(SQL))
    phone.ask("directory.load", extension=SQL, incremental=False, blocking=[], identification=[{"number": 1, "label": SQL}])
    assert phone.ask("contacts.list")["contacts"][0]["name"] == SQL
    assert phone.ask("block.list")["handles"] == [generic(SQL)]
    assert phone.ask("directory.status", extension=SQL)["extensions"][0]["identification"] == 1
    stored = world.hub.stored()
    assert stored.keys() == world.stored.keys()
    for name in ("bob", "zoë"):
        assert world.phones[name].ask("settings.get")["displayName"] == "Somebody"
        assert world.phones[name].ask("contacts.list") == {"contacts": []}
    phone.ask("contacts.remove", identifier=SQL)
    phone.ask("block.remove", handle=generic(SQL))
    phone.leave()
    world.take_stock()
