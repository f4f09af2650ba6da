#!/bin/sh
# Weka 3.6.14 (Debian 12, weka 3.6.14-3): Logistic and SMO; LibSVMSaver and SVMLightSaver.
#
# Guess, before it was run: with the classes {no,yes} the coefficients of Logistic and of SMO are positive for yes.
# Guess, noted after the first run: the two savers give the classes the same order.
# Seen: Logistic models the first class, no, and SMO the second: for the same data the signs are opposite. SVMLightSaver
# writes no as 1 and yes as -1; LibSVMSaver writes no as 0 and yes as 1.
#
# What it means: read the class in Logistic's head line; check the labels of a saved file before a sign is believed.
set -eu

command -v java >/dev/null || { echo "needs java" >&2; exit 2; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get -q download weka=3.6.14-3 >apt.log 2>&1 || { cat apt.log >&2; exit 2; }
for package in *.deb; do dpkg-deb -x "$package" root; done
printf '@relation r\n@attribute x numeric\n@attribute class {no,yes}\n@data\n' >data.arff
printf '1,no\n2,no\n3,yes\n4,no\n5,yes\n6,yes\n' >>data.arff
weka() { java -cp root/usr/share/java/weka-3.6.14.jar "weka.$@" 2>/dev/null; }
weka classifiers.functions.Logistic -t data.arff -no-cv >logistic
weka classifiers.functions.SMO -t data.arff -no-cv >smo
echo "Logistic: class $(awk '/^Variable/ { print $2; exit }' logistic), $(grep -m1 '^x ' logistic | tr -s ' ')"
echo "SMO: $(grep 'Classifier for' smo), $(grep 'normalized' smo | tr -s ' ')"
weka core.converters.LibSVMSaver -i data.arff -c last | sed -n '1p;6p' | tee libsvm
weka core.converters.SVMLightSaver -i data.arff -c last | sed -n '1p;6p' | tee svmlight
python3 - <<'CHECK'
logistic = float(next(line for line in open("logistic") if line.startswith("x ")).split()[1])
smo = float(next(line for line in open("smo") if "normalized" in line).split("*")[0].replace(" ", ""))
assert logistic < 0 < smo, "the signs agree now"
labels = [[float(line.split()[0]) for line in open(name)] for name in ("libsvm", "svmlight")]
assert labels == [[0, 1], [1, -1]], "the savers' labels changed"
CHECK
