"""What `bandit --logged` proves of policies is proved again by tools/verify-policy-values, and not a hair more."""

import json
import random
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

COMMAND, SOURCE = sys.argv.pop(1), Path(sys.argv.pop(1))
BOUNDS = [(what, end) for what in ("value", "gain") for end in ("lower", "upper")]


class ValuesTest(unittest.TestCase):
    def setUp(self):
        self._folder = tempfile.TemporaryDirectory(prefix="halfspace_values_")
        self.folder = Path(self._folder.name)
        self.addCleanup(self._folder.cleanup)

    def log(self, seed, rows=300, clicks=True):
        """A log of three arms, whose logger favours the first."""
        draw, lines = random.Random(seed), ["arm,click,p"]
        for _ in range(rows):
            arm = draw.choices("abc", (0.6, 0.3, 0.1))[0]
            mean = {"a": 0.3, "b": 0.8, "c": 0.1}[arm]
            reward = int(draw.random() < mean) if clicks else round(draw.random() * 2 * min(mean, 0.5), 3)
            lines.append(f"{arm},{reward},{ {'a': 0.6, 'b': 0.3, 'c': 0.1}[arm]}")
        path = self.folder / "log.csv"
        path.write_text("\n".join(lines) + "\n", encoding="ascii")
        return path

    def run_on(self, path, *flags):
        words = [COMMAND, "bandit", path, "--logged", "--action",
                 "arm", "--reward", "click", "--propensity", "p", "--json"]
        return json.loads(subprocess.run([*words, *flags], check=True, capture_output=True).stdout)

    def verdict(self, run, path):
        stated = self.folder / "run.json"
        stated.write_text(json.dumps(run), encoding="utf-8")
        return subprocess.run([SOURCE / "tools" / "verify-policy-values", stated, path], capture_output=True, text=True)

    def test_every_bound_is_proved(self):
        for seed in range(6):
            path = self.log(seed, rows=20 + 100 * seed, clicks=seed % 2 == 0)
            for flags in ((), ("--floor", "0.1"), ("--floor", "0.05", "--delta", "0.3")):
                run = self.run_on(path, *flags)
                self.assertAlmostEqual(run["log"]["delta_each"], (0.3 if "0.3" in flags else 0.05) / 4 / 6)
                found = self.verdict(run, path)
                self.assertEqual((found.returncode, found.stdout),
                                 (0, "valid: the bounds of 5 policies, to nine decimals\n"))

    def test_no_bound_that_is_tighter(self):
        path = self.log(1, rows=600)
        run = self.run_on(path, "--floor", "0.1")
        tighter = 0
        for name in ("logger", "uniform"):
            for what, end in BOUNDS:
                changed = json.loads(json.dumps(run))
                bounds = changed[name]["proved"][what]
                if name == "logger" and what == "gain":
                    continue  # the wealth of a bet on nothing never moves
                bounds[end] += 1e-6 if end == "lower" else -1e-6
                found = self.verdict(changed, path)
                self.assertEqual(found.returncode, 1, f"{name} {what} {end}: {found.stdout}{found.stderr}")
                tighter += 1
        self.assertEqual(tighter, 6)

    def test_another_log_is_noticed(self):
        path = self.log(2)
        run = self.run_on(path)
        text = path.read_text(encoding="ascii")
        path.write_text(text + text.splitlines()[1] + "\n", encoding="ascii")
        self.assertEqual(self.verdict(run, path).returncode, 65)
        path.write_text(text.replace("b,1", "b,0"), encoding="ascii")
        self.assertEqual(self.verdict(run, path).returncode, 1)


if __name__ == "__main__":
    unittest.main()
