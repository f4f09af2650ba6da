#!/bin/sh
# NumPy 1.24.2 (Debian 12, python3-numpy 1:1.24.2-1+deb12u1) and SciPy 1.10.1 (python3-scipy 1.10.1-2).
#
# Guess, before it was run: means of the columns of a float32 table are as near as the mean of one column.
# Seen: of ten million rows of 0.1 the mean is 0.1000 for one column and 0.1088 for two: NumPy adds in pairs along the
# last axis only. A sparse column has the mean(axis=0) 0.0921, and the mean() 0.1000.
#
# What it means: centring long float32 tables shifts them by per cents; pass dtype="float64", which costs little.
set -eu

installed() { [ "$(dpkg-query -W -f '${Version}' "$1" 2>/dev/null)" = "$2" ] || { echo "needs $1 $2" >&2; exit 2; }; }
installed python3-numpy 1:1.24.2-1+deb12u1
installed python3-scipy 1.10.1-2
/usr/bin/python3 - <<'CHECK'
import numpy
from scipy.sparse import csr_matrix
means = {columns: numpy.full((10_000_000, columns), 0.1, "float32").mean(axis=0)[0] for columns in (1, 2)}
table = numpy.full((10_000_000, 2), 0.1, "float32")
double = table.mean(axis=0, dtype="float64")[0]
sparse = csr_matrix(table[:, :1])
by_column, whole = sparse.mean(axis=0)[0, 0], sparse.mean()
print(f"mean of a column: one column {means[1]:.4f}, two columns {means[2]:.4f}, as float64 {double:.4f}")
print(f"sparse column: mean(axis=0) {by_column:.4f}, mean() {whole:.4f}")
assert abs(means[1] - 0.1) < 1e-4 and abs(double - 0.1) < 1e-6 and means[2] > 0.108, "column means changed"
assert by_column < 0.093 and abs(whole - 0.1) < 1e-4, "means of sparse columns changed"
CHECK
