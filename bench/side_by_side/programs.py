"""Who is compared: our command and its peers, each at its best sensible options.

A peer says how it trains (same passes, bias included), how it predicts, and how its predictions are read; a peer that is
not here says why.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent


def found(variable, name):
    """A program named by the environment, else on PATH; None."""
    named = os.environ.get(variable)
    path = shutil.which(named) if named else shutil.which(name)
    return Path(path).resolve() if path else None


def output_of(*command):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, errors="replace", check=False)
    return (done.stdout + done.stderr).strip()


def first_numbers(path):
    """The first number of each line."""
    with open(path) as file:
        return [float(line.split(None, 1)[0]) for line in file]


class Peer:
    form = "svm"  # which form of an input it reads
    missing = ""  # why it cannot be measured; empty when it can
    version = ""

    def remark(self, printed):
        return ""

    predictions = staticmethod(first_numbers)


class Halfspace(Peer):
    """`--preset rosenblatt` is the plain perceptron, the rule that SOL and scikit-learn are asked for; `averaged` is the default."""

    name = "halfspace"

    def __init__(self, program, preset="rosenblatt", name=None):
        self.program, self.preset = program, preset
        self.name = name or ("halfspace" if preset == "rosenblatt" else f"halfspace {preset}")
        self.version = output_of(program, "--version")

    def train(self, data, model, passes=1):
        more = ["--order", "cyclic", "--passes", passes] if passes > 1 else []
        return [self.program, "train", data, "-o", model, "--preset", self.preset, "-q", *more]

    def predict(self, model, data, out):
        return [self.program, "predict", model, data, "-o", out]


class Vw(Peer):
    """Its defaults (adaptive, normalised, invariant steps) with the hinge loss: as fast as --sgd here, and more accurate by far."""

    name = "vw"
    form = "vw"

    def __init__(self):
        self.program = found("HALFSPACE_VW", "vw")
        if self.program:
            self.version = output_of(self.program, "--version")
        else:
            self.missing = "not on PATH, and HALFSPACE_VW names none"

    def train(self, data, model, passes=1):
        # More than one pass needs a cache, which vw writes in the first; -k: not one from an earlier run.
        more = ["--passes", passes, "--holdout_off", "-k", "--cache_file", f"{model}.cache"] if passes > 1 else []
        return [self.program, "--loss_function", "hinge", "-b", 18, "-d", data, "-f", model, "--quiet", "--no_stdin", *more]

    def train_from_cache(self, cache, model, passes):
        return [self.program, "--loss_function", "hinge", "-b", 18, "--cache_file", cache, "-f", model, "--quiet",
                "--no_stdin", "--passes", passes, "--holdout_off"]  # fmt: skip

    def predict(self, model, data, out):
        return [self.program, "-t", "-i", model, "-d", data, "-p", out, "--quiet", "--no_stdin"]


class Sol(Peer):
    """The perceptron, with the bias that it leaves out unless asked."""

    name = "sol"

    def __init__(self):
        self.program = found("HALFSPACE_SOL", "sol_train")
        if self.program:
            self.tester = self.program.with_name("sol_test")
            self.version = "SOL (says no version)"
        else:
            self.missing = "no sol_train on PATH, and HALFSPACE_SOL names none"

    def train(self, data, model, passes=1):
        return [self.program, "-a", "perceptron", "--params", "bias_eta=1", "-p", passes, "-f", self.format(data), data, model]

    def predict(self, model, data, out):
        return [self.tester, "-f", self.format(data), model, data, out]

    @staticmethod
    def format(data):
        return "csv" if Path(data).suffix == ".csv" else "svm"

    @staticmethod
    def predictions(path):
        with open(path) as file:
            next(file)  # label, predict, scores
            return [float(line.split()[1]) for line in file if line.strip()]


class Liblinear(Peer):
    """The L1-loss SVM in the dual (-s 3) with a bias. It stops by tolerance alone: -e 1000 ends after one iteration, -e 1 after about ten."""

    name = "liblinear"

    def __init__(self):
        self.program = found("HALFSPACE_LIBLINEAR", "liblinear-train")
        if self.program:
            self.tester = self.program.with_name(self.program.name.replace("train", "predict"))
            self.version = "liblinear-tools " + output_of("dpkg-query", "-W", "-f", "${Version}", "liblinear-tools")
        else:
            self.missing = "liblinear-train (liblinear-tools) is not installed"

    def train(self, data, model, passes=1, tolerance=None):
        return [self.program, "-s", 3, "-B", 1, "-e", tolerance or (1000 if passes == 1 else 1), data, model]

    def predict(self, model, data, out):
        return [self.tester, data, model, out]

    def remark(self, printed):
        iterations = re.search(r"#iter = (\d+)", printed)
        return f"{iterations.group(1)} iterations" if iterations else ""


class Sofia(Peer):
    """The perceptron on rows drawn with replacement, as many as there are rows in so many passes: it has no loop in file order."""

    name = "sofia-ml"

    def __init__(self):
        self.program = found("HALFSPACE_SOFIA", "sofia-ml")
        if self.program:
            self.version = "sofia-ml (says no version)"
        else:
            self.missing = "no sofia-ml on PATH, and HALFSPACE_SOFIA names none"

    def train(self, data, model, passes=1):
        rows, features = {"sparse": (400_000, 47_236), "dense": (500_000, 100), "small": (1_000, 20)}[Path(data).stem]
        return [self.program, "--learner_type", "margin-perceptron", "--perceptron_margin_size", 0, "--eta_type", "constant",
                "--loop_type", "stochastic", "--iterations", rows * passes, "--dimensionality", features + 1, "--random_seed", 1958,
                "--training_file", data, "--model_out", model]  # fmt: skip

    def predict(self, model, data, out):
        features = 47_236 if "sparse" in Path(data).name else 100 if "dense" in Path(data).name else 20
        return [self.program, "--model_in", model, "--test_file", data, "--results_file", out, "--dimensionality", features + 1]


class Sklearn(Peer):
    """Perceptron(shuffle=False) on load_svmlight_file, or on pandas.read_csv; see sklearn_peer.py."""

    name = "scikit-learn"
    python = "/usr/bin/python3"  # the one that Debian's packages are for

    def __init__(self):
        self.version = output_of(self.python, "-W", "ignore", "-c", "import sklearn, pandas; print('scikit-learn', sklearn.__version__)")
        if not self.version.startswith("scikit-learn"):
            self.missing, self.version = "python3-sklearn and python3-pandas are not installed", ""

    def script(self, *words):
        return [self.python, "-B", "-W", "ignore", HERE / "sklearn_peer.py", *words]

    def train(self, data, model, passes=1, *more):
        return self.script("train", data, model, "--passes", passes, *more)

    def predict(self, model, data, out):
        return self.script("predict", data, model, out)


def all_peers():
    return {peer.name: peer for peer in (Vw(), Sol(), Liblinear(), Sofia(), Sklearn())}


def built(folder, name):
    """A program of the build; says how to get it."""
    path = Path(folder) / "bench" / name
    if not path.exists():
        sys.exit(f"{path} is not built: make bench builds it, or: cmake --build --preset release --target side_by_side")
    return path
