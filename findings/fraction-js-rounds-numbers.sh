#!/bin/sh
# fraction.js 5.3.4 (npm), a Fraction from a number.
#
# Guess, before it was run: a number becomes a fraction that gives the same number back: 0.1 is 1/10, and
# 0.30000000000000004 is not 0.3.
# Seen: it becomes a near fraction: 0.30000000000001 is 3/10, 3.141592653589793 is 11985110/3814979, and 1e-16 is 0.
# Text is exact: "0.30000000000001" keeps its digits.
#
# What it means: weights and data that are made exact this way are other weights and data; pass text, or build the
# fraction from the double's bits.
set -eu

command -v npm >/dev/null || { echo "needs npm" >&2; exit 2; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund fraction.js@5.3.4 >npm.log 2>&1 || { cat npm.log >&2; exit 2; }
cat >program.cjs <<'PROGRAM'
const { Fraction } = require("fraction.js");
for (const value of [0.1, 0.30000000000001, Math.PI, 1e-16, "0.30000000000001"]) {
  const fraction = new Fraction(value);
  const back = fraction.valueOf() === Number(value) ? "same" : "other";
  console.log(`${JSON.stringify(value)} ${fraction.toFraction()} ${back}`);
}
PROGRAM
node program.cjs | tee seen
cat >expected <<'EXPECTED'
0.1 1/10 same
0.30000000000001 3/10 other
3.141592653589793 11985110/3814979 other
1e-16 0 other
"0.30000000000001" 30000000000001/100000000000000 same
EXPECTED
diff expected seen
