"""A push service and its browsers, for tests: takes messages over HTTPS and says on standard output what they are.

Nothing in here is ours: messages are decrypted by http_ece, the hub's tokens verified by PyJWT, keys are cryptography's.
What becomes of a message is the beginning of its endpoint's name: see `ANSWERS`. Arguments: a folder for its certificate, and
the name that the certificate is for.
"""

import base64
import http.server
import json
import os
import ssl
import subprocess
import sys
import threading

import http_ece
import jwt
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

# What the service answers, the last answer for good; None: nothing at all.
ANSWERS = {
    "/gone": [(410, {})],
    "/missing": [(404, {})],
    "/busy": [(429, {"Retry-After": "1"}), (201, {})],
    "/broken": [(500, {})],
    "/moved": [(307, {"Location": "/stolen"})],
    "/refused": [(403, {})],
    "/hang": [None],
}
BROWSER = ec.generate_private_key(ec.SECP256R1())
SECRET = os.urandom(16)


def decoded(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def encoded(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def say(message):
    with LOCK:
        print(json.dumps(message), flush=True)


def claims(header):
    """What the hub says of itself, verified by the key that browsers subscribed with (RFC 8292)."""
    scheme, _, rest = header.partition(" ")
    assert scheme == "vapid", scheme
    fields = dict(part.strip().split("=", 1) for part in rest.split(","))
    key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decoded(fields["k"]))
    audience = f"https://localhost:{server.server_port}"
    options = {"require": ["exp", "aud", "sub"]}
    return jwt.decode(fields["t"], key, algorithms=["ES256"], audience=audience, options=options) | {"key": fields["k"]}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        message = {"path": self.path, "headers": {name.lower(): value for name, value in self.headers.items()}}
        try:
            text = http_ece.decrypt(body, private_key=BROWSER, auth_secret=SECRET, version="aes128gcm")
            message |= {"bytes": len(body), "text": json.loads(text), "claims": claims(self.headers["Authorization"])}
        except Exception as error:
            message["error"] = repr(error)
        with LOCK:
            count = COUNTS.get(self.path, 0)
            COUNTS[self.path] = count + 1
        answers = next((a for beginning, a in ANSWERS.items() if self.path.startswith(beginning)), [(201, {})])
        answer = answers[min(count, len(answers) - 1)]
        say(message)
        if answer is None:
            FOREVER.wait()
            return
        self.send_response(answer[0])
        for name, value in answer[1].items():
            self.send_header(name, value)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, request, address):
        """Who does not like our certificate goes away."""


LOCK, FOREVER, COUNTS = threading.Lock(), threading.Event(), {}
folder, name = sys.argv[1], sys.argv[2]
certificate, key = folder + "/push-certificate.pem", folder + "/push-key.pem"
subprocess.run(
    ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate, "-days", "2"]
    + ["-subj", f"/CN={name}", "-addext", f"subjectAltName=DNS:{name}"],
    check=True,
    stderr=subprocess.DEVNULL,
)
server = Server(("127.0.0.1", 0), Handler)
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(certificate, key)
server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
point = BROWSER.public_key().public_bytes(
    serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
)
say({"port": server.server_port, "certificate": certificate, "p256dh": encoded(point), "auth": encoded(SECRET)})
threading.Thread(target=server.serve_forever, daemon=True).start()
# Whoever started it has gone when there is nothing more to read.
sys.stdin.read()
