#!/bin/sh
# PuLP 2.6.0 (Debian 12, python3-pulp 2.6.0+dfsg-1) with GLPK 5.0 (glpk-utils 5.0-1).
#
# Guess, before it was run: an infeasible problem has the status Infeasible, and its variables the value None.
# Guess, noted after the first run: coefficients reach the solver as they are.
# Seen: the LP file has 12 digits: classes at 0.3 and 0.3 + 1e-13 become one point, and no solver can separate them. The
# status of an infeasible problem is Undefined, and every variable has the value 0.0.
#
# What it means: test the status for Optimal before a value is read; scale features, or call a solver's own interface.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get -q download python3-pulp=2.6.0+dfsg-1 glpk-utils=5.0-1 libglpk40=5.0-1 libamd2=1:5.12.0+dfsg-2 \
  libcolamd2=1:5.12.0+dfsg-2 libsuitesparseconfig5=1:5.12.0+dfsg-2 libltdl7=2.4.7-7~deb12u1 >apt.log 2>&1 ||
  { cat apt.log >&2; exit 2; }
for package in *.deb; do dpkg-deb -x "$package" root; done
LD_LIBRARY_PATH=$(dirname "$(find "$PWD/root" -name libglpk.so.40)")
PATH=$PWD/root/usr/bin:$PATH
PYTHONPATH=$PWD/root/usr/lib/python3/dist-packages
export LD_LIBRARY_PATH PATH PYTHONPATH
/usr/bin/python3 -W ignore - <<'CHECK'
import pulp

def problem(*rows):
    w, b = pulp.LpVariable("w"), pulp.LpVariable("b")
    program = pulp.LpProblem("separate")
    program += 0 * w
    for x, y in rows:
        program += y * x * w + y * b >= 1
    return program, w

near, _ = problem((0.3, 1), (0.3 + 1e-13, -1))
near.writeLP("near.lp")
rows = [line.strip() for line in open("near.lp") if line.startswith("_C")]
print("written:", rows)
assert rows == ["_C1: b + 0.3 w >= 1", "_C2: - b - 0.3 w >= 1"], "the LP file has more digits now"
equal, w = problem((1, 1), (1, -1))
equal.solve(pulp.GLPK_CMD(msg=0))
print("infeasible:", pulp.LpStatus[equal.status], "w =", w.value())
assert pulp.LpStatus[equal.status] == "Undefined" and w.value() == 0, "an infeasible problem is reported now"
CHECK
