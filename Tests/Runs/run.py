"""Runs what `make test` has built: each group of suites in a process of its own, for a limited time.

Real sound and real browsers need time at once, which a busy machine does not always have. So a test that failed, or that a
process which hung never ended, runs a second time, alone, when all others are done: what fails then has failed, and what
passes then is told at the end as unsteady. A process that crashes is not forgiven.

    python3 Tests/Runs/run.py .build/debug .build/events [--no-parallel]
"""

import os
import signal
import subprocess
import sys
from pathlib import Path

# Suites that measure their own process, or sound in real time: each has the machine to itself.
ALONE = ["ScaleTests", "HeardCallTests", "DisturbanceTests", "ConnectionStormTests", "ResumeTests", "BrowserTests"]

# Suites that are run a second time over a hub of three loops: its clients must not see the difference.
BY_LOOPS = [
    "CallsOverSocketsTests", "FaultTests", "GateTests", "GroupTalkTests", "GroupTests", "MemoryTests",
    "PullOverSocketsTests", "RandomMessageTests", "ResumeRulesTests", "StrangerTests", "SwapOverSocketsTests",
]
THREE_LOOPS = {"CALLHUB_TEST_LOOPS": "3"}

# Of themselves all tests begin at once, and each of their steps waits behind a thousand others.
AT_ONCE = "6"

# Seconds: several times what the longest takes on a slow machine, and for tests that run one after the other.
PATIENCE, PATIENCE_IN_TURN = 900, 3_600
# What Swift Testing ends with: all passed; some failed; there was nothing to run.
ENDINGS = {0: "passed", 1: "failed", 69: "empty"}
HUNG = "hung"


class Tests:
    """The tests of one build, the folder to which they tell what happens, and options of Swift Testing's for all."""

    def __init__(self, binaries, events, options):
        self.program = binaries / "CallHubPackageTests.xctest"
        self.reader = binaries / "HubConformance"
        self.events = events
        self.options = options
        self.patience = PATIENCE_IN_TURN if "--no-parallel" in options else PATIENCE

    def run(self, stream, options, environment):
        """Runs some tests, writes their events to a stream of that name and says how the process ended."""
        path = self.events / f"{stream}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        command = [self.program, "--testing-library", "swift-testing", "--event-stream-version", "0"]
        command += ["--event-stream-output-path", path, "--experimental-maximum-parallelization-width", AT_ONCE]
        command += [*self.options, *options]
        # In a session of its own, so that whatever it has started ends with it.
        process = subprocess.Popen(command, env=os.environ | environment, stdin=subprocess.DEVNULL, start_new_session=True)
        try:
            status = process.wait(self.patience)
        except subprocess.TimeoutExpired:
            print(f"{stream}: did not end within {self.patience // 60} minutes.", flush=True)
            return HUNG
        finally:
            end_group(process)
        if status not in ENDINGS:
            print(f"{stream}: ended with {status}.", flush=True)
        return ENDINGS.get(status, "crashed")

    def unsettled(self, folder):
        """The patterns of the tests in a folder's streams that must run again."""
        said = subprocess.run([self.reader, "unsettled", folder], capture_output=True, text=True, check=True)
        return said.stdout.split("\n")[:-1]

    def settle(self, folder, environment):
        """Runs what failed once more, one test after the other; whether nothing is left that has failed."""
        patterns = self.unsettled(folder)
        if not patterns:
            return True
        print(f"Once more, alone: {len(patterns)} of the tests in {folder}.", flush=True)
        filters = [option for pattern in patterns for option in ("--filter", pattern)]
        name = (folder / "again" / "again").relative_to(self.events)
        ending = self.run(name, ["--no-parallel", *filters], environment)
        return ending == "passed" and not self.unsettled(folder)


def end_group(process):
    """Ends a process and those it has started, where any are left."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()


def main(binaries, events, *options):
    tests = Tests(binaries, events, options)
    endings = [tests.run("most", ["--skip", "|".join(ALONE)], {})]
    endings += [tests.run(suite, ["--filter", suite], {}) for suite in ALONE]
    endings.append(tests.run("loops/calls", ["--filter", "|".join(BY_LOOPS)], THREE_LOOPS))
    settled = [tests.settle(events, {}), tests.settle(events / "loops", THREE_LOOPS)]
    return all(settled) and not {"crashed", "empty"} & set(endings)


if __name__ == "__main__":
    folders = [Path(argument).absolute() for argument in sys.argv[1:3]]
    sys.exit(0 if main(*folders, *sys.argv[3:]) else 1)
