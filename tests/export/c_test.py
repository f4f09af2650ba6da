"""Models as C, compiled without warnings and called: labels and scores are those of `halfspace predict`, to the bit.

usage: c_test.py HALFSPACE SOURCE [TABLES]
"""

import ctypes
import math
import random
import re
import shutil
import subprocess
import sys
from pathlib import Path

import tables
from common import Halfspace, skewed_table
from predictions import bits, predicted

C99 = ["cc", "-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-O2", "-ffp-contract=off", "-fPIC", "-shared"]
MISSING = {"", "-", "?", "N/A", "NA", "NaN", "None", "nan", "null"}


def text_of(string):
    """Returns the text of a C string."""
    return re.sub(rb"\\([0-7]{3})", lambda octal: bytes([int(octal[1], 8)]), string.encode()).decode()


def columns_of(source):
    """Returns (name, categories or None for a number) of each column, from the comment of the source."""
    columns = []
    for line in source.split("*/")[0].split("\n"):
        if not line.startswith(" * x["):
            continue
        strings = [text_of(string) for string in re.findall(r'"([^"]*)"', line)]
        columns.append((strings[0], None if line.endswith(": a number") else strings[1:]))
    return columns


class Compiled:
    def __init__(self, halfspace, source, number):
        self.columns = columns_of(source)
        library = halfspace.path(f"model-{number}.so")
        Path(halfspace.path("model.c")).write_text(source)
        built = subprocess.run([*C99, "-o", library, halfspace.path("model.c"), "-lm"], capture_output=True, text=True)
        if built.returncode != 0:
            sys.exit(f"table {number}: {built.stderr}")
        self.library = ctypes.CDLL(library)
        self.count = int(re.search(r"halfspace_labels\[(\d+)\]", source)[1])
        self.labels = [text.decode()
                       for text in (ctypes.c_char_p * self.count).in_dll(self.library, "halfspace_labels")]
        self.calibrated = "double *probability" in source

    def predict(self, row):
        x = (ctypes.c_double * len(self.columns))()
        for i, (name, categories) in enumerate(self.columns):
            value = row[name]
            if value is None or value in MISSING:
                x[i] = math.nan
            elif categories is None:
                x[i] = float(value)
            else:
                x[i] = categories.index(value) if value in categories else -1
        score, probability = (ctypes.c_double * self.count)(), (ctypes.c_double * self.count)()
        label = self.library.halfspace(x, score, *([probability] if self.calibrated else []))
        if label < 0:
            return None, None, None
        two = self.count == 2
        return self.labels[label], score[0 if two else label], probability[1 if two else label] if self.calibrated else None


def try_table(number, halfspace, exact):
    """Returns rows, rows with the same score, and the largest difference of probabilities; None: train refuses the table."""
    draws = random.Random(number)
    table = tables.Table(draws)
    data, model, new = (halfspace.path(name) for name in ("data.csv", "m.model", "new.csv"))
    Path(data).write_text(table.csv(), encoding="utf-8", newline="")
    if halfspace.run("train", data, "-o", model, "-q", *table.flags(draws)).returncode != 0:
        return None
    table.new_rows(draws)
    Path(new).write_text(table.csv(), encoding="utf-8", newline="")
    return compare(number, halfspace, model, new, table.rows, exact)


def compare(number, halfspace, model, data, rows, exact):
    halfspace.out("export", model, "-o", halfspace.path("model.c"))
    compiled = Compiled(halfspace, Path(halfspace.path("model.c")).read_text(), number)
    same, away = 0, 0.0
    for i, (row, (label, score, probability)) in enumerate(zip(rows, predicted(halfspace, model, data), strict=True)):
        found = compiled.predict(row)
        if found[0] != label or (exact and bits(found[1]) != bits(score)):
            sys.exit(f"table {number}: row {i}: {found}, not {label!r}, {score!r}")
        same += bits(found[1]) == bits(score)
        if not exact and abs(found[1] - score) > 1e-13 * max(1, abs(score)):
            sys.exit(f"table {number}: row {i}: score {found[1]!r}, not {score!r}")
        away = max(away, abs(found[2] - probability) if probability is not None else 0)
    return len(rows), same, away


def try_logarithms(halfspace):
    data, model = halfspace.path("skewed.csv"), halfspace.path("skewed.model")
    Path(data).write_text(skewed_table(), encoding="utf-8")
    halfspace.out("train", data, "-o", model, "-q")
    lines = [line.split(",") for line in skewed_table().splitlines()]
    rows = [dict(zip(lines[0], line)) for line in lines[1:]]
    assert "log1p" in halfspace.out("export", model, "-o", "/dev/stdout", "--format", "c")
    return compare("of logarithms", halfspace, model, data, rows, False)


def main():
    if shutil.which("cc") is None:
        print("SKIPPED, loudly: no cc", file=sys.stderr)
        sys.exit(77)
    halfspace = Halfspace(sys.argv[1])
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 20
    results = [result for number in range(count) if (result := try_table(number, halfspace, True))]
    if len(results) < count / 2:
        sys.exit(f"{len(results)} of {count} tables were trained on")
    away = max(result[2] for result in results)
    if away > 1e-15:
        sys.exit(f"probabilities differ by {away}")
    print(f"{len(results)} tables, {sum(result[0] for result in results)} rows: labels and scores equal to the bit; "
          f"probabilities within {away:.2g}")
    rows, same, away = try_logarithms(halfspace)
    print(f"logarithms: {rows} rows: labels equal, {same} scores to the bit; probabilities within {away:.2g}")


main()
