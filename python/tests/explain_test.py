"""Model.explain(): the contributions of the formula, and changes that flip the label."""

import pathlib

import numpy as np
import pytest

import halfspace

CREDIT = pathlib.Path(__file__).resolve().parents[2] / "examples" / "credit.csv"


def table():
    draws = np.random.default_rng(69)
    X = draws.normal(size=(300, 4)) * [1, 10, 0.1, 1000]
    return X, (X @ [1, 0.1, 5, 0.001] + draws.normal(size=300) > 0).astype(int)


def test_contributions_are_those_of_the_formula():
    from sklearn.linear_model import LogisticRegression

    X, y = table()
    peer = LogisticRegression(max_iter=5000).fit(X, y)
    model = halfspace.from_sklearn(peer)
    for i in (0, 7):
        found = model.explain(X[i:i + 1], against=X.mean(axis=0))
        expected = peer.coef_[0] * (X[i] - X.mean(axis=0))
        size = np.abs(expected).sum()
        named = {c["column"]: c["contribution"] for c in found["contributions"]}
        assert np.allclose([named[str(j + 1)] for j in range(4)], expected, rtol=0, atol=1e-12 * size)
        assert abs(sum(expected) - (found["score"] - found["reference"]["score"])) < 1e-12 * size
        assert found["label"] == str(peer.predict(X[i:i + 1])[0])


def test_a_change_flips_the_label():
    X, y = table()
    model = halfspace.train(X, y)
    for i in range(20):
        before = model.predict(X[i:i + 1])[0]
        found = model.explain(X, i + 1)
        assert found["row"] == i + 1 and found["label"] == before
        changed = X[i].copy()
        for change in found["change"]["changes"]:
            changed[int(change["column"]) - 1] = change["to"]
        assert model.predict([changed])[0] == found["change"]["label"] != before


def test_a_file_without_the_column_of_names_has_row_numbers(tmp_path):
    model = halfspace.train(CREDIT, id="applicant")
    lines = CREDIT.read_text().splitlines()
    (tmp_path / "new.csv").write_text("".join(line.split(",", 1)[1] + "\n" for line in lines))
    found = model.explain(tmp_path / "new.csv", 7)
    assert "id" not in found and found["row"] == 7
    assert found["score"] == model.explain(CREDIT, "A0007")["score"]


def test_of_a_file():
    model = halfspace.train(CREDIT, id="applicant")
    found = model.explain(CREDIT, "A0007", fixed=["age"], limits={"income": (0, 100_000), "debt": (0, None)},
                          costs={"income": 0.001}, codes=None)
    assert found["id"] == "A0007"
    assert all(change["column"] != "age" for change in found["change"].get("changes", []))
    assert "contribution" in str(found) and "A0007" in str(found)
    frame = found.frame()
    assert list(frame.columns) == ["column", "value", "contribution", "least", "most"]
    assert len(frame) == len(found["contributions"])
    with pytest.raises(halfspace.DataError, match="no row 'A9999'"):
        model.explain(CREDIT, "A9999")
    with pytest.raises(halfspace.UsageError, match="no code is given"):
        model.explain(CREDIT, "A0007", codes={"none": ("R1", "None")})
