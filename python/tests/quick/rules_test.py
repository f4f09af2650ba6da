"""A rule with its parameters in one word, without numpy."""

import tempfile
import unittest
from pathlib import Path

import halfspace


class Words(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name) / "rows.csv"
        rows = [(i * 7 % 19 - 9, i * 11 % 23 - 11) for i in range(80)]
        self.path.write_text("a,b,y\n" + "".join(f"{a},{b},{'yes' if a + b > 0 else 'no'}\n" for a, b in rows))

    def test_are_the_keywords(self):
        for words, keywords in (({"rule": "pa1:aggressiveness=0.5"}, {"rule": "pa1", "aggressiveness": 0.5}),
                                ({"preset": "averaged:rate=0.5"}, {"preset": "averaged", "rate": 0.5}),
                                ({"objective": "svm:C=10:gap=0.001"}, {"objective": "svm", "C": 10, "gap": 0.001})):
            self.assertEqual(halfspace.train(self.path, **words).to_bytes(),
                             halfspace.train(self.path, **keywords).to_bytes())

    def test_are_refused_by_name(self):
        with self.assertRaisesRegex(halfspace.UsageError, "scw1 has no parameter 'agressiveness'.*did you mean"):
            halfspace.train(self.path, rule="scw1:agressiveness=1")
        with self.assertRaisesRegex(halfspace.UsageError, "contradicts aggressiveness"):
            halfspace.train(self.path, rule="pa1:aggressiveness=1", aggressiveness=2)

    def test_learn_online(self):
        rows = [({"a": i % 5 - 2, "b": i % 3 - 1}, i % 5 > 2) for i in range(40)]
        models = [halfspace.OnlineClassifier(rule="ftrl:alpha=0.5"), halfspace.OnlineClassifier(rule="ftrl", alpha=0.5)]
        for x, y in rows:
            for model in models:
                model.learn_one(x, y)
        scores = [[model.predict_proba_one(x) for x, _ in rows] for model in models]
        self.assertEqual(*scores)

    def test_have_as_many_scores_as_vectors(self):
        """Of every rule, two classes and three: what the library writes fits where it is written."""
        try:
            import numpy as np
        except ImportError:
            self.skipTest("numpy is not installed: scores are NOT compared")
        three = self.path.with_name("three.csv")
        three.write_text("".join(f"{line}{'' if i % 3 or i == 0 else 't'}\n"
                                 for i, line in enumerate(self.path.read_text().splitlines())))
        rules = [rule["name"] for rule in halfspace._native.describe("rules")]
        self.assertGreater(len(rules), 20)
        for rule in rules:
            for path in (self.path, three):
                try:
                    model = halfspace.train(path, rule=rule)
                except halfspace.HalfspaceError:  # winnow takes 0 and 1, others two classes alone
                    continue
                weights, biases = model.weights() if rule != "kernel" else ((), ())
                self.assertEqual(len(biases), 0 if rule == "kernel" else model.vectors, rule)
                self.assertEqual(len(weights), len(biases), rule)
                scores, labels = model.decision_function(path), model.predict(path)
                self.assertEqual(scores.shape, (80,) if len(model.classes) == 2 else (80, len(model.classes)), rule)
                best = (scores > 0).astype(int) if scores.ndim == 1 else scores.argmax(axis=1)
                same = np.equal([model.classes[k] for k in best], labels)
                self.assertTrue((same | (scores == 0 if scores.ndim == 1 else False)).all(), rule)


if __name__ == "__main__":
    unittest.main()
