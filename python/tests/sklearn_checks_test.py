"""scikit-learn's own checks of estimators, every one of them."""

import inspect

import pytest

pytest.importorskip("sklearn")

from sklearn.utils.estimator_checks import parametrize_with_checks  # noqa: E402

import halfspace  # noqa: E402
from support import ESTIMATORS, MINIMA  # noqa: E402

# Since 1.6 what fails by nature is an argument; before, estimators say it by their tags.
EXPECTED = {}
if "expected_failed_checks" in inspect.signature(parametrize_with_checks).parameters:
    EXPECTED["expected_failed_checks"] = lambda estimator: estimator._expected_failures


@parametrize_with_checks([estimator() for estimator in ESTIMATORS], **EXPECTED)
def test_check(estimator, check):
    check(estimator)


@parametrize_with_checks([*[estimator() for estimator in MINIMA], halfspace.LinearSVC(loss="hinge"),
                          halfspace.LinearSVC(class_weight="balanced"), halfspace.LogisticRegression(
                              solver="liblinear"),
                          halfspace.LogisticRegression(class_weight="balanced")])
def test_a_minimum_passes_all_checks(estimator, check):
    check(estimator)
