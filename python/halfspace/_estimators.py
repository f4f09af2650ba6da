"""Estimators in scikit-learn's way. Their keywords are the options of `halfspace train`, read from the library."""

import inspect
import warnings

import numpy as np

from . import _native as native
from ._keywords import instead
from ._model import Model
from ._native import paths_of, usage_error
from ._reports import text_as_html
from ._rows import Classes, Matrix, as_labels, as_rows, distinct, label_array, row_weights, with_class_weights

try:
    from sklearn.base import BaseEstimator, ClassifierMixin
    from sklearn.exceptions import NotFittedError
except ImportError:  # scikit-learn is optional

    class NotFittedError(ValueError, AttributeError):
        """The estimator was not fitted."""

    class ClassifierMixin:
        _estimator_type = "classifier"

        def score(self, X, y, sample_weight=None) -> float:
            """Returns the accuracy on labelled rows."""
            return float(np.average(self.predict(X) == np.asarray(y), weights=sample_weight))

    class BaseEstimator:
        def get_params(self, deep=True) -> "dict[str, Any]":
            """Returns the parameters by name."""
            return {name: getattr(self, name) for name in inspect.signature(type(self)).parameters}

        def set_params(self, **parameters) -> "Self":
            """Sets parameters by name."""
            for name, value in parameters.items():
                if name not in inspect.signature(type(self)).parameters:
                    raise ValueError(f"{type(self).__name__} has no parameter {name!r}")
                setattr(self, name, value)
            return self

        def _repr_html_(self):
            return text_as_html(repr(self))

        def _repr_mimebundle_(self, **options):
            return {"text/plain": repr(self), "text/html": text_as_html(repr(self))}


# Options of training that need all rows: partial_fit() goes through its rows once, in their order.
_NEED_ALL_ROWS = {"passes", "until", "updates", "seconds", "order", "folds", "holdout", "calibrate", "memory",
                  "conformal", "sets", "threshold"}


class _Fitted:
    """What was learned: a model, or a trainer that is ahead of it. Pickled as the bytes of the model.

    `kind`: what the rows were, for those to come must be alike: "dense", "sparse", "table" or "file".
    """

    def __init__(self, model, classes, kind, trainer=None):
        self._model, self.trainer = model, trainer
        self.classes, self.kind = classes, kind
        self._order = self._labels = None

    def __reduce__(self):
        return _Fitted, (self.model, self.classes, self.kind)

    @property
    def model(self):
        model = self._model
        if model is None:
            model = self._model = Model.of_trainer(self.trainer)
        return model

    @property
    def report(self):
        """The ledger of the run, a text; None where there is none."""
        return self._model.report() if self._model is not None and self._model.has_report else None

    @property
    def order(self):
        """The model's classes as numbers of `classes`."""
        if self._order is None:
            number_of = {name: number for number, name in enumerate(self.classes.names)}
            self._order = np.array([number_of[name] for name in self.model.classes])
        return self._order

    @property
    def labels(self):
        """The labels as the model numbers them."""
        if self._labels is None:
            self._labels = self.classes.values[self.order]
        return self._labels

    def in_order(self, columns):
        """Returns an array with a column a vector (scores, weights) or a class in the order of `classes`."""
        order = self.order
        if len(order) == 2 and columns.shape[1] == 1:
            return columns if order[1] == 1 else -columns
        result = np.empty_like(columns)
        result[:, order] = columns
        return result

    def learn(self, rows):
        if self.trainer is None:
            self.trainer = native.new("trainer", "trainer_new", native.settings("train", {}), None, self._model._handle)
        with self.trainer.lock:
            self._model = None
            native.call("trainer_learn", self.trainer, rows)


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


class _Estimator(ClassifierMixin, BaseEstimator):
    classes_: "NDArray[Any]"
    n_features_in_: int
    feature_names_in_: "NDArray[Any]"
    _rules = ()  # the rules that a class is about, the default first; (): all, and the plan of the library
    _fixed = {}  # options that make the class what it is
    _log_loss = False
    _expected_failures = _WEIGHTS
    # Passes that fit() makes unless told otherwise, None: the library decides; and rounds of a small table, in which
    # passes are cheap, but for 1,000 passes at most.
    _passes, _rounds = None, 0

    # ---- What scikit-learn asks ----

    def _more_tags(self):
        return {"requires_y": True, "_xfail_checks": dict(self._expected_failures)}

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

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
        """
        paths = paths_of(X)
        if paths is not None:
            return self._fit_files(paths, y, sample_weight)
        matrix = as_rows(X)
        labels = label_array(y, matrix.rows, type(self).__name__)
        classes = Classes(distinct(labels))
        if len(classes) < 2:
            raise native.data_error(f"y has only one class, {classes.names[0]}", "give rows of two classes or more")
        if self.conformal and isinstance(self.class_weight, str):
            raise usage_error(f"class_weight={self.class_weight!r} counts the rows held out, too, so they prove no "
                              "prediction sets", "give a dict of weights")
        rows = matrix.handle(self._labels(classes, labels, sample_weight, all_rows=True))
        handle, result, run = native.train(self._fit_options(matrix.rows, {"class_weight"}), rows,
                                           progress=bool(self.verbose))
        self._keep(_Fitted(Model(handle, result, run.notes), classes, matrix.kind), matrix.columns,
                   matrix.names)
        run.finish()
        native.warn_of_notes(result)
        return self

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
        native.warn_of_notes(result, stacklevel=4)
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
            A row is wrong. The rows before it were learned.
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

    def _labels(self, classes, labels, sample_weight, all_rows=False):
        numbers = classes.encode(labels)
        weights = row_weights(sample_weight, len(numbers))
        if all_rows and weights is not None and not weights.any():
            raise native.data_error("every row has weight zero", "give rows to learn from a weight above it")
        return classes.struct(numbers, with_class_weights(weights, self.class_weight, classes, numbers))

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

    def _keep(self, fitted, columns, names):
        self._fitted = fitted
        self.classes_ = fitted.classes.values
        self.n_features_in_ = columns
        self.__dict__.pop("feature_names_in_", None)
        if names is not None:
            self.feature_names_in_ = np.array(names, dtype=object)

    # ---- Rows to come ----

    def _state(self):
        fitted = self.__dict__.get("_fitted")
        if fitted is None:
            raise NotFittedError(f"This {type(self).__name__} instance is not fitted yet. Call 'fit' with appropriate "
                                 "arguments before using this estimator.")
        return fitted

    def _check_columns(self, matrix):
        """Compares names and number of columns with those of before; returns the names for the library, or None."""
        own = self.__dict__.get("feature_names_in_")
        if self._fitted.kind == "file" and matrix.names is not None:
            return matrix.names  # the library matches them, and what was made of them
        if own is None:
            if matrix.names is not None:
                warnings.warn(f"X has feature names, but {type(self).__name__} was fitted without feature names",
                              stacklevel=4)
                matrix.names = None
        elif matrix.names is None:
            if self._fitted.kind != "file" and not matrix.sparse:
                warnings.warn(f"X does not have valid feature names, but {type(self).__name__} was fitted with feature "
                              "names", stacklevel=4)
        elif list(own) != matrix.names:
            _refuse_names(own, matrix.names)
        if matrix.columns != self.n_features_in_:
            raise ValueError(f"X has {matrix.columns} features, but {type(self).__name__} is expecting "
                             f"{self.n_features_in_} features as input.")
        return None if own is None else own.tolist()

    def _rows(self, X):
        """Returns X as rows of the kind that the model was fitted on."""
        names = self.__dict__.get("feature_names_in_")
        return as_rows(X, self._fitted.kind, None if names is None else names.tolist())

    def _as_fitted(self, matrix, X):
        """Returns the rows, sparse or dense as those of fit() were."""
        kind = self._fitted.kind
        if kind == "file" and self._fitted.model.description["format"] in ("libsvm", "csr"):
            kind = "sparse"
        if matrix.kind == kind or (kind == "file" and not matrix.sparse):
            return matrix
        if matrix.kind == "table":
            raise native.data_error("X has columns that are not numbers, or missing values, and the rows of fit() had "
                                    "none", "fill them in, or fit on such rows")
        if kind == "table":
            raise native.data_error("X has no columns of the table that fit() had", "give a data frame or Arrow table")
        if matrix.sparse:
            return matrix.dense()
        from scipy.sparse import csr_matrix

        return Matrix(csr_matrix(matrix.keep))

    def _predict(self, X, **wanted):
        fitted = self._state()
        paths = paths_of(X)
        if paths is not None:
            return fitted.model.predict_files(paths, {}, **wanted)
        matrix = self._rows(X)
        names = self._check_columns(matrix)
        matrix = self._as_fitted(matrix, X)
        return fitted.model.predict_rows(matrix.handle(names=names), matrix.rows, **wanted)

    # ---- Predicting ----

    def predict(self, X):
        """Predicts the class of each row.

        Parameters
        ----------
        X : array, sparse matrix or DataFrame of shape (rows, n_features_in_); or str, Path or list of them
            Files are read as `halfspace predict` reads them. Labels in them are ignored.

        Returns
        -------
        ndarray of shape (rows,)
        """
        numbers = self._predict(X, classes=True)[0]
        return self._fitted.labels.take(numbers)

    def decision_function(self, X):
        """Scores the rows.

        Parameters
        ----------
        X : as in predict()

        Returns
        -------
        ndarray of shape (rows,) or (rows, classes)
            Of two classes the score of classes_[1], else one of each class.
        """
        scores = self._state().in_order(self._predict(X, scores=True)[1])
        return scores[:, 0] if scores.shape[1] == 1 else scores

    @_Probabilities
    def predict_proba(self, X):
        """Returns the probability of each class.

        There where the model is calibrated, or the rule minimized the log loss. Largest is that of the class that
        predict() returns, unless there is a `threshold`: a calibration that would put others before it makes them as
        likely instead.

        Parameters
        ----------
        X : as in predict()

        Returns
        -------
        ndarray of shape (rows, classes)
        """
        fitted = self._state()
        numbers, _, probabilities = self._predict(X, classes=True, probabilities=True)
        if fitted.model.description["threshold"] is None:
            for row in np.flatnonzero(probabilities.argmax(axis=1) != numbers):
                pool_before(probabilities[row], numbers[row])
        return fitted.in_order(probabilities)

    def predict_set(self, X, coverage=0.9, each_class=False):
        """Returns a set of classes for each row, which has the true one with probability `coverage` at least.

        Parameters
        ----------
        X : as in predict()
        coverage : float
            Above 0 and below 1. It holds if the row is exchangeable with the rows that fit() held out; where they are
            too few for it, every set has all classes.
        each_class : bool
            It holds for the rows of each class.

        Returns
        -------
        ndarray of shape (rows, classes)
            True for the classes in the set, in the order of classes_.

        Raises
        ------
        UsageError
            The estimator was not fitted with conformal=True and holdout.
        """
        fitted = self._state()
        return fitted.in_order(fitted.model.sets_of(self._predict(X, scores=True)[1], coverage, each_class))

    # ---- What was learned ----

    @property
    def model_(self) -> Model:
        """The Model, with save(), describe() and evaluate()."""
        return self._state().model

    @property
    def coef_(self) -> "NDArray[Any]":
        """The weights on the data's own values, of shape (1, features) of two classes, else (classes, features)."""
        return self._weights()[0]

    @property
    def intercept_(self) -> "NDArray[Any]":
        """The biases, of shape (1,) of two classes, else (classes,)."""
        return self._weights()[1]

    def _weights(self):
        fitted = self._state()
        weights, biases = fitted.model.weights()
        if fitted.kind == "table":
            return fitted.in_order(weights.T).T, fitted.in_order(biases[None])[0]
        wide = np.zeros((len(weights), self.n_features_in_))
        wide[:, :weights.shape[1]] = weights  # columns that no row had a value in
        return fitted.in_order(wide.T).T, fitted.in_order(biases[None])[0]

    @property
    def ledger_(self) -> "dict[str, Any]":
        """A dict: rounds, mistakes, updates of the run, each row predicted before it was learned."""
        return self._state().model.description["ledger"]

    @property
    def expected_error_(self) -> "dict[str, Any] | None":
        """Bounds on the share of new rows that will be wrong, a dict with lower and upper; or None."""
        model = self._state().model
        return model.result["expected_error"] if model.result else model.description["expected_error"]

    @property
    def notes_(self) -> "list[tuple[str, str]]":
        """What fit() assumed, and how to change it: a list of (text, fix)."""
        return self._state().model.notes

    def report_(self, path=None):
        """Returns the ledger of fit(), as `halfspace train` prints it: data, run, bounds, expected error on new rows.

        Parameters
        ----------
        path : str or Path
            Also writes the page of figures here, HTML that loads nothing else.

        Returns
        -------
        str

        Raises
        ------
        UsageError
            The estimator learned by partial_fit(), or was unpickled: there is no report.
        """
        model = self._reported()
        if path is not None:
            page = model.page()
            with open(path, "w", encoding="utf-8", newline="\n") as file:
                file.write(page)
        return model.report()

    def plot_(self, ax=None):
        """Draws the mistakes of fit() against its rounds, those of always predicting one class, and the bound.

        Parameters
        ----------
        ax : matplotlib.axes.Axes; default: of a new figure

        Returns
        -------
        matplotlib.axes.Axes

        Raises
        ------
        ImportError
            matplotlib is not installed, and no axes are given.
        UsageError
            As report_() does.
        """
        return self._reported().plot(ax)

    def _reported(self):
        model = self._state().model
        if not model.has_report:
            raise usage_error(f"this {type(self).__name__} has no report: it learned by partial_fit(), or was unpickled",
                              "keep report_() after fit(); ledger_ and expected_error_ are there now")
        return model

    # ---- In a notebook ----

    @property
    def _repr_html_(self):
        """scikit-learn's diagram, where it is on, and the ledger of fit()."""
        diagram = super()._repr_html_  # raises AttributeError where it is off
        return lambda: diagram() + self._ledger_html()

    def _repr_mimebundle_(self, **options):
        bundle = super()._repr_mimebundle_(**options)
        if "text/html" in bundle:
            bundle["text/html"] += self._ledger_html()
        return bundle

    def _ledger_html(self):
        fitted = self.__dict__.get("_fitted")
        known = fitted is not None and fitted.report is not None
        return text_as_html(fitted.report) if known else ""


def pool_before(probabilities, first):
    """Gives `first` and the classes before it their mean, of which `first` is the largest by a bit."""
    pooled = probabilities >= probabilities[first]
    probabilities[pooled] = probabilities[pooled].mean()
    probabilities[first] = np.nextafter(probabilities[first], 1)


def _refuse_names(own, given):
    def some(names):
        return "".join(f"- {name}\n" for name in names[:5]) + ("- ...\n" if len(names) > 5 else "")

    message = "The feature names should match those that were passed during fit.\n"
    unseen, missing = sorted(set(given) - set(own)), sorted(set(own) - set(given))
    if unseen:
        message += "Feature names unseen at fit time:\n" + some(unseen)
    if missing:
        message += "Feature names seen at fit time, yet now missing:\n" + some(missing)
    if not unseen and not missing:
        message += "Feature names must be in the same order as they were in fit.\n"
    raise ValueError(message)


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
