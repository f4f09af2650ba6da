"""Arrays, sparse matrices, data frames and labels as the library reads them: borrowed where they lie."""

import ctypes
import numbers
import warnings
from collections.abc import Iterator, Mapping
from ctypes import byref

try:
    import numpy as np
except ModuleNotFoundError:
    from halfspace import _INSTALL_NUMPY

    raise ImportError(f"rows in memory need numpy: {_INSTALL_NUMPY}", name="numpy") from None

from . import _native as native
from ._native import data_error

_FLOATS = {np.dtype(np.float64): 0, np.dtype(np.float32): 1}
_INTEGERS = {np.dtype(np.int32): 0, np.dtype(np.int64): 1}


def address(array):
    return array.__array_interface__["data"][0]


def _compressed(X):
    """Returns a sparse matrix in compressed rows. scipy converts without checks: it gets what no other thread writes."""
    form = getattr(X, "format", "csr")
    if form in ("csc", "bsr"):
        X = X.copy()
        X.check_format()
    elif form == "coo":
        X = X.copy()
        if X.nnz and not all(0 <= at.min() and at.max() < size for at, size in zip((X.row, X.col), X.shape)):
            raise data_error("an entry of the sparse matrix is outside of it", "make it anew from its entries")
    return X.tocsr()


def as_rows(X, kind=None, names=None):
    """Returns X as the library's rows: a Matrix or a Table.

    `kind`: of the rows that a model was fitted on, None in fit(); `names`: of its columns, for an array that has none.
    """
    if hasattr(X, "tocsr") or (type(X) is np.ndarray and kind != "table"):
        return Matrix(X)
    if isinstance(X, (list, tuple)) and X and isinstance(X[0], Mapping) or isinstance(X, Iterator):
        return Table(_columns_of_dicts(X))
    if hasattr(X, "iloc") and hasattr(X, "to_frame") and getattr(X.dtype, "kind", "O") not in "biufc":
        X = X.to_frame(X.name if isinstance(X.name, str) else "text")  # a column
    is_frame = hasattr(X, "columns") and hasattr(X, "iloc")
    if not is_frame and hasattr(X, "__arrow_c_stream__"):
        return ArrowTable(X)
    if is_frame and column_names(X) is not None and (kind in ("table", "file") or (kind is None and has_gaps_or_texts(X))):
        return Table(_columns_of_frame(X), _notes_on_types(X))
    if kind == "table" and not is_frame and names is not None:
        array = _numbers(X)
        if array.ndim != 2:
            _refuse_dimensions(array)
        _check_shape(array.shape)
        table = Table([(name, native.NUMERIC, array[:, j], None) for j, name in enumerate(names[:array.shape[1]])])
        table.names, table.columns = None, array.shape[1]
        return table
    return Matrix(X)


def free_name(name, names):
    """Returns a name that no column has."""
    while names is not None and name in names:
        name += "_"
    return name


class Matrix:
    """Numbers, all there: `rows` x `columns`, `names` of the columns or None, and the struct that borrows `keep`."""

    __slots__ = ("rows", "columns", "names", "struct", "keep")

    def __init__(self, X):
        self.names = None
        if hasattr(X, "tocsr"):
            self._take_sparse(X)
            return
        if hasattr(X, "columns") and hasattr(X, "to_numpy"):
            self.names = column_names(X)
            X = _frame_values(X)
        self._take_dense(X if type(X) is np.ndarray and X.dtype in _FLOATS else _numbers(X))

    def _take_dense(self, array):
        if array.ndim != 2:
            _refuse_dimensions(array)
        _check_shape(array.shape)
        rows, columns = array.shape
        size = array.itemsize
        row_stride, column_stride = array.strides
        if array.flags.c_contiguous:
            row_stride = column_stride = 0
        elif row_stride % size or column_stride % size or not row_stride or not column_stride or \
                not array.flags.aligned:
            array = np.array(array, order="C")
            row_stride = column_stride = 0
        self.rows, self.columns, self.keep = rows, columns, array
        self.struct = native.Dense(address(array), _FLOATS[array.dtype], rows, columns, row_stride // size,
                                   column_stride // size)

    def _take_sparse(self, X):
        if X.dtype.kind == "c":
            raise ValueError("Complex data not supported")
        _check_shape(X.shape)
        rows, columns = X.shape
        csr = _compressed(X)
        data = csr.data if csr.data.dtype in _FLOATS else _numbers(csr.data)
        indices, offsets = (a if a.dtype in _INTEGERS else a.astype(np.int64) for a in (csr.indices, csr.indptr))
        data, indices, offsets = (np.require(a, requirements=["C", "A"]) for a in (data, indices, offsets))
        stored = int(offsets[-1]) if len(offsets) else -1
        if len(offsets) != rows + 1 or not 0 <= stored <= min(len(data), len(indices)):
            raise data_error(f"the sparse matrix has {len(offsets)} offsets up to {stored} for {rows} rows, "
                             f"{len(indices)} indices and {len(data)} values", "make it anew from its entries")
        self.rows, self.columns, self.keep = rows, columns, (data, indices, offsets)
        self.struct = native.Sparse(address(data), address(indices), address(offsets), _FLOATS[data.dtype],
                                    _INTEGERS[indices.dtype], _INTEGERS[offsets.dtype], stored, rows, columns)

    def dense(self):
        """Returns the rows of a sparse matrix as those of an array. Raises DataError for what would not fit there."""
        from scipy.sparse import csr_matrix

        data = self.keep[0]
        indices, offsets = (a.copy() for a in self.keep[1:])  # another thread may write into X after the check
        lengths = np.diff(offsets)
        if offsets[0] != 0 or (lengths < 0).any() or offsets[-1] > min(len(data), len(indices)):
            raise data_error("the offsets of the sparse matrix do not ascend from 0", "make it anew from its entries")
        outside = (indices < 0) | (indices >= self.columns)
        if outside.any():
            row = int(np.searchsorted(offsets, outside.argmax(), side="right"))
            raise data_error(f"row {row}: a column number is not below the {self.columns} columns",
                             "make the sparse matrix anew from its entries")
        return Matrix(csr_matrix((data, indices, offsets), shape=(self.rows, self.columns)).toarray())

    @property
    def sparse(self):
        return isinstance(self.struct, native.Sparse)

    @property
    def kind(self):
        return "sparse" if self.sparse else "dense"

    def handle(self, labels=None, names=None):
        """Returns the library's rows. `labels`: struct of C and what it borrows; `names`: instead of X's own."""
        struct, kept = labels if labels is not None else (None, None)
        given = byref(struct) if struct is not None else None
        keep = (self.keep, struct, kept)
        if self.sparse:
            return native.new("rows", "rows_sparse", byref(self.struct), given, keep=keep)
        names = self.names if names is None else names
        return native.new("rows", "rows_dense", byref(self.struct), given, native.c_names(names),
                          free_name("y", names).encode(), keep=keep)


class Table:
    """Columns of numbers, categories, texts and dates, with gaps: (name, use, values, texts), values by C's rules.

    `notes`: (text, fix) of types that are read otherwise than the same table in CSV.
    """

    kind = "table"
    sparse = False

    def __init__(self, columns, notes=()):
        _check_shape((len(columns[0][2]) if columns else 0, len(columns)))
        self.names = [name for name, *_ in columns]
        self.columns = len(columns)
        self.rows = len(columns[0][2])
        self._columns, self._notes = columns, notes

    def handle(self, labels=None, names=None):
        """Returns the library's rows, with these labels and what they borrow."""
        struct, kept = labels if labels is not None else (None, None)
        columns, keep = (native.Column * len(self._columns))(), [struct, kept]
        for column, (name, use, values, texts) in zip(columns, self._columns):
            if values.dtype not in _FLOATS and use == native.NUMERIC:
                values = values.astype(np.float64)
            if not values.flags.aligned or values.strides[0] % values.itemsize or \
                    (use != native.NUMERIC and not values.flags.c_contiguous):
                values = np.array(values)
            pointers = native.c_names(texts)
            keep += [values, pointers]
            column.name, column.use, column.values = native.c_text(name), use, address(values)
            column.value_type = _FLOATS.get(values.dtype, 0)
            column.stride = values.strides[0] // values.itemsize
            column.texts, column.texts_count = pointers, len(texts or ())
        rows = native.new("rows", "rows_table", columns, len(columns), self.rows,
                          byref(struct) if struct is not None else None,
                          free_name("y", [name for name, *_ in self._columns]).encode(), keep=keep)
        rows.notes = self._notes
        return rows


class ArrowTable:
    """A table that exports Arrow's C stream: read in place, with its own types."""

    kind = "table"
    sparse = False

    def __init__(self, X):
        capsule = X.__arrow_c_stream__()
        take = ctypes.pythonapi.PyCapsule_GetPointer
        take.restype, take.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
        self._handle = native.new("rows", "rows_arrow", take(capsule, b"arrow_array_stream"))
        self.rows = native.lib["rows_count"](self._handle)
        self.columns = native.lib["rows_columns"](self._handle)
        self.names = [native.lib["rows_column_name"](self._handle, j).decode() for j in range(self.columns)]

    def handle(self, labels=None, names=None):
        """Returns the library's rows, with these labels and what they borrow."""
        if labels is not None:
            struct, self._handle.keep = labels[0], labels
            native.call("rows_set_labels", self._handle, byref(struct), free_name("y", self.names).encode())
        return self._handle


# ---- Columns of tables ----


def has_gaps_or_texts(frame):
    """Tells whether a data frame has missing values, or columns that are not numbers."""
    for at, dtype in enumerate(frame.dtypes):
        column = frame.iloc[:, at]
        is_numeric = getattr(dtype, "kind", "O") in "biuf" and str(dtype) != "category"
        if column.isna().any() or not (is_numeric or _holds_numbers(column)):
            return True
    return False


def _holds_numbers(column):
    """Tells whether a column of objects holds nothing but numbers and gaps."""
    return str(column.dtype) == "object" and all(isinstance(x, numbers.Real) and not isinstance(x, bool)
                                                 for x in column.dropna())


def _columns_of_frame(frame):
    return [_column_of_series(name, frame.iloc[:, at]) for at, name in enumerate(frame.columns)]


def _column_of_series(name, series):
    dtype, kind = series.dtype, getattr(series.dtype, "kind", "O")
    if str(dtype) == "category":
        return name, native.CATEGORICAL, np.asarray(series.cat.codes, dtype=np.int32), texts_of(series.cat.categories)
    if kind == "c":
        raise ValueError("Complex data not supported")
    if kind in "biuf":
        if dtype in _FLOATS:
            return name, native.NUMERIC, series.to_numpy(), None
        if isinstance(dtype, np.dtype):
            _warn_of_inexact(series, repr(name))
        return name, native.NUMERIC, series.to_numpy(dtype=np.float64, na_value=np.nan), None
    if kind == "M":
        codes, found = series.factorize()
        has_time = any(when != when.normalize() for when in found)
        texts = [when.strftime("%Y-%m-%d %H:%M:%S" if has_time else "%Y-%m-%d") for when in found]
        return name, native.DATE, codes.astype(np.int32), texts
    if (kind != "O" and str(dtype) != "string") or str(dtype).startswith("period"):
        raise data_error(f"column {name!r} is {dtype}, which is no number, text or date", "convert or drop the column")
    if _holds_numbers(series):
        return name, native.NUMERIC, series.to_numpy(dtype=np.float64, na_value=np.nan), None
    texts = series.map(lambda cell: str(cell).strip(" \t"), na_action="ignore").astype(object)
    codes, found = texts.factorize()
    return name, native.INFERRED, codes.astype(np.int32), list(found)


def _notes_on_types(frame):
    """Returns notes on columns whose types decide what CSV would not: (text, fix)."""
    found = {"bools": [], "dates": [], "categories of numbers": []}
    for name, dtype in zip(frame.columns, frame.dtypes):
        kind = getattr(dtype, "kind", "O")
        if str(dtype) == "category":
            if len(dtype.categories) and getattr(dtype.categories.dtype, "kind", "O") in "iuf":
                found["categories of numbers"].append(name)
        elif kind in "bM":
            found["bools" if kind == "b" else "dates"].append(name)
    reads = {"bools": "1 and 0", "dates": "year, month, day and weekday", "categories of numbers": "a feature each"}
    return [(f"the type of {', '.join(map(repr, names))} makes {what}: they are read as {reads[what]}",
             f"X.astype(dict.fromkeys({names}, {'float' if what == 'categories of numbers' else 'str'})) reads them as "
             "those of a CSV file")
            for what, names in found.items() if names]


def texts_of(categories):
    """Returns categories as texts. Raises DataError where two would be the same."""
    texts = [str(category) for category in categories]
    if len(set(texts)) < len(texts):
        twice = next(text for text in texts if texts.count(text) > 1)
        raise data_error(f"two categories are both written {twice!r}", "convert the column to texts")
    return texts


def _columns_of_dicts(rows):
    """Returns the columns of rows that are dicts: numbers, or texts; what a row does not have is missing."""
    rows = list(rows)
    if not rows:
        _check_shape((0, 0))
    cells = {}
    for at, row in enumerate(rows):
        if not isinstance(row, Mapping):
            raise TypeError(f"row {at + 1} is {type(row).__name__}, not a dict of features")
        for name, value in row.items():
            if not isinstance(name, str):
                raise TypeError(f"row {at + 1} has the feature {name!r}, which is not named by a str")
            cells.setdefault(name, [None] * len(rows))[at] = value
    return [_column_of_cells(name, values) for name, values in cells.items()]


def _column_of_cells(name, values):
    texts = {}
    if not any(isinstance(value, str) for value in values):
        try:
            return name, native.NUMERIC, np.array([np.nan if v is None else float(v) for v in values]), None
        except (TypeError, ValueError):
            raise data_error(f"feature {name!r} holds values that are no numbers and no texts",
                             "give numbers or str") from None
    codes = [-1 if v is None or v != v else texts.setdefault(str(v), len(texts)) for v in values]
    return name, native.INFERRED, np.array(codes, dtype=np.int32), list(texts)


def column_names(X):
    """Returns the names of a data frame's columns if all are texts; None where there are none."""
    if not hasattr(X, "columns"):
        return None
    names = list(X.columns)
    texts = [isinstance(name, str) for name in names]
    if all(texts):
        return names or None
    if any(texts):
        kinds = sorted({type(name).__name__ for name in names})
        raise TypeError("Feature names are only supported if all input features have string names, but your input has "
                        f"{kinds} as feature name / column name types. If you want feature names to be stored and "
                        "validated, you must convert them all to strings, by using X.columns = "
                        "X.columns.astype(str) for example.")
    return None


def _frame_values(frame):
    for at, (name, dtype) in enumerate(zip(frame.columns, frame.dtypes)):
        if getattr(dtype, "kind", "O") not in "biuf":
            if getattr(dtype, "kind", "O") == "O" and str(dtype) == "object":
                continue  # numbers may be objects
            raise data_error(f"column {name!r} is {dtype}, not numbers",
                             "encode it, say by OneHotEncoder, or fit the file that it came from")
        elif isinstance(dtype, np.dtype):
            _warn_of_inexact(frame.iloc[:, at], repr(name))
    if len(set(frame.dtypes)) == 1 and frame.dtypes.iloc[0] in _FLOATS:
        return frame.to_numpy()
    try:
        return frame.to_numpy(dtype=np.float64, na_value=np.nan)
    except (TypeError, ValueError):
        return _numbers(frame.to_numpy(dtype=object))


def _numbers(X):
    """Returns an array of float64 or float32."""
    if isinstance(X, np.ma.MaskedArray) and np.ma.is_masked(X):
        raise data_error("X has masked values", "fill them in: X.filled(...)")
    array = np.asarray(X)
    if array.dtype.kind == "c":
        raise ValueError("Complex data not supported")
    if array.dtype.kind not in "biufO":
        raise data_error(f"X holds {array.dtype}, not numbers", "encode it, or fit the file that it came from")
    if array.dtype in _FLOATS:
        return array
    _warn_of_inexact(array, "X")
    try:
        return array.astype(np.float64)
    except (TypeError, ValueError) as error:
        _refuse_object(array, error)


def _warn_of_inexact(values, what):
    """Warns of integers that doubles do not tell apart, as the readers of files do."""
    if values.dtype.kind in "iu" and values.dtype.itemsize == 8 and values.size:
        if max(-int(values.min()), int(values.max())) > 2**53:
            warnings.warn(f"{what} has whole numbers above 2^53, read as the nearest ones that a double holds: different "
                          "ones may become equal", native.HalfspaceWarning, stacklevel=2)


def _refuse_object(array, error):
    """Raises the error again with the first cell that is no number."""
    for cell in np.ndindex(array.shape):
        try:
            float(array[cell])
        except (TypeError, ValueError) as reason:
            where = ", ".join(f"{axis} {at + 1}" for axis, at in zip(("row", "column"), cell))
            raise type(reason)(f"X, {where}: {reason}") from None
    raise error


def _refuse_dimensions(array):
    if array.ndim < 2:
        raise ValueError(f"Expected 2D array, got {('scalar', '1D')[array.ndim]} array instead. Reshape your data "
                         "either using array.reshape(-1, 1) if your data has a single feature or array.reshape(1, -1) "
                         "if it contains a single sample.")
    raise ValueError(f"Found array with dim {array.ndim}. X must have 2 dimensions: rows and columns.")


def _check_shape(shape):
    if len(shape) != 2:
        raise ValueError(f"X has {len(shape)} dimensions. X must have 2: rows and columns.")
    for count, what in zip(shape, ("sample", "feature")):
        if count == 0:
            raise ValueError(f"Found array with 0 {what}(s) (shape={tuple(shape)}) while a minimum of 1 is required.")


# ---- Labels ----


def label_array(y, rows, owner):
    """Returns y as an array of one dimension with a label a row."""
    if y is None:
        raise ValueError(f"{owner} requires y to be passed, but the target y is None.")
    array = as_labels(y)
    if array.ndim == 2 and array.shape[1] == 1:
        warnings.warn("A column-vector y was passed when a 1d array was expected. Please change the shape of y to "
                      "(n_samples, ), for example using ravel().", _conversion_warning(), stacklevel=4)
        array = array.ravel()
    if array.ndim != 1:
        raise ValueError(f"y should be a 1d array, got an array of shape {array.shape} instead.")
    if len(array) != rows:
        raise ValueError(f"Found input variables with inconsistent numbers of samples: [{rows}, {len(array)}]")
    if array.dtype.kind in "mM" and np.isnat(array).any():
        raise ValueError(f"Input y contains NaT, in row {int(np.argmax(np.isnat(array))) + 1}.")
    if array.dtype.kind == "f":
        if not np.isfinite(array).all():
            bad = int(np.argmin(np.isfinite(array)))
            raise ValueError(f"Input y contains {'NaN' if np.isnan(array[bad]) else 'infinity'}, in row {bad + 1}.")
        if rows and (array != np.floor(array)).any():
            raise ValueError("Unknown label type: continuous. Labels are classes: integers, texts, any hashable value.")
    return array


def as_labels(y):
    """Returns an array of labels. numpy alone would make 1 and "one" two texts, and of tuples a second dimension."""
    if isinstance(y, (list, tuple)):
        kinds = {type(label) for label in y}
        if kinds & {tuple, frozenset} or (str in kinds and len(kinds) > 1):
            array = np.empty(len(y), dtype=object)
            array[:] = y
            return array
    return np.asarray(y)


def _conversion_warning():
    try:
        from sklearn.exceptions import DataConversionWarning
    except ImportError:
        return UserWarning
    return DataConversionWarning


def distinct(labels):
    """Returns the classes of an array of labels, sorted where they can be compared."""
    if labels.dtype.kind != "O":
        return np.unique(labels)
    found = {}
    for row, label in enumerate(labels.tolist()):
        if label is None or type(label).__name__ in ("NAType", "NaTType") or label != label:
            raise ValueError(f"y has no label in row {row + 1}: {label!r}. Input y contains NaN or None.")
        try:
            found.setdefault(label)
        except TypeError:
            raise TypeError(f"the label in row {row + 1} of y is not hashable: {label!r}") from None
    try:
        ordered = sorted(found)
    except TypeError:
        ordered = sorted(found, key=lambda label: (type(label).__name__, str(label)))
    classes = np.empty(len(ordered), dtype=object)
    classes[:] = ordered
    return classes


class Classes:
    """Labels to numbers and back: number k is `values[k]`, and the library calls it `names[k]`."""

    def __init__(self, values):
        self.values = values
        labels = values.tolist()
        self.names = [str(label) for label in labels]
        self.number_of = {label: k for k, label in enumerate(labels)}
        self._c_names = native.c_names(self.names)

    def __reduce__(self):
        return Classes, (self.values,)

    def __len__(self):
        return len(self.names)

    def encode(self, labels):
        """Returns the numbers of labels as int32. Raises DataError, naming the row, for one that is no class."""
        if len(labels) > 32 and labels.dtype.kind in "biufSU" and self.values.dtype.kind == labels.dtype.kind:
            numbers = np.searchsorted(self.values, labels)
            numbers[numbers == len(self)] = 0
            if (self.values[numbers] == labels).all():
                return numbers.astype(np.int32)
        number_of, numbers = self.number_of, []
        for row, label in enumerate(labels.tolist()):
            number = number_of.get(label)
            if number is None:
                raise data_error(f"the label {label!r} in row {row + 1} of y is not one of the classes {self.names}",
                                 "name all classes at the first partial_fit")
            numbers.append(number)
        return np.array(numbers, dtype=np.int32)

    def struct(self, numbers, weights):
        """Returns the labels of C and what they borrow."""
        return native.Labels(address(numbers) if numbers is not None else None, self._c_names, len(self),
                             address(weights) if weights is not None else None,
                             self.values.dtype.kind in "iuf"), (numbers, weights, self._c_names)


def row_weights(sample_weight, rows):
    """Returns a weight a row as float64, or None for all 1."""
    if sample_weight is None:
        return None
    weights = np.asarray(sample_weight, dtype=np.float64)
    if weights.ndim == 0:
        return np.full(rows, float(weights))
    weights = np.ascontiguousarray(weights)
    if weights.ndim != 1:
        raise ValueError("Sample weights must be 1D array or scalar")
    if len(weights) != rows:
        raise ValueError(f"sample_weight.shape == {weights.shape}, expected {(rows,)}!")
    return weights


def refuse_zero(weights):
    """Returns the weights of rows, of which one at least is above 0."""
    if weights is not None and not weights.any():
        raise data_error("every row has weight zero", "give rows to learn from a weight above it")
    return weights


def with_class_weights(weights, class_weight, classes, numbers, by_weight=False):
    """Returns the weights of rows times those of their classes: a dict by label, or "balanced".

    `by_weight`: "balanced" counts a row as often as its weight says.
    """
    if class_weight is None:
        return weights
    if isinstance(class_weight, str):
        if class_weight != "balanced":
            raise ValueError(f"class_weight is {class_weight!r}; it is a dict, 'balanced' or None")
        counts = np.bincount(numbers, weights if by_weight else None, minlength=len(classes))
        factors = counts.sum() / (len(classes) * np.where(counts > 0, counts, 1))
    elif not isinstance(class_weight, Mapping):
        raise TypeError(f"class_weight is a {type(class_weight).__name__}; give a dict of label to weight, or "
                        "'balanced'")
    else:
        factors = np.ones(len(classes))
        for label, factor in class_weight.items():
            if label not in classes.number_of:
                raise ValueError(f"class_weight names {label!r}, which is not one of the classes {classes.names}")
            factors[classes.number_of[label]] = factor
    own = np.ascontiguousarray(factors[numbers], dtype=np.float64)
    return own if weights is None else weights * own
