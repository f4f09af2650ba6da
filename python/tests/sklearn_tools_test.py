"""Estimators inside of scikit-learn's tools."""

import warnings

import numpy as np
import pytest

pytest.importorskip("sklearn")

from sklearn.base import clone  # noqa: E402
from sklearn.calibration import CalibratedClassifierCV  # noqa: E402
from sklearn.compose import make_column_transformer  # noqa: E402
from sklearn.datasets import make_classification  # noqa: E402
from sklearn.ensemble import StackingClassifier  # noqa: E402
from sklearn.exceptions import ConvergenceWarning  # noqa: E402
from sklearn.feature_extraction.text import TfidfVectorizer  # noqa: E402
from sklearn.inspection import permutation_importance  # noqa: E402
from sklearn.linear_model import LogisticRegression  # noqa: E402
from sklearn.model_selection import GridSearchCV, cross_val_score  # noqa: E402
from sklearn.multiclass import OneVsRestClassifier  # noqa: E402
from sklearn.pipeline import make_pipeline  # noqa: E402
from sklearn.preprocessing import OneHotEncoder, StandardScaler  # noqa: E402
from sklearn.svm import LinearSVC  # noqa: E402

import halfspace  # noqa: E402
from support import ESTIMATORS, MINIMA  # noqa: E402

X, Y = make_classification(400, 12, n_informative=6, class_sep=2, random_state=0)
FAST = halfspace.AROWClassifier


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_cross_val_score(estimator):
    assert cross_val_score(estimator(), X, Y, cv=3).mean() > 0.8
    assert cross_val_score(estimator(), X, Y, cv=3, scoring="roc_auc").mean() > 0.85


def test_pipeline_of_scaling_and_text():
    assert make_pipeline(StandardScaler(), FAST()).fit(X, Y).score(X, Y) > 0.8
    texts = ["good film", "bad film", "a good one", "what a bad one"] * 5
    model = make_pipeline(TfidfVectorizer(), FAST(rule="arow-diagonal"))
    assert model.fit(texts, [1, 0] * 10).score(texts, [1, 0] * 10) == 1


def test_grid_search_in_two_processes():
    search = GridSearchCV(FAST(), {"regularization": [0.1, 1, 10]}, n_jobs=2, cv=3).fit(X, Y)
    assert search.best_score_ > 0.8
    assert search.best_estimator_.get_params()["regularization"] == search.best_params_["regularization"]


def test_an_error_of_a_worker_process_comes_back():
    with pytest.raises(ValueError, match="regularization"):
        GridSearchCV(FAST(), {"regularization": [-1]}, n_jobs=2, cv=3, error_score="raise").fit(X, Y)


def test_clone():
    model = FAST(passes=3, class_weight={1: 2})
    assert clone(model).get_params() == model.get_params()
    assert repr(model) == "AROWClassifier(class_weight={1: 2}, passes=3)"


@pytest.mark.parametrize("tool", [lambda: CalibratedClassifierCV(FAST(), cv=3),
                                  lambda: OneVsRestClassifier(halfspace.FTRLClassifier()),
                                  lambda: StackingClassifier([("a", FAST()), ("b", halfspace.FTRLClassifier())], cv=3)])
def test_meta_estimators(tool):
    model = tool().fit(X, Y)
    assert model.score(X, Y) > 0.8
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1)


def test_permutation_importance():
    found = permutation_importance(FAST().fit(X, Y), X, Y, n_repeats=3, random_state=0)
    assert found.importances_mean.max() > 0


def test_columns_of_a_frame():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"size": X[:, 0], "colour": np.where(X[:, 1] > 0, "red", "blue")})
    columns = make_column_transformer((StandardScaler(), ["size"]), (OneHotEncoder(), ["colour"]))
    columns.set_output(transform="default")
    model = make_pipeline(columns, FAST()).fit(frame, Y)
    assert model.predict(frame).shape == (400,)


def test_metadata_routing():
    """scikit-learn 1.3 and newer pass weights on to estimators that ask for them."""
    import sklearn

    if not hasattr(FAST(), "set_fit_request"):
        pytest.skip(f"scikit-learn {sklearn.__version__} has no metadata routing")
    weights = np.where(Y == 1, 50.0, 1.0)
    with sklearn.config_context(enable_metadata_routing=True):
        heavy = FAST().set_fit_request(sample_weight=True).set_score_request(sample_weight=True)
        search = GridSearchCV(heavy, {"regularization": [1]}, cv=3).fit(X, Y, sample_weight=weights)
        light = FAST().set_fit_request(sample_weight=False)
        plain = make_pipeline(StandardScaler(), light).fit(X, Y)
        FAST().set_partial_fit_request(classes=True, sample_weight=True)
    assert (search.predict(X) == 1).mean() > (plain.predict(X) == 1).mean()


def test_frames_between_the_steps_of_a_pipeline():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(X, columns=[f"c{j}" for j in range(X.shape[1])])
    model = make_pipeline(StandardScaler().set_output(transform="pandas"), FAST()).fit(frame, Y)
    assert model[-1].feature_names_in_.tolist() == list(frame.columns)
    assert model.predict(frame).shape == (400,)


def test_a_search_goes_through_options_of_the_library():
    search = GridSearchCV(halfspace.PassiveAggressiveClassifier(),
                          {"rule": ["pa1", "pa2"], "aggressiveness": [0.01, 1.0], "passes": [1, 5]}, cv=3).fit(X, Y)
    assert len(search.cv_results_["params"]) == 8 and search.best_score_ > 0.8


@pytest.mark.parametrize("scaled", [False, True])
def test_minima_are_those_of_scikit_learn(scaled):
    rows = StandardScaler().fit_transform(X) if scaled else X
    intercepts = {"fit_intercept": False}, {"intercept_scaling": 3}
    for parameters in ({}, {"C": 0.05}, *intercepts):
        for loss in ("hinge", "squared_hinge"):
            theirs = LinearSVC(loss=loss, dual=loss == "hinge", tol=1e-10, max_iter=10**7, **parameters).fit(rows, Y)
            ours = halfspace.LinearSVC(loss=loss, tol=1e-10, **parameters).fit(rows, Y)
            np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=5e-5)
            np.testing.assert_allclose(ours.intercept_, theirs.intercept_, atol=5e-5)
    # lbfgs stops well before its tol.
    for parameters in ({}, {"C": 0.05}, *intercepts, {"class_weight": "balanced"}):
        for solver in ("newton-cholesky", "liblinear"):
            theirs = LogisticRegression(solver=solver, tol=1e-10, max_iter=10**5, **parameters).fit(rows, Y)
            ours = halfspace.LogisticRegression(solver=solver, tol=1e-10, **parameters).fit(rows, Y)
            np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=5e-5)
            np.testing.assert_allclose(ours.intercept_, theirs.intercept_, atol=5e-5)
            np.testing.assert_allclose(ours.predict_proba(rows), theirs.predict_proba(rows), atol=1e-4)


def test_minima_of_several_classes_are_those_of_one_against_the_rest():
    rows, y = make_classification(300, 6, n_informative=5, n_redundant=0, n_classes=3, random_state=1)
    theirs = OneVsRestClassifier(LogisticRegression(tol=1e-10, max_iter=10**4)).fit(rows, y)
    ours = halfspace.LogisticRegression(tol=1e-11, multi_class="ovr").fit(rows, y)
    np.testing.assert_allclose(ours.coef_, np.vstack([one.coef_ for one in theirs.estimators_]), atol=1e-4)
    np.testing.assert_allclose(ours.predict_proba(rows), theirs.predict_proba(rows), atol=1e-4)
    theirs = LinearSVC(dual=False, tol=1e-10).fit(rows, y)
    np.testing.assert_allclose(halfspace.LinearSVC(tol=1e-11).fit(rows, y).coef_, theirs.coef_, atol=1e-4)


def test_minima_of_several_classes_together_are_those_of_scikit_learn():
    rows, y = make_classification(300, 6, n_informative=5, n_redundant=0, n_classes=4, random_state=1)
    for parameters in ({}, {"C": 0.05}, {"fit_intercept": False}, {"class_weight": "balanced"}):
        theirs = LogisticRegression(solver="newton-cg", tol=1e-10, max_iter=10**4, **parameters).fit(rows, y)
        ours = halfspace.LogisticRegression(tol=1e-11, **parameters).fit(rows, y)
        np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-4)
        np.testing.assert_allclose(ours.predict_proba(rows), theirs.predict_proba(rows), atol=1e-4)
        assert ours.objective_.shape == (1,) and ours.n_certain_digits_.shape == theirs.coef_.shape


@pytest.mark.parametrize("Estimator", MINIMA)
def test_a_search_for_the_price_of_the_losses(Estimator):
    search = GridSearchCV(Estimator(), {"C": [0.01, 1, 100]}, n_jobs=2, cv=3).fit(X, Y)
    assert search.best_score_ > 0.8
    assert clone(search.best_estimator_).get_params() == search.best_estimator_.get_params()
    assert repr(Estimator(C=2)) == f"{Estimator.__name__}(C=2)"
    assert make_pipeline(StandardScaler(), Estimator()).fit(X, Y).score(X, Y) > 0.8
    assert halfspace.to_sklearn(search.best_estimator_).predict(X).tolist() == search.predict(X).tolist()


def test_names_of_the_columns_of_coef():
    X, y = np.array([[1.0, 0], [0, 1], [2, 1], [0, 3]]), [1, 0, 1, 0]
    fitted = halfspace.Perceptron().fit(X, y)
    assert fitted.get_feature_names_out().tolist() == ["x0", "x1"]
    assert fitted.get_feature_names_out(["a", "b"]).tolist() == ["a", "b"]
    with pytest.raises(ValueError, match="length equal to"):
        fitted.get_feature_names_out(["a"])
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(X, columns=["p", "q"])
    fitted = halfspace.LogisticRegression().fit(frame, y)
    assert fitted.get_feature_names_out().tolist() == ["p", "q"]
    with pytest.raises(ValueError, match="not equal to feature_names_in_"):
        fitted.get_feature_names_out(["q", "p"])
    fitted = halfspace.Perceptron().fit(frame.assign(c=["u", None, "v", "u"]), y)
    names = fitted.get_feature_names_out().tolist()
    assert sorted(names) == ["c=?", "c=u", "c=v", "p", "q"]
    assert fitted.coef_.shape == (1, len(names))


def test_a_run_that_does_not_converge_warns():
    X, y = np.array([[0.0], [1], [2], [3]]), [0, 1, 0, 1]
    for options in ({"until": "clean"}, {"until": "clean", "passes": 3}):
        with pytest.warns(ConvergenceWarning, match="no pass was clean"):
            halfspace.Perceptron(**options).fit(X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("error", ConvergenceWarning)
        halfspace.Perceptron(passes=3).fit(X, y)  # as many as asked for
        halfspace.Perceptron(until="clean").fit(X, [0, 0, 1, 1])
