"""What the classifiers share: fitted models, rows to predict for, and what scikit-learn asks of an estimator."""

import inspect
import warnings

import numpy as np

from . import _native as native
from ._model import Model
from ._native import paths_of, usage_error
from ._reports import text_as_html
from ._rows import Classes, Matrix, as_rows, distinct, label_array

try:
    from sklearn.base import BaseEstimator, ClassifierMixin
    from sklearn.exceptions import ConvergenceWarning, NotFittedError
except ImportError:  # scikit-learn is optional

    class NotFittedError(ValueError, AttributeError):
        """The estimator was not fitted."""

    class ConvergenceWarning(UserWarning):
        """The run ended before it converged."""

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


class _Classifier(ClassifierMixin, BaseEstimator):
    classes_: "NDArray[Any]"
    n_features_in_: int
    feature_names_in_: "NDArray[Any]"
    _expected_failures = {}  # checks of scikit-learn that fail by nature, with the reason

    # ---- What scikit-learn asks ----

    def _more_tags(self):
        return {"requires_y": True, "_xfail_checks": dict(self._expected_failures)}

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    def _keep(self, fitted, columns, names):
        self._fitted = fitted
        self.classes_ = fitted.classes.values
        self.n_features_in_ = columns
        self.__dict__.pop("feature_names_in_", None)
        if names is not None:
            self.feature_names_in_ = np.array(names, dtype=object)

    def _labelled(self, X, y):
        """Returns the rows to fit, their labels, and the classes, two or more."""
        matrix = as_rows(X)
        labels = label_array(y, matrix.rows, type(self).__name__)
        classes = Classes(distinct(labels))
        if len(classes) < 2:
            raise native.data_error(f"y has only one class, {classes.names[0]}", "give rows of two classes or more")
        return matrix, labels, classes

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
        """Scores the rows, given as predict() takes them.

        Returns
        -------
        ndarray of shape (rows,) or (rows, classes)
            Of two classes the score of classes_[1], else one of each class.
        """
        scores = self._state().in_order(self._predict(X, scores=True)[1])
        return scores[:, 0] if scores.shape[1] == 1 else scores

    def _in_order_of_classes(self, numbers, scores, probabilities):
        """Returns probabilities with a column a class, the largest that of the class that predict() returns."""
        fitted = self._fitted
        if fitted.model.description["threshold"] is None:
            for row in np.flatnonzero(probabilities.argmax(axis=1) != numbers):
                pool_before(probabilities[row], numbers[row])
        return fitted.in_order(probabilities)

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

    def get_feature_names_out(self, input_features=None) -> "NDArray[Any]":
        """Returns the names of the columns of coef_, such as `age`, `colour=red` or `age=?` of a table.

        Parameters
        ----------
        input_features : sequence of str
            Names of the columns of X, for an array that has none; x0, x1 ... by default.

        Returns
        -------
        ndarray of str
        """
        fitted = self._state()
        own = self.__dict__.get("feature_names_in_")
        if fitted.kind == "table":
            return np.array(fitted.model.describe()["feature_names"], dtype=object)
        if input_features is None:
            names = [f"x{j}" for j in range(self.n_features_in_)] if own is None else own
        else:
            names = list(input_features)
            if own is not None and list(own) != names:
                raise ValueError("input_features is not equal to feature_names_in_")
            if len(names) != self.n_features_in_:
                raise ValueError(f"input_features should have length equal to number of features ({self.n_features_in_}), "
                                 f"got {len(names)}")
        return np.array(names, dtype=object)

    @property
    def deviations_(self) -> "NDArray[Any] | None":
        """The standard deviation of each feature over the training rows, of shape (features,).

        abs(coef_) * deviations_ ranks features by how far they move the score, whatever their units. None of a model
        with more than 8,192 features, or one that another version or cluster trained.
        """
        known = self._state().model.description["deviations"]
        if known is None:
            return None
        wide = np.zeros(max(len(known), self.coef_.shape[1]))
        wide[:len(known)] = known
        return wide

    def _weights(self):
        fitted = self._state()
        weights, biases = fitted.model.weights()
        if fitted.kind == "table":
            return fitted.in_order(weights.T).T, fitted.in_order(biases[None])[0]
        wide = np.zeros((len(weights), self.n_features_in_))
        wide[:, :weights.shape[1]] = weights  # columns that no row had a value in
        return fitted.in_order(wide.T).T, fitted.in_order(biases[None])[0]

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
