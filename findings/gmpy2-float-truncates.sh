#!/bin/sh
# gmpy2 2.1.2 (Debian 12, python3-gmpy2 2.1.2-2+b1).
#
# Guess, noted after the first run: float() of an mpz or mpq is the nearest double, as that of Python's int and
# Fraction.
# Seen: the digits are cut off: float(mpz(2**53 + 3)) is 2**53 + 2, and about half of random fractions get the double
# below the nearest one. mpfr() rounds to nearest, as Python does.
#
# What it means: a bound that is rounded to a double errs by up to a unit, towards 0; convert by way of int, Fraction or
# mpfr.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get -q download python3-gmpy2=2.1.2-2+b1 libmpc3=1.3.1-1 libmpfr6=4.2.0-1 >apt.log 2>&1 ||
  { cat apt.log >&2; exit 2; }
for package in *.deb; do dpkg-deb -x "$package" root; done
LD_LIBRARY_PATH=$(dirname "$(find "$PWD/root" -name libmpc.so.3)")
export LD_LIBRARY_PATH
PYTHONPATH=$PWD/root/usr/lib/python3/dist-packages /usr/bin/python3 - <<'CHECK'
import random
from fractions import Fraction
from gmpy2 import mpfr, mpq, mpz

big = 2**53 + 3
print(f"2**53 + 3: int {float(big):.0f}, mpz {float(mpz(big)):.0f}, mpfr {float(mpfr(mpz(big))):.0f}")
assert float(mpz(big)) == 2**53 + 2 and float(mpfr(mpz(big))) == float(big) == 2**53 + 4
random.seed(1)
pairs = [(random.getrandbits(200) | 1, random.getrandbits(190) | 1) for _ in range(2000)]
below = sum(float(mpq(a, b)) < float(Fraction(a, b)) for a, b in pairs)
above = sum(float(mpq(a, b)) > float(Fraction(a, b)) for a, b in pairs)
by_mpfr = sum(float(mpfr(mpq(a, b))) != float(Fraction(a, b)) for a, b in pairs)
print(f"of 2000 fractions: {below} below the nearest double, {above} above; by mpfr {by_mpfr} differ")
assert below > 800 and above == by_mpfr == 0, "float() rounds to nearest now"
CHECK
