"""The other side of HubCrypto's tests: one request as JSON on standard input, its answer on standard output.

Nothing in here is ours: passwords are argon2-cffi's, tokens PyJWT's, pushes http_ece's, keys cryptography's,
passkeys fido2's.
"""

import base64
import hashlib
import json
import sys

import argon2
import http_ece
import jwt
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519
from fido2 import cose, webauthn
from jwt.algorithms import ECAlgorithm, OKPAlgorithm

# The tests have a time of their own.
ANY_TIME = {"verify_exp": False, "verify_iat": False, "verify_nbf": False}


def decoded(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def encoded(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def password_hash(request):
    """Passwords, hashed."""
    hasher = argon2.PasswordHasher(
        time_cost=request["passes"], memory_cost=request["kibibytes"], parallelism=request["lanes"]
    )
    return {"text": hasher.hash(request["password"])}


def password_matches(request):
    """Which of some passwords a hash is of."""
    matching = []
    for password in request["passwords"]:
        try:
            argon2.PasswordHasher().verify(request["text"], password)
            matching.append(password)
        except argon2.exceptions.VerifyMismatchError:
            pass
    return {"matching": matching}


def tokens(request):
    """A token for each algorithm, with the key set that verifies them."""
    secret = b"the secret of the peer, which is long enough"
    keys = {"ES256": ec.generate_private_key(ec.SECP256R1()), "EdDSA": ed25519.Ed25519PrivateKey.generate()}
    jwks = [{"kty": "oct", "kid": "HS256", "k": encoded(secret)}]
    for name, algorithm in (("ES256", ECAlgorithm), ("EdDSA", OKPAlgorithm)):
        jwk = json.loads(algorithm.to_jwk(keys[name].public_key()))
        jwks.append(jwk | {"kid": name, "use": "sig"})
    made = {
        name: jwt.encode(request["claims"], keys.get(name, secret), algorithm=name, headers={"kid": name})
        for name in ("HS256", "ES256", "EdDSA")
    }
    return {"jwks": json.dumps({"keys": jwks}), "tokens": made}


def token_claims(request):
    """What a token says, verified by a public JWK."""
    key = jwt.PyJWK.from_json(request["jwk"])
    return jwt.decode(
        request["token"],
        key.key,
        algorithms=[request["algorithm"]],
        audience=request["audience"],
        issuer=request.get("issuer"),
        options=ANY_TIME | {"require": ["exp", "aud", "sub"]},
    )


def push_keys(request):
    """A browser's keys for pushes."""
    key = ec.generate_private_key(ec.SECP256R1())
    point = key.public_key().public_bytes(
        serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
    )
    return {"secret": encoded(key.private_numbers().private_value.to_bytes(32, "big")), "p256dh": encoded(point)}


def push_texts(request):
    """What pushes say, for the browser of these keys."""
    key = ec.derive_private_key(int.from_bytes(decoded(request["secret"]), "big"), ec.SECP256R1())
    texts = [
        http_ece.decrypt(decoded(body), private_key=key, auth_secret=decoded(request["auth"]), version="aes128gcm")
        for body in request["bodies"]
    ]
    return {"texts": [encoded(text) for text in texts]}


def vapid_claims(request):
    """What an Authorization header for a push service says, verified by its own key (RFC 8292)."""
    scheme, _, rest = request["header"].partition(" ")
    assert scheme == "vapid", scheme
    fields = dict(part.strip().split("=", 1) for part in rest.split(","))
    key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decoded(fields["k"]))
    return jwt.decode(fields["t"], key, algorithms=["ES256"], audience=request["audience"], options=ANY_TIME)


def passkey(request):
    """A passkey's registration and a use of it, as an authenticator and a browser make them."""
    site, origin = request["site"], request["origin"]
    site_hash = hashlib.sha256(site.encode()).digest()
    identifier = decoded(request["id"])
    if request["algorithm"] == "ES256":
        key = ec.generate_private_key(ec.SECP256R1())
        public = cose.ES256.from_cryptography_key(key.public_key())
    else:
        key = ed25519.Ed25519PrivateKey.generate()
        public = cose.EdDSA.from_cryptography_key(key.public_key())
    flags = webauthn.AuthenticatorData.FLAG
    present = flags.UP | flags.UV
    credential = webauthn.AttestedCredentialData.create(bytes(16), identifier, public)
    extensions = {"credProtect": 2} if request["extensions"] else None
    registered = webauthn.AuthenticatorData.create(
        site_hash, present | flags.AT | (flags.ED if extensions else flags(0)), 0, credential, extensions
    )
    created = webauthn.CollectedClientData.create("webauthn.create", decoded(request["challenge"]), origin)
    statement = {} if request["format"] == "none" else {"alg": -7, "sig": bytes(70), "x5c": [bytes(400)]}
    attestation = webauthn.AttestationObject.create(request["format"], registered, statement)
    used = webauthn.AuthenticatorData.create(site_hash, present, request["counter"])
    got = webauthn.CollectedClientData.create("webauthn.get", decoded(request["challenge"]), origin)
    message = bytes(used) + got.hash
    signature = key.sign(message, ec.ECDSA(hashes.SHA256())) if request["algorithm"] == "ES256" else key.sign(message)
    return {
        "created": encoded(bytes(created)), "attestation": encoded(bytes(attestation)),
        "got": encoded(bytes(got)), "data": encoded(bytes(used)), "signature": encoded(signature),
    }


def private_key(request):
    """The public JWK of a stored private key."""
    key = serialization.load_der_private_key(decoded(request["stored"]), password=None)
    algorithm = ECAlgorithm if isinstance(key, ec.EllipticCurvePrivateKey) else OKPAlgorithm
    return json.loads(algorithm.to_jwk(key.public_key()))


asked = json.load(sys.stdin)
json.dump(globals()[asked["ask"]](asked), sys.stdout)
