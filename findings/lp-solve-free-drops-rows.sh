#!/bin/sh
# lp_solve 5.5.2.5 (Debian 12, lp-solve 5.5.2.5-2), its LP format.
#
# Guess, before it was run: rows that contradict one another are infeasible, whether their variables are declared free
# or not.
# Seen: a row with one variable and without a name is a bound, and a later `free` takes it away with a note on standard
# error and status 0. Three rows whose sum is 0 >= 3 are solved, by w1 = -1.
#
# What it means: rows written from sparse data have one variable now and then; name every row (`R1: w1 >= 1;`).
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get -q download lp-solve=5.5.2.5-2 libcolamd2=1:5.12.0+dfsg-2 libsuitesparseconfig5=1:5.12.0+dfsg-2 \
  >apt.log 2>&1 || { cat apt.log >&2; exit 2; }
for package in *.deb; do dpkg-deb -x "$package" root; done
LD_LIBRARY_PATH=$(dirname "$(find "$PWD/root" -name liblpsolve55.so)")
LD_LIBRARY_PATH=$LD_LIBRARY_PATH:$(dirname "$(find "$PWD/root" -name libcolamd.so.2)")
export LD_LIBRARY_PATH
printf 'min: ;\nw1 >= 1;\nw2 >= 1;\n- w1 - w2 >= 1;\nfree w1, w2;\n' >plain.lp
printf 'min: ;\nR1: w1 >= 1;\nR2: w2 >= 1;\nR3: - w1 - w2 >= 1;\nfree w1, w2;\n' >named.lp
root/usr/bin/lp_solve -S3 plain.lp >plain 2>note
root/usr/bin/lp_solve -S3 named.lp >named || true
cat note plain named
grep -q 'w1 .*-1$' plain || { echo "rows without names hold now" >&2; exit 1; }
grep -q 'infeasible' named || { echo "named rows no longer hold" >&2; exit 1; }
