"""The Python package beside scikit-learn, in turn, on the same rows in one process."""

import os
import random
import subprocess
import sys
import threading
import time

from harness import tables
from harness.bench import SOURCE
from harness.timing import Contender

TITLE = "The Python package beside scikit-learn"
FIGURES = "bench/README.md: fit, predict, one row at a time, threads, import"
ITEMS = ["import", "one by one", "threads", "rows at once"]
HEAD = ["what", "figure", "halfspace", "scikit-learn", "wanted"]


class Rows:
    """Lines of the table."""

    def __init__(self, bench):
        self.bench, self.lines = bench, []

    def seconds(self, what, *acts, rounds=None):
        """The contenders of the acts, run in turn."""
        names = [what, f"{what}: scikit-learn"]
        return self.bench.measure([Contender(name, act) for name, act in zip(names, acts)], rounds, "python")

    def compare(self, what, ours, theirs, wanted, rounds=None):
        own, peer = self.seconds(what, ours, theirs, rounds=rounds)
        self.lines.append([what, f"{peer.ratio(own):.2f} times", tables.seconds_text(own.median()),
                           tables.seconds_text(peer.median()), wanted])
        return peer.median()

    def line(self, what, figure, wanted=""):
        self.lines.append([what, figure, "", "", wanted])


def extra_memory(act):
    """Returns by how many bytes the peak of resident memory rises above what is resident at the beginning."""
    def field(name):
        with open("/proc/self/status") as status:
            return next(int(text.split()[1]) * 1024 for text in status if text.startswith(name))

    with open("/proc/self/clear_refs", "w") as reset:
        reset.write("5")
    before = field("VmRSS")
    act()
    return field("VmHWM") - before


def rows_at_once(rows):
    import halfspace
    import numpy as np
    from sklearn.datasets import load_svmlight_file
    from sklearn.linear_model import Perceptron

    path, held_out = (rows.bench.inputs.path(name) for name in ("sparse.svm", "sparse-held-out.svm"))
    begin = time.perf_counter()
    X, y = load_svmlight_file(str(path), dtype=np.float64)
    reading = time.perf_counter() - begin
    peer = lambda passes=1: Perceptron(max_iter=passes, tol=None, shuffle=False)
    own = lambda passes=1: halfspace.Perceptron(passes=passes)
    classes = np.unique(y)
    memory = extra_memory(lambda: own().partial_fit(X, y, classes))  # the first of all: no memory is left over
    rows.compare("a pass over CSR, set A: `partial_fit`, `Perceptron(max_iter=1).fit`",
                 lambda: own().partial_fit(X, y, classes), lambda: peer().fit(X, y), "1.4")
    theirs = rows.compare("the same by `fit`, which also evaluates the model on its rows", lambda: own().fit(X, y),
                          lambda: peer().fit(X, y), "1.4")
    rows.compare("ten passes over CSR, set A: `fit`", lambda: own(10).fit(X, y), lambda: peer(10).fit(X, y), "1.4")
    rows.line("extra memory of `partial_fit` on set A", f"{memory / 1e6:.2f} MB",
              f"weights ({X.shape[1] * 8 / 1e6:.2f} MB) and numbers of classes ({len(y) * 4 / 1e6:.2f} MB) and 1 MB")
    (file,) = rows.seconds("from a path, set A: text to model", lambda: own().fit(path))
    rows.lines.append([file.name, f"{(reading + theirs) / file.median():.2f} times", tables.seconds_text(file.median()),
                       tables.seconds_text(reading + theirs), "20"])
    dense = np.random.default_rng(0).normal(size=(50_000, 20))
    test, _ = load_svmlight_file(str(held_out), n_features=X.shape[1])
    for what, data, labels, points in ((f"predict, {test.shape[0]:,} rows of CSR", X, y, test),
                                       ("predict, 50,000 rows of 20 numbers", dense, dense[:, 0] > 0, dense)):
        ours, theirs = own().fit(data, labels), peer().fit(data, labels)
        rows.compare(what, lambda: ours.predict(points), lambda: theirs.predict(points), "2", 4 * rows.bench.rounds)


def rows_one_by_one(rows):
    import halfspace
    import numpy as np

    draw = random.Random(1)
    examples = [({f"f{j}": draw.random() for j in range(20)}, draw.random() < 0.5) for _ in range(20_000)]
    X = np.random.default_rng(0).normal(size=(5_000, 20))
    y = (X[:, 0] > 0).astype(int)

    def learn():
        model = halfspace.OnlineClassifier()
        for x, label in examples:
            model.learn_one(x, label)

    def one_row_each():
        model = halfspace.HalfspaceClassifier().partial_fit(X[:1], y[:1], classes=[0, 1])
        for i in range(1, len(X)):
            model.partial_fit(X[i:i + 1], y[i:i + 1])

    for what, act, count, wanted in (("`learn_one`, a dict of 20 numbers", learn, len(examples), "8 us"),
                                     ("`partial_fit` of one row of 20 numbers", one_row_each, len(X), "25 us")):
        (one,) = rows.seconds(what, act)
        rows.line(what, f"{one.median() / count * 1e6:.1f} us", wanted)


def imports(rows):
    code = ("import time; begin = time.perf_counter(); import halfspace; print(time.perf_counter() - begin); "
            "halfspace.OnlineClassifier(); print(time.perf_counter() - begin)")
    found = [subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.split()
             for _ in range(rows.bench.rounds)]
    for what, column, wanted in (("`import halfspace`", 0, "50 ms"), ("and the first use of the library", 1, "")):
        rows.line(what, f"{min(float(pair[column]) for pair in found) * 1e3:.1f} ms", wanted)


def threads(rows):
    import halfspace
    import numpy as np

    X = np.random.default_rng(0).normal(size=(200_000, 50))
    y = (X[:, 0] > 0).astype(int)

    def fit():
        halfspace.AROWClassifier(passes=2, threads=1).fit(X, y)

    def four(at_once):
        running = [threading.Thread(target=fit) for _ in range(4)]
        for thread in running:
            thread.start()
            if not at_once:
                thread.join()
        for thread in running:
            thread.join()

    together, apart = rows.seconds("four fits by four threads", lambda: four(True), lambda: four(False))
    figure = f"{apart.ratio(together):.2f} times"
    rows.line("four fits by four threads, against one after another", figure, "1.8 on two cores")


def run(bench):
    os.environ.setdefault("HALFSPACE_LIBRARY", str(bench.build / "libhalfspace.so.1"))
    os.environ["PYTHONPATH"] = str(SOURCE / "python")
    sys.path.insert(0, str(SOURCE / "python"))
    import sklearn

    bench.text(f"scikit-learn {sklearn.__version__}; medians of {bench.rounds} rounds in turn, in one process.")
    rows = Rows(bench)
    for name in bench.only(ITEMS):
        dict(zip(ITEMS, (imports, rows_one_by_one, threads, rows_at_once)))[name](rows)
    bench.table(HEAD, rows.lines)
    bench.write(TITLE)
