"""The checks of documents find what is wrong: commands.py another output, links.py dead links and pages off the site."""

import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import commands
import figures
import links


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
