"""Chromium as a person has it, on a network of its own, driven over the pipe of its DevTools protocol."""

import itertools
import json
import os
import pathlib
import shlex
import subprocess
import threading
import time

from terminal import end_with_the_tests

HERE = pathlib.Path(__file__).parent
# The sandbox does not run as root. The microphone plays a file; all else is as people have it, certificates included.
OPTIONS = [
    "--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update", "--disable-breakpad", "--disable-dev-shm-usage",
    "--use-fake-device-for-media-stream", "--password-store=basic", "--lang=en", "--mute-audio",
    "--window-size=1000,800",
]


class BrowserError(Exception):
    """What the browser refuses, or what a page throws."""


class Browser:
    """A Chromium with one page.

    `namespace` is its network, `home` the home of its user, `hosts` the names that its machine knows, `microphone` the WAV
    file that its microphone plays in a loop.
    """

    def __init__(self, namespace, home, hosts, microphone):
        home.mkdir(parents=True, exist_ok=True)
        (home / "hosts").write_text("127.0.0.1 localhost\n" + "".join(f"{address} {name}\n" for name, address in hosts.items()))
        commands, self.commands = os.pipe()
        self.answers, answers = os.pipe()
        words = ["chromium", *OPTIONS, f"--user-data-dir={home}/profile", f"--use-file-for-fake-audio-capture={microphone}",
                 "about:blank"]
        script = (f"mount --make-rprivate / && mount --bind {shlex.quote(str(home))}/hosts /etc/hosts && "
                  f"exec 3<&{commands} 4>&{answers} && exec nsenter --net={namespace} env HOME={shlex.quote(str(home))} "
                  + " ".join(shlex.quote(word) for word in words))
        self.log = open(home / "chromium.log", "wb")
        self.process = subprocess.Popen(["unshare", "--mount", "bash", "-c", script], stdin=subprocess.DEVNULL,
                                        stdout=self.log, stderr=self.log, pass_fds=(commands, answers),
                                        preexec_fn=end_with_the_tests, start_new_session=True)
        os.close(commands)
        os.close(answers)
        self.numbers = itertools.count(1)
        self.changed = threading.Condition()
        self.results = {}
        self.isOver = False
        threading.Thread(target=self.read, daemon=True).start()
        targets = self.send("Target.getTargets")["targetInfos"]
        target = next(one["targetId"] for one in targets if one["type"] == "page")
        self.session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime"):
            self.page(f"{domain}.enable")
        self.page("Page.addScriptToEvaluateOnNewDocument", source=(HERE / "ear.js").read_text())

    def read(self):
        rest = b""
        while more := os.read(self.answers, 1 << 16):
            *messages, rest = (rest + more).split(b"\0")
            with self.changed:
                for message in map(json.loads, messages):
                    if "id" in message:
                        self.results[message["id"]] = message
                self.changed.notify_all()
        with self.changed:
            self.isOver = True
            self.changed.notify_all()

    def send(self, method, *, session=None, seconds=30, **parameters):
        """Sends a command; returns its result."""
        number = next(self.numbers)
        message = {"id": number, "method": method, "params": parameters} | ({"sessionId": session} if session else {})
        os.write(self.commands, json.dumps(message).encode() + b"\0")
        with self.changed:
            isThere = self.changed.wait_for(lambda: number in self.results or self.isOver, seconds)
            if not isThere or number not in self.results:
                log = pathlib.Path(self.log.name).read_text(errors="replace")[-1000:]
                raise BrowserError(f"{method}: no answer; {log}")
            answer = self.results.pop(number)
        if "error" in answer:
            raise BrowserError(f"{method}: {answer['error']}")
        return answer["result"]

    def page(self, method, **parameters):
        """Sends a command to the page."""
        return self.send(method, session=self.session, **parameters)

    def open(self, url):
        """Opens an address; raises the browser's error where it refuses to."""
        failure = self.page("Page.navigate", url=url).get("errorText")
        if failure:
            raise BrowserError(failure)

    def value(self, expression):
        """The value of an expression in the page, a promise's included."""
        result = self.page("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            raise BrowserError(result["exceptionDetails"].get("exception", {}).get("description", str(result)))
        return result["result"].get("value")

    def waitFor(self, expression, seconds=30):
        """Waits until an expression is true; returns its value."""
        end = time.monotonic() + seconds
        while True:
            try:
                if value := self.value(expression):
                    return value
            except BrowserError as error:
                # The page is being replaced, or has none of what is asked for yet.
                if "context" not in str(error) and "null" not in str(error) and "undefined" not in str(error):
                    raise
            if time.monotonic() > end:
                raise BrowserError(f"not {expression}; the page has: {self.value('document.body?.innerText')}")
            time.sleep(0.05)

    def click(self, expression):
        """Clicks the middle of an element with the mouse, once it has been in its place for as long as a hand takes."""
        x, y = self.value(f"ear.aim(() => {expression})")
        for kind in ("mousePressed", "mouseReleased"):
            self.page("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def enter(self, expression, text):
        """Clicks a field, and types a text in place of what it has."""
        self.click(expression)
        self.value(f"({expression}).select()")
        self.page("Input.insertText", text=text)

    def press(self, key, code):
        """Presses and releases a key."""
        text = {"text": "\r"} if key == "Enter" else {}
        self.page("Input.dispatchKeyEvent", type="keyDown", key=key, code=key, windowsVirtualKeyCode=code, **text)
        self.page("Input.dispatchKeyEvent", type="keyUp", key=key, code=key, windowsVirtualKeyCode=code)

    def close(self):
        """Ends it."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, 9)
            self.process.wait()
        os.close(self.commands)
        self.log.close()
