"""Tokens that no hub may take, each by its name: what is wrong with it, and how the hub is to say so."""

import base64
import hashlib
import hmac
import json
import time

import jwt
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature

from issuer import Issuer, encoded

SQL = "'; DROP TABLE accounts; --"


def text(value):
    """JSON as it is written, or text that is none."""
    return value if isinstance(value, (str, bytes)) else json.dumps(value)


def part(value):
    value = text(value)
    return encoded(value if isinstance(value, bytes) else value.encode())


def sign(issuer, header, payload, by="ES256"):
    """Any header and payload, under the issuer's right signature."""
    signed = f"{part(header)}.{part(payload)}"
    key = issuer.keys[by]
    if by == "ES256":
        r, s = decode_dss_signature(key.sign(signed.encode(), ec.ECDSA(hashes.SHA256())))
        signature = r.to_bytes(32, "big") + s.to_bytes(32, "big")
    elif by == "EdDSA":
        signature = key.sign(signed.encode())
    else:
        signature = hmac.digest(key, signed.encode(), "sha256")
    return f"{signed}.{encoded(signature)}"


def claimed(**changes):
    """A right signature over wrong claims; a claim that is None is left out."""

    def make(issuer):
        claims = {name: value for name, value in issuer.claims("mallory", **changes).items() if value is not None}
        return sign(issuer, {"alg": "ES256", "kid": "ES256"}, claims)

    return make


def written(replaced, by):
    """A right signature over claims that Python cannot say: JSON with a part of its text replaced."""

    def make(issuer):
        payload = json.dumps(issuer.claims("mallory", exp=4_000_000_000))
        assert replaced in payload
        return sign(issuer, {"alg": "ES256", "kid": "ES256"}, payload.replace(replaced, by))

    return make


def headed(header, by="ES256"):
    return lambda issuer: sign(issuer, header, issuer.claims("mallory"), by)


def unsigned(algorithm, signature=""):
    return lambda issuer: f'{part({"alg": algorithm})}.{part(issuer.claims("mallory"))}.{signature}'


def with_signature(change):
    """A right token with another signature."""

    def make(issuer):
        signed, signature = issuer.token("mallory").rsplit(".", 1)
        return f"{signed}.{encoded(change(issuer, signed, base64.urlsafe_b64decode(signature + '==')))}"

    return make


def der(issuer, signed, _):
    return issuer.keys["ES256"].sign(signed.encode(), ec.ECDSA(hashes.SHA256()))


def public(name, encoding, form):
    return lambda issuer: issuer.keys[name].public_key().public_bytes(encoding, form)


PEM = serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
DER = serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
RAW = serialization.Encoding.Raw, serialization.PublicFormat.Raw
POINT = serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint


def by_public_key(secret, kid):
    """HS256 with what everybody may know as its secret."""

    def make(issuer):
        header = {"alg": "HS256"} | ({"kid": kid} if kid else {})
        signed = f'{part(header)}.{part(issuer.claims("mallory"))}'
        return f"{signed}.{encoded(hmac.new(secret(issuer), signed.encode(), hashlib.sha256).digest())}"

    return make


def jwk_of(name):
    return lambda issuer: json.dumps(next(key for key in issuer.jwks if key["kid"] == name)).encode()


def own_key(issuer, signed, _):
    foreign = Issuer()
    r, s = decode_dss_signature(der(foreign, signed, None))
    return r.to_bytes(32, "big") + s.to_bytes(32, "big")


def brings_its_key(member):
    """A token whose header has the key that it is signed with, or says where it is."""

    def make(_):
        mallory = Issuer()
        (key,) = (key for key in mallory.jwks if key["kid"] == "ES256")
        header = {"alg": "ES256", member: key if member == "jwk" else "https://mallory.example/keys.json"}
        return sign(mallory, header, mallory.claims("mallory"))

    return make


def tampered(issuer):
    header, _, signature = issuer.token("alice").split(".")
    return f'{header}.{part(issuer.claims("mallory"))}.{signature}'


def by_rsa(issuer):
    key = rsa.generate_private_key(65537, 2048)
    return jwt.encode(issuer.claims("mallory"), key, algorithm="RS256", headers={"kid": "ES256"})


def nested(issuer):
    return sign(issuer, {"alg": "ES256", "kid": "ES256", "cty": "JWT"}, issuer.token("mallory"))


def changed(change):
    return lambda issuer: change(issuer.token("mallory"))


EXPIRED = {
    "expired a minute ago": claimed(exp=int(time.time()) - 60, iat=None),
    "expired long ago": claimed(exp=1, iat=0),
    "expired at the beginning of time": claimed(exp=0, iat=None),
}
KIDS = [
    "../../../../etc/passwd", "/dev/null", "file:///etc/passwd", "ES256\0", "\0", SQL, "' OR '1'='1", "x" * 5_000, "",
    "es256", "ES256 ", "ＥＳ256", "E\u200bS256", "ES256/../HS256", "%45S256", 7, None, True, ["ES256"], {"kid": "ES256"},
]
WRONG = (
    {
        "not yet valid": claimed(nbf=4_000_000_000),
        "issued in the future": claimed(iat=4_000_000_000, exp=4_000_000_600),
        "of another audience": claimed(aud="another hub"),
        "of several other audiences": claimed(aud=["another", "callhub "]),
        "of no audience": claimed(aud=None),
        "of an empty list of audiences": claimed(aud=[]),
        "whose audience is a number": claimed(aud=7),
        "whose audience is an object": claimed(aud={"callhub": True}),
        "whose audience is written otherwise": claimed(aud="CallHub"),
        "of another issuer": claimed(iss="https://mallory.example"),
        "of nearly the issuer": claimed(iss=Issuer.NAME + "/"),
        "of an issuer who looks alike": claimed(iss=Issuer.NAME.replace("e", "е")),
        "of no issuer": claimed(iss=None),
        "of several issuers": claimed(iss=[Issuer.NAME]),
        "without a subject": claimed(sub=None),
        "with an empty subject": claimed(sub=""),
        "whose subject is a number": claimed(sub=7),
        "whose subject is a list": claimed(sub=["alice"]),
        "whose subject is null": written('"mallory"', "null"),
        "whose subject is too long": claimed(sub="x" * 10_000),
        "whose subject has 129 bytes": claimed(sub="x" * 129),
        "whose subject has a NUL": claimed(sub="alice\0"),
        "whose subject has a line feed": claimed(sub="alice\n"),
        "whose subject has a joiner that nobody sees": claimed(sub="alice\u200d"),
        "whose subject is written backwards": claimed(sub="\u202eecila"),
        "whose subject ends with a space": claimed(sub="alice "),
        "whose subject is half a character": written('"mallory"', r'"\ud800"'),
        "with two subjects": written('"sub": "mallory"', '"sub": "alice", "sub": "mallory"'),
        "with two subjects, one of them escaped": written('"sub": "mallory"', r'"sub": "alice", "s\u0075b": "mallory"'),
        "without an end": claimed(exp=None),
        "whose end is a text": claimed(exp="4000000000"),
        "whose end is true": claimed(exp=True),
        "whose end is a list": claimed(exp=[4_000_000_000]),
        "whose end is no number": written("4000000000", "NaN"),
        "whose end is infinite": written("4000000000", "Infinity"),
        "whose end is 1e400": written("4000000000", "1e400"),
        "whose end is 1e300": written("4000000000", "1e300"),
        "whose end is beyond 64 bits": written("4000000000", "9" * 30),
        "whose end is before the beginning of time": claimed(exp=-1, iat=None),
        "whose end is very far": claimed(exp=2**62),
        "that lives for ten years": claimed(exp=4_000_000_000),
        "whose beginning is a text": claimed(nbf="now"),
        "whose handles are none": claimed(handles="alice"),
        "whose handle is a text": claimed(handles=["alice"]),
        "whose handle has another type": claimed(handles=[{"type": "fax", "value": "1"}]),
        "whose handle is empty": claimed(handles=[{"type": "generic", "value": ""}]),
        "whose permission is unknown": claimed(callhub=["call", "root"]),
        "whose permissions are an object": claimed(callhub={"admin": True}),
        "tampered with": tampered,
        "of a foreign key": with_signature(own_key),
        "signed in DER": with_signature(der),
        "signed with zeros": with_signature(lambda *_: bytes(64)),
        "signed with half of it": with_signature(lambda _, __, signature: signature[:32]),
        "signed with a byte less": with_signature(lambda _, __, signature: signature[:-1]),
        "signed with a byte more": with_signature(lambda _, __, signature: signature + b"\0"),
        "signed with r of zero": with_signature(lambda _, __, signature: bytes(32) + signature[32:]),
        "signed with s of zero": with_signature(lambda _, __, signature: signature[:32] + bytes(32)),
        "signed with ones": with_signature(lambda *_: b"\xff" * 64),
        "signed with nothing": with_signature(lambda *_: b""),
        "by RSA": by_rsa,
        "that brings its key": brings_its_key("jwk"),
        "that says where its key is": brings_its_key("jku"),
        "that says where its certificate is": brings_its_key("x5u"),
        "without a kid where there are several keys": headed({"alg": "ES256"}),
        "whose kid is of another algorithm's key": headed({"alg": "ES256", "kid": "EdDSA"}),
        "whose algorithm is not its key's": headed({"alg": "EdDSA", "kid": "ES256"}, by="EdDSA"),
        "whose algorithm is none that is known": headed({"alg": "ES512", "kid": "ES256"}),
        "whose algorithm is written otherwise": headed({"alg": "es256", "kid": "ES256"}),
        "whose algorithm is a list": headed({"alg": ["ES256"], "kid": "ES256"}),
        "with two algorithms": headed('{"alg": "none", "alg": "ES256", "kid": "ES256"}'),
        "without an algorithm": headed({"kid": "ES256"}),
        "with critical extensions": headed({"alg": "ES256", "kid": "ES256", "crit": ["exp"]}),
        "of another type": headed({"alg": "ES256", "kid": "ES256", "typ": "JWE"}),
        "whose header is a list": headed(["ES256"]),
        "whose header is no JSON": headed("{alg: ES256}"),
        "whose header is not UTF-8": headed(b'{"alg": "ES256", "kid": "ES256", "x": "\xff"}'),
        "whose header begins with a mark": headed('\ufeff{"alg": "ES256", "kid": "ES256"}'),
        "whose payload is a list": lambda issuer: sign(issuer, {"alg": "ES256", "kid": "ES256"}, [issuer.claims("mallory")]),
        "whose payload is a token": nested,
        "whose payload is empty": lambda issuer: sign(issuer, {"alg": "ES256", "kid": "ES256"}, ""),
        "whose payload is deep": lambda issuer: sign(issuer, {"alg": "ES256", "kid": "ES256"}, "[" * 2000 + "]" * 2000),
        "whose payload is deeper within": claimed(deep=json.loads("[" * 500 + "]" * 500)),
        "that is a word": lambda _: "token",
        "that is a blank": lambda _: " ",
        "of dots": lambda _: "...",
        "of two dots": lambda _: "..",
        "of two parts": changed(lambda token: token.rsplit(".", 1)[0]),
        "of four parts": changed(lambda token: token + ".e30"),
        "with a blank in front": changed(lambda token: " " + token),
        "with a line feed behind": changed(lambda token: token + "\n"),
        "with a NUL behind": changed(lambda token: token + "\0"),
        "with padding": changed(lambda token: token + "=="),
        "of another base64": changed(lambda token: token.replace(".", "+.", 1)),
        "of no base64": changed(lambda token: token.replace(".", "!.", 1)),
        "of characters beyond ASCII": lambda _: "é.ü.ß",
        "of SQL": lambda _: SQL,
        "of a megabyte": lambda _: "a" * 1_000_000,
        "of a megabyte of dots": lambda _: "." * 1_000_000,
        "of a megabyte, rightly signed": claimed(more="x" * 750_000),
        "of nine kilobytes, rightly signed": claimed(more="x" * 9_000),
    }
    | {f"of the algorithm {name!r}": unsigned(name) for name in ("none", "None", "NONE", "nOnE", " none", "none\0", "")}
    | {"of the algorithm none, with a signature": unsigned("none", "AAAA")}
    | {f"whose kid is {str(kid)[:40]!r}": headed({"alg": "ES256", "kid": kid}) for kid in KIDS}
    | {
        f"by HS256 with the {form} of the {name} key, {'kid ' + kid if kid else 'without kid'}": by_public_key(secret, kid)
        for name, form, secret in [
            ("ES256", "PEM", public("ES256", *PEM)),
            ("ES256", "DER", public("ES256", *DER)),
            ("ES256", "point", public("ES256", *POINT)),
            ("ES256", "JWK", jwk_of("ES256")),
            ("EdDSA", "PEM", public("EdDSA", *PEM)),
            ("EdDSA", "bytes", public("EdDSA", *RAW)),
        ]
        for kid in ("HS256", name, None)
    }
)
