#!/bin/sh
# scikit-learn 1.2.1 (Debian 12, python3-sklearn 1.2.1+dfsg-1): metrics.log_loss.
#
# Guess, before it was run: probabilities 1, 0 and 0.5 have the same loss as float32 and as float64; all are exact in
# both.
# Seen: they are clipped at the epsilon of their type, 1.2e-7 or 2.2e-16. A certain and wrong prediction costs 15.9 in
# float32, as XGBoost and neural networks return it, and 36.0 in float64; the same model ranks better for its type.
#
# What it means: convert to float64, or clip all probabilities alike, before losses of several programs are compared.
set -eu

installed() { [ "$(dpkg-query -W -f '${Version}' "$1" 2>/dev/null)" = "$2" ] || { echo "needs $1 $2" >&2; exit 2; }; }
installed python3-sklearn 1.2.1+dfsg-1
/usr/bin/python3 - <<'CHECK'
import numpy
from sklearn.metrics import log_loss
labels, probabilities = [0, 0, 1], [1.0, 0.0, 0.5]
single, double = (log_loss(labels, numpy.array(probabilities, dtype=t)) for t in ("float32", "float64"))
print(f"log loss: float32 {single:.4f}, float64 {double:.4f}")
assert abs(single - 5.5452) < 1e-3 and abs(double - 12.2456) < 1e-3, "the type makes no such difference now"
CHECK
