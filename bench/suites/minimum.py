"""`halfspace train --objective` beside LIBLINEAR and scikit-learn: time to the same objective, on two classes.

Of halfspace and LIBLINEAR the whole command is timed, reading included; of scikit-learn fit() alone, on rows that were
read before. LIBLINEAR's stopping rule is tightened until its objective, computed here from its model file, is no worse;
where that never happens, the last line has how much worse it ended.
"""

import json
import warnings
from pathlib import Path

from harness import peers, tables
from harness.timing import Contender

TITLE = "The proved minimum beside LIBLINEAR and scikit-learn"
FIGURES = "bench/README.md: time to a proved minimum"
SOLVERS = {"svm": "3", "squared-hinge": "12", "logistic": "70"}  # of LIBLINEAR
TOLERANCES = ("0.1", "0.01", "0.001", "0.0001", "0.00001", "0.000001")
FILES = ("a9a/a9a", "w8a/w8a.libsvm.gz", "reuters21578/reuters21578_earn.libsvm.gz")


def options(parser):
    parser.add_argument("files", nargs="*", type=Path, help=f"LIBSVM files ({', '.join(FILES)})")


def objective(name, w, bias, X, y):
    """|w|^2 / 2 + the losses; the bias is the weight of a feature of value 1."""
    import numpy as np

    margins = y * (X[:, :len(w)] @ w + bias)
    losses = np.logaddexp(0, -margins) if name == "logistic" else np.maximum(0, 1 - margins) ** (1 + (name != "svm"))
    return (w @ w + bias * bias) / 2 + losses.sum()


def weights_of_liblinear(path, positive):
    import numpy as np

    lines = path.read_text().split("\n")
    numbers = np.array([float(line) for line in lines[lines.index("w") + 1:] if line.strip()])
    first = float(next(line for line in lines if line.startswith("label")).split()[1])
    return numbers if first == positive else -numbers


def median(bench, what, act):
    (one,) = bench.measure([Contender(what, act)], about="minimum")
    return one, tables.seconds_text(one.median()) if one.samples else one.fault


def beside_liblinear(bench, name, path, best, X, y, positive):
    peer, model = peers.Liblinear(), bench.work / "model"
    for solver in SOLVERS[name] if not peer.missing else ():
        for tolerance in TOLERANCES:
            one, seconds = median(bench, f"LIBLINEAR -s {solver} -e {tolerance}",
                                  peer.train(path, model, kind=solver, tolerance=tolerance))
            numbers = weights_of_liblinear(model, positive)
            excess = objective(name, numbers[:-1], numbers[-1], X, y) / best - 1
            if excess <= 1e-9 or tolerance == TOLERANCES[-1] or one.median() > 60:
                yield ["", one.name, seconds, f"{excess:+.1e}"]
                break


def beside_scikit_learn(bench, best, X, y):
    import numpy as np
    from scipy import sparse
    from sklearn.linear_model import LogisticRegression

    biased = sparse.hstack([X, np.ones((X.shape[0], 1))]).tocsr()
    for solver in ("lbfgs", "newton-cholesky"):
        if solver == "newton-cholesky" and X.shape[1] > 2000:
            continue  # its matrix has a row and a column for each feature
        rows = biased.toarray() if solver == "newton-cholesky" else biased
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            make = LogisticRegression(solver=solver, fit_intercept=False, tol=1e-6, max_iter=10000)
            one, seconds = median(bench, f"scikit-learn {solver}, fit alone", lambda: make.fit(rows, y))
        w = one.result.coef_[0]
        yield ["", one.name, seconds, f"{objective('logistic', w[:-1], w[-1], X, y) / best - 1:+.1e}"]


def run(bench):
    import numpy as np
    from sklearn.datasets import load_svmlight_file

    rows = []
    for path in bench.options.files or [found for name in FILES for found in bench.find(name)]:
        X, labels = load_svmlight_file(str(path))
        plain, positive = bench.work / f"{path.name.split('.')[0]}.svm", labels.max()
        y = np.where(labels == positive, 1, -1)
        unpack = "gzip -dc" if path.suffix == ".gz" else "cat"  # LIBLINEAR reads text
        bench.measure([Contender("unpack", f"{unpack} {path} > {plain}; TIMED true")], 1)
        for name in SOLVERS:
            train = [bench.program, "train", plain, "--objective", name, "--quiet", "--json"]
            one, seconds = median(bench, f"{plain.stem} {name}", train)
            found = json.loads(one.printed)["minimum"]
            best = found["primal"]
            rows.append([one.name, f"halfspace, gap {found['gap']:.1e} proved", seconds, "0"])
            rows += beside_liblinear(bench, name, plain, best, X, y, positive)
            rows += beside_scikit_learn(bench, best, X, y) if name == "logistic" else []
    bench.text("Medians. \"Objective above\": of LIBLINEAR at the first tolerance of 0.1, 0.01 … 1e-6 with which it is"
               " no worse than ours, or at the last.")
    bench.table(["data, objective", "solver", "time", "objective above"], rows)
    bench.write(TITLE)
