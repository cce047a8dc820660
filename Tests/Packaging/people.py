"""People who do what the documents say, step by step, and the count of their steps."""

import re
import subprocess
import time

import sound
from browser import Browser

PASSWORD = "eleven green bottles"


class Steps:
    """The steps of everyone in their order.

    A step is a command that is typed, a link that is opened, a form that is filled and sent, or a button that is tapped.
    What somebody reads, compares or waits for is none. Its kind is `server`, `trust` (of a certificate), `person`, `call`, or
    `question` (of the browser, for the microphone).
    """

    def __init__(self):
        self.all = []
        self.began = None

    def take(self, kind, who, what):
        """Counts a step."""
        if self.began is None:
            self.began = time.monotonic()
        self.all.append((self.seconds, kind, who, what))

    @property
    def seconds(self):
        """The seconds since the first step began."""
        return time.monotonic() - self.began

    def of(self, kind):
        """The steps of a kind."""
        return [what for _, one, _, what in self.all if one == kind]

    def __str__(self):
        lines = (f"{index:3}. {at:5.1f} s  {kind:8}  {who:6}  {what}" for index, (at, kind, who, what) in enumerate(self.all, 1))
        return "\n".join(lines)


class Administrator:
    """Somebody at the terminal of a server."""

    def __init__(self, machine, steps):
        self.machine = machine
        self.steps = steps

    def type(self, command, **options):
        """Types a command, and lets it run."""
        self.steps.take("server", "admin", command)
        return self.machine.type(command, **options)

    def run(self, command, **options):
        """Types a command, and waits for its end; returns what it prints."""
        typed = self.type(command, **options)
        assert typed.code(100) == 0, typed.text
        return typed.text


class Person:
    """Somebody with a browser on a machine of their own, whose microphone hears one tone."""

    def __init__(self, name, hertz, network, number, folder, steps, hosts=None):
        self.name = name
        self.hertz = hertz
        self.steps = steps
        self.home = folder / name
        self.home.mkdir()
        self.namespace, self.address = network.join(name, number)
        self.hosts = hosts or {}
        self.microphone = self.home / "voice.wav"
        sound.write(self.microphone, hertz)
        self.database = f"sql:{self.home}/.pki/nssdb"
        (self.home / ".pki/nssdb").mkdir(parents=True)
        subprocess.run(["certutil", "-N", "--empty-password", "-d", self.database], check=True)
        self.browser = None

    def start(self):
        """Starts the browser."""
        self.browser = Browser(self.namespace, self.home, self.hosts, self.microphone)

    def close(self):
        """Ends the browser."""
        if self.browser:
            self.browser.close()
            self.browser = None

    def refusal(self, url):
        """What the browser says of an address that it refuses; None: it opens it."""
        self.start()
        try:
            self.browser.open(url)
        except Exception as error:
            return str(error)
        finally:
            self.close()
        return None

    def have(self, certificate):
        """Has trusted an authority all along, as all browsers have those of public certificates."""
        subprocess.run(["certutil", "-d", self.database, "-A", "-n", certificate.stem, "-t", "C,,", "-i", certificate], check=True)

    def trust(self, command, fingerprint):
        """Trusts the authority of a server by a command, and compares the fingerprint with that which its terminal shows."""
        self.steps.take("trust", self.name, command)
        subprocess.run(["nsenter", f"--net={self.namespace}", "env", f"HOME={self.home}", "bash", "-c", f"cd && {command}"],
                       check=True)
        shown = subprocess.run(["openssl", "x509", "-in", self.home / "callhub-ca.crt", "-noout", "-fingerprint", "-sha256"],
                               check=True, capture_output=True, text=True).stdout
        assert fingerprint in shown, shown

    def open(self, link):
        """Opens a link."""
        self.steps.take("person", self.name, f"opens {re.sub('=.*', '=…', link)}")
        if not self.browser:
            self.start()
        self.browser.open(link)

    def register(self):
        """Fills the form of an invitation with name and password, and sends it."""
        self.browser.waitFor("document.querySelector('form input[name=password]')" + " !== null")
        self.steps.take("person", self.name, "sends the form: name and password")
        self.browser.enter("document.querySelector('input[name=account]')", self.name)
        self.browser.enter("document.querySelector('input[name=password]')", PASSWORD)
        self.browser.click("document.querySelector('form button[type=submit]')")
        self.browser.waitFor("document.querySelector('#dial-field') !== null")

    def call(self, name):
        """Types a name and sends it."""
        self.steps.take("call", self.name, f"calls {name}: types the name, Enter")
        self.browser.enter("document.querySelector('#dial-field')", name)
        self.browser.press("Enter", 13)

    def answer(self):
        """Taps the button that answers."""
        button = "document.querySelector('button.choice.accept')"
        self.browser.waitFor(f"{button} !== null")
        self.steps.take("call", self.name, "taps Answer")
        self.browser.click(button)

    def allowMicrophone(self):
        """Taps Allow where the browser asks for the microphone."""
        self.browser.waitFor("ear.isAsking")
        self.steps.take("question", self.name, "taps Allow in the browser's question for the microphone")
        self.browser.send("Browser.grantPermissions", permissions=["audioCapture"])
        self.browser.value("ear.allow()")

    def hears(self, hertz, seconds=3, patience=20):
        """Waits until a tone and not their own is heard, as often as it sounds, for some seconds; returns its amplitude."""
        end = time.monotonic() + patience
        heard, since = 0.0, time.monotonic()
        last = time.monotonic()
        while True:
            level, own = self.browser.value(f"ear.levels([{hertz}, {self.hertz}])")
            now = time.monotonic()
            if level > 0.02:
                assert own < 0.1 * level, f"{self.name} hears their own voice ({own}) beside the other's ({level})"
                # The tone pauses for 0.15 s; a gap of a second is none of its own.
                if now - last > 1:
                    heard, since = 0.0, now
                heard, last = max(heard, level), now
                if now - since > seconds:
                    return heard
            assert now < end, f"{self.name} does not hear {hertz} Hz: {level}; {self.browser.value('document.body.innerText')}"
            time.sleep(0.1)
