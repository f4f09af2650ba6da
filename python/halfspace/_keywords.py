"""What to write instead of a keyword that is no option, such as one of scikit-learn's or river's linear classifiers."""

import difflib

_PENALTY = "l1 and l2 of FTRLClassifier are penalties"
_MINIMA = "LinearSVC and LogisticRegression have C"
_STOP = "passes=N with until='clean' ends a run early, once a pass makes no mistake"
_ONE_WAY = "each rule has its own solver; leave it out"

# The option of the same meaning, or None; and what to write where a class has no such option.
_ELSEWHERE = {
    "max_iter": ("passes", None),
    "n_iter": ("passes", None),
    "epochs": ("passes", None),
    "target": ("label", None),
    "test_size": ("holdout", None),
    "cv": ("folds", None),
    "scoring": ("metric", None),
    "method": ("calibrate", None),
    "param_grid": (None, "GridSearchCV takes the estimators"),
    "initializer": ("start", None),
    "optimizer": (None, "each rule has its own steps; rule='nag' adapts them to each feature"),
    "clip_gradient": (None, "aggressiveness of rule='pa1' caps what a row may do"),
    "mode": (None, "rule='pa', 'pa1' or 'pa2'"),
    "drift_detector": (None, "`halfspace train FILE --drift adwin` watches a stream"),
    "random_state": ("seed", None),
    "n_jobs": ("threads", None),
    "C": ("aggressiveness", f"aggressiveness of PassiveAggressiveClassifier is its C; {_PENALTY}; {_MINIMA}"),
    "lr": ("rate", "rate of Perceptron and alpha of FTRLClassifier are learning rates"),
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
    "learn_intercept": (None, "bias='none' leaves the intercept out"),
    "intercept_init": (None, "the intercept begins at 0 and learns as weights do; leave it out"),
    "intercept_lr": (None, "the intercept begins at 0 and learns as weights do; leave it out"),
    "intercept_scaling": ("bias_scale", None),
    "average": (None, "AveragedPerceptron averages; keep='average' does with other rules"),
    "warm_start": (None, "partial_fit() continues where fit() ended"),
    "multi_class": ("multiclass", None),
    "solver": (None, _ONE_WAY),
    "dual": (None, _ONE_WAY),
}


def instead(name, options, rest):
    """Returns what to write instead of `name`, which is not among `options`; `rest` where nothing is like it."""
    option, words = _ELSEWHERE.get(name, (None, None))
    if option in options:
        return f"{option} is its name here"
    if words:
        return words
    near = difflib.get_close_matches(name, options, 1, cutoff=0.8)
    return f"did you mean {near[0]!r}?" if near else rest
