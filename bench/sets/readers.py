"""Readers of data sets: a file's rows as (label, {feature: value}), or as (label, LIBSVM text)."""

import csv
import gzip
import re
import struct
from pathlib import Path


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
    """Rows of a delimited file; a column's name counts for `drop` alone, as some headers give one name twice."""

    def read(path):
        lines = lines_of(path)
        start = next((i + 1 for i, line in enumerate(lines) if re.match(head, line, re.I)), 0) if head else 0
        lines = [line for line in lines[start:] if not (head and line.startswith("%"))]
        rows = [[cell.strip() for cell in row] for row in csv.reader(lines, delimiter=delimiter, skipinitialspace=True)]
        names = rows.pop(0) if header else [""] * len(rows[0])
        place = label % len(names)
        kept = [k for k, name in enumerate(names) if k != place and name not in drop]
        for row in rows:
            if len(row) != len(names):
                raise ValueError(f"{path}: a row has {len(row)} cells, not {len(names)}: {','.join(row)[:60]}")
            yield row[place].rstrip("."), {k: row[k] for k in kept if row[k] not in ("", "?")}

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
