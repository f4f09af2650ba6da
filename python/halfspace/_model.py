"""Models, and the functions that make and check them."""

import csv
import math
import os
import tempfile
from ctypes import byref, c_size_t
from dataclasses import asdict, dataclass
from functools import cached_property

from . import _native as native
from ._native import call, usage_error
from ._reports import frame_of, plot_certification, plot_contributions, plot_training, text_as_html


class Model:
    """A linear model: what `halfspace train` writes.

    Made by `train()`, `load()` or `Model.from_bytes()`; pickled as the bytes of its file. Never changes: threads may
    share one, whose predictions are then made one call at a time.

    Attributes
    ----------
    classes : list of str
        The names of the classes in the model's order; of two the second is the positive one.
    result : dict or None
        What `halfspace train --json` prints, of a model that train() made or fit().
    notes : list of (str, str)
        What training assumed, and how to change it.
    """

    def __init__(self, handle, run=None, notes=()):
        self._handle = handle
        self._predictor = None
        self._run = run  # native.Result
        self.notes = list(notes)
        names = (native.lib["model_class_name"](handle, k) for k in range(native.lib["model_classes"](handle)))
        self.classes = [name.decode("utf-8", "replace") for name in names if name is not None]

    @property
    def result(self):
        return self._run.result if self._run is not None else None

    @classmethod
    def of_trainer(cls, trainer) -> "Model":
        """Returns a copy of a trainer's model as it is now."""
        with trainer.lock:
            return cls(native.new("model", "trainer_model", trainer))

    @classmethod
    def from_bytes(cls, data: bytes) -> "Model":
        """Returns the model that the bytes of a model file are. Raises DataError."""
        return cls(native.new("model", "model_decode", data, len(data)))

    def to_bytes(self) -> bytes:
        """Returns the bytes of the model's file."""
        size = c_size_t()
        address = call("model_encode", self._handle, byref(size))
        return native.take_bytes(address, size.value)

    def __reduce__(self):
        return Model.from_bytes, (self.to_bytes(),)

    def save(self, path: "_Path"):
        """Writes the model to a file that `halfspace predict` reads, atomically. Raises InputOutputError."""
        call("model_save", self._handle, os.fsencode(path))

    def describe(self) -> "dict[str, Any]":
        """Returns a dict: composition, classes, format, features, feature_names, probabilities, link, ledger,
        deviations (of the features over the training rows, or None) and expected_error; of a model with log columns
        also logarithms.

        `link` is what turns scores into probabilities: platt, clipped-platt, isotonic, temperature, logistic, softmax,
        or None.
        """
        return native.take_json(call("model_describe", self._handle))

    @cached_property
    def description(self) -> "dict[str, Any]":
        """describe(), made once."""
        return self.describe()

    @property
    def has_probabilities(self) -> bool:
        """Whether predict_proba() has an answer."""
        return self.description["probabilities"]

    @property
    def expected_error(self) -> "dict[str, Any] | None":
        """The error to report: a dict with the share of new rows that will be wrong, error, and its bounds, lower and upper;
        or None. Of a model from train() or fit() that of its run, of another that of the model's own mistakes."""
        return (self.result or self.description)["expected_error"]

    # ---- The run ----

    @property
    def has_report(self) -> bool:
        """Whether report(), page() and plot() have an answer: of a model that train() made or fit(), not a file."""
        return self._run is not None

    def _reported(self):
        if self._run is None:
            raise usage_error("this model has no report: it does not come from train() or fit(), and a file of a model, "
                              "or a pickle, does not keep the report of its run",
                              "keep report() or page() when the model is trained")
        return self._run

    def report(self) -> str:
        """Returns the ledger of the run, a text, as `halfspace train` prints it.

        Raises
        ------
        UsageError
            The model was loaded, unpickled, or learned row by row.
        """
        return self._reported().text

    def page(self) -> str:
        """Returns the page of the run's figures, HTML that loads nothing else. Raises UsageError as report() does."""
        return native.page(self._reported().result)

    def plot(self, ax=None):
        """Draws the errors of the run against its rounds, and its mistakes under the bound.

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
            As report() does.
        """
        return plot_training(self._reported().result, ax)

    def _repr_html_(self):
        return frame_of(self.page()) if self.has_report else text_as_html(repr(self))

    # ---- The model ----

    @property
    def features(self) -> int:
        """The number of features."""
        return native.lib["model_features"](self._handle)

    @property
    def vectors(self) -> int:
        """The number of weight vectors: 1 of two classes, but 2 of the rule multiclass; else one a class."""
        return native.lib["model_vectors"](self._handle)

    def weights(self):
        """Returns the weights as they act on the data's own values, and the biases.

        Returns
        -------
        weights : ndarray of shape (vectors, features)
        biases : ndarray of shape (vectors,)
        """
        import numpy as np

        weights, biases = np.zeros((self.vectors, self.features)), np.zeros(self.vectors)
        call("model_weights", self._handle, weights.ctypes.data, biases.ctypes.data)
        return weights, biases

    def predictor(self):
        """Returns the library's predictor, made once."""
        if self._predictor is None:
            self._predictor = native.new("predictor", "predictor_new", self._handle)
        return self._predictor

    def predict_rows(self, rows, count, classes=False, scores=False, probabilities=False):
        """Returns class numbers, scores of shape (count, vectors), probabilities of shape (count, classes), or None."""
        import numpy as np

        wanted = (np.empty(count, np.int32) if classes else None,
                  np.empty((count, self.vectors)) if scores else None,
                  np.empty((count, max(2, len(self.classes)))) if probabilities else None)
        predictor = self.predictor()
        with predictor.lock:
            call("predict", predictor, rows, *(None if out is None else out.ctypes.data for out in wanted))
        return wanted

    def predict_files(self, paths, options, classes=False, scores=False, probabilities=False):
        """Returns what predict_rows() does, for the rows of files; class -1 and NaN for rows that are skipped."""
        import numpy as np

        wanted = (classes, scores, probabilities)
        shapes = ((), (self.vectors,), (max(2, len(self.classes)),))
        parts = [[np.empty((0, *shape), np.int32 if shape == () else np.float64)] for shape in shapes]

        def keep(block):
            arrays = (block.classes, block.scores, block.probabilities)
            for part, shape, array, want in zip(parts, shapes, arrays, wanted):
                if want:
                    part.append(np.array(np.ctypeslib.as_array(array, (block.rows, *shape))))

        self._each_block(paths, options, probabilities, keep)
        return tuple(np.concatenate(part) if want else None for part, want in zip(parts, wanted))

    def _each_block(self, paths, options, probabilities, keep):
        """Calls keep(native.Predictions) for every block of predictions for files."""
        failures = []

        def on_predictions(context, found):
            try:
                if not failures:
                    keep(found.contents)
            except BaseException as failure:  # C cannot pass it on
                failures.append(failure)

        run, predictor = native.Run(), self.predictor()
        settings = native.settings("predict", options, paths)
        with predictor.lock:
            run.call("predict_files", predictor, settings, int(probabilities), native.OnPredictions(on_predictions),
                     None, run.watch)
        run.finish()
        if failures:
            raise failures[0]

    def _predict(self, X, options, **wanted):
        paths = native.paths_of(X)
        if paths is not None:
            return self.predict_files(paths, options, **wanted)
        if options:
            raise usage_error(f"{next(iter(options))} is an option of reading files, and X is rows in memory",
                              "leave it out")
        from ._rows import as_rows

        rows = as_rows(X)
        return self.predict_rows(rows.handle(), rows.rows, **wanted)

    def predict(self, X, **options):
        """Predicts a class for each row.

        Parameters
        ----------
        X : array, sparse matrix or DataFrame of shape (rows, features); or str, Path or list of them
            Files are read as `halfspace predict` reads them. Labels in them are ignored.
        **options
            Those of reading with `halfspace predict`, for files: on_error="skip", threads=1.

        Returns
        -------
        list of str
            Names of classes; None for a bad row that on_error="skip" skips.

        Raises
        ------
        DataError
            X does not have the model's columns, or holds NaN or an infinity.
        NoInputError
            A file is not there.
        """
        names = [*self.classes, None]  # -1 is the last
        paths = native.paths_of(X)
        if paths is None:
            return [names[number] for number in self._predict(X, options, classes=True)[0].tolist()]
        labels = []  # without numpy
        self._each_block(paths, options, False,
                         lambda block: labels.extend(names[number] for number in block.classes[:block.rows]))
        return labels

    def decision_function(self, X, **options):
        """Scores the rows.

        Parameters
        ----------
        X : as in predict()
        **options
            Those of reading with `halfspace predict`.

        Returns
        -------
        ndarray of shape (rows,) or (rows, classes)
            Of two classes the score of the second, else one of each class; NaN for a row that is skipped.
        """
        scores = self._predict(X, options, scores=True)[1]
        if len(self.classes) == 2 and scores.shape[1] == 2:  # one vector a class
            return scores[:, 1] - scores[:, 0]
        return scores[:, 0] if scores.shape[1] == 1 else scores

    def predict_proba(self, X, **options):
        """Returns the probability of each class.

        Parameters
        ----------
        X : as in predict()
        **options
            Those of reading with `halfspace predict`.

        Returns
        -------
        ndarray of shape (rows, classes)

        Raises
        ------
        UsageError
            The model has no probabilities.
        """
        return self._predict(X, options, probabilities=True)[2]

    def sets_of(self, scores, coverage, each_class):
        """Returns the prediction sets of rows with these scores, as predict_set() does."""
        import numpy as np

        scores = np.ascontiguousarray(scores, np.float64)
        sets = np.zeros((len(scores), max(2, len(self.classes))), np.bool_)
        call("model_sets", self._handle, coverage, int(each_class), scores.ctypes.data, len(scores), sets.ctypes.data)
        return sets

    def predict_set(self, X, coverage=0.9, each_class=False, **options):
        """Returns a set of classes for each row, which has the true one with probability `coverage` at least.

        Parameters
        ----------
        X : as in predict()
        coverage : float
            Above 0 and below 1. It holds if the row is exchangeable with the rows that were held out.
        each_class : bool
            It holds for the rows of each class.
        **options
            Those of reading with `halfspace predict`.

        Returns
        -------
        ndarray of shape (rows, classes)
            True for the classes in the set, in the order of `classes`. No class for a row that is skipped.

        Raises
        ------
        UsageError
            The model was not trained with conformal=True and holdout.
        """
        return self.sets_of(self._predict(X, options, scores=True)[1], coverage, each_class)

    def to_onnx(self, path=None):
        """Returns the model as ONNX; docs/formats/export.md describes inputs and outputs.

        Parameters
        ----------
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
        return self._export("onnx", path)

    def to_pmml(self, path: "_Path | None" = None) -> bytes:
        """Returns the model as PMML, as to_onnx() does; PMML cannot express normalised rows, either.

        docs/formats/export.md describes its fields.
        """
        return self._export("pmml", path)

    def to_sql(self, path: "_Path | None" = None, dialect: str = "postgresql", table: str = "data",
               view: "str | None" = None, keep: "list[str] | None" = None, plain: bool = False) -> str:
        """Returns the model as a query that predicts each row of a table; docs/formats/sql.md describes it.

        Parameters
        ----------
        path : str or Path, optional
            A file to write as well.
        dialect : {"postgresql", "sqlite", "duckdb", "mysql"}
        table : str
            The table, or schema.table.
        view : str, optional
            Define a view with this name.
        keep : list of str, optional
            Columns to select with the predictions; by default the identifier of the training data.
        plain : bool
            A shorter query, whose scores may differ in their last digits.

        Raises
        ------
        UsageError
            SQL cannot express the model: a vote, a kernel, normalised rows, columns of text.
        """
        names = native.c_names(keep)
        text = native.take_text(call("model_sql", self._handle, native.c_text(dialect), native.c_text(table),
                                     None if view is None else native.c_text(view), names, len(keep or ()),
                                     int(plain)))
        return self._written(text, path)

    def to_c(self, path: "_Path | None" = None, function: str = "halfspace") -> str:
        """Returns the model as a function in C99 with this name; docs/formats/export.md describes it."""
        return self._written(native.take_text(call("model_c_source", self._handle, native.c_text(function))), path)

    @staticmethod
    def _written(text, path):
        if path is not None:
            with open(path, "w", encoding="utf-8", newline="") as file:
                file.write(text)
        return text

    def _export(self, format, path):
        size = c_size_t()
        data = native.take_bytes(call("model_export", self._handle, format.encode(), byref(size)), size.value)
        if path is not None:
            with open(path, "wb") as file:
                file.write(data)
        return data

    def evaluate(self, X, y=None, *, sample_weight=None, **options):
        """Evaluates on labelled rows, or on files.

        Parameters
        ----------
        X : str, Path, list of them, or rows as in predict()
        y : sequence of shape (rows,)
            Labels whose str() is a class's name; None with files.
        sample_weight : sequence of shape (rows,), optional
            Weights that the metrics give the rows in memory; of files, weighted=True uses the column of weights.
        **options : those of `halfspace evaluate`

        Returns
        -------
        Evaluation
            A dict, what `halfspace evaluate --json` prints; str() of it is the command's text.
        """
        rows, paths = labelled_rows(X, y, sample_weight)
        run = native.Run()
        if sample_weight is not None:
            options = {**options, "weighted": True}
        settings = native.settings("evaluate", options, paths)
        found = native.take_result(run.call("evaluate", self._handle, settings, rows, run.watch))
        run.finish()
        return Evaluation(found.result, found.text)

    def explain(self, X, row=1, *, against="means", limits=None, costs=None, codes=None, **options):
        """Explains why a row has its label, and finds what would change it.

        Parameters
        ----------
        X : str, Path, or rows as in predict()
        row : int or str, default=1
            The row's number from 1; of a file also its text in the column that names rows.
        against : "means", "zero", "FILE:ROW", or sequence of shape (features,), default="means"
            What contributions are compared with: the means of the training rows, 0 in every column, or a row.
        limits : dict of column name to (least, most), optional
            How far a change may go; None for an end: as far as it likes.
        costs : dict of column name to number, optional
            Of a unit of a number (default: 1 for a standard deviation), of another category (default: 1).
        codes : dict of column name to (code, text) or (code, text, label), optional
            What to write of each column as a reason; with a label, of rows that have it.
        **options : others of `halfspace explain`, such as fixed=["age"]

        Returns
        -------
        Explanation
            A dict, what `halfspace explain --json` prints; str() of it is the command's text.
        """
        from ._rows import as_rows

        paths = native.paths_of(X)
        rows = as_rows(X).handle() if paths is None else None
        tables = {"limits": limits and [("column", "least", "most"), *((name, *ends) for name, ends in limits.items())],
                  "costs": costs and [("column", "cost"), *costs.items()],
                  "codes": codes and [("column", "code", "text", "label"),
                                      *((name, *code, "")[:4] for name, code in codes.items())]}
        run = native.Run()
        with tempfile.TemporaryDirectory() as folder:
            if not isinstance(against, str):
                import numpy as np

                path = os.path.join(folder, "against.npy")
                np.save(path, np.asarray(against, float).reshape(1, -1))
                against = path + ":1"
            options["against"] = against
            for name, lines in tables.items():
                if lines:
                    options[name] = os.path.join(folder, name)
                    with open(options[name], "w", newline="", encoding="utf-8") as file:
                        csv.writer(file).writerows([["" if cell is None else cell for cell in line] for line in lines])
            settings = native.settings("explain", {"row": str(row), **options}, paths or ())
            found = native.take_result(run.call("explain", self._handle, settings, rows, run.watch))
        run.finish()
        return Explanation(found.result, found.text)

    def __repr__(self):
        shown = f"<halfspace.Model of {len(self.classes)} classes, {self.features} features"
        expected = self.expected_error
        if expected is not None:
            lower, upper = math.floor(1000 * expected["lower"]) / 10, math.ceil(1000 * expected["upper"]) / 10
            shown += (f"; expect {100 * expected['error']:.1f} % of new rows to be wrong, {lower:.1f} to {upper:.1f} % with "
                      f"{100 * expected['confidence']:.6g} % confidence")
        return shown + ">"


def labelled_rows(X, y, sample_weight=None):
    """Returns the library's rows, or None, and paths."""
    paths = native.paths_of(X)
    if paths is not None:
        if y is not None or sample_weight is not None:
            raise usage_error("a file has its own labels and weights", "leave y and sample_weight out; the options label "
                              "and weight name their columns")
        return None, paths
    from . import _rows

    matrix = _rows.as_rows(X)
    labels = _rows.label_array(y, matrix.rows, "halfspace")
    classes = _rows.Classes(_rows.distinct(labels))
    weights = _rows.row_weights(sample_weight, matrix.rows)
    return matrix.handle(classes.struct(classes.encode(labels), weights)), ()


class _Reported(dict):
    """What a command prints as JSON, with its text."""

    def __init__(self, result, text):
        super().__init__(result)
        self.text = text

    def __str__(self):
        return self.text

    def __reduce__(self):
        return type(self), (dict(self), self.text)

    def _repr_html_(self):
        return text_as_html(self.text)


class Explanation(_Reported):
    """Why a row has its label: a dict, what `halfspace explain --json` prints.

    Attributes
    ----------
    text : str
        What `halfspace explain` prints; also str() of this.
    """

    def frame(self):
        """Returns the contributions as a pandas.DataFrame: column, value, contribution, and the ends of `holds`."""
        import pandas as pd

        return pd.DataFrame([{"column": c["column"], "value": c.get("value"), "contribution": c["contribution"],
                              **c.get("holds", {"least": None, "most": None})} for c in self["contributions"]])

    def plot(self, ax=None):
        """Draws the contributions as bars, the largest for the label on top. Returns the matplotlib Axes."""
        return plot_contributions(self, ax)


class Evaluation(_Reported):
    """How well a model predicts labelled rows: a dict, what `halfspace evaluate --json` prints.

    Attributes
    ----------
    text : str
        What `halfspace evaluate` prints; also str() of this.
    """

    def page(self) -> str:
        """Returns the page of figures that `evaluate --report` writes, HTML that loads nothing else."""
        return native.page(dict(self))


def train(X, y=None, *, progress=False, figures=False, **options):
    """Trains a model as `halfspace train` does.

    Parameters
    ----------
    X : str, Path or list of them; or array, sparse matrix or DataFrame of shape (rows, features)
        Files may be in any format of docs/formats.
    y : sequence of shape (rows,)
        Labels, with rows only.
    progress : bool
        Shows a bar of tqdm, or a line on stderr where tqdm is not installed.
    figures : bool
        Records all figures of Model.page(), as `--report` does: besides the curves, which are always there, the rows
        in a plane and the bounds over time. It may take as long as training.
    **options
        Those of `halfspace train`, with `_` for `-`: passes=3, rule="arow", holdout=0.2.

    Returns
    -------
    Model

    Raises
    ------
    UsageError, DataError, NoInputError
        Naming file, line and column where there are any.
    KeyboardInterrupt
        Ctrl-C; the model so far is lost: an estimator keeps it.

    Warns
    -----
    HalfspaceWarning
        Of a note with which training goes wrong, such as a column that names the rows.
    """
    rows, paths = labelled_rows(X, y)
    recorded = native.ALL_FIGURES if figures else native.CURVES
    handle, result, run = native.train(options, rows, paths, figures=recorded, progress=progress)
    run.finish()
    native.warn_of_notes(result)
    return Model(handle, result, run.notes)


def load(path: "_Path") -> Model:
    """Returns the model of a file. Raises NoInputError, DataError."""
    return Model(native.new("model", "model_load", os.fsencode(path)))


class _Result:
    def to_dict(self) -> "dict[str, Any]":
        """Returns the fields as a dict."""
        return asdict(self)

    def __str__(self):
        return self.text


class _Drawn(_Result):
    """A result with a page."""

    def page(self) -> str:
        """Returns the page of figures that the command writes with `--report`, HTML that loads nothing else."""
        return native.page(self.result)

    def _repr_html_(self):
        return frame_of(self.page())


@dataclass(frozen=True)
class Certification(_Drawn):
    """What was proved about data: the answer of `halfspace certify`, whose text is str() of this."""

    verdict: str  # "separable", "not separable" or "undecided"
    rows: int
    features: int
    margin: "dict[str, Any] | None"  # bounds, {"lower": ..., "upper": ...}
    mistake_bound: "float | None"  # of the perceptron; None where there is none
    witness: "Any"  # rows that prove inseparability
    fewest_errors: "dict[str, Any] | None"  # bounds, {"lower": ..., "upper": ...}
    certificate: "str | None"  # text that verify() checks; None where nothing was decided
    result: dict  # all of `certify --json --figures`
    text: str  # what the command prints

    @property
    def separable(self) -> "bool | None":
        """True or False; None where undecided."""
        return {"separable": True, "not separable": False}.get(self.verdict)

    def plot(self, ax=None):
        """Draws two features with the separator, or with the hulls that intersect; else the search for the margin.

        `ax` is as in Model.plot(). Raises ImportError as it does, and UsageError where there is nothing to draw: more
        than two features, and a verdict before any bound on the margin.
        """
        return plot_certification(self.result, ax)


@dataclass(frozen=True)
class Verification(_Result):
    """Whether a certificate holds for files: the answer of `halfspace verify`, whose text is str() of this."""

    valid: bool
    result: dict  # all of `verify --json`
    text: str  # what the command prints

    def _repr_html_(self):
        return text_as_html(self.text)


def certify(X, y=None, *, progress=False, **options):
    """Decides, with a proof, whether a hyperplane separates two classes.

    Parameters
    ----------
    X, y : as in train()
    progress : bool
        Shows the stage of the search and the bounds on the margin, as train() does.
    **options : those of `halfspace certify`, such as seconds=10

    Returns
    -------
    Certification

    Raises
    ------
    UsageError, DataError, NoInputError
    """
    rows, paths = labelled_rows(X, y)
    settings = native.settings("certify", options, paths)
    run = native.Run(native.ALL_FIGURES, progress)
    found = native.take_result(run.call("certify", settings, rows, run.watch))
    run.finish()
    fields = {name: found.result.get(name) for name in ("verdict", "rows", "features", "margin", "mistake_bound",
                                                        "witness", "fewest_errors")}
    return Certification(**fields, certificate=found.certificate, result=found.result, text=found.text)


def verify(certificate, paths):
    """Checks a certificate against the files that it is about; of rows in memory, those of write_rows().

    Parameters
    ----------
    certificate : Certification, its text, or the path of a file with it
    paths : str, Path or list of them

    Returns
    -------
    Verification

    Raises
    ------
    DataError
        The text is no certificate.
    """
    text = getattr(certificate, "certificate", certificate)
    if isinstance(text, os.PathLike) or (isinstance(text, str) and "\n" not in text and os.path.isfile(text)):
        with open(text, encoding="utf-8", errors="surrogateescape") as file:
            text = file.read()
    if not isinstance(text, str):
        raise usage_error("there is no certificate", "give what certify() returned, or the file it was written to")
    files = [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)
    names = native.c_names([os.fspath(path) for path in files])
    found = native.take_result(call("verify", native.c_text(text), names, len(files)))
    return Verification(bool(found.result["valid"]), found.result, found.text)


def write_rows(path: "_Path", X, y):
    """Writes rows in memory as text: CSV where columns have names, else LIBSVM. Every number reads back the same."""
    rows, paths = labelled_rows(X, y)
    if rows is None:
        raise usage_error("write_rows() writes rows in memory", "give an array and its labels")
    call("rows_write", rows, os.fsencode(path))
