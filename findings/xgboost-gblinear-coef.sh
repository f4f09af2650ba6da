#!/bin/sh
# XGBoost 1.7.4 (Debian 12, python3-xgboost 1.7.4-1), XGBClassifier(booster="gblinear").
#
# Guess, before it was run: coef_ is as scikit-learn has it: row k has the weights of class k. After early stopping the
# prediction is that of the best round.
# Seen: with three classes coef_ has the right shape and the wrong order: the weights are stored feature by feature and
# cut as if class by class, so that its scores are off by more than 1. After early stopping the last round predicts.
#
# What it means: reshape the weights of get_dump() to (features, classes); train again with the best number of rounds.
set -eu

installed() { [ "$(dpkg-query -W -f '${Version}' "$1" 2>/dev/null)" = "$2" ] || { echo "needs $1 $2" >&2; exit 2; }; }
installed python3-sklearn 1.2.1+dfsg-1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get -q download python3-xgboost=1.7.4-1 libxgboost0=1.7.4-1 >apt.log 2>&1 || { cat apt.log >&2; exit 2; }
for package in *.deb; do dpkg-deb -x "$package" root; done
LD_LIBRARY_PATH=$(dirname "$(find "$PWD/root" -name 'libxgboost.so*' | head -1)")
export LD_LIBRARY_PATH
PYTHONPATH=$PWD/root/usr/lib/python3/dist-packages /usr/bin/python3 -W ignore - <<'CHECK'
import numpy
from sklearn.metrics import log_loss
from xgboost import XGBClassifier

random = numpy.random.default_rng(0)
rows = random.normal(size=(300, 4))
classes = (rows[:, 0] > 0).astype(int) + (rows[:, 1] > 0.5)
settings = {"booster": "gblinear", "updater": "coord_descent", "nthread": 1}

model = XGBClassifier(n_estimators=50, **settings).fit(rows, classes)
def error(weights):
    """The largest error of the scores; XGBoost adds 0.5, its base score, to all."""
    return float(abs(rows @ weights.T + model.intercept_ + 0.5 - model.predict(rows, output_margin=True)).max())
as_stored = error(model.coef_.reshape(4, 3).T)
print(f"largest error of the scores: coef_ {error(model.coef_):.2g}, read feature by feature {as_stored:.2g}")
assert model.coef_.shape == (3, 4) and error(model.coef_) > 1 and as_stored < 1e-3, "coef_ is in order now"

noise, more = random.integers(0, 2, size=(2, 300))
others = random.normal(size=(300, 4))
stopped = XGBClassifier(n_estimators=200, early_stopping_rounds=5, eval_metric="logloss", **settings)
stopped.fit(rows, noise, eval_set=[(others, more)], verbose=False)
losses = stopped.evals_result()["validation_0"]["logloss"]
predicted = log_loss(more, stopped.predict_proba(others).astype(float))
print(f"validation loss: best {min(losses):.5f}, last {losses[-1]:.5f}, of the prediction {predicted:.5f}")
assert abs(predicted - losses[-1]) < 1e-5 < predicted - min(losses), "the best round predicts now"
CHECK
