#!/bin/sh
# SQLite 3.40.1 (Debian 12, sqlite3 3.40.1-2+deb12u2), the shell's CSV export.
#
# Guess, before it was run: the shell writes a REAL with the digits that give it back; text such as 9007199254740993.0
# in a column of type INTEGER stays as it is, since no conversion is exact.
# Seen: .mode csv writes 15 digits: 0.30000000000000004 becomes 0.3, and the double 9007199254740992 becomes
# 9.00719925474099e+15, another number. The text is stored as the integer 9007199254740992. .mode json writes enough
# digits.
#
# What it means: different rows of a table may be equal in its CSV file; read the database itself, or export by .mode
# json.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get -q download sqlite3=3.40.1-2+deb12u2 libsqlite3-0=3.40.1-2+deb12u2 >apt.log 2>&1 || { cat apt.log >&2; exit 2; }
for package in *.deb; do dpkg-deb -x "$package" root; done
LD_LIBRARY_PATH=$(dirname "$(find "$PWD/root" -name libsqlite3.so.0)")
export LD_LIBRARY_PATH
root/usr/bin/sqlite3 >seen <<'COMMANDS'
CREATE TABLE t(x REAL, i INTEGER);
INSERT INTO t VALUES(0.1 + 0.2, '9007199254740993.0'), (0.3, 1), (9007199254740992.0, 2);
.mode csv
SELECT x, i, typeof(i) FROM t;
.mode json
SELECT x FROM t;
COMMANDS
cat seen
python3 - <<'CHECK'
import json
text = open("seen").read()
rows = [line.strip() for line in text[:text.index("[")].strip().split("\n")]
values = [row["x"] for row in json.loads(text[text.index("["):])]
assert rows == ["0.3,9007199254740992,integer", "0.3,1,integer", "9.00719925474099e+15,2,integer"], "CSV changed"
assert values == [0.1 + 0.2, 0.3, 2.0**53], "JSON changed"
CHECK
