"""Training on the workers of Dask: the same model for any number of them, and after any of them died.

Every step is a task that depends on nothing but its inputs (halfspace_mix() in halfspace_c.h): Dask may run it anywhere,
and again. Sums are made over a fixed binary tree of shards, so that no bit depends on who made them.
"""

import os
from ctypes import byref, c_size_t

from . import _native as native
from ._model import Model
from ._native import paths_of, usage_error

try:
    import dask
    import dask.array as da
    import dask.dataframe as dd
except ImportError as error:
    raise ImportError("halfspace.dask needs dask: install python3-dask, or pip install dask[complete]") from error

from ._classifier import BaseEstimator, ClassifierMixin, NotFittedError

_MIXING = {"uniform": 0, "mistakes": 1}


def _step(options, paths, step, inputs=(), number=0, rows=None):
    """Runs a step of the library: bytes in, bytes out."""
    settings = native.settings("train", options, paths)
    array = (native.Bytes * max(1, len(inputs)))(*(native.Bytes(data, len(data)) for data in inputs))
    size = c_size_t()
    address = native.call("mix", settings, step.encode(), array, len(inputs), number, rows, byref(size))
    return native.take_bytes(address, size.value)


def _rows(parts, classes):
    """Returns the library's rows of some partitions, one below the other."""
    import numpy as np

    from . import _rows as rows

    X = [x for x, _ in parts]
    y = [label for _, label in parts]
    for x, label in parts:
        if x.shape[0] != len(label):
            raise ValueError(f"a partition of X has {x.shape[0]} rows, and that of y {len(label)}")
    if hasattr(X[0], "iloc"):
        import pandas

        whole = pandas.concat(X) if len(X) > 1 else X[0]
    elif hasattr(X[0], "tocsr"):
        import scipy.sparse

        whole = scipy.sparse.vstack(X).tocsr()
    else:
        whole = np.concatenate(X) if len(X) > 1 else X[0]
    labels = np.concatenate([np.asarray(label) for label in y])
    matrix = rows.as_rows(whole)
    return matrix.handle(classes.struct(classes.encode(rows.label_array(labels, matrix.rows, "halfspace")), None))


def _step_on_rows(options, step, inputs, number, parts, classes):
    return _step(options, (), step, inputs, number, _rows(parts, classes))


def _labels_in(y):
    """Returns the number of rows, and the classes."""
    import numpy as np

    from . import _rows as rows

    return len(y), rows.distinct(rows.as_labels(np.asarray(y))) if len(y) else None


def _row_count(X):
    return X.shape[0] if hasattr(X, "shape") else len(X)


def _predict(model, labels, X):
    """Returns labels, an array."""
    return labels[model._predict(X, {}, classes=True)[0] if _row_count(X) else []]


def _score(model, labels, X):
    """Returns scores, an array; of two classes those of the greater label."""
    import numpy as np

    if _row_count(X):
        return model.decision_function(X)
    return np.empty((0, len(labels)) if len(labels) > 2 else 0)


class HalfspaceClassifier(ClassifierMixin, BaseEstimator):
    """A linear classifier trained by iterative parameter mixing over shards of the data.

    Parameters
    ----------
    shards : int
        A power of two. Files are divided into as many, whatever the workers; of an array or a data frame, adjacent
        partitions make a shard, and there are at most as many shards as partitions.
    epochs : int
        Passes over the data; the weights are mixed after each.
    mixing : "uniform" or "mistakes"
        What a shard's weights count: all alike, or as it made mistakes.
    options : dict or None
        Options of `halfspace train`, with `_` for `-`: {"rule": "arow"}. By default the averaged perceptron; for one
        epoch the tournament.

    Attributes
    ----------
    model_ : halfspace.Model
    result_ : dict
        What `halfspace-mpi train --json` prints: the ledger by epoch and shard, the training error, the bound.
    classes_ : array
        The labels; of files their texts.
    """

    def __init__(self, shards=64, epochs=1, mixing="uniform", options=None):
        self.shards, self.epochs, self.mixing, self.options = shards, epochs, mixing, options

    def fit(self, X, y=None):
        """Learns from files (a path or a list of paths that all workers can read), or from a Dask array or data frame
        and its labels."""
        if self.mixing not in _MIXING:
            raise usage_error(f"mixing is {self.mixing!r}", "use uniform or mistakes")
        if self.shards not in (1 << k for k in range(13)):
            raise usage_error(f"shards is {self.shards!r}, which is not a power of two from 1 to 4096", "use 64")
        if self.epochs not in range(1, 1 << 32):
            raise usage_error(f"epochs is {self.epochs!r}", "use 1 or more")
        paths = paths_of(X)
        self._of_rows = paths is None
        if paths is not None:
            if y is not None:
                raise usage_error("files have their own labels", "leave y out")
            self._fit_files([os.path.abspath(path) for path in paths])
        else:
            self._fit_rows(X, y)
        return self

    def _own_options(self):
        options = dict(self.options or {})
        if not {"rule", "preset"} & options.keys():
            options.update({"rule": "tournament"} if self.epochs == 1 else {"preset": "averaged"})
        return options

    def _fit_files(self, paths):
        options = self._own_options()
        step = dask.delayed(_step, pure=False)
        plan = step(options, paths, "plan", (), self.shards)
        names = [step(options, paths, "names", [plan], shard) for shard in range(self.shards)]
        plan = step(options, paths, "merge", [plan, *names])
        self._run(plan, self.shards, options,
                  lambda name, inputs, shard: step(options, paths, name, inputs, shard))

    def _fit_rows(self, X, y):
        import numpy as np

        from . import _rows as rows

        if y is None:
            raise ValueError("HalfspaceClassifier requires y to be passed, but the target y is None.")
        options = self._own_options()
        parts = _partitions(X, y)
        found = dask.compute(*(dask.delayed(_labels_in)(label) for _, label in parts))
        empty = [rows for (rows, _), (count, _) in zip(parts, found) if count == 0]
        if any(dask.compute(*map(dask.delayed(_row_count), empty))):
            raise ValueError("a partition of y has no rows, and that of X has some")
        parts = [part for part, (count, _) in zip(parts, found) if count]
        if not parts:
            raise native.data_error("there are no rows", "give rows of two classes or more")
        self.classes_ = rows.distinct(np.concatenate([classes for count, classes in found if count]))
        if len(self.classes_) < 2:
            raise native.data_error(f"y has only one class, {self.classes_[0]}", "give rows of two classes or more")
        classes = rows.Classes(self.classes_)
        shards = 1
        while 2 * shards <= min(len(parts), self.shards):
            shards *= 2
        groups = [parts[i * len(parts) // shards:(i + 1) * len(parts) // shards] for i in range(shards)]
        step = dask.delayed(_step_on_rows, pure=False)
        without_rows = dask.delayed(_step, pure=False)
        plan = step(options, "plan", (), shards, groups[0], classes)
        names = [step(options, "names", [plan], i, groups[i], classes) for i in range(shards)]
        plan = without_rows(options, (), "merge", [plan, *names])
        self._run(plan, shards, options, lambda name, inputs, i: step(options, name, inputs, i, groups[i], classes))

    def _run(self, plan, shards, options, on_shard):
        """The graph: passes over shards, the tree of sums, the weights; epoch after epoch."""
        step = dask.delayed(_step, pure=False)
        state = step(options, (), "begin", [plan], _MIXING[self.mixing])
        for _ in range(self.epochs):
            sums = [on_shard("play", [plan, state], i) for i in range(shards)]
            while len(sums) > 1:
                sums = [step(options, (), "add", [sums[i], sums[i + 1]]) for i in range(0, len(sums), 2)]
            state = step(options, (), "end", [plan, state, sums[0]])
        model = step(options, (), "model", [plan, state])
        margins = [on_shard("margins", [plan, model], i) for i in range(shards)]
        result = step(options, (), "result", [plan, state, model, *margins])
        model, result = dask.compute(model, result)
        import json

        self.result_ = json.loads(result)
        self.model_ = Model(native.new("model", "model_decode", model, len(model)))
        self._labels = self._labels_of(self.model_.classes)

    def _labels_of(self, names):
        """Returns the labels of the model's classes."""
        import numpy as np

        if not self._of_rows:
            self.classes_ = np.array(names)
            return self.classes_
        value_of = {str(label): label for label in self.classes_.tolist()}
        labels = np.empty(len(names), dtype=self.classes_.dtype)
        labels[:] = [value_of[name] for name in names]
        return labels

    def predict(self, X):
        """Returns a label a row; lazily for a Dask array or data frame."""
        return self._lazily(X, _predict)

    def decision_function(self, X):
        """Returns the scores; lazily for a Dask array or data frame."""
        return self._lazily(X, _score)

    def _lazily(self, X, function):
        if not hasattr(self, "model_"):
            raise NotFittedError("this HalfspaceClassifier is not fitted yet: call fit() first")
        if isinstance(X, da.Array):
            X = X.rechunk({1: -1})
            parts, sizes = X.to_delayed().ravel(), X.chunks[0]
        elif isinstance(X, dd.DataFrame):
            parts = X.to_delayed()
            sizes = [float("nan")] * len(parts)
        else:
            return function(self.model_, self._labels, X)
        model, call = dask.delayed(self.model_), dask.delayed(function)
        several = function is _score and len(self._labels) > 2
        kind = float if function is _score else self._labels.dtype
        return da.concatenate([
            da.from_delayed(call(model, self._labels, part), shape=(size, len(self._labels)) if several else (size,),
                            dtype=kind) for part, size in zip(parts, sizes)])


def _partitions(X, y):
    """Returns pairs of delayed partitions, of rows and of their labels."""
    if isinstance(X, da.Array):
        if X.ndim != 2:
            raise ValueError(f"X has {X.ndim} dimensions, not 2")
        X = X.rechunk({1: -1})
        known = X.chunks[0][0] == X.chunks[0][0]  # else NaN
        if not known and not (isinstance(y, da.Array) and len(y.chunks[0]) == len(X.chunks[0])):
            raise usage_error("the sizes of the chunks of X are not known", "call X.compute_chunk_sizes() first")
        if not isinstance(y, da.Array):
            y = da.from_array(y, chunks=X.chunks[0])
        elif known and y.chunks[0] != X.chunks[0]:
            y = y.rechunk({0: X.chunks[0]})
        return list(zip(X.to_delayed().ravel(), y.to_delayed().ravel()))
    if isinstance(X, dd.DataFrame):
        if isinstance(y, da.Array):
            raise usage_error("a data frame's labels are a series, not an array", "use the frame's own column")
        rows, labels = X.to_delayed(), y.to_delayed()
        if len(rows) != len(labels):
            raise ValueError(f"X has {len(rows)} partitions, and y {len(labels)}")
        return list(zip(rows, labels))
    raise TypeError("X is neither paths, nor a Dask array or data frame")


__all__ = ["HalfspaceClassifier"]
