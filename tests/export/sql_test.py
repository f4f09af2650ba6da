"""Models as SQL, in four databases: labels, scores, probabilities and reasons are those of `halfspace predict`.

usage: sql_test.py HALFSPACE SOURCE [TABLES]
"""

import json
import os
import random
import subprocess
import sys
from pathlib import Path

import databases
import tables
from common import Halfspace
from predictions import bits, predicted

TEXTS_OF_SAMPLE = ("applicant", "employed", "housing", "purpose", "region", "decision")


class Count:
    def __init__(self):
        self.tables = self.rows = self.labels = self.scores = self.probabilities = self.reasons = 0
        self.away = self.probability_away = 0.0


def compare(found, expected, reasons, count, what):
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
        if reasons is not None:
            if row[-1] != reasons[i]:
                sys.exit(f"{what}: row {i}: reason {row[-1]!r}, not {reasons[i]!r}")
            count.reasons += 1
        count.scores += bits(row[1]) == bits(score)
        count.away = max(count.away, abs(row[1] - score) / max(abs(score), 1e-300))
        if probability is not None:
            count.probabilities += bits(row[2]) == bits(probability)
            count.probability_away = max(count.probability_away, abs(row[2] - probability))


def expected_reasons(halfspace, model, table, flags, labels):
    """Returns the first reason of each row by the weights that inspect prints; None for models it does not cover."""
    pairs = flags[flags.index("--interactions") + 1].split(",") if "--interactions" in flags else []
    products = [tuple(pair.split(":")) for pair in pairs]
    if "--normalize" in flags or any(len(pair) != 2 or table.columns.get(name, "text") == "text"
                                     for pair in products for name in pair):
        return None
    weights = json.loads(halfspace.out("inspect", model, "--json"))["weights"]
    several = len(table.labels) > 2
    missing = {None, "", "-", "?", "N/A", "NA", "NaN", "None", "nan", "null"}
    positive = None if several else json.loads(halfspace.out("inspect", model, "--json"))["labels"][1]
    reasons = []
    for row, label in zip(table.rows, labels, strict=True):
        own = weights[label] if several else weights
        sign = -1 if not several and label != positive else 1
        best = (0.0, None)
        for name, kind in table.columns.items():
            value = row[name]
            if value in missing:
                feature, factor = name + "=?", 1
            else:
                feature, factor = (f"{name}={value}", 1) if kind == "text" else (name, value)
            contribution = sign * (own.get(feature, 0) * factor)
            best = max(best, (contribution, name), key=lambda pair: pair[0])
        for a, b in sorted(products, key=lambda pair: pairs.index(":".join(pair))):
            if row[a] not in missing and row[b] not in missing:
                contribution = sign * (own.get(f"{a}:{b}", 0) * (float(row[a]) * float(row[b])))
                best = max(best, (contribution, f"{a}:{b}"), key=lambda pair: pair[0])
        reasons.append(best[1])
    return reasons


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
    expected = predicted(halfspace, model, new)
    reasons = expected_reasons(halfspace, model, table, flags, [row[0] for row in expected])
    for database in found:
        tables.load(database, table)
        try:
            rows = queried(halfspace, model, database, number, expected[0][2] is not None)
        except Exception as error:
            sys.exit(f"table {number}, {database.name}: {str(error)[-1000:]}\nflags: {flags}\ncolumns: {table.columns}")
        compare(rows, expected, reasons, counts[database.name], f"table {number}, {database.name}, {flags}")
    return None


def try_plain(halfspace, database):
    """--plain: labels are equal but at ties, and scores within the bound of docs/formats/sql.md."""
    draws = random.Random(1)
    names = [f"c{i}" for i in range(30)]
    rows = [[draws.gauss(0, 1) for _ in names] for _ in range(100)]
    lines = [",".join([*map(repr, row), "yes" if sum(row[:5]) > 0 else "no"]) for row in rows]
    data, model, path = (halfspace.path(name) for name in ("plain.csv", "plain.model", "plain.sql"))
    Path(data).write_text("\n".join([",".join([*names, "y"]), *lines, ""]))
    halfspace.out("train", data, "-o", model, "-q", "--rule", "pa1")
    inspected = json.loads(halfspace.out("inspect", model, "--json"))
    halfspace.out("export", model, "-o", path, "--dialect", database.dialect, "--plain", "--keep", tables.KEY)
    table = tables.Table(draws)
    table.columns = dict.fromkeys(names, "number")
    table.rows = [{tables.KEY: i, **dict(zip(names, row))} for i, row in enumerate(rows)]
    tables.load(database, table)
    found = database.rows(Path(path).read_text(), (0, 2))
    for (key, label, score, _), (own_label, own_score, _) in zip(sorted(found), predicted(halfspace, model, data), strict=True):
        size = sum(abs(inspected["weights"][name] * value) for name, value in zip(names, rows[int(key)]))
        if label != own_label or abs(score - own_score) > 31 * 2.3e-16 * (size + abs(inspected["bias"])):
            sys.exit(f"--plain, {database.name}: row {key}: {label}, {score!r}, not {own_label}, {own_score!r}")


def try_page(halfspace, source, database):
    """Runs the commands for PostgreSQL of the how-to page on the sample."""
    page = (Path(source) / "docs/how-to/sql.md").read_text(encoding="utf-8").split("## PostgreSQL")[1]
    commands = [line.strip() for line in page.split("\n") if line.startswith("    ")]
    assert len(commands) == 4 and commands[0].startswith("psql"), commands
    sample = Path(halfspace.path("credit.csv"))
    sample.write_text((Path(source) / "examples/credit.csv").read_text().replace(",?", ","))
    names = sample.read_text().split("\n")[0].split(",")
    columns = ", ".join(f"{name} {'text' if name in TEXTS_OF_SAMPLE else 'float8'}" for name in names)
    database.run("DROP VIEW IF EXISTS predictions")
    database.run(
        f"CREATE TABLE applicants ({columns});\n\\copy applicants FROM '{sample}' (FORMAT csv, HEADER, NULL '')\n")
    path = os.pathsep.join([str(Path(halfspace.command).resolve().parent), os.path.dirname(database.psql[0]),
                            os.environ["PATH"]])
    environment = {**os.environ, "PATH": path, "PGHOST": database.folder, "PGUSER": "test", "PGDATABASE": "postgres"}
    for command in commands:
        done = subprocess.run(["bash", "-c", "set -o pipefail; " + command], cwd=halfspace.folder.name, env=environment,
                              capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"docs/how-to/sql.md: {command}\n{done.stderr}")
    labels = halfspace.predictions(halfspace.path("bank.model"), sample)
    expected = "".join(f"{label}|{labels.count(label)}\n" for label in sorted(set(labels)))
    if done.stdout != expected:
        sys.exit(f"docs/how-to/sql.md: prints {done.stdout!r}, not {expected!r}")
    database.run("DROP VIEW predictions")


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
        for database in found:
            try_plain(halfspace, database)
            if database.name == "PostgreSQL":
                try_page(halfspace, sys.argv[2], database)
    finally:
        for database in found:
            database.stop()
    for number, error in refused:
        print(f"table {number}: {error.strip()[:300]}")
    for database in found:
        c = counts[database.name]
        print(f"{database.name} {database.version}: {c.tables} tables, {c.rows} rows; equal: {c.labels} labels, {c.scores} "
              f"scores to the bit, {c.reasons} of {c.reasons} reasons; scores within {c.away:.2g} of theirs, probabilities "
              f"within {c.probability_away:.2g}")
        if c.scores != c.rows or c.probability_away > 1e-15:
            sys.exit(f"{database.name}: scores have other bits, or probabilities are far off")


main()
