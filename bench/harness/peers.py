"""Who is compared, each program at its best sensible options: how it trains, predicts, and is read.

All make the same number of passes with a bias. `kind` is a loss, an algorithm or a solver of the program, where it is
not the one of the speed comparison; `classes` is 2, or more. A peer that is not on this machine has a reason in
`missing`.
"""

import math
import os
import re
import shutil
from pathlib import Path

from .machine import output_of

PYTHON = "/usr/bin/python3"  # the one that Debian's packages are for
SKLEARN = [PYTHON, "-B", "-W", "ignore", Path(__file__).with_name("sklearn_peer.py")]


def found(variable, name):
    """A program named by the environment, else on PATH; None."""
    path = shutil.which(os.environ.get(variable) or name)
    return Path(path).resolve() if path else None


def first_numbers(path):
    """The first number of each line."""
    with open(path) as file:
        return [float(line.split(None, 1)[0]) for line in file]


def logistic(score):
    return 1 / (1 + math.exp(-score)) if score > -700 else 0.0


class Peer:
    name, variable, command = "", "", ""
    form = "svm"  # which form of an input it reads
    stops_by_itself = False  # no number of passes
    streams = True  # reports what it predicted of each row before it learned it
    predictions = staticmethod(first_numbers)

    def __init__(self):
        self.program = found(self.variable, self.command)
        self.missing = "" if self.program else f"no {self.command} on PATH, and {self.variable} names none"
        self.version = self.version_of() if self.program else ""

    def version_of(self):
        return f"{self.name} (reports no version)"

    def remark(self, printed):
        return ""


class Halfspace(Peer):
    """`--preset rosenblatt` is the plain perceptron, the rule that SOL and scikit-learn are asked for."""

    def __init__(self, program, kind="rosenblatt", name=None):
        self.program, self.kind, self.missing = program, kind, ""
        self.name = name or ("halfspace" if kind == "rosenblatt" else f"halfspace {kind}")
        self.version = output_of(program, "--version")

    def train(self, data, model, passes=1):
        more = ["--order", "cyclic", "--passes", passes] if passes > 1 else []
        return [self.program, "train", data, "-o", model, "--preset", self.kind, "-q", *more]

    def predict(self, model, data, out):
        return [self.program, "predict", model, data, "-o", out]


class Vw(Peer):
    """Its defaults (adaptive, normalised, invariant steps): as fast as --sgd here, and more accurate by far."""

    name, variable, command, form = "vw", "HALFSPACE_VW", "vw", "vw"

    def version_of(self):
        return f"vw {output_of(self.program, '--version')}"

    def train(self, data, model, passes=1, kind="hinge", classes=2, holdout=False):
        # More than one pass needs a cache, which vw writes in the first; -k: not one from an earlier run.
        more = ["--passes", passes, "-c", "-k", "--cache_file", f"{model}.cache"] if passes > 1 else []
        more += ["--holdout_off"] if passes > 1 and not holdout else []
        more += ["--oaa", classes] if classes > 2 else []
        return [self.program, "--loss_function", kind, "-d", data, "-f", model, "--quiet", "--no_stdin", *more]

    def train_from_cache(self, cache, model, passes):
        return [self.program, "--loss_function", "hinge", "--cache_file", cache, "-f", model, "--quiet",
                "--no_stdin", "--passes", passes, "--holdout_off"]

    def predict(self, model, data, out):
        return [self.program, "-t", "-i", model, "-d", data, "-p", out, "--quiet", "--no_stdin"]


class Sol(Peer):
    """With the bias that it leaves out unless asked."""

    name, variable, command = "sol", "HALFSPACE_SOL", "sol_train"

    def train(self, data, model, passes=1, kind="perceptron", classes=2):
        return [self.program, "-a", kind, "--params", "bias_eta=1", "-p", passes, "-c", classes, "-f",
                self.format(data), data, model]

    def predict(self, model, data, out):
        return [self.program.with_name("sol_test"), "-f", self.format(data), model, data, out]

    @staticmethod
    def format(data):
        return "csv" if Path(data).suffix == ".csv" else "svm"

    @staticmethod
    def predictions(path):
        with open(path) as file:
            next(file)  # label, predict, scores
            return [float(line.split()[1]) for line in file if line.strip()]


class Liblinear(Peer):
    """The L1-loss SVM in the dual (-s 3). It has a tolerance in place of passes: -e 1000 ends after one iteration, -e 1
    after about ten; the record has the number."""

    name, variable, command, streams = "liblinear", "HALFSPACE_LIBLINEAR", "liblinear-train", False

    def version_of(self):
        return "liblinear-tools " + output_of("dpkg-query", "-W", "-f", "${Version}", "liblinear-tools")

    def train(self, data, model, passes=1, kind=None, tolerance=None, cost=None):
        if kind is None:
            tolerance = tolerance or (1000 if passes == 1 else 1)
        more = (["-e", tolerance] if tolerance else []) + (["-c", cost] if cost else [])
        return [self.program, "-s", 3 if kind is None else kind, "-B", 1, *more, data, model]

    def search(self, data, kind):
        """Prints the best C of five folds, and writes no model."""
        return [self.program, "-C", "-s", kind, "-B", 1, data]

    def predict(self, model, data, out, probability=False):
        program = self.program.with_name(self.program.name.replace("train", "predict"))
        return [program, *(["-b", 1] if probability else []), data, model, out]

    def remark(self, printed):
        iterations = re.search(r"#iter = (\d+)", printed)
        return f"{iterations.group(1)} iterations" if iterations else ""


class Sofia(Peer):
    """The perceptron on rows drawn with replacement, as many as so many passes have: it has no loop in file order."""

    name, variable, command = "sofia-ml", "HALFSPACE_SOFIA", "sofia-ml"

    @staticmethod
    def columns(data):
        features = {"sparse": 47_236, "dense": 100, "small": 20}[Path(data).stem.split("-")[0]]
        return ["--dimensionality", features + 1]

    def train(self, data, model, passes=1):
        with open(data, "rb") as file:
            rows = sum(1 for _ in file)
        return [self.program, "--learner_type", "margin-perceptron", "--perceptron_margin_size", 0, "--eta_type",
                "constant", "--loop_type", "stochastic", "--iterations", rows * passes, "--random_seed", 1958,
                "--training_file", data, "--model_out", model, *self.columns(data)]

    def predict(self, model, data, out):
        return [self.program, "--model_in", model, "--test_file", data, "--results_file", out, *self.columns(data)]


class Sklearn(Peer):
    """Perceptron(shuffle=False) on load_svmlight_file, or on pandas.read_csv; see sklearn_peer.py."""

    name = "scikit-learn"

    def __init__(self):
        script = "import sklearn, pandas; print('scikit-learn', sklearn.__version__)"
        self.version = output_of(PYTHON, "-W", "ignore", "-c", script)
        here = self.version.startswith("scikit-learn")
        self.missing = "" if here else "python3-sklearn and python3-pandas are not installed"

    def train(self, data, model, passes=1, *more):
        return [*SKLEARN, "train", data, model, passes, *more]

    def predict(self, model, data, out):
        return [*SKLEARN, "predict", model, data, out]


def all_peers():
    return {peer.name: peer for peer in (Vw(), Sol(), Liblinear(), Sofia(), Sklearn())}
