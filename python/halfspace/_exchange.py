"""Models from and for other programs: scikit-learn and ONNX."""

import warnings
from ctypes import byref

from . import _native as native
from ._model import Model
from ._native import call, usage_error


def to_onnx(model, path=None):
    """Returns a model as ONNX; docs/formats/export.md describes inputs and outputs.

    Parameters
    ----------
    model : Model, fitted estimator of halfspace, OnlineClassifier, or what from_sklearn() takes
    path : str or Path, optional
        A file to write as well.

    Returns
    -------
    bytes

    Raises
    ------
    UsageError
        ONNX cannot express the model: a vote, a kernel, isotonic probabilities.
    """
    return _model_of(model).to_onnx(path)


def from_sklearn(estimator, label="y", sparse=False):
    """Returns a model that predicts as a fitted linear classifier of scikit-learn.

    The model's classes are str() of the estimator's. It has probabilities where the estimator's are the logistic
    function of its scores (of several classes also divided by their sum), or their softmax: LogisticRegression,
    LinearDiscriminantAnalysis, SGDClassifier(loss="log_loss"). It was not trained by this library: its ledger is empty,
    its error on new rows unknown, and `halfspace train --resume` refuses it.

    Parameters
    ----------
    estimator : object with coef_, intercept_ and classes_
        LogisticRegression, LinearSVC, SGDClassifier, Perceptron, PassiveAggressiveClassifier, RidgeClassifier,
        LinearDiscriminantAnalysis and others whose decision_function() is X @ coef_.T + intercept_; or a Pipeline of
        StandardScaler and one of these, whose scaling is multiplied into the weights.
    label : str
        The name of the label's column in files that the model reads.
    sparse : bool
        True for a model that predicts for sparse matrices, such as those of TfidfVectorizer; else it takes arrays, or
        DataFrames where the estimator was fitted on one.

    Returns
    -------
    Model

    Raises
    ------
    UsageError
        The estimator is no such classifier, or is not fitted.
    """
    import numpy as np

    scalers, linear = _parts(estimator)
    missing = [name for name in ("coef_", "intercept_", "classes_") if not hasattr(linear, name)]
    if missing == ["classes_"]:
        raise usage_error(f"{type(linear).__name__} predicts no single class a row", "fit it on one label a row")
    if missing:
        raise usage_error(f"{type(linear).__name__} has no {missing[0]}",
                          "fit it first; it must be a linear classifier, such as LogisticRegression or LinearSVC")
    weights, biases, classes = _weights(linear, np)
    for scaler in reversed(scalers):
        scale = scaler.scale_ if scaler.with_std else np.ones(weights.shape[1])
        weights = weights / scale
        if scaler.with_mean:
            biases = biases - weights @ scaler.mean_
    rows = _rows_to_try(weights, biases, np)
    scores = _checked_scores(estimator, rows, weights, biases, np)
    names = None if sparse else getattr(estimator, "feature_names_in_", None)
    _check_classes(estimator, rows, scores, classes, np)
    link = _link(estimator, rows, scores, np)
    return _linear_model(weights, biases, [str(name) for name in classes.tolist()],
                         None if names is None else [str(name) for name in names], label, sparse, link)


def to_sklearn(model):
    """Returns a fitted estimator of scikit-learn with the weights of a model.

    Its coef_, intercept_ and decision_function() are the model's, and so are its predictions but for scores of exactly
    0, which are the first class to scikit-learn. Its columns are the model's features, describe()["feature_names"]: a
    category of a file is one of them.

    Parameters
    ----------
    model : Model, or fitted estimator of halfspace
        An estimator gives its own classes_, a Model those of its file, which are str.

    Returns
    -------
    LogisticRegression, SGDClassifier or LinearSVC
        The first where the model's probabilities are the logistic function of its score, or the softmax; the second
        where they are the logistic function of each of several scores, divided by their sum; else the third, without
        probabilities.

    Raises
    ------
    UsageError
        The model's scores are not weights times values: a vote, a kernel, normalised rows, rows rounded to single
        precision. Or it has a threshold: scikit-learn's decide at a score of 0.
    """
    import numpy as np

    own = _model_of(model)
    call("model_check_linear", own._handle)
    if own.description["threshold"] is not None:
        raise usage_error("the model has a threshold, and scikit-learn's estimators decide at a score of 0",
                          "train without threshold, and wrap the estimator in FixedThresholdClassifier")
    if hasattr(model, "model_"):
        weights, biases, classes = model.coef_, model.intercept_, model.classes_
        names = getattr(model, "feature_names_in_", None)
    else:
        weights, biases = own.weights()
        classes, names = np.array(own.classes), own.description["feature_names"]
        if names == [str(number + 1) for number in range(own.features)]:
            names = None
    estimator = _estimator_for(own.description["link"], len(classes))
    estimator.coef_, estimator.intercept_, estimator.classes_ = weights, biases, classes
    estimator.n_features_in_ = weights.shape[1]
    if names is not None:
        estimator.feature_names_in_ = np.array(names, dtype=object)
    return estimator


def _model_of(model):
    """Returns the Model of what has one, or of an estimator of scikit-learn."""
    if isinstance(model, Model):
        return model
    for name in ("model_", "model"):
        own = getattr(model, name, None)
        if isinstance(own, Model):
            return own
    return from_sklearn(model)


# ---- From scikit-learn ----


def _parts(estimator):
    """Returns the scalers before a linear classifier, and the classifier."""
    steps = [step for _, step in getattr(estimator, "steps", [(None, estimator)])]
    steps = [step for step in steps if step is not None and step != "passthrough"]
    *before, last = steps or [estimator]
    for step in before:
        if type(step).__name__ != "StandardScaler" or not type(step).__module__.startswith("sklearn."):
            raise usage_error(f"{type(step).__name__} of the Pipeline is not a scaling of columns",
                              "give its last step alone, fitted on what the steps before make of X, or use "
                              "StandardScaler")
        if not hasattr(step, "scale_"):
            raise usage_error("the StandardScaler is not fitted", "fit the Pipeline first")
    return before, last


def _weights(linear, np):
    """Returns weights of shape (vectors, features), biases and classes."""
    weights = linear.coef_.toarray() if hasattr(linear.coef_, "toarray") else linear.coef_
    weights = np.atleast_2d(np.asarray(weights, dtype=np.float64))
    biases = np.asarray(linear.intercept_, dtype=np.float64).reshape(-1)
    classes = linear.classes_
    if not (np.isfinite(weights).all() and np.isfinite(biases).all()):
        raise native.data_error(f"{type(linear).__name__} has weights that are not finite", "fit it anew")
    vectors = 1 if len(classes) == 2 else len(classes)
    if len(biases) == 1 and vectors > 1 and biases[0] == 0:
        biases = np.zeros(vectors)  # fitted without an intercept
    if len(classes) < 2 or weights.shape[0] != vectors or len(biases) != vectors:
        raise usage_error(f"{type(linear).__name__} has coef_ of shape {weights.shape} for {len(classes)} classes, not "
                          "one vector of two classes or one of each class",
                          "wrap it in OneVsRestClassifier, and give its estimators_ one by one")
    return weights, biases, classes


def _rows_to_try(weights, biases, np):
    """Returns rows whose scores are moderate, so that they show what becomes of scores, and 0."""
    draw = np.random.default_rng(0)
    count, (vectors, features) = 64, weights.shape
    wanted = draw.normal(size=(vectors, count)) * np.logspace(-1, 1, count)
    rows = (weights.T @ np.linalg.lstsq(weights @ weights.T, wanted - biases[:, None], rcond=None)[0]).T
    largest = np.abs(weights).max(axis=0)
    noise = draw.normal(size=(count, features)) / (np.where(largest > 0, largest, 1) * np.sqrt(features))
    return np.vstack([np.zeros((1, features)), rows + noise])


def _quietly(method, rows):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # X has no names here
        return method(rows)


def _checked_scores(estimator, rows, weights, biases, np):
    """Returns the estimator's scores of rows, one column a vector. Refuses other scores than those of the weights."""
    name = type(estimator).__name__
    if not hasattr(estimator, "decision_function"):
        raise usage_error(f"{name} has no decision_function", "give a linear classifier, such as LogisticRegression")
    given = np.asarray(_quietly(estimator.decision_function, rows), dtype=np.float64)
    own = rows @ weights.T + biases
    size = np.abs(rows) @ np.abs(weights.T) + np.abs(biases)
    if given.reshape(len(rows), -1).shape != own.shape or \
            not (np.abs(given.reshape(own.shape) - own) <= 1e-9 * size + 1e-300).all():
        raise usage_error(f"the scores of {name} are not X @ coef_.T + intercept_",
                          "give a linear classifier, such as LogisticRegression or LinearSVC")
    return given.reshape(own.shape)


def _check_classes(estimator, rows, scores, classes, np):
    """Refuses an estimator that does not predict the class of the highest score."""
    given = np.asarray(_quietly(estimator.predict, rows))
    own = classes[scores.argmax(axis=1) if scores.shape[1] > 1 else (scores[:, 0] > 0).astype(int)]
    if given.shape != own.shape or not (given == own).all():
        raise usage_error(f"{type(estimator).__name__} does not predict the class of the highest score",
                          "fit it on one label a row; if it thresholds or transforms predictions, give the classifier "
                          "inside")


def _link(estimator, rows, scores, np):
    """Returns how the estimator's scores become its probabilities, found by trying; SCORES_ONLY: in another way."""
    if not hasattr(estimator, "predict_proba"):
        return native.SCORES_ONLY
    try:
        given = _quietly(estimator.predict_proba, rows)
    except (AttributeError, NotImplementedError):
        return native.SCORES_ONLY
    logistic = 1 / (1 + np.exp(-np.clip(scores, -500, 500)))
    logistic = np.hstack([1 - logistic, logistic]) if scores.shape[1] == 1 else \
        logistic / logistic.sum(axis=1, keepdims=True)
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    for link, own in ((native.LOGISTIC, logistic), (native.SOFTMAX, powers / powers.sum(axis=1, keepdims=True))):
        if own.shape == given.shape and (np.abs(own - given) <= 1e-9).all():
            return link
    return native.SCORES_ONLY


def _linear_model(weights, biases, classes, columns, label, sparse, link):
    import numpy as np

    weights, biases = np.ascontiguousarray(weights), np.ascontiguousarray(biases)
    given = native.Linear(weights.ctypes.data, biases.ctypes.data, *weights.shape, native.c_names(classes),
                          len(classes), native.c_names(columns), native.c_text(label), int(sparse), link)
    return Model(native.new("model", "model_linear", byref(given)))


# ---- To scikit-learn ----


def _estimator_for(link, classes):
    """Returns an estimator, not fitted, whose probabilities are those of the link."""
    from sklearn.linear_model import LogisticRegression, SGDClassifier
    from sklearn.svm import LinearSVC

    if link == "softmax" or link == "logistic" and classes == 2:
        return LogisticRegression()
    return SGDClassifier(loss="log_loss") if link == "logistic" else LinearSVC()
