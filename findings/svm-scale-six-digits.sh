#!/bin/sh
# LIBSVM 3.24 (Debian 12, libsvm-tools 3.24+ds-6), `svm-scale`.
#
# Guess, before it was run: scaled values are written such that different ones stay different.
# Seen: values have six digits. Two rows of different classes, 0.1000000001 and 0.1000000002, become equal, so that
# separable data are no longer.
#
# What it means: ask whether data are separable before svm-scale, not after.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get -q download libsvm-tools=3.24+ds-6 libsvm3=3.24+ds-6 >apt.log 2>&1 || { cat apt.log >&2; exit 2; }
for package in *.deb; do dpkg-deb -x "$package" root; done
printf '+1 1:0.1000000001\n-1 1:0.1000000002\n+1 1:0.7\n' >data
root/usr/bin/svm-scale data | tee data.scaled
# The features of the first two rows are the same text; those of the third are not.
[ "$(sed -n 1p data.scaled | cut -d' ' -f2)" = "$(sed -n 2p data.scaled | cut -d' ' -f2)" ]
[ "$(sed -n 1p data.scaled | cut -d' ' -f2)" != "$(sed -n 3p data.scaled | cut -d' ' -f2)" ]
