"""An authenticator in software, on python-fido2 and cryptography: passkeys as docs/protocol.md has them on the wire."""

import base64
import hashlib
import os

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519
from fido2 import cose, webauthn

FLAG = webauthn.AuthenticatorData.FLAG


def decoded(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def encoded(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def client_data(kind, challenge, origin, **more):
    return bytes(webauthn.CollectedClientData.create(kind, decoded(challenge), origin, **more))


class Authenticator:
    """One passkey; it makes what it is told to, right or wrong."""

    def __init__(self, algorithm=-7, counts=True):
        self.algorithm, self.counter, self.counts = algorithm, 0, counts
        self.id = os.urandom(32)
        self.user = b""
        self.key = ec.generate_private_key(ec.SECP256R1()) if algorithm == -7 else ed25519.Ed25519PrivateKey.generate()

    def _data(self, site, flags, credential=b""):
        return webauthn.AuthenticatorData.create(hashlib.sha256(site.encode()).digest(), flags, self.counter, credential)

    def create(self, options, origin, flags=FLAG.UP | FLAG.UV, site=None, **more):
        """The parameters of passkeys.add, of the options of passkeys.create."""
        kind = cose.ES256 if self.algorithm == -7 else cose.EdDSA
        public = kind.from_cryptography_key(self.key.public_key())
        credential = webauthn.AttestedCredentialData.create(bytes(16), self.id, public)
        data = self._data(site or options["rpId"], flags | FLAG.AT, credential)
        self.user = decoded(options["user"]["id"])
        return {
            "name": "A key",
            "clientData": encoded(client_data("webauthn.create", options["challenge"], origin, **more)),
            "attestationObject": encoded(bytes(webauthn.AttestationObject.create("none", data, {}))),
        }

    def get(self, challenge, origin, flags=FLAG.UP | FLAG.UV, site=None, kind="webauthn.get", **more):
        """The member passkey of session.open."""
        self.counter += self.counts
        data = bytes(self._data(site or challenge["rpId"], flags))
        client = client_data(kind, challenge["challenge"], origin, **more)
        message = data + hashlib.sha256(client).digest()
        signature = self.key.sign(message, ec.ECDSA(hashes.SHA256())) if self.algorithm == -7 else self.key.sign(message)
        return {
            "credential": encoded(self.id), "clientData": encoded(client), "authenticatorData": encoded(data),
            "signature": encoded(signature), "userHandle": encoded(self.user),
        }
