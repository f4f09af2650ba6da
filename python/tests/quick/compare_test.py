"""halfspace.compare(), without numpy."""

import tempfile
import unittest
from pathlib import Path

import halfspace


class Compare(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.paths = []
        for k in range(6):
            rows = [(i * (7 + k) % 19 - 9, i * (11 + 2 * k) % 23 - 11) for i in range(80)]
            self.paths.append(Path(folder.name) / f"set{k}.csv")
            self.paths[-1].write_text("a,b,y\n" + "".join(f"{a},{b},{'yes' if a + b > 0 else 'no'}\n" for a, b in rows))

    def test_rules_on_several_sets(self):
        found = halfspace.compare(self.paths, rules=["averaged:passes=20",
                                  "perceptron:updates=1", "pa:updates=1"], folds=4)
        self.assertEqual(found.best, "averaged:passes=20")
        self.assertEqual(found.result["test"], "nemenyi")
        self.assertEqual([one["data"] for one in found.result["sets"]], [path.name for path in self.paths])
        self.assertIn("critical difference", str(found))
        self.assertIn("Who beats whom", found.page())

    def test_models_by_name(self):
        good = halfspace.train(self.paths[0], rule="arow")
        poor = halfspace.train(self.paths[0], rule="perceptron", updates=1)
        saved = self.paths[0].with_suffix(".model")
        poor.save(saved)
        found = halfspace.compare(self.paths[1], models={"good": good, "poor": saved})
        self.assertEqual((found.best, found.result["test"]), ("good", "mcnemar"))
        own = halfspace.compare(self.paths[0], models={"good": good})
        self.assertIsNone(own.best)
        self.assertIn("trained on these rows", own.result["sets"][0]["results"][0]["not_run"])

    def test_errors_name_what_is_wrong(self):
        with self.assertRaisesRegex(halfspace.UsageError, "did you mean 'averaged'"):
            halfspace.compare(self.paths[0], rules=["averged"])
        with self.assertRaisesRegex(halfspace.UsageError, "no option 'fold'"):
            halfspace.compare(self.paths[0], rules=["averaged"], fold=3)
        with self.assertRaises(halfspace.NoInputError):
            halfspace.compare("nothing.csv", rules=["averaged"])


if __name__ == "__main__":
    unittest.main()
