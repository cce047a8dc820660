"""Tests of the phone's texts: a word that is missing in a language, or a key that no text has, fails here."""

import os
import re
import unittest
from collections import defaultdict
from pathlib import Path

WEB = Path(__file__).resolve().parents[2] / "web-static"
#: The plural forms of each language, in the order of its lines in a text: `languages` of phone/text.js.
FORMS = {"en": 2, "ko": 1, "cs": 3}
BLOCKS = re.compile(r"(?:export default|addTexts\()\s*`(.*?)`", re.S)
#: The calls whose first argument is the key of a text, or a choice between such keys.
CALLS = re.compile(
    r"(?<![\w.])(t|hasText|hinted|switchRow|selectRow|sheetRow|screeningSheet|ownSheet|openRow|volume|roundButton)\("
)
LITERAL = re.compile(r'"([a-zA-Z][\w.]*)"')
TEMPLATE = re.compile(r"`([a-zA-Z][\w.]*\.)\$\{")
#: The folders that nothing is translated in, and the page that has texts of its own.
UNTRANSLATED = {"audio", "bench", "client", "icons", "styles", "trust.js"}


def entries(source: str) -> list[tuple[str, list[str]]]:
    """Returns the keys of each text of a module with its lines, read as `addTexts` of phone/text.js reads them."""
    found = []
    for block in BLOCKS.findall(source):
        prefix = ""
        for entry in block.strip().split("\n\n"):
            keys, *translations = entry.split("\n")
            named = re.match(r"\w+", keys)
            prefix = named.group() if named else prefix
            for key in keys.split(" "):
                found.append((prefix + key if key.startswith(".") else key, translations))
    return found


def argument(source: str, start: int) -> str:
    """Returns the first argument of a call, whose parenthesis opens before an index."""
    depth = 0
    for index in range(start, len(source)):
        if source[index] in "([{":
            depth += 1
        elif source[index] in ")]}":
            depth -= 1
        if depth < 0 or (depth == 0 and source[index] == ","):
            return source[start:index]
    return source[start:]


def uses(source: str) -> tuple[set[str], set[str]]:
    """Returns the keys that a module names, and the beginnings of those that it composes."""
    source = re.sub(r"^import .*?;$|//[^\n]*|/\*.*?\*/", "", source, flags=re.M | re.S)
    keys, beginnings = set(), set()
    for call in CALLS.finditer(source):
        text = argument(source, call.end())
        # What is compared is no key; neither are the arguments of calls within.
        text = re.sub(r'[!=]==\s*"[^"]*"|\w\([^()]*\)', "", text)
        keys.update(LITERAL.findall(re.sub("`[^`]*`", "", text)))
        beginnings.update(TEMPLATE.findall(text))
    return keys, beginnings


def modules() -> dict[str, str]:
    """Returns the text of each module that may have texts, by its path."""
    paths = [path for path in WEB.rglob("*.js") if path.relative_to(WEB).parts[0] not in UNTRANSLATED]
    return {str(path.relative_to(WEB)): path.read_text(encoding="utf-8") for path in paths}


def part(path: str) -> str:
    """Returns the folder that a module is loaded with."""
    return path.split(os.sep)[0]


class Texts(unittest.TestCase):
    def setUp(self):
        self.modules = modules()
        self.texts: dict[str, dict[str, list[str]]] = defaultdict(dict)
        for path, source in self.modules.items():
            for key, translations in entries(source):
                self.assertNotIn(key, self.texts[part(path)], f"{path} has {key} twice")
                self.texts[part(path)][key] = translations

    def known(self, path: str) -> set[str]:
        """Returns the keys that are there when a module runs: the phone's, its folder's and those it imports."""
        imported = re.findall(r'"\.\./(\w+)/text\.js"', self.modules[path])
        return {key for folder in ["phone", part(path), *imported] for key in self.texts[folder]}

    def test_each_text_has_a_line_in_each_language(self):
        self.assertGreater(len(self.texts["phone"]), 300)
        for texts in self.texts.values():
            for key, translations in texts.items():
                self.assertEqual(len(translations), len(FORMS), f"{key}: {translations}")
                self.assertTrue(all(line.strip() for line in translations), key)

    def test_a_text_has_all_plural_forms_of_a_language_or_one_and_a_count(self):
        for texts in self.texts.values():
            for key, translations in texts.items():
                forms = [line.count("|") + 1 for line in translations]
                for (language, all_forms), count in zip(FORMS.items(), forms):
                    self.assertIn(count, (1, all_forms), f"{key}, {language}")
                if max(forms) > 1:
                    self.assertIn("{count}", translations[0], key)

    def test_the_languages_of_a_text_have_the_same_placeholders(self):
        for texts in self.texts.values():
            for key, translations in texts.items():
                placeholders = [set(re.findall(r"\{(\w+)\}", line)) for line in translations]
                self.assertTrue(all(one == placeholders[0] for one in placeholders), f"{key}: {placeholders}")

    def test_each_key_that_a_module_names_has_a_text(self):
        count = 0
        for path, source in self.modules.items():
            keys, beginnings = uses(source)
            for key in keys:
                self.assertTrue(key in self.known(path), f"{path}: no text {key}")
            for beginning in beginnings:
                self.assertTrue(any(key.startswith(beginning) for key in self.known(path)), f"{path}: {beginning}…")
            count += len(keys)
        self.assertGreater(count, 300)


if __name__ == "__main__":
    unittest.main()
