"""Builds the package of a stranger to this project, who tests an app's calls, and runs its tests as they would.

    python3 Tests/CallKitPackage/run.py build
    python3 Tests/CallKitPackage/run.py test [--in-time]

`test` fails unless all stories pass. With --in-time it also fails if the verdict comes later than LIMIT seconds after
`swift test` on a machine that had nothing else to do; else late is a warning, as another machine may be slower.
"""

import os
import re
import resource
import subprocess
import sys
import time

PACKAGE = [
    "--package-path", "Tests/CallKitPackage", "--scratch-path", ".build/callkit-package", "--disable-xctest",
    # Without debug information, which nobody looks at here. The index is needed: tests are found by it.
    "-debug-info-format", "none",
]
# Seconds from the command to the verdict on a quiet machine, the package being built.
LIMIT = 2.0
STORIES = 20
# The share of the machine that others may use before its clock says nothing.
BUSY = 0.25


def machine_seconds():
    """The seconds that all processors have worked."""
    with open("/proc/stat", encoding="ascii") as file:
        user, nice, system = map(int, file.readline().split()[1:4])
    return (user + nice + system) / os.sysconf("SC_CLK_TCK")


def own_seconds():
    """The seconds of CPU of the processes that this one has started and that are over."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def timed(*words):
    """Runs a command; returns its status, its output and its seconds."""
    start = time.monotonic()
    process = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return process.returncode, process.stdout, time.monotonic() - start


def build():
    """Builds the package and what it needs of this one; returns the reason of a failure."""
    status, output, seconds = timed("swift", "build", "--build-tests", *PACKAGE)
    print(f"callkit-package        built    {seconds:5.0f} s", flush=True)
    return output if status else ""


def test(is_limited):
    """Runs the tests; returns the reason of a failure."""
    before = machine_seconds() - own_seconds()
    status, output, seconds = timed("swift", "test", "--skip-build", *PACKAGE)
    others = machine_seconds() - own_seconds() - before
    verdict = re.search(r"Test run with (\d+) tests .*passed", output)
    if status or not verdict:
        return output
    print(f"callkit-package        passed   {seconds:5.1f} s, {verdict[1]} stories", flush=True)
    if int(verdict[1]) < STORIES:
        return f"There are {verdict[1]} stories of calls; there were {STORIES}."
    if seconds <= LIMIT:
        return ""
    late = f"The verdict came after {seconds:.1f} s in place of {LIMIT} s"
    if is_limited and others < BUSY * seconds * os.cpu_count():
        return f"{late}."
    print(f"warning: {late}; others have used {others:.1f} s of CPU meanwhile.", flush=True)
    return ""


if __name__ == "__main__":
    sys.exit((build() if sys.argv[1] == "build" else test("--in-time" in sys.argv)) or 0)
