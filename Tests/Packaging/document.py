"""The commands of docs/install.md, as they stand there."""

import re

from machine import REPOSITORY

BLOCK = re.compile(r"^```sh\n(.*?)^```", re.M | re.S)


def section(heading, document="docs/install.md"):
    """The text of a section, without its heading."""
    text = (REPOSITORY / document).read_text()
    match = re.search(rf"^## {heading}\n(.*?)(?=^## |\Z)", text, re.M | re.S)
    assert match, f"{document} has no section {heading!r}"
    return match[1]


def commands(heading, document="docs/install.md"):
    """The commands of a section, one a line, without comments; a line that ends with a backslash goes on."""
    found = []
    for block in BLOCK.findall(section(heading, document)):
        for line in block.replace("\\\n", " ").splitlines():
            line = re.sub(r"\s+#.*$", "", line).strip()
            if line:
                found.append(re.sub(r"  +", " ", line))
    return found
