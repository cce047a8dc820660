"""Runs the tests that `make test` or `make check` has built, in groups of suites, each in a process of its own.

Groups follow one another in lanes, and the lanes of a phase run side by side; the next phase begins when all have ended.
No test runs a second time: one that has failed, or that a process which hung or crashed never ended, has failed. What a
group prints is in the file of its name; its result, its seconds on the clock and its seconds of CPU are printed.

    python3 Tests/Runs/run.py .build/debug .build/events [--check] [--contract=COMMAND] [--no-parallel]

--check leaves out browsers, sound in real time, long properties and the second run over three loops; --contract adds the
contract's tests, which that command runs. Any other option is Swift Testing's.
"""

import os
import re
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

# Suites of properties over many seeds. They need nothing but CPU time, so they take what the others leave.
LONG = [
    "FanOutAmountTests", "GateModelTests", "JitterBufferTests", "JournalTests", "KillTests", "LoopGateTests",
    "RecordedLibraryTests", "AccountDataPersistenceTests", "ReplayTests", "SimulationTests", "SwapTests", "WAVTests",
]

# Suites that measure memory, sockets or threads of their own process: each has a process to itself.
OWN_PROCESS = ["ScaleTests", "ConnectionStormTests", "ResumeTests"]

# Sound and times in real time, in the hub's clients and in browsers; and all browsers.
SOUND = ["HeardCallTests", "HeardSampleTests", "MixedGroupTests", "DisturbanceTests"]
BROWSER_SOUND = r"BrowserTests\.BrowserSuite/(BrowserJoinsTests|CallTests|LatencyTests|PhoneTests)/"
BROWSERS = "BrowserTests"
# About half of the browser suites' time: they wait for pages for the most part, so that two processes share the rest.
PAGES = (
    r"BrowserTests\.BrowserSuite/(AccountTests|AdministrationTests|BundleTests|CallScreenTests|CallSoundTests"
    r"|IncomingCallTests|InputMeaningTests|InvitationTests|KeyboardTests|LateKeyTests|ScreenReaderTests)/"
)

# Suites that are run a second time over a hub of three loops: its clients must not see the difference.
BY_LOOPS = [
    "CallsOverSocketsTests", "FaultTests", "GateTests", "GroupTalkTests", "GroupTests", "AccountDataTests",
    "PullOverSocketsTests", "RandomMessageTests", "ResumeRulesTests", "SwapOverSocketsTests", "UnauthenticatedConnectionTests",
]
THREE_LOOPS = {"CALLHUB_TEST_LOOPS": "3"}

# Of themselves all tests begin at once, and each of their steps waits behind a thousand others.
AT_ONCE = "6"

# Seconds: several times what the longest group takes on a slow machine, and for tests that run one after the other.
PATIENCE, PATIENCE_IN_TURN = 1_800, 3_600
# What Swift Testing ends with: all passed; some failed; there was nothing to run. pytest uses 0 and 1 alike.
ENDINGS = {0: "passed", 1: "failed", 69: "empty"}
# The lines that are printed of a group whose tests do not tell their failures.
LAST_LINES = 60
# The priority of the long properties beside tests that wait for time to pass.
LOW_PRIORITY = 10
# Foundation's Process.run reads beyond a buffer where its process has more than some 1,300 descriptors open, as that of most
# tests has. Behind the buffers of further arenas of malloc there may be no memory; behind those of the only one there is.
ONE_ARENA = {"MALLOC_ARENA_MAX": "1"}
CONTRACT = "--contract="


@dataclass
class Group:
    """Tests that run in one process."""

    # The name of its files, without the suffix.
    name: str
    # The options of Swift Testing that choose the tests.
    options: list
    environment: dict = field(default_factory=dict)
    niceness: int = 0
    # The command of the shell that runs them, if they are not Swift Testing's.
    command: str = ""


def phases_of(arguments):
    """Returns the phases of a run, each a list of lanes, each a list of groups."""
    most = Group("most", ["--skip", "|".join([*LONG, *OWN_PROCESS, *SOUND, BROWSERS])], ONE_ARENA)
    own = [Group(suite, ["--filter", suite]) for suite in OWN_PROCESS]
    if "--check" in arguments:
        return [[[most], own]]
    long = Group("long", ["--filter", "|".join(LONG)], niceness=LOW_PRIORITY)
    loops = Group("loops/calls", ["--filter", "|".join(BY_LOOPS)], THREE_LOOPS)
    sound = [Group(suite, ["--filter", suite]) for suite in SOUND]
    pages = Group("pages", ["--filter", PAGES])
    others = Group("pages/others", ["--filter", BROWSERS, "--skip", f"{PAGES}|{BROWSER_SOUND}"])
    calls = Group("calls", ["--filter", BROWSER_SOUND])
    contracts = [word.removeprefix(CONTRACT) for word in arguments if word.startswith(CONTRACT)]
    contract = [Group("contract", [], command=command) for command in contracts]
    phases = [[[most], [long], contract], [[loops, *own], [pages], [others]], [sound, [calls]]]
    if "--no-parallel" not in arguments:
        return phases
    return [[[group]] for lanes in phases for lane in lanes for group in lane]


class Tests:
    """The tests of one build, the folder of their event streams, and options of Swift Testing's for all."""

    def __init__(self, binaries, events, options):
        self.program = binaries / "CallHubPackageTests.xctest"
        self.events = events
        self.options = [word for word in options if word != "--check" and not word.startswith(CONTRACT)]
        self.patience = PATIENCE_IN_TURN if "--no-parallel" in options else PATIENCE
        self.endings = []

    def command(self, group):
        """Returns the words that start a group."""
        if group.command:
            return ["sh", "-c", group.command]
        command = [self.program, "--testing-library", "swift-testing", "--event-stream-version", "0"]
        command += ["--event-stream-output-path", self.events / f"{group.name}.jsonl"]
        command += ["--experimental-maximum-parallelization-width", AT_ONCE]
        return [*command, *self.options, *group.options]

    def run(self, group):
        """Runs a group to its end, and tells how it ended and what it took."""
        path = self.events / f"{group.name}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        start = time.monotonic()
        environment = os.environ | {"CALLHUB": str(self.program.with_name("callhub"))} | group.environment
        with open(path, "wb") as output:
            # In a session of its own, so that whatever it has started ends with it.
            process = subprocess.Popen(
                self.command(group), env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
                start_new_session=True, preexec_fn=lambda: lower(group.niceness))
        status, cpu = wait(process, start + self.patience)
        end_group(process)
        ending = ENDINGS.get(status, "hung" if status is None else f"crashed ({status})")
        self.endings.append(ending)
        print(f"{group.name:22} {ending:8} {time.monotonic() - start:5.0f} s, {cpu:5.0f} s of CPU", flush=True)
        if ending != "passed" and (group.command or ending not in ENDINGS.values()):
            print(*path.read_text(errors="replace").splitlines()[-LAST_LINES:], sep="\n", flush=True)

    def run_lane(self, lane):
        """Runs groups one after the other."""
        for group in lane:
            self.run(group)


def lower(niceness):
    """Lowers the priority of this process, and that of its session, by which Linux shares the CPU among sessions."""
    os.nice(niceness)
    try:
        if niceness:
            Path("/proc/self/autogroup").write_text(str(niceness))
    except OSError:
        pass  # Sessions share nothing on this machine.


def wait(process, deadline):
    """Waits for a process; returns its status, None if it has not ended in time, and its seconds of CPU."""
    while time.monotonic() < deadline:
        ended, status, usage = os.wait4(process.pid, os.WNOHANG)
        if ended:
            process.returncode = os.waitstatus_to_exitcode(status)
            return process.returncode, usage.ru_utime + usage.ru_stime
        time.sleep(0.1)
    return None, 0


def end_group(process):
    """Ends a process and those it has started, where any are left."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()


def missing_suites():
    """Returns the names in the lists above that no suite has: a suite was renamed, and would run in the wrong place."""
    sources = "\n".join(path.read_text() for path in Path(__file__).parents[1].rglob("*.swift"))
    suites = set(re.findall(r"\b(?:struct|class|enum|extension)\s+(\w+)", sources))
    browsers = [name for names in (PAGES, BROWSER_SOUND) for name in re.search(r"\((.*)\)", names)[1].split("|")]
    names = [*LONG, *OWN_PROCESS, *SOUND, *BY_LOOPS, *browsers]
    return [name for name in names if not any(suite.endswith(name) for suite in suites)]


def main(binaries, events, *options):
    """Runs all phases; returns True if all tests passed."""
    if missing := missing_suites():
        sys.exit(f"No suite is called {', '.join(missing)}; correct the lists in Tests/Runs/run.py.")
    tests = Tests(binaries, events, options)
    for lanes in phases_of(options):
        threads = [threading.Thread(target=tests.run_lane, args=[lane]) for lane in lanes]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    return set(tests.endings) == {"passed"}


if __name__ == "__main__":
    folders = [Path(argument).absolute() for argument in sys.argv[1:3]]
    sys.exit(0 if main(*folders, *sys.argv[3:]) else 1)
