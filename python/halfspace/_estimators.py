"""Estimators in scikit-learn's way. Their keywords are the options of `halfspace train`, read from the library."""

import inspect
import warnings

import numpy as np

from . import _native as native
from ._classifier import ConvergenceWarning, _Classifier, _Fitted
from ._keywords import instead
from ._model import Model
from ._native import paths_of, usage_error
from ._rows import Classes, as_labels, as_rows, distinct, label_array, refuse_zero, row_weights, with_class_weights

# Options of training that need all rows: partial_fit() goes through its rows once, in their order.
_NEED_ALL_ROWS = {"passes", "until", "updates", "seconds", "order", "folds", "holdout", "calibrate", "memory",
                  "conformal", "sets", "threshold"}


class _Probabilities:
    """A method that is there where the model has probabilities, so that hasattr() tells."""

    def __init__(self, method):
        self.method = self.__wrapped__ = method
        self.__doc__ = method.__doc__

    def __get__(self, estimator, owner=None):
        if estimator is None:
            return self.method
        fitted = estimator.__dict__.get("_fitted")
        expected = estimator._log_loss or getattr(estimator, "calibrate", None) not in (None, "none")
        if not (fitted.model.has_probabilities if fitted is not None else expected):
            raise AttributeError(f"this {type(estimator).__name__} has no probabilities: its rule does not minimize "
                                 "the log loss, and it is not calibrated; calibrate='platt' with folds=5 or holdout=0.2 "
                                 "adds them")
        return self.method.__get__(estimator, owner)


# Checks of scikit-learn that fail by nature, with the reason.
_WEIGHTS = dict.fromkeys(
    ("check_sample_weights_invariance", "check_sample_weight_equivalence_on_dense_data",
     "check_sample_weight_equivalence_on_sparse_data"),
    "learning online, a row of weight 0 is a row all the same: it has its turn in the order, and the plan's folds deal "
    "it; and a row of weight 2 is learned in one step, not in two")
_EXTREME = {
    "check_class_weight_classifiers":
        "of three overlapping classes a perceptron moves no more once that of weight 1000 is right on the training "
        "rows; it then predicts it for 84 % of the others, and 87 % are asked for"
}


class _Estimator(_Classifier):
    _rules = ()  # the rules that a class is about, the default first; (): all, and the plan of the library
    _fixed = {}  # options that make the class what it is
    _log_loss = False
    _expected_failures = _WEIGHTS
    # Passes that fit() makes unless told otherwise, None: the library decides; and rounds of a small table, in which
    # passes are cheap, but for 1,000 passes at most.
    _passes, _rounds = None, 0

    # ---- What scikit-learn asks ----

    def set_params(self, **parameters) -> "Self":
        """Sets parameters by name."""
        for name in parameters:
            if name not in self._parameters and name != "verbose":
                raise ValueError(f"{type(self).__name__} has no parameter {name!r}; {self._instead(name)}")
        return super().set_params(**parameters)

    @classmethod
    def _instead(cls, name):
        """Returns what to write instead of a keyword that there is not."""
        return instead(name, cls._parameters, f"help({cls.__name__}) lists its keywords")

    # ---- Learning ----

    def fit(self, X, y=None, sample_weight=None):
        """Learns from all rows, forgetting what was learned before.

        Parameters
        ----------
        X : array, sparse matrix or DataFrame of shape (rows, features); or str, Path or list of them
            float32 and float64 arrays and CSR matrices are read where they lie. Files are read by the library, as
            `halfspace train FILE` does; they have their own labels.
        y : sequence of shape (rows,)
            Labels of any hashable kind; None with files.
        sample_weight : sequence of shape (rows,), >= 0; default 1 each

        Returns
        -------
        self

        Raises
        ------
        UsageError
            An option is invalid, or contradicts another one.
        DataError
            A row is wrong: the message names it, and the column.
        KeyboardInterrupt
            Ctrl-C. The estimator is fitted by the rows so far if there were any.

        Warns
        -----
        HalfspaceWarning
            Of a note in notes_ with which training goes wrong, such as a column that names the rows.
        ConvergenceWarning
            The run was to end with a clean pass (until="clean"), and another limit ended it.
        """
        paths = paths_of(X)
        if paths is not None:
            return self._fit_files(paths, y, sample_weight)
        matrix, labels, classes = self._labelled(X, y)
        if self.conformal and isinstance(self.class_weight, str):
            raise usage_error(f"class_weight={self.class_weight!r} counts the rows held out, too, so they prove no "
                              "prediction sets", "give a dict of weights")
        rows = matrix.handle(self._labels(classes, labels, sample_weight))
        handle, result, run = native.train(self._fit_options(matrix.rows, {"class_weight"}), rows,
                                           progress=bool(self.verbose))
        self._keep(_Fitted(Model(handle, result, run.notes), classes, matrix.kind), matrix.columns,
                   matrix.names)
        run.finish()
        self._warn(result, stacklevel=4)
        return self

    def _warn(self, result, stacklevel):
        """Warns of notes, and of a run that did not converge; where the caller of fit() called."""
        native.warn_of_notes(result, stacklevel)
        stopped = result.result.get("stopped")
        if stopped in ("budget", "cycling") or (getattr(self, "until", None) == "clean" and stopped in ("passes", "updates", "time")):
            warnings.warn(f"no pass was clean in {result.result['passes']} passes: increase passes, or certify() whether a "
                          "halfspace separates the rows at all", ConvergenceWarning, stacklevel)

    def _fit_files(self, paths, y, sample_weight):
        if y is not None or sample_weight is not None:
            raise usage_error("X is read as a path, for it is a text or a list of texts, and a file has its own labels "
                              "and weights", "leave y and sample_weight out for a file; give texts to learn from as a "
                              "column of a data frame, with text=['column'], or through a TfidfVectorizer")
        handle, result, run = native.train(self._fit_options(None), paths=paths, progress=bool(self.verbose))
        model = Model(handle, result, run.notes)
        names = model.describe()["feature_names"]
        self._keep(_Fitted(model, Classes(np.array(model.classes)), "file"), model.features, names)
        run.finish()
        self._warn(result, stacklevel=5)
        return self

    def partial_fit(self, X, y, classes=None, sample_weight=None):
        """Learns from more rows, each once, in their order.

        Blocks of any size end in the same bits as one call with all rows. Options that need all rows (passes, folds,
        holdout and the like) have no effect. After fit() it goes on from there.

        Parameters
        ----------
        X : array, sparse matrix or DataFrame of shape (rows, features)
        y : sequence of shape (rows,)
        classes : sequence of labels
            All classes there will be; needed in the first call.
        sample_weight : sequence of shape (rows,), >= 0; default 1 each

        Returns
        -------
        self

        Raises
        ------
        DataError
            A row is wrong: the rows before it were learned. Every row has weight zero: nothing was.
        """
        fitted = self.__dict__.get("_fitted")
        if fitted is None:
            return self._begin(as_rows(X), y, classes, sample_weight)
        matrix = self._rows(X)
        if classes is not None and not np.array_equal(distinct(as_labels(classes)), self.classes_):
            raise ValueError(f"`classes={classes!r}` is not the same as on last call to partial_fit, was: "
                             f"{self.classes_!r}")
        names = self._check_columns(matrix)
        matrix = self._as_fitted(matrix, X)
        labels = label_array(y, matrix.rows, type(self).__name__)
        fitted.learn(matrix.handle(self._labels(fitted.classes, labels, sample_weight), names))
        return self

    def _begin(self, matrix, y, classes, sample_weight):
        if classes is None:
            raise ValueError("classes must be passed on the first call to partial_fit.")
        if isinstance(self.class_weight, str):
            raise ValueError(f"class_weight={self.class_weight!r} is not supported for partial_fit, which does not "
                             "know how many rows of each class there will be; give a dict")
        own = Classes(distinct(as_labels(classes)))
        if len(own) < 2:
            raise native.data_error("there is only one class", "name all classes, two or more")
        labels = label_array(y, matrix.rows, type(self).__name__)
        rows = matrix.handle(self._labels(own, labels, sample_weight))
        settings = native.settings("train", self._options(_NEED_ALL_ROWS | {"class_weight"}))
        trainer = native.new("trainer", "trainer_new", settings, rows, None)
        fitted = _Fitted(None, own, matrix.kind, trainer)
        fitted.learn(rows)
        self._keep(fitted, matrix.columns, matrix.names)
        return self

    def _labels(self, classes, labels, sample_weight):
        numbers = classes.encode(labels)
        weights = with_class_weights(row_weights(sample_weight, len(numbers)), self.class_weight, classes, numbers)
        return classes.struct(numbers, refuse_zero(weights))

    def _options(self, without=()):
        """Returns the options of the library that are set."""
        options = {name: getattr(self, name) for name in self._parameters if name not in without}
        options.update(self._fixed)
        if self._rules and options.get("rule") is None:
            options["rule"] = self._rules[0]
        return options

    def _fit_options(self, rows, without=()):
        options = self._options(without)
        if self._passes and options.get("order") in (None, "shuffled", "cyclic") and not any(
                options.get(name) for name in ("passes", "until", "updates", "seconds", "preset")):
            options["passes"] = max(self._passes, min(1000, self._rounds // rows)) if rows else self._passes
            options["order"] = options.get("order") or "shuffled"  # rows sorted by class are common in arrays
        return options

    # ---- Predicting ----

    @_Probabilities
    def predict_proba(self, X):
        """Returns the probability of each class.

        There where the model is calibrated, or the rule minimized the log loss. Largest is that of the class that
        predict() returns, unless there is a `threshold`: a calibration that would put others before it makes them as
        likely instead. X is as in predict().

        Returns
        -------
        ndarray of shape (rows, classes)
        """
        return self._in_order_of_classes(*self._predict(X, classes=True, probabilities=True))

    def predict_set(self, X, coverage: float = 0.9, each_class: bool = False) -> "NDArray[Any]":
        """Returns a set of classes for each row, in the order of classes_, as Model.predict_set() does.

        The estimator must have been fitted with conformal=True and holdout. Where fit() held out too few rows for
        `coverage`, every set has all classes.
        """
        fitted = self._state()
        return fitted.in_order(fitted.model.sets_of(self._predict(X, scores=True)[1], coverage, each_class))

    # ---- What was learned ----

    @property
    def ledger_(self) -> "dict[str, Any]":
        """A dict of the run: rounds, updates, mistakes as its bound counts them; and errors, the weight of the rows predicted
        wrong before they were learned, of weight in all."""
        return self._state().model.description["ledger"]

    @property
    def expected_error_(self) -> "dict[str, Any] | None":
        """The share of new rows that will be wrong, a dict with error and its bounds, lower and upper; or None."""
        return self._state().model.expected_error

    def plot_(self, ax=None):
        """Draws the errors of fit() as Model.plot() does, and those of always predicting one class.

        Raises UsageError as report_() does.
        """
        return self._reported().plot(ax)


# ---- Keywords ----

_TRAIN = native.describe("train")
_RULES = {rule["name"]: rule for rule in native.describe("rules")}
_OF_RULES = {parameter["option"] for rule in _RULES.values() for parameter in rule["parameters"]}


def _options_of(rules):
    """Returns the options of training that have a meaning for these rules, by keyword."""
    own = {parameter["option"] for rule in rules or _RULES for parameter in _RULES[rule]["parameters"]}
    left_out = _OF_RULES - own
    if rules:
        left_out |= {"preset", "objective", "C", "gap", "penalize-bias"}
    if len(rules) == 1:
        left_out.add("rule")
    return {option["name"].replace("-", "_"): option for option in _TRAIN if option["name"] not in left_out}


def _with_keywords(cls):
    """Gives a class its constructor and the documentation of its parameters."""
    options = {name: option for name, option in _options_of(cls._rules).items() if name not in cls._fixed}
    defaults = {name: None if option["takes_value"] else False for name, option in options.items()}
    defaults["verbose"] = 0

    def __init__(self, **given):
        unknown = sorted(given.keys() - defaults.keys())
        if unknown:
            raise TypeError(f"{cls.__name__} has no option {unknown[0]!r}; {cls._instead(unknown[0])}")
        for name, default in defaults.items():
            setattr(self, name, given.get(name, default))

    keyword = inspect.Parameter.KEYWORD_ONLY
    __init__.__signature__ = inspect.Signature(
        [inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY)] +
        [inspect.Parameter(name, keyword, default=default) for name, default in defaults.items()])
    __init__.__qualname__ = f"{cls.__name__}.__init__"
    cls.__init__ = __init__
    cls._parameters = tuple(options)
    cls.__doc__ = "\n".join([inspect.cleandoc(cls.__doc__), "", "Parameters", "----------"] +
                            [line for name, option in options.items() for line in _documented(name, option, cls)] +
                            [_VERBOSE, "", _ATTRIBUTES])
    return cls


def _documented(name, option, cls):
    if name == "class_weight":
        return ["class_weight : dict of label to weight, or 'balanced'", "    rows of a class weigh so much"]
    if name == "rule" and cls._rules:
        return ["rule : " + " or ".join(map(repr, cls._rules)), f"    {option['help']} (default {cls._rules[0]})"]
    plain = "a number" if option["name"] in _OF_RULES else "a text"
    takes = option["takes"] or (plain if option["takes_value"] else "bool")
    if option["repeats"]:
        takes = "a text or a list of them"
    if name == "threshold":
        takes = "a number or 'auto'"
    if name == "passes" and cls._passes:
        small = f", of small tables in memory up to 1000 for {cls._rounds} rounds" if cls._rounds else ""
        return [f"{name} : {takes}", f"    {option['help']}, in the rows' order unless order='shuffled'",
                f"    (default {cls._passes}{small}, shuffled; no default where another option ends the run)"]
    return [f"{name} : {takes}", f"    {option['help']}"]


_VERBOSE = """verbose : int
    0: silent; 1: fit() shows a bar of tqdm, or a line on stderr where tqdm is not installed"""

_ATTRIBUTES = """Attributes
----------
classes_ : ndarray of shape (classes,)
n_features_in_ : int
feature_names_in_ : ndarray of shape (n_features_in_,)
    Where the columns have names.
coef_ : ndarray of shape (1 or classes, n_features_in_)
deviations_ : ndarray of shape (n_features_in_,) or None
    abs(coef_) * deviations_ ranks features, whatever their units.
intercept_ : ndarray of shape (1 or classes,)
ledger_ : dict
expected_error_ : dict or None
notes_ : list of (text, fix)
model_ : Model

Notes
-----
None, or False, leaves an option to the library. Options of reading (delimiter, label and the like) are about files."""


@_with_keywords
class HalfspaceClassifier(_Estimator):
    """What `halfspace train FILE` learns: rule and passes are chosen by the data, and validated on them.

    partial_fit() learns by the tournament of rules, in one pass.
    """

    _log_loss = True


@_with_keywords
class Perceptron(_Estimator):
    """Rosenblatt's perceptron; its last weights."""

    _rules = ("perceptron",)
    _fixed = {"keep": "last"}
    _passes, _rounds = 10, 100_000
    _expected_failures = _WEIGHTS | _EXTREME


@_with_keywords
class AveragedPerceptron(_Estimator):
    """The perceptron; the average of its weights over all rounds."""

    _rules = ("perceptron",)
    _fixed = {"keep": "average"}
    _passes, _rounds = 10, 100_000
    _expected_failures = _WEIGHTS | _EXTREME


@_with_keywords
class PassiveAggressiveClassifier(_Estimator):
    """The passive-aggressive rules of Crammer et al.: each mistake, or small margin, is corrected at once."""

    _rules = ("pa1", "pa2", "pa")
    _passes, _rounds = 10, 100_000


@_with_keywords
class AROWClassifier(_Estimator):
    """Adaptive regularization of weights: a confidence for every weight; `arow-diagonal` where there are many."""

    _rules = ("arow", "arow-diagonal")
    _passes = 10


@_with_keywords
class FTRLClassifier(_Estimator):
    """Follow the regularized leader, proximal: logistic regression with weights of exactly 0.

    alpha is the length of a step; l1 and l2 are the penalties.
    """

    _rules = ("ftrl",)
    _log_loss = True
    _passes, _rounds = 10, 30_000
