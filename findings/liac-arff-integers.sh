#!/bin/sh
# liac-arff 2.5.0 (Debian 12, python3-liac-arff 2.5.0-3).
#
# Guess, noted after the first run: an attribute of type integer is a number, as in Weka, or 1.9 in it is an error; an
# integer keeps its digits; a value outside a nominal attribute is an error on both sides.
# Seen: 1.9 becomes 1; 9007199254740993 becomes 9007199254740992, by way of a double; 1e400 is infinite. dumps() writes
# a nominal value that is not declared, and loads() then rejects the file.
#
# What it means: declare numeric instead of integer, and load what was written before it is sent.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get -q download python3-liac-arff=2.5.0-3 >apt.log 2>&1 || { cat apt.log >&2; exit 2; }
for package in *.deb; do dpkg-deb -x "$package" root; done
PYTHONPATH=$PWD/root/usr/lib/python3/dist-packages /usr/bin/python3 -W ignore - <<'CHECK'
import arff
text = "@relation r\n@attribute a integer\n@attribute b numeric\n@data\n1.9,1.9\n9007199254740993,1e400\n"
rows = arff.loads(text)["data"]
print("read:", rows)
assert rows == [[1, 1.9], [2**53, float("inf")]], "integers are read otherwise now"
written = arff.dumps({"relation": "r", "attributes": [("class", ["no", "yes"])], "data": [["maybe"]]})
try:
    arff.loads(written)
    raise SystemExit("an undeclared value is read now")
except arff.ArffException as error:
    print("written, and then:", error)
CHECK
