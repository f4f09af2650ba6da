#!/bin/sh
# Z3 4.8.12 (Debian 12, z3 4.8.12-3.1), (maximize) over the reals.
#
# Guess, before it was run: the supremum of d with d < 2 is reported as 2 minus an epsilon, or as not attained.
# Seen: (get-objectives) reports d 1, and the model has another value, 0; for a margin below 2 it reports 7/10, while d
# > 1.9 is satisfiable. No warning is printed.
#
# What it means: state margins with >= and a bound, not with >; check an optimum by asking for a better one.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get -q download z3=4.8.12-3.1 >apt.log 2>&1 || { cat apt.log >&2; exit 2; }
for package in *.deb; do dpkg-deb -x "$package" root; done
cat >small.smt2 <<'PROBLEM'
(declare-const d Real)
(assert (< d 2))
(maximize d)
(check-sat)
(get-objectives)
(get-value (d))
PROBLEM
cat >margin.smt2 <<'PROBLEM'
(declare-const x Real)
(declare-const d Real)
(assert (> (* 0.3 x) (+ 1 d)))
(assert (< x 10))
(push)
(assert (> d 1.9))
(check-sat)
(pop)
(maximize d)
(check-sat)
(get-objectives)
PROBLEM
root/usr/bin/z3 small.smt2 | tr '\n' ' ' | tee small.seen
echo
root/usr/bin/z3 margin.smt2 | tr '\n' ' ' | tee margin.seen
echo
grep -q '(d 1)' small.seen && grep -q '((d 0.0))' small.seen || { echo "the optimum of d < 2 changed" >&2; exit 1; }
grep -q '^sat sat .*(d (/ 7.0 10.0))' margin.seen || { echo "the optimum of the margin changed" >&2; exit 1; }
