"""An OpenID provider for tests: strict about what a client sends, and with a knob for each way to be wrong itself.

    python3 Tests/OpenIDProvider/provider.py [HOST]

It signs in users by a form, without passwords, and knows one client. As a program it prints its address and is told the
client's redirect URI by `POST /redirects`. In tests it is an object, whose members are the knobs.
"""

import base64
import hashlib
import html
import json
import secrets
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature

CLIENT, SECRET = "callhub", "s%ecret: with + signs & more"


def b64(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def number(value):
    return b64(value.to_bytes((value.bit_length() + 7) // 8, "big"))


class Key:
    """A key of the provider's: RS256, ES256 or EdDSA."""

    def __init__(self, algorithm="RS256", bits=2048):
        self.algorithm, self.id = algorithm, secrets.token_hex(4)
        if algorithm == "RS256":
            self.private = rsa.generate_private_key(65537, bits)
            numbers = self.private.public_key().public_numbers()
            parts = {"kty": "RSA", "n": number(numbers.n), "e": number(numbers.e)}
        elif algorithm == "ES256":
            self.private = ec.generate_private_key(ec.SECP256R1())
            numbers = self.private.public_key().public_numbers()
            parts = {
                "kty": "EC", "crv": "P-256",
                "x": b64(numbers.x.to_bytes(32, "big")), "y": b64(numbers.y.to_bytes(32, "big")),
            }
        else:
            self.private = ed25519.Ed25519PrivateKey.generate()
            parts = {"kty": "OKP", "crv": "Ed25519", "x": b64(self.private.public_key().public_bytes_raw())}
        self.jwk = {"kid": self.id, "use": "sig", "alg": algorithm} | parts

    def sign(self, message):
        if self.algorithm == "RS256":
            return self.private.sign(message, padding.PKCS1v15(), hashes.SHA256())
        if self.algorithm == "ES256":
            r, s = decode_dss_signature(self.private.sign(message, ec.ECDSA(hashes.SHA256())))
            return r.to_bytes(32, "big") + s.to_bytes(32, "big")
        return self.private.sign(message)

    def token(self, claims, **header):
        head = {"alg": self.algorithm, "kid": self.id, "typ": "JWT"} | header
        text = ".".join(b64(json.dumps(part).encode()) for part in (head, claims))
        return text + "." + b64(self.sign(text.encode()))


class Provider:
    """The provider with its knobs; each test sets some of them, and `reset` takes them back."""

    def __init__(self, host="127.0.0.1"):
        self.redirects = set()
        self.keys = {name: Key(name) for name in ("RS256", "ES256", "EdDSA")}
        self.users = {}
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (Handler,), {"provider": self}))
        self.server.daemon_threads = True
        self.issuer = f"http://{host}:{self.server.server_address[1]}"
        self.reset()
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def reset(self):
        #: The key that signs, and those that are published.
        self.key, self.published = self.keys["RS256"], [key.jwk for key in self.keys.values()]
        #: Members of the metadata, of ID tokens and of answers of the token endpoint in place of the right ones; None: left out.
        self.metadata, self.claims, self.answer, self.header = {}, {}, {}, {}
        #: The members of the provider's redirect to the client; None: left out.
        self.redirect = {}
        #: Makes an ID token of its claims in place of `key`.
        self.sign = None
        #: Called before the token endpoint and the keys are answered.
        self.before_token = self.before_keys = lambda: None
        #: The raw body of the token endpoint's answer.
        self.raw = None
        #: The claims of the UserInfo endpoint beside `sub`.
        self.info = {}
        self.is_public_client = False
        self.requests, self.faults, self.codes, self.access = [], [], {}, {}

    def user(self, login, subject=None, **claims):
        """Adds a user, who is in the form by this name."""
        usual = {"sub": subject or f"sub of {login}", "preferred_username": login, "name": login.title()}
        self.users[login] = usual | claims
        return login

    def document(self):
        base = self.issuer
        return changed({
            "issuer": base, "authorization_endpoint": base + "/authorize", "token_endpoint": base + "/token",
            "jwks_uri": base + "/keys", "userinfo_endpoint": base + "/userinfo", "response_types_supported": ["code"],
            "code_challenge_methods_supported": ["S256"], "id_token_signing_alg_values_supported": ["RS256"],
            "subject_types_supported": ["public"], "authorization_response_iss_parameter_supported": True,
        }, self.metadata)

    def fault_of_request(self, asked):
        """What is wrong with an authorization request; None: nothing is."""
        if asked.get("redirect_uri") not in self.redirects:
            return "redirect_uri is not registered"
        for name, right in (("client_id", CLIENT), ("response_type", "code"), ("code_challenge_method", "S256")):
            if asked.get(name) != right:
                return f"{name} must be {right}"
        for name in ("state", "nonce", "code_challenge"):
            if len(asked.get(name, "")) < 43:
                return f"{name} is missing or short"
        return None if "openid" in asked.get("scope", "").split() else "scope lacks openid"

    def code(self, asked, user):
        code = secrets.token_urlsafe(24)
        self.codes[code] = asked | {"user": user}
        return code

    def id_token(self, asked, access):
        now = int(time.time())
        half = hashlib.sha512 if self.key.algorithm == "EdDSA" else hashlib.sha256
        digest = half(access.encode()).digest()
        claims = changed({
            "iss": self.issuer, "aud": CLIENT, "iat": now, "exp": now + 300, "nonce": asked["nonce"],
            "at_hash": b64(digest[:len(digest) // 2]),
        } | ({"auth_time": now} if "max_age" in asked else {}) | self.users[asked["user"]], self.claims)
        return self.sign(claims) if self.sign else self.key.token(claims, **self.header)

    def exchange(self, form, authorization):
        """The answer of the token endpoint: status and members."""
        if self.is_public_client:
            client = form.get("client_id")
        else:
            kind, _, pair = authorization.partition(" ")
            client, _, secret = base64.b64decode(pair).decode().partition(":") if kind == "Basic" else ("", "", "")
            if unquote(secret) != SECRET:
                return self.fault("invalid_client", "the client's secret is wrong")
        if client != CLIENT:
            return self.fault("invalid_client", "the client is unknown")
        asked = self.codes.pop(form.get("code"), None)
        if asked is None:
            return self.fault("invalid_grant", "the code is unknown or used")
        if form.get("grant_type") != "authorization_code" or form.get("redirect_uri") != asked["redirect_uri"]:
            return self.fault("invalid_grant", "the grant or its redirect_uri is wrong")
        if b64(hashlib.sha256(form.get("code_verifier", "").encode()).digest()) != asked["code_challenge"]:
            return self.fault("invalid_grant", "code_verifier is missing or wrong")
        access = secrets.token_urlsafe(24)
        self.access[access] = self.users[asked["user"]]["sub"]
        return 200, changed(
            {"access_token": access, "token_type": "Bearer", "expires_in": 300, "id_token": self.id_token(asked, access)},
            self.answer,
        )

    def fault(self, word, sentence):
        self.faults.append(sentence)
        return 400, {"error": word, "error_description": sentence}


def changed(members, changes):
    return {name: value for name, value in (members | changes).items() if value is not None}


class Handler(BaseHTTPRequestHandler):
    provider: Provider

    def log_message(self, *arguments):
        pass

    def do_GET(self):
        url = urlsplit(self.path)
        self.provider.requests.append(url.path)
        if url.path == "/.well-known/openid-configuration":
            self.json(200, self.provider.document())
        elif url.path == "/keys":
            self.provider.before_keys()
            self.json(200, {"keys": self.provider.published})
        elif url.path == "/authorize":
            self.authorize(dict(parse_qsl(url.query)))
        elif url.path == "/userinfo":
            subject = self.provider.access.get((self.headers.get("Authorization") or "").removeprefix("Bearer "))
            self.json(200 if subject else 401, {"sub": subject} | self.provider.info)
        else:
            self.send(404, "text/plain", b"nothing here")

    def do_POST(self):
        url = urlsplit(self.path)
        self.provider.requests.append(url.path)
        form = dict(parse_qsl(self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()))
        if url.path == "/token":
            self.provider.before_token()
            status, members = self.provider.exchange(form, self.headers.get("Authorization") or "")
            if self.provider.raw is not None:
                return self.send(200, "application/json", self.provider.raw)
            self.json(status, members)
        elif url.path == "/login":
            asked = json.loads(form.pop("request"))
            fault = self.provider.fault_of_request(asked)
            if fault:
                return self.send(400, "text/plain", fault.encode())
            if "cancel" in form:
                answer = {"error": "access_denied"}
            else:
                if form["user"] not in self.provider.users:
                    self.provider.user(form["user"])
                answer = {"code": self.provider.code(asked, form["user"])}
            answer = changed(answer | {"state": asked["state"], "iss": self.provider.issuer}, self.provider.redirect)
            self.send_response(303)
            self.send_header("Location", asked["redirect_uri"] + "?" + urlencode(answer))
            self.send_header("Content-Length", "0")
            self.end_headers()
        elif url.path == "/redirects":
            self.provider.redirects.add(form["uri"])
            self.json(200, {})
        else:
            self.send(404, "text/plain", b"nothing here")

    def authorize(self, asked):
        fault = self.provider.fault_of_request(asked)
        if fault:
            self.provider.faults.append(fault)
            return self.send(400, "text/plain", fault.encode())
        page = f"""<!doctype html><meta charset="utf-8"><title>Provider</title><form method="post" action="/login">
            <input type="hidden" name="request" value="{html.escape(json.dumps(asked))}">
            <label>User <input name="user" autofocus></label> <button>Sign in</button>
            <button name="cancel" value="1">Cancel</button></form>"""
        self.send(200, "text/html; charset=utf-8", page.encode())

    def json(self, status, members):
        self.send(status, "application/json", json.dumps(members).encode())

    def send(self, status, kind, body):
        try:
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
        except OSError:
            pass  # A client that has enough goes away.


if __name__ == "__main__":
    provider = Provider(*sys.argv[1:])
    print(f"The provider is {provider.issuer}", flush=True)
    threading.Event().wait()
