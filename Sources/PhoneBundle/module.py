"""A JavaScript module: its imports, its exports, the names that it declares, and its text with other names."""

import posixpath
from dataclasses import dataclass, field

from tokens import SyntaxFault, Token, tokens


@dataclass
class Module:
    path: str
    tokens: list[Token]
    #: In their order: the modules that are imported.
    dependencies: list[str] = field(default_factory=list)
    #: The local name of each import: module and exported name.
    imports: dict[str, tuple[str, str]] = field(default_factory=dict)
    #: The local name of each export, or (module, exported name) of one that is passed on.
    exports: dict[str, str | tuple[str, str]] = field(default_factory=dict)
    #: The names that are declared outside of functions.
    declared: set[str] = field(default_factory=set)
    #: The tokens that the text of a bundle leaves out.
    dropped: set[int] = field(default_factory=set)
    #: The texts that replace tokens.
    replaced: dict[int, str] = field(default_factory=dict)

    @property
    def used(self) -> set[str]:
        """The names that stand for variables, declared here or not."""
        return {
            token.text
            for index, token in enumerate(self.tokens)
            if token.kind == "name" and index not in self.dropped and role(self.tokens, index) != "property"
        }


def parse(path: str, source: str) -> Module:
    try:
        module = Module(path, tokens(source))
        Parser(module).run()
    except (SyntaxFault, IndexError) as fault:
        raise SyntaxFault(f"{path}: {fault}") from None
    return module


class Parser:
    """Reads the statements outside of functions."""

    def __init__(self, module: Module):
        self.module = module
        self.tokens = module.tokens
        self.place = 0

    @property
    def text(self) -> str:
        return self.tokens[self.place].text

    def next(self, text: str | None = None) -> str:
        found = self.text
        if text is not None and found != text:
            raise SyntaxFault(f"{found} where {text} is expected")
        self.place += 1
        return found

    def run(self) -> None:
        self.begins_statement = True
        while self.place < len(self.tokens):
            token = self.tokens[self.place]
            if token.bracket < 0 and token.kind == "name":
                if token.text == "import" and self.tokens[self.place + 1].text not in (".", "("):
                    self.read_import()
                    continue
                if token.text == "export":
                    self.read_export()
                    continue
                if self.begins_statement and self.read_declaration():
                    continue
            if token.text == "import" and self.tokens[self.place + 1].text == "(":
                self.check_dynamic_import()
            self.begins_statement = token.bracket < 0 and token.text in (";", "}")
            self.place += 1

    def read_import(self) -> None:
        start = self.place
        self.next("import")
        names: dict[str, str] = {}
        while self.tokens[self.place].kind != "string":
            if self.text == "{":
                names |= {local: name for name, local in self.read_names()}
            elif self.text in ("from", ","):
                self.place += 1
            elif self.text == "*":
                raise SyntaxFault("import * is not understood")
            else:
                names[self.next()] = "default"
        source = self.read_source()
        for local, name in names.items():
            self.module.imports[local] = (source, name)
        self.end_statement(start)

    def check_dynamic_import(self) -> None:
        """Accepts the path of a module alone, which stays a file of its own; its text becomes relative to the bundle."""
        path, behind = self.tokens[self.place + 2], self.tokens[self.place + 3]
        if path.kind != "string" or behind.text != ")" or not is_address(self.tokens, self.place + 2):
            raise SyntaxFault(f"import({path.text} is not understood: only the path of a module is")

    def read_export(self) -> None:
        start = self.place
        self.next("export")
        if self.text == "{":
            pairs = self.read_names()
            source = None
            if self.text == "from":
                self.next()
                source = self.read_source()
            for local, name in pairs:
                self.module.exports[name] = (source, local) if source else local
            return self.end_statement(start)
        self.module.dropped.add(start)
        if self.text == "default":
            if self.tokens[self.place + 1].text in ("function", "class", "async"):
                raise SyntaxFault("only an expression may be exported as default")
            self.module.replaced[self.place] = "const default$ ="
            self.module.declared.add("default$")
            self.module.exports["default"] = "default$"
            self.place += 1
            self.begins_statement = False
            return
        before = set(self.module.declared)
        if not self.read_declaration():
            raise SyntaxFault(f"export {self.text} is not understood")
        for name in self.module.declared - before:
            self.module.exports[name] = name

    def read_names(self) -> list[tuple[str, str]]:
        """Reads `{ a, b as c }`: the name before `as`, and the one behind it."""
        pairs = []
        self.next("{")
        while self.text != "}":
            name = self.next()
            if self.text == "as":
                self.next()
                pairs.append((name, self.next()))
            else:
                pairs.append((name, name))
            if self.text == ",":
                self.next()
        self.next("}")
        return pairs

    def read_source(self) -> str:
        name = self.next()[1:-1]
        source = posixpath.normpath(posixpath.join(posixpath.dirname(self.module.path), name))
        if source not in self.module.dependencies:
            self.module.dependencies.append(source)
        return source

    def end_statement(self, start: int) -> None:
        if self.place < len(self.tokens) and self.text == ";":
            self.place += 1
        self.module.dropped.update(range(start, self.place))

    def read_declaration(self) -> bool:
        """Reads the names of a declaration; the tokens behind them are read as any others."""
        place = self.place
        if self.text == "async" and self.tokens[place + 1].text == "function":
            place += 1
        if self.tokens[place].text in ("function", "class"):
            place += 1
            if self.tokens[place].text == "*":
                place += 1
            self.module.declared.add(self.tokens[place].text)
            self.place = place + 1
            self.begins_statement = False
            return True
        if self.text not in ("const", "let", "var"):
            return False
        self.place += 1
        while True:
            self.read_binding()
            while self.text not in (",", ";") or self.tokens[self.place].bracket >= 0:
                self.place += 1
            if self.next() == ";":
                self.begins_statement = True
                return True

    def read_binding(self) -> None:
        """Reads a name, or a pattern of names."""
        if self.text not in ("{", "["):
            self.module.declared.add(self.next())
            return
        start = self.place
        self.place += 1
        while self.tokens[self.place].bracket != self.tokens[start].bracket:
            token = self.tokens[self.place]
            if token.kind == "name":
                before, behind = self.tokens[self.place - 1].text, self.tokens[self.place + 1].text
                if before in ("{", "[", ",", ":", "...") and behind in (",", "}", "]"):
                    self.module.declared.add(token.text)
                elif behind != ":":
                    raise SyntaxFault(f"the pattern with {token.text} is not understood")
            self.place += 1


def role(list_of_tokens: list[Token], index: int) -> str:
    """Returns what a name stands for: a property, a variable, or with `shorthand` for both."""
    token = list_of_tokens[index]
    if token.text.startswith("#"):
        return "property"
    before = list_of_tokens[index - 1].text if index > 0 else ";"
    behind = list_of_tokens[index + 1].text if index + 1 < len(list_of_tokens) else ";"
    if before in (".", "?."):
        return "property"
    enclosing = list_of_tokens[token.bracket].role if token.bracket >= 0 else "block"
    if enclosing == "class" and (before in ("{", "}", ";", "static", "async", "get", "set", "*")):
        return "property"
    if enclosing != "object":
        return "variable"
    is_key = before in ("{", ",") or (before in ("get", "set", "async", "*") and behind == "(")
    if not is_key:
        return "variable"
    return "property" if behind in (":", "(") else "shorthand" if behind in (",", "}", "=") else "variable"


def rewritten(module: Module, names: dict[str, str], entry: str) -> str:
    """Returns the module's text in a bundle: with other names, and with addresses that are relative to the bundle."""
    parts: list[str] = []
    last = space = ""
    for index, token in enumerate(module.tokens):
        space = max(space, token.space, key=["", " ", "\n"].index)
        if index in module.dropped:
            continue
        text = module.replaced.get(index, token.text)
        if index in module.replaced:
            text = text.replace("default$", names["default$"])
        elif token.kind == "name" and names.get(text, text) != text:
            kind = role(module.tokens, index)
            if kind == "shorthand":
                text = f"{text}: {names[text]}"
            elif kind == "variable":
                text = names[text]
        elif token.kind == "string" and is_address(module.tokens, index):
            text = f'"{moved(token.text[1:-1], module.path, entry)}"'
        parts.append(separator(space, last, text) + text)
        last, space = text, ""
    return "".join(parts) + "\n" if parts else ""


def is_address(list_of_tokens: list[Token], index: int) -> bool:
    """True for the path of a module, and for what is resolved against the module's own address."""
    text = list_of_tokens[index].text[1:-1]
    behind = "".join(token.text for token in list_of_tokens[index + 1 : index + 5])
    return text.startswith(("./", "../")) and text.endswith(".js") or behind == ",import.meta"


def moved(address: str, source: str, entry: str) -> str:
    """Returns an address that is relative to one module as one that is relative to another."""
    target = posixpath.join(posixpath.dirname(source), address)
    relative = posixpath.relpath(target, posixpath.dirname(entry) or ".")
    return relative if relative.startswith(".") else f"./{relative}"


def separator(space: str, before: str, behind: str) -> str:
    """Returns what must be between two tokens; line ends are kept, as they may end a statement."""
    if space != " " or not before:
        return space if before else ""
    return "" if before[-1] in "([{,;:" or behind[0] in ")]},;:" else " "
