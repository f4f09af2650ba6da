"""Random tables in several formats, random compositions, and the command in a folder of its own."""

import json
import random
import re
import shlex
import subprocess
from pathlib import Path

PATIENCE = 30  # seconds for what takes milliseconds on an idle machine
NOT_FINITE = re.compile(r"(?<![\w.'-])[-+]?(?:nan|inf|infinity)(?![\w'])", re.IGNORECASE)
EXIT_CODES = (0, 1, 2, 3, 65, 66, 74)


class Failure(Exception):
    """A property that does not hold: the name of the check, and what was found."""


def strict(text):
    """Parses JSON as RFC 8259 has it: NaN and Infinity are no numbers."""

    def reject(word):
        raise ValueError(f"{word} is no JSON")

    return json.loads(text, parse_constant=reject)


def close(a, b, tolerance=1e-9):
    return abs(a - b) <= tolerance * max(1.0, abs(a), abs(b))


class Command:
    """The command under test, in a folder of its own; remembers what it ran."""

    def __init__(self, halfspace, folder):
        self.halfspace, self.folder, self.ran = halfspace, Path(folder), []

    def __call__(self, *words, codes=(0,), patience=PATIENCE, standard_input=None):
        words = [str(word) for word in words]
        self.ran.append("halfspace " + shlex.join(words) + (f" < {standard_input}" if standard_input else ""))
        given = (self.folder / standard_input).read_bytes() if standard_input else b""
        try:
            done = subprocess.run([self.halfspace, *words], cwd=self.folder,
                                  capture_output=True, timeout=patience, input=given)
        except subprocess.TimeoutExpired:
            raise Failure("ends", f"no end after {patience} s: {self.ran[-1]}") from None
        out, err = done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace")
        if done.returncode not in EXIT_CODES:
            raise Failure("exit-code", f"exit {done.returncode}: {self.ran[-1]}\n{err}")
        for text in (out, err):
            if found := NOT_FINITE.search(text):
                line = text[: found.end()].rsplit("\n", 1)[-1]
                raise Failure("finite", f"{self.ran[-1]}\nprints {line!r}")
        if done.returncode not in codes:
            raise Refused(done.returncode, err)
        return out

    def json(self, *words, **how):
        out = self(*words, "--json", **how)
        try:
            return strict(out)
        except ValueError as error:
            raise Failure("json", f"{self.ran[-1]}: {error}") from None

    def write(self, name, text):
        (self.folder / name).write_text(text, encoding="utf-8")
        return name


class Refused(Exception):
    """The command refused the case with a documented exit code, which is no fault by itself."""

    def __init__(self, code, text):
        super().__init__(f"exit {code}: {text}")
        self.code, self.text = code, text


class Table:
    """Rows of integers, reals or categories, a label and a weight each, and how each format writes them."""

    def __init__(self, rows, labels, weights, kind, names):
        self.rows, self.labels, self.weights, self.kind, self.names = rows, labels, weights, kind, names

    def __len__(self):
        return len(self.rows)

    @property
    def width(self):
        return len(self.rows[0])

    def weight(self, i):
        return 1 if self.weights is None else self.weights[i]

    def total(self):
        return sum(self.weight(i) for i in range(len(self)))

    def some(self, numbers, weighted=True):
        return Table([self.rows[i] for i in numbers], [self.labels[i] for i in numbers],
                     [self.weights[i] for i in numbers] if self.weights and weighted else None, self.kind, self.names)  # fmt: skip

    def repeated(self):
        """Rows repeated instead of weighted: only of whole weights."""
        return self.some([i for i in range(len(self)) for _ in range(int(self.weight(i)))], weighted=False)

    def scaled(self, factor):
        return Table([[value * factor for value in row] for row in self.rows], self.labels, self.weights, self.kind, self.names)

    def text(self, form, columns=()):
        """The table in a format: csv, libsvm, vw or jsonl. `columns`: other names of the columns."""
        lines = []
        columns = columns or [f"f{j + 1}" for j in range(self.width)]
        if form == "csv":
            lines.append(",".join([*columns] + (["w"] if self.weights else []) + ["y"]))
        for i, row in enumerate(self.rows):
            label, weight = self.names[self.labels[i]], self.weight(i)
            if form == "csv":
                lines.append(",".join([str(v) for v in row] + ([str(weight)] if self.weights else []) + [label]))
            elif form == "libsvm":
                lines.append(" ".join([label] + [f"{j + 1}:{v}" for j, v in enumerate(row) if v != 0]))
            elif form == "vw":
                lines.append(" ".join([label] + ([str(weight)] if self.weights else []) +
                             ["|"] + [f"{columns[j]}:{v}" for j, v in enumerate(row)]))
            else:
                members = {columns[j]: v for j, v in enumerate(row)}
                lines.append(json.dumps({**members, **({"w": weight} if self.weights else {}), "y": label}))
        return "\n".join(lines) + "\n"

    def flags(self, form):
        """How the format is read, so that classes and weights do not depend on which rows there are."""
        flags = ["--format", form, "--classes", ",".join(self.names), "--threads", "1"]
        if len(self.names) == 2:
            flags += ["--positive", self.names[1]]
        if form in ("csv", "jsonl"):
            flags += ["--label", "y"] + (["--weight", "w"] if self.weights else [])
            flags += ["--header"] if form == "csv" else []
            if self.kind != "categorical":
                flags += ["--numeric", ",".join(f"f{j + 1}" for j in range(self.width))]
            else:
                flags += ["--categorical", ",".join(f"f{j + 1}" for j in range(self.width))]
        return flags


class Case:
    """A random table and composition: the same for the same seed and number."""

    def __init__(self, seed, number, menu):
        self.name = f"{seed}:{number}"
        draw = self.draw = random.Random(self.name)
        classes = draw.choice((2, 2, 2, 2, 3, 3, 4, 5))
        count = draw.randint(2, 10) if draw.random() < 0.5 else draw.randint(8, 40)
        width = draw.randint(1, 4)
        kind = draw.choice(("integers", "integers", "ones", "reals", "categorical", "magnitudes"))
        self.table = random_table(draw, count, width, classes, kind,
                                  draw.choice((None, None, "whole", "whole", "parts")))
        forms = ["csv", "jsonl"] if kind == "categorical" else ["csv", "jsonl", "vw", "libsvm"]
        if self.table.weights:
            forms = [form for form in forms if form != "libsvm"]
        self.form = draw.choice(forms)
        self.forms = forms
        self.composition = random_composition(draw, menu, classes)
        self.passes = draw.choice((1, 1, 1, 2, 3))


def random_table(draw, count, width, classes, kind, weighing):
    def value():
        if kind == "integers":
            return draw.randint(-2, 2)
        if kind == "ones":
            return draw.randint(0, 1)
        if kind == "reals":
            return round(draw.gauss(0, 1), 3)
        if kind == "categorical":
            return draw.choice("pqr")
        return draw.choice((0, 1, -1)) * 10.0 ** draw.choice((-300, -160, -20, 0, 0, 3, 20, 150, 160, 300, 308))

    rows = [[value() for _ in range(width)] for _ in range(count)]
    labels = [draw.randrange(classes) for _ in range(count)]
    labels[: min(classes, count)] = range(min(classes, count))  # all classes, where there are rows enough
    order = list(range(count))
    draw.shuffle(order)
    labels = [labels[i] for i in order]
    weights = None
    if weighing:
        values = (0, 1, 1, 2, 3) if weighing == "whole" else (0, 0.5, 1, 1.5, 2.25)
        weights = [draw.choice(values) for _ in range(count)]
        if not any(weights):
            weights[0] = 1
    names = ["-1", "1"] if classes == 2 else [str(i + 1) for i in range(classes)]
    return Table(rows, labels, weights, kind, names)


def menu_of(halfspace):
    """The choices of `train`, from its own table of flags."""
    out = subprocess.run([halfspace, "train", "--help", "--json"], check=True,
                         capture_output=True, timeout=PATIENCE).stdout
    flags = {flag["name"]: flag for flag in json.loads(out)["flags"]}
    menu = {name: [choice["name"] for choice in flags[name]["choices"]]
            for name in ("preset", "rule", "order", "keep", "tie", "bias", "multiclass", "class-update", "objective")}  # fmt: skip
    takes = flags["preset"]["takes"]
    menu["preset"] = re.split(r", | or ", takes) if takes else menu["preset"]
    return menu


def random_composition(draw, menu, classes):
    """Flags of a composition; many are refused, with a reason."""
    if draw.random() < 0.5:
        flags = ["--preset", draw.choice(menu["preset"])]
    else:
        flags = ["--rule", draw.choice(menu["rule"])]
        if draw.random() < 0.5:
            flags += ["--order", draw.choice(menu["order"])]
    if draw.random() < 0.4:
        flags += ["--keep", draw.choice(menu["keep"])]
    if draw.random() < 0.6:
        flags += ["--tie", draw.choice(menu["tie"])]
    if draw.random() < 0.6:
        flags += ["--bias", draw.choice(menu["bias"])]
    if flags[1].endswith("tournament") and draw.random() < 0.5:
        flags += ["--validation-share", "0.2"]
    if classes > 2 and draw.random() < 0.6:
        flags += ["--multiclass", draw.choice(menu["multiclass"])]
    return flags


def value_of(flags, name, default=None):
    return flags[flags.index(name) + 1] if name in flags else default


def errors_shown(text):
    """The share behind `error` in the text of a run, as a fraction of 1, or None."""
    found = re.search(r"^  error +([0-9.]+) % ", text, re.MULTILINE)
    return float(found[1]) / 100 if found else None
