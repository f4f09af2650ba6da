"""One table as CSV, JSON Lines, SQLite, a data frame and Arrow: the same features, notes and model."""

import json
import math
import sqlite3

import numpy as np
import pytest

import halfspace
from arrow_producer import ArrowTable

pandas = pytest.importorskip("pandas")

COLOURS = ["red", "blue", "dark green", "NULL"]
# Columns by what their cells are: a function of random draws to cells, None where the cell is blank.
KINDS = {
    "real": lambda d: [None if d.random() < 0.2 else round(d.normal(), 3) for _ in range(150)],
    "whole": lambda d: [None if d.random() < 0.1 else int(d.integers(0, 9)) for _ in range(150)],
    "full": lambda d: d.integers(0, 50, 150).tolist(),
    "colour": lambda d: [None if d.random() < 0.1 else COLOURS[d.integers(3)] for _ in range(150)],
    "code": lambda d: [str(d.integers(1, 30)) + d.choice(["", "A", "B"]) for _ in range(150)],
    "mixed": lambda d: [int(d.integers(0, 3)) if d.random() < 0.6 else COLOURS[d.integers(3)] for _ in range(150)],
    "digits": lambda d: [str(d.integers(0, 40)) for _ in range(150)],
    **{f"marked {mark}": lambda d, mark=mark: [mark if d.random() < 0.35 else int(d.integers(0, 40)) for _ in range(150)]
       for mark in ("NULL", ".", "\\N", "unknown", "<.05", "NA", "n/a")},
}


def table_of(seed):
    """Returns columns by name, and labels."""
    draws = np.random.default_rng(seed)
    kinds = draws.permutation(list(KINDS))[:draws.integers(2, 7)]
    columns = {f"{kind} {k}": KINDS[kind](draws) for k, kind in enumerate(kinds)}
    return columns, draws.choice(["no", "yes"], 150).tolist()


def is_numeric(cells):
    return all(cell is None or isinstance(cell, (int, float)) for cell in cells)


def frame_of(columns):
    return pandas.DataFrame({name: pandas.Series(cells, dtype=None if is_numeric(cells) else object)
                             for name, cells in columns.items()})


def arrow_of(columns):
    return ArrowTable({name: ("g", cells) if is_numeric(cells) else ("u", [None if c is None else str(c) for c in cells])
                       for name, cells in columns.items()}, batch=40)


def write_sqlite(path, columns, y):
    table = sqlite3.connect(path)
    names = ", ".join('"' + name.replace('"', '""') + '"' for name in [*columns, "y"])
    table.execute(f"CREATE TABLE rows ({names})")
    table.executemany(f"INSERT INTO rows VALUES ({', '.join('?' * (len(columns) + 1))})", zip(*columns.values(), y))
    table.commit()
    table.close()


def learned(model):
    """Returns what was learned, and the notes on the columns: that the label is `y`, and has a header, is of files."""
    weights, bias = model.weights()
    notes = [note for note in model.notes if not note[0].startswith(("the label was", "the first line was"))]
    return model.describe()["feature_names"], weights.tolist(), bias.tolist(), notes


@pytest.mark.filterwarnings("ignore::halfspace.HalfspaceWarning")
@pytest.mark.parametrize("seed", range(30))
def test_one_table_five_ways(tmp_path, seed):
    columns, y = table_of(seed)
    frame, options = frame_of(columns), {"rule": "arow", "order": "shuffled", "passes": 2}
    frame.assign(y=y).to_csv(tmp_path / "rows.csv", index=False)
    with open(tmp_path / "rows.jsonl", "w") as file:
        file.writelines(json.dumps(dict(zip([*columns, "y"], row))) + "\n" for row in zip(*columns.values(), y))
    write_sqlite(tmp_path / "rows.sqlite", columns, y)
    expected = learned(halfspace.train(tmp_path / "rows.csv", **options))
    assert any(not math.isclose(w, 0) for w in expected[1][0])
    for name in ("rows.jsonl", "rows.sqlite"):
        assert learned(halfspace.train(tmp_path / name, **options)) == expected, name
    for rows in (frame, arrow_of(columns)):
        assert learned(halfspace.train(rows, y, **options)) == expected, type(rows)


def test_a_type_that_csv_has_not_is_noted():
    frame = pandas.DataFrame({"b": [True, False, True, False], "k": pandas.Categorical([1, 2, 1, 2]),
                              "when": pandas.to_datetime(["2024-01-01", "2024-01-02"] * 2), "gap": [1, None, 2, 3]})
    notes = halfspace.train(frame, ["x", "y", "x", "y"], rule="perceptron").notes
    for column in ("'b'", "'k'", "'when'"):
        assert sum(column in text and "the type of" in text for text, _ in notes) == 1, notes


def test_a_series_of_texts_is_a_column():
    texts = pandas.Series(["cheap pills", "see you at noon", "cheap offer", "noon then"] * 5, name="note")
    y = ["spam", "ham"] * 10
    fitted = halfspace.Perceptron(text=["note"]).fit(texts, y)
    assert "note^cheap" in fitted.get_feature_names_out()
    assert fitted.predict(texts).tolist() == y
