#!/bin/sh
# Bottleneck 1.3.5 (Debian 12, python3-bottleneck 1.3.5+ds1-2+b1) and NumPy 1.24.2.
#
# Guess, before it was run: nanmean of float32 is as near as NumPy's; a library for speed still sums in double or in
# pairs.
# Seen: it sums in float32, one by one: the mean of a million values 0.1 is 0.10096, of 20 million 0.1049, 5 % too much,
# and of 5 million 0.0957; NumPy returns 0.1000 for all.
#
# What it means: convert to float64 before means and sums of long float32 columns.
set -eu

installed() { [ "$(dpkg-query -W -f '${Version}' "$1" 2>/dev/null)" = "$2" ] || { echo "needs $1 $2" >&2; exit 2; }; }
installed python3-numpy 1:1.24.2-1+deb12u1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get -q download python3-bottleneck=1.3.5+ds1-2+b1 >apt.log 2>&1 || { cat apt.log >&2; exit 2; }
for package in *.deb; do dpkg-deb -x "$package" root; done
PYTHONPATH=$PWD/root/usr/lib/python3/dist-packages /usr/bin/python3 - <<'CHECK'
import bottleneck
import numpy
for count in 1_000_000, 5_000_000, 20_000_000:
    values = numpy.full(count, 0.1, dtype="float32")
    print(f"{count} values: bottleneck {bottleneck.nanmean(values):.6f}, NumPy {numpy.nanmean(values):.6f}")
assert bottleneck.nanmean(values) > 0.104, "bottleneck's mean is right now"
assert abs(numpy.nanmean(values) - 0.1) < 1e-5
CHECK
