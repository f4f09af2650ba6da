#!/bin/sh
# scikit-learn 1.2.1 (Debian 12, python3-sklearn 1.2.1+dfsg-1): metrics.accuracy_score and metrics.log_loss.
#
# Guess, before it was run: labels as text against labels as numbers are an error.
# Guess, noted after the first run: log_loss(labels=...) gives the order of the columns of probabilities.
# Seen: accuracy_score(["1", "2"], [1, 2]) is 0.0, with a FutureWarning about a comparison. log_loss sorts the labels
# that it is given: with labels=["no", "maybe"] and columns in that order a good prediction has the loss 2.30 instead of
# 0.11.
#
# What it means: read both sides with one type; sort the columns of probabilities by label, whatever labels= is.
set -eu

installed() { [ "$(dpkg-query -W -f '${Version}' "$1" 2>/dev/null)" = "$2" ] || { echo "needs $1 $2" >&2; exit 2; }; }
installed python3-sklearn 1.2.1+dfsg-1
/usr/bin/python3 -W ignore - <<'CHECK'
from sklearn.metrics import accuracy_score, log_loss
accuracy = accuracy_score(["1", "2"], [1, 2])
given = log_loss(["no", "maybe"], [[0.9, 0.1], [0.1, 0.9]], labels=["no", "maybe"])
swapped = log_loss(["no", "maybe"], [[0.1, 0.9], [0.9, 0.1]], labels=["no", "maybe"])
print(f"accuracy of text against numbers: {accuracy}; log loss: columns as labels= {given:.2f}, sorted {swapped:.2f}")
assert accuracy == 0, "text is compared with numbers now"
assert abs(given - 2.3026) < 1e-3 and abs(swapped - 0.1054) < 1e-3, "labels= gives the order now"
CHECK
