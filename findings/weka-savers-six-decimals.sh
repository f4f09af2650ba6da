#!/bin/sh
# Weka 3.6.14 (Debian 12, weka 3.6.14-3): CSVSaver, ArffSaver, LibSVMSaver.
#
# Guess, before it was run: a data set that is saved as ARFF, Weka's own format, or as CSV has the values it was read
# with.
# Seen: both savers write six decimals: 1e-9 and 2e-9 become 0, and 0.1234567891 and 0.1234567892 become equal. A column
# of small numbers is lost. LibSVMSaver writes all digits.
#
# What it means: scale small columns before they are saved, or go by way of LIBSVM text.
set -eu

command -v java >/dev/null || { echo "needs java" >&2; exit 2; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get -q download weka=3.6.14-3 >apt.log 2>&1 || { cat apt.log >&2; exit 2; }
for package in *.deb; do dpkg-deb -x "$package" root; done
cat >data.arff <<'DATA'
@relation small
@attribute x numeric
@attribute y numeric
@attribute class {no,yes}
@data
0.1234567891,1e-9,no
0.1234567892,2e-9,yes
DATA
weka() { java -cp root/usr/share/java/weka-3.6.14.jar "weka.core.converters.$@" 2>/dev/null; }
weka CSVSaver -i data.arff | tee seen
weka ArffSaver -i data.arff | sed '1,/^@data/d' | tee -a seen
weka LibSVMSaver -i data.arff -c last | tee -a seen
cat >expected <<'EXPECTED'
x,y,class
0.123457,0,no
0.123457,0,yes
0.123457,0,no
0.123457,0,yes
0.0 1:0.1234567891 2:1.0E-9
1.0 1:0.1234567892 2:2.0E-9
EXPECTED
grep . seen | diff expected -
