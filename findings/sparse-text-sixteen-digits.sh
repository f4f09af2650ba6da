#!/bin/sh
# SciPy 1.10.1 (Debian 12, python3-scipy 1.10.1-2), io.mmwrite; scikit-learn 1.2.1 (python3-sklearn 1.2.1+dfsg-1),
# datasets.dump_svmlight_file.
#
# Guess, noted after the first run: both write doubles such that the same doubles are read again.
# Seen: both write 16 digits of sparse values, where 17 are needed: 0.30000000000000004 becomes 0.3. mmwrite writes 17
# for an array. dump_svmlight_file also writes an entry that a matrix holds twice as two, and its own reader rejects the
# file.
#
# What it means: rows of two classes that differ in the last digit become equal; give mmwrite precision=17, call
# sum_duplicates() first, and move sparse data as .npz where all bits count.
set -eu

installed() { [ "$(dpkg-query -W -f '${Version}' "$1" 2>/dev/null)" = "$2" ] || { echo "needs $1 $2" >&2; exit 2; }; }
installed python3-scipy 1.10.1-2
installed python3-sklearn 1.2.1+dfsg-1
/usr/bin/python3 - <<'CHECK'
import io
import numpy
from scipy.io import mmread, mmwrite
from scipy.sparse import csr_matrix
from sklearn.datasets import dump_svmlight_file, load_svmlight_file

values = numpy.array([[0.1 + 0.2], [0.3]])
sparse = csr_matrix(values)
def through(write, read):
    file = io.BytesIO()
    write(file)
    file.seek(0)
    return read(file)
back = {
    "mmwrite, sparse": through(lambda f: mmwrite(f, sparse), lambda f: mmread(f).toarray()),
    "mmwrite, sparse, precision=17": through(lambda f: mmwrite(f, sparse, precision=17), lambda f: mmread(f).toarray()),
    "mmwrite, array": through(lambda f: mmwrite(f, values), mmread),
    "dump_svmlight_file": through(lambda f: dump_svmlight_file(sparse, [1, 0], f),
                                  lambda f: load_svmlight_file(f)[0].toarray()),
}
for name, read in back.items():
    print(f"{name}: {read[0, 0]!r}, {read[1, 0]!r}")
assert [bool((read == values).all()) for read in back.values()] == [False, True, True, False], "digits changed"
twice = csr_matrix(([1.0, 2.0], [0, 0], [0, 2]), shape=(1, 1))
try:
    through(lambda f: dump_svmlight_file(twice, [1], f), load_svmlight_file)
    raise SystemExit("an entry held twice is read again now")
except ValueError as error:
    print("an entry held twice:", error)
CHECK
