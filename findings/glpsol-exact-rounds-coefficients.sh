#!/bin/sh
# GLPK 5.0 (Debian 12, glpk-utils 5.0-1), `glpsol --exact`.
#
# Guess, before it was run: the exact simplex method solves the problem of the doubles that were read, bit by bit.
# Seen: coefficients are replaced by near fractions before it starts. Two points of different classes, 0.3 and 0.3 +
# 1e-12, are called inseparable ("NO FEASIBLE SOLUTION"), though w = -4e12 separates them; at a gap of 1e-8 the
# "optimal" solution violates a row by 4e-7.
#
# What it means: no proof of infeasibility comes from --exact; check a solution, or an infeasible combination, in
# fractions.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get -q download glpk-utils=5.0-1 libglpk40=5.0-1 libamd2=1:5.12.0+dfsg-2 libcolamd2=1:5.12.0+dfsg-2 \
  libsuitesparseconfig5=1:5.12.0+dfsg-2 libltdl7=2.4.7-7~deb12u1 >apt.log 2>&1 || { cat apt.log >&2; exit 2; }
for package in *.deb; do dpkg-deb -x "$package" root; done
LD_LIBRARY_PATH=$(dirname "$(find "$PWD/root" -name libglpk.so.40)") PATH=$PWD/root/usr/bin:$PATH python3 - <<'CHECK'
from fractions import Fraction
import subprocess

def solve(other):
    """Separates +1 at 0.3 from -1 at `other`, whose decimals are doubles here as in GLPK."""
    with open("gap.lp", "w") as f:
        f.write(f"Minimize\n o: 0 w\nSubject To\n p: 0.3 w + b >= 1\n n: - {other!r} w - b >= 1\n"
                "Bounds\n w free\n b free\nEnd\n")
    run = subprocess.run(["glpsol", "--exact", "--lp", "gap.lp", "-w", "gap.sol"], capture_output=True, text=True)
    return run.stdout, [Fraction(line.split()[3]) for line in open("gap.sol") if line.startswith("j ")]

def slack(w, b, other):
    return min(Fraction(0.3) * w + b - 1, -Fraction(other) * w - b - 1)

output, _ = solve(0.3 + 1e-12)
w = Fraction(-4 * 10**12)
assert slack(w, 1 - Fraction(0.3) * w, 0.3 + 1e-12) >= 0  # a solution
assert "NO FEASIBLE SOLUTION" in output, "a gap of 1e-12 is solved now"
print("gap 1e-12: a solution exists; glpsol --exact reports that there is none")
output, (w, b) = solve(0.3 + 1e-8)
violation = float(-slack(w, b, 0.3 + 1e-8))
print(f"gap 1e-8: the solution w = {w}, b = {b} violates a row by {violation:.1e}")
assert "OPTIMAL SOLUTION FOUND" in output and violation > 1e-7, "the solution is exact now"
CHECK
