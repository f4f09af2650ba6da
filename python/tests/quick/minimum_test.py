"""LinearSVC and LogisticRegression: the objective and the bounds, by formulas of their own. Needs numpy."""

import json
import math
import os
import pickle
import tempfile
import unittest
import warnings

import halfspace

try:
    import numpy as np
except ImportError:
    raise unittest.SkipTest("numpy is not installed: NOTHING about minima is tested") from None

from support import MINIMA

KINDS = [(halfspace.LinearSVC, {"loss": "hinge"}), (halfspace.LinearSVC, {"loss": "squared_hinge"}),
         (halfspace.LogisticRegression, {"multi_class": "ovr"}), (halfspace.LogisticRegression, {"multi_class": "ovr", "solver": "liblinear"})]


def problem(seed, classes=2):
    draw = np.random.default_rng(seed)
    rows, columns = int(draw.integers(20, 120)), int(draw.integers(1, 9))
    X = draw.normal(size=(rows, columns)) * draw.choice([0.5, 1, 3], columns)
    scores = X @ draw.normal(size=(columns, classes)) + draw.normal(size=(rows, classes))
    return X, scores.argmax(axis=1)


def parameters(seed):
    draw = np.random.default_rng(1000 + seed)
    return {"C": float(draw.choice([0.01, 1.0, 20.0])), "fit_intercept": bool(draw.integers(4)),
            "intercept_scaling": float(draw.choice([0.5, 1.0, 4.0]))}


def losses(model, margins):
    if isinstance(model, halfspace.LogisticRegression):
        return np.logaddexp(0, -margins)
    short = np.maximum(0, 1 - margins)
    return short if model.loss == "hinge" else short**2


def objective(model, X, signs, weights, intercept, row_weights=1):
    """Returns the objective, from its formula."""
    penalised = isinstance(model, halfspace.LinearSVC) or model.solver == "liblinear"
    bias = intercept / model.intercept_scaling if penalised else 0
    of_rows = row_weights * losses(model, signs * (X @ weights + intercept))
    return math.fsum([0.5 * weights @ weights, 0.5 * bias**2, *(model.C * of_rows)])


def vectors(model, y):
    """Yields the number of each vector of weights and the signs of the rows."""
    for k in range(len(model.coef_)):
        positive = y == model.classes_[k if len(model.coef_) > 1 else 1]
        yield k, np.where(positive, 1.0, -1.0)


class Bounds(unittest.TestCase):
    def test_the_objective_lies_between_the_bounds(self):
        for seed in range(24):
            X, y = problem(seed, 2 + seed % 3 // 2)
            Estimator, kind = KINDS[seed % 4]
            model = Estimator(**kind, **parameters(seed)).fit(X, y)
            self.assertTrue((model.gap_ <= model.tol).all(), (seed, model))
            draw = np.random.default_rng(seed)
            for k, signs in vectors(model, y):
                primal = objective(model, X, signs, model.coef_[k], model.intercept_[k])
                self.assertAlmostEqual(primal / model.objective_[k], 1, delta=1e-11)
                self.assertGreaterEqual(primal * (1 + 1e-12), model.dual_objective_[k])
                self.assertAlmostEqual(model.gap_[k], 1 - model.dual_objective_[k] / model.objective_[k], delta=1e-15)
                for size in (1e-6, 1e-3, 1):
                    moved = model.coef_[k] + size * draw.normal(size=X.shape[1])
                    other = objective(model, X, signs, moved, model.intercept_[k])
                    self.assertGreaterEqual(other * (1 + 1e-12), model.dual_objective_[k])

    def test_weights_are_within_the_radius_of_those_of_a_finer_run(self):
        for seed in range(24):
            X, y = problem(seed, 2 + seed % 3 // 2)
            Estimator, kind = KINDS[seed % 4]
            for tol in (1e-2, 1e-5):
                coarse = Estimator(**kind, **parameters(seed), tol=tol).fit(X, y)
                fine = Estimator(**kind, **parameters(seed), tol=1e-12).fit(X, y)
                apart = np.abs(coarse.coef_ - fine.coef_)
                self.assertTrue((apart <= (coarse.radius_ + fine.radius_)[:, None]).all(), (seed, tol))
                self.assertTrue((coarse.radius_ <= 1.001 * np.sqrt(2 * tol * coarse.objective_)).all())
                self.check_digits(coarse, fine)

    def check_digits(self, coarse, fine):
        digits = coarse.n_certain_digits_
        self.assertEqual(digits.shape, coarse.coef_.shape)
        for weight, best, count, radius in zip(coarse.coef_.flat, fine.coef_.flat, digits.flat,
                                               np.repeat(coarse.radius_, coarse.coef_.shape[1])):
            unit = 10.0 ** (math.floor(math.log10(abs(weight))) - int(count) + 1)
            slack = fine.radius_.max()
            self.assertTrue(count == 0 or abs(weight - best) <= 0.5 * unit + slack)
            self.assertTrue(count >= 17 or radius > 0.05 * unit * (1 - 1e-9), (weight, count, radius))

    def test_coarse_runs_of_many_rows_stop_early(self):
        draw = np.random.default_rng(3)
        X = draw.normal(size=(4000, 40))
        y = X @ draw.normal(size=40) + 3 * draw.normal(size=4000) > 0
        for Estimator, kind in KINDS:
            fine, coarse = Estimator(**kind, tol=1e-8).fit(X, y), Estimator(**kind, tol=1e-2).fit(X, y)
            self.assertLess(np.max(coarse.n_iter_), np.max(fine.n_iter_))
            self.assertLess(fine.radius_[0], coarse.radius_[0])

    def test_a_minimum_by_hand(self):
        # Of one row x = 2 of each class and C = 1, w minimizes w^2 / 2 + 2 max(0, 1 - 2 w): w = 1/2 and P = 1/8.
        model = halfspace.LinearSVC(loss="hinge", fit_intercept=False).fit([[2.0], [-2.0]], [1, 0])
        self.assertAlmostEqual(model.coef_[0, 0], 0.5, delta=1e-12)
        self.assertAlmostEqual(model.objective_[0], 0.125, delta=1e-12)
        # Its square: w^2 / 2 + 2 (1 - 2 w)^2, so w = 8 / 17.
        model = halfspace.LinearSVC(fit_intercept=False).fit([[2.0], [-2.0]], [1, 0])
        self.assertAlmostEqual(model.coef_[0, 0], 8 / 17, delta=1e-12)

    def test_the_gradient_of_a_smooth_objective_is_small(self):
        X, y = problem(5)
        signs = np.where(y == 1, 1.0, -1.0)
        for penalised in (False, True):
            model = halfspace.LogisticRegression(C=3, tol=1e-13, solver="liblinear" if penalised else "lbfgs",
                                                 intercept_scaling=4)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                model.fit(X, y)
            pull = 3 * signs / (1 + np.exp(signs * model.decision_function(X)))
            self.assertLess(np.abs(model.coef_[0] - pull @ X).max(), 1e-4)
            self.assertLess(abs((model.intercept_[0] / 16 if penalised else 0) - pull.sum()), 1e-4)


class Weights(unittest.TestCase):
    def same(self, one, other, delta=1e-6):
        np.testing.assert_allclose(one.coef_, other.coef_, atol=delta)
        np.testing.assert_allclose(one.intercept_, other.intercept_, atol=delta)

    def test_weights_are_numbers_of_rows(self):
        X, y = problem(7, 3)
        draw = np.random.default_rng(7)
        weights = draw.integers(0, 4, len(y))
        order = draw.permutation(len(y))
        for Estimator, kind in KINDS:
            for balance in (None, "balanced"):
                repeated = Estimator(**kind, class_weight=balance,
                                     tol=1e-11).fit(X.repeat(weights, 0), y.repeat(weights))
                weighted = Estimator(**kind, class_weight=balance, tol=1e-11).fit(X[order], y[order],
                                                                                  sample_weight=weights[order])
                self.same(repeated, weighted, 1e-4)
                np.testing.assert_allclose(repeated.objective_, weighted.objective_, rtol=2e-11)

    def test_class_weights_multiply_losses(self):
        X, y = problem(8)
        for Estimator, kind in KINDS:
            by_class = Estimator(**kind, class_weight={1: 5}).fit(X, y)
            self.same(by_class, Estimator(**kind).fit(X, y, sample_weight=np.where(y == 1, 5.0, 1.0)), 0)

    def test_rows_without_weight_are_no_rows(self):
        X, y = problem(9)
        wrong = np.vstack([X, -X])
        for Estimator, kind in KINDS:
            model = Estimator(**kind, tol=1e-11).fit(wrong, np.append(y, y),
                                                     np.append(np.ones(len(y)), np.zeros(len(y))))
            self.same(model, Estimator(**kind, tol=1e-11).fit(X, y), 1e-5)
            with self.assertRaisesRegex(halfspace.DataError, "no row of the class 1 has a weight above 0"):
                Estimator(**kind).fit(X, y, sample_weight=(y == 0).astype(float))
            with self.assertRaisesRegex(halfspace.DataError, "every row has weight zero"):
                Estimator(**kind).fit(X, y, sample_weight=np.zeros(len(y)))
            with self.assertRaisesRegex(halfspace.DataError, "weight of row 1"):
                Estimator(**kind).fit(X, y, sample_weight=np.full(len(y), np.nan))


class Estimators(unittest.TestCase):
    def test_labels_and_order_of_classes(self):
        X, y = problem(11, 3)
        names = np.array(["10", "9", "100"])[y]  # the model's order is that of the numbers
        for Estimator in MINIMA:
            model, numbered = (Estimator(multi_class="ovr").fit(X, labels) for labels in (names, y))
            self.assertEqual(model.classes_.tolist(), ["10", "100", "9"])
            self.assertEqual(model.model_.classes, ["9", "10", "100"])
            for name in ("coef_", "intercept_", "objective_", "radius_", "gap_", "dual_objective_"):
                np.testing.assert_allclose(getattr(model, name), getattr(numbered, name)[[0, 2, 1]], atol=1e-9)
            two = Estimator().fit(X, ["b" if one else "a" for one in y > 0])
            turned = Estimator().fit(X, ["a" if one else "b" for one in y > 0])
            np.testing.assert_allclose(two.coef_, -turned.coef_, atol=1e-9)
            self.assertEqual(two.objective_.shape, (1,))
            scores = X @ model.coef_.T + model.intercept_
            np.testing.assert_allclose(scores, model.decision_function(X), atol=1e-9)
            self.assertTrue((model.classes_[scores.argmax(axis=1)] == model.predict(X)).all())

    def test_probabilities(self):
        for classes in (2, 3):
            X, y = problem(12, classes)
            model = halfspace.LogisticRegression(multi_class="ovr").fit(X, y)
            chances = 1 / (1 + np.exp(-model.decision_function(X)))
            chances = np.column_stack([1 - chances, chances]) if classes == 2 else \
                chances / chances.sum(axis=1, keepdims=True)
            np.testing.assert_allclose(model.predict_proba(X), chances, atol=1e-12)
            np.testing.assert_allclose(model.predict_log_proba(X), np.log(chances), atol=1e-9)
        model = halfspace.LogisticRegression().fit(X, y)
        powers = np.exp(model.decision_function(X))
        np.testing.assert_allclose(model.predict_proba(X), powers / powers.sum(axis=1, keepdims=True), atol=1e-12)
        self.assertFalse(hasattr(halfspace.LinearSVC().fit(X, y), "predict_proba"))
        self.assertFalse(any(hasattr(Estimator, "partial_fit") for Estimator in MINIMA))

    def test_layouts_are_one(self):
        X, y = problem(13)
        narrow = X.astype(np.float32)
        for Estimator in MINIMA:
            base = Estimator().fit(narrow, y)
            for same in (narrow.astype(float), np.asfortranarray(narrow), narrow.tolist()):
                self.assertTrue((Estimator().fit(same, y).coef_ == base.coef_).all())

    def test_sparse(self):
        try:
            from scipy.sparse import csr_matrix
        except ImportError:
            raise unittest.SkipTest("scipy is not installed") from None
        X, y = problem(14, 3)
        X = np.where(np.abs(X) > 1, X, 0)
        for Estimator in MINIMA:
            dense, sparse = Estimator(tol=1e-11).fit(X, y), Estimator(tol=1e-11).fit(csr_matrix(X), y)
            np.testing.assert_allclose(dense.coef_, sparse.coef_, atol=1e-5)
            self.assertEqual(sparse.predict(csr_matrix(X)).tolist(), sparse.predict(X).tolist())

    def test_pickle_keeps_the_proof(self):
        X, y = problem(15, 3)
        for Estimator in MINIMA:
            model = Estimator().fit(X, y)
            again = pickle.loads(pickle.dumps(model))
            for name in ("coef_", "intercept_", "gap_", "radius_", "objective_", "dual_objective_", "n_iter_",
                         "n_certain_digits_"):
                self.assertTrue(np.array_equal(getattr(again, name), getattr(model, name)), name)
            self.assertEqual(pickle.dumps(again), pickle.dumps(model))

    def test_the_certificate_holds_for_the_rows(self):
        X, y = problem(3, classes=3)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "rows.svm")
            halfspace.write_rows(path, X, y)
            for kind, fixed in (*KINDS, (halfspace.LogisticRegression, {})):
                model = kind(certify=True, **fixed).fit(X, y)
                self.assertTrue(halfspace.verify(model.certificate_, path).valid)
                weights = json.loads(model.certificate_)["minimum"]["vectors"]
                self.assertEqual(len(weights), 3)
                # One row with another label is another problem.
                halfspace.write_rows(path + ".other", X, np.where(np.arange(len(y)) == 0, (y + 1) % 3, y))
                self.assertFalse(halfspace.verify(model.certificate_, path + ".other").valid)
        self.assertFalse(hasattr(halfspace.LinearSVC().fit(X, y), "certificate_"))
        with self.assertRaisesRegex(halfspace.UsageError, "weight"):
            halfspace.LinearSVC(certify=True).fit(X, y, sample_weight=np.arange(len(y)))

    def test_what_has_no_effect_on_the_minimum(self):
        X, y = problem(16, 3)
        base = halfspace.LogisticRegression().fit(X, y).coef_
        for given in ({"n_jobs": 1}, {"n_jobs": -1}, {"n_jobs": -2}, {"warm_start": True}, {"solver": "saga"},
                      {"random_state": 5}, {"random_state": np.random.RandomState(3)}, {"l1_ratio": 0}):
            self.assertTrue((halfspace.LogisticRegression(**given).fit(X, y).coef_ == base).all(), given)
        base = halfspace.LinearSVC().fit(X, y).coef_
        self.assertTrue((halfspace.LinearSVC(dual=False).fit(X, y).coef_ == base).all())
        other = halfspace.LinearSVC(random_state=np.random.RandomState(3)).fit(X, y).coef_
        np.testing.assert_allclose(other, base, atol=1e-6)

    def test_a_gap_that_is_not_proved_is_warned_of(self):
        draw = np.random.default_rng(17)
        X = draw.normal(size=(500, 20))
        y = X[:, 0] + draw.normal(size=500) > 0
        for Estimator, kind in KINDS:
            with self.assertWarnsRegex(UserWarning, "relative gap is proved to be at most .* not tol=1e-06") as seen:
                model = Estimator(**kind, max_iter=2).fit(X, y)
            self.assertEqual(seen.warning.__class__.__name__, "ConvergenceWarning")
            self.assertEqual(seen.filename, __file__)
            self.assertLess(np.max(model.n_iter_), 30)
            self.assertGreater(model.gap_[0], 1e-6)
            primal = objective(model, X, np.where(y, 1.0, -1.0), model.coef_[0], model.intercept_[0])
            self.assertAlmostEqual(primal / model.objective_[0], 1, delta=1e-11)

    def test_rejects(self):
        X, y = problem(18, 3)
        cases = [
            ({"penalty": "l1"}, "not supported.*FTRLClassifier"), ({"penalty": None}, "large C"),
            ({"penalty": "elasticnet"}, "FTRLClassifier"), ({"C": 0}, "price of the losses, a finite number above 0"), ({
                "C": -1}, "price of the losses, a finite number above 0"),
            ({"tol": 0}, "gap to prove"), ({"tol": "small"}, "above 0"), ({"max_iter": 0}, "whole number of passes"),
            ({"max_iter": None}, "whole number of passes"), ({"random_state": "one"}, "whole number"),
            ({"multi_class": "no such"}, "rest"), ({"class_weight": "even"}, "balanced"),
        ]
        of_one = {
            halfspace.LinearSVC: [({"loss": "log_loss"}, "LogisticRegression"), ({"dual": "maybe"}, "no effect"),
                                  ({"multi_class": "crammer_singer"}, "scikit-learn"),
                                  ({"intercept_scaling": 0}, "above 0")],
            halfspace.LogisticRegression: [({"multi_class": "multinomial", "solver": "liblinear"}, "rest"), ({"solver": "sgd"}, "lbfgs"),
                                           ({"l1_ratio": 0.5}, "l2"),
                                           ({"C": math.inf}, "large C"),
                                           ({"solver": "liblinear", "intercept_scaling": 0}, "above 0")],
        }
        for Estimator in MINIMA:
            for given, words in cases + of_one[Estimator]:
                with self.subTest(given), self.assertRaisesRegex(ValueError, words):
                    Estimator(**given).fit(X, y)
            with self.assertRaisesRegex(halfspace.UsageError, "train\\(path, objective="):
                Estimator().fit("credit.csv", None)
            with self.assertRaisesRegex(ValueError, "one class"):
                Estimator().fit(X, np.zeros(len(y)))
            with self.assertRaisesRegex(ValueError, "row 3, column 1"):
                bad = X.copy()
                bad[2, 0] = np.nan
                Estimator().fit(bad, y)
        self.assertEqual(halfspace.LogisticRegression(multi_class="auto").fit(X, y > 0).coef_.shape, (1, X.shape[1]))

    def test_the_model_and_the_report(self):
        X, y = problem(19)
        model = halfspace.LogisticRegression().fit(X, y)
        self.assertIn("objective    at most", model.report_())
        self.assertEqual(model.model_.result["minimum"]["objective"], "logistic")
        self.assertTrue((model.model_.decision_function(X) == model.decision_function(X)).all())


if __name__ == "__main__":
    unittest.main()
