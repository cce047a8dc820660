"""The documents: links lead to files and headings that are there, and code that names its file is that file's."""

import re
import unittest
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
# A line that ends with a link to a file, and the code block that follows it.
NAMED_CODE = re.compile(r"\[[^\]]*\]\(([^)\s]+\.swift)\)[^\n]*\n(?:[^\n]+\n)*\n```swift\n(.*?)```", re.S)
CODE = re.compile(r"^```.*?^```$", re.S | re.M)


def anchors(text):
    """The fragments of a document's headings, as GitHub makes them."""
    found = set(re.findall(r'<a name="([^"]+)">', text))
    for heading in re.findall(r"^#+ (.+)$", CODE.sub("", text), re.M):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "")
        fragment = re.sub(r"[^\w\- ]", "", plain.lower()).replace(" ", "-")
        number = sum(1 for other in found if re.fullmatch(re.escape(fragment) + r"(-\d+)?", other))
        found.add(f"{fragment}-{number}" if number else fragment)
    return found


class DocumentTests(unittest.TestCase):
    def test_links_lead_to_files_and_headings(self):
        wrong = []
        for document in DOCUMENTS:
            for target in LINK.findall(CODE.sub("", document.read_text())):
                path, _, fragment = target.partition("#")
                if "://" in target or target.startswith("mailto:"):
                    continue
                file = (document.parent / path) if path else document
                if not file.exists():
                    wrong.append(f"{document.name}: {target} is not there")
                elif fragment and file.suffix == ".md" and fragment not in anchors(file.read_text()):
                    wrong.append(f"{document.name}: {target} names no heading")
        self.assertEqual(wrong, [])

    def test_code_that_names_its_file_is_the_files(self):
        document = ROOT / "docs" / "callkit.md"
        found = NAMED_CODE.findall(document.read_text())
        self.assertEqual(len(found), 3)
        for path, code in found:
            self.assertEqual(code, (document.parent / path).read_text(), path)


if __name__ == "__main__":
    unittest.main()
