#!/bin/sh
# scikit-learn 1.2.1 (Debian 12, python3-sklearn 1.2.1+dfsg-1): Perceptron and PassiveAggressiveClassifier.
#
# Guess, before it was run: the same rows in the same order give the same model, as an array or as a sparse matrix.
# Seen: with a sparse matrix each change of the intercept is multiplied by 0.01; one epoch of the perceptron ends with
# the intercept 0.01 where the array has 1, and predicts another class for the same row.
#
# What it means: with sparse data add a column of ones, and fit_intercept=False; do not compare models across the two.
set -eu

installed() { [ "$(dpkg-query -W -f '${Version}' "$1" 2>/dev/null)" = "$2" ] || { echo "needs $1 $2" >&2; exit 2; }; }
installed python3-sklearn 1.2.1+dfsg-1
/usr/bin/python3 - <<'CHECK'
import numpy
from scipy.sparse import csr_matrix
from sklearn.linear_model import PassiveAggressiveClassifier, Perceptron

rows = numpy.array([[2.0], [1.0], [-1.0]])
labels = [1, 0, 1]
for learner in Perceptron, PassiveAggressiveClassifier:
    dense, sparse = (learner(shuffle=False).partial_fit(x, labels, classes=[0, 1]) for x in (rows, csr_matrix(rows)))
    for name, model in ("array", dense), ("sparse", sparse):
        print(learner.__name__, name, "weight", model.coef_[0], "intercept", model.intercept_, "scores",
              model.decision_function([[0.02], [1.0]]))
    assert abs(sparse.intercept_[0]) < 0.5 * abs(dense.intercept_[0]), "the intercepts agree now"
CHECK
