"""Models as C, compiled without warnings and called: labels and scores are those of `halfspace predict`, to the bit.

usage: c_test.py HALFSPACE SOURCE [TABLES]
"""

import csv
import ctypes
import datetime
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


DATE = "date"


def columns_of(source):
    """Returns (name, categories, None for a number or DATE) of each column, from the comment of the source."""
    columns = []
    for line in source.split("*/")[0].split("\n"):
        if not line.startswith(" * x["):
            continue
        strings = [text_of(string) for string in re.findall(r'"([^"]*)"', line)]
        kind = None if line.endswith(": a number") else DATE if ": the year of a date" in line else strings[1:]
        columns.append((strings[0], kind))
    return columns


def parts_of(text):
    """Returns year, month, day and the seconds since midnight of a date in ISO's notation."""
    date = datetime.datetime.fromisoformat(text)
    seconds = 3600 * date.hour + 60 * date.minute + date.second + date.microsecond / 1e6
    return [date.year, date.month, date.day, seconds if ":" in text else math.nan]


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
        values = []
        for name, categories in self.columns:
            value = row[name]
            if value is None or value in MISSING:
                values += [math.nan] * (4 if categories == DATE else 1)
            elif categories == DATE:
                values += parts_of(value)
            elif categories is None:
                values.append(float(value))
            else:
                values.append(categories.index(value) if value in categories else -1)
        x = (ctypes.c_double * len(values))(*values)
        score, probability = (ctypes.c_double * self.count)(), (ctypes.c_double * self.count)()
        label = self.library.halfspace(x, score, *([probability] if self.calibrated else []))
        if label < 0:
            return None, None, None
        two = self.count == 2
        return self.labels[label], score[0 if two else label], probability[1 if two else label] if self.calibrated else None


def changed_rows(number, flags):
    """Returns the flags with rows divided by their norms, rounded to floats, or both, in three of four tables."""
    change = [[], ["--normalize", "row"], ["--single"], ["--normalize", "row", "--single"]][number % 4]
    if change and "--normalize" in flags:
        at = flags.index("--normalize")
        flags = flags[:at] + flags[at + 2:]
    return flags + change


def try_table(number, halfspace, exact):
    """Returns rows, rows with the same score, and the largest difference of probabilities; None: train refuses the table."""
    draws = random.Random(number)
    table = tables.Table(draws)
    data, model, new = (halfspace.path(name) for name in ("data.csv", "m.model", "new.csv"))
    Path(data).write_text(table.csv(), encoding="utf-8", newline="")
    if halfspace.run("train", data, "-o", model, "-q", *changed_rows(number, table.flags(draws))).returncode != 0:
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


def try_dates(number, halfspace):
    """Dates, with and without a time, some of them missing or before 1970; rows that predict refuses have no label."""
    draws = random.Random(number)
    data, model = halfspace.path("dates.csv"), halfspace.path("dates.model")
    timed = draws.random() < 0.7

    def date():
        if draws.random() < 0.1:
            return ""
        day = datetime.datetime(draws.randint(1890, 2100), draws.randint(1, 12), draws.randint(1, 28))
        if draws.random() < 0.1:
            day = datetime.datetime(2000, 2, 29)
        time = datetime.timedelta(seconds=draws.randint(0, 86399), milliseconds=draws.choice([0, 0, 1, 125, 999]))
        return str(day + time) if timed and draws.random() < 0.7 else str(day.date())

    rows = [{"n": repr(draws.gauss(0, 9)), "when": date(), "kind": draws.choice(["u", "v", ""]), "then": date(),
             "y": draws.choice("abc"[:2 + number % 2])} for _ in range(120)]
    with open(data, "w", newline="", encoding="utf-8") as file:
        table = csv.DictWriter(file, rows[0], lineterminator="\n")
        table.writeheader()
        table.writerows(rows)
    halfspace.out("train", data, "--label", "y", "-q", "-o", model, "--dates", "when,then", "--passes", "3", "--order", "cyclic",
                  *changed_rows(number // 2, ["--normalize", "column"] if draws.random() < 0.5 else []))
    found = compare(f"{number} of dates", halfspace, model, data, rows, True)
    compiled = Compiled(halfspace, Path(halfspace.path("model.c")).read_text(), f"{number}-again")
    at = next(at for at, (name, _) in enumerate(compiled.columns) if name == "when")
    lead = sum(4 if kind == DATE else 1 for _, kind in compiled.columns[:at])
    count = sum(4 if kind == DATE else 1 for _, kind in compiled.columns)
    for year, month, day in (2023, 2, 29), (2024, 13, 1), (2024, 0, 1), (2024, 1, 32), (0, 1, 1), (2024, 1.5, 1):
        x = (ctypes.c_double * count)(*[math.nan] * count)
        x[lead], x[lead + 1], x[lead + 2] = year, month, day
        score = (ctypes.c_double * compiled.count)()
        if compiled.library.halfspace(x, score, *([None] if compiled.calibrated else [])) != -1:
            sys.exit(f"dates {number}: {year}-{month}-{day} has a label")
    return found


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
    dates = [try_dates(number, halfspace) for number in range(max(4, count // 2))]
    print(f"{len(dates)} tables with dates, {sum(result[0] for result in dates)} rows: equal to the bit")
    rows, same, away = try_logarithms(halfspace)
    print(f"logarithms: {rows} rows: labels equal, {same} scores to the bit; probabilities within {away:.2g}")


main()
