"""Training on the workers of Dask: the same model for any number of them, and after any of them died.

A job's tasks depend on nothing but their inputs (halfspace.jobs): Dask may do them anywhere, and again.
"""

import os
import warnings

from . import _native as native
from . import jobs
from ._native import paths_of, usage_error

try:
    import dask
    import dask.array as da
    import dask.dataframe as dd
except ImportError as error:
    raise ImportError("halfspace.dask needs dask: install python3-dask, or pip install dask[complete]") from error

from ._classifier import BaseEstimator, ClassifierMixin, NotFittedError


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


def _do_on_rows(number, data, shared, first, parts, classes):
    """Does a task of a job on rows: `parts` are those of its shards, from `first` on."""
    return number, jobs._done(data, shared, [None] * first + [_rows(of_shard, classes) for of_shard in parts])


def _labels_in(y):
    """Returns the number of rows, and the classes with the number of rows of each."""
    import numpy as np

    from . import _rows as rows

    if not len(y):
        return 0, None, {}
    labels = rows.as_labels(np.asarray(y))
    return len(y), rows.distinct(labels), dict(zip(*(part.tolist() for part in np.unique(labels, return_counts=True))))


def _classes_differ(counts):
    """Returns whether the shares of the classes differ between partitions, relevantly and significantly: the test by
    which `halfspace train` finds sorted rows (ClassesByPosition::differ())."""
    import numpy as np

    classes = sorted(set().union(*counts), key=str)
    table = np.array([[its.get(name, 0) for name in classes] for its in counts], dtype=float)
    sizes = table.sum(1, keepdims=True)
    expected = sizes * table.sum(0) / table.sum()
    excess = ((table - expected) ** 2 / expected).sum() / max(1, (len(counts) - 1) * (len(classes) - 1))
    return len(counts) > 1 and len(classes) > 1 and excess > 5 and (excess - 1) / max(1, sizes.mean() - 1) > 0.03


def _dealt(X, y, shards):
    """Returns the rows of each shard, every `shards`-th, and their labels."""
    import numpy as np

    labels = np.asarray(y)
    rows = X.iloc if hasattr(X, "iloc") else X.tocsr() if hasattr(X, "tocsr") else X
    return [(rows[shard::shards], labels[shard::shards]) for shard in range(shards)]


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
        partitions make a shard, and there are at most as many shards as partitions. Where the shares of the classes
        differ between partitions, as in sorted data, the rows of each are dealt to the shards in turn instead, with a
        warning: that moves rows between workers.
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

    def _job(self, paths, shards):
        return jobs._train(paths, shards, self.epochs, self.mixing, shards, self.options or {})

    def _fit_files(self, paths):
        do = dask.delayed(jobs.do, pure=False)
        self._run(self._job(paths, self.shards), lambda task, shared: do((task.number, task.data, shared)))

    def _fit_rows(self, X, y):
        import numpy as np

        from . import _rows as rows

        if y is None:
            raise ValueError("HalfspaceClassifier requires y to be passed, but the target y is None.")
        parts = _partitions(X, y)
        found = dask.compute(*(dask.delayed(_labels_in)(label) for _, label in parts))
        empty = [rows for (rows, _), (count, *_) in zip(parts, found) if count == 0]
        if any(dask.compute(*map(dask.delayed(_row_count), empty))):
            raise ValueError("a partition of y has no rows, and that of X has some")
        parts = [part for part, (count, *_) in zip(parts, found) if count]
        if not parts:
            raise native.data_error("there are no rows", "give rows of two classes or more")
        self.classes_ = rows.distinct(np.concatenate([classes for count, classes, _ in found if count]))
        if len(self.classes_) < 2:
            raise native.data_error(f"y has only one class, {self.classes_[0]}", "give rows of two classes or more")
        classes = rows.Classes(self.classes_)
        shards = 1
        while 2 * shards <= min(len(parts), self.shards):
            shards *= 2
        if shards > 1 and _classes_differ([counts for count, _, counts in found if count]):
            warnings.warn("the classes are not evenly distributed over the partitions: rows are dealt to the shards in "
                          "turn, which moves them between workers", stacklevel=3)
            dealt = [dask.delayed(_dealt, nout=shards, pure=False)(*part, shards) for part in parts]
            groups = [[of_part[i] for of_part in dealt] for i in range(shards)]
        else:
            groups = [parts[i * len(parts) // shards:(i + 1) * len(parts) // shards] for i in range(shards)]
        groups = dask.persist(*groups)
        do = dask.delayed(_do_on_rows, pure=False)

        def delayed(task, shared):
            own = groups[task.first:task.first + task.shards]
            return do(task.number, task.data, shared, task.first, list(own), classes)

        self._run(self._job((), shards), delayed)

    def _run(self, job, delayed):
        """Does the tasks of a job, step by step. What they share goes to each worker once."""
        while tasks := job.tasks():
            shared = dask.delayed(job.shared(), pure=False)
            for number, result in dask.compute(*(delayed(task, shared) for task in tasks)):
                job.take(number, result)
        for note in job.notes:
            warnings.warn(note, native.HalfspaceWarning, stacklevel=4)
        self.result_, self.model_ = job.result, job.model
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
