#!/bin/sh
# pandas 1.5.3 (Debian 12, python3-pandas 1.5.3+dfsg-2), Series.rolling().
#
# Guess, noted after the first run: a large value matters while it is in the window, and not after.
# Seen: std and var are updated online, by adding and removing, and keep the error: after one value of 1e9 the windows 1
# 2 3, 2 3 4, ... have the standard deviation 8.05 instead of 1, to the end. sum and mean are right; after 1e16 the
# variance is negative.
#
# What it means: features such as a rolling deviation are wrong after one outlier; use rolling().apply, or clip before.
set -eu

installed() { [ "$(dpkg-query -W -f '${Version}' "$1" 2>/dev/null)" = "$2" ] || { echo "needs $1 $2" >&2; exit 2; }; }
installed python3-pandas 1.5.3+dfsg-2
/usr/bin/python3 - <<'CHECK'
import pandas
windows = pandas.Series([1e9, 1, 2, 3, 4, 5]).rolling(3)
online = windows.std().tolist()[3:]
direct = windows.apply(lambda part: part.std()).tolist()[3:]
mean = windows.mean().tolist()[3:]
variance = pandas.Series([1e16, 1, 2, 3]).rolling(2).var().tolist()[2:]
print(f"after 1e9: std {online}, one by one {direct}, mean {mean}; after 1e16: var {variance}")
assert direct == [1, 1, 1] and mean == [2, 3, 4]
assert min(online) > 8 and max(variance) < 0, "rolling deviations are right now"
CHECK
