"""The data sets of bench/accuracy: what they are, and the same values for every program, as LIBSVM and as VW's text.

A set is read from its own files, split (the official test file where there is one, else every fifth row), its
categories become features of 0 and 1, and words become features that count. A feature that no training row has is left
out of the test rows: nobody learned anything about it. Values stay as they stand in the file unless a set says `scaled`.
"""

import csv
import gzip
import hashlib
import json
import random
import re
import struct
from dataclasses import dataclass, replace
from pathlib import Path

HELD_OUT = 5  # every so manyeth row, where there is no test file
VERSION = 1  # of what is written: raised when the same files would be made into others


@dataclass(frozen=True)
class Set:
    name: str
    reader: object  # path -> rows: (label, {feature: value as text or number}), or (label, LIBSVM text)
    train: str
    test: str = ""
    source: str = ""
    positive: str = ""  # this class against the rest
    renamed: tuple = ()  # (label, what it is called in the other file)
    shuffled: bool = False  # its file is sorted by class
    scaled: bool = False  # every column divided by its largest magnitude among the training rows
    progressive: bool = False  # a stream: every row predicted before it is learned, none held out

    def how(self):
        words = ["test file" if self.test else "progressive" if self.progressive else "every fifth row"]
        words += ["rows shuffled"] * self.shuffled + ["columns scaled"] * self.scaled
        return ", ".join(words)


# ---- readers: rows of (label, features) ----


def text_of(path):
    raw = Path(path).read_bytes()
    return (gzip.decompress(raw) if str(path).endswith(".gz") else raw).decode("utf-8", "replace")


def lines_of(path):
    return [line for line in text_of(path).splitlines() if line.strip()]


def libsvm(path):
    for line in lines_of(path):
        label, _, features = line.strip().partition(" ")
        yield f"{float(label):g}", features.strip()


def number(text):
    try:
        return float(text)
    except ValueError:
        return None


def table(delimiter=",", label=-1, header=False, drop=(), head=None):
    """Rows of a delimited file; columns in which every filled cell is a number stay numbers."""

    def read(path):
        lines = lines_of(path)
        start = next((i + 1 for i, line in enumerate(lines) if re.match(head, line, re.I)), 0) if head else 0
        lines = [line for line in lines[start:] if not (head and line.startswith("%"))]
        rows = [[cell.strip() for cell in row] for row in csv.reader(lines, delimiter=delimiter, skipinitialspace=True)]
        names = rows.pop(0) if header else [str(k) for k in range(len(rows[0]))]
        place = label % len(names)
        kept = [k for k, name in enumerate(names) if k != place and name not in drop]
        for row in rows:
            if len(row) != len(names):
                raise ValueError(f"{path}: a row has {len(row)} cells, not {len(names)}: {','.join(row)[:60]}")
            yield row[place].rstrip("."), {names[k]: row[k] for k in kept if row[k] not in ("", "?")}

    return read


arff = table(head=r"@data")


def words_of(text):
    counts = {}
    for word in re.findall(r"[^\W_]+(?:'[^\W_]+)?|[@#!?]", text.lower()):
        counts[f"w {word}"] = counts.get(f"w {word}", 0) + 1
    return counts


def labelled_lines(separator):
    """A label, the separator, text."""

    def read(path):
        for line in lines_of(path):
            label, _, text = line.partition(separator)
            yield label, words_of(text)

    return read


def text_column(text, label):
    def read(path):
        for row in csv.DictReader(text_of(path).splitlines()):
            if row[label] is not None:
                yield row[label], words_of(row[text])

    return read


def text_and_labels(path):
    """X_text.txt has the text, X_labels.txt the labels, line by line."""
    texts = text_of(path).rstrip("\n").split("\n")
    labels = text_of(str(path).replace("_text", "_labels")).split()
    if len(texts) != len(labels):
        raise ValueError(f"{path}: {len(texts)} texts and {len(labels)} labels")
    for label, text in zip(labels, texts):
        yield label, words_of(text)


def images(path):
    """MNIST's files, values divided by 255."""
    with gzip.open(path) as file:
        count, height, width = struct.unpack(">4xIII", file.read(16))
        pixels = file.read()
    with gzip.open(str(path).replace("images-idx3", "labels-idx1")) as file:
        labels = file.read()[8:]
    size = height * width
    for i in range(count):
        row = pixels[i * size : (i + 1) * size]
        yield str(labels[i]), " ".join(f"{k}:{value / 255:.6g}" for k, value in enumerate(row, 1) if value)


# ---- the sets ----

MADE = "made by bench/side_by_side/make_inputs"
UCI = "UCI; "
TWEETS = "TweetEval; cardiffnlp/tweeteval"

SETS = [
    Set("A", libsvm, "sparse.svm", "sparse-held-out.svm", MADE),
    Set("A, second seed", libsvm, "sparse-2.svm", "sparse-2-held-out.svm", MADE),
    Set("a9a", libsvm, "a9a/a9a", "a9a/a9a.t", UCI + "adult as LIBSVM's page has it",
        renamed=(("0", "-1"),)),  # fmt: skip
    Set("w8a", libsvm, "w8a/w8a.libsvm.gz", source="LIBSVM's page; sorted by class"),
    Set("w8a, shuffled", libsvm, "w8a/w8a.libsvm.gz", source="LIBSVM's page", shuffled=True),
    Set("imdb", libsvm, "imdb/imdb.libsvm.gz", "imdb/imdb.t.libsvm.gz", "Maas et al., counts of words"),
    Set("reuters earn", libsvm, "reuters21578/reuters21578_earn.libsvm.gz",
        "reuters21578/reuters21578_earn.t.libsvm.gz", "Reuters-21578, ModApte"),  # fmt: skip
    Set("sms_spam", libsvm, "sms_spam/sms_spam.libsvm.gz", source=UCI + "counts of words"),
    Set("spambase", libsvm, "spambase/spambase.libsvm", source="UCI"),
    Set("spambase, scaled", libsvm, "spambase/spambase.libsvm", source="UCI", scaled=True),
    Set("electricity", libsvm, "electricity/electricity.libsvm.gz", source="Harries, NSW", progressive=True),
    Set("MNIST", images, "mnist/train-images-idx3-ubyte.gz", "mnist/t10k-images-idx3-ubyte.gz", "LeCun et al."),
    Set("digits", libsvm, "digits/digits.libsvm", source=UCI + "optdigits, in scikit-learn"),
    # What follows is from public repositories, and no option of ours was chosen by it.
    Set("kddcup99", table(), "kddcup99/kddcup.data_10_percent.gz", "kddcup99/corrected.gz",
        "KDD cup 1999, normal or not; potash/brf-example", positive="normal"),  # fmt: skip
    Set("magic", table(), "magic/magic04.data", source=UCI + "bokunwang1/P-norm-Push", shuffled=True),
    Set("magic, scaled", table(), "magic/magic04.data", source=UCI + "the same", shuffled=True, scaled=True),
    Set("skin", table("\t"), "skin/Skin_NonSkin.txt", source=UCI + "samhiggs/kmeans-algorithm", shuffled=True),
    Set("htru2", table(), "htru2/HTRU_2.csv", source=UCI + "samhiggs/kmeans-algorithm"),
    Set("htru2, scaled", table(), "htru2/HTRU_2.csv", source=UCI + "the same", scaled=True),
    Set("bank marketing", table(header=True), "bank_marketing/training_set_label.csv",
        source=UCI + "aiplanethub/Datasets"),  # fmt: skip
    Set("bank marketing, scaled", table(header=True), "bank_marketing/training_set_label.csv",
        source=UCI + "the same", scaled=True),  # fmt: skip
    Set("adult, raw", table(), "adult/adult-train.csv", "adult/adult-test.csv", UCI + "jbrownlee/Datasets"),
    Set("travel insurance", table(header=True), "travel_insurance/Training_set_label.csv",
        source="aiplanethub/Datasets"),  # fmt: skip
    Set("phishing pages", table(header=True, drop=("url",)), "phishing_urls/Training_set_label.csv",
        source="Hannousse and Yahiouche; aiplanethub/Datasets"),  # fmt: skip
    Set("mammography", table(), "mammography/mammography.csv", source="jbrownlee/Datasets"),
    Set("cyberbullying", text_column("Text", "oh_label"), "cyberbullying/Training_set_label.csv",
        source="words; aiplanethub/Datasets"),  # fmt: skip
    Set("subjectivity", labelled_lines(" "), "subj/subj.all", source="words; harvardnlp/sent-conv-torch", shuffled=True),
    Set("film reviews", labelled_lines(" "), "rt_polarity/rt-polarity.all",
        source="words; harvardnlp/sent-conv-torch", shuffled=True),  # fmt: skip
    Set("stsa", labelled_lines(" "), "stsa/stsa.binary.train", "stsa/stsa.binary.test",
        "words; harvardnlp/sent-conv-torch"),  # fmt: skip
    Set("hate", text_and_labels, "tweeteval/hate_train_text.txt", "tweeteval/hate_test_text.txt", TWEETS),
    Set("offensive", text_and_labels, "tweeteval/offensive_train_text.txt", "tweeteval/offensive_test_text.txt", TWEETS),
    Set("emoji", text_and_labels, "tweeteval/emoji_train_text.txt", "tweeteval/emoji_test_text.txt", TWEETS),
    Set("reuters 8", labelled_lines("\t"), "r8/train.txt", "r8/test.txt", "words; yao8839836/text_gcn"),
    Set("letter", arff, "letter/letter.arff", source=UCI + "renatopp/arff-datasets"),
    Set("pendigits", arff, "pendigits/pendigits.arff", source=UCI + "renatopp/arff-datasets"),
    Set("satimage", table("\t", header=True), "satimage/sat.trn", "satimage/sat.tst", UCI + "Statlog_Landstat_Satellite_Project"),
    Set("nursery", arff, "nursery/nursery.arff", source=UCI + "renatopp/arff-datasets", shuffled=True),
]


# ---- from rows to the files that programs read ----


def split(rows):
    """Every fifth row held out."""
    return ([row for i, row in enumerate(rows) if i % HELD_OUT != HELD_OUT - 1], rows[HELD_OUT - 1 :: HELD_OUT])


def indexed(train, test):
    """Rows of named features as rows of LIBSVM text. Cells of a column that is not all numbers are features of 0 and 1."""
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
    return words.__getitem__, len(names)


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
    described = repr(replace(data, reader=None)) + repr([(str(f), f.stat().st_size, f.stat().st_mtime_ns) for f in files])
    return hashlib.sha256(f"{VERSION} {described}".encode()).hexdigest()


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
