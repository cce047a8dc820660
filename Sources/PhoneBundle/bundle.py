"""Makes the phone's folder for use: one file in place of the modules that the first screen waits for.

    python3 Sources/PhoneBundle/bundle.py web-static .build/web-static

The result is the whole folder. The entry points contain all modules that they import, index.html names one style
sheet, comments are left out, and beside each text there is a file `.gz` that the hub sends to browsers. The other
modules are there for pages that use the library. A module that is not understood ends the program with a sentence.
"""

import gzip
import html
import os
import re
import shutil
import sys
from pathlib import Path

from module import Module, parse, rewritten
from tokens import SyntaxFault

#: The folders whose modules are loaded when they are needed; what they import of the phone, its bundle exports.
LAZY = ["account", "admin", "apps", "contacts", "invite", "openid", "operate", "screening", "transfer"]
IMPORT = re.compile(r'import \{([^}]*)\} from "([^"]+)";')
#: The entry points, and the modules that each of them starts with.
ENTRIES = {
    "phone/main.js": ["phone/address.js", "phone/main.js"],
    "client/worker.js": ["client/worker.js"],
    "audio/playout-worklet.js": ["audio/playout-worklet.js"],
    "audio/capture-worklet.js": ["audio/capture-worklet.js"],
}
STYLE_SHEET = "styles/phone.css"
LINK = re.compile(r'<link rel="stylesheet" href="([^"]+)">\n')
SCRIPT = re.compile(r'<script type="module" src="([^"]+)"></script>\n')
COMPRESSED = (".html", ".js", ".css", ".svg", ".webmanifest", ".wasm")


class Bundle:
    """The modules of an entry point, in the order in which a browser runs them."""

    def __init__(self, folder: str, entry: str):
        self.folder = folder
        self.entry = entry
        self.modules: dict[str, Module] = {}
        self.order: list[Module] = []
        #: The names that modules outside of the bundle import.
        self.shared: set[str] = set()
        for name in ENTRIES[entry]:
            self.load(name)

    def load(self, path: str) -> None:
        if path in self.modules:
            return
        module = parse(path, read(os.path.join(self.folder, path)))
        self.modules[path] = module
        for dependency in module.dependencies:
            self.load(dependency)
        self.order.append(module)

    def origin(self, path: str, name: str) -> tuple[str, str]:
        """Finds the module that declares an export, and the name there."""
        module = self.modules[path]
        if name not in module.exports:
            raise SyntaxFault(f"{path} exports no {name}")
        local = module.exports[name]
        if isinstance(local, tuple):
            return self.origin(*local)
        return self.origin(*module.imports[local]) if local in module.imports else (path, local)

    def names(self) -> dict[tuple[str, str], str]:
        """Chooses a name for each declaration: its own, if no module means something else by it."""
        used = {module.path: module.used for module in self.order}
        taken = set().union(*used.values())
        chosen: dict[tuple[str, str], str] = {}
        for module in self.order:
            for name in sorted(module.declared):
                declaration = (module.path, name)
                isShared = any(
                    name in used[other.path] and self.meaning(other, name) != declaration
                    for other in self.order
                )
                chosen[declaration] = self.fresh(name, taken) if isShared or name == "default$" else name
        return chosen

    def meaning(self, module: Module, name: str) -> tuple[str, str] | None:
        """Finds the declaration that a name of a module stands for; None: a local one, or the browser's."""
        if name in module.imports:
            return self.origin(*module.imports[name])
        return (module.path, name) if name in module.declared else None

    @staticmethod
    def fresh(name: str, taken: set[str]) -> str:
        number = 1
        while f"{name.rstrip('$')}${number}" in taken:
            number += 1
        taken.add(f"{name.rstrip('$')}${number}")
        return f"{name.rstrip('$')}${number}"

    def lazy(self, path: str) -> str:
        """Returns a module that is loaded later, with its imports of modules of the bundle from the bundle."""
        chosen = self.names()

        def imported(statement: re.Match) -> str:
            source = os.path.normpath(os.path.join(os.path.dirname(path), statement[2]))
            if source not in self.modules:
                return statement[0]
            pairs = []
            for name in filter(None, (name.strip() for name in statement[1].split(","))):
                origin = self.origin(source, name)
                self.shared.add(chosen[origin])
                pairs.append(name if chosen[origin] == name else f"{chosen[origin]} as {name}")
            address = os.path.relpath(self.entry, os.path.dirname(path))
            return f'import {{ {", ".join(pairs)} }} from "{address}";'

        return IMPORT.sub(imported, read(os.path.join(self.folder, path)))

    def text(self) -> str:
        chosen = self.names()
        parts = []
        for module in self.order:
            known = {name: chosen[(module.path, name)] for name in module.declared}
            known |= {local: chosen[self.origin(*source)] for local, source in module.imports.items()}
            parts.append(rewritten(module, known, self.entry))
        exports = [f"{chosen[self.origin(self.entry, name)]} as {name}" for name in self.modules[self.entry].exports]
        exports += sorted(self.shared)
        return "".join(parts) + (f"export {{ {', '.join(exports)} }};\n" if exports else "")


def lazy_modules(source: str) -> list[str]:
    """Returns the modules that the phone loads when they are needed."""
    files = (path for folder in LAZY for path in Path(source, folder).rglob("*") if path.is_file())
    return sorted(path.relative_to(source).as_posix() for path in files)


def page(text: str) -> str:
    """Returns index.html with one style sheet and one script."""
    sheet = f'<link rel="stylesheet" href="{STYLE_SHEET}">\n'
    entry = f'<script type="module" src="{html.escape(next(iter(ENTRIES)))}"></script>\n'
    text = LINK.sub("", text.replace(LINK.search(text)[0], sheet + LINK.search(text)[0], 1).replace(sheet, "\0", 1))
    text = SCRIPT.sub("", text.replace(SCRIPT.search(text)[0], "\1", 1))
    return text.replace("\0", sheet).replace("\1", entry)


def style(text: str) -> str:
    """Returns a style sheet without comments and indents."""
    return re.sub(r"\n\s*", "\n", re.sub(r"/\*.*?\*/", "", text, flags=re.S)).strip() + "\n"


def read(path: str) -> str:
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except FileNotFoundError:
        raise SyntaxFault(f"{path} is missing") from None


def write(path: str, text: str) -> None:
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def compress(folder: str) -> None:
    """Writes a compressed file beside each that becomes smaller."""
    for parent, _, names in os.walk(folder):
        for name in names:
            if not name.endswith(COMPRESSED):
                continue
            path = os.path.join(parent, name)
            with open(path, "rb") as file:
                content = file.read()
            packed = gzip.compress(content, 9, mtime=0)
            if len(packed) < 0.9 * len(content):
                with open(path + ".gz", "wb") as file:
                    file.write(packed)


def make(source: str, target: str) -> None:
    """Makes the folder anew; a hub that serves the present one sees the old files or the new ones."""
    new, old = f"{target}.new", f"{target}.old"
    for folder in (new, old):
        shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(source, new, copy_function=shutil.copyfile)
    for entry in ENTRIES:
        bundle = Bundle(source, entry)
        if entry == next(iter(ENTRIES)):
            for path in lazy_modules(source):
                write(os.path.join(new, path), bundle.lazy(path))
        write(os.path.join(new, entry), bundle.text())
    index = read(os.path.join(source, "index.html"))
    sheets = [style(read(os.path.join(source, name))) for name in LINK.findall(index)]
    write(os.path.join(new, STYLE_SHEET), "".join(sheets))
    write(os.path.join(new, "index.html"), page(index))
    compress(new)
    if os.path.exists(target):
        os.rename(target, old)
    os.rename(new, target)
    shutil.rmtree(old, ignore_errors=True)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("Usage: bundle.py SOURCE TARGET")
    try:
        make(sys.argv[1], sys.argv[2])
    except SyntaxFault as fault:
        sys.exit(f"bundle.py: {fault}")
