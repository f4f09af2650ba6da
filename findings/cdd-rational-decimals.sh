#!/bin/sh
# cddlib 0.94m (Debian 12, libcdd-tools 094m-1), `scdd_gmp`, number type "rational".
#
# Guess, before it was run: a decimal such as 0.5 is read as 1/2, or rejected, in a program for exact fractions.
# Seen: it is read as 0, without a note. The interval 1/2 <= x <= 7/4 has the vertices 1/2 and 7/4 when it is written in
# fractions; in decimals, -0.5 and 1.75, it is the point 0.
#
# What it means: write fractions into files of type rational; a certificate from decimals is one about other data.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get -q download libcdd-tools=094m-1 libcdd0d=094m-1 >apt.log 2>&1 || { cat apt.log >&2; exit 2; }
for package in *.deb; do dpkg-deb -x "$package" root; done
LD_LIBRARY_PATH=$(dirname "$(find "$PWD/root" -name 'libcddgmp.so.0' | head -1)")
export LD_LIBRARY_PATH
vertices() {
  printf 'H-representation\nbegin\n2 2 rational\n%s 1\n%s -1\nend\n' "$1" "$2" >"$3.ine"
  root/usr/bin/scdd_gmp "$3.ine" >"$3.log" 2>&1
  grep -E '^ 1 [-0-9/]+$' "$3.ext" | sort | tr '\n' ';' | tee "$3.vertices"
  echo " for $1 + x >= 0, $2 - x >= 0"
}
vertices -1/2 7/4 fractions
vertices -0.5 1.75 decimals
[ "$(cat fractions.vertices)" = ' 1 1/2; 1 7/4;' ]
[ "$(cat decimals.vertices)" = ' 1 0;' ] || { echo "decimals are read otherwise now" >&2; exit 1; }
