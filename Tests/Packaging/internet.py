"""The part of the internet that a public name needs: Let's Encrypt, played by pebble, Debian's test server for ACME.

Machines know it by Let's Encrypt's own address, so that programs are used as they are.
"""

import json
import subprocess
import time

from terminal import end_with_the_tests

NAME = "calls.example.org"
AUTHORITY = "acme-v02.api.letsencrypt.org"
# Pebble's directory has another path; what follows in it has the name that was asked.
PROXY = """{
	admin off
	auto_https off
}
https://%s {
	tls %s/server.crt %s/server.key
	rewrite /directory /dir
	reverse_proxy https://127.0.0.1:14000 {
		header_up Host {host}
		transport http {
			tls_insecure_skip_verify
		}
	}
}
"""


class Internet:
    """A certificate authority for public names, which looks for `calls.example.org` at a server's address."""

    def __init__(self, network, folder, server):
        self.folder = folder
        self.namespace, self.address = network.join("internet", 200)
        self.programs = []
        for name, subject in (("server", AUTHORITY), ("local", "localhost")):
            self.certificate(name, subject)
        configuration = {"listenAddress": "127.0.0.1:14000", "managementListenAddress": "127.0.0.1:15000", "httpPort": 80,
                         "tlsPort": 443, "certificate": f"{folder}/local.crt", "privateKey": f"{folder}/local.key"}
        (folder / "pebble.json").write_text(json.dumps({"pebble": configuration}))
        (folder / "Caddyfile").write_text(PROXY % (AUTHORITY, folder, folder))
        self.start("pebble-challtestsrv", "-http01", "", "-https01", "", "-tlsalpn01", "", "-management", "",
                   "-defaultIPv6", "", "-defaultIPv4", server.address, "-dns01", "127.0.0.1:8053")
        self.start("env", "PEBBLE_VA_NOSLEEP=1", "pebble", "-config", f"{folder}/pebble.json", "-dnsserver", "127.0.0.1:8053")
        self.start("env", f"HOME={folder}", "caddy", "run", "--config", f"{folder}/Caddyfile", "--adapter", "caddyfile")
        self.root = folder / "root.crt"
        self.root.write_text(self.fetch("https://127.0.0.1:15000/roots/0"))
        self.fetch(f"https://{AUTHORITY}/directory")
        # The server knows Let's Encrypt, and its authority.
        hosts = server.root / "etc/hosts"
        hosts.write_text(hosts.read_text() + f"{self.address} {AUTHORITY}\n")
        server.copy(folder / "server.crt", "/usr/local/share/ca-certificates/internet.crt")
        server.run("update-ca-certificates")

    def certificate(self, name, subject):
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "3",
                        "-subj", f"/CN={subject}", "-addext", f"subjectAltName=DNS:{subject}", "-keyout",
                        self.folder / f"{name}.key", "-out", self.folder / f"{name}.crt"], check=True, capture_output=True)

    def start(self, *words):
        log = open(self.folder / "internet.log", "ab")
        self.programs.append(subprocess.Popen(["nsenter", f"--net={self.namespace}", *words], stdin=subprocess.DEVNULL,
                                              stdout=log, stderr=log, preexec_fn=end_with_the_tests))

    def fetch(self, url):
        """The text of an address, as soon as it answers."""
        end = time.monotonic() + 30
        command = ["nsenter", f"--net={self.namespace}", "curl", "-sSfk", "--resolve", f"{AUTHORITY}:443:{self.address}", url]
        while (done := subprocess.run(command, capture_output=True, text=True)).returncode != 0:
            assert time.monotonic() < end, done.stderr + (self.folder / "internet.log").read_text()
            time.sleep(0.1)
        return done.stdout

    def waitForCertificate(self, server):
        """Waits until a server shows a certificate of this authority for its name."""
        end = time.monotonic() + 60
        command = ["nsenter", f"--net={self.namespace}", "curl", "-sSf", "--cacert", self.root, "--resolve",
                   f"{NAME}:443:{server.address}", f"https://{NAME}/healthz"]
        while (done := subprocess.run(command, capture_output=True, text=True)).returncode != 0:
            assert time.monotonic() < end, done.stderr + (self.folder / "internet.log").read_text()
            time.sleep(0.1)

    def close(self):
        """Ends its programs."""
        for program in self.programs:
            program.kill()
            program.wait()
