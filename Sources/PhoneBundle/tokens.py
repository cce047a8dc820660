"""JavaScript as tokens: as much of the language as web-static is written in; the rest is refused."""

import re
from dataclasses import dataclass

NAME = re.compile(r"#?[A-Za-z_$][\w$]*")
NUMBER = re.compile(r"(0[xX][\da-fA-F_]+|(\d[\d_]*)?\.?\d[\d_]*([eE][+-]?\d+)?)n?")
STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'')
REGEX = re.compile(r"/(?:[^/\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/[a-z]*")
CHUNK = re.compile(r"(?:[^`\\$]|\\.|\$(?!\{))*", re.S)
SPACE = re.compile(r"(?:\s|//[^\n]*|/\*.*?\*/)+", re.S)
PUNCTUATION = re.compile(
    r"\.\.\.|=>|\?\.(?!\d)|>>>=|\*\*=|<<=|>>=|>>>|&&=|\|\|=|\?\?=|===|!==|\*\*|\+\+|--|&&|\|\||\?\?|<<|>>"
    r"|[-+*/%&|^<>=!]="
    r"|[{}()\[\];,<>+\-*/%&|^!~?:=.]"
)
#: Names behind which an expression begins.
BEFORE_EXPRESSION = set("return typeof case in of new delete void throw await yield else do instanceof default".split())


class SyntaxFault(Exception):
    """A text that is no JavaScript, or a part of it that is not understood here."""


@dataclass
class Token:
    kind: str  # name, number, string, regex, template, punctuation
    text: str
    space: str  # what is between the token and the one before: "", " " or a line end
    bracket: int = -1  # the index of the innermost open bracket
    role: str = ""  # of `{`: block, object, class or template


def tokens(source: str) -> list[Token]:
    """Splits a source; a template is one token for each text around its expressions."""
    found: list[Token] = []
    open_brackets: list[int] = []
    place = 0

    def add(kind: str, text: str) -> None:
        nonlocal space
        found.append(Token(kind, text, space, open_brackets[-1] if open_brackets else -1))
        space = ""

    def add_template(start: int) -> int:
        chunk = CHUNK.match(source, start + 1)
        end = chunk.end()
        if source[end : end + 1] == "`":
            add("template", source[start : end + 1])
            return end + 1
        if source[end : end + 2] != "${":
            raise SyntaxFault("a template does not end")
        add("template", source[start : end + 2])
        found[-1].role = "template"
        open_brackets.append(len(found) - 1)
        return end + 2

    space = ""
    while place < len(source):
        if match := SPACE.match(source, place):
            space = "\n" if "\n" in match[0] else " "
            place = match.end()
            continue
        first = source[place]
        if first == "`":
            place = add_template(place)
        elif first == "}" and open_brackets and found[open_brackets[-1]].role == "template":
            open_brackets.pop()
            place = add_template(place)
        elif match := STRING.match(source, place):
            add("string", match[0])
            place = match.end()
        elif first == "/" and begins_expression(found) and (match := REGEX.match(source, place)):
            add("regex", match[0])
            place = match.end()
        elif match := NAME.match(source, place):
            add("name", match[0])
            place = match.end()
        elif (first.isdigit() or first == "." and source[place + 1 : place + 2].isdigit()) and (
            match := NUMBER.match(source, place)
        ):
            add("number", match[0])
            place = match.end()
        elif match := PUNCTUATION.match(source, place):
            text = match[0]
            if text in ")]}":
                if not open_brackets:
                    raise SyntaxFault(f"a {text} too many")
                open_brackets.pop()
            add("punctuation", text)
            if text in "([{":
                if text == "{":
                    found[-1].role = role_of_brace(found)
                open_brackets.append(len(found) - 1)
            place = match.end()
        else:
            raise SyntaxFault(f"{source[place:place + 20]!r} is not understood")
    if open_brackets:
        raise SyntaxFault(f"{found[open_brackets[-1]].text} is not closed")
    return found


def begins_expression(found: list[Token]) -> bool:
    """True where a `/` begins a regular expression, not a division."""
    if not found:
        return True
    last = found[-1]
    if last.kind == "name":
        return last.text in BEFORE_EXPRESSION
    if last.kind == "template":
        return last.text.endswith("${")
    return last.kind == "punctuation" and last.text not in (")", "]", "}", "++", "--")


def role_of_brace(found: list[Token]) -> str:
    """Returns what the `{` at the end of the tokens opens."""
    brace = found[-1]
    if len(found) == 1:
        return "block"
    last = found[-2]
    if is_class_head(found):
        return "class"
    if last.text in ("=>", ")", ";", "{", "}") and last.kind == "punctuation":
        return "block"
    if last.kind == "name":
        if last.text in ("else", "try", "finally", "do", "catch", "static"):
            return "block"
        if last.text in BEFORE_EXPRESSION or last.text in ("const", "let", "var", "import", "export"):
            return "object"
        raise SyntaxFault(f"{last.text} {{ is not understood")
    if last.text == ":" and brace.bracket >= 0 and found[brace.bracket].role == "block":
        if any(token.text == "case" and token.bracket == brace.bracket for token in found[-8:]):
            return "block"
    return "object"


def is_class_head(found: list[Token]) -> bool:
    """True if the tokens end with `class NAME extends EXPRESSION {`."""
    bracket = found[-1].bracket
    for token in reversed(found[:-1]):
        if token.bracket < bracket or (token.bracket == bracket and token.text in (";", "}", "{", "=>", "=")):
            return False
        if token.bracket == bracket and token.text == "class" and token.kind == "name":
            return True
    return False
