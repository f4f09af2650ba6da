#!/bin/sh
# LIBSVM 3.24 (Debian 12, libsvm3 3.24+ds-6, python3-libsvm 3.24+ds-6), the model file.
#
# Guess, before it was run: a model that is saved and loaded again decides as it did in memory, to the last digits.
# Seen: coefficients have 17 digits, but the values of support vectors have eight. With a feature such as seconds since
# 1970 (1700000001) an RBF model that is right on its four rows is wrong on one of them after svm_save_model,
# svm_load_model.
#
# What it means: scale features before training, and test the loaded model, not the one in memory.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get -q download libsvm3=3.24+ds-6 python3-libsvm=3.24+ds-6 >apt.log 2>&1 || { cat apt.log >&2; exit 2; }
for package in *.deb; do dpkg-deb -x "$package" root; done
# Where svm.py looks first; else it would take an installed library, or find none.
ln -s "$(find "$PWD/root" -name libsvm.so.3)" root/usr/lib/python3/libsvm.so.2
PYTHONPATH=$PWD/root/usr/lib/python3/dist-packages /usr/bin/python3 - <<'CHECK'
from svmutil import svm_load_model, svm_predict, svm_save_model, svm_train
rows = [[1700000001, 1], [1700000002, 1], [1700000012, 0], [1700000050, 1]]
labels = [1, 1, -1, -1]
model = svm_train(labels, rows, "-t 2 -g 0.001 -c 1000 -q")
svm_save_model("model", model)
vectors = open("model").read().split("SV\n")[1]
memory = svm_predict(labels, rows, model, "-q")[0]
loaded = svm_predict(labels, rows, svm_load_model("model"), "-q")[0]
print(vectors + f"in memory {memory}, loaded {loaded}, labels {labels}")
assert memory == labels, "the model in memory changed"
assert "1.7e+09" in vectors and loaded != memory, "the model file keeps all digits now"
CHECK
