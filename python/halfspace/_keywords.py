"""What to write instead of a keyword that is no option, such as one of scikit-learn's linear classifiers."""

import difflib

_PENALTY = "l1 and l2 of FTRLClassifier are penalties"
_MINIMA = "LinearSVC and LogisticRegression have C"
_STOP = "passes=N with until='clean' ends a run early, once a pass makes no mistake"
_ONE_WAY = "each rule has its own solver; leave it out"

# The option of the same meaning, or None; and what to write where a class has no such option.
_OF_SKLEARN = {
    "max_iter": ("passes", None),
    "random_state": ("seed", None),
    "n_jobs": ("threads", None),
    "C": ("aggressiveness", f"aggressiveness of PassiveAggressiveClassifier is its C; {_PENALTY}; {_MINIMA}"),
    "eta0": ("rate", "rate of Perceptron and alpha of FTRLClassifier are learning rates"),
    "learning_rate": ("rate", "rate of Perceptron and alpha of FTRLClassifier are learning rates"),
    "power_t": (None, "the rates of the rules need no schedule; leave it out"),
    "alpha": (None, _PENALTY),
    "penalty": (None, _PENALTY),
    "l1_ratio": (None, _PENALTY),
    "loss": (None, "rule='pa1' of PassiveAggressiveClassifier has the hinge loss; FTRLClassifier and LinearSVC have loss"),
    "tol": (None, _STOP),
    "n_iter_no_change": (None, _STOP),
    "early_stopping": (None, "holdout=0.1 evaluates the model on rows held out"),
    "validation_fraction": ("holdout", None),
    "shuffle": (None, "order='shuffled' or order='cyclic', with passes"),
    "fit_intercept": (None, "bias='none' leaves the intercept out"),
    "intercept_scaling": ("bias_scale", None),
    "average": (None, "AveragedPerceptron averages; keep='average' does with other rules"),
    "warm_start": (None, "partial_fit() continues where fit() ended"),
    "multi_class": ("multiclass", None),
    "solver": (None, _ONE_WAY),
    "dual": (None, _ONE_WAY),
}


def instead(name, options, rest):
    """Returns what to write instead of `name`, which is not among `options`; `rest` where nothing is like it."""
    option, words = _OF_SKLEARN.get(name, (None, None))
    if option in options:
        return f"{option} is its name here"
    if words:
        return words
    near = difflib.get_close_matches(name, options, 1, cutoff=0.8)
    return f"did you mean {near[0]!r}?" if near else rest
