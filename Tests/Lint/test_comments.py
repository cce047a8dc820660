"""What comments.py refuses and takes."""

import unittest

from comments import faults


def sentences(*lines):
    return [sentence for _, sentence in faults("\n".join(lines))]


class Comments(unittest.TestCase):
    def test_a_summary_that_is_a_relative_clause_is_refused(self):
        for word in "What Who Whom Whose Whoever Whether How Where Whence what".split():
            with self.subTest(word=word):
                self.assertEqual(len(sentences(f"/// {word} it is for.", "var a: Int")), 1)

    def test_a_noun_or_verb_phrase_is_taken(self):
        for summary in ["The number of calls.", "Closes the connection.", "Whatsoever.", "Howling at the moon."]:
            with self.subTest(summary=summary):
                self.assertEqual(sentences(f"    /// {summary}"), [])

    def test_only_the_first_line_of_a_documentation_comment_is_its_summary(self):
        self.assertEqual(sentences("/// The calls.", "///", "/// What is over is left out."), [])
        self.assertEqual(len(sentences("/// The calls.", "var a = 1", "/// What is over.")), 1)

    def test_a_field_that_says_nothing_is_refused(self):
        for field in [
            "- Parameter now: See there.", "  - name: Whose.", "- Returns: That.", "- Throws: See above.", "  - id: Any name.",
            "  - wsi: Who asks.", "  - state:", "- Returns: Whether to.",
        ]:
            with self.subTest(field=field):
                self.assertEqual(len(sentences("/// Does it.", "///", f"/// {field}")), 1)

    def test_a_field_that_says_something_is_taken(self):
        for field in [
            "- Parameter now: Nanoseconds of a monotonic clock.", "- Parameters:", "  - name: The account.", "- Returns: Nil for none.",
            "- Throws: `StoreError` when the disk is full.", "- a list item",
        ]:
            with self.subTest(field=field):
                self.assertEqual(sentences("/// Does it.", "///", f"/// {field}"), [])

    def test_a_long_comment_is_refused_and_long_code_is_not_looked_at(self):
        self.assertEqual(len(sentences("// " + "x" * 118)), 1)
        self.assertEqual(sentences("// " + "x" * 117), [])
        self.assertEqual(sentences("let a = " + "x" * 200), [])

    def test_the_place_of_a_fault_is_its_line(self):
        self.assertEqual([number for number, _ in faults("let a = 1\n/// Who calls.\n")], [2])


if __name__ == "__main__":
    unittest.main()
