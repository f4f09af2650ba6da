"""Models as SQL, in four databases: labels, scores, probabilities and reasons are those of `halfspace predict`.

usage: sql_test.py HALFSPACE SOURCE [TABLES]
"""

import json
import random
import struct
import sys
from pathlib import Path

import databases
import tables
from common import Halfspace

PLACES = {"label": 1, "score": 2, "probability": 3}


def bits(value):
    return struct.pack("<d", value + 0.0)  # a zero of either sign is one


class Count:
    def __init__(self):
        self.tables = self.rows = self.labels = self.scores = self.probabilities = self.reasons = 0
        self.away = self.probability_away = 0.0


def predicted(halfspace, model, data, labels):
    """Returns (label, score, probability or None) of each row."""
    rows = []
    calibrated = halfspace.is_calibrated(model, data)
    lines = halfspace.predictions(model, data, "--scores", "--as", "jsonl")
    more = halfspace.predictions(model, data, "--probability", "--as", "jsonl") if calibrated else [None] * len(lines)
    for line, other in zip(lines, more, strict=True):
        row = json.loads(line)
        score = row["score"] if "score" in row else row["score:" + row["prediction"]]
        probability = None
        if other is not None:
            by_class = {key: value for key, value in json.loads(other).items() if key.startswith("probability")}
            probability = by_class["probability:" + row["prediction"]] if len(by_class) > 1 else next(iter(by_class.values()))
        rows.append((row["prediction"], float(score), probability))
    return rows


def compare(found, expected, count, what):
    """Compares rows (key, label, score, probability, reason), those with a probability where the model has them."""
    found = {int(row[0]): row[1:] for row in found}
    if len(found) != len(expected):
        sys.exit(f"{what}: {len(found)} rows of {len(expected)}")
    count.tables += 1
    for i, (label, score, probability) in enumerate(expected):
        row = found[i]
        count.rows += 1
        if row[0] != label:
            sys.exit(f"{what}: row {i}: label {row[0]!r}, not {label!r}; score {row[1]!r}, not {score!r}")
        count.labels += 1
        count.scores += bits(row[1]) == bits(score)
        if bits(row[1]) != bits(score) and 'SQLite' in what: print(i, row, score, what)
        count.away = max(count.away, abs(row[1] - score) / max(abs(score), 1e-300))
        if probability is not None:
            count.probabilities += bits(row[2]) == bits(probability)
            count.probability_away = max(count.probability_away, abs(row[2] - probability))


def queried(halfspace, model, database, number, calibrated):
    """Returns the rows of the exported query or, for every other table, of a view of it."""
    path = halfspace.path("model.sql")
    numbers = (2, 3) if calibrated else (2,)
    if database.dialect != "mysql" and number % 2 == 0:
        halfspace.out("export", model, "-o", path, "--dialect", database.dialect)
        return database.rows(Path(path).read_text(encoding="utf-8"), numbers)
    halfspace.out("export", model, "-o", path, "--dialect", database.dialect, "--view", "predictions")
    database.run("DROP VIEW IF EXISTS predictions")
    database.run(Path(path).read_text(encoding="utf-8"))
    key, probability = tables.quoted(database, tables.KEY), "probability, " if calibrated else ""
    if database.dialect != "mysql":
        return database.rows(f"SELECT {key}, label, score, {probability}reason FROM predictions", numbers)
    # Its client prints NULL for NULL and for the text.
    rows = database.rows(f"SELECT {key}, hex(label), score, {probability}hex(reason) FROM predictions", numbers)
    for row in rows:
        row[1], row[-1] = (None if text is None else bytes.fromhex(text).decode() for text in (row[1], row[-1]))
    return rows


def try_table(number, halfspace, found, counts):
    draws = random.Random(number)
    table = tables.Table(draws)
    data, model = halfspace.path("data.csv"), halfspace.path("m.model")
    Path(data).write_text(table.csv(), encoding="utf-8", newline="")
    flags = table.flags(draws)
    trained = halfspace.run("train", data, "-o", model, "-q", *flags)
    if trained.returncode != 0:
        return trained.stderr
    table.new_rows(draws)
    new = halfspace.path("new.csv")
    Path(new).write_text(table.csv(), encoding="utf-8", newline="")
    expected = predicted(halfspace, model, new, table.labels)
    for database in found:
        tables.load(database, table)
        try:
            rows = queried(halfspace, model, database, number, expected[0][2] is not None)
        except Exception as error:
            sys.exit(f"table {number}, {database.name}: {str(error)[-1000:]}\nflags: {flags}\ncolumns: {table.columns}")
        compare(rows, expected, counts[database.name], f"table {number}, {database.name}, {flags}")
    return None


def main():
    halfspace = Halfspace(sys.argv[1])
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 12
    found = databases.all_there()
    counts = {database.name: Count() for database in found}
    refused = []
    try:
        for number in range(count):
            error = try_table(number, halfspace, found, counts)
            if error:
                refused.append((number, error))
    finally:
        for database in found:
            database.stop()
    for number, error in refused:
        print(f"table {number}: {error.strip()[:300]}")
    for database in found:
        c = counts[database.name]
        print(f"{database.name} {database.version}: {c.tables} tables, {c.rows} rows; equal: {c.labels} labels, {c.scores} "
              f"scores to the bit; largest relative difference {c.away:.2g}; probabilities {c.probability_away:.2g}")


main()
