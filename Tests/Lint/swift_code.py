"""The code of a Swift file: its text without comments and without the text of its strings."""

import re

STRING = re.compile(r'(#*)("""|")')


def code_of(text):
    """The text with blanks in place of comments and strings; the code inside `\\(…)` of a string stays."""
    return scan(text, 0, is_inside=False)[0]


def scan(text, index, is_inside):
    """Code from a place on, to the end or, inside of an interpolation, to its closing parenthesis; and the place after it."""
    code, depth = [], 0
    while index < len(text):
        if text.startswith("//", index):
            index = end_of(text, "\n", index) - 1
        elif text.startswith("/*", index):
            index = skip_comment(text, index)
        elif match := STRING.match(text, index):
            pieces, index = scan_string(text, match.end(), *match.groups())
            code.append(f" {pieces} ")
            continue
        else:
            character = text[index]
            depth += {"(": 1, ")": -1}.get(character, 0)
            if is_inside and depth < 0:
                return "".join(code), index + 1
            code.append(character)
        index += 1
    return "".join(code), index


def scan_string(text, index, hashes, quote):
    """The interpolated code of a string whose text begins at a place, and the place after it."""
    code, escape = [], "\\" + hashes
    while index < len(text):
        if text.startswith(quote + hashes, index):
            return " ".join(code), index + len(quote + hashes)
        if text.startswith(escape + "(", index):
            piece, index = scan(text, index + len(escape) + 1, is_inside=True)
            code.append(piece)
        else:
            index += len(escape) + 1 if text.startswith(escape, index) else 1
    return " ".join(code), index


def skip_comment(text, index):
    """The last place of a comment, in which there may be others."""
    depth = 0
    for match in re.compile(r"/\*|\*/").finditer(text, index):
        depth += 1 if match[0] == "/*" else -1
        if depth == 0:
            return match.end() - 1
    return len(text)


def end_of(text, piece, index):
    """The place of a piece of text, or the end."""
    found = text.find(piece, index)
    return found if found >= 0 else len(text) + 1
