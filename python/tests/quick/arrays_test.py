"""Arrays, sparse matrices and estimators on them. Needs numpy; scipy, pandas and scikit-learn for their own parts."""

import os
import pickle
import signal
import subprocess
import sys
import tempfile
import threading
import unittest

import halfspace

try:
    import numpy as np
except ImportError:
    raise unittest.SkipTest("numpy is not installed: NOTHING about arrays is tested") from None

from support import ESTIMATORS

DRAW = np.random.default_rng(1)
X = DRAW.normal(size=(600, 8))
Y = (X @ np.arange(-3, 5) + DRAW.normal(size=600) > 0).astype(int)
FAST = halfspace.PassiveAggressiveClassifier


def imported(name):
    try:
        return __import__(name, fromlist=["_"])
    except ImportError:
        raise unittest.SkipTest(f"{name} is not installed") from None


# In a process of its own, since what is tested is that it lives: another thread writes into the arrays of X during fit.
WRITES = """
import sys, threading, time
import numpy as np
import halfspace

class Compressed:  # what is read of scipy's matrices
    format, dtype = "csr", np.dtype(float)
    def __init__(self, data, indices, indptr, shape):
        self.data, self.indices, self.indptr, self.shape, self.nnz = data, indices, indptr, shape, len(data)
    def tocsr(self):
        return self

draw, rows, columns, each = np.random.default_rng(1), 20_000, 50, 10
integers, target = np.dtype(sys.argv[1]), sys.argv[2]
indices = np.sort(draw.permuted(np.tile(np.arange(columns), (rows, 1)), axis=1)[:, :each]).astype(integers).ravel()
X = Compressed(draw.normal(size=rows * each), indices, np.arange(0, rows * each + 1, each, dtype=integers), (rows, columns))
y = (X.data.reshape(rows, each).sum(axis=1) > 0).astype(int)
D = draw.normal(size=(rows, 20))
written = {"indices": X.indices, "indptr": X.indptr[1:-1], "data": X.data, "dense": D}[target]
right, done = written.copy(), threading.Event()
wrong = np.full_like(right, np.nan if right.dtype.kind == "f" else np.iinfo(integers).max)

def write():
    while not done.is_set():
        written[:] = wrong
        time.sleep(0.001)
        written[:] = right
        time.sleep(0.003)

thread = threading.Thread(target=write)
thread.start()
ends, until = {"fitted": 0, "refused": 0}, time.monotonic() + 2
while time.monotonic() < until:
    for Estimator in (halfspace.Perceptron, halfspace.PassiveAggressiveClassifier):
        try:
            model = Estimator(passes=20).fit(D if target == "dense" else X, y)
            model.decision_function(D if target == "dense" else X)
            ends["fitted"] += 1
        except ValueError:  # halfspace.DataError is one
            ends["refused"] += 1
done.set()
thread.join()
print(sum(ends.values()))
"""


class ConcurrentWrites(unittest.TestCase):
    def test_lead_nowhere(self):
        for integers, target in (("int32", "indices"), ("int64", "indices"), ("int32", "indptr"), ("int32", "data"),
                                 ("int32", "dense")):
            ended = subprocess.run([sys.executable, "-c", WRITES, integers, target], capture_output=True, text=True)
            self.assertEqual(ended.returncode, 0, (integers, target, ended.stderr[-2000:]))
            self.assertGreater(int(ended.stdout), 0)

    def test_other_forms_are_checked_before_scipy_converts_them(self):
        sparse = imported("scipy.sparse")
        for form, name in (("csc", "indices"), ("coo", "row"), ("coo", "col")):
            given = sparse.csr_matrix(np.eye(8)).asformat(form)
            FAST().fit(given, [0, 1] * 4)
            getattr(given, name)[3] = 1 << 30
            with self.assertRaises(ValueError, msg=(form, name)):
                FAST().fit(given, [0, 1] * 4)


class Estimators(unittest.TestCase):
    def test_fit_and_predict(self):
        for Estimator in ESTIMATORS:
            model = Estimator().fit(X, Y)
            self.assertGreater(model.score(X, Y), 0.8, Estimator)
            self.assertEqual(model.coef_.shape, (1, 8))
            scores = X @ model.coef_[0] + model.intercept_[0]
            np.testing.assert_allclose(scores, model.decision_function(X), rtol=1e-9, atol=1e-9)
            self.assertTrue(((scores > 0) == model.predict(X)).all())
            np.testing.assert_allclose(model.deviations_, X.std(axis=0), rtol=1e-6)
            self.assertTrue(model.ledger_["rounds"] > 0 or model.model_.result["minimum"], Estimator)
            self.assertIn("  data         600 rows, 8 features", model.report_())
            self.assertTrue(model.report_().startswith("  new rows     "))
            expected = model.expected_error_
            if expected is not None:
                self.assertLessEqual(expected["lower"], expected["error"])
                self.assertIn(f"expect {100 * expected['error']:.1f} % of new rows to be wrong", repr(model.model_))
            self.assertIn("600 rows", model._repr_mimebundle_()["text/html"])

    def test_several_classes(self):
        y = np.array(["b", "a", "c"])[np.clip(X[:, 0].round().astype(int), -1, 1)]
        for Estimator in ESTIMATORS:
            model = Estimator().fit(X, y)
            self.assertEqual(model.classes_.tolist(), ["a", "b", "c"])
            scores = model.decision_function(X)
            self.assertEqual(scores.shape, (600, 3))
            np.testing.assert_allclose(X @ model.coef_.T + model.intercept_, scores, rtol=1e-9, atol=1e-9)
            self.assertTrue((model.classes_[scores.argmax(axis=1)] == model.predict(X)).all())
            if hasattr(model, "predict_proba"):
                chances = model.predict_proba(X)
                np.testing.assert_allclose(chances.sum(axis=1), 1)
                self.assertTrue((model.classes_[chances.argmax(axis=1)] == model.predict(X)).all())

    def test_blocks_are_one_call(self):
        for Estimator in ESTIMATORS:
            whole = Estimator().partial_fit(X, Y, classes=[0, 1])
            for size in (1, 97, 600):
                parts = Estimator()
                for i in range(0, 600, size):
                    parts.partial_fit(X[i:i + size], Y[i:i + size], classes=[0, 1])
                    if i == 97:
                        parts = pickle.loads(pickle.dumps(parts))
                self.assertTrue((whole.coef_ == parts.coef_).all(), (Estimator, size))

    def test_partial_fit_goes_on_after_fit(self):
        model = FAST().fit(X, Y)
        before = model.coef_
        model.partial_fit(X, 1 - Y)
        self.assertFalse((model.coef_ == before).all())

    def test_pickle(self):
        for Estimator in ESTIMATORS:
            model = Estimator().fit(X, Y)
            again = pickle.loads(pickle.dumps(model))
            self.assertEqual(pickle.dumps(again), pickle.dumps(model))
            self.assertTrue((again.decision_function(X) == model.decision_function(X)).all())

    def test_a_pickle_of_another_process_is_the_same(self):
        code = ("import hashlib, pickle, numpy as np, halfspace\n"
                "X = np.random.default_rng(4).normal(size=(300, 5)); y = np.where(X[:, 0] > 0, 'up', 'down')\n"
                "for model in (halfspace.HalfspaceClassifier(), halfspace.AROWClassifier(class_weight={'up': 2})):\n"
                "    print(hashlib.sha256(pickle.dumps(model.fit(X, y), 4)).hexdigest())\n"
                "    print(hashlib.sha256(pickle.dumps(model.partial_fit(X[:9], y[:9]), 4)).hexdigest())\n")
        digests = {subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.PIPE,
                                  env={**os.environ, "PYTHONHASHSEED": seed}).stdout for seed in ("1", "2")}
        self.assertEqual(len(digests), 1)

    def test_layouts_are_one(self):
        base = FAST().fit(X, Y).coef_
        for same in (np.asfortranarray(X), np.repeat(X, 2, axis=1)[:, ::2], X[::-1][::-1], X[:, ::-1].copy()[:, ::-1],
                     X.astype(">f8"), X.astype(object), X.tolist(), np.frombuffer(X.tobytes()).reshape(X.shape)):
            self.assertTrue((FAST().fit(same, Y).coef_ == base).all())
        narrow = X.astype(np.float32)
        self.assertTrue((FAST().fit(narrow, Y).coef_ == FAST().fit(narrow.astype(float), Y).coef_).all())
        constant = np.broadcast_to(X[:, :1], X.shape)
        self.assertTrue((FAST().fit(constant, Y).coef_ == FAST().fit(constant.copy(), Y).coef_).all())

    def test_labels_of_any_kind(self):
        for a, b in ((0, 1), (-1, 1), (False, True), ("no", "yes"), ("+", "-"), ("ham", "spam"), ("spam", "eggs"),
                     (2.0, 10.0), (("a", 1), ("b", 2)), (frozenset("x"), frozenset("y")), (1, "one")):
            labels = [b if y else a for y in Y]
            model = FAST().fit(X, labels)
            self.assertGreater(np.mean([p == q for p, q in zip(model.predict(X), labels)]), 0.8)
            positive = model.decision_function(X) > 0
            self.assertTrue(all(p == model.classes_[int(q)] for p, q in zip(model.predict(X), positive)))

    def test_weights_of_rows_and_classes(self):
        w = np.where(Y == 1, 3.0, 1.0)
        by_rows = FAST().fit(X, Y, sample_weight=w).coef_
        self.assertTrue((FAST(class_weight={1: 3}).fit(X, Y).coef_ == by_rows).all())
        self.assertTrue((FAST(class_weight={1: 3}).partial_fit(X, Y, classes=[0, 1]).coef_ ==
                         FAST().partial_fit(X, Y, classes=[0, 1], sample_weight=w).coef_).all())
        FAST(class_weight="balanced").fit(X, Y)
        with self.assertRaises(ValueError):
            FAST(class_weight="balanced").partial_fit(X, Y, classes=[0, 1])
        for learn in (lambda model: model.fit(X, Y), lambda model: model.partial_fit(X, Y, classes=[0, 1])):
            with self.assertRaisesRegex(TypeError, "class_weight is a list; give a dict of label to weight, or 'balanc"):
                learn(FAST(class_weight=["1=30"]))

    def test_why_there_are_no_probabilities(self):
        for model in (FAST(), FAST().fit(X, Y)):
            with self.assertRaisesRegex(AttributeError, "its rule does not minimize the log loss, and it is not calibrat"):
                model.predict_proba(X)

    def test_files(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "rows.csv")
            names = [f"c{j}" for j in range(8)]
            with open(path, "w") as file:
                file.write(",".join(names) + ",y\n")
                for x, y in zip(X.tolist(), Y.tolist()):
                    file.write(",".join(map(repr, x)) + f",{y}\n")
            for Estimator in ESTIMATORS:
                model = Estimator(passes=2).fit(path)
                self.assertTrue((model.coef_ == Estimator(passes=2).fit(X, Y).coef_).all(), Estimator)
                self.assertEqual(model.feature_names_in_.tolist(), names)
                self.assertGreater((model.predict(X) == Y.astype(str)).mean(), 0.8)
            with self.assertRaises(halfspace.UsageError):
                FAST().fit(path, Y)
            self.assertTrue((model.decision_function(path) == model.decision_function(X)).all())

    def test_keywords_are_the_options_of_the_library(self):
        names = set(halfspace.HalfspaceClassifier().get_params())
        options = {option["name"].replace("-", "_") for option in halfspace._native.describe("train")}
        self.assertEqual(names, options | {"verbose"})
        self.assertIn("alpha", FTRL := halfspace.FTRLClassifier().get_params())
        self.assertNotIn("gamma", FTRL)
        self.assertIn("alpha : ", halfspace.FTRLClassifier.__doc__)
        with self.assertRaisesRegex(TypeError, "no option 'gamma'"):
            halfspace.FTRLClassifier(gamma=1)
        with self.assertRaises(halfspace.UsageError):
            halfspace.FTRLClassifier(alpha="much").fit(X, Y)

    def test_keywords_of_scikit_learn_lead_to_ours(self):
        for Estimator, name, words in (
                (halfspace.Perceptron, "max_iter", "passes is its name here"), (FAST, "random_state", "seed is its name"),
                (halfspace.Perceptron, "eta0", "rate is its name"), (FAST, "n_jobs", "threads is its name"),
                (halfspace.FTRLClassifier, "eta0", "alpha of FTRLClassifier"),
                (halfspace.PassiveAggressiveClassifier, "C", "aggressiveness is its name"),
                (halfspace.AROWClassifier, "C", "aggressiveness of PassiveAggressiveClassifier"),
                (FAST, "tol", "passes=N with until='clean'"), (FAST, "penalty", "l1 and l2 of FTRLClassifier"),
                (halfspace.Perceptron, "alpha", "l1 and l2 of FTRLClassifier"), (FAST, "multi_class", "multiclass is its"),
                (FAST, "cv", "folds is its name"), (FAST, "clip_gradient", "aggressiveness of rule='pa1'"),
                (halfspace.HalfspaceClassifier, "dual", "leave it out"),
                (halfspace.AROWClassifier, "regularisation", "mean 'regularization'"),
                (halfspace.AROWClassifier, "nonsense", r"help\(AROWClassifier\)")):
            with self.assertRaisesRegex(TypeError, words):
                Estimator(**{name: 1})
            with self.assertRaisesRegex(ValueError, words):
                Estimator().set_params(**{name: 1})
        # A table that names an option no class has would lead nowhere.
        options = {option["name"].replace("-", "_") for option in halfspace._native.describe("train")}
        for name, (option, words) in halfspace._keywords._ELSEWHERE.items():
            self.assertTrue(option in options if option else words, name)

    def test_default_passes_shuffle_rows_sorted_by_class(self):
        draw = np.random.default_rng(5)
        rows = np.concatenate([draw.normal(0, 1.5, (1000, 2)), draw.normal(2, 0.5, (100, 2))])
        labels = np.repeat([0, 1], [1000, 100])
        for Estimator in ESTIMATORS:
            if Estimator is not halfspace.PassiveAggressiveClassifier:  # its last row moves it far, whatever the order
                right = Estimator(class_weight="balanced").fit(rows, labels).predict(rows) == labels
                self.assertGreater(min(right[:1000].mean(), right[1000:].mean()), 0.7, Estimator)
            if Estimator is not halfspace.HalfspaceClassifier:
                by_default = Estimator().fit(rows, labels)
                passes = by_default.ledger_["rounds"] // len(rows)
                shuffled = Estimator(passes=passes, order="shuffled").fit(rows, labels)
                self.assertTrue((by_default.coef_ == shuffled.coef_).all(), Estimator)
                # An order without passes has the default passes, too.
                cyclic = Estimator(passes=passes, order="cyclic").fit(rows, labels)
                self.assertTrue((Estimator(order="cyclic").fit(rows, labels).coef_ == cyclic.coef_).all(), Estimator)

    def test_small_tables_are_learned_to_the_end(self):
        angles = np.arange(150) % 3 * 2.0
        rows = np.column_stack([4 + 0.3 * np.cos(angles), 4 + 0.3 * np.sin(angles)]) + X[:150, :2] * 0.03
        labels = np.arange(150) % 3
        self.assertGreater(halfspace.FTRLClassifier(alpha=0.5).fit(rows, labels).score(rows, labels), 0.9)

    def test_texts_given_as_rows_are_explained(self):
        with self.assertRaisesRegex(halfspace.UsageError, "read as a path.*TfidfVectorizer"):
            FAST().fit(["free prize", "see you"], [1, 0])

    def test_calibrate_adds_probabilities(self):
        for options in ({"folds": 4}, {"holdout": 0.25}):
            model = FAST(calibrate="isotonic", **options)
            self.assertTrue(hasattr(model, "predict_proba"))
            probabilities = model.fit(X, Y).predict_proba(X)
            self.assertEqual(model.model_.result["calibration"]["method"], "isotonic")
            self.assertTrue((probabilities.argmax(axis=1) == model.predict(X)).all())
        self.assertFalse(hasattr(FAST(folds=4).fit(X, Y), "predict_proba"))
        with self.assertRaisesRegex(halfspace.UsageError, "calibrate needs rows.*holdout 0.2"):
            FAST(calibrate="platt").fit(X, Y)

    def test_thresholds_decide(self):
        model = FAST(holdout=0.3, calibrate="platt", threshold=0.2).fit(X, Y)
        threshold = model.model_.result["threshold"]
        self.assertEqual(threshold["by"], "probability")
        predicted = model.predict(X)
        self.assertTrue(((model.decision_function(X) >= threshold["score"]) == (predicted == model.classes_[1])).all())
        self.assertTrue(((model.predict_proba(X)[:, 1] >= 0.2) == (predicted == model.classes_[1])).all())
        again = pickle.loads(pickle.dumps(model))
        self.assertTrue((again.predict(X) == predicted).all())
        self.assertIsNone(again.partial_fit(X[:5], Y[:5]).model_.description["threshold"])
        auto = FAST(folds=4, metric="f1", threshold="auto").fit(X, Y)
        self.assertEqual(auto.model_.result["threshold"]["by"], "f1")
        with self.assertRaisesRegex(halfspace.UsageError, "needs rows that training does not use"):
            FAST(threshold="auto").fit(X, Y)
        with self.assertRaisesRegex(halfspace.UsageError, "takes auto or a probability"):
            FAST(threshold="never").fit(X, Y)
        with self.assertRaisesRegex(halfspace.UsageError, "decide at a score of 0"):
            halfspace.to_sklearn(model)
        with self.assertRaisesRegex(halfspace.UsageError, "never ends"):
            halfspace.OnlineClassifier(threshold="auto")

    def test_prediction_sets(self):
        draws = np.random.default_rng(5)
        for labels in (["no", "yes"], ["c", "a", "b"]):
            y = draws.integers(0, len(labels), 3000)
            rows = np.eye(3)[y] * 1.5 + draws.normal(size=(3000, 3))
            names = np.array(labels)[y]
            model = halfspace.HalfspaceClassifier(conformal=True, holdout=0.2, passes=2).fit(rows[:2000], names[:2000])
            for each_class in (False, True):
                sets = model.predict_set(rows[2000:], coverage=0.9, each_class=each_class)
                self.assertEqual((sets.shape, sets.dtype), ((1000, len(labels)), bool))
                truth = sets[np.arange(1000), np.searchsorted(model.classes_, names[2000:])]
                self.assertAlmostEqual(truth.mean(), 0.9, delta=0.06)
            own = model.model_.predict_set(rows[2000:], 0.9, True)
            order = [model.model_.classes.index(name) for name in model.classes_]
            self.assertTrue((own[:, order] == sets).all())
            nested = model.predict_set(rows, 0.8) <= model.predict_set(rows, 0.95)
            self.assertTrue(nested.all())
            self.assertTrue((model.predict_set(rows, 0.9999)).all())
            self.assertEqual(model.model_.evaluate(rows[2000:], names[2000:], sets=0.8)["sets"]["wanted"], 0.8)
            again = pickle.loads(pickle.dumps(model))
            self.assertTrue((again.predict_set(rows, 0.9) == model.predict_set(rows, 0.9)).all())
            again.partial_fit(rows[:5], names[:5])
            self.assertTrue(again.predict_set(rows, 0.9).all(), "no rows are held out for these weights")
        with self.assertRaisesRegex(halfspace.UsageError, "conformal"):
            FAST().fit(X, Y).predict_set(X)
        with self.assertRaisesRegex(halfspace.UsageError, "between 0 and 1"):
            model.predict_set(rows, 1.5)
        with self.assertRaisesRegex(halfspace.UsageError, "held|holdout"):
            FAST(conformal=True).fit(X, Y)
        with self.assertRaisesRegex(halfspace.UsageError, "counts the rows held out"):
            FAST(conformal=True, holdout=0.5, class_weight="balanced").fit(X, Y)

    def test_ctrl_c_leaves_a_fitted_estimator(self):
        model = FAST(passes=10**9)
        timer = threading.Timer(0.5, signal.raise_signal, [signal.SIGINT])
        timer.start()
        try:
            with self.assertRaises(KeyboardInterrupt):
                model.fit(X, Y)
        finally:
            timer.join()
        self.assertGreater(model.score(X, Y), 0.8)

    def test_threads(self):
        made = [None] * 4

        def fit(k):
            made[k] = FAST().fit(X, Y).coef_

        threads = [threading.Thread(target=fit, args=[k]) for k in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertTrue(all((one == made[0]).all() for one in made))

    def test_threads_that_share_an_estimator(self):
        model = halfspace.HalfspaceClassifier().partial_fit(X, Y, classes=[0, 1])
        failures = []

        def use(k):
            try:
                for i in range(100):
                    model.partial_fit(X[:5], Y[:5]) if k == 0 else model.predict(X)
            except Exception as error:  # noqa: BLE001
                failures.append(error)

        threads = [threading.Thread(target=use, args=[k]) for k in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(failures, [])

    def test_certify(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "rows.svm")
            x = np.array([[1.0, 0], [2, 1], [-1, 0], [-2, 1]])
            y = [1, 1, 0, 0]
            halfspace.write_rows(path, x, y)
            proof = halfspace.certify(x, y)
            self.assertTrue(proof.separable)
            self.assertTrue(halfspace.verify(proof, path).valid)


class Rejected(unittest.TestCase):
    def test_rejects_rows_to_predict(self):
        model = FAST().fit(X, Y)
        bad = X[:9].copy()
        bad[8, 0] = np.nan
        for x, words in ((X[:, :3], "3 features"), (bad, "row 9, column 1"), (X[0], "Reshape"), (X[:0], "0 sample")):
            with self.subTest(words), self.assertRaisesRegex(ValueError, words):
                model.predict(x)
        with self.assertRaisesRegex((ValueError, AttributeError), "not fitted"):
            FAST().predict(X)
        with self.assertRaises(ValueError):
            FAST().partial_fit(X, Y)
        with self.assertRaisesRegex(ValueError, "not one of the classes"):
            FAST().partial_fit(X, Y, classes=[0, 2])
        with self.assertRaises(ValueError):
            model.partial_fit(X, Y, classes=[0, 1, 2])

    def test_an_error_in_the_middle_keeps_the_rows_before(self):
        bad = X.copy()
        bad[300, 0] = np.inf
        model = FAST().partial_fit(X[:1], Y[:1], classes=[0, 1])
        with self.assertRaises(halfspace.DataError):
            model.partial_fit(bad, Y)
        self.assertEqual(model.predict(X).shape, (600,))

    def test_read_only(self):
        x, y = X.copy(), Y.copy()
        x.flags.writeable = y.flags.writeable = False
        self.assertTrue((FAST().fit(x, y).coef_ == FAST().fit(X, Y).coef_).all())


class Sparse(unittest.TestCase):
    def test_every_format_and_integer(self):
        sparse = imported("scipy.sparse")
        x = np.where(abs(X) > 1, X, 0)
        base = FAST().fit(sparse.csr_matrix(x), Y)
        for kind in ("csr", "csc", "coo", "lil", "dok", "bsr"):
            self.assertTrue((FAST().fit(sparse.csr_matrix(x).asformat(kind), Y).coef_ == base.coef_).all(), kind)
        self.assertTrue((FAST().fit(sparse.csr_array(x), Y).coef_ == base.coef_).all())
        wide = sparse.csr_matrix(x)
        wide.indices, wide.indptr = wide.indices.astype(np.int64), wide.indptr.astype(np.int64)
        self.assertTrue((FAST().fit(wide, Y).coef_ == base.coef_).all())
        self.assertTrue((base.predict(x) == base.predict(sparse.csr_matrix(x))).all())
        self.assertTrue((FAST().fit(x, Y).predict(sparse.csr_matrix(x)) == FAST().fit(x, Y).predict(x)).all())

    def test_columns_without_values_count(self):
        sparse = imported("scipy.sparse")
        x = sparse.hstack([sparse.csr_matrix(X), sparse.csr_matrix((600, 5))]).tocsr()
        model = FAST().fit(x, Y)
        self.assertEqual((model.n_features_in_, model.coef_.shape), (13, (1, 13)))
        model.partial_fit(x, Y).predict(x)


class Frames(unittest.TestCase):
    def frame(self):
        pandas = imported("pandas")
        frame = pandas.DataFrame(X, columns=[f"c{j}" for j in range(8)])
        frame["c1"] = frame["c1"].round().astype(int)
        frame["c2"] = frame["c2"] > 0
        return frame

    def test_is_the_file_of_the_same_table(self):
        frame = self.frame()
        frame["c2"] = frame["c2"].astype(int)
        for Estimator in ESTIMATORS:
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "rows.csv")
                frame.assign(y=Y).to_csv(path, index=False)
                model = Estimator().fit(frame, Y)
                options = Estimator()._fit_options(600)
                weights, biases = halfspace.train(path, **options).weights()
                self.assertTrue((model.coef_ == weights).all() and (model.intercept_ == biases).all(), Estimator)

    def test_names(self):
        frame = self.frame()
        model = FAST().fit(frame, Y)
        self.assertEqual(model.feature_names_in_.tolist(), list(frame.columns))
        self.assertEqual(model.model_.describe()["feature_names"], list(frame.columns))
        with self.assertWarns(UserWarning):
            self.assertTrue((model.predict(frame.to_numpy(dtype=float)) == model.predict(frame)).all())
        with self.assertRaisesRegex(ValueError, "same order"):
            model.predict(frame[frame.columns[::-1]])
        FAST().fit(frame.rename(columns={"c0": "y"}), Y).predict(frame.rename(columns={"c0": "y"}))

    def test_rejects(self):
        frame = self.frame()
        pandas = imported("pandas")
        for bad, words in ((frame.assign(c3=pandas.Timedelta(1)), "column 'c3' is timedelta"),
                           (frame.assign(c3=np.inf), "row 1, column 4"), (frame.rename(columns={"c3": 3}), "string"),
                           (frame.rename(columns={"c3": "c4"}), "duplicate"), (frame[:0], "0 sample")):
            with self.subTest(words), self.assertRaisesRegex((ValueError, TypeError), words):
                FAST().fit(bad, Y[:len(bad)])


if __name__ == "__main__":
    unittest.main()
