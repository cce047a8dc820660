"""Copies the documents for users into a package's folder of documents, with links that lead to files there.

    python3 packages/documents.py . .build/packages/usr/share/doc/callhub

A link to a file that is not shipped becomes its text.
"""

import os
import re
import shutil
import sys
from pathlib import Path

# Documents of those who install, operate, call and test; those of the sources stay with the sources.
DOCUMENTS = ["README.md", *(f"docs/{name}.md" for name in (
    "browser-phone", "callkit", "callkit-semantics", "event-logs", "glossary", "guarantees", "install", "libraries",
    "operations", "protocol", "scenarios", "security", "setup", "terminal-phone", "websocket",
))]
# Files and folders as they are: the path in the sources, and the one in the folder of documents.
AS_THEY_ARE = {
    "config/callhub.json5": "callhub.json5",
    "config/monitoring": "examples/monitoring",
    "config/proxies": "examples/proxies",
    "docs/example": "examples/client",
    "docs/images": "images",
    "docs/openrpc.json": "openrpc.json",
    "Tests/Scenarios": "examples/scenarios",
}
LINK = re.compile(r"(?<!!)\[([^\]]*)\]\(([^)\s]+)\)")


def place(path):
    """Returns the path, in the folder of documents, of a file or folder of the sources; None if it is not shipped."""
    if path in DOCUMENTS:
        return os.path.basename(path)
    for source, target in AS_THEY_ARE.items():
        if path == source or path.startswith(source + "/"):
            return target + path[len(source):]
    return None


def shipped(text, folder):
    """Returns a document's text with links that lead to what is shipped.

    `folder` is that of the document in the sources.
    """

    def link(found):
        words, target = found.groups()
        path, mark, fragment = target.partition("#")
        if "://" in target or not path:
            return found[0]
        new = place(os.path.normpath(os.path.join(folder, path)))
        return f"[{words}]({new}{mark}{fragment})" if new else words

    images = re.sub(r"!\[([^\]]*)\]\((?:docs/)?(images/[^)]+)\)", r"![\1](\2)", text)
    return LINK.sub(link, images)


def main(sources, target):
    target.mkdir(parents=True, exist_ok=True)
    for document in DOCUMENTS:
        text = (sources / document).read_text()
        (target / os.path.basename(document)).write_text(shipped(text, os.path.dirname(document)))
    for source, name in AS_THEY_ARE.items():
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        if (sources / source).is_dir():
            shutil.copytree(sources / source, target / name, ignore=shutil.ignore_patterns("*.mk"), dirs_exist_ok=True)
        else:
            shutil.copy(sources / source, target / name)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
