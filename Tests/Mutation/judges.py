"""Who says whether a broken engine is noticed: its own tests, or the library of scenarios alone."""

import json
import re
import shutil
import subprocess

ENGINE = "Sources/HubEngine"
PACKAGE = """// swift-tools-version: 6.3
import PackageDescription
let package = Package(
    name: "Mutation",
    targets: [
        .target(name: "HubEngine"),
        .target(name: "HubAccountData", dependencies: ["HubEngine"]),
        .target(name: "HubSimulation", dependencies: ["HubAccountData", "HubEngine"]),
        .testTarget(name: "HubEngineTests", dependencies: ["HubAccountData", "HubEngine", "HubSimulation"]),
    ],
    swiftLanguageModes: [.v6]
)
"""
# Seconds: longer than all that is run, with a slow build of the tests; a mutant that hangs is noticed, too.
PATIENCE = 600
# What `callhub scenario run` ends with when something did not come true.
UNTRUE = 3
HANGS, CRASHES = "(it hangs)", "(it crashes)"


class NotCompiled(Exception):
    """The mutant is no program; the text says why."""


class EngineTests:
    """The engine's tests, in a package of their own, so that a mutant is built in seconds."""

    folder = "tests"
    parts = [
        (ENGINE, ENGINE),
        ("Sources/HubAccountData", "Sources/HubAccountData"),
        ("Tests/Simulation", "Sources/HubSimulation"),
        ("Tests/HubEngineTests", "Tests/HubEngineTests"),
        ("docs", "docs"),
    ]

    def make_copy(self, root, folder):
        copy(root, folder, self.parts)
        (folder / "Package.swift").write_text(PACKAGE)

    def notice(self, folder):
        """The names of tests that fail; none where nobody notices."""
        command = ["swift", "test", "--disable-xctest", "--package-path", str(folder)]
        try:
            result = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            return [HANGS]
        if result.returncode == 0:
            return []
        output = result.stdout + result.stderr
        failed = re.findall(r'^✘ Test (?:case.* to )?"?(.*?)"?(?: with \d+ test cases?)? failed after', output, flags=re.M)
        if not failed and "error: fatalError" not in output and re.search(r"^.*\.swift:\d+:\d+: error:", output, re.M):
            raise NotCompiled(output)
        return list(dict.fromkeys(failed)) or [CRASHES]


class ScenarioLibrary:
    """The library of scenarios alone, run by the program in virtual time."""

    folder = "scenarios"
    # The package names all of its folders, so all must be there; only what `callhub` needs is built.
    parts = [(name, name) for name in ["Sources", "Samples", "Tests", "Benchmarks"]]

    def make_copy(self, root, folder):
        copy(root, folder, self.parts)
        shutil.copy(root / "Package.swift", folder)

    def notice(self, folder):
        """The files of scenarios that do not come true; none where all do."""
        build = ["swift", "build", "--product", "callhub", "--package-path", str(folder)]
        built = subprocess.run(build, capture_output=True, text=True)
        if built.returncode != 0:
            raise NotCompiled(built.stdout + built.stderr)
        library = folder / "Tests/Scenarios"
        run = [str(folder / ".build/debug/callhub"), "scenario", "run", str(library), "--virtual", "--json"]
        try:
            result = subprocess.run(run, capture_output=True, text=True, timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            return [HANGS]
        if result.returncode not in (0, UNTRUE):
            return [CRASHES]
        runs = [json.loads(line) for line in result.stdout.splitlines()]
        files = [run["file"].removeprefix(f"{library}/") for run in runs if run["verdict"] == "failed"]
        return sorted(set(files))


JUDGES = {"tests": EngineTests(), "scenarios": ScenarioLibrary()}


def copy(root, folder, parts):
    for source, name in parts:
        target = folder / name
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(root / source, target)
