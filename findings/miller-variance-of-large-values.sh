#!/bin/sh
# Miller 6.6.0 (Debian 12, miller 6.6.0-2+b3), `mlr stats1`.
#
# Guess, noted after the first run: the variance of 1000000001, 1000000002, 1000000003 is 1; a text among numbers is an
# error.
# Seen: the variance is 0 and the skewness NaN: sums of squares are subtracted, and all digits cancel. With values 1,
# abc, 3 the mean is 2, of two values, and the count 3; no warning.
#
# What it means: for times in seconds, identifiers and the like subtract a constant first, or use another program; count
# the texts before the mean is believed.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get -q download miller=6.6.0-2+b3 >apt.log 2>&1 || { cat apt.log >&2; exit 2; }
for package in *.deb; do dpkg-deb -x "$package" root; done
stats() { root/usr/bin/mlr --icsv --ojson stats1 -a "$1" -f x; }
printf 'x\n1\n2\n3\n' | stats var,skewness | tee small
printf 'x\n1000000001\n1000000002\n1000000003\n' | stats var,skewness | tee large
printf 'x\n1\nabc\n3\n' | stats mean,count,sum | tee mixed
python3 - <<'CHECK'
import json
small, large, mixed = (json.loads(open(name).read().replace("NaN", '"NaN"'))[0] for name in ("small", "large", "mixed"))
assert small["x_var"] == 1 and large["x_var"] == 0, "the variance of large values changed"
assert mixed == {"x_mean": 2, "x_count": 3, "x_sum": 4}, "a text among numbers counts otherwise now"
CHECK
