"""An issuer of tokens that is none of the hub's making: PyJWT's tokens by cryptography's keys."""

import base64
import json
import os
import time

import jwt
from cryptography.hazmat.primitives.asymmetric import ec, ed25519
from jwt.algorithms import ECAlgorithm, OKPAlgorithm


def encoded(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class Issuer:
    """Has a key of each kind that a hub takes, and of one kind two, so that `kid` is needed."""

    NAME, AUDIENCE = "https://issuer.example", "callhub"
    # What a hub that takes its tokens is set to; its keys are in the hub's folder.
    SETTINGS = {"mode": "token", "tokenKeys": "{folder}/keys.json", "tokenIssuer": NAME}

    def __init__(self):
        self.keys = {
            "ES256": ec.generate_private_key(ec.SECP256R1()),
            "another ES256": ec.generate_private_key(ec.SECP256R1()),
            "EdDSA": ed25519.Ed25519PrivateKey.generate(),
            "HS256": os.urandom(32),
        }
        self.jwks = [{"kty": "oct", "k": encoded(self.keys["HS256"]), "kid": "HS256", "alg": "HS256"}]
        for name, algorithm in (("ES256", ECAlgorithm), ("another ES256", ECAlgorithm), ("EdDSA", OKPAlgorithm)):
            public = json.loads(algorithm.to_jwk(self.keys[name].public_key()))
            self.jwks.append({key: public[key] for key in ("kty", "crv", "x", "y") if key in public} | {"kid": name})

    @property
    def files(self):
        return {"keys.json": json.dumps({"keys": self.jwks})}

    def claims(self, account, **more):
        now = int(time.time())
        return {"iss": self.NAME, "aud": self.AUDIENCE, "sub": account, "iat": now, "exp": now + 600} | more

    def token(self, account, *handles, by="ES256", **more):
        """A token that the hub takes."""
        claims = self.claims(account, **more)
        if handles:
            claims["handles"] = list(handles)
        return jwt.encode(claims, self.keys[by], algorithm=by, headers={"kid": by})
