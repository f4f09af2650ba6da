"""Models from and for scikit-learn, ONNX and PMML."""

import os
import pickle
import sys
import warnings
import xml.etree.ElementTree

import numpy as np
import pytest

pytest.importorskip("sklearn")

from sklearn.calibration import CalibratedClassifierCV  # noqa: E402
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis  # noqa: E402
from sklearn.ensemble import RandomForestClassifier  # noqa: E402
from sklearn.linear_model import (LogisticRegression, PassiveAggressiveClassifier, Perceptron,  # noqa: E402
                                  RidgeClassifier, SGDClassifier)
from sklearn.pipeline import make_pipeline  # noqa: E402
from sklearn.preprocessing import PolynomialFeatures, StandardScaler  # noqa: E402
from sklearn.svm import SVC, LinearSVC  # noqa: E402

import halfspace  # noqa: E402
from support import ESTIMATORS  # noqa: E402

DRAW = np.random.default_rng(3)
SCALES, SHIFTS = [1, 10, 0.1, 3], [0, 5, 0, 1]
X = DRAW.normal(size=(300, 4)) * SCALES + SHIFTS
NEW = DRAW.normal(size=(1000, 4)) * SCALES + SHIFTS
SUMS = X[:, 0] + X[:, 1] / 10 + 0.5 * DRAW.normal(size=300)
LABELS = {"two": (SUMS > 0.5).astype(int), "three": np.array(["low", "mid", "top"])[np.digitize(SUMS, [0, 1])],
          "signs": np.where(SUMS > 0.5, "+", "-")}

LINEAR = {
    "logistic": (lambda: LogisticRegression(), True),
    "one against rest": (lambda: LogisticRegression(solver="liblinear"), True),
    "no intercept": (lambda: LogisticRegression(fit_intercept=False), True),
    "svc": (lambda: LinearSVC(), False),
    "svc without intercept": (lambda: LinearSVC(fit_intercept=False), False),
    "sgd": (lambda: SGDClassifier(), False),
    "sgd, log loss": (lambda: SGDClassifier(loss="log_loss"), True),
    "sgd, modified huber": (lambda: SGDClassifier(loss="modified_huber"), False),
    "perceptron": (lambda: Perceptron(), False),
    "passive-aggressive": (lambda: PassiveAggressiveClassifier(), False),
    "ridge": (lambda: RidgeClassifier(), False),
    "discriminant": (lambda: LinearDiscriminantAnalysis(), True),
    "scaled": (lambda: make_pipeline(StandardScaler(), LogisticRegression()), True),
    "centred": (lambda: make_pipeline(StandardScaler(with_std=False), "passthrough", LinearSVC()), False),
}


def fitted(make, labels, rows=X):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # some do not converge
        try:
            return make().fit(rows, labels)
        except ValueError as error:
            if "does not support multiclass" in str(error):  # liblinear from scikit-learn 1.8 on
                pytest.skip(str(error))
            raise


@pytest.mark.parametrize("labels", LABELS)
@pytest.mark.parametrize("name", LINEAR)
def test_from_sklearn_predicts_the_same(name, labels):
    make, has_probabilities = LINEAR[name]
    estimator = fitted(make, LABELS[labels])
    model = halfspace.from_sklearn(estimator)
    assert model.classes == [str(label) for label in estimator.classes_]
    assert model.predict(NEW) == [str(label) for label in estimator.predict(NEW)]
    np.testing.assert_allclose(model.decision_function(NEW), estimator.decision_function(NEW), rtol=1e-12, atol=1e-11)
    assert model.has_probabilities == has_probabilities
    if has_probabilities:
        np.testing.assert_allclose(model.predict_proba(NEW), estimator.predict_proba(NEW), rtol=0, atol=1e-12)
    else:
        with pytest.raises(halfspace.UsageError, match="no probabilities"):
            model.predict_proba(NEW)
    described = pickle.loads(pickle.dumps(model)).describe()
    assert described["ledger"]["rounds"] == 0 and described["expected_error"] is None
    assert model.evaluate(NEW, estimator.predict(NEW))["accuracy"] == 1


def test_a_tie_is_the_first_class():
    for labels in LABELS.values():
        estimator = fitted(lambda: LinearSVC(), labels)
        estimator.coef_, estimator.intercept_ = estimator.coef_ * 0, estimator.intercept_ * 0
        estimator.coef_[:, 0] = 1
        rows = np.zeros((1, 4))
        assert halfspace.from_sklearn(estimator).predict(rows) == [str(estimator.predict(rows)[0])]


def test_probabilities_of_certain_rows():
    for labels in LABELS.values():
        estimator = fitted(lambda: LogisticRegression(), labels)
        far = NEW * 1e4
        np.testing.assert_allclose(halfspace.from_sklearn(estimator).predict_proba(far), estimator.predict_proba(far),
                                   rtol=0, atol=1e-12)


# Of two classes it is the logistic function of twice the score, which no model here has.
def test_other_probabilities_are_refused_instead_of_wrong():
    try:
        estimator = fitted(lambda: LogisticRegression(multi_class="multinomial"), LABELS["two"])
    except TypeError:
        pytest.skip("this scikit-learn has no multi_class")
    scores = estimator.decision_function(NEW)
    if np.allclose(estimator.predict_proba(NEW)[:, 1], 1 / (1 + np.exp(-scores))):
        pytest.skip("this scikit-learn has other probabilities")
    assert not halfspace.from_sklearn(estimator).has_probabilities


def test_names_and_files(tmp_path):
    pandas = pytest.importorskip("pandas")
    names = ["age", "income", "y", "debt"]
    frame = pandas.DataFrame(X, columns=names)
    estimator = fitted(lambda: make_pipeline(StandardScaler(), LogisticRegression()), LABELS["three"], frame)
    model = halfspace.from_sklearn(estimator, label="outcome")
    assert model.describe()["feature_names"] == names
    table = pandas.DataFrame(NEW, columns=names)[["debt", "y", "age", "income"]]
    table["outcome"] = estimator.predict(pandas.DataFrame(NEW, columns=names))
    table.to_csv(tmp_path / "new.csv", index=False)
    assert model.predict(tmp_path / "new.csv") == table["outcome"].tolist()
    assert model.evaluate(tmp_path / "new.csv")["accuracy"] == 1
    with pytest.raises(halfspace.UsageError, match="like the label"):
        halfspace.from_sklearn(estimator)


def test_sparse_rows():
    sparse = pytest.importorskip("scipy.sparse")
    estimator = fitted(lambda: SGDClassifier(), LABELS["three"], sparse.csr_matrix(X))
    estimator.sparsify()
    model = halfspace.from_sklearn(estimator, sparse=True)
    assert model.predict(sparse.csr_matrix(NEW)) == estimator.predict(sparse.csr_matrix(NEW)).tolist()


@pytest.mark.parametrize("make, words", [
    (lambda: LinearSVC(), "no coef_.*fit it first"),
    (lambda: object(), "no coef_"),
    (lambda: RandomForestClassifier(2).fit(X, LABELS["two"]), "no coef_"),
    (lambda: SVC().fit(X, LABELS["two"]), "no coef_"),
    (lambda: SVC(kernel="linear").fit(X, np.arange(300) % 4), "not one vector"),
    (lambda: RidgeClassifier().fit(X, np.eye(3)[np.arange(300) % 3]), "highest score|no single class"),
    (lambda: make_pipeline(PolynomialFeatures(), LinearSVC()).fit(X, LABELS["two"]), "PolynomialFeatures.*last step"),
    (lambda: make_pipeline(StandardScaler(), LinearSVC()), "not fitted|no coef_"),
    (lambda: CalibratedClassifierCV(LinearSVC(), cv=2).fit(X, LABELS["two"]), "no coef_"),
])
def test_from_sklearn_refuses(make, words):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        estimator = make()
    with pytest.raises(halfspace.UsageError, match=words):
        halfspace.from_sklearn(estimator)


def test_from_sklearn_refuses_what_only_looks_linear():
    class Squared(LinearSVC):
        def decision_function(self, X):
            return super().decision_function(X) ** 2

    with pytest.raises(halfspace.UsageError, match="the scores of Squared are not"):
        halfspace.from_sklearn(fitted(Squared, LABELS["two"]))


def test_from_sklearn_refuses_weights_that_are_not_finite():
    estimator = fitted(lambda: LogisticRegression(), LABELS["two"])
    estimator.coef_[0, 2] = np.nan
    with pytest.raises(ValueError):
        halfspace.from_sklearn(estimator)


# ---- To scikit-learn ----


@pytest.mark.parametrize("Estimator", ESTIMATORS)
@pytest.mark.parametrize("labels", LABELS)
def test_to_sklearn_of_estimators(Estimator, labels):
    own = Estimator().fit(X, LABELS[labels])
    other = halfspace.to_sklearn(own)
    assert type(other).__module__.startswith("sklearn.")
    assert (other.coef_ == own.coef_).all() and (other.intercept_ == own.intercept_).all()
    assert (other.classes_ == own.classes_).all() and other.n_features_in_ == 4
    scores = own.decision_function(NEW)
    np.testing.assert_allclose(other.decision_function(NEW), scores, rtol=1e-12, atol=1e-12 * abs(scores).max())
    assert (other.predict(NEW) == own.predict(NEW)).all()
    link = own.model_.describe()["link"]
    assert hasattr(other, "predict_proba") == (link in ("logistic", "softmax"))
    if hasattr(other, "predict_proba"):
        np.testing.assert_allclose(other.predict_proba(NEW), own.predict_proba(NEW), rtol=0, atol=1e-12)


def test_some_estimators_have_their_own_probabilities():
    kinds = [type(halfspace.to_sklearn(halfspace.FTRLClassifier().fit(X, LABELS[labels]))) for labels in LABELS]
    assert kinds == [LogisticRegression, SGDClassifier, LogisticRegression]
    tournament = halfspace.HalfspaceClassifier().partial_fit(X, LABELS["three"], classes=["low", "mid", "top"])
    assert type(halfspace.to_sklearn(tournament)) is LogisticRegression


@pytest.mark.parametrize("labels", LABELS)
@pytest.mark.parametrize("name", LINEAR)
def test_there_and_back(name, labels):
    make, has_probabilities = LINEAR[name]
    before = fitted(make, LABELS[labels])
    after = halfspace.to_sklearn(halfspace.from_sklearn(before))
    assert (after.predict(NEW) == before.predict(NEW).astype(str)).all()
    if has_probabilities:
        np.testing.assert_allclose(after.predict_proba(NEW), before.predict_proba(NEW), rtol=0, atol=1e-12)


def test_to_sklearn_of_a_model_with_names(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("a,colour,y\n" + "".join(f"{i % 7},{'red' if i % 3 else 'blue'},{int(i % 3 and i % 7 > 2)}\n"
                                             for i in range(100)))
    model = halfspace.train(path, rule="pa1", passes=5, normalize="column")
    other = halfspace.to_sklearn(model)
    names = model.describe()["feature_names"]
    assert other.feature_names_in_.tolist() == names
    rows = np.zeros((7, len(names)))
    rows[:, names.index("a")] = np.arange(7)
    rows[:, names.index("colour=red")] = 1
    (tmp_path / "new.csv").write_text("a,colour\n" + "".join(f"{i},red\n" for i in range(7)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # no names
        np.testing.assert_allclose(other.decision_function(rows), model.decision_function(tmp_path / "new.csv"),
                                   rtol=1e-12)


@pytest.mark.parametrize("options, words", [
    ({"preset": "voted"}, "vote.*keep average"),
    ({"rule": "kernel", "kernel": "gaussian", "passes": 2}, "support vectors.*rule perceptron"),
    ({"rule": "pa1", "normalize": "row"}, "norm.*normalize column"),
    ({"rule": "pa1", "single": True}, "single precision"),
])
def test_to_sklearn_refuses(options, words):
    model = halfspace.train(X, LABELS["two"], **options)
    with pytest.raises(halfspace.UsageError, match=words):
        halfspace.to_sklearn(model)


# ---- ONNX and PMML ----


def onnx_outputs(data, rows):
    """The outputs of a graph, by the reader of tests/export."""
    onnx = pytest.importorskip("onnx")
    sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "tests", "export"))
    try:
        import onnx_test
    finally:
        sys.path.pop(0)
    parsed = onnx.load_model_from_string(data)
    onnx.checker.check_model(parsed, full_check=True)
    outputs = {name: values for name, (_, values) in onnx_test.evaluate(parsed.graph, rows).items()}
    outputs["label"] = [one.decode() if isinstance(one, bytes) else str(one) for one in outputs["label"].tolist()]
    return outputs


@pytest.mark.parametrize("labels", LABELS)
@pytest.mark.parametrize("name", LINEAR)
def test_onnx_of_sklearn(name, labels, tmp_path):
    make, has_probabilities = LINEAR[name]
    estimator = fitted(make, LABELS[labels])
    data = halfspace.to_onnx(estimator, tmp_path / "m.onnx")
    assert (tmp_path / "m.onnx").read_bytes() == data == halfspace.from_sklearn(estimator).to_onnx()
    outputs = onnx_outputs(data, NEW)
    assert outputs["label"] == [str(label) for label in estimator.predict(NEW)]
    np.testing.assert_allclose(outputs["score"], estimator.decision_function(NEW), rtol=1e-9, atol=1e-9)
    assert ("probability" in outputs) == has_probabilities
    if has_probabilities:
        expected = estimator.predict_proba(NEW)
        expected = expected[:, 1] if expected.shape[1] == 2 else expected
        np.testing.assert_allclose(outputs["probability"], expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("Estimator", ESTIMATORS)
@pytest.mark.parametrize("labels", LABELS)
def test_onnx_of_estimators(Estimator, labels):
    own = Estimator().fit(X, LABELS[labels])
    outputs = onnx_outputs(halfspace.to_onnx(own), NEW)
    assert outputs["label"] == [str(label) for label in own.predict(NEW)]
    if own.model_.describe()["calibrated"]:
        chances = own.model_.predict_proba(NEW)
        np.testing.assert_allclose(outputs["probability"], chances[:, 1] if chances.shape[1] == 2 else chances,
                                   rtol=0, atol=1e-12)


def test_onnx_of_what_learns_from_dicts():
    online = halfspace.OnlineClassifier()
    for row, label in zip(X, LABELS["two"]):
        online.learn_one(dict(zip("abcd", row.tolist())), bool(label))
    labels = onnx_outputs(halfspace.to_onnx(online), NEW)["label"]
    assert labels == [str(online.predict_one(dict(zip("abcd", row.tolist())))) for row in NEW]


def test_onnx_refuses():
    with pytest.raises(halfspace.UsageError, match="ONNX.*isotonic"):
        halfspace.to_onnx(halfspace.Perceptron(calibrate="isotonic", folds=3).fit(X, LABELS["two"]))
    with pytest.raises(halfspace.UsageError, match="fit it first"):
        halfspace.to_onnx(LogisticRegression())


def test_sql(tmp_path):
    import sqlite3

    model = halfspace.from_sklearn(LogisticRegression().fit(X, LABELS["two"]))
    sql = model.to_sql(tmp_path / "m.sql", dialect="sqlite", table="points", view="predictions")
    assert (tmp_path / "m.sql").read_text(encoding="utf-8") == sql
    database = sqlite3.connect(":memory:")
    names = model.description["feature_names"]
    database.execute("CREATE TABLE points (" + ", ".join(f'"{name}" REAL' for name in names) + ")")
    database.executemany(f"INSERT INTO points VALUES ({', '.join('?' * len(names))})", NEW.tolist())
    database.executescript(sql)
    rows = database.execute("SELECT label, score FROM predictions").fetchall()
    assert [row[0] for row in rows] == list(map(str, model.predict(NEW)))
    assert [row[1] for row in rows] == model.decision_function(NEW).tolist()
    with pytest.raises(halfspace.UsageError, match="dialect"):
        model.to_sql(dialect="oracle")
    assert "int score(const double *x" in model.to_c(tmp_path / "m.c", function="score")


def test_pmml(tmp_path):
    model = halfspace.from_sklearn(fitted(lambda: LogisticRegression(), LABELS["three"]))
    data = model.to_pmml(tmp_path / "m.pmml")
    assert (tmp_path / "m.pmml").read_bytes() == data
    root = xml.etree.ElementTree.fromstring(data)
    space = {"p": root.tag[1:root.tag.index("}")]}
    tables = root.findall("p:RegressionModel/p:RegressionTable", space)
    assert sorted(table.get("targetCategory") for table in tables) == ["low", "mid", "top"]
    for table in tables:
        number = model.classes.index(table.get("targetCategory"))
        assert float(table.get("intercept")) == model.weights()[1][number]
