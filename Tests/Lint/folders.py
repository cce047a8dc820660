"""Refuses cycles between the folders of a Swift target; part of `make lint`.

    python3 Tests/Lint/folders.py Sources
    python3 Tests/Lint/folders.py --list Sources/HubStore

A folder uses another one if its code names a type that a file of the other one declares outside of all braces. The files beside
the folders are the folder `.`; a folder in a folder stands for itself. Folders that use each other, directly or through others,
are a cycle: none of them can be read or moved without the rest. `--list` prints which folder uses which, with an example each.
"""

import re
import sys
from collections import defaultdict
from pathlib import Path

from swift_code import code_of

# The folders that are in a cycle still, by target: the list may get shorter and not longer.
ALLOWED = {
    # The folders of Hub/ hold the hub's extensions, each beside the owner that it works on.
    "HubServer": [
        "Hub", "Hub/AccountData", "Hub/Administration", "Hub/Admission", "Hub/CallDetailRecords", "Hub/Invitations",
        "Hub/Metrics", "Hub/Push", "Hub/Requests", "Hub/SignIn",
    ],
}

DECLARATION = re.compile(
    r"(?P<access>\b(?:private|fileprivate)\s+)?(?:\b(?:final|indirect|nonisolated)\s+)*"
    r"\b(?:struct|class|enum|actor|protocol|typealias)\s+(?P<name>[A-Z]\w*)|(?P<brace>[{}])"
)
NAME = re.compile(r"(?<![\w.])[A-Z]\w*")


def declarations(code):
    """The types that some code declares: those that other files see by their bare name, and all."""
    seen, every, depth = set(), set(), 0
    for match in DECLARATION.finditer(code):
        if match["brace"]:
            depth += 1 if match["brace"] == "{" else -1
            continue
        every.add(match["name"])
        if depth == 0 and not match["access"]:
            seen.add(match["name"])
    return seen, every


def uses(files, target=""):
    """The uses of a target's folders: by pair of folders, the files and types that make it.

    `files` has each file's code by its path in the target.
    """
    homes, own = defaultdict(set), {}
    for path, code in files.items():
        seen, own[path] = declarations(code)
        for name in seen:
            homes[name].add(path.parent)
    found = defaultdict(set)
    for path, code in files.items():
        for name in set(NAME.findall(code.replace(f"{target}.", ""))) - own[path]:
            # A name of several folders is one that the compiler tells apart, and this script does not.
            if len(homes[name]) == 1 and path.parent not in homes[name]:
                found[path.parent, *homes[name]].add((path, name))
    return dict(found)


def cycles(pairs):
    """The cycles in a graph of pairs: sorted lists of the nodes that reach one another."""
    after = defaultdict(set)
    for first, second in pairs:
        after[first].add(second)

    def reached(node):
        found, rest = set(), [node]
        while rest:
            new = after[rest.pop()] - found
            found |= new
            rest += new
        return found

    reach = {node: reached(node) for node in list(after)}
    found = {frozenset(other for other in reach[node] if node in reach.get(other, ())) for node in reach}
    return sorted(sorted(cycle) for cycle in found if cycle)


def sentences(target, found, allowed):
    """The faults of a target's cycles; the folders of `allowed` may be in one, and must be in one."""
    now = cycles(found)
    for cycle in now:
        if set(cycle) <= allowed:
            continue
        yield f"{target}: {', '.join(map(str, cycle))} use each other; let one of them do without the others:"
        for (first, second), examples in sorted(found.items()):
            if first in cycle and second in cycle:
                yield "    " + sentence(first, second, examples)
    for folder in sorted(allowed.difference(*now)):
        yield f"{target}: {folder} is in no cycle any more; take it off the list in folders.py"


def sentence(first, second, examples):
    path, name = min(examples)
    names = len({name for _, name in examples})
    return f"{first} uses {second} ({names} types): {path.name} names {name}"


def read(folder):
    """The code of a target's Swift files by path."""
    return {path.relative_to(folder): code_of(path.read_text()) for path in sorted(folder.rglob("*.swift"))}


def targets(path):
    """The target that a folder is, or those that it has."""
    return [path] if any(path.glob("*.swift")) or path.parent.name == "Sources" else sorted(path.iterdir())


def main(arguments):
    lists = "--list" in arguments
    count = 0
    for path in map(Path, arguments):
        for folder in targets(path) if path.is_dir() else []:
            found = uses(read(folder), folder.name)
            if lists:
                for (first, second), examples in sorted(found.items()):
                    print(f"{folder.name}: {sentence(first, second, examples)}")
            allowed = set(map(Path, ALLOWED.get(folder.name, [])))
            for line in sentences(folder.name, found, allowed):
                print(line)
                count += 1
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
