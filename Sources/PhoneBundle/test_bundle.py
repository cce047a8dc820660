"""Tests of the bundler; the phone as a bundle in a browser is tested in Tests/BrowserTests."""

import gzip
import os
import re
import tempfile
import unittest

import bundle
from module import parse, rewritten
from tokens import SyntaxFault, tokens


def bundled(files: dict[str, str], entry: str = "main.js") -> str:
    """Returns the bundle of some modules."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            path = os.path.join(folder, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            bundle.write(path, text)
        bundle.ENTRIES = {entry: [entry]}
        return bundle.Bundle(folder, entry).text()


class Tokens(unittest.TestCase):
    def texts(self, source: str) -> list[str]:
        return [token.text for token in tokens(source)]

    def test_comments_are_left_out_but_not_in_texts(self):
        self.assertEqual(self.texts('a /* b */ = "/*c*/"; // d'), ["a", "=", '"/*c*/"', ";"])

    def test_a_slash_divides_behind_a_value_and_else_begins_an_expression(self):
        self.assertEqual(self.texts("a / b / c"), ["a", "/", "b", "/", "c"])
        self.assertEqual(self.texts("x = /[/`]/g.test(y) / 2")[2], "/[/`]/g")

    def test_templates_may_have_templates_inside(self):
        source = "`a${b ? `c${d}` : {e: 1}.e}f`"
        self.assertEqual("".join(token.space + token.text for token in tokens(source)), source)

    def test_what_is_not_closed_is_refused(self):
        for source in ["(", "`a", "`a${b", ")", "a b {"]:
            with self.assertRaises(SyntaxFault, msg=source):
                tokens(source)


class Names(unittest.TestCase):
    def renamed(self, source: str) -> str:
        return rewritten(parse("main.js", source), {"x": "x$1"}, "main.js").strip()

    def test_variables_are_renamed_and_properties_are_not(self):
        for source, expected in [
            ("f(x, a.x, a?.x, ...x)", "f(x$1,a.x,a?.x,...x$1)"),
            ("a = { x: 1, y: x, z() { x() }, [x]: 2 }", "a = {x:1,y:x$1,z() {x$1()},[x$1]:2}"),
            ("a = { x, y, x() {} }", "a = {x: x$1,y,x() {}}"),
            ("({ x }) => x", "({x: x$1}) => x$1"),
            ("({ x = 1 }) => x", "({x: x$1 = 1}) => x$1"),
            ("class A { x = x; static x() { return this.#x; } get x() {} }", None),
            ("`x ${x} ${{ x }}`", "`x ${x$1} ${{x: x$1}}`"),
            ('if (x) { x(); } else { x = "x"; }', 'if (x$1) {x$1();} else {x$1 = "x";}'),
        ]:
            text = self.renamed(source)
            if expected is None:
                self.assertEqual(text, "class A {x = x$1;static x() {return this.#x;} get x() {}}")
            else:
                self.assertEqual(text.replace("; ", ";"), expected)


class Bundles(unittest.TestCase):
    def test_modules_come_in_the_order_in_which_browsers_run_them(self):
        text = bundled({"main.js": 'import "./b.js";\nimport "./a.js";\nlog("main");', "a.js": 'log("a");',
                        "b.js": 'import "./a.js";\nlog("b");'})
        self.assertEqual(text.split(), ['log("a");', 'log("b");', 'log("main");'])

    def test_equal_names_of_two_modules_become_two(self):
        text = bundled({"main.js": 'import { get } from "./a.js";\nconst value = 1;\nget(value);',
                        "a.js": "const value = 2;\nexport const get = () => value;"})
        self.assertIn("const value$1 = 2;\nconst get = () => value$1;", text)
        self.assertIn("const value$2 = 1;\nget(value$2);", text)

    def test_a_name_of_the_browser_is_not_hidden_by_another_module(self):
        text = bundled({"main.js": 'import "./a.js";\nopen(history);', "a.js": "const history = [];\nexport let open;"})
        self.assertIn("const history$1 = [];\nlet open$1;", text)
        self.assertIn("open(history);", text)

    def test_imports_follow_other_names_and_are_passed_on(self):
        text = bundled({"main.js": 'import { c as d } from "./a.js";\nd();', "a.js": 'import { b } from "./b.js";\n'
                        "export { b as c };", "b.js": "export function b() {}"})
        self.assertEqual(text, "function b() {}\nb();\n")

    def test_default_exports_are_expressions(self):
        text = bundled({"main.js": 'import a from "./a.js";\nimport b from "./b.js";\nlog(a, b);',
                        "a.js": "export default 1;", "b.js": "export default `2`;"})
        self.assertEqual(text, "const default$1 = 1;\nconst default$2 = `2`;\nlog(default$1,default$2);\n")

    def test_addresses_are_those_of_the_bundle(self):
        text = bundled({"app/main.js": 'import "../lib/a.js";',
                        "lib/a.js": 'load(new URL("./w.js", import.meta.url), new URL("v1", import.meta.url));'},
                       "app/main.js")
        self.assertIn('new URL("../lib/w.js",import.meta.url)', text)
        self.assertIn('new URL("../lib/v1",import.meta.url)', text)

    def test_the_path_of_a_module_that_is_imported_later_becomes_relative_to_the_bundle(self):
        text = bundled({"main/main.js": 'import "../audio/a.js";', "audio/a.js": 'const load = () => import("./b/c.js");'}, "main/main.js")
        self.assertEqual(text, 'const load = () => import("../audio/b/c.js");\n')

    def test_what_is_not_understood_is_refused_with_the_file(self):
        for text in ['import * as a from "./a.js";', "import(a);", 'import("a");', "export default class {}", "const a = {;",
                     'import { no } from "./a.js";\nno();', 'import "./none.js";']:
            with self.assertRaisesRegex(SyntaxFault, r"\.js", msg=text):
                bundled({"main.js": text, "a.js": ""})


class Folder(unittest.TestCase):
    def test_the_folder_has_one_style_sheet_one_script_and_compressed_files(self):
        source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "web-static")
        with tempfile.TemporaryDirectory() as folder:
            target = os.path.join(folder, "web")
            entries = {"phone/main.js": ["phone/address.js", "phone/main.js"], "client/worker.js": ["client/worker.js"]}
            bundle.ENTRIES = entries
            for _ in range(2):
                bundle.make(source, target)
            index = bundle.read(os.path.join(target, "index.html"))
            self.assertEqual(bundle.LINK.findall(index), [bundle.STYLE_SHEET])
            self.assertEqual(bundle.SCRIPT.findall(index), ["phone/main.js"])
            self.assertEqual(sorted(os.listdir(folder)), ["web"])
            main = os.path.join(target, "phone/main.js")
            with gzip.open(main + ".gz") as file:
                self.assertEqual(file.read().decode(), bundle.read(main))
            statements = re.findall(r"(?m)^(?:import|export) .*", bundle.read(main))
            # What the modules of `bundle.LAZY` import of the phone.
            self.assertEqual([statement.split()[0] for statement in statements], ["export"])
            for module in bundle.lazy_modules(source):
                folder = os.path.join(target, os.path.dirname(module))
                for path in re.findall(r'(?m)^import .* from "([^"]+)";', bundle.read(os.path.join(target, module))):
                    self.assertTrue(os.path.exists(os.path.join(folder, path)), path)


if __name__ == "__main__":
    unittest.main()
