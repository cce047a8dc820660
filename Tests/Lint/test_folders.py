"""What folders.py takes for a use of a folder, and which cycles it refuses."""

import unittest
from pathlib import Path

from folders import cycles, declarations, sentences, uses
from swift_code import code_of


def pairs(files):
    """The pairs of folders in which one uses the other, in files by path."""
    return {tuple(map(str, pair)) for pair in uses({Path(path): code for path, code in files.items()}, "Hub")}


class Code(unittest.TestCase):
    def test_comments_are_left_out(self):
        self.assertEqual(code_of("a // B\nc").split(), ["a", "c"])
        self.assertEqual(code_of("a /* B /* C */ D */ e").split(), ["a", "e"])
        self.assertEqual(code_of("a // B"), "a ")

    def test_strings_are_left_out_and_what_is_interpolated_is_not(self):
        self.assertEqual(code_of('f("A \\" B") g').split(), ["f(", ")", "g"])
        self.assertEqual(code_of('"a \\(B(c) + "D") e" f').split(), ["B(c)", "+", "f"])
        self.assertEqual(code_of('#"A " \\(B) \\#(c)"# d').split(), ["c", "d"])
        self.assertEqual(code_of('"""\nA "B"\n""" c').split(), ["c"])
        self.assertEqual(code_of('"http://A" b').split(), ["b"])


class Declarations(unittest.TestCase):
    def test_other_files_see_what_is_outside_of_braces_and_not_private(self):
        code = "public struct A { enum B {} }\nprivate struct C {}\nfileprivate final class D {}\nfinal class E {}\ntypealias F = Int"
        self.assertEqual(declarations(code), ({"A", "E", "F"}, set("ABCDEF")))

    def test_a_function_of_a_class_declares_no_type(self):
        self.assertEqual(declarations("class func make() {}"), (set(), set()))


class Uses(unittest.TestCase):
    def test_a_folder_uses_the_one_that_declares_a_type_that_it_names(self):
        self.assertEqual(pairs({"A/a.swift": "struct A { var b: B }", "B/b.swift": "struct B {}"}), {("A", "B")})

    def test_an_extension_is_a_use_and_the_files_beside_the_folders_are_one(self):
        self.assertEqual(pairs({"a.swift": "struct A {}", "B/b.swift": "extension A {}"}), {("B", ".")})

    def test_a_folder_in_a_folder_stands_for_itself(self):
        self.assertEqual(pairs({"A/a.swift": "struct A {}", "A/B/b.swift": "let a = A()"}), {("A/B", "A")})

    def test_a_member_is_no_type_and_the_module_says_no_other(self):
        files = {"A/a.swift": "struct A {}", "B/b.swift": "let b = C.A.self", "D/d.swift": "let d = Hub.A()"}
        self.assertEqual(pairs(files), {("D", "A")})

    def test_a_name_that_the_file_or_several_folders_declare_is_no_use(self):
        files = {"A/a.swift": "struct A {}; struct C {}", "B/b.swift": "struct B { enum A {} }", "C/c.swift": "struct C {}",
                 "D/d.swift": "let c: C"}
        self.assertEqual(pairs(files), set())


class Cycles(unittest.TestCase):
    def test_folders_that_reach_one_another_are_a_cycle(self):
        self.assertEqual(cycles([("a", "b"), ("b", "c"), ("c", "a"), ("c", "d"), ("e", "a")]), [["a", "b", "c"]])
        self.assertEqual(cycles([("a", "b"), ("b", "a"), ("c", "d"), ("d", "c"), ("b", "c")]), [["a", "b"], ["c", "d"]])
        self.assertEqual(cycles([("a", "b"), ("a", "c"), ("b", "c")]), [])

    def test_a_cycle_is_refused_with_its_uses(self):
        found = {("a", "b"): {(Path("a/one.swift"), "B")}, ("b", "a"): {(Path("b/two.swift"), "A")}}
        self.assertEqual([line.split(":")[-1].strip() for line in sentences("Hub", found, set())],
                         ["", "one.swift names B", "two.swift names A"])
        self.assertEqual(len(list(sentences("Hub", found, {"a"}))), 3)

    def test_a_cycle_on_the_list_is_taken_and_a_folder_in_none_is_to_leave_the_list(self):
        found = {("a", "b"): {(Path("a/one.swift"), "B")}, ("b", "a"): {(Path("b/two.swift"), "A")}}
        self.assertEqual(list(sentences("Hub", found, {"a", "b"})), [])
        self.assertEqual(list(sentences("Hub", found, {"a", "b", "c"})),
                         ["Hub: c is in no cycle any more; take it off the list in folders.py"])


if __name__ == "__main__":
    unittest.main()
