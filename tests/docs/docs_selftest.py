"""The checks of documents find what is wrong: commands_test.py another output, links_test.py dead links and pages off
the site, tables.py of tools/elsewhere cells that have changed."""

import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(1, str(Path(__file__).resolve().parents[2] / "tools/elsewhere"))
import commands_test as commands
import figures_test as figures
import links_test as links
import tables


class Output(unittest.TestCase):
    def test_what_fits(self):
        self.assertTrue(commands.fits("a  b\n…\nd", "a  b\nx\ny\nd\n"))
        self.assertTrue(commands.fits("a\n…\nb", "a\nb\n"))
        self.assertTrue(commands.fits("a … c\n", "a 1 2 c\n"))
        self.assertTrue(commands.fits("", ""))

    def test_what_does_not(self):
        self.assertFalse(commands.fits("a\nb", "a\n"))
        self.assertFalse(commands.fits("a", "a\nb\n"))
        self.assertFalse(commands.fits("a 1.5", "a 1x5\n"))
        self.assertFalse(commands.fits("a … c", "a 1\n2 c\n"))
        self.assertFalse(commands.fits("", "a\n"))
        self.assertFalse(commands.fits("a\n…", "b\na\n"))

    def test_commands(self):
        block = "$ one\nout\n\n$ two \\\n  more\n"
        self.assertEqual([command for _, command, _ in commands.commands_of(block)], ["one", "two \\\n  more"])

    def test_a_page(self):
        with tempfile.TemporaryDirectory() as name:
            page = Path(name) / "how-to" / "page.md"
            page.parent.mkdir()
            good = "```text file=a.txt\nfirst\n```\n\n```\n$ cat a.txt\nfirst\n```\n\n```python\nprint(3)\n```\n\n```text\n3\n```\n"
            environment = dict(commands.os.environ)
            for text, count in ((good, 0), (good.replace("\n3\n", "\n4\n"), 1),
                                (good.replace("a.txt\nfirst\n```\n\n```py", "a.txt\nlast\n```\n\n```py"), 1),
                                ("no block\n", 1), (good + "line\n" * 60, 1),
                                (good + "<!-- table: x -->\n" + "line\n" * 60 + "<!-- end of table -->\n", 0)):
                page.write_text(text, encoding="utf-8")
                found = list(commands.faults(Path(name), page, Path(name), environment))
                self.assertEqual(len(found), count, found)


class Tables(unittest.TestCase):
    TABLE = "|  | one 1.0 | two 2.0 |\n|---|---|---|\n| a | x \\| y |  |\n| b | 1 | 2 |\n"

    def table(self, columns, rows, *words):
        """Returns the faults, and the table as it is in the page then."""
        with tempfile.TemporaryDirectory() as name:
            path = Path(name) / "page.md"
            head, end = "text\n<!-- table: tools/elsewhere/made, part -->\n", "<!-- end of table -->\ntext\n"
            path.write_text(head + self.TABLE + end, encoding="utf-8")
            with mock.patch.object(sys, "argv", ["made", *words]):
                page = tables.Page(str(path))
            page.table("part", columns, rows)
            text = path.read_text(encoding="utf-8")
            self.assertTrue(text.startswith(head) and text.endswith(end), text)
            return [fault.removeprefix(f"{path}: ") for fault in page.faults], text[len(head):-len(end)]

    def test_the_same(self):
        for words in [], ["--write"]:
            for rows in [["a", "x | y", ""], ["b", "1", "2"]], [["a", "x | y", None], ["b", "1", None]]:
                for columns in ["", "one 1.0", "two 2.0"], ["", "one 1.0", None]:
                    self.assertEqual(self.table(columns, rows, *words), ([], self.TABLE))

    def test_changes(self):
        columns, rows = ["", None, "two 2.1"], [["c", "3", "4"], ["b", None, "3"]]
        faults, table = self.table(columns, rows, "--write")
        self.assertEqual(faults, ["columns, two 2.1: was 'two 2.0', is 'two 2.1'", "c, one 1.0: was '', is '3'",
                                  "c, two 2.1: was '', is '4'", "b, two 2.1: was '2', is '3'",
                                  "a: a row that is no longer made"])
        self.assertEqual(table, "|  | one 1.0 | two 2.1 |\n|---|---|---|\n| c | 3 | 4 |\n| b | 1 | 3 |\n")
        self.assertEqual(self.table(columns, rows), (faults, self.TABLE))


class Figures(unittest.TestCase):
    def faults(self, text, **pages):
        with tempfile.TemporaryDirectory() as name:
            root = Path(name)
            (root / "docs").mkdir()
            (root / "bench/runs").mkdir(parents=True)
            (root / "bench/runs/run.md").write_text("| a | 1.567 s | 12,345 |\n", encoding="utf-8")
            for page, content in pages.items():
                (root / "docs" / f"{page}.md").write_text(content, encoding="utf-8")
            (root / "docs/page.md").write_text(text, encoding="utf-8")
            return list(figures.faults(root, "docs/page.md"))

    def test_good(self):
        self.assertEqual(self.faults("It takes 1.6 s ([run](../bench/runs/run.md)).\n\nThen 3 rows.\n"), [])
        self.assertEqual(self.faults("15.52 % are wrong:\n\n```\n$ command\n  15.52 % wrong\n```\n"), [])
        self.assertEqual(self.faults("See [b](b.md#a): 7 MB\n", b="```\n$ command\n7 MB\n```\n"), [])

    def test_bad(self):
        for text in ("It takes 1.6 s.\n", "It takes 1.5 s ([run](../bench/runs/run.md)).\n", "One is 15.55 % wrong.\n",
                     "```text\n15.55 %\n```\n\n15.55 % wrong\n", "([run](../bench/runs/none.md))\n",
                     "([run](../bench/runs/run.md))\n\n| a | 1.4 |\n"):
            self.assertEqual(len(self.faults(text)), 1, text)


class Links(unittest.TestCase):
    def faults(self, page, tree):
        with tempfile.TemporaryDirectory() as name:
            root = Path(name)
            (root / "docs/site").mkdir(parents=True)
            (root / "docs/page.md").write_text(page, encoding="utf-8")
            (root / "docs/site/index.md").write_text(f"```{{toctree}}\n\n{tree}\n```\n", encoding="utf-8")
            return [*links.link_faults(root), *links.site_faults(root)]

    def test_good(self):
        self.assertEqual(self.faults("# A `b`, c\n\n[x](#a-b-c) [y](site/index.md) `[z](no.md)`\n", "/docs/page"), [])
        self.assertEqual(self.faults("# A\n", ":glob:\n\n/docs/page\n/docs/p*"), [])

    def test_bad(self):
        self.assertEqual(len(self.faults("# A\n\n[x](#b)\n", "/docs/page")), 1)
        self.assertEqual(len(self.faults("# A\n\n[x](no.md)\n", "/docs/page")), 1)
        self.assertEqual(len(self.faults("# A\n", "/reference/other")), 1)
        self.assertEqual(len(self.faults("# A\n", "/docs/page\n/docs/gone")), 1)
        self.assertEqual(len(self.faults("# A\n", "/docs/page\n/docs/q*")), 1)


if __name__ == "__main__":
    unittest.main()
