"""Which coefficients of a logistic regression are infinite, with proof: for arrays, data frames and statsmodels."""

import html
import os

from . import _native as native
from ._native import data_error, usage_error

_ARROWS = {"+infinite": "\u2191", "-infinite": "\u2193", "undetermined": "\u2195", "undecided": "\u2195",
           "finite": " ", "aliased": " "}
_KINDS = {"overlap": "Overlap: the maximum-likelihood fit exists.",
          "quasi-complete": "Quasi-complete separation: a hyperplane separates {separated:,} of {rows:,} rows, and "
                            "the others are on it.",
          "complete": "Complete separation: a hyperplane separates all {rows:,} rows.",
          "undecided": "Undecided: time or memory ran out; more seconds may decide it."}
_SHOWN = 60  # coefficients in a table; of more, finite ones are counted
# Links whose inverse grows from 0 to 1 over the whole line, by statsmodels' names in lower case.
_LINKS = {"logit", "probit", "cauchy", "cloglog", "loglog"}


class Separation:
    """Whether a hyperplane separates two classes, and which coefficients of a logistic regression are infinite.

    `str()` and `repr()` of it are a table; a notebook shows it as one.

    Attributes
    ----------
    kind : str
        "overlap": the maximum-likelihood fit exists. "quasi-complete": a hyperplane separates some rows, with the
        others on it. "complete": a hyperplane separates all rows. "undecided": time or memory ran out.
    coefficients : dict of str to str
        By name, in the order of the columns, "(intercept)" first: "finite", "+infinite", "-infinite",
        "undetermined" (finite or infinite of either sign: the data allow all), "undecided" (infinite or undetermined:
        more time may decide it), or "aliased" (the columns before it determine its column, or other categories do; the data say nothing of it).
    positive : str
        The class that coefficients grow for: its probability rises with a positive coefficient.
    rows : int
        The rows of the proof. Rows of weight 0 are left out; a row of a model with successes and failures is two.
    separated_rows : int
        How many of them are off the hyperplane.
    row_numbers : list of int
        Numbers of rows of X, from 0, off the hyperplane or on it, whichever are fewer; at most 1,000.
    rows_are_separated : bool
        Whether `row_numbers` are off the hyperplane.
    notes : list of str
        Columns that rounding alone tells from a combination of others, and what is separated without them.
    certificate : str or None
        A proof, which verify() and `halfspace verify` check against the file of write_rows().
    numbers : str
        Which numbers the proof is about.
    result : dict
        All of `halfspace certify --coefficients --json`.
    """

    def __init__(self, result, certificate, design):
        found = result.get("separation") or {"kind": "undecided", "separated_rows": 0, "rows": [],
                                             "rows_are_separated": True, "coefficients": []}
        self.result, self.certificate, self._design = result, certificate, design
        self.kind, self.separated_rows = found["kind"], found["separated_rows"]
        self.coefficients = {design.name_of(one["name"]): one["estimate"] for one in found["coefficients"]}
        if len(self.coefficients) < len(found["coefficients"]):
            names = [design.name_of(one["name"]) for one in found["coefficients"]]
            twice = next(name for name in names if names.count(name) > 1)
            raise data_error(f"two coefficients are called {twice!r}", "rename a column")
        if found["coefficients"]:
            self.coefficients.update(dict.fromkeys(design.absent(result["features"]), "aliased"))
        self.rows, self.positive, self.numbers = result["rows"], design.positive, design.numbers
        self.row_numbers = sorted({design.row_of(row - 1) for row in found["rows"]})
        self.rows_are_separated = found["rows_are_separated"]
        self.notes = found.get("notes", [])

    @property
    def separated(self) -> "bool | None":
        """True or False; None where undecided."""
        return None if self.kind == "undecided" else self.kind != "overlap"

    @property
    def finite(self) -> "list[str]":
        """The names of the finite coefficients."""
        return [name for name, estimate in self.coefficients.items() if estimate == "finite"]

    @property
    def infinite(self) -> "list[str]":
        """The names of the infinite coefficients, of either sign; not of undetermined ones, which may be finite."""
        return [name for name, estimate in self.coefficients.items() if estimate in ("+infinite", "-infinite")]

    @property
    def aliased(self) -> "list[str]":
        """The names of the coefficients that the data do not identify."""
        return [name for name, estimate in self.coefficients.items() if estimate == "aliased"]

    def write_rows(self, path: "_Path"):
        """Writes the rows of the proof as text, which `halfspace verify` reads with the certificate.

        Raises
        ------
        UsageError
            The rows are in a file already, or this was unpickled.
        """
        if self._design.handle is None:
            raise usage_error("there are no rows to write", "verify the certificate against the file that they were "
                              "read from, or call write_rows() before pickling")
        native.call("rows_write", self._design.handle, os.fsencode(path))

    def page(self) -> str:
        """Returns the page of figures that `certify --coefficients --report` writes, HTML that loads nothing else."""
        return native.page(self.result)

    # ---- For people ----

    def _lines(self):
        """Returns the names and estimates to show, and how many finite ones are left out."""
        lines = [(" ".join(name.splitlines()), estimate) for name, estimate in self.coefficients.items()]
        if len(lines) > _SHOWN:
            lines = [line for line in lines if line[1] != "finite"]
        return lines, len(self.coefficients) - len(lines)

    def _head(self):
        return _KINDS[self.kind].format(separated=self.separated_rows, rows=self.rows)

    def _foot(self):
        if self.kind == "undecided":
            return ""
        return " ".join([*self.notes, f"Coefficients for the class {self.positive}. Proved for {self.numbers}."])

    def __repr__(self):
        lines, left_out = self._lines()
        width = max((len(name) for name, _ in lines), default=0)
        table = [f"  {name:<{width}}  {_ARROWS[estimate]} {estimate}" for name, estimate in lines]
        if left_out:
            table.append(f"  and {left_out:,} finite")
        return "\n".join([self._head(), *table, *filter(None, [self._foot()])])

    def _repr_html_(self):
        lines, left_out = self._lines()
        cells = "".join(f'<tr><td style="text-align: left">{html.escape(name)}</td><td>{_ARROWS[estimate].strip()}</td>'
                        f'<td style="text-align: left">{html.escape(estimate)}</td></tr>' for name, estimate in lines)
        more = f"<p>and {left_out:,} finite</p>" if left_out else ""
        heads = "<tr><th>coefficient</th><th></th><th>estimate</th></tr>"
        return (f"<p>{html.escape(self._head())}</p><table><thead>{heads}</thead><tbody>{cells}</tbody></table>{more}"
                f"<p>{html.escape(self._foot())}</p>")

    def __getstate__(self):
        return {**self.__dict__, "_design": self._design.without_rows()}


def separation(X, y=None, *, intercept=True, sample_weight=None, names=None, progress=False, **options):
    """Proves which coefficients of a logistic regression are infinite, and in which direction.

    The answer is that of every binomial model whose link maps the probabilities onto the whole line: logit, probit,
    cauchit, complementary log-log. Offsets do not change it. A log link has another answer, and is refused.

    Parameters
    ----------
    X : array, sparse matrix or DataFrame of shape (rows, columns); a statsmodels model or result; str, Path or a list
        Of a column of categories every category has a coefficient, such as "age=under 20". With an intercept the first
        category in alphabetical order is the reference (treatment coding): it is "aliased". Of a model (Logit, Probit,
        or GLM with the family Binomial) the columns are those of its `exog`, with its own coding and constant; rows of
        frequency or variance weight 0 are left out. Files are read as `halfspace certify` reads them.
    y : sequence of shape (rows,)
        Two classes, of which the second in sorted order is the positive one; None with a model or a file.
    intercept : bool
        Adds a constant column, "(intercept)"; not to a model.
    sample_weight : sequence of shape (rows,), optional
        Rows of weight 0 are left out; other weights do not change the answer.
    names : sequence of str, optional
        Of the columns of an array; default: x0, x1, x2 ...
    progress : bool
        Shows the stage of the search, as certify() does.
    **options
        Those of `halfspace certify`: seconds=10; with files also those of reading, such as label="sick".

    Returns
    -------
    Separation

    Raises
    ------
    UsageError
        More than two classes; a family or link with another answer.
    DataError
        NaN or missing values: drop these rows first, as a fit does.

    Notes
    -----
    Arrays are proved as the shortest decimals that read back as their numbers: 0.1 is 1/10, not the nearest double.
    So the answer is that of the file which the numbers were read from. A column that is a combination of others only
    up to rounding is not aliased.

    Examples
    --------
    >>> found = separation([[1.0], [2.0], [3.0]], [0, 0, 1], names=["dose"])
    >>> found.kind, found.coefficients
    ('complete', {'(intercept)': '-infinite', 'dose': '+infinite'})
    """
    paths = native.paths_of(X)
    if paths is not None:
        if y is not None or sample_weight is not None or names is not None:
            raise usage_error("a file has its own labels and names", "leave y, sample_weight and names out; the option "
                              "label names the label's column")
        design, design_options = _File(), {}
    else:
        design = _design(X, y, intercept, sample_weight, names)
        design_options = {"positive": design.positive}
        intercept = intercept and not design.of_model
    asked = {"extra_seconds": 0, **design_options, **options, "coefficients": True}
    if not intercept:
        asked["bias"] = "none"
    settings = native.settings("certify", asked, paths or ())
    run = native.Run(native.ALL_FIGURES, progress)
    found = native.take_result(run.call("certify", settings, design.handle, run.watch))
    run.finish()
    return Separation(found.result, found.certificate, design)


# ---- Rows ----


class _File:
    """Rows of a file: their numbers and names are its own."""

    handle = positive = None
    numbers = "the decimals of the file"

    def name_of(self, name):
        return name

    def row_of(self, row):
        return row

    def absent(self, features):
        return ()

    def without_rows(self):
        return self


class _Rows:
    """Rows in memory as the library reads them.

    `origin`: the number in X of each row, or None for all; `names`: of the columns of a sparse matrix, else None.
    """

    def __init__(self, handle, positive, origin, names, of_model):
        self.handle, self.positive, self.of_model = handle, positive, of_model
        self.numbers = f"the shortest decimals of the numbers in {'exog' if of_model else 'X'}: 0.1 is 1/10"
        self._origin, self._names = origin, names
        self._name_of = dict(zip(map(str, range(1, len(names) + 1)), names)) if names is not None else {}

    def name_of(self, name):
        return self._name_of.get(name, name)

    def row_of(self, row):
        return row if self._origin is None else int(self._origin[row])

    def absent(self, features):
        """Returns the names of columns that LIBSVM text does not have: those behind the last that is not 0."""
        return self._names[features:] if self._names is not None else ()

    def without_rows(self):
        return _Rows(None, self.positive, self._origin, self._names, self.of_model)


def _design(X, y, intercept, sample_weight, names):
    """Returns the _Rows of arrays, a data frame or a model."""
    model = X if hasattr(X, "iloc") else getattr(X, "model", X)
    if not hasattr(model, "iloc") and hasattr(model, "exog") and hasattr(model, "endog"):
        if y is not None or sample_weight is not None or names is not None:
            raise usage_error("a model has its own response, weights and names", "leave y, sample_weight and names out")
        return _design_of_model(model)
    if hasattr(X, "predict") and not hasattr(X, "shape"):
        raise usage_error(f"{type(X).__name__} does not keep the rows it was fitted on", "give these: separation(X, y)")
    from . import _rows

    kept, origin, labels = _labelled(X, y, sample_weight)
    rows = _rows.as_rows(kept)
    _refuse_gaps(rows)
    classes = _rows.Classes(_rows.distinct(labels))
    if len(classes) != 2:
        raise usage_error(f"y has {len(classes)} class{'es' if len(classes) != 1 else ''}, and separation is of two",
                          "give the labels of two classes, of rows whose weight is above 0")
    struct = classes.struct(classes.encode(labels), None)
    sparse = isinstance(rows, _rows.Matrix) and rows.sparse
    own = _column_names(rows, names)
    return _Rows(rows.handle(struct, None if sparse else own), classes.names[1], origin, own if sparse else None, False)


def _labelled(X, y, sample_weight):
    """Returns the rows of X whose weight is not 0, their numbers in X (None for all), and their labels."""
    import numpy as np

    from . import _rows

    if not hasattr(X, "iloc") and hasattr(X, "__arrow_c_stream__"):
        raise TypeError("X is an Arrow table: give X.to_pandas()")
    if not hasattr(X, "shape"):
        X = np.asarray(X)
    if len(X.shape) != 2:
        raise ValueError(f"X has {len(X.shape)} dimensions, not 2: rows and columns")
    labels = _rows.label_array(y, X.shape[0], "separation")
    weights = _rows.row_weights(sample_weight, X.shape[0])
    if weights is None:
        return X, None, labels
    if not (np.isfinite(weights) & (weights >= 0)).all():
        raise data_error("a weight is negative, or not finite", "give weights from 0 on")
    origin = np.flatnonzero(weights)
    if hasattr(X, "iloc"):
        return X.iloc[origin], origin, labels[origin]
    return (X.tocsr() if hasattr(X, "tocsr") else X)[origin], origin, labels[origin]


def _column_names(rows, names):
    """Returns the names of the columns, or None where X is a table that has its own."""
    if rows.names is not None:
        if names is not None:
            raise usage_error("X has names of its own", "leave names out, or rename its columns")
        return rows.names
    if names is None:
        return [f"x{j}" for j in range(rows.columns)]
    names = list(map(str, names))
    if len(names) != rows.columns:
        raise usage_error(f"there are {len(names)} names for {rows.columns} columns", "give one a column")
    return names


def _refuse_gaps(rows):
    """Raises DataError for missing values and dates in a table, which would become columns of their own."""
    from . import _rows

    if not isinstance(rows, _rows.Table):
        return
    for name, use, values, _ in rows._columns:
        if use == native.DATE:
            raise data_error(f"column {name!r} holds dates", "make numbers of them, or drop the column")
        missing = values != values if use == native.NUMERIC else values < 0
        if missing.any():
            raise data_error(f"column {name!r} has missing values, the first in row {int(missing.argmax()) + 1}",
                             "drop these rows, as a fit does: X.dropna()")


# ---- Models of statsmodels ----


def _design_of_model(model):
    """Returns the _Rows of a binomial model: a row for its successes, and a row for its failures."""
    import numpy as np

    from . import _rows

    _check_family(model)
    exog, share = np.asarray(model.exog), np.asarray(model.endog, dtype=np.float64)
    if share.ndim != 1:
        raise usage_error(f"the response has {share.ndim} dimensions", "give a model of one response")
    kept = np.ones(len(share), bool)
    for weights in ("freq_weights", "var_weights", "n_trials"):
        given = getattr(model, weights, None)
        if given is not None:
            kept &= np.broadcast_to(np.asarray(given) > 0, kept.shape)
    if not ((share >= 0) & (share <= 1))[kept].all():
        raise data_error("the response is not between 0 and 1 in every row", "drop the rows without one")
    failures, successes = kept & (share < 1), kept & (share > 0)
    origin = np.concatenate([np.flatnonzero(failures), np.flatnonzero(successes)])
    numbers = np.concatenate([np.zeros(failures.sum(), np.int32), np.ones(successes.sum(), np.int32)])
    order = np.argsort(origin, kind="stable")
    origin, numbers = origin[order], np.ascontiguousarray(numbers[order])
    rows = _rows.Matrix(exog[origin] if len(origin) != len(exog) or (np.diff(origin) != 1).any() else exog)
    names = list(map(str, model.exog_names))
    classes = _rows.Classes(np.array([0, 1]))
    return _Rows(rows.handle(classes.struct(numbers, None), names), "1", origin, None, True)


def _check_family(model):
    """Raises UsageError unless separation decides which coefficients of the model's fit are infinite."""
    bases = {base.__name__ for base in type(model).__mro__}
    fix = "give X and y, if the answer for a logit link is wanted"
    if bases & {"PenalizedMixin", "MultinomialModel"} or not bases & {"Logit", "Probit", "GLM"}:
        raise usage_error(f"{type(model).__name__} is no binomial model fitted by maximum likelihood",
                          "give a Logit, a Probit, or a GLM with the family Binomial")
    if "GLM" not in bases:
        return
    family = type(model.family).__name__
    if family != "Binomial":
        raise usage_error(f"the family is {family}, not Binomial", fix)
    link = type(model.family.link).__name__
    if link.lower() not in _LINKS:
        raise usage_error(f"the link {link} does not map the probabilities onto the whole line: other data make its "
                          "coefficients infinite", fix)
