"""The programs of bench/accuracy: how each learns from one prepared set, and what it then says of the test rows.

Everything is at its defaults, but for the loss or the algorithm that the name says, the number of passes, and a bias
for everyone. A learner's `try_on` returns an Outcome or raises NotDone with the reason.
"""

import json
import math
import re
import shutil
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

from . import programs

BATCH = 0  # in place of a number of passes: the solver stops by itself


class NotDone(Exception):
    pass


class Refused(NotDone):
    """Says that the set is of no kind it learns from, and is not measured against the others there."""


@dataclass
class Outcome:
    accuracy: float
    seconds: float  # text to model; scikit-learn: reading and fitting
    log_loss: float | None = None
    note: str = ""


def run(command, patience):
    """(seconds, what was printed)"""
    begin = time.perf_counter()
    words = [str(word) for word in command]
    try:
        done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace",
                              timeout=patience, check=False)  # fmt: skip
    except subprocess.TimeoutExpired:
        raise NotDone(f"not done after {patience} s") from None
    if done.returncode != 0:
        raise NotDone((done.stderr.strip() or done.stdout.strip() or f"exit status {done.returncode}")[:200])
    return time.perf_counter() - begin, done.stdout + done.stderr


def accuracy_of(guesses, truth):
    if len(guesses) != len(truth):
        raise NotDone(f"{len(guesses):,} predictions for {len(truth):,} rows")
    return sum(guess == real for guess, real in zip(guesses, truth)) / len(truth)


def log_loss_of(probabilities, truth):
    """Of the positive class; no probability is nearer to 0 or 1 than 1e-15, as scikit-learn counts it."""
    least = 1e-15
    bounded = (min(max(p, least), 1 - least) for p in probabilities)
    return -sum(math.log(p if real > 0 else 1 - p) for p, real in zip(bounded, truth)) / len(truth)


def sign(score):
    return 1.0 if score >= 0 else -1.0


def logistic(score):
    return 1 / (1 + math.exp(-score)) if score > -700 else 0.0


class Ours:
    """With a number of passes, or without any flag, which is asked where batch solvers are."""

    family = "halfspace"

    def __init__(self, program, preset="", passes_given=True):
        self.program, self.preset, self.online = program, preset, passes_given
        self.name = f"halfspace {preset}".strip() if passes_given else "halfspace, no flag"

    def flags(self, made, passes):
        flags = ["--preset", self.preset] if self.preset else []
        if self.online:
            flags += ["--passes", passes]
        if made.data.progressive and not self.preset:
            flags += ["--rule", "tournament"]  # what a stream gets
        return flags

    def try_on(self, made, passes, work, patience):
        model, out = work / "ours.model", work / "ours.out"
        try:
            flags = self.flags(made, passes)
            command = [self.program, "train", made.path("train"), "-o", model, "-q", "--json", *flags]
            seconds, printed = run(command, patience)
        except NotDone as fault:
            if re.search(r"the data have \d+ classes", str(fault)):
                raise Refused("tells two classes apart, no more") from None
            raise
        report = json.loads(printed)
        if made.data.progressive:
            return Outcome(1 - report["progressive"]["mistakes"] / report["progressive"]["rounds"], seconds)
        run([self.program, "predict", model, made.path("test"), "-o", out], patience)
        truth = made.truth()
        outcome = Outcome(accuracy_of(programs.first_numbers(out), truth), seconds)
        if made.classes == 2:
            try:
                run([self.program, "predict", model, made.path("test"), "-o", out, "--probability"], patience)
                outcome.log_loss = log_loss_of(programs.first_numbers(out), truth)
            except NotDone:  # has scores alone
                pass
        return outcome


class OurMinimum(Ours):
    """The minimum of the logistic objective for the C that five folds choose: a batch solver."""

    def __init__(self, program):
        super().__init__(program, passes_given=False)
        self.name = "halfspace logistic, C by folds"

    def flags(self, made, _passes):
        if made.data.progressive:
            raise Refused("learns from all rows at once")
        chosen = ["--folds", 5, "--search", "C=1,10,100"]
        return ["--objective", "logistic", "--normalize", "column", "--gap", "1e-3", *chosen]


class Vw:
    family, online = "vw", True

    def __init__(self, program, loss, all_rows=False):
        self.program, self.loss, self.all_rows = program, loss, all_rows
        self.name = f"vw {loss}" + ", --holdout_off" * all_rows

    def try_on(self, made, passes, work, patience):
        model, out, cache = work / "vw.model", work / "vw.out", work / "vw.cache"
        if self.all_rows and passes == 1:
            raise Refused("the same as without, of one pass")
        many = made.classes > 2
        command = [self.program, "-d", made.path("train", "vw"), "-f", model, "--loss_function", self.loss]
        command += ["--no_stdin"]
        command += ["--oaa", made.classes] if many else []
        if passes > 1:
            command += ["--passes", passes, "-c", "-k", "--cache_file", cache] + ["--holdout_off"] * self.all_rows
        if made.data.progressive:
            seconds, _ = run([*command, "-p", out], patience)
            return Outcome(accuracy_of([sign(s) for s in programs.first_numbers(out)], made.truth("train")), seconds)
        seconds, _ = run(command, patience)
        run([self.program, "-t", "-i", model, "-d", made.path("test", "vw"), "-p", out, "--no_stdin"], patience)
        scores, truth = programs.first_numbers(out), made.truth()
        if many:
            return Outcome(accuracy_of([score - 1 for score in scores], truth), seconds)
        loss = log_loss_of(map(logistic, scores), truth) if self.loss == "logistic" else None
        return Outcome(accuracy_of([sign(score) for score in scores], truth), seconds, loss)


class Sol:
    family, online = "sol", True

    def __init__(self, program, algorithm):
        self.program, self.algorithm, self.name = program, algorithm, f"sol {algorithm}"

    def try_on(self, made, passes, work, patience):
        model, out = work / "sol.model", work / "sol.out"
        seconds, printed = run([self.program, "-a", self.algorithm, "--params", "bias_eta=1", "-p", passes,
                                "-c", made.classes, made.path("train"), model], patience)  # fmt: skip
        if made.data.progressive:
            rows = re.findall(r"^\d+\t+\d+\t+([\d.]+)\t", printed, re.MULTILINE)
            return Outcome(1 - float(rows[-1]), seconds)
        run([self.program.with_name("sol_test"), model, made.path("test"), out], patience)
        return Outcome(accuracy_of(programs.Sol.predictions(out), made.truth()), seconds)


class Liblinear:
    family, online = "liblinear", False

    def __init__(self, program, solver):
        self.program, self.solver, self.name = program, solver, f"liblinear -s {solver}"

    def try_on(self, made, _passes, work, patience):
        model, out = work / "liblinear.model", work / "liblinear.out"
        tester = self.program.with_name(self.program.name.replace("train", "predict"))
        if made.data.progressive:
            raise Refused("learns from all rows at once")
        seconds, _ = run([self.program, "-s", self.solver, "-B", 1, "-q", made.path("train"), model], patience)
        if self.solver != 0:
            run([tester, made.path("test"), model, out], patience)
            return Outcome(accuracy_of(programs.first_numbers(out), made.truth()), seconds)
        run([tester, "-b", 1, made.path("test"), model, out], patience)
        with open(out) as file:
            names = next(file).split()[1:]
            lines = [[float(cell) for cell in line.split()] for line in file]
        truth, loss = made.truth(), None
        if made.classes == 2:
            loss = log_loss_of((line[1 + names.index("1")] for line in lines), truth)
        return Outcome(accuracy_of([line[0] for line in lines], truth), seconds, loss)


class Sklearn:
    """One of sklearn_accuracy.py's learners. All of them learn in one process, which reads a set once."""

    family = "scikit-learn"

    def __init__(self, kind, online):
        self.kind, self.online = kind, online
        self.name = f"sklearn {kind}"

    def try_on(self, made, passes, work, patience):
        if made.data.progressive and not self.online:
            raise Refused("learns from all rows at once")
        answers = self.answers(made, work, patience)
        said = answers.get((self.kind, passes))
        if said is None:
            raise NotDone(f"not done after {patience} s")
        if "fault" in said:
            raise NotDone(said["fault"])
        return Outcome(said["accuracy"], said["seconds"], said.get("log_loss"), said.get("note", ""))

    kept = {}  # set -> answers

    def answers(self, made, work, patience):
        if made.data.name not in self.kept:
            script = Path(__file__).with_name("sklearn_accuracy.py")
            words = ["--progressive"] if made.data.progressive else []
            command = [programs.Sklearn.python, "-B", "-W", "ignore", script, made.path("train"), made.path("test")]
            self.kept.clear()
            _, printed = run([*command, patience, *words], patience * 20)
            answers = [json.loads(line) for line in printed.splitlines() if line.startswith("{")]
            self.kept[made.data.name] = {(a["learner"], a["passes"]): a for a in answers}
        return self.kept[made.data.name]


def everyone(halfspace, presets, minimum=False):
    """(learners, why others are not measured)"""
    ours = [Ours(halfspace, preset) for preset in presets]
    found, missing = [Ours(halfspace, passes_given=False)] if "" in presets else [], []
    found += [OurMinimum(halfspace)] * minimum
    peers = programs.all_peers()

    def add(name, make, kinds):
        if peers[name].missing:
            missing.append(f"{name}: {peers[name].missing}")
        else:
            found.extend(make(peers[name], *kind) for kind in kinds)

    add("vw", lambda peer, *kind: Vw(peer.program, *kind),
        [("hinge",), ("logistic",), ("hinge", True), ("logistic", True)])  # fmt: skip
    add("sol", lambda peer, kind: Sol(peer.program, kind),
        [(kind,) for kind in ("perceptron", "ogd", "pa1", "arow", "cw", "eccw", "ada-fobos")])  # fmt: skip
    add("scikit-learn", lambda _, *kind: Sklearn(*kind),
        [("SGD hinge", True), ("SGD log_loss", True), ("PassiveAggressive", True), ("Perceptron", True),
         ("LinearSVC", False), ("LogisticRegression", False)])  # fmt: skip
    add("liblinear", lambda peer, kind: Liblinear(peer.program, kind), [(0,), (1,), (2,), (5,)])
    versions = {"halfspace": programs.output_of(halfspace, "--version")}
    here = [peer for name, peer in peers.items() if not peer.missing and name != "sofia-ml"]
    versions |= {peer.name: peer.version.splitlines()[0] for peer in here}
    return ours, found, missing, versions


def clean(work):
    for path in Path(work).iterdir():
        shutil.rmtree(path) if path.is_dir() else path.unlink()
