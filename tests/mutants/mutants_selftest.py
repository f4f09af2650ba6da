"""tools/mutants finds what a mutant replaces, and refuses mutants that are stale before it builds anything."""

import importlib.machinery
import importlib.util
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
loader = importlib.machinery.SourceFileLoader("mutants", str(Path(__file__).resolve().parents[2] / "tools" / "mutants"))
mutants = importlib.util.module_from_spec(importlib.util.spec_from_loader("mutants", loader))
loader.exec_module(mutants)

HEAD = "name: Why.\n  src/a.cc A.B\n"
SOURCE = "int f() {\n  a();\n  if (x) {\n    a();\n    b();\n  }\n}\n"


class Mutants(unittest.TestCase):
    def applied(self, body):
        return mutants.Mutant("base", HEAD + body).applied(SOURCE)

    def faults(self, **tables):
        """The faults of a tree with one source and these tables: a message at the end, or lines of stale mutants."""
        with tempfile.TemporaryDirectory() as name:
            mutants.SOURCE, mutants.TABLES = Path(name), Path(name)
            (Path(name) / "src").mkdir()
            (Path(name) / "src/a.cc").write_text(SOURCE)
            for room, text in tables.items():
                (Path(name) / f"{room}.txt").write_text(text)
            try:
                return "\n".join(mutants.stale(mutants.all_mutants()))
            except SystemExit as end:
                return str(end)

    def test_a_change(self):
        self.assertEqual(self.applied("  - b();\n  + c();\n"), SOURCE.replace("b()", "c()"))
        self.assertEqual(self.applied("  - b();\n"), SOURCE.replace("    b();\n", ""))
        self.assertEqual(self.applied("    b();\n  + if (y)\n  +   c();\n"),
                         SOURCE.replace("    b();\n", "    b();\n    if (y)\n      c();\n"))
        self.assertEqual(self.applied("    if (x) {\n  -   a();\n  +   c();\n"), SOURCE.replace("    a()", "    c()"))

    def test_several_positions(self):
        self.assertEqual(self.applied("  - b();\n  + a();\n  @@\n  - int f() {\n  + int g() {\n"),
                         SOURCE.replace("b()", "a()").replace("f()", "g()"))

    def test_what_is_read(self):
        mutant = mutants.Mutant("base", "one-2: Why: so.\n  src/a.cc A.*:B.* 90\n  - b();\n")
        self.assertEqual((mutant.name, mutant.file, mutant.program, mutant.filter, mutant.seconds),
                         ("one-2", "src/a.cc", "base_tests", "A.*:B.*", 90))

    def test_what_is_refused(self):
        good, other = HEAD + "  - b();\n", HEAD.replace("name", "other") + "  - int f() {\n"
        self.assertEqual(self.faults(base=good + "\n" + other), "")
        for fault, *bodies in (
                ("base.txt: name is stale: src/a.cc: the old text is there 2 times, in lines 2, 4", "  - a();\n"),
                ("there 0 times", "  - c();\n", "  + c();\n", "  - ();\n"),
                ("changes nothing", "    b();\n", "  - b();\n  + b();\n"),
                ("'NAME: why'", "", "  b();\n", "  - b();\n  rest\n")):
            for body in bodies:
                self.assertIn(fault, self.faults(base=HEAD + body), body)
        self.assertIn("No such file", self.faults(base=HEAD.replace("a.cc", "b.cc") + "  - b();\n"))
        self.assertIn("base.txt: 'NAME: why'", self.faults(base="  - b();\n" + good))
        self.assertIn("game.txt: the name name is taken", self.faults(base=good, game=good))


if __name__ == "__main__":
    unittest.main()
