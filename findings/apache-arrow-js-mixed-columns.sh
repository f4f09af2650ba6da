#!/bin/sh
# Apache Arrow for JavaScript 21.2.0 (npm, apache-arrow).
#
# Guess, noted after the first run: tableFromJSON() of a column with a number and then a text is an error, or a column
# of text; a key that a row lacks is null.
# Seen: the first value decides the type, and later texts become NaN; missing keys become NaN in a number column, while
# null stays null. An Int8 vector holds 300 as 44. Nothing is reported.
#
# What it means: give the types, and test the range before; count NaN and null apart when a table comes from such a
# program.
set -eu

command -v npm >/dev/null || { echo "needs npm" >&2; exit 2; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund apache-arrow@21.2.0 >npm.log 2>&1 || { cat npm.log >&2; exit 2; }
cat >program.cjs <<'PROGRAM'
const arrow = require("apache-arrow");
const column = (rows) => [...arrow.tableFromJSON(rows).getChild("x")].join(" ");
console.log("1, text:", column([{ x: 1 }, { x: "text" }]));
console.log("text, 1:", column([{ x: "text" }, { x: 1 }]));
console.log("1, no key:", column([{ x: 1, y: 1 }, { y: 1 }]));
console.log("1, null:", String(arrow.tableFromJSON([{ x: 1 }, { x: null }]).getChild("x").get(1)));
console.log("Int8 of 300:", [...arrow.vectorFromArray([300], new arrow.Int8())].join(" "));
PROGRAM
node program.cjs | tee seen
cat >expected <<'EXPECTED'
1, text: 1 NaN
text, 1: text 1
1, no key: 1 NaN
1, null: null
Int8 of 300: 44
EXPECTED
diff expected seen
