"""The real hub, in a folder of its own: started, stopped, started again, and looked at from outside."""

import ctypes
import hashlib
import json
import os
import pathlib
import re
import signal
import sqlite3
import subprocess
import tempfile
import time

from phone import PATIENCE, Phone

PROGRAM = os.environ.get("CALLHUB") or str(pathlib.Path(__file__).parents[2] / ".build/debug/callhub")

PR_SET_PDEATHSIG = 1

# A password is looked at when nothing else is to be done, which takes its time on a machine that is busy.
SLOW = {"session": {"signInTimeoutSeconds": 60}}


def end_with_the_tests():
    """Has the hub end when the tests are killed: nobody else would end it."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


class Hub:
    """A hub with settings of its own, on a port that the system chooses.

    `accounts` are made before it starts: a name for each, with its handles as `callhub account add` takes them. `files` are
    in its folder, which settings may name as `{folder}`, and for its user alone.
    """

    PASSWORD = "correct horse battery staple"

    def __init__(self, settings=None, accounts=None, files=None):
        self._folder = tempfile.TemporaryDirectory(prefix="callhub-contract-")
        self.folder = pathlib.Path(self._folder.name)
        self.settings = {"calls": {"ringTimeoutSeconds": 25}, "log": {"level": "debug"}, "drain": {"graceSeconds": 0}, "limits": {"overloadBusyShare": 1}} | SLOW | (settings or {})
        self.phones = []
        self.port = 0
        try:
            for name, text in (files or {}).items():
                (self.folder / name).write_text(text)
                (self.folder / name).chmod(0o600)
            for name, handles in (accounts or {}).items():
                self.account("add", name, *(part for handle in handles for part in ("--handle", handle)), "--password-stdin")
            self.start()
        except BaseException:
            self._folder.cleanup()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        try:
            for phone in self.phones:
                phone.leave()
            self.stop()
        finally:
            self._folder.cleanup()

    @property
    def url(self):
        return f"ws://127.0.0.1:{self.port}/v1"

    @property
    def database(self):
        return self.folder / "data" / "callhub.db"

    def account(self, *arguments):
        """Runs `callhub account …` on the hub's database."""
        command = [PROGRAM, "account", *arguments, "--data", str(self.folder / "data")]
        done = subprocess.run(command, input=self.PASSWORD + "\n", capture_output=True, text=True, timeout=20)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def invite(self, *arguments):
        """Runs `callhub invite …` on the hub's database; returns the secret of the link that it prints."""
        command = [PROGRAM, "invite", *arguments, "--data", str(self.folder / "data")]
        done = subprocess.run(command, capture_output=True, text=True, timeout=20)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip().partition("#i=")[2]

    def audit(self, limit=100):
        """The newest entries of the audit log, the oldest first, as `callhub admin audit` prints them."""
        command = [PROGRAM, "admin", "audit", "--json", "--limit", str(limit), "--data", str(self.folder / "data")]
        done = subprocess.run(command, capture_output=True, text=True, timeout=20)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)["entries"][::-1]

    def start(self):
        """Starts it; the second time on the port that it had."""
        config = self.folder / "callhub.json5"
        config.write_text(json.dumps(self.settings).replace("{folder}", str(self.folder)))
        command = [PROGRAM, "serve", "--config", config, "--data", self.folder / "data", "--listen", f"127.0.0.1:{self.port}"]
        with open(self.folder / "log", "ab") as log:
            self.process = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=log, text=True, preexec_fn=end_with_the_tests
            )
        line = self.process.stdout.readline()
        found = re.search(r"listens on http://127\.0\.0\.1:(\d+)", line)
        assert found, f"the hub did not start: {line!r} {self.log}"
        self.port = int(found[1])

    def stop(self, by=signal.SIGTERM):
        """Ends it; a hub that was asked to end must do so in good order."""
        if self.process.poll() is None:
            self.process.send_signal(by)
        status = self.process.wait(timeout=20)
        self.process.stdout.close()
        assert status == (0 if by == signal.SIGTERM else -by), f"the hub ended with {status}: {self.log[-2000:]}"

    @property
    def log(self):
        return (self.folder / "log").read_text(errors="replace")

    def logs(self, words):
        """Waits for words in the log, which a thread of its own writes."""
        deadline = time.monotonic() + PATIENCE
        while words not in self.log:
            assert time.monotonic() < deadline, f"no \"{words}\" in {self.log[-2000:]}"
            time.sleep(0.01)

    @property
    def cpu_seconds(self):
        """The CPU time that the hub has used: unlike the clock it does not go on while others run."""
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    @property
    def is_running(self):
        return self.process.poll() is None

    def reload(self):
        self.process.send_signal(signal.SIGHUP)

    def phone(self, account=None, device=None, **opening):
        """A phone that is signed in."""
        phone = self.stranger()
        phone.sign_in(account, device, **opening)
        return phone

    def stranger(self, address="127.0.0.1", origin=None):
        """A phone that has a connection and has not signed in; with an origin a web page."""
        phone = Phone(self.url, address, origin)
        self.phones.append(phone)
        return phone

    def stored(self):
        """All that the hub's files say: each table with its rows, and the calls that are on their way there."""
        with sqlite3.connect(f"file:{self.database}?mode=ro", uri=True) as file:
            names = [name for (name,) in file.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
            tables = {name: sorted(map(repr, file.execute(f'SELECT * FROM "{name}"'))) for name in names}
        file.close()
        journal = self.folder / "data" / "callhub.db.recents"
        return tables | {journal.name: hashlib.sha256(journal.read_bytes()).hexdigest()}
