#!/bin/sh
# statsmodels 0.13.5 (Debian 12, python3-statsmodels 0.13.5+dfsg-7), predict() of a model fitted on a data frame.
#
# Guess, before it was run: the parameters have the columns' names, so predict() finds columns by name, or rejects
# another order as scikit-learn does; add_constant() adds a column to a single row, too.
# Seen: columns are taken by position, in silence: the same rows with columns b, a are given other probabilities.
# add_constant() of one row adds nothing, as every column of one row is constant.
#
# What it means: select data[model.model.exog_names] before predict(); give add_constant() has_constant="add".
set -eu

installed() { [ "$(dpkg-query -W -f '${Version}' "$1" 2>/dev/null)" = "$2" ] || { echo "needs $1 $2" >&2; exit 2; }; }
installed python3-scipy 1.10.1-2
installed python3-pandas 1.5.3+dfsg-2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get -q download python3-statsmodels=0.13.5+dfsg-7 python3-statsmodels-lib=0.13.5+dfsg-7 python3-patsy=0.5.3-1 \
  >apt.log 2>&1 || { cat apt.log >&2; exit 2; }
for package in *.deb; do dpkg-deb -x "$package" root; done
PYTHONPATH=$PWD/root/usr/lib/python3/dist-packages /usr/bin/python3 -W ignore - <<'CHECK'
import pandas
import statsmodels.api as sm
data = pandas.DataFrame({"a": [1.0, -2, 3, -1, 2, -3], "b": [5.0, 1, -4, 2, -1, 3]})
model = sm.Logit([1, 0, 1, 1, 0, 0], data).fit(disp=0)
ordered = model.predict(data).round(4).tolist()
swapped = model.predict(data[["b", "a"]]).round(4).tolist()
print("parameters of", list(model.params.index), "columns a, b:", ordered, "columns b, a:", swapped)
assert list(model.params.index) == ["a", "b"] and ordered != swapped, "columns are found by name now"
one, two = sm.add_constant(data[:1]), sm.add_constant(data[:2])
print("add_constant: one row", list(one), "two rows", list(two))
assert list(one) == ["a", "b"] and list(two) == ["const", "a", "b"], "one row gets a constant now"
CHECK
