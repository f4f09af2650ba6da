#!/bin/sh
# javascript-lp-solver 1.0.3 (npm).
#
# Guess, before it was run: a feasible program of two rows and two free variables ("unrestricted") is solved.
# Seen: it is called infeasible, with bounded: true; written with each variable as a difference of two, it is solved.
# Values are rounded to eight decimals: the least x >= 1e-9 is 0.
#
# What it means: weights are free variables; split each into two, and scale the data: 1e-8 is rounded off.
set -eu

command -v npm >/dev/null || { echo "needs npm" >&2; exit 2; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund javascript-lp-solver@1.0.3 >npm.log 2>&1 || { cat npm.log >&2; exit 2; }
cat >program.mjs <<'PROGRAM'
import solver from "javascript-lp-solver";
// Class + at 1, class - at 2: w + b >= 1 and -2 w - b >= 1, for example w = -2, b = 3.
const constraints = { plus: { min: 1 }, minus: { min: 1 } };
const solve = (program) => solver.Solve({ optimize: "w", opType: "max", constraints, ...program });
const free = solve({
  variables: { w: { plus: 1, minus: -2, w: 1 }, b: { plus: 1, minus: -1 } },
  unrestricted: { w: 1, b: 1 },
});
const split = solve({
  variables: {
    wp: { plus: 1, minus: -2, w: 1 }, wn: { plus: -1, minus: 2, w: -1 },
    bp: { plus: 1, minus: -1 }, bn: { plus: -1, minus: 1 },
  },
});
const tiny = solver.Solve({
  optimize: "x", opType: "min", constraints: { a: { min: 1e-9 } }, variables: { x: { a: 1, x: 1 } },
});
console.log(`free: feasible ${free.feasible}; split: feasible ${split.feasible}, w = ${split.result}`);
console.log(`least x >= 1e-9: feasible ${tiny.feasible}, ${tiny.result}`);
PROGRAM
node program.mjs | tee seen
cat >expected <<'EXPECTED'
free: feasible false; split: feasible true, w = -2
least x >= 1e-9: feasible true, 0
EXPECTED
diff expected seen
