"""Builds the reference of the libraries with the toolchain's docc: a site in .build/docs. Warnings are errors.

    docs.py [MODULES]

MODULES is the folder of the built Swift modules. Neither the network nor a SwiftPM plug-in is used: symbol graphs are
extracted from the built modules, one archive is made of each library's catalogue, and the archives are merged.
"""

import json
import pathlib
import re
import shutil
import subprocess
import sys

LIBRARIES = ["HubEngine", "HubClient", "ScenarioKit"]
OUTPUT = pathlib.Path(".build/docs")
PARTS = pathlib.Path(".build/docc")


def output_of(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def run(*command):
    """Runs a command; prints what it says only if it fails."""
    result = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if result.returncode:
        sys.exit(f"{result.stdout}{pathlib.Path(str(command[0])).name} failed.")


def include_options(package):
    """The options by which the C modules of the system libraries are found."""
    names = re.findall(r'pkgConfig: "([^"]+)"', package)
    folders = [f"-I{path.parent}" for path in sorted(pathlib.Path("Sources").glob("C*/module.modulemap"))]
    return folders + output_of("pkg-config", "--cflags-only-I", *names).split()


def check_topics(library, archive):
    """Ends the program if a symbol is in no topic of the landing page; docc then makes a topic of its own."""
    page = json.loads((archive / f"data/documentation/{library.lower()}.json").read_text())
    missing = [name.rsplit("/", 1)[1] for topic in page["topicSections"] if topic.get("generated") for name in
               topic["identifiers"]]
    if missing:
        sys.exit(f"Sources/{library}/{library}.docc/{library}.md has no topic with {', '.join(missing)}.")


def main():
    modules = sys.argv[1]
    info = json.loads(output_of("swift", "-print-target-info"))
    tools = pathlib.Path(info["paths"]["runtimeResourcePath"]).parent.parent / "bin"
    includes = include_options(pathlib.Path("Package.swift").read_text())
    for folder in [OUTPUT, PARTS]:
        shutil.rmtree(folder, ignore_errors=True)
    archives = []
    for library in LIBRARIES:
        graphs = PARTS / library
        graphs.mkdir(parents=True)
        run(
            tools / "swift-symbolgraph-extract", "-module-name", library, "-target", info["target"]["triple"],
            f"-I{modules}", *includes, "-minimum-access-level", "public", "-skip-synthesized-members",
            "-output-dir", graphs,
        )
        archives.append(PARTS / f"{library}.doccarchive")
        run(
            tools / "docc", "convert", f"Sources/{library}/{library}.docc", "--warnings-as-errors",
            "--additional-symbol-graph-dir", graphs, "--fallback-display-name", library,
            "--fallback-bundle-identifier", f"callhub.{library}", "--output-path", archives[-1],
        )
        check_topics(library, archives[-1])
    run(tools / "docc", "merge", *archives, "--synthesized-landing-page-name", "CallHub", "--output-path", OUTPUT)


if __name__ == "__main__":
    main()
