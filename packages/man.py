"""Makes the man pages of the program from its help texts.

    python3 packages/man.py .build/debug/callhub FOLDER [DATE]

FOLDER gets callhub.1 and a page callhub-COMMAND.1 for each command that `callhub --help` lists. A help text is a usage,
paragraphs, tables of two columns, and examples; each is recognized by its layout. DATE is the pages' date, 2026-11-24.
"""

import os
import re
import subprocess
import sys

#: Two columns: an indented term, two spaces or more, its explanation.
ROW = re.compile(r"^(  +)(\S.*?)(?:  +(\S.*))?$")
#: A line of the list of commands in the program's own help; their purposes are one below the other.
COMMAND = re.compile(r"^(?:Usage:)? +callhub ([a-z]+)")
PURPOSE = re.compile(r"  (?=\S+(?: \S+)*$)")
#: The heading of a subcommand's part, and of a literal part.
SUBCOMMAND = re.compile(r"^([a-z]+):$")
HEADING = re.compile(r"^([A-Z][\w -]*):(.*)$")
#: Names that a page sets in bold: options.
OPTION = re.compile(r"(?<![\w-])(--?[a-z][a-z-]*)")


def escaped(text: str) -> str:
    """A text as roff takes it literally: no escapes, no hyphenation of names, no line that begins with a request."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("`", "\\`").replace("'", "\\(aq")
    return "\\&" + text if text.startswith((".", "\\(aq")) else text


def bold(text: str) -> str:
    """A text with its options in bold."""
    parts = OPTION.split(text)
    return "".join(f"\\fB{escaped(part)}\\fR" if odd % 2 else escaped(part) for odd, part in enumerate(parts) if part)


def paragraph(lines: list[str], heading: str) -> list[str]:
    """A paragraph of running text; the exit codes are a section of their own."""
    text = " ".join(line.strip() for line in lines)
    match = re.match(r"Exit codes?: (.*)\.$", text)
    if not match:
        return [".PP", bold(text)]
    codes = re.split(r"; (?=\d )", match[1])
    return [f"{heading} EXIT STATUS"] + [
        line for code in codes for line in (".TP", f".B {code.split(' ', 1)[0]}", escaped(code.split(" ", 1)[-1]))
    ]


def literal(lines: list[str]) -> list[str]:
    """Lines as they stand: examples, and tables that are no list of options."""
    return [".PP", ".nf", ".RS 4"] + [escaped(line) or ".sp" for line in dedented(lines)] + [".RE", ".fi"]


def dedented(lines: list[str]) -> list[str]:
    width = min(len(line) - len(line.lstrip()) for line in lines if line.strip())
    return [line[width:] for line in lines]


def options(lines: list[str]) -> list[str]:
    """A table of options: each a tagged paragraph."""
    result = []
    column = max(line.find(row[3]) for line in lines if (row := ROW.match(line)) and row[3] and row[2].startswith("-"))
    for line in lines:
        term, text = line[:column].strip(), line[column:].strip()
        if term:
            name, _, value = term.partition(" ")
            result += [".TP", f"\\fB{escaped(name)}\\fR" + (f" \\fI{escaped(value)}\\fR" if value else "")]
        if text:
            result.append(bold(text))
    return result


def blocks(text: str) -> list[list[str]]:
    """The parts of a help text that blank lines separate."""
    return [part.split("\n") for part in re.split(r"\n\s*\n", text.strip("\n"))]


def body(text: str) -> list[str]:
    """The sections of a page after its name, from a help text."""
    usage, *rest = blocks(text)
    usage = [re.sub(r"^Usage: ", "       ", line) for line in usage]
    result = [".SH SYNOPSIS", ".nf"] + [escaped(line) for line in dedented(usage)] + [".fi"]
    # A command whose subcommands have a part each has the sections of each in it.
    has_parts = any(SUBCOMMAND.match(lines[0]) for lines in rest)
    heading = ".SS" if has_parts else ".SH"
    if not has_parts:
        result.append(".SH DESCRIPTION")
    for lines in rest:
        if part := SUBCOMMAND.match(lines[0]):
            result.append(f".SH {part[1].upper()}")
            lines = lines[1:]
        indented = next((i for i, line in enumerate(lines) if line.startswith("  ")), len(lines))
        if (match := HEADING.match(lines[0])) and indented == 1 < len(lines):
            title = " ".join(word if word.startswith("-") else word.upper() for word in match[1].split())
            result += [f"{heading} {escaped(title)}"] + paragraph([match[2]], heading) * bool(match[2])
        elif indented:
            result += paragraph(lines[:indented], heading)
        if indented < len(lines):
            is_table = indented == 0 and lines[0].lstrip().startswith("-")
            result += options(lines) if is_table else literal(lines[indented:])
    return result


def page(name: str, purpose: str, text: str, others: list[str], version: str, date: str) -> str:
    """A man page."""
    lines = [
        f".TH {name.upper().replace('-', chr(92) + '-')} 1 {date} \"CallHub {version}\" \"CallHub\"",
        ".nh", ".ad l", ".SH NAME", f"{escaped(name)} \\- {escaped(purpose)}", *body(text), ".SH SEE ALSO",
        ",\n".join(f".BR {escaped(other)} (1)" for other in others if other != name),
    ]
    # A section needs no paragraph at its beginning.
    lines = [line for line, before in zip(lines, [""] + lines) if line != ".PP" or not before.startswith(".S")]
    return "\n".join(lines) + "\n"


def main(program: str, folder: str, date: str = "") -> None:
    def run(*arguments: str) -> str:
        return subprocess.run([program, *arguments], check=True, capture_output=True, text=True).stdout

    overview = run("--help")
    version = run("--version").split()[-1]
    lines = [line for line in overview.split("\n") if COMMAND.match(line)]
    column = max(match.end() for line in lines if (match := PURPOSE.search(line)))
    commands = {COMMAND.match(line)[1]: line[column:] for line in lines}
    names = ["callhub"] + [f"callhub-{command}" for command in commands]
    os.makedirs(folder, exist_ok=True)
    texts = {"callhub": ("self-hosted voice calls", overview)}
    texts |= {f"callhub-{command}": (purpose, run(command, "--help")) for command, purpose in commands.items()}
    for name, (purpose, text) in texts.items():
        with open(os.path.join(folder, name + ".1"), "w", encoding="utf-8") as file:
            file.write(page(name, purpose, text, names, version, date))


if __name__ == "__main__":
    main(*sys.argv[1:])
