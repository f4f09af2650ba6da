"""scikit-learn's own checks of estimators, every one of them."""

import pytest

pytest.importorskip("sklearn")

from sklearn.utils.estimator_checks import parametrize_with_checks  # noqa: E402

from support import ESTIMATORS  # noqa: E402


@parametrize_with_checks([estimator() for estimator in ESTIMATORS])
def test_check(estimator, check):
    check(estimator)
