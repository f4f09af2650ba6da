"""The digits that `train --objective` calls certain, against minima that are known to 200 digits.

Newton's method in decimals of 220 digits goes on from the weights of the model, until its steps are below 1e-205. Of the
hinge, the rows on the margin are told from the model, the equations of a minimum are solved, and the conditions of a
minimum checked; where these rows depend on one another, that set is skipped.

Usage: digits_test.py HALFSPACE SOURCE; real data are in HALFSPACE_DATA, SOURCE/../shared/data by default.
"""

import decimal
import json
import os
import random
import subprocess
import sys
import tempfile

decimal.getcontext().prec = 220
Number = decimal.Decimal


def solve(matrix, right):
    """Returns x with matrix x = right, or None where a pivot vanishes. Gauss's elimination."""
    size = len(right)
    rows = [list(row) + [value] for row, value in zip(matrix, right)]
    for i in range(size):
        best = max(range(i, size), key=lambda r: abs(rows[r][i]))
        rows[i], rows[best] = rows[best], rows[i]
        if abs(rows[i][i]) < Number("1e-150"):
            return None
        for r in range(i + 1, size):
            share = rows[r][i] / rows[i][i]
            if share:
                rows[r] = [a - share * b for a, b in zip(rows[r], rows[i])]
    x = [Number(0)] * size
    for i in reversed(range(size)):
        x[i] = (rows[i][size] - sum(rows[i][k] * x[k] for k in range(i + 1, size))) / rows[i][i]
    return x


def inner(a, b):
    return sum(x * y for x, y in zip(a, b))


def smooth_minimum(points, w, derivatives):
    """derivatives(m): the first two of a row's loss. Rows are y x, the bias feature last."""
    for _ in range(40):
        gradient, hessian = list(w), [[Number(i == j) for j in range(len(w))] for i in range(len(w))]
        for z in points:
            slope, curvature = derivatives(inner(w, z))
            for i, value in enumerate(z):
                if not value:
                    continue
                gradient[i] += slope * value
                if curvature:
                    scaled = curvature * value
                    for j in range(i + 1):
                        hessian[i][j] += scaled * z[j]
        for i in range(len(w)):
            for j in range(i):
                hessian[j][i] = hessian[i][j]
        step = solve(hessian, gradient)
        w = [a - b for a, b in zip(w, step)]
        if max(map(abs, step)) < Number("1e-205"):
            return w
    raise AssertionError("no minimum to 200 digits")


def logistic(margin):
    p = 1 / (1 + margin.exp())
    return -p, p * (1 - p)


def squared_hinge(margin):
    return (-2 * (1 - margin), Number(2)) if margin < 1 else (Number(0), Number(0))


def hinge_minimum(points, w, near=Number("1e-5")):
    """Rows below the margin have a = 1, those on it are solved for: sum of a y x on the margin is 1."""
    below = [z for z in points if inner(w, z) < 1 - near]
    on = [z for z in points if abs(inner(w, z) - 1) <= near]
    of_below = [sum(column) for column in zip(*below)] if below else [Number(0)] * len(w)
    a = solve([[inner(y, z) for z in on] for y in on], [1 - inner(of_below, z) for z in on])
    if a is None or not all(0 <= share <= 1 for share in a):
        return None
    best = list(of_below)
    for share, z in zip(a, on):
        best = [value + share * x for value, x in zip(best, z)]
    for z in points:
        margin = inner(best, z)
        if any(z is y for y in on):
            assert abs(margin - 1) < Number("1e-150")
        elif any(z is y for y in below):
            if margin > 1:
                return None
        elif margin < 1:
            return None
    return best


def read_libsvm(path):
    rows = []
    with open(path) as text:
        for line in text:
            label, *entries = line.split()
            rows.append((label, {int(i): float(v) for i, v in (entry.split(":") for entry in entries)}))
    return rows


def certain_digits_hold(weight, best, digits):
    """Whether the weight is within half a unit of its digit number `digits`."""
    if digits == 0:
        return True
    exponent = abs(Number(weight)).adjusted()
    return abs(Number(weight) - best) <= Number(10) ** (exponent + 1 - digits) / 2


def digits_of(weight, radius):
    digits = 0
    while digits < 17 and weight and Number(radius) <= Number(10) ** (abs(Number(weight)).adjusted() - digits) / 2:
        digits += 1
    return digits


def check(halfspace, path, name):
    rows = read_libsvm(path)
    features = max(max(x) for _, x in rows if x)
    for objective in ("logistic", "squared-hinge", "svm"):
        with tempfile.TemporaryDirectory() as folder:
            model = os.path.join(folder, "a.model")
            run = json.loads(subprocess.run(
                [halfspace, "train", path, "--objective", objective, "--gap", "1e-9", "-o", model, "--json"],
                check=True, capture_output=True).stdout)
            seen = json.loads(subprocess.run([halfspace, "inspect", model, "--json"], check=True,
                                             capture_output=True).stdout)
        positive = list(run["classes"])[1]
        points = []
        for label, x in rows:
            sign = 1 if label == positive else -1
            points.append([Number(sign * x.get(j, 0.0)) for j in range(1, features + 1)] + [Number(sign)])
        found = [seen["weights"].get(str(j), 0.0) for j in range(1, features + 1)] + [seen["bias"]]
        start = [Number(value) for value in found]
        if objective == "svm":
            best = hinge_minimum(points, start)
        else:
            best = smooth_minimum(points, start, logistic if objective == "logistic" else squared_hinge)
        if best is None:
            print(f"{name} {objective}: rows on the margin depend on one another, SKIPPED")
            continue
        radius = run["minimum"]["radius"]
        distance = sum((Number(a) - b) ** 2 for a, b in zip(found, best)).sqrt()
        assert distance <= Number(radius), (name, objective, distance, radius)
        certain = [digits_of(value, radius) for value in found]
        for value, exact, digits in zip(found, best, certain):
            assert certain_digits_hold(value, exact, digits), (name, objective, value, exact, digits)
        counted = [0] * (max(certain) + 1)
        for digits in certain:
            counted[digits] += 1
        assert counted == run["minimum"]["digits"], (counted, run["minimum"]["digits"])
        print(f"{name} {objective}: {len(found)} weights, {sum(certain)} certain digits, none wrong; "
              f"distance {distance:.2e} of a radius of {radius:.2e}")


def make(path):
    draws = random.Random(5)
    with open(path, "w") as text:
        for _ in range(80):
            x = [round(draws.gauss(0, 1), 3) for _ in range(6)]
            label = 1 if x[0] - x[1] + draws.gauss(0, 0.5) > 0 else -1
            text.write(f"{label:+d} " + " ".join(f"{j}:{v}" for j, v in enumerate(x, 1)) + "\n")


def main():
    halfspace, source = sys.argv[1:]
    data = os.environ.get("HALFSPACE_DATA", os.path.join(os.path.dirname(source), "shared", "data"))
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "made.svm")
        make(path)
        check(halfspace, path, "made")
    for name in ("sonar/sonar.libsvm", "wdbc/wdbc.libsvm", "heart_scale/heart_scale"):
        path = os.path.join(data, name)
        if os.path.exists(path):
            check(halfspace, path, name.split("/")[0])
        else:
            print(f"{name}: SKIPPED, the shared data are not there (HALFSPACE_DATA)", file=sys.stderr)


if __name__ == "__main__":
    main()
