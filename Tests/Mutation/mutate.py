#!/usr/bin/env python3
"""Breaks the engine's rules one by one and sees whether its tests notice.

Usage: mutate.py [--only WORDS] [--jobs N] [--table FILE]

Each mutation of mutations.txt is put into a copy of the engine and its tests, which is built and run; a mutation that no
test notices is a survivor, and the exit code is 1. A mutation whose text is no longer found once, or that does not
compile, is an error (2): it must follow the code.
"""

import argparse
import concurrent.futures
import pathlib
import queue
import re
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
WORK = ROOT / ".build" / "mutation"
PACKAGE = """// swift-tools-version: 6.3
import PackageDescription
let package = Package(
    name: "Mutation",
    targets: [
        .target(name: "HubEngine"),
        .target(name: "HubSimulation", dependencies: ["HubEngine"]),
        .testTarget(name: "HubEngineTests", dependencies: ["HubEngine", "HubSimulation"]),
    ],
    swiftLanguageModes: [.v6]
)
"""
# Longer than a slow build and all tests; a mutant that hangs is noticed, too.
PATIENCE = 600


def fail(sentence):
    print(sentence, file=sys.stderr)
    sys.exit(2)


class Mutation:
    def __init__(self, title, file, old, new):
        self.title, self.file, self.old, self.new = title, file, old, new

    def check(self):
        count = (ROOT / "Sources/HubEngine" / self.file).read_text().count(self.old)
        if count != 1:
            fail(f"{self.title}: its text must be in {self.file} once, is there {count} times")

    def apply(self, engine):
        path = engine / self.file
        text = path.read_text()
        path.write_text(text.replace(self.old, self.new))
        return path, text


def read_mutations(path):
    mutations = []
    for block in re.split(r"^# ", path.read_text(), flags=re.M)[1:]:
        title, file, *lines = block.rstrip("\n").split("\n")
        old = "\n".join(line[1:] for line in lines if line.startswith("-"))
        new = "\n".join(line[1:] for line in lines if line.startswith("+"))
        mutations.append(Mutation(title, file, old, new))
    return mutations


def make_copy(folder):
    """A package of the engine, its tests and the documents that they read, so that a mutant is built in seconds."""
    for name, source in [
        ("Sources/HubEngine", "Sources/HubEngine"),
        ("Sources/HubSimulation", "Tests/Simulation"),
        ("Tests/HubEngineTests", "Tests/HubEngineTests"),
        ("docs", "docs"),
    ]:
        target = folder / name
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(ROOT / source, target)
    shutil.copy(ROOT / "README.md", folder)
    (folder / "Package.swift").write_text(PACKAGE)


def run_tests(folder):
    """(noticed, by) – the names of tests that failed; None where it does not compile."""
    command = ["swift", "test", "--disable-xctest", "--package-path", str(folder)]
    try:
        result = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        return True, ["(it hangs)"]
    output = result.stdout + result.stderr
    if result.returncode == 0:
        return False, []
    failed = re.findall(r'^✘ Test (?:case.* to )?"?(.*?)"?(?: with .*)? failed after', output, flags=re.M)
    if not failed and "error: fatalError" not in output and re.search(r"^.*\.swift:\d+:\d+: error:", output, re.M):
        return None, [output]
    return True, list(dict.fromkeys(failed)) or ["(it crashes)"]


def try_out(mutation, folders):
    folder = folders.get()
    path, original = mutation.apply(folder / "Sources/HubEngine")
    try:
        return run_tests(folder)
    finally:
        path.write_text(original)
        folders.put(folder)


def row(mutation, noticed, by):
    shown = f"{by[0]}" + (f", and {len(by) - 1} more" if len(by) > 1 else "") if noticed else "**nobody**"
    return f"| {mutation.title} | {shown} |"


def write_table(path, mutations, results):
    """Writes the rows of what was tried; those of other mutations stay, and those of none go."""
    heading = "| the rule that was broken | noticed by |\n|---|---|\n"
    before, after = path.read_text().split(heading)
    rows = {line.split(" | ")[0].removeprefix("| "): line for line in after.splitlines()}
    rows.update({mutation.title: row(mutation, *result) for mutation, result in results})
    path.write_text(before + heading + "".join(rows[m.title] + "\n" for m in mutations if m.title in rows))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="only mutations whose title has these words, or|these")
    parser.add_argument("--jobs", type=int, default=2, help="how many are tried at a time")
    parser.add_argument("--table", type=pathlib.Path, help="the document whose table gets their rows")
    options = parser.parse_args()
    known = read_mutations(pathlib.Path(__file__).with_name("mutations.txt"))
    mutations = [m for m in known if any(words in m.title for words in options.only.split("|"))]
    if not mutations:
        fail(f"no mutation has \"{options.only}\" in its title")
    folders = queue.Queue()
    for job in range(min(options.jobs, len(mutations))):
        folder = WORK / str(job)
        folder.mkdir(parents=True, exist_ok=True)
        make_copy(folder)
        folders.put(folder)
    for mutation in mutations:
        mutation.check()
    first = folders.get()
    noticed, by = run_tests(first)
    folders.put(first)
    if noticed is not False:
        fail("the tests fail without any mutation: " + ", ".join(by)[:2000])
    results, start = [], time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for mutation, result in zip(mutations, pool.map(lambda m: try_out(m, folders), mutations)):
            if result[0] is None:
                print(result[1][0][-3000:], file=sys.stderr)
                fail(f"{mutation.title}: does not compile")
            results.append((mutation, result))
            mark = "noticed " if result[0] else "SURVIVED"
            print(f"{len(results):3}/{len(mutations)} {mark} {mutation.title}", flush=True)
    survivors = [m.title for m, (noticed, _) in results if not noticed]
    print(f"{len(results) - len(survivors)} of {len(results)} noticed in {time.monotonic() - start:.0f} s")
    if options.table:
        write_table(options.table, known, results)
    sys.exit(1 if survivors else 0)


if __name__ == "__main__":
    main()
