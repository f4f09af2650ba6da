#!/bin/sh
# scikit-learn 1.2.1 (Debian 12, python3-sklearn 1.2.1+dfsg-1): metrics.hinge_loss.
#
# Guess, noted after the first run: the loss of a batch whose labels are all 1 is the mean of max(0, 1 - score).
# Seen: a batch of one class counts as the negative class, whichever it is; labels=[0, 1] does not help. Scores -2 and
# 0.5 have the loss 1.75 where the labels are 1, and 0.75 is returned.
#
# What it means: over a stream, batch by batch, the loss is wrong where a batch has one class; compute it by hand.
set -eu

installed() { [ "$(dpkg-query -W -f '${Version}' "$1" 2>/dev/null)" = "$2" ] || { echo "needs $1 $2" >&2; exit 2; }; }
installed python3-sklearn 1.2.1+dfsg-1
/usr/bin/python3 - <<'CHECK'
from sklearn.metrics import hinge_loss
scores = [-2, 0.5]
right = sum(max(0, 1 - score) for score in scores) / 2
positive = hinge_loss([1, 1], scores)
named = hinge_loss([1, 1], scores, labels=[0, 1])
negative = hinge_loss([0, 0], scores)
print(f"labels 1, 1: {positive}, with labels=[0, 1] {named}, right {right}; labels 0, 0: {negative}")
assert right == 1.75 and positive == named == negative == 0.75, "a batch of one class is right now"
CHECK
