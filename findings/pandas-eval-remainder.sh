#!/bin/sh
# pandas 1.5.3 (Debian 12, python3-pandas 1.5.3+dfsg-2) with and without numexpr 2.8.4 (python3-numexpr 2.8.4-1+b2).
#
# Guess, before it was run: DataFrame.query() keeps the same rows whether numexpr is installed or not; it is a matter of
# speed.
# Seen: with it, % of negative integers has C's sign: -7 % 3 is -1, not 2. `query("key % 3 == 2")` keeps other rows, in
# silence, as soon as numexpr is installed. int8 + int8 becomes int32 and 200, where pandas wraps to -56.
#
# What it means: folds by a signed hash differ between machines; pass engine="python", or take the remainder outside.
set -eu

installed() { [ "$(dpkg-query -W -f '${Version}' "$1" 2>/dev/null)" = "$2" ] || { echo "needs $1 $2" >&2; exit 2; }; }
installed python3-pandas 1.5.3+dfsg-2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get -q download python3-numexpr=2.8.4-1+b2 >apt.log 2>&1 || { cat apt.log >&2; exit 2; }
for package in *.deb; do dpkg-deb -x "$package" root; done
PYTHONPATH=$PWD/root/usr/lib/python3/dist-packages /usr/bin/python3 - <<'CHECK'
import numpy
import pandas
data = pandas.DataFrame({"key": [-8, -7, -6, 5, 6, 7], "small": numpy.full(6, 100, dtype="int8")})
with_numexpr = data.query("key % 3 == 2").key.tolist()
without = data.query("key % 3 == 2", engine="python").key.tolist()
mask = data[data.key % 3 == 2].key.tolist()
print(f"key % 3 == 2: with numexpr {with_numexpr}, without {without}, by data[...] {mask}")
assert with_numexpr == [5] and without == mask == [-7, 5], "the rows agree now"
sums = [data.eval("small + small", engine=e) for e in ("numexpr", "python")]
seen = [f"{sum.iloc[0]} ({sum.dtype})" for sum in sums]
print(f"100 + 100 of int8: with numexpr {seen[0]}, without {seen[1]}")
assert seen == ["200 (int32)", "-56 (int8)"], "the sums or their types changed"
CHECK
