#!/bin/sh
# scikit-learn 1.2.1 (Debian 12, python3-sklearn 1.2.1+dfsg-1): StandardScaler and normalize on sparse matrices.
#
# Guess, noted after the first run: a CSR matrix that holds an entry twice, as SciPy allows, counts as the matrix with
# the sum.
# Seen: StandardScaler computes the variance 16 where that matrix has 1, and normalize() divides by the norm of the
# single entries. SciPy's own sums, products and maxima, and MaxAbsScaler, take the sum.
#
# What it means: matrices put together from (data, indices, indptr) may hold entries twice; call sum_duplicates() first.
set -eu

installed() { [ "$(dpkg-query -W -f '${Version}' "$1" 2>/dev/null)" = "$2" ] || { echo "needs $1 $2" >&2; exit 2; }; }
installed python3-sklearn 1.2.1+dfsg-1
/usr/bin/python3 - <<'CHECK'
import numpy
from scipy.sparse import csr_matrix
from sklearn.preprocessing import MaxAbsScaler, StandardScaler, normalize

def matrix(*rows):
    """Rows of 3 and -1 at column 0, times a factor each, and the factor at column 1."""
    data = numpy.array([[3.0 * k, -1.0 * k, 1.0 * k] for k in rows]).ravel()
    return csr_matrix((data, [0, 0, 1] * len(rows), range(0, 3 * len(rows) + 1, 3)), shape=(len(rows), 2))

held, dense = matrix(1, 2), matrix(1, 2).toarray()
variance = StandardScaler(with_mean=False).fit(held).var_
print("variance:", variance, "of the same array:", StandardScaler(with_mean=False).fit(dense).var_)
row = normalize(matrix(1)).toarray()[0]
print("normalized row:", row.round(4), "of the same array:", normalize(dense)[0].round(4))
assert dense.tolist() == [[2, 1], [4, 2]] and MaxAbsScaler().fit(matrix(1, 2)).max_abs_.tolist() == [4, 2]
assert variance[0] > 10 and abs(dense[:, 0].var() - 1) < 1e-9, "the variance takes the sum now"
assert abs((row**2).sum() - 1) > 0.1, "normalize takes the sum now"
CHECK
