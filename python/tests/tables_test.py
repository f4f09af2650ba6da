"""Tables with categories, dates and gaps: pandas, Arrow, dicts; the same bits as the command on the CSV file."""

import datetime
import json
import os
import subprocess
import time
import warnings

import numpy as np
import pytest

import halfspace
from arrow_producer import ArrowTable
from support import command

pandas = pytest.importorskip("pandas")

ROWS = 900


def columns_of(rows=ROWS):
    draws = np.random.default_rng(3)
    age = draws.normal(40, 12, rows)
    colour = draws.choice(["red", "blue", "light, green", 'the "black"'], rows)
    size = draws.integers(1, 9, rows)
    day = [datetime.date(2024, 1, 1) + datetime.timedelta(days=int(d)) for d in draws.integers(0, 700, rows)]
    y = np.where(age + 8 * (colour == "red") + 3 * size + draws.normal(0, 4, rows) > 55, "yes", "no")
    age[draws.random(rows) < 0.1] = np.nan
    colour = [None if gap else c for gap, c in zip(draws.random(rows) < 0.1, colour.tolist())]
    return age, colour, size, day, y


def frame_of(rows=ROWS):
    age, colour, size, day, y = columns_of(rows)
    return pandas.DataFrame({"age": age, "colour": pandas.Categorical(colour), "size": size,
                             "day": pandas.to_datetime(day)}), y


def arrow_of(rows=ROWS, **how):
    age, colour, size, day, y = columns_of(rows)
    days = [(d - datetime.date(1970, 1, 1)).days for d in day]
    return ArrowTable({"age": ("g", [None if a != a else a for a in age.tolist()]), "colour": ("u", colour),
                       "size": ("i", size.tolist()), "day": ("tdD", days)}, **how), y


def model_of_command(folder, frame, y, *options):
    path = os.path.join(folder, "table.csv")
    frame.assign(y=y).to_csv(path, index=False)
    out = os.path.join(folder, "table.model")
    subprocess.run([command(), "train", path, "-o", out, "-q", "--categorical", "colour", "--dates", "day", *options],
                   check=True)
    return halfspace.load(out)


def assert_same(model, other):
    assert model.describe()["feature_names"] == other.describe()["feature_names"]
    for mine, theirs in zip(model.weights(), other.weights()):
        np.testing.assert_array_equal(mine, theirs)


@pytest.mark.parametrize("options", [{}, {"rule": "arow", "passes": 3}, {"rule": "ftrl", "interactions": "age:colour"}])
def test_the_same_bits_as_the_file(tmp_path, options):
    frame, y = frame_of()
    flags = [text for name, value in options.items() for text in (f"--{name}", str(value))]
    expected = model_of_command(tmp_path, frame, y, *flags)
    fitted = halfspace.HalfspaceClassifier(**options).fit(frame, y)
    assert_same(fitted.model_, expected)
    assert_same(halfspace.HalfspaceClassifier(**options).fit(arrow_of()[0], y).model_, expected)
    assert fitted.feature_names_in_.tolist() == ["age", "colour", "size", "day"]
    assert fitted.n_features_in_ == 4
    assert fitted.coef_.shape == (1, len(expected.describe()["feature_names"]))
    assert fitted.score(frame, y) > (0.6 if "interactions" in options else 0.85)


def test_pandas_arrow_and_dicts_predict_alike():
    frame, y = frame_of()
    fitted = halfspace.AROWClassifier().fit(frame, y)
    scores = fitted.decision_function(frame)
    np.testing.assert_array_equal(fitted.decision_function(arrow_of(batch=100)[0]), scores)
    np.testing.assert_array_equal(fitted.decision_function(arrow_of(batch=10_000, offset=0)[0]), scores)
    rows = [{name: None if value != value else value for name, value in row.items()}
            for row in frame.assign(day=frame["day"].dt.strftime("%Y-%m-%d"),
                                    colour=frame["colour"].astype(object)).to_dict("records")]
    np.testing.assert_array_equal(fitted.decision_function(rows), scores)
    np.testing.assert_array_equal(fitted.decision_function(iter(rows)), scores)
    moved = frame[["day", "size", "age", "colour"]]
    np.testing.assert_array_equal(fitted.model_.decision_function(moved), scores)


@pytest.mark.parametrize("make", [frame_of, lambda rows: arrow_of(rows, batch=7)])
def test_blocks_end_in_the_bits_of_one_call(make):
    table, y = make(ROWS)
    whole = halfspace.FTRLClassifier().partial_fit(table, y, classes=["no", "yes"])
    frame, y = frame_of()
    pieces = halfspace.FTRLClassifier()
    for first in list(range(0, 50)) + [50, 217, 218]:
        last = {217: 218, 218: ROWS, 50: 217}.get(first, first + 1)
        pieces.partial_fit(frame.iloc[first:last], y[first:last], classes=["no", "yes"])
    assert_same(pieces.model_, whole.model_)


def test_every_type_of_arrow():
    moments = [1_700_000_000_123, None, -1_000, 1_600_000_000_000, 0, 86_399_999]
    table = ArrowTable({
        "c": ("c", [1, -2, None, 4, 5, -6]), "C": ("C", [1, 2, 250, 4, None, 6]), "s": ("s", [1, 2, -3000, 4, 5, 6]),
        "S": ("S", [1, 2, 60000, 4, 5, 6]), "i": ("i", [1, 2, 3, None, -5, 6]), "I": ("I", [1, 2, 3, 4, 2**31, 6]),
        "l": ("l", [1, 2, 3, 4, -5 * 2**40, 6]), "L": ("L", [1, 2, 3, 4, 5, 2**63]),
        "f": ("f", [0.5, 1.25, float("nan"), 4, 5, 6]), "g": ("g", [0.1, 1e-300, None, 4, 5, 6]),
        "b": ("b", [True, False, None, True, True, False]), "u": ("u", ["a", "b", None, "a", "b", "ü,\"\n"]),
        "U": ("U", ["a", "b", None, "a", "b", "c"]), "vu": ("vu", ["a", "a text above twelve", None, "b", "b", "a"]),
        "dictionary": ("c", [0, 1, None, 1, 0, 1], ["low", "high"]),
        "decimal": ("d:10,2", [12345, -5, None, 0, 100, 99]), "day": ("tdD", [0, 1, None, 20000, -1, 5]),
        "moment": ("tsm:UTC", moments)}, batch=4)
    y = [0, 1, 0, 1, 0, 1]
    model = halfspace.Perceptron().fit(table, y).model_
    names = model.describe()["feature_names"]
    for name in ("c", "c=?", "I", "b", "u=a", 'u=ü,"\n', "vu=a text above twelve", "dictionary=low", "dictionary=?",
                 "decimal", "day.year", "moment.weekday=Tue", "moment.seconds"):
        assert name in names
    for _ in range(100):  # the thread of the call ends soon after it
        if table.released.count("batch") == 2:
            break
        time.sleep(0.02)
    assert table.released.count("batch") == 2 and "stream" in table.released and "schema" in table.released


def test_numbers_of_arrow_are_those_of_the_array():
    X = np.random.default_rng(0).normal(size=(300, 3))
    y = (X[:, 0] > 0).astype(int)
    table = ArrowTable({name: ("g", X[:, j].tolist()) for j, name in enumerate("abc")}, batch=70)
    frame = pandas.DataFrame(X, columns=list("abc"))
    of_table, of_frame = (halfspace.AROWClassifier().fit(data, y) for data in (table, frame))
    assert_same(of_table.model_, of_frame.model_)


def test_weights_and_texts():
    frame, y = frame_of()
    frame["note"] = np.where(frame["age"] > 40, "an old customer", "a new one")
    weights = np.random.default_rng(1).integers(0, 4, ROWS)
    fitted = halfspace.AROWClassifier(text=["note"], drop=["day"]).fit(frame, y, sample_weight=weights)
    assert "note^customer" in fitted.model_.describe()["feature_names"]
    again = pandas.DataFrame({name: frame[name].repeat(weights) for name in frame})
    assert fitted.score(frame, y) == pytest.approx(
        halfspace.AROWClassifier(text=["note"], drop=["day"]).fit(again, y.repeat(weights)).score(frame, y), abs=0.06)


def test_gaps_of_numbers_alone():
    X = np.random.default_rng(0).normal(size=(200, 3))
    y = (X[:, 0] > 0).astype(int)
    X[::7, 1] = np.nan
    frame = pandas.DataFrame(X, columns=list("abc"))
    fitted = halfspace.AROWClassifier().fit(frame, y)
    assert "b=?" in fitted.model_.describe()["feature_names"]
    with pytest.warns(UserWarning, match="valid feature names"):
        np.testing.assert_array_equal(fitted.decision_function(X), fitted.decision_function(frame))
    assert fitted.predict(frame[["a", "b", "c"]].dropna().iloc[:1]).shape == (1,)
    assert fitted.predict(pandas.DataFrame({"a": [1.0], "b": [None], "c": [0]})).shape == (1,)


def test_a_single_column_with_gaps_keeps_its_rows():
    frame = pandas.DataFrame({"a": [1.0, None, -1.0, None]})
    fitted = halfspace.Perceptron().fit(frame, [1, 1, 0, 1])
    assert fitted.predict(frame).shape == (4,)
    assert fitted.predict(frame.iloc[1:2]).shape == (1,)


def test_labels_that_look_like_gaps():
    frame = pandas.DataFrame({"a": [1.0, 2.0, -1.0, -2.0] * 5, "b": list("xyzx") * 5})
    fitted = halfspace.Perceptron().fit(frame, ["NA", "NA", "?", "?"] * 5)
    assert fitted.predict(frame).tolist() == ["NA", "NA", "?", "?"] * 5


@pytest.mark.parametrize("kind,labels", [("Int64", [0, 1]), ("string", ["a", "b"]), ("boolean", [True, False])])
def test_labels_that_are_missing_name_their_row(kind, labels):
    y = pandas.Series(labels + [pandas.NA] + labels, dtype=kind)
    with pytest.raises(ValueError, match="row 3"):  # newer pandas makes a NaN of the integers' NA
        halfspace.Perceptron().fit(np.arange(10.0).reshape(5, 2), y)


def test_periods_are_no_column():
    frame = pandas.DataFrame({"month": pandas.period_range("2020-01", periods=4, freq="M")})
    with pytest.raises(halfspace.DataError, match="column 'month' is period.*no number, text or date"):
        halfspace.Perceptron().fit(frame, [0, 1, 0, 1])


def test_pickled_tables():
    import pickle

    frame, y = frame_of()
    fitted = halfspace.FTRLClassifier().partial_fit(frame.iloc[:300], y[:300], classes=["no", "yes"])
    other = pickle.loads(pickle.dumps(fitted))
    for model in (fitted, other):
        model.partial_fit(frame.iloc[300:], y[300:])
    assert_same(fitted.model_, other.model_)


def test_certify_a_table(tmp_path):
    frame, y = frame_of(60)
    frame = frame.drop(columns="day")
    found = halfspace.certify(frame, y, seconds=20)
    path = tmp_path / "rows.csv"
    halfspace.write_rows(path, frame, y)
    assert found.verdict in ("separable", "not separable")
    assert found.separable is (found.verdict == "separable")
    assert halfspace.verify(found, path).valid


@pytest.mark.parametrize("table, what", [
    (pandas.DataFrame({"a": [1.0, np.inf], "b": ["x", "y"]}), "row 2, column 'a'"),
    (pandas.DataFrame({"a": [1.0, 2.0], "b": pandas.to_timedelta([1, 2])}), "'b' is timedelta64"),
    (pandas.DataFrame({"a": [1.0, 2.0], "b": pandas.Categorical([1, "1"])}), "both written '1'"),
    (pandas.DataFrame({"a": [1.0, None], "b": [1j, 2]}), "Complex"),
    ([{"a": 1.0}, {"a": [2]}], "'a' holds"), ([{"a": 1}, 3], "row 2 is int"), ([{"a": 1}, {2: 1}], "row 2 has"),
    (ArrowTable({"a": ("g", [1.0, float("inf")])}), "row 2, column 'a'"),
    (ArrowTable({"a": ("tDs", [1, 2])}), "column 'a' has Arrow's type 'tDs'"),
    (ArrowTable({"a": ("c", [0, 7], ["low"])}), "row 2, column 'a'"),
    (ArrowTable({"a": ("tdD", [0, 2**31 - 1])}), "row 2, column 'a'"),
    (ArrowTable({"a": ("g", [1.0, 2.0])}, batch=1, fail=1), "cancelled"),
    (ArrowTable({"a": ("g", [])}), "no rows"),
    (ArrowTable({"y": ("g", [1.0, 2.0]), "": ("g", [1.0, 2.0])}), "empty or duplicate"),
    (iter([]), "0 sample"),
])
def test_bad_tables(table, what):
    with pytest.raises((ValueError, TypeError), match=what):
        halfspace.Perceptron().fit(table, [0, 1])


def test_a_table_for_a_model_of_numbers():
    X = np.random.default_rng(0).normal(size=(50, 2))
    frame = pandas.DataFrame(X, columns=["a", "b"])
    fitted = halfspace.Perceptron().fit(frame, (X[:, 0] > 0).astype(int))
    frame.iloc[3, 1] = np.nan
    with pytest.raises(ValueError, match="row 4, column 2"):
        fitted.predict(frame)
    with pytest.raises(ValueError, match="row 1, column 2"):
        fitted.predict(frame.assign(b="x"))


def later_of(folder, **columns):
    path = folder / "later.csv"
    pandas.DataFrame(columns).to_csv(path, index=False)
    return path


@pytest.mark.parametrize("Estimator", [halfspace.HalfspaceClassifier, halfspace.FTRLClassifier])
@pytest.mark.parametrize("texts", [True, False])
def test_evaluating_needs_no_weights(Estimator, texts, tmp_path):
    frame, y = frame_of()
    frame = frame[["size", "age", "colour"]] if texts else frame[["size"]].astype(float)
    for given in ({"sample_weight": None}, {"sample_weight": np.where(y == "yes", 2.0, 1.0)}):
        model = Estimator(class_weight={"yes": 30}).fit(frame, y, **given).model_
        accuracy = np.mean([own == truth for own, truth in zip(model.predict(frame), y)])
        assert model.evaluate(frame, y)["accuracy"] == pytest.approx(accuracy)
        path = later_of(tmp_path, **frame, status=y)
        assert model.evaluate(path, label="status")["accuracy"] == pytest.approx(accuracy)
        model.save(tmp_path / "cw.model")
        run = subprocess.run([command(), "evaluate", tmp_path / "cw.model", path, "--label", "status", "--json"],
                             check=True, stdout=subprocess.PIPE)
        assert json.loads(run.stdout)["accuracy"] == pytest.approx(accuracy)


def test_an_absent_label_is_to_be_named(tmp_path):
    frame, y = frame_of(60)
    model = halfspace.Perceptron().fit(frame[["size", "colour"]], y).model_
    path = later_of(tmp_path, size=frame["size"], colour=frame["colour"], status=y)
    with pytest.raises(halfspace.DataError, match="from: 'y' .the label.; name the column of the labels with label .rows without labels"):
        model.evaluate(path)
    assert model.evaluate(path, label="status")["rows"] == 60


def test_proposed_columns_are_the_frames_own():
    frame, y = frame_of(60)
    for options in ({"text": ["message"]}, {"drop": ["message"]}, {"interactions": "message:size"}):
        with pytest.raises(halfspace.UsageError, match="no column 'message'; the columns are 'age', 'colour', 'size', "
                                                       "'day'$"):
            halfspace.Perceptron(class_weight={"yes": 2}, **options).fit(frame, y)


# ---- Notes ----


def notes_of_command(path, *flags):
    run = subprocess.run([command(), "train", path, "-q", *flags], check=True, stdout=subprocess.DEVNULL,
                         stderr=subprocess.PIPE, text=True)
    return [line[len("note: "):] for line in run.stderr.splitlines() if line.startswith("note: ")]


def naming_frame(rows=400):
    draws = np.random.default_rng(1)
    a = draws.normal(size=rows)
    frame = pandas.DataFrame({"who": [f"row{i}" for i in range(rows)], "a": a, "b": draws.choice(["x", "y"], rows)})
    return frame, np.where(a + draws.normal(size=rows) > 0.8, "fraud", "fine")


@pytest.mark.parametrize("options, flags", [
    ({}, []), ({"class_weight": {"fraud": 30}}, ["--class-weight", "fraud=30"]),
    ({"rule": "ftrl", "passes": 2}, ["--rule", "ftrl", "--passes", "2"])])
def test_notes_are_those_of_the_command(options, flags, tmp_path):
    frame, y = naming_frame()
    path = later_of(tmp_path, **frame, y=y)
    with pytest.warns(halfspace.HalfspaceWarning, match="'who' has a different value in nearly every row: it names"):
        fitted = halfspace.HalfspaceClassifier(**options).fit(frame, y)
    with pytest.warns(halfspace.HalfspaceWarning, match="'who'") as caught:
        trained = halfspace.train(path, label="y", **options)
    assert [warning.filename for warning in caught] == [__file__]
    expected = notes_of_command(path, "--label", "y", *flags)
    assert any("'who'" in text for text in expected)
    assert [text for text, _ in fitted.notes_] == [text for text, _ in trained.notes] == expected


def test_notes_on_numbers_in_memory():
    draws = np.random.default_rng(2)
    X, y = draws.normal(size=(100, 2)), draws.integers(0, 2, 100)
    fitted = halfspace.FTRLClassifier(passes=1).fit(X, y)
    assert [text[:17] for text, _ in fitted.notes_] == ["the model errs on"]  # and nothing on the name of the label
    # Weights ask for other errors, not for fewer.
    assert halfspace.FTRLClassifier(passes=1, class_weight={1: 5}).fit(X, y).notes_ == []
    assert halfspace.FTRLClassifier(passes=1).fit(X, y, sample_weight=1.0 + y).notes_ == []
    assert halfspace.FTRLClassifier(passes=1).fit(X, y, sample_weight=np.full(100, 2.0)).notes_ == []


def test_nothing_warns_of_good_columns():
    frame, y = naming_frame()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        halfspace.HalfspaceClassifier().fit(frame.drop(columns="who"), y)
        halfspace.FTRLClassifier(id="who").fit(frame, y)


@pytest.mark.parametrize("shape", [np.asarray, lambda rows: pandas.DataFrame(rows, columns=["a"]),
                                   lambda rows: pandas.DataFrame(rows, columns=["a"]).assign(b="text")])
def test_integers_that_doubles_do_not_tell_apart_are_named(shape):
    rows = np.array([[2**53 + 1], [2**53]] * 20)
    with pytest.warns(halfspace.HalfspaceWarning, match=r"^(X|'a') has whole numbers above 2\^53"):
        halfspace.HalfspaceClassifier().fit(shape(rows), [1, 0] * 20)
    with warnings.catch_warnings():
        warnings.simplefilter("error", halfspace.HalfspaceWarning)
        halfspace.Perceptron().fit(np.minimum(rows, 2**53 - 1) - 5, [1, 0] * 20)
