"""Random runs of the command against what their words mean: errors, bounds, weights, and changes that change nothing.

usage: runs_test.py HALFSPACE [--count N] [--seed S] [--only CHECK,CHECK...] [--case S:I] [--jobs N]

A case is a small table in several formats, with weights, and a composition from the tables of `train --help --json`.
Every check states a property that a reader of the output relies on and computes it slowly, from the rows. Of each
check that fails, the case with the fewest rows is printed, with its data and commands; `--case` runs one again.
HALFSPACE_RUNS sets the default of --count, 100.
"""

import argparse
import collections
import concurrent.futures
import fractions
import math
import os
import re
import sys
import tempfile

from scenarios import SCENARIOS
from tables import Case, Command, Failure, Refused, Table, close, errors_shown, menu_of, strict, value_of

BAD_DATA = 65
# Of the first pass over rows in their order; the others choose rows by their mistakes or at random.
IN_ORDER = ("stream", "cyclic", "shuffled")
TOURNAMENTS = ("tournament", "multiclass-tournament")


class Checks:
    """The checks of one case. Each raises Failure, or Refused where the command has a reason."""

    def __init__(self, case, command):
        self.case, self.hs = case, command
        self.table, self.form = case.table, case.form
        self.data = command.write("data." + case.form, case.table.text(case.form))
        self.read = case.table.flags(case.form)
        # An endless order on data that nothing separates ends by its updates.
        self.learn = [*case.composition, "--passes", str(case.passes), "--updates", "300", "--seconds", "20"]

    def train(self, *more, data=None, learn=None, read=None):
        return self.hs.json("train", data or self.data, *(self.read if read is None else read),
                            *(self.learn if learn is None else learn), "-q", *more)  # fmt: skip

    # -- What is printed of errors ------------------------------------------------------------------------------------

    def tie_label(self):
        """The label that `predict` gives a score of 0 of two classes, by a model that knows nothing of the row."""
        names = self.table.names
        return 0 if value_of(self.case.composition, "--tie") == "negative" else len(names) - 1

    def progressive(self):
        """(a) The error while learning is the weighted share of wrong labels, in JSON, in text and in each pass."""
        run = self.train("--trace", "t.jsonl", "-o", "whole.model")
        self.bounds_hold(run)
        trace = [strict(line) for line in (self.hs.folder / "t.jsonl").read_text().splitlines()]
        if run["composition"] and run["composition"].get("order", "stream") not in IN_ORDER:
            return
        rows = sum(self.table.weight(i) > 0 for i in range(len(self.table)))  # others are no rows
        first = trace[:rows]
        two = len(self.table.names) == 2
        if not two and any(line["predicted"] < 0 for line in first):
            return  # the label of equal scores is checked by prefixes
        if len(first) < rows:
            return  # the updates ended the first pass
        tie = self.tie_label() if two else 0
        wrong = [(tie if line["predicted"] < 0 else line["predicted"]) != line["label"] for line in first]
        weights = [self.table.weight(line["row"] - 1) for line in first]
        want = sum(w for w, bad in zip(weights, wrong) if bad)
        self.same("progressive-json", "progressive.errors",
                  run["progressive"].get("errors", run["progressive"]["mistakes"]), want)
        self.same("pass-json", "pass[0].errors", run["pass"][0].get("errors", run["pass"][0]["mistakes"]), want)
        if run["rounds"] == rows:
            self.same("top-json", "errors", run.get("errors", run["mistakes"]), want)
        text = self.hs("train", self.data, *self.read, *self.learn, "-q")
        shown = errors_shown(text)
        if shown is not None and abs(shown - want / self.table.total()) > 0.00006:
            raise Failure("progressive-text", f"prints an error of {100 * shown:.2f} %, but {want} of weight {self.table.total()} "
                          f"were predicted wrong: {100 * want / self.table.total():.2f} %")  # fmt: skip
        self.majority(run, text)
        self.figures(run, wrong, weights)

    def majority(self, run, text):
        """The share of errors of the most frequent class counts weights."""
        sums = [sum(self.table.weight(i) for i in range(len(self.table)) if self.table.labels[i] == c)
                for c in range(len(self.table.names))]
        want = 1 - max(sums) / sum(sums)
        if found := re.search(r"always [^:\n]+: ([0-9.]+) %", text):
            if abs(float(found[1]) / 100 - want) > 0.00006:
                raise Failure("majority-text",
                              f"prints {found[0]!r}; by weight the most frequent class is wrong on {100 * want:.2f} %")

    def figures(self, run, wrong, weights):
        """The errors of the last rounds and the faded error, of labels."""
        if self.table.weights:
            return
        window = min(len(wrong), 1 + self.case.draw.randrange(8))
        run = self.train("--window", window, "--decay", 0.5)
        if "window" in run:
            want = sum(wrong[-window:]) / window
            if not close(run["window"]["error"], want):
                raise Failure("window", f"--window {window}: error {run['window']['error']}, of labels {want}")
        if "faded" in run:
            fades = [0.5 ** (len(wrong) - 1 - i) for i in range(len(wrong))]
            want = sum(f for f, bad in zip(fades, wrong) if bad) / sum(fades)
            if not close(run["faded"]["error"], want):
                raise Failure("faded", f"--decay 0.5: error {run['faded']['error']}, of labels {want}")

    def same(self, check, what, got, want):
        if not close(got, want):
            raise Failure(check, f"{what} is {got}, but labels of weight {want} (of {self.table.total()}) were wrong")

    def prefixes(self):
        """(a) The error while learning is that of the models of the first k rows on row k + 1."""
        composition = self.case.composition
        if len(self.table) > 12 or self.case.passes > 1:
            return
        learn = [*composition, "--passes", "1"]
        if "--keep" not in composition:
            learn += ["--keep", "last"]
        run = self.train("--trace", "t.jsonl", learn=learn)
        shape = run["composition"] or {}
        if shape.get("order", "stream") != "stream" or shape.get("keep", "last") != "last" or shape.get("rule") in (*TOURNAMENTS, "kernel", "nag"):
            return
        if self.table.kind == "categorical" and shape.get("rule") in ("winnow1", "winnow2", "eg", "minnow"):
            return  # a new category begins with a weight in the run, and is unknown to a model of the rows before
        if shape.get("multiclass") == "one-against-one":
            return
        if "guarded" in run:
            return
        wrong = 0
        for k in range(1, len(self.table)):
            part = self.hs.write("part." + self.form, self.table.some(range(k)).text(self.form))
            row = self.hs.write("row." + self.form, self.table.some([k]).text(self.form))
            if not any(self.table.weight(i) for i in range(k)):
                return
            self.train("-o", "part.model", data=part, learn=learn)
            label = self.hs("predict", "part.model", row).split()[0]
            wrong += self.table.weight(k) * (label != self.table.names[self.table.labels[k]])
        got = run["progressive"].get("errors", run["progressive"]["mistakes"])
        # The first row is predicted by the weights of the start: equal scores are the lowest class of several.
        begun = strict((self.hs.folder / "t.jsonl").read_text().splitlines()[0])["predicted"]
        if begun < 0:
            begun = 0 if len(self.table.names) > 2 else self.tie_label()
        wrong += self.table.weight(0) * (begun != self.table.labels[0])
        if not close(got, wrong):
            raise Failure(
                "prefixes", f"progressive errors are {got}; models of the rows before each row were wrong on a weight of {wrong}")

    def bounds_hold(self, run):
        """(b) Every interval contains what it is about, and mistakes are at most their bound."""
        bound = run.get("bound")
        if bound and run["mistakes"] > bound["value"]:
            raise Failure("mistake-bound", f"{run['mistakes']} mistakes, bound {bound}")
        expected = run.get("expected_error")
        if self.table.weights:
            return
        if expected and not expected["lower"] <= expected["errors"] / expected["rows"] <= expected["upper"]:
            raise Failure("interval", f"{expected} does not contain errors / rows")
        if expected and expected["of"] == "learning":
            errors = run["progressive"].get("errors", run["progressive"]["mistakes"])
            if expected["errors"] != errors:
                raise Failure(
                    "interval", f"expected_error rests on {expected['errors']} errors, progressive has {errors}")

    # -- Weights ------------------------------------------------------------------------------------------------------

    def evaluation(self):
        """(c) Errors of a model, with weights or with rows repeated, by evaluate, training errors and predict."""
        run = self.train("-o", "whole.model")
        lines = self.hs("predict", "whole.model", self.data).split()
        truth = [self.table.names[c] for c in self.table.labels]
        wrong = [a != b for a, b in zip(lines, truth)]
        want = sum(self.table.weight(i) for i, bad in enumerate(wrong) if bad)
        if "training_errors" in run and not close(run["training_errors"], want):
            raise Failure("training-errors",
                          f"training_errors {run['training_errors']}, predict is wrong on a weight of {want}")
        report = self.hs.json("evaluate", "whole.model", self.data)
        shown = report["errors"]
        if not close(shown, want):
            raise Failure("evaluate-errors",
                          f"evaluate has errors {shown}, predict is wrong on a weight of {want} of {self.table.total()}")
        if not close(report["accuracy"], 1 - want / self.table.total()):
            raise Failure("evaluate-accuracy",
                          f"accuracy {report['accuracy']}, but a weight of {want} of {self.table.total()} is wrong")
        self.metrics_hold(report)
        if self.table.weights is None or any(w != int(w) for w in self.table.weights):
            return
        many = self.table.repeated()
        again = self.hs.json("evaluate", "whole.model", self.hs.write("many." + self.form, many.text(self.form)), codes=(0,)) \
            if self.form == "vw" else None  # other formats ask for the model's column of weights  # fmt: skip
        if again is None:
            many.weights = [1] * len(many)
            again = self.hs.json("evaluate", "whole.model", self.hs.write("many." + self.form, many.text(self.form)))
        for key in ("errors", "accuracy", "constant_accuracy", "auc"):
            if key in report and key in again and not close(report[key] or 0, again[key] or 0):
                raise Failure("repeated-rows",
                              f"evaluate {key}: {report[key]} of weighted rows, {again[key]} of the same rows repeated")
        for key in ("confusion",):
            if flat(report[key]) != flat(again[key]):
                raise Failure("repeated-confusion",
                              f"{report[key]} of weighted rows, {again[key]} of the same rows repeated")

    def metrics_hold(self, report):
        for name, metric in report["metrics"]["values"].items():
            if metric.get("lower") is not None and metric["interval"] == "exact":
                if not metric["lower"] - 1e-12 <= metric["value"] <= metric["upper"] + 1e-12:
                    raise Failure("metric-interval", f"{name}: {metric}")

    def zero_weights(self):
        """(c) Rows of weight 0 are no rows: without them the same weights and figures."""
        if self.table.weights is None or 0 not in self.table.weights:
            return
        kept = self.table.some([i for i in range(len(self.table)) if self.table.weight(i) > 0])
        fewer = self.hs.write("fewer." + self.form, kept.text(self.form))
        if self.table.kind == "categorical" and any(list(dict.fromkeys(column)) != list(dict.fromkeys(rest)) for column, rest in zip(zip(*self.table.rows), zip(*kept.rows))):
            return  # a category of rows of weight 0 is a feature all the same, in order of first appearance
        with_all, without = self.train("-o", "all.model"), self.train("-o", "fewer.model", data=fewer)
        if (with_all["composition"] or {}).get("order") not in ("stream", "cyclic"):
            return  # draws among other numbers of rows
        if "tournament" in with_all["composition"]["rule"] and (with_all["passes"] > 1 or "--validation-share" in self.learn):
            return  # validation rows are drawn by their number in the file
        a, b = self.weights_of("all.model"), self.weights_of("fewer.model")
        if a != b:
            raise Failure("weight-0-weights", f"weights {a} with rows of weight 0, {b} without")
        for keys in (("mistakes",), ("updates",), ("training_errors",), ("progressive", "mistakes"), ("progressive", "errors"),
                     ("progressive", "constant_mistakes"), ("progressive", "previous_mistakes"), ("margin",), ("radius",),
                     ("weight_norm",), ("bound", "value"), ("expected_error", "errors"), ("expected_error", "lower")):  # fmt: skip
            x, y = dig(with_all, keys), dig(without, keys)
            if x != y and not (isinstance(x, float) and isinstance(y, (int, float)) and close(x, y)):
                raise Failure("weight-0-" + "-".join(keys), f"{x} with rows of weight 0, {y} without")

    def weights_of(self, model):
        shown = self.hs.json("inspect", model)
        return {key: shown.get(key) for key in ("weights", "bias", "coefficients", "support_vectors", "threshold")}

    def objective(self):
        """(c) A minimum of weighted rows is that of rows repeated; few passes find weights; balanced classes count weights."""
        if self.table.kind == "magnitudes" or len(set(self.table.labels)) < 2 or self.case.draw.random() < 0.5:
            return
        few = self.case.draw.randint(1, 5)
        kind = self.case.draw.choice(("svm", "squared-hinge", "logistic"))
        if not self.table.weights or all(self.table.weights):
            sparse = self.train("--passes", few, learn=["--objective", kind, "--bias", "last"])
            # and said to be: weights of 0 may be the nearest yet
            far = (sparse.get("minimum") or {}).get("gap", 0) > 0.05
            if sparse["weight_norm"] == 0 and not far and self.train(learn=["--objective", kind, "--bias", "last"])["weight_norm"] > 1e-3:
                raise Failure("objective-few-passes", f"--objective {kind} --passes {few} gives weights of 0")
        if not self.table.weights or any(w != int(w) for w in self.table.weights):
            return
        learn = ["--objective", kind] + self.case.draw.choice(([], ["--class-weight", "balanced"]))
        many = self.table.repeated()
        many.weights = [1] * len(many)
        if len(set(many.labels)) < len(self.table.names):
            return
        again = self.hs.write("many." + self.form, many.text(self.form))
        one, other = self.train(learn=learn), self.train(learn=learn, data=again)
        for key in ("primal", "dual"):
            a, b = ([vector[key] for vector in run["minimum"].get("of_vector") or [run["minimum"]]]
                    for run in (one, other))
            if any(abs(x - y) > 1e-4 * max(abs(x), abs(y), 1e-9) for x, y in zip(a, b)):
                raise Failure("objective-" + ("balanced" if len(learn) > 2 else "weights"),
                              f"{' '.join(learn)}: {key} {a} of weighted rows, {b} of the same rows repeated")  # fmt: skip

    def comparison(self):
        """(c) compare counts weights: rows to compare on, weighted or repeated."""
        if not self.table.weights or any(w != int(w) for w in self.table.weights) or self.case.draw.random() < 0.7:
            return
        many = self.table.repeated()
        many.weights = [1] * len(many)
        again = self.hs.write("many." + self.form, many.text(self.form))
        shown = [self.hs.json("compare", "perceptron", "pa1", self.data, *self.read, "--test", test)
                 for test in (self.data, again)]
        a, b = ([(r.get("accuracy"), r.get("errors")) for r in one["sets"][0]["results"]] for one in shown)
        if any(x is not None and y is not None and not close(x, y) for p, q in zip(a, b) for x, y in zip(p, q)):
            raise Failure("compare-weights", f"(accuracy, errors) {a} of weighted rows, {b} of the same rows repeated")

    # -- What changes nothing -------------------------------------------------------------------------------------------

    def unchanged(self):
        """(d) Class names, threads, formats and a power of two change no count."""
        plain = self.train("-o", "plain.model")
        counts = self.counts(plain)
        threads = self.train(read=[w if w != "1" or self.read[i - 1] !=
                             "--threads" else "3" for i, w in enumerate(self.read)])
        self.compare_counts("threads", counts, threads)
        if self.table.kind == "magnitudes":
            return
        count = len(self.table.names)
        alike = [str(2**53 + i) for i in range(count)] if self.form in ("libsvm",
                                                                        "vw") else ["+7", "007", "7", "7.0", "7e0"][:count]
        for names in ([f"name-{i}" for i in range(count)], alike):  # the others are one double
            if self.form == "vw" and names is not alike:
                continue
            renamed = Table(self.table.rows, self.table.labels, self.table.weights, self.table.kind, names)
            data = self.hs.write("renamed." + self.form, renamed.text(self.form))
            self.compare_counts("class-names", counts, self.train(data=data, read=renamed.flags(self.form)))
        rule = (plain["composition"] or {}).get("rule")
        if self.table.kind in ("integers", "ones") and rule in ("perceptron", "margin") and (plain["composition"] or {}).get("start") == "zero":
            for form in self.case.forms:
                if form != self.form:
                    data = self.hs.write("other." + form, self.table.text(form))
                    self.compare_counts("formats", counts, self.train(data=data, read=self.table.flags(form)))
        if self.table.kind in ("integers", "ones") and rule == "perceptron":
            larger = self.hs.write("larger." + self.form, self.table.scaled(4).text(self.form))
            learn = [*self.learn, "--bias-scale",
                     "4"] if value_of(self.case.composition, "--bias") != "none" else self.learn
            if self.form in ("csv", "jsonl"):
                turned = Table([row[::-1] for row in self.table.rows], self.table.labels,
                               self.table.weights, self.table.kind, self.table.names)
                data = self.hs.write("turned." + self.form, turned.text(self.form,
                                     [f"f{j + 1}" for j in range(turned.width)][::-1]))
                self.compare_counts("column-order", counts, self.train(data=data))
            self.compare_counts("powers-of-two", counts, self.train(data=larger, learn=learn))

    def counts(self, run):
        keys = (("rounds",), ("mistakes",), ("errors",), ("updates",), ("training_errors",), ("progressive", "mistakes"),
                ("progressive", "errors"), ("expected_error", "errors"), ("expected_error", "lower"))  # fmt: skip
        return {".".join(key): dig(run, key) for key in keys}

    def compare_counts(self, check, counts, run):
        other = self.counts(run)
        if counts != other:
            raise Failure(check, f"{counts} against {other}")

    def resumed(self):
        """(d) A stream that is cut and resumed gives the weights and errors of the whole."""
        if self.case.passes > 1 or self.table.kind == "categorical" or len(self.table) < 4:
            return
        if any(flag in self.case.composition for flag in ("--order",)):
            return
        if (self.train()["composition"] or {}).get("order") != "stream":
            return  # others may run on for ever
        whole = self.train("-o", "whole.model", learn=self.case.composition)
        if "guarded" in whole:
            return
        cut = self.case.draw.randrange(1, len(self.table))
        parts = [self.hs.write(f"{name}." + self.form, self.table.some(numbers).text(self.form))
                 for name, numbers in (("begin", range(cut)), ("end", range(cut, len(self.table))))]  # fmt: skip
        if self.form == "libsvm" and max_index(self.table.some(range(cut))) < max_index(self.table):
            return  # the start of multiplicative weights depends on the number of features
        begun = self.train("-o", "begin.model", data=parts[0], learn=self.case.composition)
        if "guarded" in begun:
            return
        run = self.hs.json("train", parts[1], "--resume", "begin.model", "-o", "end.model", "-q", "--threads", "1")
        a, b = self.weights_of("whole.model"), self.weights_of("end.model")
        if a != b and "guarded" not in run:
            raise Failure("resume", f"weights {a} of the whole, {b} when cut after row {cut}")
        for key in ("mistakes", "errors", "updates", "rounds"):
            if key in whole and key in run and run[key] != whole[key]:
                raise Failure("resume-" + key, f"{whole[key]} of the whole, {run[key]} when cut after row {cut}")

    # -- Proofs and the pocket ------------------------------------------------------------------------------------------

    def fewest(self):
        """No halfspace has fewer errors than `certify` says, which without a bias breaks ties to the positive class."""
        if self.table.kind not in ("integers", "ones") or len(self.table.names) > 2 or len(set(self.table.labels)) < 2 or self.table.weights:
            return
        bias = self.case.draw.choice(("none", "none", "last"))
        if self.table.width + (bias != "none") > 2:
            return
        proof = self.hs.json("certify", self.data, *self.read, "--bias", bias, codes=(0, 1, 3))
        points = [(*row, 1) if bias != "none" else tuple(row) for row in self.table.rows]
        least = fewest_errors([p if len(p) == 2 else (p[0], 0) for p in points],
                              self.table.labels, (True,) if bias == "none" else (True, False))
        lower, upper = proof["fewest_errors"]["lower"], proof["fewest_errors"]["upper"]
        if lower is not None and lower > least:
            raise Failure("fewest-errors",
                          f"certify --bias {bias}: fewest_errors {lower} to {upper}; a halfspace has {least}")
        if upper is not None and upper < least:
            raise Failure("fewest-errors-upper",
                          f"certify --bias {bias}: fewest_errors {lower} to {upper}; the least is {least}")

    def proved_with_training(self):
        """`train --certify` proves no more errors than its own model has."""
        if len(self.table.names) > 2 or len(set(self.table.labels)) < 2 or self.table.kind == "magnitudes" or self.table.weights:
            return
        if self.case.draw.random() < 0.5:
            return
        run = self.train("--certify", "-o", "proved.model")
        wrong = sum(a != self.table.names[b] for a, b in zip(
            self.hs("predict", "proved.model", self.data).split(), self.table.labels))
        kernel = "support_vectors" in run
        if run.get("fewest_errors") and run["fewest_errors"]["lower"] > wrong and not kernel:
            raise Failure("train-certify",
                          f"fewest_errors {run['fewest_errors']}, the model itself is wrong on {wrong} rows")

    def pocket(self):
        """The pocket returns the weights with the fewest errors of predictions among those that it visited."""
        if self.table.kind not in ("integers", "ones") or len(self.table.names) > 2 or len(set(self.table.labels)) < 2:
            return
        tie, bias = value_of(self.case.composition, "--tie",
                             "mistake"), value_of(self.case.composition, "--bias", "last")
        learn = ["--preset", "pocket", "--updates", "20", "--tie", tie, "--bias", bias, "--seconds", "5"]
        run = self.train("--trace", "t.jsonl", "-o", "pocket.model", learn=learn)
        width = self.table.width
        w, zero = [fractions.Fraction(0)] * (width + 1), tie != "negative"
        c = 0 if bias == "none" else 1

        def wrong():
            total = 0
            for i, row in enumerate(self.table.rows):
                s = sum(a * b for a, b in zip(w, [*row, c]))
                total += self.table.weight(i) * ((s > 0 or (s == 0 and zero)) != (self.table.labels[i] == 1))
            return total

        least = wrong()
        for line in (self.hs.folder / "t.jsonl").read_text().splitlines():
            moment = strict(line)
            if moment["updated"]:
                step = fractions.Fraction(moment["step"]) * (1 if moment["label"] == 1 else -1)
                w = [a + step * b for a, b in zip(w, [*self.table.rows[moment["row"] - 1], c])]
                least = min(least, wrong())
        lines = self.hs("predict", "pocket.model", self.data).split()
        got = sum(self.table.weight(i) for i, label in enumerate(lines)
                  if label != self.table.names[self.table.labels[i]])
        if got > least:
            raise Failure(
                "pocket", f"--tie {tie} --bias {bias}: the returned weights have a weight of {got} wrong, visited ones had {least}")
        if run["training_errors"] != got:
            raise Failure("pocket-training-errors",
                          f"training_errors {run['training_errors']}, predict is wrong on a weight of {got}")

    def reports(self):
        """(e) Pages, logs and models of any magnitude are finite, and JSON."""
        run = self.train("--figures", "--log", "log.jsonl", "-o", "whole.model")
        del run
        for line in (self.hs.folder / "log.jsonl").read_text().splitlines():
            try:
                strict(line)
            except ValueError as error:
                raise Failure("json", f"--log: {error}") from None
        self.hs.json("inspect", "whole.model")
        self.hs("predict", "whole.model", self.data, "--scores")
        self.hs.json("evaluate", "whole.model", self.data)
        self.hs.json("check", self.data, *[f for f in self.read])


def max_index(table):
    return max((j for row in table.rows for j, v in enumerate(row) if v != 0), default=-1)


def flat(confusion):
    return {(a, b): float(n) for a, row in confusion.items() for b, n in row.items()}


def dig(value, keys):
    for key in keys:
        value = (value or {}).get(key)
    return value


def fewest_errors(points, labels, ties):
    """The least errors of any (w, tie) on points of the plane: each normal at and between the points' own."""
    normals = {(0, 0)}
    for x, y in points:
        normals |= {(-y, x), (y, -x)}
    # Between two neighbouring directions nothing changes: sums of them, and turns for a single line.
    circle = sorted({n for n in normals if n != (0, 0)}, key=lambda n: math.atan2(n[1], n[0]))
    for i, a in enumerate(circle):
        b = circle[(i + 1) % len(circle)]
        na, nb = math.hypot(*a), math.hypot(*b)
        normals |= {(a[0] / na + b[0] / nb, a[1] / na + b[1] / nb), (-a[1], a[0]), (a[1], -a[0])}
    best = len(points)
    for u, v in normals:
        scores = [u * x + v * y for x, y in points]
        for zero in ties:
            best = min(best, sum((s > 0 or (abs(s) < 1e-9 and zero)) and not (abs(s) < 1e-9 and not zero)
                                 if label == 0 else not (s > 1e-9 or (abs(s) < 1e-9 and zero))
                                 for s, label in zip(scores, labels)))  # fmt: skip
    return best


CHECKS = ("progressive", "prefixes", "evaluation", "zero_weights", "objective", "comparison", "unchanged", "resumed", "fewest",
          "proved_with_training", "pocket", "reports")  # fmt: skip


def run_case(halfspace, seed, number, menu, only):
    case = Case(seed, number, menu)
    found, refused, done = [], 0, collections.Counter()
    for name in CHECKS:
        if only and name not in only:
            continue
        with tempfile.TemporaryDirectory(prefix="halfspace_runs_") as folder:
            command = Command(halfspace, folder)
            try:
                getattr(Checks(case, command), name)()
                done[name] += 1
            except Refused as reason:
                refused += 1
                if reason.code not in (2, BAD_DATA) or not reason.text.strip():
                    found.append(("refusal", len(case.table), case.name, f"{command.ran[-1]}\n{reason}"))
            except Failure as failure:
                done[name] += 1
                check, text = failure.args
                data = case.table.text(case.form)
                shown = data if len(data) < 1500 else data[:1500] + "…"
                found.append((check, len(case.table), case.name,
                             f"{text}\n--- data.{case.form}\n{shown}--- " + "\n    ".join(command.ran)))
    return found, refused, done


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("halfspace")
    parser.add_argument("--count", type=int, default=int(os.environ.get("HALFSPACE_RUNS", "100")))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="")
    parser.add_argument("--case", default="")
    parser.add_argument("--jobs", type=int, default=1)
    given = parser.parse_args()
    halfspace = os.path.abspath(given.halfspace)
    menu = menu_of(halfspace)
    only = given.only.split(",") if given.only else []
    failures, refused, done = [], 0, collections.Counter()
    if given.case:
        seed, number = given.case.split(":")
        found, refused, done = run_case(halfspace, seed, number, menu, only)
        failures += found
    else:
        with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
            for one, some, names in pool.map(lambda i: run_case(halfspace, given.seed, i, menu, only), range(given.count)):
                failures += one
                refused += some
                done += names
        for scenario in SCENARIOS:
            if only and scenario.__name__ not in only:
                continue
            with tempfile.TemporaryDirectory(prefix="halfspace_runs_") as folder:
                command = Command(halfspace, folder)
                for check in scenario(command):
                    try:
                        check()
                        done[scenario.__name__] += 1
                    except Refused as reason:
                        failures.append((scenario.__name__, 0, "", f"{command.ran[-1]}\n{reason}"))
                    except Failure as failure:
                        failures.append((scenario.__name__ + ":" +
                                        failure.args[0], 0, "", failure.args[1] + "\n--- " + command.ran[-1]))
    if given.count >= 50 and not given.case:
        for name in CHECKS:
            if (not only or name in only) and not done[name]:
                failures.append(("never-ran", 0, "", f"{name}: every case was refused"))
    by_check = collections.defaultdict(list)
    for failure in failures:
        by_check[failure[0]].append(failure)
    for check, those in sorted(by_check.items()):
        _, _, case, text = min(those, key=lambda failure: failure[1])
        print(f"FAILED {check}: {len(those)} times; the smallest, case {case}:\n{text}\n")
    print(f"{given.count if not given.case else 1} cases; checks made: " + ", ".join(f"{name} {count}" for name, count in sorted(done.items()))
          + f"; refused with a reason: {refused}; failures: {len(failures)}")  # fmt: skip
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
