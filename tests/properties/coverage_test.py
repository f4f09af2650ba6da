"""Printed intervals contain the true error probability as often as they say, on data whose truth is known.

usage: coverage_test.py HALFSPACE [--runs N] [--seed S] [--only INTERVAL,INTERVAL...] [--jobs N]

Labels are coins: each of k classes with the same probability whatever the row, so that every prediction is wrong with
probability 1 - 1/k, whoever makes it. Rows are made so that scores are often 0 or equal. For each interval, tie rule,
kind of rows and number of classes the misses of N runs are counted; a cell fails if so many misses or more have a
probability below one in a million under the stated confidence. Default 4 runs; 500 by hand.
"""

import argparse
import collections
import concurrent.futures
import itertools
import json
import math
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

PATIENCE = 60
SIGNIFICANT = 1e-6
TIES = ("positive", "mistake", "negative")
KINDS = ("constant", "one-hot", "integers", "categories", "weighted")
CLASSES = (2, 3, 5)
NAMES = {2: ("-1", "+1"), 3: ("a", "b", "c"), 5: ("1", "2", "3", "4", "5")}
TWO = (["--preset", "rosenblatt"], ["--preset", "averaged"], ["--preset", "pa1"], ["--preset", "arow-diagonal"], ["--preset", "scw1"],
       ["--preset", "kernel", "--kernel", "linear"], ["--rule", "perceptron", "--keep", "vote"], ["--preset", "winnow2"])  # fmt: skip
SEVERAL = (["--preset", "multiclass"], ["--preset", "rosenblatt", "--multiclass", "one-against-rest"],
           ["--preset", "averaged", "--multiclass", "one-against-one"], ["--preset", "pa1"], ["--preset", "multiclass", "--class-update", "pa1"])  # fmt: skip


def tail(misses, runs, p):
    """The probability of so many misses or more."""
    return sum(math.comb(runs, k) * p**k * (1 - p) ** (runs - k) for k in range(misses, runs + 1))


def rows(draw, kind, classes, count):
    """A file of rows with coins for labels: its ending and its text."""
    labels = [draw.choice(NAMES[classes]) for _ in range(count)]
    for i, label in enumerate(NAMES[classes]):
        labels[i] = label  # all classes are known; too few rows to matter
    if kind == "constant":
        return "svm", "".join(f"{y} 1:1\n" for y in labels)
    if kind == "one-hot":
        return "svm", "".join(f"{y} {draw.randint(1, 200)}:1\n" for y in labels)
    if kind == "integers":
        return "svm", "".join(f"{y} 1:{draw.randint(-1, 1)} 2:{draw.randint(-1, 1)}\n" for y in labels)
    if kind == "categories":
        return "csv", "a,b,y\n" + "".join(f"{draw.choice('pqrstuvw')},{draw.choice('pqrstuvw')},{y}\n" for y in labels)
    return "csv", "a,w,y\n" + "".join(f"{draw.choice('pqrstuvw')},{draw.choice((0, 1, 1, 2, 3))},{y}\n" for y in labels)


class Run:
    def __init__(self, halfspace, folder, draw, tie, kind, classes):
        self.halfspace, self.folder, self.draw, self.kind, self.classes = halfspace, Path(folder), draw, kind, classes
        self.truth = 1 - 1 / classes
        usual = draw.random() < 0.5  # the plain perceptron, whose scores are often 0
        self.composition = [*(["--preset", "rosenblatt"] if usual else draw.choice(TWO if classes == 2 else SEVERAL))]
        if kind == "integers" and "winnow2" in self.composition:
            self.composition = ["--preset", "rosenblatt"]
        self.composition += ["--tie", tie]
        if kind != "constant" and draw.random() < 0.5:
            self.composition += ["--bias", "none"]
        self.form, text = rows(draw, kind, classes, 400)
        self.data = self.write("data." + self.form, text)
        self.read = ["--label", "y", *(["--weight", "w"] if kind == "weighted" else [])] if self.form == "csv" else []

    def write(self, name, text):
        (self.folder / name).write_text(text)
        return name

    def command(self, *words, given=b""):
        return subprocess.run([self.halfspace, *words], cwd=self.folder, capture_output=True, timeout=PATIENCE, input=given)

    def json(self, *words):
        done = self.command(*words, "--json")
        if done.returncode:
            return None  # a composition that is refused
        return json.loads(done.stdout)

    def expected(self, *words):
        run = self.json(*words)
        found = run and run.get("expected_error")
        return [(found["lower"], found["upper"], 1 - found["confidence"])] if found else []

    # Each interval: (lower, upper, probability of a miss) of the error; none where it is not given.

    def learning(self):
        return self.expected("train", self.data, *self.read, *self.composition, "-q")

    def held_out(self):
        return self.expected("train", self.data, *self.read, *self.composition, "-q", "--holdout", "0.4")

    def folds(self):
        return self.expected("train", self.data, *self.read, *self.composition, "-q", "--folds", "4")

    def inspected(self):
        if self.command("train", self.data, *self.read, *self.composition, "-q", "-o", "m").returncode:
            return []
        return self.expected("inspect", "m")

    def evaluated(self):
        """The error of a model on new rows, and its accuracy among the metrics."""
        if self.command("train", self.data, *self.read, *self.composition, "-q", "-o", "m").returncode:
            return []
        report = self.json("evaluate", "m", self.write("new." + self.form,
                           rows(self.draw, self.kind, self.classes, 300)[1]))
        if report is None:
            return []
        found = []
        if report.get("expected_error"):
            e = report["expected_error"]
            found.append((e["lower"], e["upper"], 1 - e["confidence"]))
        metric = report["metrics"]["values"].get("accuracy")
        if metric and metric["interval"] == "exact":
            found.append((1 - metric["upper"], 1 - metric["lower"], 1 - report["metrics"]["confidence"]))
        return found[: 1 if self.draw.random() < 0.5 else 2][-1:]

    def compared(self):
        if self.draw.random() < 0.5:
            return []
        report = self.json("compare", "perceptron", "pa1", self.data, *self.read, "--test",
                           self.write("new." + self.form, rows(self.draw, self.kind, self.classes, 300)[1]))  # fmt: skip
        if report is None:
            return []
        found = [r for r in report["sets"][0]["results"] if r.get("lower") is not None]
        return [(1 - r["upper"], 1 - r["lower"], 1 - report["confidence"]) for r in found[:1]]

    def served(self):
        """The error of what a service was asked, with labels in every spelling, some of which never come."""
        like = self.write("like." + self.form, rows(self.draw, self.kind, self.classes, 40)[1])
        words = ["serve", "--log", "log", "--like", like, *self.read, *self.composition, "--ingest", "-"]
        _, text = rows(self.draw, self.kind, self.classes, 160)
        lines, asked = [], 0
        for i, line in enumerate(text.splitlines()[1 if self.form == "csv" else 0 :][self.classes :]):
            label = line.split(" ", 1)[0] if self.form == "svm" else line.rsplit(",", 1)[1]
            row = line.split(" ", 1)[1] if self.form == "svm" else line.rsplit(",", 1)[0] + ","
            if label == "+1":
                label = self.draw.choice(("+1", "1", "1.0"))
            lines.append({"predict": row, "id": f"r{i}"})
            asked += 1
            if self.draw.random() < 0.95:
                lines.append({"truth": label, "id": f"r{i}"})
        lines.append({"ledger": True})
        done = self.command(*words, given=("\n".join(map(json.dumps, lines)) + "\n").encode())
        if done.returncode:
            return []
        last = json.loads(done.stdout.splitlines()[-1])
        shown = last.get("ledger", last).get("served", {})
        if shown.get("asked") != asked or "error_bounds" not in shown:
            return []
        bounds = shown["error_bounds"]
        return [(bounds["lower"], bounds["upper"], 1 - bounds["confidence"])]

    def alarms(self):
        """A run of coins is no reason for an alarm above their error: a miss is an alarm."""
        above = self.truth + 0.05
        run = self.json("train", self.data, *self.read, *self.composition, "-q", "--drift",
                        "error", "--drift-above", f"{above:.4f}", "--false-alarms", "10000")
        if run is None or "drift" not in run:
            return []
        at = self.truth if run["drift"]["alarms"] == 0 else 2
        return [(at, at, 400 / 10000)]


INTERVALS = ("learning", "held_out", "folds", "inspected", "evaluated", "compared", "served", "alarms")


def one(halfspace, seed, number, cell):
    interval, tie, kind, classes = cell
    draw = random.Random(f"{seed}:{number}:{cell}")
    with tempfile.TemporaryDirectory(prefix="halfspace_coverage_") as folder:
        run = Run(halfspace, folder, draw, tie, kind, classes)
        return cell, [(lower, upper, p, run.truth, " ".join(run.composition)) for lower, upper, p in getattr(run, interval)()]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("halfspace")
    parser.add_argument("--runs", type=int, default=4, help="of each cell")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="intervals: " + " ".join(INTERVALS))
    parser.add_argument("--jobs", type=int, default=1)
    given = parser.parse_args()
    halfspace = os.path.abspath(given.halfspace)
    intervals = [name for name in INTERVALS if not given.only or name in given.only.split(",")]
    cells = list(itertools.product(intervals, TIES, KINDS, CLASSES))
    found = collections.defaultdict(list)
    with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        jobs = [pool.submit(one, halfspace, given.seed, number, cell) for cell in cells for number in range(given.runs)]
        for job in jobs:
            cell, those = job.result()
            found[cell] += those
    # Over all kinds of rows too: few runs of each show what is wrong with all.
    for interval, tie, classes in itertools.product(intervals, TIES, CLASSES):
        cells.append((interval, tie, "all", classes))
        found[cells[-1]] = [t for kind in KINDS for t in found[interval, tie, kind, classes]]
    failed, given_intervals = 0, sum(len(those) for cell, those in found.items() if cell[2] != "all")
    for cell in cells:
        those = found[cell]
        missed = [t for t in those if not t[0] - 1e-12 <= t[3] <= t[1] + 1e-12]
        if missed and (p := tail(len(missed), len(those), max(t[2] for t in those))) < SIGNIFICANT:
            failed += 1
            lower, upper, _, truth, composition = missed[0]
            said = f"{100 * lower:.1f} to {100 * upper:.1f} %" if lower < upper else "an alarm"
            print(f"FAILED {' '.join(map(str, cell))} classes: {len(missed)} of {len(those)} miss the truth (p = {p:.1e}), such as {said} of "
                  f"{composition}, true {100 * truth:.1f} %")  # fmt: skip
    print(
        f"{given_intervals} intervals in {len(cells)} cells; {sum(not found[c] for c in cells)} cells give none; {failed} cells miss too often")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
