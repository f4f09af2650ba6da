#!/usr/bin/python3 -B
"""certify --coefficients against an exact oracle, and its certificates against both verifiers.

usage: separation_test.py HALFSPACE SOURCE [DESIGNS]

The oracle asks, for every coefficient and either sign, a linear program in fractions: the largest move of the coefficient
among vectors v with <v, z> >= 0 on every row and |v| <= 1. Designs are small tables from a seed, with few values, so that
overlap, quasi-complete and complete separation, dependent columns and ties all occur.
"""

import contextlib
import copy
import hashlib
import importlib.machinery
import importlib.util
import io
import itertools
import json
import random
import subprocess
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from fractions import Fraction
from pathlib import Path

HALFSPACE, SOURCE = Path(sys.argv[1]), Path(sys.argv[2])
sys.dont_write_bytecode = True
LOADER = importlib.machinery.SourceFileLoader("checker", str(SOURCE / "tools/verify-certificate"))
PLAIN = importlib.util.module_from_spec(importlib.util.spec_from_loader("checker", LOADER))
LOADER.exec_module(PLAIN)
DESIGNS = int(sys.argv[3]) if len(sys.argv) > 3 else 80


def largest(goal, rows):
    """The maximum of <goal, x> over rows x <= (0, ..., 0) and 0 <= x <= 1: the simplex method with Bland's rule."""
    n = len(goal)
    bounds = [[Fraction(int(i == j)) for j in range(n)] for i in range(n)]
    table = [list(map(Fraction, row)) + [Fraction(0)] for row in rows] + [row + [Fraction(1)] for row in bounds]
    m = len(table)
    for i, row in enumerate(table):
        row[n:n] = [Fraction(int(i == k)) for k in range(m)]
    cost = [-Fraction(g) for g in goal] + [Fraction(0)] * (m + 1)
    basis = list(range(n, n + m))
    while True:
        enter = next((j for j in range(n + m) if cost[j] < 0), None)
        if enter is None:
            return cost[-1]
        leave = min((i for i in range(m) if table[i][enter] > 0),
                    key=lambda i: (table[i][-1] / table[i][enter], basis[i]))
        by = table[leave][enter]
        table[leave] = [x and x / by for x in table[leave]]
        pivots = [(j, y) for j, y in enumerate(table[leave]) if y]
        for row in [*(table[i] for i in range(m) if i != leave), cost]:
            if factor := row[enter]:
                for j, y in pivots:
                    row[j] -= factor * y
        basis[leave] = enter


def dependent_columns(points, order):
    """The columns that are combinations of those before them in the order."""
    reduced, dependent = [], []
    for j in order:
        column = [Fraction(point[j]) for point in points]
        for pivot, other in reduced:
            factor = column[pivot]
            column = [x - factor * y for x, y in zip(column, other)]
        pivot = next((i for i, x in enumerate(column) if x), None)
        if pivot is None:
            dependent.append(j)
        else:
            reduced.append((pivot, [x / column[pivot] for x in column]))
    return dependent


def expected(points, labels, order):
    """The kind of separation, and each coefficient's estimate."""
    aliased = dependent_columns(points, order)
    kept = [j for j in range(len(order)) if j not in aliased]
    signed = [[point[j] * (1 if y else -1) for j in kept] for point, y in zip(points, labels)]
    rows = [[-x for x in z] + z for z in signed]  # v = p - q
    moves = {}
    for k, j in enumerate(kept):
        up, down = ([sign * ((i == k) - (i == k + len(kept))) for i in range(2 * len(kept))] for sign in (1, -1))
        moves[j] = largest(up, rows) > 0, largest(down, rows) > 0
    names = {(False, False): "finite", (True, False): "+infinite",
             (False, True): "-infinite", (True, True): "undetermined"}
    separated = sum(largest(z + [-x for x in z], rows) > 0 for z in signed)
    kind = "overlap" if separated == 0 else "complete" if separated == len(points) else "quasi-complete"
    return kind, separated, {j: names[moves[j]] if j in moves else "aliased" for j in range(len(order))}


def design(seed):
    """A table as CSV, its points as fractions with the bias last, its labels, names, and the order of its columns."""
    draw = random.Random(seed)
    numeric, rows, bias = draw.randint(1, 3), draw.randint(2, 16), draw.random() < 0.8
    values = draw.choice(["0 1", "-1 0 1", "-2 -1 0 1 2", "0.1 0.2 0.3 -0.7", "0 0 0 1", "1e20 1 -3 0"]).split()
    categories = draw.choice([[], ["b", "a"], ["c", "a", "b"]])
    table = [[draw.choice(values) for _ in range(numeric)] for _ in range(rows)]
    kinds = [draw.choice(categories) if categories else None for _ in range(rows)]
    truth = [draw.uniform(-1, 1) for _ in range(numeric)]
    noise = draw.choice([0, 0.3, 2, 2])
    labels = [sum(t * float(x) for t, x in zip(truth, row)) + noise * draw.uniform(-1, 1) > 0 for row in table]
    if len(set(labels)) == 1:
        labels[0] = not labels[0]
    if draw.random() < 0.2 and numeric > 1:  # a column that depends on another
        for row in table:
            row[-1] = str(int(Fraction(row[0]) * 2)) if Fraction(row[0]).denominator == 1 else row[0]
    header = [f"x{j}" for j in range(numeric)] + (["kind"] if categories else []) + ["y"]
    lines = [",".join(header)]
    for row, kind, label in zip(table, kinds, labels):
        lines.append(",".join(row + ([kind] if categories else []) + ["yes" if label else "no"]))
    present = list(dict.fromkeys(k for k in kinds if k is not None))
    names = [f"x{j}" for j in range(numeric)] + [f"kind={k}" for k in present]
    points = [[Fraction(x) for x in row] + [int(k == kind) for k in present] + ([1] if bias else [])
              for row, kind in zip(table, kinds)]
    order = ([len(names)] if bias else []) + list(range(numeric))
    ordered = sorted(present)
    order += [numeric + present.index(k) for k in ordered[1:] + ordered[:1]]
    return "\n".join(lines) + "\n", points, labels, names + (["(intercept)"] if bias else []), order, bias


def run(*command):
    return subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)


def statuses(certificate, data):
    """The exit statuses of both verifiers, and what they print; the plain one runs in this process."""
    native, said = run(HALFSPACE, "verify", certificate, data), io.StringIO()
    sys.argv = ["verify-certificate", str(certificate), str(data)]
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        plain = PLAIN.main()
    return [native.returncode, plain], f"{native.stdout}{native.stderr}; {said.getvalue()}"


def stated(certificate):
    """The kind and the estimates that a certificate states, by coordinate; infinite ones without a sign are open."""
    part, separators = certificate["coefficients"], certificate["separators"]
    d = certificate["data"]
    estimates = {j: "finite" for j in range(d["features"] + (d["bias"] != "none"))}
    if part["direction"] is not None:
        vector = separators[part["direction"]]["vectors"][0]
        for j, weight in enumerate([*vector["weights"], vector["bias"]]):
            if weight != "0":
                estimates[j] = "undecided"
    for one in part["signs"]:
        names = {"+": "+infinite", "-": "-infinite", "undetermined": "undetermined"}
        estimates[one["coordinate"]] = names[one["sign"]]
    for one in part["aliased"]:
        estimates[one["coordinate"]] = "aliased"
    kind = "overlap" if part["direction"] is None else "complete" if part["witness"] is None else "quasi-complete"
    return kind, estimates


def altered(certificate, draw):
    """A copy with one part of `coefficients`, or a number that it rests on, changed."""
    c = copy.deepcopy(certificate)
    part, separators, combinations = c["coefficients"], len(c["separators"]), len(c["combinations"])
    what = draw.choice(["direction", "witness", "null_space", "signs", "sign",
                       "by", "rank_rows", "row", "aliased", "coordinate"])
    if what in ("direction", "witness"):
        part[what] = draw.choice([None, *range(separators if what == "direction" else combinations)])
    elif what in ("null_space", "rank_rows", "signs", "aliased") and part[what]:
        part[what].pop(draw.randrange(len(part[what])))
    elif what == "sign" and part["signs"]:
        draw.choice(part["signs"])["sign"] = draw.choice(["+", "-"])
    elif what == "by" and part["signs"]:
        one = draw.choice(part["signs"])
        one["by"] = draw.randrange(separators if one["sign"] == "undetermined" else combinations)
    elif what == "row" and part["rank_rows"]:
        draw.choice(part["rank_rows"])["row"] = draw.randint(1, c["data"]["sources"][0]["rows"])
    elif what == "coordinate" and part["signs"] + part["aliased"]:
        draw.choice(part["signs"] + part["aliased"])["coordinate"] = draw.randrange(c["data"]["features"] + 1)
    return c


def written(certificate, path):
    text = json.dumps({key: value for key, value in certificate.items()
                      if key != "checksum"}, ensure_ascii=False)[:-1] + ",\n"
    path.write_text(text + '"checksum": "%s"}\n' % hashlib.sha256(text.encode()).hexdigest())


def check_altered(certificate, data, truth, draw, folder):
    """Returns what is wrong with the verifiers; None if nothing is."""
    path = folder / f"{data.stem}.altered"
    for _ in range(3):
        other = altered(certificate, draw)
        written(other, path)
        (native, plain), _ = statuses(path, data)
        if native != plain:
            return f"{native} and {plain} for {other['coefficients']}, altered from {certificate['coefficients']}"
        if native == 0:
            kind, estimates = stated(other)
            open_sign = {j for j, estimate in estimates.items() if estimate == "undecided" and truth[1][j] in (
                "+infinite", "-infinite", "undetermined")}
            if kind != truth[0] or any(estimates[j] != truth[1][j] for j in estimates.keys() - open_sign):
                if not aliases_differ(estimates, truth[1]):
                    return f"accepted, but wrong: {other['coefficients']}"
    return None


def aliases_differ(estimates, truth):
    """Whether other columns are called aliased: as true, and then other coefficients are asked about."""
    return any((estimates[j] == "aliased") != (truth[j] == "aliased") for j in estimates)


def estimates_of(text, folder, name, bias):
    data = folder / f"{name}.csv"
    data.write_text(text)
    done = run(HALFSPACE, "certify", data, "--label", "y", "--positive", "yes",
               "--coefficients", "--json", *([] if bias else ["--bias", "none"]))
    said = json.loads(done.stdout)["separation"]
    return said["kind"], {one["name"]: one["estimate"] for one in said["coefficients"]}


def check_changed(seed, text, found, bias, folder):
    """Tables that are the same question in another form: returns the name of one that is answered otherwise."""
    draw = random.Random(seed)
    header, *lines = text.splitlines()
    rows = [line.split(",") for line in lines]
    numeric = [j for j, name in enumerate(header.split(",")) if name.startswith("x")]

    def answer(changed):
        return estimates_of("\n".join([header, *(",".join(row) for row in changed)]) + "\n", folder, f"{seed}-changed", bias)

    opposite = {"+infinite": "-infinite", "-infinite": "+infinite"}
    kind, estimates = found
    permuted = draw.sample(rows, len(rows))
    scale = {j: draw.choice([Fraction(1, 8), Fraction(3), Fraction(125, 2), Fraction(-1)]) for j in numeric}
    scaled = [[str_of(Fraction(x) * scale[j]) if j in scale else x for j, x in enumerate(row)] for row in rows]
    flipped = [[*row[:-1], "no" if row[-1] == "yes" else "yes"] for row in rows]
    repeated = rows + [draw.choice(rows)]
    of_scaled = {f"x{j}": opposite.get(estimates[f"x{j}"], estimates[f"x{j}"]) for j in numeric if scale[j] < 0}
    of_flipped = {name: opposite.get(estimate, estimate) for name, estimate in estimates.items()}
    for name, changed, wanted in (("permuted", permuted, estimates), ("scaled", scaled, {**estimates, **of_scaled}),
                                  ("flipped", flipped, of_flipped), ("repeated", repeated, estimates)):  # fmt: skip
        if answer(changed) != (kind, wanted):
            return name
    return None


def str_of(number):
    """A fraction of a power of two as a decimal."""
    places = 0
    while number.denominator != 1:
        number, places = number * 10, places + 1
    return f"{number.numerator}e-{places}"


def check(seed, folder):
    """Returns the kind; or what differs."""
    text, points, labels, names, order, bias = design(seed)
    data, certificate = folder / f"{seed}.csv", folder / f"{seed}.cert"
    data.write_text(text)
    types = ["--label", "y", "--positive", "yes"]
    done = run(HALFSPACE, "certify", data, *types, "--coefficients", "--json",
               "-o", certificate, *([] if bias else ["--bias", "none"]))
    if done.returncode not in (0, 1):
        return f"seed {seed}: exit status {done.returncode}: {done.stderr}"
    said = json.loads(done.stdout)["separation"]
    if said["positive"] != "yes" or run(HALFSPACE, "certify", data, *types, "--coefficients").stdout.count("for 'yes'") != 1:
        return f"seed {seed}: signs are for {said['positive']}"
    kind, separated, estimates = expected(points, labels, order)
    wanted = {names[j]: estimate for j, estimate in estimates.items()}
    found = {one["name"]: one["estimate"] for one in said["coefficients"]}
    if (kind, separated, wanted) != (said["kind"], said["separated_rows"], found):
        return f"seed {seed}: {said['kind']}, {said['separated_rows']}, {found}; the oracle: {kind}, {separated}, {wanted}\n{text}"
    found_by, said_by = statuses(certificate, data)
    if found_by != [0, 0]:
        return f"seed {seed}: the verifiers return {found_by}: {said_by}"
    if seed % 5 == 0 and (changed := check_changed(seed, text, (kind, found), bias, folder)):
        return f"seed {seed}: answered otherwise when {changed}\n{text}"
    by_coordinate = {j: estimates[j] for j in range(len(names))}
    proof = json.loads(certificate.read_text())
    wrong = check_altered(proof, data, (kind, by_coordinate), random.Random(seed), folder)
    return f"seed {seed}: {wrong}" if wrong else kind


def main():
    with tempfile.TemporaryDirectory() as folder, ProcessPoolExecutor(2) as pool:
        results = list(pool.map(check, range(DESIGNS), itertools.repeat(Path(folder))))
    kinds = {kind: results.count(kind) for kind in ("overlap", "quasi-complete", "complete")}
    wrong = [result for result in results if result not in kinds]
    print(*wrong[:5], sep="\n")
    print(f"{DESIGNS} designs: {kinds}; {len(wrong)} differ")
    return 1 if wrong or min(kinds.values()) < DESIGNS // 20 else 0


if __name__ == "__main__":
    sys.exit(main())
