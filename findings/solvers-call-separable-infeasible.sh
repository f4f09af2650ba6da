#!/bin/sh
# CVXOPT 1.3.0 (Debian 12, python3-cvxopt 1.3.0+dfsg-1+b1), GLPK 5.0 (glpk-utils 5.0-1), and HiGHS in SciPy 1.10.1
# (python3-scipy 1.10.1-2).
#
# Guess, before it was run: a feasible program of two rows is solved, or the solver reports that its numbers were too
# hard.
# Seen: for classes at 0.3 and 0.3 + gap, with margin 1, all three report "infeasible", as for data that are
# inseparable: CVXOPT from a gap of 1e-7 on (an error at 1e-10), glpsol from 1e-8 on, HiGHS from 1e-10 on. Solutions
# exist, such as a whole number w from -4e6 to -4e10 and b = 2 - 0.3 w.
#
# What it means: "infeasible" of such a solver does not show that data are inseparable; it takes an exact certificate.
set -eu

installed() { [ "$(dpkg-query -W -f '${Version}' "$1" 2>/dev/null)" = "$2" ] || { echo "needs $1 $2" >&2; exit 2; }; }
installed python3-scipy 1.10.1-2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get -q download python3-cvxopt=1.3.0+dfsg-1+b1 glpk-utils=5.0-1 libglpk40=5.0-1 libamd2=1:5.12.0+dfsg-2 \
  libcolamd2=1:5.12.0+dfsg-2 libsuitesparseconfig5=1:5.12.0+dfsg-2 libltdl7=2.4.7-7~deb12u1 \
  libcholmod3=1:5.12.0+dfsg-2 libccolamd2=1:5.12.0+dfsg-2 libcamd2=1:5.12.0+dfsg-2 libmetis5=5.1.0.dfsg-7 \
  >apt.log 2>&1 || { cat apt.log >&2; exit 2; }
for package in *.deb; do dpkg-deb -x "$package" root; done
LD_LIBRARY_PATH=$(dirname "$(find "$PWD/root" -name libglpk.so.40)")
PATH=$PWD/root/usr/bin:$PATH
PYTHONPATH=$PWD/root/usr/lib/python3/dist-packages
export LD_LIBRARY_PATH PATH PYTHONPATH
/usr/bin/python3 - <<'CHECK'
from fractions import Fraction
import subprocess
from cvxopt import matrix, solvers
from scipy.optimize import linprog

solvers.options["show_progress"] = False

def cvxopt(other):
    try:
        return solvers.lp(matrix([0.0, 0.0]), matrix([[-0.3, other], [-1.0, 1.0]]), matrix([-1.0, -1.0]))["status"]
    except ValueError:
        return "error"

def glpsol(other):
    with open("gap.lp", "w") as f:
        f.write(f"Minimize\n o: 0 w\nSubject To\n p: 0.3 w + b >= 1\n n: - {other!r} w - b >= 1\n"
                "Bounds\n w free\n b free\nEnd\n")
    output = subprocess.run(["glpsol", "--lp", "gap.lp"], capture_output=True, text=True).stdout
    known = {"LP HAS NO PRIMAL FEASIBLE SOLUTION": "infeasible", "OPTIMAL LP SOLUTION FOUND": "optimal"}
    return next((known[line] for line in output.splitlines() if line in known), "other")

def highs(other):
    status = linprog([0, 0], [[-0.3, -1], [other, 1]], [-1, -1], bounds=(None, None)).status
    return {0: "optimal", 2: "infeasible"}[status]

seen = {}
for gap in 1e-6, 1e-7, 1e-8, 1e-9, 1e-10:
    other = 0.3 + gap
    w = Fraction(round(-4 / gap))  # a solution, in exact arithmetic, with b = 2 - 0.3 w
    b = 2 - Fraction(0.3) * w
    assert Fraction(0.3) * w + b >= 1 and -Fraction(other) * w - b >= 1
    seen[gap] = [solve(other) for solve in (cvxopt, glpsol, highs)]
    print(f"gap {gap:g}: CVXOPT {seen[gap][0]}, glpsol {seen[gap][1]}, HiGHS {seen[gap][2]}")
first = [next(gap for gap in seen if seen[gap][k].endswith("infeasible")) for k in range(3)]
assert first == [1e-7, 1e-8, 1e-10], f"infeasible from {first} on now"
assert seen[1e-6] == ["optimal"] * 3 and seen[1e-7][1:] == ["optimal"] * 2, "other answers at larger gaps now"
CHECK
