"""What the hub remembers outlives it, whether it was stopped or killed."""

import signal

import pytest

from hub import Hub
from phone import generic, number

ENTRIES = [{"number": 1111, "label": "Acme"}, {"number": 2222, "label": "Zoë 🎩"}]


def everything(phone):
    """All that can be asked for."""
    return {
        method: phone.ask(method)
        for method in ("settings.get", "block.list", "contacts.list", "recents.list", "directory.status")
    }


@pytest.mark.parametrize("by", [signal.SIGTERM, signal.SIGKILL], ids=["stopped", "killed"])
def test_all_is_there_after_a_restart(by):
    with Hub() as hub:
        alice, bob = hub.phone("alice", "desk"), hub.phone("bob")
        nights = {"days": ["monday"], "from": "22:00", "to": "07:00"}
        alice.ask("settings.set", displayName="Ada", quietHours=[nights], timeZone="Asia/Tokyo", device={"doNotDisturb": True})
        alice.ask("block.add", handle=number("+49 30 1"))
        alice.ask("block.add", prefix="4989")
        alice.ask("contacts.put", identifier="1", name="Zoë", handles=[generic("zoe")], favorite=True)
        alice.ask("directory.load", extension="names", incremental=False, blocking=[7], identification=ENTRIES)
        alice.ask("directory.load", extension="off", incremental=False, blocking=[8], identification=[])
        alice.ask("directory.setEnabled", extension="off", enabled=False)
        # Begun and not ended: nothing of it may be there.
        alice.ask("directory.load", extension="half", incremental=False, blocking=[9], identification=[], final=False)
        for _ in range(3):
            call = bob.start("alice")
            bob.call(call, remoteIsRinging=True)
            bob.do("end", call)
            bob.hear("recents.changed")
        alice.ask("recents.markSeen", ids=[alice.recents()[1]["id"]])
        before = everything(alice)
        calls = bob.recents()
        assert (len(before["recents.list"]["recents"]), len(calls)) == (3, 3)
        hub.stop(by)
        hub.start()
        again = hub.phone("alice", "desk")
        after = everything(again)
        half = [extension for extension in after["directory.status"]["extensions"] if extension["extension"] == "half"]
        assert all((extension["blocking"], extension["loadedAt"]) == (0, None) for extension in half)
        for state in (before, after):
            state["directory.status"]["extensions"] = [
                extension for extension in state["directory.status"]["extensions"] if extension["extension"] != "half"
            ]
        assert after == before
        assert hub.phone("bob").recents() == calls
        # And it does what it says: names, and whom it keeps out.
        again.ask("settings.set", device={"doNotDisturb": False}, quietHours=[])
        call = again.report(number("2222"))
        assert again.ringing()["localizedCallerName"] == "Zoë 🎩"
        again.ask("provider.reportCallEnded", callUUID=call, reason="remoteEnded")
        for blocked in ("7", "+49301", "4989123"):
            again.refused(
                204, "provider.reportNewIncomingCall",
                callUUID="8a5c2f8c-0000-4000-8000-000000000007", update={"remoteHandle": number(blocked)},
            )


def test_a_session_of_before_is_reset():
    """CK-83"""
    with Hub() as hub:
        alice = hub.phone("alice", "desk")
        alice.start("echo")
        resume = {"session": alice.session["session"], "token": alice.session["resumeToken"], "seq": 1}
        hub.stop(signal.SIGKILL)
        hub.start()
        again = hub.phone("alice", "desk", resume=resume)
        assert (again.session["resumed"], again.session["calls"]) == (False, [])
        assert again.hear("provider.didReset")["seq"] == 1
