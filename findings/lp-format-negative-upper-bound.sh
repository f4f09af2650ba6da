#!/bin/sh
# The CPLEX LP format in GLPK 5.0 (glpk-utils 5.0-1), Cbc 2.10.8 (coinor-cbc 2.10.8+ds1-1) and QSopt_ex 2.5.10 (qsopt-ex
# 2.5.10.3-2), all of Debian 12.
#
# Guess, noted after the first run: `x <= -2` leaves the lower bound at its default, 0, so that all three find no
# solution.
# Seen: Cbc calls it infeasible; QSopt_ex makes the lower bound minus infinity, and solves; glpsol rejects the bounds,
# ends with status 0 all the same, and writes a solution file with x = 0.
#
# What it means: write both bounds of a variable that may be negative, and read the status in GLPK's solution file.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get -q download glpk-utils=5.0-1 libglpk40=5.0-1 libamd2=1:5.12.0+dfsg-2 libcolamd2=1:5.12.0+dfsg-2 \
  libsuitesparseconfig5=1:5.12.0+dfsg-2 libltdl7=2.4.7-7~deb12u1 coinor-cbc=2.10.8+ds1-1 coinor-libcbc3=2.10.8+ds1-1 \
  coinor-libclp1=1.17.6-3 coinor-libcoinutils3v5=2.11.4+repack1-2 coinor-libosi1v5=0.108.6+repack1-2 \
  coinor-libcgl1=0.60.3+repack1-4 qsopt-ex=2.5.10.3-2 libqsopt-ex2=2.5.10.3-2 >apt.log 2>&1 ||
  { cat apt.log >&2; exit 2; }
for package in *.deb; do dpkg-deb -x "$package" root; done
LD_LIBRARY_PATH=$(dirname "$(find "$PWD/root" -name libglpk.so.40)")
PATH=$PWD/root/usr/bin:$PATH
export LD_LIBRARY_PATH PATH
if ldd root/usr/bin/cbc | grep 'not found' >&2; then exit 2; fi
printf 'Minimize\n obj: x\nSubject To\n r: x >= -10\nBounds\n x <= -2\nEnd\n' >bound.lp
glpsol --lp bound.lp -w glpk.sol >glpk.out && echo "glpsol ends with status 0"
grep 'incorrect bounds' glpk.out
grep -E '^c Status|^j 1' glpk.sol
grep -q '^c Status: *UNDEFINED' glpk.sol
grep -q '^j 1 l 0 0' glpk.sol
cbc bound.lp -solve -quit >cbc.out 2>&1
grep -i 'infeasible' cbc.out | tail -1
esolver -L bound.lp >esolver.out 2>&1
grep 'solved to optimality, LP value -10' esolver.out
