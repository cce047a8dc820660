"""Refuses comments of Swift files that leave a reader to guess; part of `make lint`.

    python3 Tests/Lint/comments.py Package.swift Sources Tests Benchmarks

Refused are a documentation summary that is a relative clause and no noun or verb phrase ("What is to become of it."), a line of a
parameter, return value or error that says nothing ("Whose.", "See there."), and a comment of more than 120 columns.
"""

import re
import sys
from pathlib import Path

COLUMNS = 120
RELATIVE = r"(?:What|Who|Whom|Whose|Whoever|Whether|How|Where|Whence)\b"

DOCUMENTATION = re.compile(r"\s*///(?!/) ?(.*)")
COMMENT = re.compile(r"\s*//")
FIELD = re.compile(r"\s*- (?:(?:Parameter )?(\w+)|Returns|Throws):\s*(.*)")
SUMMARY_FAULT = re.compile(RELATIVE, re.IGNORECASE)
# Said of a parameter these words are its name once more, or send the reader elsewhere.
FIELD_FAULT = re.compile(rf"(?:{RELATIVE}.*|See (?:there|above|below|the type)\.?|As above\.?|Any(?: name| one)?\.?|\S*)$", re.IGNORECASE)


def faults(text):
    """The faults of a file's text: pairs of a line's number and a sentence."""
    in_documentation = False
    for number, line in enumerate(text.splitlines(), 1):
        if COMMENT.match(line) and len(line) > COLUMNS:
            yield number, f"a comment has at most {COLUMNS} columns; this one has {len(line)}"
        match = DOCUMENTATION.match(line)
        if match is None:
            in_documentation = False
            continue
        content = match.group(1)
        if not in_documentation and SUMMARY_FAULT.match(content):
            yield number, f"a summary is a noun or verb phrase, not a clause: \"{content}\""
        in_documentation = True
        field = FIELD.match(content)
        if field and field.group(1) != "Parameters" and FIELD_FAULT.match(field.group(2)):
            yield number, f"say unit, range and meaning, or leave the line out: \"{content.strip()}\""


def swift_files(paths):
    """The Swift files among some paths and below them."""
    for path in map(Path, paths):
        yield from [path] if path.is_file() else sorted(path.rglob("*.swift"))


def main(paths):
    count = 0
    for path in swift_files(paths):
        for number, sentence in faults(path.read_text()):
            print(f"{path}:{number}: {sentence}")
            count += 1
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
