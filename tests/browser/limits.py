"""A page is small whatever the run: ten million rows through a pipe, once, and a long walk of the weights."""

import subprocess
from pathlib import Path

from support import FOLDER, SETTINGS, PageTest

ROWS = 10_000_000
LIMIT = 2_000_000


class Limits(PageTest):
    def test_ten_million_rows(self):
        # Rows of two features; every thousandth label is turned round, so that no line tells them apart.
        def row(i):
            a, b = i * 7 % 19 - 9, i * 5 % 17 - 8
            return b"%+d 1:%d 2:%d\n" % ((1 if a + b > 0 else -1) * (-1 if i % 997 == 0 else 1), a, b)

        piece = b"".join(row(i) for i in range(100_000))
        path = Path(FOLDER.name) / "ten-million.html"
        command = [SETTINGS["command"], "train", "-", "--rule", "perceptron", "--quiet", "--report", str(path)]
        run = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        for _ in range(ROWS // 100_000):
            run.stdin.write(piece)
        output = run.communicate()[0].decode()
        self.assertEqual(run.returncode, 0)
        self.assertIn("10,000,000 rows", output)
        self.assertLess(path.stat().st_size, LIMIT)
        page = self.open(path, "#moment=2")
        self.assertIn("of 10,000,000 rows", page.text(".plane-about"))
        self.assertIn("Update 2 of", page.text(".plane-live"))
        page.press("End")
        page.screenshot(self.shots / "plane-ten-million.png")

    def test_everything_at_its_limit(self):
        # Many classes and real numbers of full length: the largest JSON a plane can have.
        row = lambda i: " ".join(f"{j}:{(i * 7919 * j % 10007) / 9973}" for j in (1, 2, 3))
        data = self.write("classes.svm", "".join(f"{i % 10} {row(i)}\n" for i in range(6000)))
        path = Path(FOLDER.name) / "classes.html"
        command = [SETTINGS["command"], "train", data, "--order", "cyclic", "--passes", "3", "--report", path]
        subprocess.run(command, check=True, capture_output=True)
        self.assertLess(path.stat().st_size, LIMIT)
        page = self.open(path, "#moment=3")
        self.assertIn("Update 3 of", page.text(".plane-live"))
