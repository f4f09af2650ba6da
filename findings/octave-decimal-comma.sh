#!/bin/sh
# GNU Octave 7.3.0 (Debian 12, octave 7.3.0-2), str2double() and csvread().
#
# Guess, before it was run: str2double("1,5") is NaN, as all text that is no number; csvread() of a text is an error,
# and of an empty field NaN.
# Seen: "1,5" is 15: commas are taken out. csvread() reads texts, empty fields and what short rows lack as 0, the names
# of the columns as a row of zeros, and 1d2 as 1. With "emptyvalue", NaN, dlmread() reads texts as NaN, but 12abc as 12,
# 3rd as 3, 0x10 as 0, and 1i as imaginary, so that the whole matrix is complex.
#
# What it means: numbers with a decimal comma are wrong by powers of ten; dlmread with "emptyvalue", NaN covers gaps,
# and only those texts that do not begin as a number.
set -eu

installed() { [ "$(dpkg-query -W -f '${Version}' "$1" 2>/dev/null)" = "$2" ] || { echo "needs $1 $2" >&2; exit 2; }; }
installed octave 7.3.0-2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf 'a,b,c\n1,text,3\n4,,6\n7,1d2\n' >data.csv
cat >program.m <<'PROGRAM'
printf("str2double:"); printf(" %g", str2double({"1,5", "1,234.5", "1.5x"})); printf("\n");
printf("csvread:"); printf(" %g", csvread("data.csv")'); printf("\n");
printf("dlmread:"); printf(" %g", dlmread("data.csv", "emptyvalue", NaN)'); printf("\n");
printf("texts: %s\n", mat2str(dlmread("texts.csv", "emptyvalue", NaN)));
printf("1i: %s\n", mat2str(dlmread("imaginary.csv", "emptyvalue", NaN)));
PROGRAM
printf '12abc,3rd,0x10,text\n' >texts.csv
printf '2,1i\n' >imaginary.csv
octave-cli --no-history --norc program.m | tee seen
cat >expected <<'EXPECTED'
str2double: 15 1234.5 NaN
csvread: 0 0 0 1 0 3 4 0 6 7 1 0
dlmread: NaN NaN NaN 1 NaN 3 4 NaN 6 7 1 NaN
texts: [12 3 0 NaN]
1i: [2+0i 0+1i]
EXPECTED
diff expected seen
