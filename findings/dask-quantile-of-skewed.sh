#!/bin/sh
# Dask 2022.12.1 (Debian 12, python3-dask 2022.12.1+dfsg-2) and pandas 1.5.3 (python3-pandas 1.5.3+dfsg-2).
#
# Guess, before it was run: quantiles of a data frame in partitions are approximate, within a per cent of the rank.
# Seen: of 900 zeros and the numbers 0 to 99, in ten partitions, the quantiles 0.95 and 0.99 are 0, where they are 49
# and 89. Of 10,000 normal values, sorted, in 50 partitions, the quantile 0.01 is -3.41 for -2.37, and 0.999 is 2.05 for
# 2.98.
#
# What it means: thresholds "for the upper one per cent" are wrong in silence; compute() the column first, and take the
# quantile of that.
set -eu

installed() { [ "$(dpkg-query -W -f '${Version}' "$1" 2>/dev/null)" = "$2" ] || { echo "needs $1 $2" >&2; exit 2; }; }
installed python3-dask 2022.12.1+dfsg-2
installed python3-pandas 1.5.3+dfsg-2
/usr/bin/python3 -W ignore - <<'CHECK'
import dask.dataframe
import numpy
import pandas

def compare(name, values, partitions, quantiles):
    column = pandas.Series(values)
    parts = dask.dataframe.from_pandas(column, npartitions=partitions)
    pairs = [(float(parts.quantile(q).compute()), float(column.quantile(q))) for q in quantiles]
    for q, (approximate, exact) in zip(quantiles, pairs):
        print(f"{name}: quantile {q} is {approximate:.4g}, exactly {exact:.4g}")
    return pairs

skewed = compare("zeros and 0 to 99", numpy.r_[numpy.zeros(900), numpy.arange(100.0)], 10, [0.5, 0.95, 0.99])
normal = compare("normal, sorted", numpy.sort(numpy.random.default_rng(0).normal(size=10000)), 50, [0.01, 0.5, 0.999])
assert skewed[1][0] == skewed[2][0] == 0 and skewed[2][1] > 80, "quantiles of skewed values changed"
assert normal[0][0] < -3 and normal[2][0] < 2.5, "quantiles in the tails changed"
CHECK
