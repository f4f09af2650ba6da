#!/bin/sh
# NumPy 1.24.2 (Debian 12, python3-numpy 1:1.24.2-1+deb12u1), genfromtxt().
#
# Guess, noted after the first run: with dtype=int a field that is no whole number, such as 1.9, is an error, or becomes
# 1.
# Seen: it becomes -1, without a warning, as do 1e3, an empty field and a text. In a column of labels 1 and -1 each
# passes for a label. loadtxt() rejects the text.
#
# What it means: read as float, and convert; or use loadtxt(), which stops.
set -eu

installed() { [ "$(dpkg-query -W -f '${Version}' "$1" 2>/dev/null)" = "$2" ] || { echo "needs $1 $2" >&2; exit 2; }; }
installed python3-numpy 1:1.24.2-1+deb12u1
/usr/bin/python3 -W error - <<'CHECK'
import io
import numpy
text = "1,1.9,1e3,,text\n"
row = numpy.genfromtxt(io.StringIO(text), delimiter=",", dtype=int)
print(text.strip(), "->", row.tolist())
assert row.tolist() == [1, -1, -1, -1, -1], "genfromtxt reads whole numbers otherwise now"
try:
    numpy.loadtxt(io.StringIO("1,text\n"), delimiter=",", dtype=int)
    raise SystemExit("loadtxt reads text now")
except ValueError as error:
    print("loadtxt:", error)
CHECK
