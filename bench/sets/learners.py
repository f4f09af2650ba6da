"""The programs of the accuracy suite: how each learns from one prepared set, and how right it is on the test rows.

Everything is at its defaults, but for the loss or the algorithm that the name has, the number of passes, and a bias for
everyone. `try_on` returns an Outcome, or raises Failed with the reason.
"""

import json
import math
import re
from dataclasses import dataclass, field

from harness import peers
from harness.timing import Contender, Failed, run_once

NO_FLAG = "halfspace, no flag"
BATCH = 0  # in place of a number of passes: the solver stops by itself


class Refused(Failed):
    """The set is of no kind that the program learns from: it is not measured against the others there."""


@dataclass
class Outcome:
    accuracy: float
    processor: float  # seconds, text to model; scikit-learn: reading and fitting
    log_loss: float | None = None
    note: str = ""
    chosen: dict = field(default_factory=dict)  # what ours reports of its choice: the winner and the candidates


def accuracy_of(guesses, truth):
    if len(guesses) != len(truth):
        raise Failed(f"{len(guesses):,} predictions for {len(truth):,} rows")
    return sum(guess == real for guess, real in zip(guesses, truth)) / len(truth)


def log_loss_of(probabilities, truth):
    """Of the positive class; no probability is nearer to 0 or 1 than 1e-15, as scikit-learn counts it."""
    bounded = (min(max(p, 1e-15), 1 - 1e-15) for p in probabilities)
    return -sum(math.log(p if real > 0 else 1 - p) for p, real in zip(bounded, truth)) / len(truth)


def sign(score):
    return 1.0 if score >= 0 else -1.0


class Learner:
    def __init__(self, bench, peer, kind, online=True):
        self.bench, self.peer, self.kind, self.online = bench, peer, kind, online
        self.name = f"{peer.name} {kind}"

    def run(self, *command):
        """(processor seconds, what was printed)"""
        contender = Contender(self.name, command, patience=self.bench.options.patience)
        run_once(contender, self.bench.timed)
        return contender.samples[-1].processor, contender.printed

    def paths(self):
        return self.bench.work / "a.model", self.bench.work / "a.out"


class Ours(Learner):
    """With a number of passes, or without any flag, which competes with the batch solvers."""

    def __init__(self, bench, preset="", online=True, flags=()):
        self.bench, self.preset, self.online, self.more = bench, preset, online, list(flags)
        self.program = bench.options.program or bench.program
        self.name = f"halfspace {preset}".strip() if online else NO_FLAG
        if flags:
            self.name = "halfspace logistic, C by folds"

    def flags(self, made, passes):
        if self.more and made.data.progressive:
            raise Refused("learns from all rows at once")
        flags = (["--preset", self.preset] if self.preset else []) + self.more
        flags += ["--passes", passes] if self.online else []
        # What a stream gets.
        return flags + (["--rule", "tournament"] if made.data.progressive and not self.preset else [])

    def try_on(self, made, passes):
        (model, out), flags = self.paths(), self.flags(made, passes)
        try:
            seconds, printed = self.run(self.program, "train", made.path("train"), "-o", model, "-q", "--json", *flags)
        except Failed as fault:
            if re.search(r"the data have \d+ classes", str(fault)):
                raise Refused("tells two classes apart, no more") from None
            raise
        report = json.loads(printed)
        if made.data.progressive:
            return Outcome(1 - report["progressive"]["mistakes"] / report["progressive"]["rounds"], seconds)
        predict, truth = [self.program, "predict", model, made.path("test"), "-o", out], made.truth()
        self.run(*predict)
        outcome = Outcome(accuracy_of(peers.first_numbers(out), truth), seconds, chosen=report.get("chosen") or {})
        if made.classes == 2:
            try:
                self.run(*predict, "--probability")
                outcome.log_loss = log_loss_of(peers.first_numbers(out), truth)
            except Failed:  # has scores alone
                pass
        return outcome


class Vw(Learner):
    def __init__(self, bench, peer, kind, all_rows=False):
        super().__init__(bench, peer, kind)
        self.all_rows = all_rows
        self.name += ", --holdout_off" * all_rows

    def try_on(self, made, passes):
        if self.all_rows and passes == 1:
            raise Refused("the same as without, of one pass")
        model, out = self.paths()
        command = self.peer.train(made.path("train", "vw"), model, passes, self.kind, made.classes, not self.all_rows)
        progressive = made.data.progressive
        seconds, _ = self.run(*command, *(["-p", out] if progressive else []))
        if not progressive:
            self.run(*self.peer.predict(model, made.path("test", "vw"), out))
        scores, truth = peers.first_numbers(out), made.truth("train" if progressive else "test")
        if made.classes > 2:
            return Outcome(accuracy_of([score - 1 for score in scores], truth), seconds)
        has_loss = self.kind == "logistic" and not progressive
        loss = log_loss_of(map(peers.logistic, scores), truth) if has_loss else None
        return Outcome(accuracy_of([sign(score) for score in scores], truth), seconds, loss)


class Sol(Learner):
    def try_on(self, made, passes):
        model, out = self.paths()
        command = self.peer.train(made.path("train"), model, passes, self.kind, made.classes)
        seconds, printed = self.run(*command)
        if made.data.progressive:
            return Outcome(1 - float(re.findall(r"^\d+\t+\d+\t+([\d.]+)\t", printed, re.MULTILINE)[-1]), seconds)
        self.run(*self.peer.predict(model, made.path("test"), out))
        return Outcome(accuracy_of(self.peer.predictions(out), made.truth()), seconds)


class Liblinear(Learner):
    def __init__(self, bench, peer, solver, by_folds=False):
        super().__init__(bench, peer, solver, online=False)
        self.by_folds = by_folds
        self.name = f"liblinear -s {solver}" + " -C" * by_folds

    def try_on(self, made, _passes):
        if made.data.progressive:
            raise Refused("learns from all rows at once")
        (model, out), logistic, truth, loss = self.paths(), self.kind == 0, made.truth(), None
        searching, cost = self.search(made) if self.by_folds else (0, None)
        seconds, _ = self.run(*self.peer.train(made.path("train"), model, kind=self.kind, cost=cost))
        self.run(*self.peer.predict(model, made.path("test"), out, logistic))
        with open(out) as file:
            names = next(file).split()[1:] if logistic else []
            lines = [[float(cell) for cell in line.split()] for line in file]
        if logistic and made.classes == 2:
            loss = log_loss_of((line[1 + names.index("1")] for line in lines), truth)
        return Outcome(accuracy_of([line[0] for line in lines], truth), searching + seconds, loss)

    def search(self, made):
        """(processor seconds, C by LIBLINEAR's own five folds)"""
        seconds, printed = self.run(*self.peer.search(made.path("train"), self.kind))
        return seconds, re.findall(r"Best C = (\S+)", printed)[-1]


class Sklearn(Learner):
    """One of sklearn_peer.py's learners. All of them learn in one process, which reads a set once."""

    kept = {}  # (set, passes) -> answers

    def __init__(self, bench, peer, kind, online):
        super().__init__(bench, peer, kind, online)
        self.name = f"sklearn {kind}"

    def try_on(self, made, passes):
        if made.data.progressive and not self.online:
            raise Refused("learns from all rows at once")
        patience, key = self.bench.options.patience, (made.data.name, passes)
        if key not in self.kept:
            command = [*peers.SKLEARN, "all", made.path("train"), made.path("test"), patience, passes]
            contender = Contender(self.name, command, patience=patience * 5)
            run_once(contender, self.bench.timed)
            answers = map(json.loads, re.findall(r"^\{.*\}$", contender.printed, re.MULTILINE))
            self.kept[key] = {answer["learner"]: answer for answer in answers}
        found = self.kept[key].get(self.kind, {"fault": "no answer"})
        if "fault" in found:
            raise Failed(found["fault"])
        return Outcome(found["accuracy"], found["processor"], found.get("log_loss"), found.get("note", ""))


KINDS = {
    "vw": (Vw, [("hinge",), ("logistic",), ("hinge", True), ("logistic", True)]),
    "sol": (Sol, [(kind,) for kind in ("perceptron", "ogd", "pa1", "arow", "cw", "eccw", "ada-fobos")]),
    "scikit-learn": (Sklearn, [("SGD hinge", True), ("SGD log_loss", True), ("PassiveAggressive", True),
                               ("Perceptron", True), ("LinearSVC", False), ("LogisticRegression", False),
                               ("LogisticRegressionCV, scaled", False)]),
    "liblinear": (Liblinear, [(0,), (1,), (2,), (5,), (0, True)]),
}
MINIMUM = "--objective logistic --normalize column --gap 1e-3 --folds 5 --search C=1,10,100".split()


def everyone(bench, presets, minimum):
    """(ours, the others, lines about who is here and who is not)"""
    others = [Ours(bench, online=False)] * ("" in presets) + [Ours(bench, online=False, flags=MINIMUM)] * minimum
    lines, found = [], peers.all_peers()
    for name, (make, kinds) in KINDS.items():
        peer = found[name]
        lines.append(f"- {name}: not measured, {peer.missing}" if peer.missing else f"- {peer.version.splitlines()[0]}")
        others += [] if peer.missing else [make(bench, peer, *kind) for kind in kinds]
    return [Ours(bench, preset) for preset in presets], others, lines
