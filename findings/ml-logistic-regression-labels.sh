#!/bin/sh
# ml-logistic-regression 2.0.0 and ml-matrix 6.15.1 (npm).
#
# Guess, before it was run: the class fits an intercept of its own.
# Guess, noted after the first run: it predicts labels that it was given.
# Seen: it has no intercept: from x = 1, 2, 3, 4 with labels 0, 0, 1, 1 all predictions are 1. Labels 5 and 7 are
# predicted as 0, labels -1 and 1 as 0 and 1, without an error: it numbers classes from 0, and takes labels for such
# numbers.
#
# What it means: add a column of ones, code labels as 0, 1, ..., and map the predictions back.
set -eu

command -v npm >/dev/null || { echo "needs npm" >&2; exit 2; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund ml-logistic-regression@2.0.0 ml-matrix@6.15.1 >npm.log 2>&1 ||
  { cat npm.log >&2; exit 2; }
cat >program.mjs <<'PROGRAM'
import LogisticRegression from "ml-logistic-regression";
import { Matrix } from "ml-matrix";
function predict(rows, labels) {
  const model = new LogisticRegression({ numSteps: 2000, learningRate: 0.1 });
  model.train(new Matrix(rows), Matrix.columnVector(labels));
  return model.predict(new Matrix(rows)).join(" ");
}
console.log("x 1 2 3 4, labels 0 0 1 1:", predict([[1], [2], [3], [4]], [0, 0, 1, 1]));
console.log("with a column of ones:", predict([[1, 1], [2, 1], [3, 1], [4, 1]], [0, 0, 1, 1]));
console.log("x -2 -1 1 2, labels -1 -1 1 1:", predict([[-2], [-1], [1], [2]], [-1, -1, 1, 1]));
console.log("x -2 -1 1 2, labels 5 5 7 7:", predict([[-2], [-1], [1], [2]], [5, 5, 7, 7]));
PROGRAM
node program.mjs | tee seen
cat >expected <<'EXPECTED'
x 1 2 3 4, labels 0 0 1 1: 1 1 1 1
with a column of ones: 0 0 1 1
x -2 -1 1 2, labels -1 -1 1 1: 0 0 1 1
x -2 -1 1 2, labels 5 5 7 7: 0 0 0 0
EXPECTED
diff expected seen
