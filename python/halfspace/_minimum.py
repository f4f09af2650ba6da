"""Support vector machines and logistic regression, with scikit-learn's names and a proof of how near the minimum is."""

import math
import os
import warnings

import numpy as np

from . import _native as native
from ._classifier import ConvergenceWarning, _Classifier, _Fitted
from ._model import Model
from ._native import data_error, paths_of, usage_error
from ._progress import rounded
from ._rows import address, refuse_zero, row_weights, with_class_weights

# Values visited, passes times values of the rows: a run of at most this many, about a millisecond, is made again for
# all digits that doubles have.
_SHORT = 1_000_000
# Gaps below are those of rounding.
_ROUNDING = 1e-12


class _Minimum(_Classifier):
    """A linear classifier whose weights minimize an objective."""

    gap_: "NDArray[Any]"
    objective_: "NDArray[Any]"
    dual_objective_: "NDArray[Any]"
    radius_: "NDArray[Any]"
    certificate_: str

    def _keep_parameters(self, given):
        vars(self).update((name, value) for name, value in given.items() if name != "self")

    def fit(self, X, y, sample_weight=None):
        """Minimizes the objective over all rows, and proves how near the minimum the weights are.

        Parameters
        ----------
        X : array, sparse matrix or DataFrame of shape (rows, features)
            float32 and float64 arrays and CSR matrices are read where they lie.
        y : sequence of shape (rows,)
            Labels of any hashable kind.
        sample_weight : sequence of shape (rows,), >= 0; default 1 each
            Multiplies the losses: weight 2 is the row twice, weight 0 is no row.

        Returns
        -------
        self

        Raises
        ------
        UsageError
            A parameter is invalid, or not supported: the message says what to use instead.
        DataError
            A row is wrong: the message names it, and the column. Or only one class has rows.
        KeyboardInterrupt
            Ctrl-C. The estimator is fitted by the weights so far, and gap_ is theirs.

        Warns
        -----
        ConvergenceWarning
            The gap is above tol: max_iter passes are done, or it no longer fell.
        """
        options = self._checked_options()
        if paths_of(X) is not None:
            raise usage_error(f"{type(self).__name__} learns from rows in memory, and X is a text or a list of texts",
                              f"train(path, objective={options['objective']!r}) learns from a file; a TfidfVectorizer "
                              "makes rows of texts")
        matrix, labels, classes = self._labelled(X, y)
        rows = matrix.handle(self._labels(classes, labels, sample_weight))
        options, (handle, result, run) = self._minimized(options, rows, matrix)
        certificate = self._certified(options, rows) if self.certify and run.interrupt is None else None
        fitted = _Fitted(Model(handle, result, run.notes), classes, matrix.kind)
        self._keep(fitted, matrix.columns, matrix.names)
        self._keep_proof(fitted, result.result["minimum"]["of_vector"])
        if certificate is not None:
            self.certificate_ = certificate
        elif hasattr(self, "certificate_"):
            del self.certificate_  # of another fit
        run.finish()
        native.warn_of_notes(result)
        self._warn_of_gap()
        return self

    def _labels(self, classes, labels, sample_weight):
        numbers = classes.encode(labels)
        weights = refuse_zero(row_weights(sample_weight, len(numbers)))
        weights = with_class_weights(weights, self.class_weight, classes, numbers, by_weight=True)
        if weights is not None and np.isfinite(weights).all():
            left = np.bincount(numbers, weights > 0, len(classes))
            if not left.all():
                raise data_error(f"no row of the class {classes.names[int(left.argmin())]} has a weight above 0",
                                 "leave the rows of this class out, or give them a weight")
        return classes.struct(numbers, weights)

    def _checked_options(self):
        """Returns the options of the library."""
        self._check_positive("C", "the price of the losses")
        self._check_positive("tol", "the relative gap to prove")
        if not (isinstance(self.max_iter, (int, np.integer)) and (self.max_iter == -1 or self.max_iter >= 1)):
            raise usage_error(f"max_iter is {self.max_iter!r}; it is a whole number of passes", "-1 sets no limit")
        options = {"C": self.C, "gap": self.tol, "seed": seed_of(self.random_state)}
        if self.max_iter != -1:
            options["passes"] = self.max_iter
        if not self.fit_intercept:
            options["bias"] = "none"
        elif self._penalizes_intercept():
            self._check_positive("intercept_scaling", "the value of the intercept's feature")
            options["bias_scale"] = self.intercept_scaling
        else:
            options["penalize_bias"] = "no"
        return options

    def _check_positive(self, name, words):
        value = getattr(self, name)
        if not (isinstance(value, (int, float, np.number)) and 0 < value < math.inf):
            raise usage_error(f"{name} is {value!r}; it is {words}, a finite number above 0")

    def _minimized(self, options, rows, matrix):
        """Returns the options of the run that is kept; and its model, its result and itself."""
        first = native.train(options, rows, progress=bool(self.verbose))
        values = matrix.rows * matrix.columns
        if options["objective"] == "logistic" or first[2].interrupt is not None or passes_of(first) * values > _SHORT:
            return options, first
        # Descent visits rows in random order: of a gap that doubles can tell from 0, the last digits depend on it.
        most = min(2 * _SHORT // values, options.get("passes", math.inf))
        longer = {**options, "gap": 0, "passes": most}
        second = native.train(longer, rows)
        if second[2].interrupt is not None:
            first[2].interrupt = second[2].interrupt
            return options, first
        enough = max(largest_gap(first), min(self.tol, _ROUNDING))
        return (longer, second) if largest_gap(second) <= enough else (options, first)

    def _certified(self, options, rows):
        """Returns the certificate of the weights that these options lead to, a text."""
        run = native.Run()
        found = native.take_result(run.call("certify_minimum", native.settings("train", options), rows, run.watch))
        run.finish()
        return found.certificate

    def _keep_proof(self, fitted, found):
        order = fitted.order if len(found) > 1 else [0]
        by_class = [found[k] for k in np.argsort(order)]

        def numbers(key):
            return np.array([np.nan if one[key] is None else one[key] for one in by_class], dtype=np.float64)

        self.objective_, self.dual_objective_ = numbers("primal"), numbers("dual")
        self.gap_, self.radius_ = numbers("gap"), numbers("radius")
        self._keep_passes(np.array([one["passes"] for one in by_class], dtype=np.int64))

    def _warn_of_gap(self):
        if not (self.gap_ <= self.tol).all():
            warnings.warn(f"the relative gap is proved to be at most {rounded(np.max(self.gap_), up=True)}, not tol={self.tol:g}; "
                          "scale the columns, say by StandardScaler, or increase max_iter", ConvergenceWarning,
                          stacklevel=3)

    @property
    def n_certain_digits_(self) -> "NDArray[Any]":
        """How many significant digits of each weight are certain, shaped like `coef_`; 0: not even the first."""
        coef = np.ascontiguousarray(self.coef_)
        digits = np.zeros(coef.shape, np.uint8)
        radii = np.broadcast_to(self.radius_, len(coef)).tolist()  # one of classes together
        for weights, radius, found in zip(coef, radii, digits):
            native.call("certain_digits", address(weights), len(weights), radius, address(found))
        return digits


def passes_of(trained):
    return sum(one["passes"] for one in trained[1].result["minimum"]["of_vector"])


def largest_gap(trained):
    gaps = [one["gap"] for one in trained[1].result["minimum"]["of_vector"]]
    return math.inf if None in gaps else max(gaps)


def seed_of(random_state):
    """Returns the seed of the library that a random_state means; None: its own."""
    if random_state is None or isinstance(random_state, (int, np.integer)):
        return random_state
    if hasattr(random_state, "randint"):
        return int(random_state.randint(2**31 - 1))
    raise usage_error(f"random_state is {random_state!r}", "give a whole number, a numpy RandomState or None")


def threads_of(n_jobs):
    """Returns the number of threads that an n_jobs means; None: all."""
    if n_jobs is None or n_jobs == -1:
        return None
    return n_jobs if n_jobs > 0 else max(1, (os.cpu_count() or 1) + 1 + n_jobs)


class LinearSVC(_Minimum):
    """The linear support vector machine of scikit-learn: its parameters, its minimum, and a proof.

    Minimizes |w|^2 / 2 + C times the sum of the losses; the intercept is the weight of a feature of the value
    intercept_scaling, and penalised as the others are. Multiclass problems are learned one against the rest.

    Parameters
    ----------
    penalty : 'l2'
    loss : 'squared_hinge' or 'hinge'
    dual : bool or str
        No effect: the primal and the dual objective are both proved.
    tol : float
        The relative duality gap to prove, at most: (objective_ - dual_objective_) / objective_. Runs of about a
        millisecond go on to all digits that doubles have.
    C : float
        The price of the losses.
    multi_class : 'ovr'
    fit_intercept : bool
    intercept_scaling : float
    class_weight : dict of label to weight, or 'balanced'
        Multiplies the losses of the rows of a class; balanced: by weights of rows.
    verbose : int
        0: silent; 1: fit() shows a bar of tqdm, or a line on stderr where tqdm is not installed.
    random_state : int or None
        The order of the rows in descent; None is always the same. A RandomState draws the seed.
    max_iter : int
        Passes over the rows at most; -1: no limit.
    certify : bool
        fit() also makes certificate_. It takes no weights of rows or classes.

    Attributes
    ----------
    classes_ : ndarray of shape (classes,)
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Where the columns have names.
    coef_ : ndarray of shape (1 or classes, n_features_in_)
    intercept_ : ndarray of shape (1 or classes,)
    objective_ : ndarray of shape (1 or classes,)
        The objective of these weights is at most this; proved.
    dual_objective_ : ndarray of shape (1 or classes,)
        No weights have an objective below this; proved.
    gap_ : ndarray of shape (1 or classes,)
        (objective_ - dual_objective_) / objective_
    radius_ : ndarray of shape (1 or classes,)
        No weight in coef_, nor intercept_ / intercept_scaling, is further than this from the minimum's; proved.
    n_certain_digits_ : ndarray of shape (1 or classes, n_features_in_)
    certificate_ : str
        With certify=True: a text with which verify() checks the objectives of these weights in exact arithmetic, for the
        rows as write_rows(path, X, y) writes them.
    n_iter_ : int
        Passes over the rows, of the class with the most.
    model_ : Model

    Notes
    -----
    scikit-learn's own estimator has another `tol`, of LIBLINEAR's projected gradients, and `max_iter=1000`.
    """

    n_iter_: int

    def __init__(self, penalty="l2", loss="squared_hinge", *, dual="auto", tol=1e-6, C=1.0, multi_class="ovr",
                 fit_intercept=True, intercept_scaling=1, class_weight=None, verbose=0, random_state=None, max_iter=-1,
                 certify=False):
        self._keep_parameters(locals())

    def _penalizes_intercept(self):
        return True

    def _checked_options(self):
        objectives = {"squared_hinge": "squared-hinge", "hinge": "svm"}
        if self.loss not in objectives:
            raise usage_error(f"loss={self.loss!r} is no loss of LinearSVC", "give 'squared_hinge' or 'hinge'; "
                              "LogisticRegression has the logistic loss")
        check_penalty(self.penalty, "LinearSVC")
        if self.dual != "auto" and self.dual not in (True, False):
            raise usage_error(f"dual={self.dual!r} has no meaning", "leave it out: it has no effect here")
        if self.multi_class != "ovr":
            raise usage_error(f"multi_class={self.multi_class!r} is not supported: each class is learned against the "
                              "rest", "leave it out, or use LinearSVC of scikit-learn for 'crammer_singer'")
        return {"objective": objectives[self.loss], **super()._checked_options()}

    def _keep_passes(self, passes):
        self.n_iter_ = int(passes.max())


class LogisticRegression(_Minimum):
    """The logistic regression of scikit-learn with the penalty l2: its parameters, its minimum, and a proof.

    Minimizes |w|^2 / 2 + C times the sum of the logistic losses; the intercept is not penalised. Several classes
    share their loss, the multinomial one, as scikit-learn's do.

    Parameters and attributes that are not below are as in LinearSVC.

    Parameters
    ----------
    penalty : 'l2'
    C : float
        The price of the losses.
    intercept_scaling : float
        With solver='liblinear': the value of the feature whose weight is the intercept.
    random_state : int or None
        No effect.
    solver : 'lbfgs', 'liblinear', 'newton-cg', 'newton-cholesky', 'sag' or 'saga'
        All have the same minimum, found in the same way, but 'liblinear', which penalises the intercept.
    multi_class : 'auto', 'multinomial' or 'ovr'
        'ovr' learns each class against the rest, as OneVsRestClassifier does; 'auto' does so with solver='liblinear'.
    warm_start : bool
        No effect: the minimum does not depend on where the search for it begins.
    n_jobs : int or None
        Threads; None and -1: as many as there are processors. The weights do not depend on it.
    l1_ratio : float or None
        None or 0: there is no penalty l1.

    Attributes
    ----------
    objective_, dual_objective_, gap_ : ndarray of shape (1 or classes,)
        One for classes that share their loss.
    radius_ : ndarray of shape (1 or classes,)
        No weight in coef_ is further than this from the minimum's; proved. Of an intercept nothing is proved, unless it
        is penalised.
    certificate_ : str
        Of two classes, or with multi_class='ovr'.
    n_iter_ : ndarray of shape (1 or classes,)
        Passes over the rows.

    Notes
    -----
    scikit-learn's own estimator has another `tol`, of the gradient, and `max_iter=100`.
    """

    n_iter_: "NDArray[Any]"

    def __init__(self, penalty="l2", *, C=1.0, tol=1e-6, fit_intercept=True, intercept_scaling=1, class_weight=None,
                 random_state=None, solver="lbfgs", max_iter=-1, multi_class="auto", verbose=0, warm_start=False,
                 n_jobs=None, l1_ratio=None, certify=False):
        self._keep_parameters(locals())

    def _penalizes_intercept(self):
        return self.solver == "liblinear"

    def _checked_options(self):
        solvers = ("lbfgs", "liblinear", "newton-cg", "newton-cholesky", "sag", "saga")
        if self.solver not in solvers:
            raise usage_error(f"solver={self.solver!r} is none of scikit-learn's",
                              f"leave it out, or give one of {solvers}")
        check_penalty(self.penalty, "LogisticRegression")
        if self.l1_ratio:
            raise usage_error(f"l1_ratio={self.l1_ratio!r} is not supported: the penalty is l2",
                              "leave it out; FTRLClassifier(l1=...) has weights of exactly 0")
        if self.C == math.inf:
            raise usage_error("C=inf leaves the penalty out, and then there need not be a minimum",
                              "give a large C, such as 1e6; halfspace.separation() finds out whether there is one")
        if self.multi_class not in ("auto", "multinomial", "ovr"):
            raise usage_error(f"multi_class={self.multi_class!r} is none of scikit-learn's",
                              "use 'auto', 'multinomial' or 'ovr', which learns each class against the rest")
        if self.multi_class == "multinomial" and self.solver == "liblinear":
            raise usage_error("solver='liblinear' learns each class against the rest",
                              "leave out multi_class, or solver")
        return {"objective": "logistic", **super()._checked_options(), "threads": threads_of(self.n_jobs),
                **({} if self._together() else {"multiclass": "one-against-rest"})}

    def _together(self):
        return self.multi_class == "multinomial" or (self.multi_class == "auto" and self.solver != "liblinear")

    def _keep_passes(self, passes):
        self.n_iter_ = passes

    def predict_proba(self, X) -> "NDArray[Any]":
        """Returns the probability of each class, of shape (rows, classes).

        The logistic function of the score; of several classes the softmax of their scores, or where each is learned against
        the rest their logistic functions divided by their sum. X is as in predict().
        """
        return self._in_order_of_classes(*self._predict(X, classes=True, probabilities=True))

    def predict_log_proba(self, X) -> "NDArray[Any]":
        """Returns the logarithm of predict_proba()."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))


def check_penalty(penalty, name):
    if penalty == "l2":
        return
    if penalty is None or penalty == "none":
        raise usage_error(f"{name} has a penalty: without one there need not be a minimum",
                          "a large C, such as 1e6, makes it small")
    raise usage_error(f"penalty={penalty!r} of {name} is not supported", "leave it out for 'l2'; "
                      "FTRLClassifier(l1=...) has weights of exactly 0")
