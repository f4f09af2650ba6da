#!/bin/sh
# SciPy 1.10.1 (Debian 12, python3-scipy 1.10.1-2), stats.binom and stats.binomtest.
#
# Guess, before it was run: logcdf() is there for tails that cdf() cannot hold.
# Guess, noted after the first run: an exact interval has ten digits or more.
# Seen: binom.logcdf(0, 10000, 0.5) is -inf, where it is -6931.47: it is the logarithm of cdf(). The exact interval for
# 5 of 10^11 begins at 1.606e-11 and not at 1.623e-11, and for 5 of 10^12 at 1.00e-12: the root is found to 2e-12,
# absolutely.
#
# What it means: for rare events take the quantiles of the beta distribution; for tails sum logpmf(), or bound them.
set -eu

installed() { [ "$(dpkg-query -W -f '${Version}' "$1" 2>/dev/null)" = "$2" ] || { echo "needs $1 $2" >&2; exit 2; }; }
installed python3-scipy 1.10.1-2
/usr/bin/python3 -W ignore - <<'CHECK'
import math
from scipy.stats import beta, binom, binomtest
tail, exact = binom.logcdf(0, 10000, 0.5), 10000 * math.log(0.5)
print(f"logcdf of 0 of 10000: {tail}, exactly {exact:.2f}; logpmf: {binom.logpmf(0, 10000, 0.5):.2f}")
lows = {}
for n in 10**6, 10**11, 10**12:
    lows[n] = binomtest(5, n).proportion_ci().low * n
    exactly = beta.ppf(0.025, 5, n - 4) * n
    print(f"5 of {n:.0e}: the interval begins at {lows[n]:.4f} / n, by the beta distribution {exactly:.4f} / n")
assert tail == -math.inf and abs(binom.logpmf(0, 10000, 0.5) - exact) < 1e-6, "logcdf holds tails now"
errors = [abs(low - 1.6235) for low in lows.values()]
assert errors[0] < 1e-3 and errors[1] > 0.01 and errors[2] > 0.5, "exact intervals changed"
CHECK
