#!/bin/sh
# SLEEF 3.5.1 (Debian 12, libsleef3 3.5.1-3), scalar functions in plain C.
#
# Guess, before it was run: log1p() covers the doubles as C's does, so log1p(1e308) is 709.196...; a function whose name
# ends in u15 errs by at most 1.5 units in the last place on all normal results.
# Seen: log1p() is infinite from 1e307 on, where log() goes on to the largest double; erfc() errs by 1.505 units at
# 0x1.a8ac567572f43p+4, whose result, 2.4e-308, is a normal number just above the smallest.
#
# What it means for a user of the library: above some bound take log() for log1p(); widen the bound of erfc() near
# underflow.
set -eu

command -v cc >/dev/null || { echo "needs a C compiler" >&2; exit 2; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get -q download libsleef3=3.5.1-3 libsleef-dev=3.5.1-3 >apt.log 2>&1 || { cat apt.log >&2; exit 2; }
for package in *.deb; do dpkg-deb -x "$package" root; done
libraries=$(dirname "$(find "$PWD/root" -name libsleef.so.3)")
cat >program.c <<'PROGRAM'
#include <stdio.h>
#include <sleef.h>
int main(void) {
  printf("%.17g %.17g %a\n", Sleef_cinz_log1pd1_u10purec(1e308), Sleef_cinz_logd1_u10purec(1e308),
         Sleef_cinz_erfcd1_u15purec(0x1.a8ac567572f43p+4));
  return 0;
}
PROGRAM
cc -I"$(dirname "$(find "$PWD/root" -name sleef.h)")" program.c -L"$libraries" -lsleef -o program
LD_LIBRARY_PATH=$libraries ./program | tee seen
# The value of erfc by MPFR 4.2.0, in 300 bits.
python3 - <<'CHECK'
from fractions import Fraction
import math
log1p, log, erfc = open("seen").read().split()
value = float.fromhex(erfc)
exact = Fraction("2.3694971668205042706743728313930558522350e-308")
ulps = abs(Fraction(value) - exact) / Fraction(math.ulp(value))
print(f"log1p(1e308) = {log1p}, log(1e308) = {log}, erfc errs by {float(ulps):.4f} units")
assert log1p == "inf" and log.startswith("709.19"), "log1p or log changed"
assert ulps > Fraction(3, 2), "erfc is within its 1.5 units now"
CHECK
