"""What the tests of exports share: the command, the data, and models of every kind that can be exported."""

import csv
import math
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

MISSING = {"", "?", "NA"}


class Halfspace:
    """The built command, run in a folder of its own."""

    def __init__(self, command):
        self.command = command
        self.folder = tempfile.TemporaryDirectory(prefix="halfspace-export-")

    def path(self, name):
        return str(Path(self.folder.name) / name)

    def run(self, *arguments):
        return subprocess.run([self.command, *map(str, arguments)], capture_output=True, text=True)

    def out(self, *arguments):
        result = self.run(*arguments)
        if result.returncode != 0:
            sys.exit(f"halfspace {' '.join(map(str, arguments))}\n{result.stderr}")
        return result.stdout

    def is_calibrated(self, model, data, *flags):
        return self.run("predict", model, data, "--probability", *flags).returncode == 0

    def predictions(self, model, data, *flags):
        return self.out("predict", model, data, *flags).splitlines()


def shared_data(source):
    folder = Path(os.environ.get("HALFSPACE_DATA", Path(source).parent / "shared" / "data"))
    return folder if folder.is_dir() else None


def libsvm_rows(path):
    """Rows as {name of the feature: value}."""
    for line in open(path, encoding="utf-8"):
        line = line.split("#")[0].split()
        if line:
            yield {index: float(value) for index, value in (entry.split(":") for entry in line[1:])}


def csv_rows(path, header=True):
    """Rows as {name of the column: text}."""
    with open(path, newline="", encoding="utf-8") as file:
        reader = csv.reader(file)
        names = next(reader) if header else None
        for row in reader:
            yield dict(zip(names or map(str, range(1, len(row) + 1)), row))


def encoded(rows, names):
    """Rows of texts or numbers to rows of doubles, one a feature: `age`, `age=?` (missing), `colour=red`."""
    position = {name: i for i, name in enumerate(names)}
    vectors = []
    for row in rows:
        x = [0.0] * len(names)
        for column, value in row.items():
            if isinstance(value, float):
                name = column
            elif value in MISSING:
                name, value = column + "=?", 1
            elif f"{column}={value}" in position:
                name, value = f"{column}={value}", 1
            else:
                name = column
            if name in position:
                x[position[name]] = float(value)
        vectors.append(x)
    return vectors


AWKWARD = '''"a <b>&""c""",größe,colour,label
1,2.5,red & <green>,yes
-2,?,"it's ""blue""",no
3,0,,yes
0.5,-1.25,red & <green>,no
,7,blue,yes
-1,1e3,blue,no
2,4,NA,yes
'''

# Without a bias, a row without features scores 0 for every class.
EMPTY_ROWS = {"two": "1 1:1\n-1 2:1\n1\n-1\n1 1:1 2:1\n", "three": "0 1:1\n1 2:1\n2 3:1\n0\n1\n2\n2 1:1\n"}

# Numbers that are no floats, so that rounding them shows.
TENTHS = "1 1:0.1 2:0.7\n-1 1:0.3 2:0.2\n1 1:0.9 3:0.6\n-1 2:0.3 3:-0.7\n"


def skewed_table():
    """A table whose classes are told by a logarithm, so that the default takes it; some of its values are missing."""
    draws = random.Random(5)
    lines = ["income,age,debt,label"]
    for i in range(600):
        far, near = draws.gauss(0, 2.5), draws.gauss(0, 1)
        income = "" if i % 50 == 7 else repr(1000 * math.exp(far) - 300)
        lines.append(f"{income},{40 + 9 * near},{math.exp(2 * draws.gauss(0, 1))},{'yes' if far > near else 'no'}")
    return "\n".join(lines) + "\n"


def outlying_table(classes):
    """A table of which one row in a hundred lies far out: scores are clipped before they become probabilities."""
    draws = random.Random(6)
    lines = ["a,b,c,label"]
    for i in range(900):
        x = [draws.gauss(0, 1) for _ in range(3)]
        score = x[0] - 2 * x[1] + x[2] + draws.gauss(0, 1)
        far = 1e6 if i % 100 == 50 else 1
        label = (score > 0) if classes == 2 else (score > -1) + (score > 1)
        lines.append(",".join([*(repr(far * v) for v in x), "uvw"[label]]))
    return "\n".join(lines) + "\n"


def cases(source, halfspace):
    """(name, training data, its flags, data to predict, header of CSV or None for LIBSVM, flags of the composition)."""
    awkward = halfspace.path("awkward.csv")
    Path(awkward).write_text(AWKWARD, encoding="utf-8")
    sample = str(Path(source) / "examples" / "credit.csv")
    applicants = ["--id", "applicant"]
    yield "names", awkward, [], awkward, True, ["--order", "cyclic", "--passes", "9"]
    yield "columns", sample, applicants, sample, True, ["--normalize", "column", "--order", "cyclic", "--passes", "5"]
    yield ("threshold", sample, applicants, sample, True,
           ["--rule", "pa1", "--holdout", "0.3", "--metric", "cost", "--cost", "approved:declined=9", "--threshold", "auto"])
    yield "ties", sample, applicants, sample, True, ["--preset", "rosenblatt", "--tie", "negative", "--bias", "none"]
    yield "platt", sample, applicants, sample, True, ["--passes", "3", "--holdout", "0.3", "--calibrate", "platt"]
    for classes in 2, 3:
        outlying = halfspace.path(f"outlying-{classes}.csv")
        Path(outlying).write_text(outlying_table(classes), encoding="utf-8")
        clipped = ["--rule", "pa1", "--keep", "average", "--folds", "3", "--calibrate", "platt"]
        yield f"clipped, {classes} classes", outlying, [], outlying, True, clipped
    for classes, text in EMPTY_ROWS.items():
        path = halfspace.path(classes)
        Path(path).write_text(text, encoding="utf-8")
        for tie in "positive", "negative":
            yield f"{classes} empty, {tie}", path, [], path, None, ["--bias", "none", "--tie", tie]
    tenths = halfspace.path("tenths")
    Path(tenths).write_text(TENTHS, encoding="utf-8")
    yield "tenths", tenths, [], tenths, None, ["--single", "--passes", "3"]
    yield "minnow", sample, applicants, sample, True, ["--rule", "minnow", "--bias-scale", "0.5"]
    yield "rows", sample, applicants, sample, True, ["--normalize", "row", "--passes", "3"]
    yield "single", sample, applicants, sample, True, ["--single", "--passes", "3"]
    skewed = halfspace.path("skewed.csv")
    Path(skewed).write_text(skewed_table(), encoding="utf-8")
    yield "logarithms", skewed, [], skewed, True, []
    data = shared_data(source)
    if data is None:
        print("SKIPPED, loudly: the shared data are not there (HALFSPACE_DATA); only small cases run", file=sys.stderr)
        return
    mushrooms = data / "agaricus"
    yield "agaricus", mushrooms / "agaricus.libsvm", [], mushrooms / "agaricus.t.libsvm", None, ["--passes", "2"]
    adults = data / "a9a"
    yield "a9a", adults / "a9a", [], adults / "a9a.t", None, ["--passes", "2", "--folds", "3", "--calibrate", "platt"]
    german = data / "german_credit" / "german.csv"
    flags = ["--normalize", "column", "--order", "cyclic", "--passes", "10"]
    yield "german", german, ["--no-header"], german, False, flags
    digits = data / "digits" / "digits.libsvm"
    yield "digits", digits, [], digits, None, ["--order", "cyclic", "--passes", "5", "--tie", "negative"]
    for how in "platt", "temperature":
        yield f"digits, {how}", digits, [], digits, None, ["--passes", "5", "--folds", "3", "--calibrate", how]


def same(found, expected, what):
    """Labels are equal, all of them."""
    different = [i for i, (a, b) in enumerate(zip(found, expected, strict=True)) if a != b]
    if different:
        i = different[0]
        sys.exit(
            f"{what}: {len(different)} of {len(expected)} differ, the first in row {i + 1}: {found[i]} and {expected[i]}")


def close(found, expected, what):
    for i, (a, b) in enumerate(zip(found, expected, strict=True)):
        if abs(a - b) > 1e-9 * max(1, abs(a), abs(b)):
            sys.exit(f"{what}: row {i + 1}: {a} and {b}")
