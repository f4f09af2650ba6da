#!/bin/sh
# Dask 2022.12.1 (Debian 12, python3-dask 2022.12.1+dfsg-2) and pandas 1.5.3 (python3-pandas 1.5.3+dfsg-2).
#
# Guess, noted after the first run: var() by group agrees with pandas to many digits, as var() of the column does.
# Seen: with the values 1000000000 to 1000000009 the column's var() is 9.17, and by group it is 0: sums of squares are
# subtracted. The mean of four integers 2^62 is 0: their sum overflows; pandas returns 4.6e18.
#
# What it means: scaling by the deviation of a group divides by 0 for times, identifiers and amounts; subtract a
# constant first.
set -eu

installed() { [ "$(dpkg-query -W -f '${Version}' "$1" 2>/dev/null)" = "$2" ] || { echo "needs $1 $2" >&2; exit 2; }; }
installed python3-dask 2022.12.1+dfsg-2
installed python3-pandas 1.5.3+dfsg-2
/usr/bin/python3 -W ignore - <<'CHECK'
import dask.dataframe
import numpy
import pandas
data = pandas.DataFrame({"group": 0, "value": 1e9 + numpy.arange(10)})
parts = dask.dataframe.from_pandas(data, npartitions=3)
column = float(parts.value.var().compute())
grouped = float(parts.groupby("group").value.var().compute()[0])
exact = float(data.groupby("group").value.var()[0])
print(f"variance: column {column:.4f}, by group {grouped:.4f}, pandas by group {exact:.4f}")
large = pandas.Series(numpy.full(4, 2**62))
mean = float(dask.dataframe.from_pandas(large, npartitions=2).mean().compute())
print(f"mean of four 2^62: {mean:.4g}, pandas {large.mean():.4g}")
assert abs(column - exact) < 1e-3 and grouped == 0, "the variance by group changed"
assert mean == 0 and large.mean() > 4e18, "the mean of large integers changed"
CHECK
