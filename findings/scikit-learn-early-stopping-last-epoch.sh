#!/bin/sh
# scikit-learn 1.2.1 (Debian 12, python3-sklearn 1.2.1+dfsg-1): SGDClassifier(early_stopping=True).
#
# Guess, before it was run: as with other early stopping, the model is the one of the best epoch on the validation rows.
# Seen: the model is the one of the last epoch, after n_iter_no_change epochs without a gain: here 0.80 of the
# validation rows are right, where epoch 6 had 0.90. The score of the best epoch is kept nowhere.
#
# What it means: early stopping saves time, not the model; call partial_fit, and keep the best copy, or average.
set -eu

installed() { [ "$(dpkg-query -W -f '${Version}' "$1" 2>/dev/null)" = "$2" ] || { echo "needs $1 $2" >&2; exit 2; }; }
installed python3-sklearn 1.2.1+dfsg-1
/usr/bin/python3 -W ignore - <<'CHECK'
import numpy
from sklearn.linear_model import SGDClassifier
from sklearn.model_selection import StratifiedShuffleSplit

random = numpy.random.default_rng(0)
rows = random.normal(size=(200, 5))
labels = (rows[:, 0] + 0.3 * random.normal(size=200) > 0).astype(int)
validation = next(StratifiedShuffleSplit(test_size=0.1, random_state=0).split(rows, labels))[1]

def fit(epochs):
    """The model after so many epochs at most; the epochs before are the same for all."""
    return SGDClassifier(loss="perceptron", learning_rate="constant", eta0=1, penalty=None, random_state=0,
                         early_stopping=True, max_iter=epochs).fit(rows, labels)

stopped = fit(1000)
epochs = [fit(k + 1) for k in range(stopped.n_iter_)]
scores = [model.score(rows[validation], labels[validation]) for model in epochs]
print("validation scores by epoch", scores)
same = [k + 1 for k, model in enumerate(epochs) if (model.coef_ == stopped.coef_).all()]
print(f"the model is that of epoch {same}, the best is {scores.index(max(scores)) + 1}")
assert same == [stopped.n_iter_] and scores[-1] < max(scores), "the best epoch is kept now"
CHECK
