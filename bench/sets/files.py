"""A data set as the files that programs read: the same values for everyone, as LIBSVM and as VW's text.

A set is split (the official test file where there is one, else every fifth row), its categories become features of 0
and 1, and words become features that count. A feature that no training row has is left out of the test rows:
nobody learned anything about it. Values stay as they stand in the file unless a set is `scaled`.
"""

import hashlib
import json
import random
import re
from dataclasses import dataclass, replace
from pathlib import Path

from .table import Set
from .readers import number

HELD_OUT = 5  # one row in so many, where there is no test file
VERSION = 2  # of what is written: raised when the same files would be made into others


def split(rows):
    """Every fifth row held out."""
    return ([row for i, row in enumerate(rows) if i % HELD_OUT != HELD_OUT - 1], rows[HELD_OUT - 1 :: HELD_OUT])


def indexed(train, test):
    """Rows of named features as LIBSVM text. Cells of a column that is not all numbers are features of 0 and 1."""
    words = {key for _, row in train for key, value in row.items() if isinstance(value, str) and number(value) is None}
    index = {}

    def text(row, learn):
        pairs = []
        for key, value in row.items():
            name, value = (f"{key}={value}", 1) if key in words else (key, value)
            place = index.setdefault(name, len(index) + 1) if learn else index.get(name)
            if place and number(value):
                pairs.append((place, value))
        return " ".join(f"{k}:{value}" for k, value in sorted(pairs))

    train = [(label, text(row, True)) for label, row in train]
    return train, [(label, text(row, False)) for label, row in test]


def pairs_of(text):
    for pair in text.split():
        index, _, value = pair.partition(":")
        yield int(index), value


def scaled(train, test):
    largest = {}
    for _, text in train:
        for index, value in pairs_of(text):
            largest[index] = max(largest.get(index, 0), abs(float(value)))

    def one(text):
        return " ".join(f"{k}:{float(v) / largest[k]:.9g}" for k, v in pairs_of(text) if k in largest)

    return [(label, one(text)) for label, text in train], [(label, one(text)) for label, text in test]


def known_features(train, test):
    """The last feature of the training rows, and test rows without what lies behind it."""

    def last(text):
        return int(text[text.rfind(" ") + 1 :].partition(":")[0]) if text else 0

    most = max(last(text) for _, text in train)
    return most, [
        (label, text if last(text) <= most else " ".join(f"{k}:{v}" for k, v in pairs_of(text) if k <= most))
        for label, text in test
    ]


def numbered(data, labels):
    """Class -> what LIBSVM files call it: -1 and +1, or 0, 1, 2 ... in order."""
    if data.positive:
        return lambda label: "+1" if label == data.positive else "-1", 2
    names = sorted(set(labels), key=lambda label: (number(label) is None, number(label) or 0, label))
    words = dict(zip(names, ("-1", "+1") if len(names) == 2 else map(str, range(len(names)))))

    def word(label):
        if label not in words:
            raise ValueError(f"class {label[:40]!r} is in the test file and not in the training file")
        return words[label]

    return word, len(names)


@dataclass
class Prepared:
    """One set on disk: PART.svm and PART.vw for PART of train and test."""

    data: Set
    folder: Path
    rows: int = 0
    test_rows: int = 0
    features: int = 0
    classes: int = 0

    def path(self, part, form="svm"):
        return self.folder / f"{part}.{form}"

    def truth(self, part="test"):
        with open(self.path(part)) as file:
            return [float(line.split(None, 1)[0]) for line in file]


def stamp(data, files):
    found = [(str(file), file.stat().st_size, file.stat().st_mtime_ns) for file in files]
    return hashlib.sha256(f"{VERSION} {replace(data, reader=None)} {found}".encode()).hexdigest()


def prepare(data, files, target):
    """Writes the set's files to `target`, unless they are there from the same files already."""
    folder = Path(target) / re.sub(r"[^a-z0-9]+", "-", data.name.lower())
    note, made = folder / "made.json", Prepared(data, folder)
    wanted = stamp(data, files)
    if note.exists() and json.loads(note.read_text())["stamp"] == wanted:
        for name, value in json.loads(note.read_text()).items():
            setattr(made, name, value)
        return made
    folder.mkdir(parents=True, exist_ok=True)
    note.unlink(missing_ok=True)
    train = list(data.reader(files[0]))
    if len(files) > 1:
        test = list(data.reader(files[1]))
    else:
        train, test = (train, []) if data.progressive else split(train)
    if data.renamed:
        names = dict(data.renamed)
        train, test = ([(names.get(label, label), row) for label, row in part] for part in (train, test))
    if isinstance(train[0][1], dict):
        train, test = indexed(train, test)
    if data.scaled:
        train, test = scaled(train, test)
    if data.shuffled:
        random.Random(1).shuffle(train)
    made.features, test = known_features(train, test)
    word, made.classes = numbered(data, (label for label, _ in train))
    made.rows, made.test_rows = len(train), len(test)
    for part, rows in (("train", train), ("test", test)):
        with open(made.path(part), "w") as svm, open(made.path(part, "vw"), "w") as vw:
            for label, text in rows:
                label = word(label)
                svm.write(f"{label} {text}\n")
                vw.write(f"{int(label) + (made.classes > 2)} | {text}\n")
    kept = {name: getattr(made, name) for name in ("rows", "test_rows", "features", "classes")}
    note.write_text(json.dumps({"stamp": wanted, **kept}))
    return made
