#!/usr/bin/python3 -B
"""Holds ten small runs to the number of instructions that they are known to take.

  budget.py check COMMAND     runs each under Callgrind; fails where one takes 3 % more than is stored
  budget.py renew COMMAND     stores the numbers of this build

COMMAND is halfspace_counted: Valgrind rounds to nearest only, which halfspace itself refuses.
budget.json holds the numbers for a compiler and a processor's kind. Valgrind's processor has no AVX-512, so a number
is that of the 32-byte vectors, on every machine with AVX2. A run that takes 3 % less is named as well: store its
number, or the next 3 % go unseen. Exits with 77 (skipped) where nothing is stored for this compiler, or there is no
Valgrind.
"""

import json
import pathlib
import platform
import random
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
STORE = HERE / "budget.json"
MARGIN = 0.03
ROWS, COLUMNS = 2000, 20


def dense_rows(draws, classes):
    for _ in range(ROWS):
        label = draws.randrange(classes)
        yield label, [round(draws.gauss(1 if (j + label) % classes == 0 else 0, 1), 4) for j in range(COLUMNS)]


def write_inputs(folder):
    """Writes the inputs: the same bytes every time."""
    draws = random.Random(68)
    two, ten = list(dense_rows(draws, 2)), list(dense_rows(draws, 10))
    head = ",".join(f"x{j}" for j in range(COLUMNS)) + ",label\n"
    for name, rows in ("two.csv", two), ("ten.csv", ten):
        (folder / name).write_text(head + "".join(",".join(map(str, x)) + f",{y}\n" for y, x in rows))
    (folder / "two.svm").write_text(
        "".join(f"{2 * y - 1} " + " ".join(f"{j + 1}:{v}" for j, v in enumerate(x)) + "\n" for y, x in two))
    (folder / "two.jsonl").write_text(
        "".join(json.dumps({f"x{j}": v for j, v in enumerate(x)} | {"label": y}) + "\n" for y, x in two))
    apart = [(int(x[0] + x[1] > 0), x) for _, x in two if abs(x[0] + x[1]) > 0.1]
    (folder / "apart.csv").write_text(head + "".join(",".join(map(str, x)) + f",{y}\n" for y, x in apart))
    words = [f"w{k}" for k in range(3000)]
    (folder / "names.vw").write_text(
        "".join(f"{2 * y - 1} |a {' '.join(draws.choices(words[y * 500:], k=12))}\n" for y, _ in two))


# Each is what one person waits for: a reader, a learner, or what follows it.
RUNS = {
    "convert CSV": "convert two.csv -o two.cache",
    "perceptron, CSV": "train two.csv --rule perceptron --order stream --passes 1 -o m",
    "averaged perceptron, LIBSVM": "train two.svm --rule perceptron --keep average --passes 3 -o m",
    "perceptron, JSON Lines": "train two.jsonl --rule perceptron --order stream --passes 1 -o m",
    "names, hashed": "train names.vw --rule nag --hash 18 --order stream --passes 1 -o m",
    "one reading, no flag": "train names.vw --passes 1 -o m",
    "no flag": "train two.csv -o two.model",
    "softmax minimum": "train ten.csv --objective logistic -o m",
    "predict": "predict two.model two.csv -o predictions",
    "certify": "certify apart.csv",
}


def instructions(command, arguments, folder):
    callgrind = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
    done = subprocess.run(
        [*callgrind, command, *arguments.split(), "--threads", "1"], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    counted = re.search(r"Collected : (\d+)", done.stderr)
    if done.returncode or not counted:
        sys.exit(f"halfspace {arguments}: exit code {done.returncode}\n{done.stderr}")
    return int(counted[1])


def counts(command):
    with tempfile.TemporaryDirectory() as folder:
        write_inputs(pathlib.Path(folder))
        return {name: instructions(command, arguments, folder) for name, arguments in RUNS.items()}


def built_by():
    """The compiler and the processor, as they are stored."""
    version = subprocess.run(["c++", "-dumpfullversion"], capture_output=True, text=True).stdout.strip()
    return f"GCC {version.split('.')[0]}, {platform.machine()}"


def check(command, stored):
    failed = False
    for name, count in counts(command).items():
        before = stored.get(name)
        if before is None:
            print(f"{name}: {count:,} instructions, and none are stored: budget.py renew")
            failed = True
            continue
        change = count / before - 1
        grown, less = change > MARGIN, change < -MARGIN
        said = f": more than {MARGIN:.0%} above {before:,}" if grown else " (store it: budget.py renew)" if less else ""
        print(f"{name}: {count:,} instructions, {change:+.1%}{said}")
        failed = failed or grown
    return failed


def main(action, command):
    if not shutil.which("valgrind"):
        print("skipped: there is no valgrind")
        return 77
    all_stored, here = json.loads(STORE.read_text()) if STORE.exists() else {}, built_by()
    command = str(pathlib.Path(command).resolve())
    if action == "renew":
        all_stored[here] = counts(command)
        STORE.write_text(json.dumps(all_stored, indent=1) + "\n")
        return 0
    if here not in all_stored:
        print(f"skipped: nothing is stored for {here}")
        return 77
    return check(command, all_stored[here])


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] not in ("check", "renew"):
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
