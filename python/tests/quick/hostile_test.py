"""Hostile input: an exception that says what is wrong and where, never a crash, and an estimator as it was before."""

import os
import unittest

import halfspace

try:
    import numpy as np
    from scipy import sparse
except ImportError:
    raise unittest.SkipTest("numpy or scipy is not installed: NOTHING about hostile input is tested") from None

X = np.random.default_rng(0).normal(size=(60, 4))
Y = (X[:, 0] > 0).astype(int)


def csr(data=None, indices=None, indptr=None, shape=(3, 4)):
    """A CSR matrix whose arrays nobody has checked."""
    matrix = sparse.csr_matrix((3, 4))
    matrix.data = np.array([1.0, 2.0, 3.0]) if data is None else data
    matrix.indices = np.array([0, 1, 2], dtype=np.int32) if indices is None else indices
    matrix.indptr = np.array([0, 1, 2, 3], dtype=np.int32) if indptr is None else indptr
    matrix._shape = shape
    return matrix


def raising(rows):
    yield from rows
    raise RuntimeError("the source broke off")


class Raises:
    def __array__(self, *_, **__):
        raise OSError("the array cannot be read")


class NoNumber:
    def __float__(self):
        raise ZeroDivisionError("not now")


def with_value(value, at=(17, 2), dtype=np.float64):
    changed = X.astype(dtype)
    changed[at] = value
    return changed


long = np.int64
KINDS = [
    # X
    ("nothing", None, Y, "None|scalar"),
    ("a number", 3.0, Y, "scalar"),
    ("one dimension", X[:, 0], Y, "Expected 2D"),
    ("three dimensions", X[None], Y, "dim 3"),
    ("no rows", X[:0], Y[:0], "0 sample"),
    ("no columns", X[:, :0], Y, "0 feature"),
    ("an empty list", [], [], "0 sample|2D array"),
    ("ragged lists", [[1.0, 2.0], [3.0]], [0, 1], "sequence|inhomogeneous|Expected 2D"),
    ("texts", np.full((60, 4), "a"), Y, "<U1, not numbers"),
    ("texts in objects", np.full((60, 1), "a", dtype=object), Y, "row 1, column 1"),
    ("bytes", np.full((60, 4), b"a"), Y, "S1, not numbers"),
    ("complex", X + 1j, Y, "Complex"),
    ("times", np.zeros((60, 4), "datetime64[s]"), Y, "not numbers"),
    ("records", np.zeros(60, dtype=[("a", "f8"), ("b", "f8")]), Y, "not numbers"),
    ("an object that is a text", with_value("text", dtype=object), Y, "row 18, column 3"),
    ("an object that is a dict", with_value({"a": 1}, dtype=object), Y, "row 18, column 3"),
    ("an object that raises", with_value(NoNumber(), dtype=object), Y, "not now|row 18"),
    ("an object that is None", with_value(None, dtype=object), Y, "row 18, column 3"),
    ("NaN", with_value(np.nan), Y, "row 18, column 3: NaN"),
    ("NaN of float32", with_value(np.nan, dtype=np.float32), Y, "row 18, column 3: NaN"),
    ("infinity", with_value(np.inf), Y, "row 18, column 3: an infinity"),
    ("minus infinity at the end", with_value(-np.inf, (59, 3)), Y, "row 60, column 4: an infinity"),
    ("half floats that overflow", with_value(np.inf, dtype=np.float16), Y, "row 18, column 3"),
    ("masked", np.ma.masked_greater(X, 2.0), Y, "masked"),
    ("an array that raises", Raises(), Y, "cannot be read"),
    ("a dict", {"a": [1.0, 2.0]}, [0, 1], "dict|Expected 2D|scalar"),
    ("a set", {1.0, 2.0}, [0, 1], "set|scalar|Expected"),
    ("an iterator of numbers", iter([1.0, 2.0]), [0, 1], "row 1 is float"),
    ("an iterator that raises", raising([{"a": 1.0}] * 3), [0, 1, 0], "broke off"),
    ("dicts of lists", [{"a": [1]}, {"a": 2}], [0, 1], "'a' holds"),
    # sparse
    ("an index beyond the columns", csr(indices=np.array([0, 4, 2], np.int32)), [0, 1, 0], "row 2: .*column"),
    ("a negative index", csr(indices=np.array([0, -1, 2], np.int32)), [0, 1, 0], "row 2: .*column"),
    ("a 64-bit index beyond 2^31", csr(indices=np.array([0, 2**40, 2], long), indptr=np.arange(4, dtype=long)),
     [0, 1, 0], "row 2: .*column"),
    ("offsets that descend", csr(indptr=np.array([0, 3, 1, 3], np.int32)), [0, 1, 0], "offsets"),
    ("offsets beyond the values", csr(indptr=np.array([0, 1, 2, 9], np.int32)), [0, 1, 0], "offsets"),
    ("offsets beyond 2^31", csr(indptr=np.array([0, 1, 2, 2**40], long), indices=np.arange(3, dtype=long)),
     [0, 1, 0], "offsets"),
    ("offsets beyond 2^31 in the middle",
     csr(indptr=np.array([0, 2**33, 2, 3], long), indices=np.arange(3, dtype=long)), [0, 1, 0], "offsets"),
    ("negative offsets", csr(indptr=np.array([0, -5, 2, 3], np.int32)), [0, 1, 0], "offsets"),
    ("a first offset that is not 0", csr(indptr=np.array([-1, 1, 2, 3], np.int32)), [0, 1, 0], "offsets"),
    ("too few offsets", csr(indptr=np.array([0, 3], np.int32)), [0, 1, 0], "offsets"),
    ("a column twice", csr(indices=np.array([0, 1, 1], np.int32), indptr=np.array([0, 1, 1, 3], np.int32)),
     [0, 1, 0], "row 3: column 2 is duplicate"),
    ("NaN in a sparse matrix", csr(data=np.array([1.0, np.nan, 3.0])), [0, 1, 0], "row 2, column 2: NaN"),
    ("complex in a sparse matrix", csr(data=np.array([1j, 2, 3])), [0, 1, 0], "Complex"),
    ("more columns than there are numbers", csr(shape=(3, 2**33)), [0, 1, 0], "column|too many|range"),
    # y
    ("no labels", X, None, "requires y"),
    ("too few labels", X, Y[:59], r"inconsistent numbers of samples: \[60, 59\]"),
    ("one class", X, np.ones(60), "one class"),
    ("labels of two dimensions", X, np.stack([Y, Y], axis=1), "1d array"),
    ("a label that is None", X, [None] + [1] * 59, "row 1"),
    ("a label that is NaN", X, np.where(np.arange(60) == 9, np.nan, Y), "row 10"),
    ("a label that is infinite", X, np.where(np.arange(60) == 9, np.inf, Y), "row 10"),
    ("labels that are quantities", X, X[:, 0], "continuous"),
    ("a label that is a list", X, np.array([[1, 2]] * 60 + [None], dtype=object)[:60], "hashable"),
    ("a label that is a dict", X, [{}] + [1] * 59, "hashable"),
    ("two labels of one name", X, [1, "1"] * 30, "1|name"),
    ("a label with a zero byte", X, ["a\0b", "c"] * 30, "zero byte"),
    ("an empty label", X, ["", "c"] * 30, "empty"),
    ("a label with a line feed", X, ["a\nb", "c"] * 30, "has a line break, and predictions are a label a line"),
    ("a label with a carriage return", X, np.array(["a\rb", "c"] * 30), "has a line break"),
    ("a label that is no time", X, np.array(["2020-01-01", "NaT"] * 30, dtype="datetime64[D]"), "NaT, in row 2"),
]
ERRORS = (ValueError, TypeError, OSError, RuntimeError, OverflowError, ZeroDivisionError)


class Hostile(unittest.TestCase):
    def test_fit_and_partial_fit(self):
        for name, data, y, words in KINDS:
            once = name.startswith("an iterator")
            for learn in ("fit", "partial_fit"):
                if learn == "partial_fit" and (once or words == "one class"):
                    break
                model = halfspace.AROWClassifier()
                arguments = {} if learn == "fit" else {"classes": [0, 1]}
                with self.subTest(name):
                    with self.assertRaisesRegex(ERRORS, words if learn == "fit" else ""):
                        getattr(model, learn)(data, y, **arguments)
                    with self.assertRaisesRegex(ValueError, "not fitted"):
                        model.predict(X)

    def test_predict(self):
        model = halfspace.AROWClassifier().fit(X, Y)
        before = model.decision_function(X)
        for name, data, _, _ in KINDS:
            # A model of an array adds up what a sparse matrix has twice, as scipy's toarray() does.
            if data is X or name == "a column twice":
                continue
            with self.subTest(name), self.assertRaises(ERRORS):
                model.predict(data)
            np.testing.assert_array_equal(model.decision_function(X), before)

    def test_weights(self):
        for weights, words in (
                ([1.0] * 59, "sample_weight.shape"), (np.ones((60, 2)), "1D"), (-np.ones(60), "weight of row 1"),
                (np.where(np.arange(60) == 9, np.nan, 1), "weight"), (np.where(np.arange(60) == 9, np.inf, 1), "weight"),
                (["a"] * 60, "float"), ("many", "."), (np.zeros(60), "weight zero")):
            with self.subTest(words), self.assertRaisesRegex(ValueError, words):
                halfspace.Perceptron().fit(X, Y, sample_weight=weights)

    def test_rows_of_no_weight_are_an_error_in_parts(self):
        zeros = np.zeros(60)
        for options, weights in (({}, zeros), ({"class_weight": dict.fromkeys(set(Y), 0)}, None)):
            model = halfspace.Perceptron(**options)
            with self.assertRaisesRegex(halfspace.DataError, "every row has weight zero"):
                model.partial_fit(X, Y, classes=sorted(set(Y)), sample_weight=weights)
            with self.assertRaisesRegex(ValueError, "not fitted"):
                model.predict(X)
        model = halfspace.Perceptron().partial_fit(X, Y, classes=sorted(set(Y)))
        before = model.coef_.copy()
        with self.assertRaisesRegex(halfspace.DataError, "every row has weight zero"):
            model.partial_fit(X, Y, sample_weight=zeros)
        np.testing.assert_array_equal(model.coef_, before)

    def test_options(self):
        for options, words in (
                ({"passes": 0}, "passes"), ({"passes": "many"}, "passes"), ({"passes": 1.5}, "passes"),
                ({"rule": "none"}, "rule"), ({"class_weight": {7: 2}}, "7"), ({"class_weight": "unbalanced"}, "balanced"),
                ({"class_weight": {0: -1}}, "0|weight"), ({"seed": -1}, "seed"), ({"order": ["a", "b"]}, "order"),
                ({"holdout": 1.5}, "holdout")):
            with self.subTest(options), self.assertRaisesRegex(ValueError, words):
                halfspace.HalfspaceClassifier(**options).fit(X, Y)

    def test_unusual_arrays_are_read_as_their_copies(self):
        for view in (X[::-1], X[:, ::-1], X[::2], np.asfortranarray(X), X.astype(np.float32)[::3, ::2],
                     np.broadcast_to(X[:1], (60, 4)), X.astype(">f8"), X.astype(np.int8), X > 0,
                     np.lib.stride_tricks.as_strided(X, (57, 4), (32, 8)), X.astype(np.longdouble),
                     np.ndarray((60, 4), np.float64, b"\0" + X.tobytes(), 1)):
            y = np.arange(len(view)) % 2
            copy = np.array(view, dtype=np.float32 if view.dtype == np.float32 else np.float64, order="C")
            one, other = (halfspace.AROWClassifier().fit(data, y) for data in (view, copy))
            np.testing.assert_array_equal(one.coef_, other.coef_)
            np.testing.assert_array_equal(one.decision_function(view), other.decision_function(copy))

    def test_a_model_that_is_damaged(self):
        good = halfspace.Perceptron().fit(X, Y).model_.to_bytes()
        draw = np.random.default_rng(2)
        for _ in range(300):
            bad = bytearray(good)
            bad[draw.integers(len(bad))] ^= 1 << draw.integers(8)
            try:
                halfspace.Model.from_bytes(bytes(bad)).predict(X)
            except ValueError:
                continue
        for length in range(0, len(good), 7):
            with self.assertRaises(halfspace.DataError):
                halfspace.Model.from_bytes(good[:length])

    def test_a_path_that_is_none(self):
        for path in ("", "/", os.devnull, "no-such-file", "a\0b", "x" * 5000):
            with self.assertRaises((ValueError, OSError)):
                halfspace.Perceptron().fit(path)


if __name__ == "__main__":
    unittest.main()
