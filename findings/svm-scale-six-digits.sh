#!/bin/sh
# LIBSVM 3.24 (Debian 12, libsvm-tools 3.24+ds-6), `svm-scale`.
#
# Guess, before it was run: scaled values are written such that different ones stay different; with saved ranges, a
# feature that they lack stays as it is.
# Seen: values have six digits. Two rows of different classes, 0.1000000001 and 0.1000000002, become equal, so that
# separable data are no longer. A feature that the saved ranges lack is dropped without a note.
#
# What it means: ask whether data are separable before svm-scale, not after; scale with ranges that cover all features.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get -q download libsvm-tools=3.24+ds-6 libsvm3=3.24+ds-6 >apt.log 2>&1 || { cat apt.log >&2; exit 2; }
for package in *.deb; do dpkg-deb -x "$package" root; done
printf '+1 1:0.1000000001\n-1 1:0.1000000002\n+1 1:0.7\n' >data
printf '+1 1:0.4 2:3\n' >more
root/usr/bin/svm-scale -s ranges data | tee data.scaled
root/usr/bin/svm-scale -r ranges more >more.scaled 2>warning
cat more.scaled
# The features of the first two rows are the same text; those of the third are not.
[ "$(sed -n 1p data.scaled | cut -d' ' -f2)" = "$(sed -n 2p data.scaled | cut -d' ' -f2)" ]
[ "$(sed -n 1p data.scaled | cut -d' ' -f2)" != "$(sed -n 3p data.scaled | cut -d' ' -f2)" ]
if [ -s warning ] || grep -q ' 2:' more.scaled; then echo "the unknown feature is kept or named now" >&2; exit 1; fi
