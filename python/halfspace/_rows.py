"""Arrays, sparse matrices, data frames and labels as the library reads them: borrowed where they lie."""

import warnings
from ctypes import byref

import numpy as np

from . import _native as native
from ._native import data_error

_FLOATS = {np.dtype(np.float64): 0, np.dtype(np.float32): 1}
_INTEGERS = {np.dtype(np.int32): 0, np.dtype(np.int64): 1}


def address(array):
    return array.__array_interface__["data"][0]


class Matrix:
    """X, checked: `rows` x `columns`, `names` of the columns or None, and the struct of C that borrows `keep`."""

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
        csr = X.tocsr()
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

    @property
    def sparse(self):
        return isinstance(self.struct, native.Sparse)

    def handle(self, labels=None, names=None):
        """Returns the library's rows. `labels`: struct of C and what it borrows; `names`: instead of X's own."""
        struct, kept = labels if labels is not None else (None, None)
        given = byref(struct) if struct is not None else None
        keep = (self.keep, struct, kept)
        if self.sparse:
            return native.new("rows", "rows_sparse", byref(self.struct), given, keep=keep)
        names = self.names if names is None else names
        label = "y"
        while names is not None and label in names:
            label += "_"
        return native.new("rows", "rows_dense", byref(self.struct), given, native.c_names(names), label.encode(),
                          keep=keep)


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
    for name, dtype in zip(frame.columns, frame.dtypes):
        if getattr(dtype, "kind", "O") not in "biuf":
            if getattr(dtype, "kind", "O") == "O" and str(dtype) == "object":
                continue  # numbers may be objects
            raise data_error(f"column {name!r} is {dtype}, not numbers",
                             "encode it, say by OneHotEncoder, or fit the file that it came from")
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
    try:
        return array.astype(np.float64)
    except (TypeError, ValueError) as error:
        _refuse_object(array, error)


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
        if label is None or label != label:
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
                             address(weights) if weights is not None else None), (numbers, weights, self._c_names)


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


def with_class_weights(weights, class_weight, classes, numbers):
    """Returns the weights of rows times those of their classes: a dict by label, or "balanced"."""
    if class_weight is None:
        return weights
    if isinstance(class_weight, str):
        if class_weight != "balanced":
            raise ValueError(f"class_weight is {class_weight!r}; it is a dict, 'balanced' or None")
        counts = np.bincount(numbers, minlength=len(classes))
        factors = len(numbers) / (len(classes) * np.maximum(counts, 1))
    else:
        factors = np.ones(len(classes))
        for label, factor in dict(class_weight).items():
            if label not in classes.number_of:
                raise ValueError(f"class_weight names {label!r}, which is not one of the classes {classes.names}")
            factors[classes.number_of[label]] = factor
    own = np.ascontiguousarray(factors[numbers], dtype=np.float64)
    return own if weights is None else weights * own
