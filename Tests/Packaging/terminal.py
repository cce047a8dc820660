"""Commands as people type them: on a terminal, with answers to what they ask, and with ^C."""

import ctypes
import fcntl
import os
import pty
import re
import signal
import struct
import subprocess
import termios
import threading
import time

ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def end_with_the_tests():
    """Has a process end when the tests are killed: nobody else would end it."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)


class Typed:
    """A command that runs on a terminal of its own.

    `answers` are pairs of a pattern and the line that is typed when the command has printed it, in that order.
    """

    def __init__(self, words, answers=()):
        own, other = pty.openpty()
        # 120 columns and 60 lines: room for a QR code.
        fcntl.ioctl(other, termios.TIOCSWINSZ, struct.pack("HHHH", 60, 120, 0, 0))

        def prepare():
            end_with_the_tests()
            os.setsid()
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)

        self.words = words
        self.process = subprocess.Popen(words, stdin=other, stdout=other, stderr=other, preexec_fn=prepare)
        os.close(other)
        self.own = own
        self.changed = threading.Condition()
        self.bytes = b""
        self.isOver = False
        self.answers = list(answers)
        self.answered = 0
        threading.Thread(target=self.read, daemon=True).start()

    @property
    def text(self):
        """All that it has printed, without colours."""
        return ESCAPES.sub("", self.bytes.decode("utf-8", "replace")).replace("\r\n", "\n")

    def read(self):
        while True:
            try:
                more = os.read(self.own, 65536)
            except OSError:
                more = b""
            with self.changed:
                self.bytes += more
                self.isOver = not more
                self.changed.notify_all()
                if self.answers:
                    pattern, line = self.answers[0]
                    if match := re.search(pattern, self.text[self.answered :]):
                        self.answered += match.end()
                        self.answers.pop(0)
                        os.write(self.own, line.encode() + b"\n")
            if not more:
                return

    def waitFor(self, pattern, seconds=30):
        """Waits until it has printed a text; returns the match."""
        end = time.monotonic() + seconds
        with self.changed:
            while not (match := re.search(pattern, self.text)):
                rest = end - time.monotonic()
                assert rest > 0 and not self.isOver, f"{self.words[-1]}: no {pattern!r} in {self.text!r}"
                self.changed.wait(rest)
        return match

    def code(self, seconds=60):
        """Waits for its end; returns its exit code."""
        try:
            code = self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"{self.words[-1]} does not end: {self.text!r}") from None
        with self.changed:
            self.changed.wait_for(lambda: self.isOver, 5)
        return code

    def interrupt(self):
        """Presses ^C."""
        os.write(self.own, b"\x03")

    def kill(self):
        """Ends it at once."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
