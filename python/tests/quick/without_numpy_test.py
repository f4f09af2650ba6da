"""What the package does without numpy: files, rows of dicts, models, proofs, errors. Standard library only."""

import ctypes
import datetime
import json
import os
import pickle
import random
import signal
import subprocess
import sys
import tempfile
import threading
import unittest

import halfspace
import support
from halfspace import _native as native


def rows_of(count, seed=1):
    draw = random.Random(seed)
    for _ in range(count):
        x = {f"f{j}": draw.gauss(0, 1) for j in range(6)}
        yield x, x["f0"] + 2 * x["f1"] - x["f5"] + 0.3 * draw.gauss(0, 1) > 0


def write_csv(path, count):
    with open(path, "w") as file:
        for i, (x, y) in enumerate(rows_of(count)):
            if i == 0:
                file.write(",".join(x) + ",y\n")
            file.write(",".join(map(repr, x.values())) + f",{y}\n")
    return path


class Import(unittest.TestCase):
    def test_loads_neither_numpy_nor_the_library(self):
        code = "import sys, halfspace; print([m for m in ('numpy', 'ctypes', 'json', 'sklearn') if m in sys.modules])"
        self.assertEqual(subprocess.check_output([sys.executable, "-c", code], text=True).strip(), "[]")

    def test_every_name_is_there_and_documented(self):
        for name in halfspace.__all__:
            if name in halfspace._MODULES["_estimators"] + halfspace._MODULES["_minimum"]:
                continue  # needs numpy
            self.assertTrue(getattr(halfspace, name).__doc__, name)
        with self.assertRaises(AttributeError):
            halfspace.nothing

    def test_version_is_that_of_the_library(self):
        self.assertEqual(halfspace.library_version(), halfspace.__version__)

    def test_every_function_of_the_header_is_declared(self):
        header = os.path.join(os.path.dirname(__file__), "..", "..", "..", "include", "halfspace_c.h")
        if not os.path.exists(header):
            self.skipTest("the header is not there")
        with open(header) as file:
            text = file.read()
        for name in native._FUNCTIONS:
            self.assertIn(f"halfspace_{name}(", text)


class Ctypes(unittest.TestCase):
    """The library without this package's help."""

    def test_trains_on_an_array(self):
        x = (ctypes.c_double * 8)(1, 0, 2, 1, -1, 0, -2, 1)
        y = (ctypes.c_int32 * 4)(1, 1, 0, 0)
        names = (ctypes.c_char_p * 2)(b"no", b"yes")
        lib = native.lib
        array = native.Dense(ctypes.addressof(x), 0, 4, 2, 0, 0)
        labels = native.Labels(ctypes.addressof(y), names, 2, None)
        rows = lib["rows_dense"](array, labels, None, None, None)
        settings = lib["settings_new"](b"train", None)
        model = ctypes.c_void_p()
        self.assertEqual(lib["train"](settings, rows, None, None, ctypes.byref(model), None, None), 0)
        predicted = (ctypes.c_int32 * 4)()
        predictor = lib["predictor_new"](model, None)
        self.assertEqual(lib["predict"](predictor, rows, predicted, None, None, None), 0)
        self.assertEqual(list(predicted), [1, 1, 0, 0])
        for kind, pointer in (("predictor", predictor), ("model", model), ("rows", rows), ("settings", settings)):
            lib[kind + "_free"](pointer)


class Files(support.WithFolder):
    def test_needs_no_numpy(self):
        path = write_csv(self.path("a.csv"), 100)
        code = ("import sys; sys.modules['numpy'] = None; import halfspace; "
                "model = halfspace.train(sys.argv[1]); model.evaluate(sys.argv[1]); model.predict(sys.argv[1]); halfspace.certify(sys.argv[1], seconds=0.1); "
                "halfspace.OnlineClassifier().learn_one({'a': 1}, True).predict_one({'a': 1})")
        subprocess.run([sys.executable, "-c", code, path], check=True)

    def test_says_what_to_install_where_arrays_need_numpy(self):
        for use in ("halfspace.AROWClassifier", "halfspace.train([[1.0], [2.0]], [0, 1])"):
            code = ("import sys; sys.modules['numpy'] = None; import halfspace\n"
                    f"try: {use}\nexcept ImportError as error: print(error)")
            said = subprocess.check_output([sys.executable, "-c", code], text=True)
            self.assertIn("numpy: pip install numpy, or for the system's Python apt install python3-numpy", said)

    def test_train_is_the_command(self):
        command = support.command()
        data, own, saved = write_csv(self.path("a.csv"), 400), self.path("a.model"), self.path("b.model")
        subprocess.run([command, "train", data, "--seed", "3", "-o", own], check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
        model = halfspace.train(data, seed=3)
        model.save(saved)
        inspected = [json.loads(subprocess.check_output([command, "inspect", path, "--json"]))["weights"]
                     for path in (own, saved)]
        self.assertEqual(*inspected)
        self.assertEqual(halfspace.load(saved).to_bytes(), model.to_bytes())
        self.assertEqual(pickle.loads(pickle.dumps(model)).to_bytes(), model.to_bytes())
        self.assertEqual(model.classes, ["False", "True"])
        self.assertEqual(model.describe()["feature_names"], [f"f{j}" for j in range(6)])
        evaluation = model.evaluate(data)
        self.assertGreater(evaluation["accuracy"], 0.85)
        self.assertEqual(str(evaluation).encode(), subprocess.check_output([command, "evaluate", own, data]))
        self.assertIn('<figure id="thresholds">', evaluation.page())
        self.assertEqual(model.report().encode(), subprocess.check_output([command, "train", data, "--seed", "3",
                                                                           "--quiet"], stderr=subprocess.DEVNULL))
        self.assertTrue(model.result["rounds"] > 0 or model.result["minimum"])

    def test_errors_name_line_and_column(self):
        path = self.path("bad.csv")
        with open(path, "w") as file:
            file.write("a,b,y\n1,2,no\n" * 1 + "3,x,yes\n")
        with self.assertRaises(halfspace.DataError) as caught:
            halfspace.train(path, numeric=["b"])
        error = caught.exception
        self.assertEqual((error.file, error.line), (path, 3))
        self.assertIsInstance(error, ValueError)
        self.assertIn("bad.csv:3:", str(error))
        self.assertEqual(str(pickle.loads(pickle.dumps(error))), str(error))

    def test_errors_have_their_kinds(self):
        with self.assertRaises(FileNotFoundError):
            halfspace.train("/no/such/file.csv")
        with self.assertRaises(halfspace.NoInputError):
            halfspace.load("/no/such/file.model")
        with self.assertRaises(halfspace.UsageError):
            halfspace.train("a.csv", no_such_option=1)
        with self.assertRaises(halfspace.UsageError):
            halfspace.train("a.csv", passes=0)
        with self.assertRaises(halfspace.DataError):
            halfspace.Model.from_bytes(b"nothing")
        with self.assertRaises(halfspace.UsageError):
            halfspace.train("a.csv", label="a\0b")

    def test_certify_and_verify(self):
        path = self.path("four.csv")
        with open(path, "w") as file:
            file.write("a,b,y\n1,0,yes\n2,1,yes\n-1,0,no\n-2,1,no\n")
        proof = halfspace.certify(path)
        self.assertTrue(proof.separable)
        self.assertEqual((proof.rows, proof.features), (4, 2))
        self.assertEqual(proof.to_dict()["verdict"], "separable")
        self.assertIn("\n  Separable. Proved", str(proof))
        self.assertIn("the separator", proof.page())
        self.assertTrue(halfspace.verify(proof, path).valid)
        self.assertTrue(str(halfspace.verify(proof, path)).endswith("\nvalid: separable\n"))
        self.assertTrue(halfspace.verify(proof.certificate, [path]).to_dict()["valid"])
        with self.assertRaises(halfspace.DataError):
            halfspace.verify("no certificate", path)

    def test_ctrl_c_ends_a_call(self):
        path = write_csv(self.path("long.csv"), 2000)
        timer = threading.Timer(0.3, signal.raise_signal, [signal.SIGINT])
        timer.start()
        try:
            with self.assertRaises(KeyboardInterrupt):
                halfspace.train(path, rule="perceptron", passes=10**9)
        finally:
            timer.join()


class Online(unittest.TestCase):
    def test_learns(self):
        model, right = halfspace.OnlineClassifier(), 0
        for x, y in rows_of(600):
            right += model.predict_one(x) == y
            self.assertIs(model.learn_one(x, y), model)
        self.assertGreater(right, 500)
        probabilities = model.predict_proba_one(x)
        self.assertEqual(list(probabilities), [False, True])
        self.assertAlmostEqual(sum(probabilities.values()), 1)
        self.assertEqual(model.feature_names, [f"f{j}" for j in range(6)])
        self.assertEqual(model.model.describe()["feature_names"], model.feature_names)

    def test_prediction_sets_keep_their_bound(self):
        for kind, classes in (("drawn", [False, True]), ("drifting", [False, True]), ("hostile", [False, True]),
                              ("three", ["a", "b", "c"])):
            model = halfspace.OnlineClassifier(classes, sets=0.9, rule="pa1" if len(classes) == 2 else None)
            wrong = rows = 0
            for t, (x, y) in enumerate(rows_of(700)):
                if kind == "drifting":
                    y = y if t < 350 else not y
                if kind == "three":
                    y = "abc"[(x["f0"] > 0.5) + y]
                found = model.predict_set_one(x)
                if kind == "hostile":
                    y = next((label for label in classes if label not in found), True)
                self.assertLessEqual(found, set(classes))
                wrong, rows = wrong + (y not in found), rows + 1
                model.learn_one(x, y)
                report = model.sets_report()
                self.assertEqual((report["rows"], report["errors"]), (rows, wrong))
                self.assertLessEqual(abs(report["error"] - 0.1), report["bound"])
            self.assertAlmostEqual(report["bound"], 0.92 / (0.02 * rows))
            self.assertLessEqual(report["single"] + report["empty"], 1)

    def test_prediction_sets_wait_for_late_truths(self):
        model, issued = halfspace.OnlineClassifier(sets=0.8, rule="pa1"), {}
        wrong = 0
        for t, (x, y) in enumerate(rows_of(400)):
            issued[t] = model.predict_set_one(x, key=t), y
            if len(issued) > 5:
                key = min(issued)
                found, truth = issued.pop(key)
                model.learn_late(key, truth)
                wrong += truth not in found
            report = model.sets_report()
            if report["rows"]:
                self.assertEqual(report["errors"], wrong, "the set that was issued counts")
                self.assertLessEqual(abs(report["error"] - 0.2), report["bound"])
        self.assertEqual(report["most_pending"], 6)
        self.assertAlmostEqual(report["bound"], (0.8 + 6 * 0.02) / (0.02 * report["rows"]))
        with self.assertRaisesRegex(halfspace.UsageError, "still to come"):
            model.predict_set_one(x, key=t)
        again = pickle.loads(pickle.dumps(model))
        for one in (model, again):
            for key, (_, truth) in issued.items():
                one.learn_late(key, truth)
            for x, y in rows_of(50, seed=2):
                one.predict_set_one(x)
                one.learn_one(x, y)
        self.assertEqual(model.sets_report(), again.sets_report())
        self.assertEqual(repr(again), "OnlineClassifier([False, True], sets=0.8, rule='pa1')")

    def test_prediction_sets_are_those_of_train(self):
        with tempfile.TemporaryDirectory() as folder:
            path = write_csv(os.path.join(folder, "rows.csv"), 1500)
            sets = halfspace.train(path, rule="pa1", keep="last", sets=0.9).result["sets"]
        model = halfspace.OnlineClassifier(sets=0.9, rule="pa1", keep="last")
        for x, y in rows_of(1500):
            model.learn_one(x, y)
        report = model.sets_report()
        self.assertGreater(report["errors"], 50)
        self.assertEqual({name: report[name] for name in sets}, sets)

    def test_prediction_sets_have_to_be_asked_for(self):
        for call, words in ((lambda: halfspace.OnlineClassifier().predict_set_one({}), "sets=0.9"),
                            (lambda: halfspace.OnlineClassifier().sets_report(), "sets=0.9"),
                            (lambda: halfspace.OnlineClassifier(sets=1), "between 0 and 1"),
                            (lambda: halfspace.OnlineClassifier(conformal=True), "never ends")):
            with self.assertRaisesRegex(halfspace.UsageError, words):
                call()
        model = halfspace.OnlineClassifier(sets=0.9)
        with self.assertRaises(halfspace.DataError):
            model.learn_one({"a": float("nan")}, True)
        self.assertEqual(model.sets_report()["rows"], 0)
        self.assertEqual(model.predict_set_one({"a": 1}), {False, True})

    def test_unknown_options_and_rows_are_explained(self):
        for call, error, words in (
                (lambda: halfspace.OnlineClassifier(random_state=1),
                 halfspace.UsageError, "'random_state'; seed is its name"),
                (lambda: halfspace.OnlineClassifier(optimizer=1), halfspace.UsageError, "each rule has its own steps"),
                (lambda: halfspace.OnlineClassifier(nonsense=1), halfspace.UsageError, "halfspace train -h"),
                (lambda: halfspace.train("a.csv", max_iter=3), halfspace.UsageError, "'max_iter'; passes is its name"),
                (lambda: halfspace.OnlineClassifier().learn_one([1.0], True), TypeError, "a dict.*not a list"),
                (lambda: halfspace.OnlineClassifier().predict_one([1.0]), TypeError, "a dict.*not a list")):
            with self.assertRaisesRegex(error, words):
                call()

    def test_options_without_effect_are_rejected(self):
        for name, value, words in (
                ("passes", 3, "sees each once"), ("until", "clean", "sees each once"), ("order", "shuffled", "sees each"),
                ("folds", 5, "sees each once"), ("holdout", 0.2, "a run that ends"), ("calibrate", "platt", "train"),
                ("id", "a", "reading files"), ("text", ["a"], "reading files"), ("drop", "a", "reading files"),
                ("dates", "a", "reading files"), ("label", "a", "reading files"), ("header", True, "reading files"),
                ("on_error", "skip", "reading files"), ("threads", 1, "reading files"),
                ("weight", "a", r"learn_one\(x, y, w\) and learn_late\(key, y, w\) take"),
                ("positive", "True", "second of `classes`"), ("normalize", "row", "scale"), ("single", True, "round"),
                ("class_weight", "balanced", "needs all rows.*give a dict"), ("objective", "svm", "needs all rows"),
                ("class_weight", {"no": 1}, "'no', which is not one of the classes"),
                ("class_weight", {True: -1}, "class_weight of True is -1"),
                ("class_weight", {True: "1"}, "class_weight of True is '1'")):
            with self.assertRaisesRegex(halfspace.UsageError, words, msg=name):
                halfspace.OnlineClassifier(**{name: value})
        with self.assertRaisesRegex(TypeError, "class_weight is a list; give a dict"):
            halfspace.OnlineClassifier(class_weight=["True=3"])
        of_files = {option["name"] for what in ("evaluate", "predict") for option in native.describe(what)}
        for name in of_files & {option["name"] for option in native.describe("train")} - {"seed"}:
            with self.assertRaises(halfspace.UsageError, msg=name):
                halfspace.OnlineClassifier(**{name.replace("-", "_"): "1"})
        halfspace.OnlineClassifier(rule="pa2", aggressiveness=0.5, seed=3, order="stream", normalize="none", label=None)

    def test_class_weights_multiply_those_of_rows(self):
        by_class = halfspace.OnlineClassifier(["no", "yes"], class_weight={"yes": 3}, rule="ftrl")
        by_row = halfspace.OnlineClassifier(["no", "yes"], rule="ftrl")
        for i, (x, y) in enumerate(rows_of(80)):
            if i == 40:
                by_class = pickle.loads(pickle.dumps(by_class))
                by_row = pickle.loads(pickle.dumps(by_row))
            by_class.learn_one(x, "yes" if y else "no", 0.5)
            by_row.learn_one(x, "yes" if y else "no", 1.5 if y else 0.5)
        self.assertEqual(by_class.model.to_bytes(), by_row.model.to_bytes())
        self.assertEqual(repr(by_class), "OnlineClassifier(['no', 'yes'], class_weight={'yes': 3}, rule='ftrl')")

    def test_order_of_a_dict_changes_nothing(self):
        one, other = (halfspace.OnlineClassifier(rule="pa1") for _ in range(2))
        draw = random.Random(2)
        for i, (x, y) in enumerate(rows_of(200)):
            one.learn_one(x, y)
            other.learn_one(x if i == 0 else dict(draw.sample(sorted(x.items()), len(x))), y)
        self.assertEqual(one.model.to_bytes(), other.model.to_bytes())

    def test_pickle_goes_on_to_the_bit(self):
        whole, parts = halfspace.OnlineClassifier(), halfspace.OnlineClassifier()
        for i, (x, y) in enumerate(rows_of(300)):
            if i == 100:
                parts = pickle.loads(pickle.dumps(parts))
            if i > 150:
                x["late"] = i / 300
            whole.learn_one(x, y)
            parts.learn_one(x, y)
        # The files differ: one counts two passes.
        for x, _ in rows_of(50, seed=9):
            self.assertEqual(whole.predict_proba_one(x), parts.predict_proba_one(x))

    def test_classes_of_any_kind(self):
        for classes in ([0, 1], ["yes", "no"], [("a", 1), ("b", 2)], ["x", "y", "z"], [10, 9, 8]):
            model = halfspace.OnlineClassifier(classes=classes, rule="perceptron")
            for _ in range(20):
                for k, label in enumerate(classes):
                    model.learn_one({f"only{k}": 1.0}, label)
            self.assertEqual([model.predict_one({f"only{k}": 1.0}) for k in range(len(classes))], list(classes))

    def test_texts_and_gaps(self):
        model, by_hand = halfspace.OnlineClassifier(), halfspace.OnlineClassifier()
        for i in range(60):
            colour, size = ("red", "blue", None)[i % 3], i % 5
            model.learn_one({"size": size, "colour": colour}, colour == "red")
            by_hand.learn_one({"size": size} | ({f"colour={colour}": 1} if colour else {}), colour == "red")
        self.assertEqual(model.feature_names, ["size", "colour=red", "colour=blue"])
        self.assertEqual(model.model.to_bytes(), by_hand.model.to_bytes())
        self.assertEqual([model.predict_one({"size": 2, "colour": c}) for c in ("red", "blue", "green", None)],
                         [True, False, False, False])

    def test_late_truths(self):
        late, in_turn = (halfspace.OnlineClassifier(rule="pa1") for _ in range(2))
        rows = list(rows_of(90))
        for i, (x, y) in enumerate(rows):
            late.predict_one(x, key=i)
            if i % 3 == 2:
                for k in (i, i - 2, i - 1):
                    if k != 88:
                        in_turn.learn_one(*rows[k])
                        late.learn_late(k, rows[k][1])
            if i == 40:
                self.assertEqual(late.pending, [39, 40])
                late = pickle.loads(pickle.dumps(late))
        self.assertEqual(late.pending, [88])
        with self.assertRaises(halfspace.UsageError):
            late.predict_one({"a": 1}, key=88)
        with self.assertRaises(halfspace.DataError):
            late.learn_late(88, "maybe")
        late.forget(88)
        with self.assertRaises(halfspace.UsageError):
            late.learn_late(88, True)
        for x, _ in rows_of(50, seed=9):
            self.assertEqual(late.predict_one(x), in_turn.predict_one(x))

    def test_bad_rows_add_nothing(self):
        model = halfspace.OnlineClassifier()
        model.learn_one({"a": 1, "b": 2.5}, True)
        before = model.model.to_bytes()
        for bad, error, words in (({"new": 1, "a": datetime.date(2026, 1, 2)}, TypeError, "feature 'a' is not a number"),
                                  ({"new": [1]}, TypeError, "feature 'new' is not a number"),
                                  ({"new": 1, "a": float("nan")}, halfspace.DataError, "of feature 'a' is not finite"),
                                  ({"new": float("-inf")}, halfspace.DataError, "of feature 'new' is not finite"),
                                  ({"a": float("inf"), "b": float("-inf")}, halfspace.DataError, "'a' is not finite"),
                                  ({"a": 1, "b": 10**400}, halfspace.DataError, "of feature 'b' is not finite"),
                                  ({"new": 1, 2: 1.0}, TypeError, "2 is not named by a str"),
                                  ({"new": 1, "": 1.0}, halfspace.UsageError, "empty name"),
                                  ({"new": 1, "z\0": 1.0}, halfspace.UsageError, "zero byte")):
            messages = set()
            for call in (lambda: model.learn_one(bad, True), lambda: model.predict_one(bad, key=1),
                         lambda: model.predict_one(bad), lambda: model.predict_proba_one(bad)):
                with self.assertRaisesRegex(error, words) as caught:
                    call()
                messages.add(str(caught.exception))
            self.assertEqual(len(messages), 1)
        for weight, error in ((-1, halfspace.DataError), (float("nan"), halfspace.DataError), ("2", TypeError)):
            with self.assertRaisesRegex(error, "the weight of a row is not a"):
                model.learn_one({"new": 1}, True, weight)
        self.assertEqual((model.pending, model.feature_names), ([], ["a", "b"]))
        self.assertEqual(model.model.to_bytes(), before)
        model.predict_one({"a": 1e308, "b": 1e308, "c": 1e308}, key="large")  # their sum alone is not finite
        self.assertEqual(model.pending, ["large"])

    def test_save(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "online.model")
            model = halfspace.OnlineClassifier(rule="pa1")
            for i in range(40):
                model.learn_one({"size": i % 5, "colour": "red" if i % 2 else "blue"}, i % 2 == 1)
            model.save(path)
            data = os.path.join(folder, "new.csv")
            with open(data, "w") as file:
                file.write("size,colour=red,colour=blue\n1,1,0\n1,0,1\n")
            self.assertEqual(halfspace.load(path).predict(data), ["True", "False"])

    def test_many_rows_of_an_iterator(self):
        one, many = halfspace.OnlineClassifier(), halfspace.OnlineClassifier()
        for x, y in rows_of(50):
            one.learn_one(x, y)

        def broken():
            yield from rows_of(50)
            raise OSError("the stream broke off")

        with self.assertRaisesRegex(OSError, "broke off"):
            many.learn_many(broken())
        self.assertEqual(one.model.to_bytes(), many.model.to_bytes())

    def test_rejects(self):
        model = halfspace.OnlineClassifier()
        model.learn_one({"a": 1}, True)
        before = model.model.to_bytes()
        for x, y, w, error in (({"a": 1}, "maybe", 1, halfspace.DataError), ({"a": float("nan")}, True, 1, ValueError),
                               ({"a": float("inf")}, True, 1, ValueError), ({"a": [1]}, True, 1, TypeError),
                               ({"a": b"x"}, True, 1, TypeError), ({1: 1.0}, True, 1, TypeError),
                               ({"a": 1}, True, -1, ValueError), ({"a": 1}, True, float("nan"), ValueError)):
            with self.assertRaises(error, msg=(x, y, w)):
                model.learn_one(x, y, w)
        self.assertEqual(model.model.to_bytes(), before)
        with self.assertRaises(ValueError):
            halfspace.OnlineClassifier(classes=[1])
        with self.assertRaises(ValueError):
            halfspace.OnlineClassifier(classes=[1, "1"])
        self.assertIn(model.predict_one({"unknown": 3}), (False, True))
        self.assertIn(model.predict_one({}), (False, True))


if __name__ == "__main__":
    unittest.main()
