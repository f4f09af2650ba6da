#!/bin/sh
# SQLite 3.40.1 (Debian 12, libsqlite3-0 3.40.1-2+deb12u2), the numbers that SQL and casts read.
#
# Guess, before it was run: a decimal of up to 15 digits is read as the nearest double; one of 17 digits may be a unit
# in the last place off.
# Seen: 0.0010618286, of 8 digits, is read as the double above the nearest: the value is computed in 64 bits and
# rounded again to 53. So are a few in ten thousand of 8, 12, 15 and 16 digits. CAST and a column of type REAL do the
# same. A whole number divided by a power of two, or a double that is bound to a parameter, is exact.
#
# What it means: weights written as decimals in SQL are not the weights; a score of exactly the threshold may get the
# other label. Write whole numbers over powers of two, or bind parameters.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get -q download sqlite3=3.40.1-2+deb12u2 libsqlite3-0=3.40.1-2+deb12u2 >apt.log 2>&1 || { cat apt.log >&2; exit 2; }
for package in *.deb; do dpkg-deb -x "$package" root; done
LD_LIBRARY_PATH=$(dirname "$(find "$PWD/root" -name libsqlite3.so.0)")
export LD_LIBRARY_PATH
root/usr/bin/sqlite3 >seen <<'COMMANDS'
CREATE TABLE t(x REAL);
INSERT INTO t VALUES('0.0010618286');
SELECT printf('%!.20g', 0.0010618286), 0.0010618286 = CAST('0.0010618286' AS REAL), x = 0.0010618286 FROM t;
.mode json
SELECT 0.0010618286 AS literal, 4896820108586327 / 4611686018427387904.0 AS exact;
COMMANDS
cat seen
python3 - <<'CHECK'
import json
text = open("seen").read()
row = json.loads(text[text.index("["):])[0]
assert text.split("\n")[0].split("|")[1:] == ["1", "1"], "a cast or a column changed"
assert row["literal"] != 0.0010618286 and abs(row["literal"] - 0.0010618286) < 3e-19, "the literal changed"
assert row["exact"] == 0.0010618286, "the quotient changed"
CHECK
