"""A client of the hub, written from the protocol's text on somebody else's WebSocket.

All connections live on one asyncio loop in a thread of its own, which stamps each message as it comes; tests ask and wait
from their own thread. Nothing here sleeps: what is awaited is a message, until a deadline.
"""

import asyncio
import itertools
import json
import threading
import time
import urllib.parse
import uuid

import websockets

import reference

LOOP = asyncio.new_event_loop()
threading.Thread(target=LOOP.run_forever, daemon=True).start()

# The hub answers in milliseconds. This is for a machine that has other things to do.
PATIENCE = 30


def generic(value):
    return {"type": "generic", "value": value}


def number(value):
    return {"type": "phoneNumber", "value": value}


class Refused(Exception):
    """An error that the hub has answered."""

    def __init__(self, error):
        super().__init__(f"{error['code']} {error['message']} {error.get('data')}")
        self.code, self.message, self.data = error["code"], error["message"], error.get("data", {})
        self.name = self.data.get("name")


class Silence(AssertionError):
    """What was awaited has not come."""


class Phone:
    """One connection to the hub, and the session on it."""

    def __init__(self, url, address="127.0.0.1", origin=None):
        self._news = threading.Condition()
        self._ids = itertools.count(1)
        self._answers = {}
        self._unread = []
        # Every notification with the time at which it came, the oldest first.
        self.stream = []
        # Every packet of audio and every report with the time at which it came, the oldest first.
        self.received = []
        self.session = None
        # The number of the first notification: those before it went to the connection whose session this one has taken up.
        self.first = 1
        self.closed = None
        # As a page of that address has it, whose name leads to this machine.
        page = {"origin": origin, "host": "127.0.0.1", "port": urllib.parse.urlsplit(url).port} if origin else {}
        url = url.replace("127.0.0.1", urllib.parse.urlsplit(origin).hostname) if origin else url
        opening = websockets.connect(
            url, subprotocols=["callhub.v1"], local_addr=(address, 0), max_size=None, compression=None, ping_interval=None,
            **page,
        )
        self._socket = self._on_loop(self._connect(opening))
        self._reader = asyncio.run_coroutine_threadsafe(self._read(), LOOP)

    @staticmethod
    async def _connect(opening):
        return await opening

    @staticmethod
    def _on_loop(coroutine):
        return asyncio.run_coroutine_threadsafe(coroutine, LOOP).result(PATIENCE)

    async def _read(self):
        try:
            async for message in self._socket:
                came = time.perf_counter()
                if isinstance(message, bytes):
                    with self._news:
                        self.received.append((came, message))
                        self._news.notify_all()
                    continue
                message = json.loads(message)
                with self._news:
                    if "method" in message:
                        self.stream.append((came, message["method"], message["params"]))
                        self._unread.append((message["method"], message["params"]))
                    else:
                        self._answers[message["id"]] = (came, message)
                    self._news.notify_all()
        finally:
            with self._news:
                self.closed = (self._socket.close_code, self._socket.close_reason)
                self._news.notify_all()

    # Asking

    def sign_in(self, account=None, device=None, **opening):
        """Signs in; what the session is, is in `session`."""
        if account is not None:
            opening["account"] = account
        if device is not None:
            opening["device"] = device if isinstance(device, dict) else {"id": device}
        self.session = self.ask("session.open", **opening)
        return self.session

    def send(self, text):
        """Sends a text as it is, or the bytes of a packet."""
        self._on_loop(self._socket.send(text))

    def begin(self, method, **parameters):
        """Asks, and does not wait; the request's id."""
        request = next(self._ids)
        message = {"jsonrpc": "2.0", "id": request, "method": method, "params": parameters}
        self.send(json.dumps(message, ensure_ascii=False))
        return request

    def answer(self, request, within=PATIENCE):
        """The answer to a request: when it came, and the message."""
        with self._news:
            arrived = self._news.wait_for(lambda: request in self._answers or self.closed, within)
            if request in self._answers:
                return self._answers.pop(request)
        raise Silence(f"no answer to request {request}; closed: {self.closed}" if arrived else f"no answer in {within} s")

    def ask(self, method, **parameters):
        """What the hub answers, which must be as the reference has it."""
        _, message = self.answer(self.begin(method, **parameters))
        if "error" in message:
            reference.check_error(method, message["error"])
            raise Refused(message["error"])
        reference.check_result(method, message["result"])
        if message["result"] is not None and message["result"].get("resumed"):
            self.first = parameters["resume"]["seq"] + 1
        return message["result"]

    def ask_all(self, method, many, at_once=100):
        """What the hub answers to many requests, of which some are always under way."""
        underway, results = [], []
        for parameters in itertools.chain(many, itertools.repeat(None, at_once)):
            if len(underway) == at_once or (parameters is None and underway):
                results.append(self.answer(underway.pop(0))[1])
            if parameters is not None:
                underway.append(self.begin(method, **parameters))
        return [message.get("result", message.get("error")) for message in results]

    def refused(self, code, method, **parameters):
        """Asks for what must be refused with a code; why it was."""
        try:
            result = self.ask(method, **parameters)
        except Refused as refusal:
            assert refusal.code == code, f"{method} {str(parameters)[:200]}: {code} was expected, not {refusal}"
            return refusal
        raise AssertionError(f"{method} {str(parameters)[:200]} was taken, with {result}; {code} was expected")

    # Hearing

    def hear(self, method, where=lambda parameters: True, within=PATIENCE):
        """The first notification of a method that nobody has read yet and that fits; waits for it."""

        def index():
            return next((i for i, (name, told) in enumerate(self._unread) if name == method and where(told)), None)

        with self._news:
            self._news.wait_for(lambda: index() is not None or self.closed, within)
            found = index()
            if found is None:
                seen = [(name, told.get("call", {}).get("state")) for name, told in self._unread]
                raise Silence(f"no {method} that fits in {within} s; closed: {self.closed}; unread: {seen}")
            _, told = self._unread.pop(found)
        reference.check_notification(method, told)
        return told

    def told(self, *methods):
        """The names of what nobody has read yet, of some methods or of all, after all that the hub has done so far."""
        self.ask("session.ping")
        with self._news:
            return [name for name, _ in self._unread if not methods or name in methods]

    def forget(self):
        """Takes all that was told as read."""
        self.ask("session.ping")
        with self._news:
            for name, told in self._unread:
                reference.check_notification(name, told)
            self._unread.clear()

    @property
    def audio(self):
        """Every RTP packet with the time at which it came, the oldest first."""
        # RTCP has 192 to 223 there.
        return [(came, packet) for came, packet in self.received if not 192 <= packet[1] <= 223]

    def packets(self, count, ssrc, within=PATIENCE):
        """The first RTP packets of a source; waits for so many."""

        def fits(packet):
            return not 192 <= packet[1] <= 223 and int.from_bytes(packet[8:12], "big") == ssrc

        return self.hear_packets(fits, count, within)

    def hear_packets(self, fits, count=1, within=PATIENCE):
        """The packets that fit, when there are so many; waits for them."""
        with self._news:
            self._news.wait_for(lambda: self.closed or sum(fits(packet) for _, packet in self.received) >= count, within)
            found = [packet for _, packet in self.received if fits(packet)]
        assert len(found) >= count, f"{len(found)} packets of {count} that fit in {within} s, of {len(self.received)}"
        return found

    def hear_close(self, within=PATIENCE):
        """The code with which the hub closes the connection; waits for it."""
        with self._news:
            assert self._news.wait_for(lambda: self.closed, within), f"not closed in {within} s"
        return self.closed[0]

    def wait(self, seconds):
        """Waits for a time, or until something comes: for what happens by the clock and is told to nobody."""
        with self._news:
            self._news.wait(seconds)

    # Calls

    def do(self, kind, call, **members):
        """Asks for one action."""
        return self.ask("transaction.request", actions=[{"type": kind, "callUUID": call} | members])

    def start(self, handle, **members):
        """Starts a call; its UUID."""
        call = str(uuid.uuid4())
        self.do("start", call, handle=generic(handle) if isinstance(handle, str) else handle, **members)
        return call

    def call(self, call, within=PATIENCE, **members):
        """A call as soon as its members are these."""
        return self.hear(
            "call.changed",
            lambda told: told["call"]["uuid"] == call and all(told["call"][key] == value for key, value in members.items()),
            within,
        )["call"]

    def ringing(self):
        """A call that rings here; waits for it."""
        return self.hear("call.changed", lambda told: told["call"]["state"] == "ringing")["call"]

    def report(self, handle, **update):
        """Reports a call that comes in from outside the hub; its UUID."""
        call = str(uuid.uuid4())
        self.ask("provider.reportNewIncomingCall", callUUID=call, update={"remoteHandle": handle} | update)
        return call

    def recents(self, **parameters):
        return self.ask("recents.list", **parameters)["recents"]

    # Going

    def leave(self):
        """Ends session and connection; the calls with them. All that was told must be as the reference has it."""
        if self.closed is None:
            self._on_loop(self._socket.close(1000))
        self.hear_close()
        for _, method, told in self.stream:
            reference.check_notification(method, told)
        expected = list(range(self.first, self.first + len(self.stream)))
        assert [told["seq"] for _, _, told in self.stream] == expected, "seq has a hole"

    def lose(self):
        """Loses the connection, as a reset does: the session goes on."""
        LOOP.call_soon_threadsafe(self._socket.transport.abort)
        self.hear_close()
