"""Metrics against scikit-learn's, with ties and weights, and on real rows."""

import numpy as np
import pytest
from sklearn import metrics as theirs
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine
from sklearn.linear_model import LogisticRegression

import halfspace

CLOSE = 1e-12


def ours(model, X, y, weight=None, **options):
    """Returns the values of an evaluation."""
    found = model.evaluate(X, y, sample_weight=weight, resamples=0, **options)
    return {name: one["value"] for name, one in found["metrics"]["values"].items()}


def expected(estimator, X, y, weight=None, average="binary"):
    predicted, p = estimator.predict(X), estimator.predict_proba(X)
    two = len(estimator.classes_) == 2
    given = {"sample_weight": weight}
    if not two and average == "binary":
        average = "macro"
    one = {**given, "average": average, "zero_division": 0}
    if two:
        one["pos_label"] = estimator.classes_[1]
    found = {
        "accuracy": theirs.accuracy_score(y, predicted, **given),
        "balanced-accuracy": theirs.balanced_accuracy_score(y, predicted, **given),
        "precision": theirs.precision_score(y, predicted, **one),
        "recall": theirs.recall_score(y, predicted, **one),
        "f1": theirs.f1_score(y, predicted, **one),
        "matthews": theirs.matthews_corrcoef(y, predicted, **given),
        # scikit-learn's clips at an eps that cannot be chosen from 1.5 on
        "log-loss": np.average(-np.log(p[np.arange(len(y)), np.searchsorted(estimator.classes_, y)]), weights=weight),
    }
    scores = estimator.decision_function(X)
    if two:
        positive = y == estimator.classes_[1]
        found["auc"] = theirs.roc_auc_score(positive, scores, **given)
        found["average-precision"] = theirs.average_precision_score(positive, scores, **given)
        found["brier"] = theirs.brier_score_loss(positive, p[:, 1], **given)
    elif average in ("macro", "weighted"):
        # Of a softmax the probabilities rank the rows, as its scores have no origin.
        each = [theirs.roc_auc_score(y == label, p[:, k], **given) for k, label in enumerate(estimator.classes_)]
        weights = [1 if average == "macro" else (np.ones(len(y)) if weight is None else weight)[y == label].sum()
                   for label in estimator.classes_]
        found["auc"] = np.average(each, weights=weights)
    return found


def both(X, y, weight=None, averages=("binary",)):
    y = np.array([f"c{label}" for label in y])
    estimator = LogisticRegression(max_iter=300, C=0.01).fit(X, y)
    model = halfspace.from_sklearn(estimator)
    for average in averages:
        options = {} if average == "binary" else {"average": average}
        found = ours(model, X, y, weight, **options)
        for name, value in expected(estimator, X, y, weight, average).items():
            assert found[name] == pytest.approx(value, rel=CLOSE, abs=CLOSE), (name, average)


@pytest.mark.parametrize("load", [load_breast_cancer, load_digits, load_iris, load_wine])
def test_metrics_of_real_rows_are_sklearns(load):
    X, y = load(return_X_y=True)
    both(X, y, averages=("macro", "micro", "weighted") if len(set(y)) > 2 else ("binary",))


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("weighted", [False, True])
def test_metrics_with_ties_and_weights_are_sklearns(classes, weighted):
    draw = np.random.default_rng(4)
    y = draw.integers(0, classes, 500)
    X = np.column_stack([np.floor(draw.normal(y == k, 1.0)) for k in range(classes)])  # many equal rows
    weight = draw.integers(0, 9, 500) / 4.0 if weighted else None
    both(X, y, weight, averages=("macro", "micro", "weighted") if classes > 2 else ("binary",))


def test_intervals_and_curves_come_along():
    X, y = load_breast_cancer(return_X_y=True)
    found = halfspace.HalfspaceClassifier().fit(X, y).model_.evaluate(X, y, cost=["0:1=5"], f_beta=2)
    values = found["metrics"]["values"]
    assert values["recall"]["interval"] == "exact" and values["auc"]["interval"] == "bootstrap"
    assert values["f1"]["lower"] <= values["f1"]["value"] <= values["f1"]["upper"]
    assert set(values) >= {"cost", "lift", "brier", "log-loss"}
    curve = found["curve"]
    assert len({len(points) for points in curve.values()}) == 1
    assert curve["recall"][-1] == 1 and curve["false_positive_rate"][-1] == 1
    assert [one["class"] for one in found["classes"]] == ["0", "1"]
    with pytest.raises(halfspace.UsageError, match="TRUTH:PREDICTED"):
        halfspace.HalfspaceClassifier().fit(X, y).model_.evaluate(X, y, cost=["5"])
