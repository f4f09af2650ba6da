"""The C interface, include/halfspace_c.h: its functions, its errors as exceptions, calls that Ctrl-C ends."""

import _thread
import ctypes
import json
import os
import threading
import warnings
from collections import namedtuple
from ctypes import POINTER, byref, c_char_p, c_double, c_int, c_int32, c_int64, c_size_t, c_uint32, c_uint64, c_void_p

from ._keywords import instead
from ._progress import Progress, bar

HERE = os.path.dirname(os.path.abspath(__file__))

# ---- Errors ----


class HalfspaceError(Exception):
    """An error of the library.

    Attributes
    ----------
    kind : int
        The code of halfspace_c.h, which is the exit status of the command.
    message : str
        What is wrong.
    file : str or None
        The file it is about.
    line, column : int
        Line and byte in the file, from 1; 0 where there is none.
    fix : str or None
        What to do about it.
    """

    def __init__(self, kind, message, file=None, line=0, column=0, fix=None):
        super().__init__(kind, message, file, line, column, fix)
        self.kind, self.message, self.file = kind, message, file
        self.line, self.column, self.fix = line, column, fix

    def __str__(self):
        place = [str(part) for part in (self.file, self.line, self.column) if part]
        where = ":".join(place) + ": " if place else ""
        return where + self.message + (f"; {self.fix}" if self.fix else "")


class UsageError(HalfspaceError, ValueError):
    """An option or an argument is invalid."""


class DataError(HalfspaceError, ValueError):
    """The input is wrong: a row, a model, a certificate."""


class NoInputError(HalfspaceError, FileNotFoundError):
    """The input is not there or may not be read."""


class InternalError(HalfspaceError, RuntimeError):
    """A bug of the library."""


class NoMemoryError(HalfspaceError, MemoryError):
    """Memory ran out."""


class InputOutputError(HalfspaceError, OSError):
    """The machine failed: disk full, read error."""


class InterruptedRunError(HalfspaceError):
    """The run was stopped before there was any result."""


class HalfspaceWarning(UserWarning):
    """Training probably goes wrong: what a grave note of the library says, and what to do about it."""


USAGE, DATA, NO_INPUT, INTERNAL = 2, 65, 66, 70
_EXCEPTIONS = {USAGE: UsageError, DATA: DataError, NO_INPUT: NoInputError, INTERNAL: InternalError, 71: NoMemoryError,
               74: InputOutputError, 130: InterruptedRunError}


def error_class(kind):
    """Returns the class of the errors of a kind."""
    return _EXCEPTIONS.get(kind, HalfspaceError)


def usage_error(message, fix=None):
    return UsageError(USAGE, message, fix=fix)


def data_error(message, fix=None):
    return DataError(DATA, message, fix=fix)


# ---- Structs ----


class Error(ctypes.Structure):
    _fields_ = [("kind", c_int32), ("line", c_uint64), ("column", c_uint64), ("message", c_char_p),
                ("file", c_char_p), ("text", c_char_p), ("fix", c_char_p)]


class Dense(ctypes.Structure):
    _fields_ = [("values", c_void_p), ("value_type", c_int32), ("rows", c_uint64), ("columns", c_uint32),
                ("row_stride", c_int64), ("column_stride", c_int64)]


class Sparse(ctypes.Structure):
    _fields_ = [("values", c_void_p), ("indices", c_void_p), ("offsets", c_void_p), ("value_type", c_int32),
                ("index_type", c_int32), ("offset_type", c_int32), ("stored", c_uint64), ("rows", c_uint64),
                ("columns", c_uint32)]


class Labels(ctypes.Structure):
    _fields_ = [("classes", c_void_p), ("names", POINTER(c_char_p)), ("names_count", c_size_t),
                ("weights", c_void_p), ("are_numbers", c_int32)]


class Column(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("use", c_int32), ("values", c_void_p), ("value_type", c_int32),
                ("stride", c_int64), ("texts", POINTER(c_char_p)), ("texts_count", c_size_t)]


NUMERIC, CATEGORICAL, DATE, INFERRED = 0, 1, 2, 3

_OnNote = ctypes.CFUNCTYPE(None, c_void_p, c_char_p, c_char_p)


class ProgressNow(ctypes.Structure):
    _fields_ = [("stage", c_char_p), ("share", c_double), ("rounds", c_uint64), ("mistakes", c_uint64),
                ("lower", c_double), ("upper", c_double), ("errors", c_double), ("weight", c_double)]


_OnProgress = ctypes.CFUNCTYPE(None, c_void_p, POINTER(ProgressNow))
NO_FIGURES, CURVES, ALL_FIGURES = 0, 1, 2


class Watch(ctypes.Structure):
    _fields_ = [("context", c_void_p), ("on_note", _OnNote), ("on_progress", _OnProgress), ("stop", c_void_p),
                ("figures", c_int32)]


class Predictions(ctypes.Structure):
    _fields_ = [("rows", c_uint64), ("classes", POINTER(c_int32)), ("scores", POINTER(c_double)),
                ("probabilities", POINTER(c_double))]


OnPredictions = ctypes.CFUNCTYPE(None, c_void_p, POINTER(Predictions))


class Linear(ctypes.Structure):
    _fields_ = [("weights", c_void_p), ("biases", c_void_p), ("vectors", c_uint32), ("features", c_uint32),
                ("classes", POINTER(c_char_p)), ("classes_count", c_size_t), ("columns", POINTER(c_char_p)),
                ("label", c_char_p), ("sparse", c_int32), ("probabilities", c_int32)]


SCORES_ONLY, LOGISTIC, SOFTMAX = 0, 1, 2

# ---- Functions ----

_errors, _names, _handle = POINTER(Error), POINTER(c_char_p), c_void_p
# Result and arguments, by name without "halfspace_".
_FUNCTIONS = {
    "c_version": (c_uint32, []),
    "version": (c_char_p, []),
    "error_clear": (None, [_errors]),
    "free": (None, [c_void_p]),
    "describe": (c_void_p, [c_char_p, _errors]),
    "settings_new": (_handle, [c_char_p, _errors]),
    "settings_free": (None, [_handle]),
    "settings_set": (c_int, [_handle, c_char_p, c_char_p, _errors]),
    "settings_add_path": (c_int, [_handle, c_char_p, _errors]),
    "rows_dense": (_handle, [POINTER(Dense), POINTER(Labels), _names, c_char_p, _errors]),
    "rows_sparse": (_handle, [POINTER(Sparse), POINTER(Labels), _errors]),
    "rows_table": (_handle, [POINTER(Column), c_size_t, c_uint64, POINTER(Labels), c_char_p, _errors]),
    "rows_arrow": (_handle, [c_void_p, _errors]),
    "rows_set_labels": (c_int, [_handle, POINTER(Labels), c_char_p, _errors]),
    "rows_count": (c_uint64, [_handle]),
    "rows_columns": (c_uint32, [_handle]),
    "rows_column_name": (c_char_p, [_handle, c_uint32]),
    "rows_free": (None, [_handle]),
    "rows_write": (c_int, [_handle, c_char_p, _errors]),
    "result_free": (None, [_handle]),
    "result_json": (c_void_p, [_handle, _errors]),
    "result_text": (c_void_p, [_handle, _errors]),
    "result_certificate": (c_void_p, [_handle, _errors]),
    "result_separation": (c_void_p, [_handle]),
    "result_status": (c_int, [_handle]),
    "page": (c_void_p, [c_char_p, _errors]),
    "stop_new": (_handle, [_errors]),
    "stop_free": (None, [_handle]),
    "stop_set": (None, [_handle]),
    "train": (c_int, [_handle, _handle, _handle, POINTER(Watch), POINTER(_handle), POINTER(_handle), _errors]),
    "trainer_new": (_handle, [_handle, _handle, _handle, _errors]),
    "trainer_new_named": (_handle, [_handle, POINTER(Labels), _errors]),
    "trainer_free": (None, [_handle]),
    "trainer_add_feature": (c_int, [_handle, c_char_p, POINTER(c_uint32), _errors]),
    "trainer_learn": (c_int, [_handle, _handle, _errors]),
    "trainer_learn_row": (c_int, [_handle, c_size_t, c_void_p, c_void_p, c_int32, c_double, _errors]),
    "trainer_model": (_handle, [_handle, _errors]),
    "model_load": (_handle, [c_char_p, _errors]),
    "model_decode": (_handle, [c_char_p, c_size_t, _errors]),
    "model_free": (None, [_handle]),
    "model_save": (c_int, [_handle, c_char_p, _errors]),
    "model_encode": (c_void_p, [_handle, POINTER(c_size_t), _errors]),
    "model_describe": (c_void_p, [_handle, _errors]),
    "model_classes": (c_uint32, [_handle]),
    "model_features": (c_uint32, [_handle]),
    "model_vectors": (c_uint32, [_handle]),
    "model_class_name": (c_char_p, [_handle, c_uint32]),
    "model_weights": (c_int, [_handle, c_void_p, c_void_p, _errors]),
    "certain_digits": (c_int, [c_void_p, c_size_t, c_double, c_void_p, _errors]),
    "predictor_new": (_handle, [_handle, _errors]),
    "predictor_free": (None, [_handle]),
    "predict": (c_int, [_handle, _handle, c_void_p, c_void_p, c_void_p, _errors]),
    "predict_row": (c_int, [_handle, c_size_t, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p, _errors]),
    "score_row": (c_int, [_handle, c_size_t, c_void_p, c_void_p, c_void_p, _errors]),
    "model_sets": (c_int, [_handle, c_double, c_int32, c_void_p, c_uint64, c_void_p, _errors]),
    "predict_files": (c_int, [_handle, _handle, c_int32, OnPredictions, c_void_p, POINTER(Watch), _errors]),
    "model_linear": (_handle, [POINTER(Linear), _errors]),
    "model_export": (c_void_p, [_handle, c_char_p, POINTER(c_size_t), _errors]),
    "model_sql": (c_void_p, [_handle, c_char_p, c_char_p, c_char_p, c_void_p, c_size_t, c_int32, _errors]),
    "model_c_source": (c_void_p, [_handle, c_char_p, _errors]),
    "model_check_linear": (c_int, [_handle, _errors]),
    "evaluate": (_handle, [_handle, _handle, _handle, POINTER(Watch), _errors]),
    "explain": (_handle, [_handle, _handle, _handle, POINTER(Watch), _errors]),
    "compare": (_handle, [_handle, _handle, POINTER(c_void_p), _names, c_size_t, POINTER(Watch), _errors]),
    "run": (_handle, [_handle, POINTER(Watch), _errors]),
    # Jobs
    "job_new": (_handle, [c_void_p, _handle, _errors]),
    "job_load": (_handle, [c_char_p, c_size_t, _errors]),
    "job_free": (None, [_handle]),
    "job_save": (c_void_p, [_handle, POINTER(c_size_t), _errors]),
    "job_tasks": (c_int, [_handle, c_void_p, POINTER(c_size_t), _errors]),
    "job_shared": (c_void_p, [_handle, POINTER(c_size_t), _errors]),
    "job_take": (c_int, [_handle, c_uint64, c_char_p, c_size_t, c_void_p, _errors]),
    "job_epoch": (c_uint64, [_handle]),
    "forget_rows": (None, []),
    "job_notes": (c_void_p, [_handle, _errors]),
    "job_model": (_handle, [_handle, _errors]),
    "job_json": (c_void_p, [_handle, _errors]),
    "job_certificate": (c_void_p, [_handle, _errors]),
    "job_take_lines": (c_void_p, [_handle, _errors]),
    "run_task": (c_void_p, [c_char_p, c_size_t, c_char_p, c_size_t, c_void_p, c_size_t, POINTER(c_size_t), _errors]),
    "certify": (_handle, [_handle, _handle, POINTER(Watch), _errors]),
    "certify_minimum": (_handle, [_handle, _handle, POINTER(Watch), _errors]),
    "verify": (_handle, [c_char_p, _names, c_size_t, _errors]),
    # Bandits
    "bandit_new": (_handle, [_handle, c_uint64, _errors]),
    "bandit_decode": (_handle, [c_char_p, c_size_t, _errors]),
    "bandit_free": (None, [_handle]),
    "bandit_ask": (c_int, [_handle, POINTER(c_uint64), POINTER(c_uint32), POINTER(c_double), _errors]),
    "bandit_tell": (c_int, [_handle, c_uint64, c_double, _errors]),
    "bandit_distribution": (c_int, [_handle, c_void_p, _errors]),
    "bandit_describe": (c_void_p, [_handle, _errors]),
    "bandit_encode": (c_void_p, [_handle, POINTER(c_size_t), _errors]),
    "chooser_open": (_handle, [c_char_p, _handle, _errors]),
    "chooser_free": (None, [_handle]),
    "chooser_ask": (c_void_p, [_handle, c_char_p, c_char_p, c_char_p, POINTER(c_int), _errors]),
}
C_VERSION = 1


def _load():
    """Loads the library that HALFSPACE_LIBRARY names, or the one of the package."""
    path = os.environ.get("HALFSPACE_LIBRARY") or os.path.join(HERE, "_libs", "libhalfspace.so.1")
    try:
        library = ctypes.CDLL(path)
    except OSError as error:
        raise ImportError(f"the library of halfspace cannot be loaded: {error}; install the package anew, or set "
                          "HALFSPACE_LIBRARY to the path of libhalfspace.so") from None
    functions = {}
    for name, (result, arguments) in _FUNCTIONS.items():
        try:
            function = getattr(library, "halfspace_" + name)
        except AttributeError:
            raise ImportError(f"{path} is older than this package: it has no halfspace_{name}") from None
        function.restype, function.argtypes = result, arguments
        functions[name] = function
    if functions["c_version"]() < C_VERSION:
        raise ImportError(f"{path} is older than this package")
    return functions


lib = _load()


def library_version() -> str:
    """Returns the version of the loaded library, such as "0.1.0"."""
    return lib["version"]().decode()


def raise_error(error):
    """Raises what a call stored in the struct, and empties the struct."""
    def text(field):
        return field.decode("utf-8", "replace") if field else None

    kind = error.kind
    arguments = (text(error.message) or "an error", text(error.file), error.line, error.column, text(error.fix))
    lib["error_clear"](byref(error))
    raise error_class(kind)(kind, *arguments)


def call(name, *arguments):
    """Calls a function whose last argument is the error struct."""
    error = Error()
    result = lib[name](*arguments, byref(error))
    if error.kind:
        raise_error(error)
    return result


def take_bytes(address, size=-1):
    """Returns a text, or `size` bytes, that the library made, and frees it."""
    if not address:
        return None
    try:
        return ctypes.string_at(address, size)
    finally:
        lib["free"](address)


def take_text(address):
    """Returns a text that the library made, and frees it."""
    return take_bytes(address).decode("utf-8")


def take_json(address):
    return json.loads(take_bytes(address))


class Handle:
    """An object of the library, freed with this one. `keep`: what it borrows; `lock`: of one thread's at a time.

    `notes`: (text, fix) of how rows were made.
    """

    __slots__ = ("_as_parameter_", "_free", "keep", "lock", "notes")

    def __init__(self, pointer, kind, keep=None):
        self._free = lib[kind + "_free"]
        self._as_parameter_ = c_void_p(pointer)
        self.keep = keep
        self.lock = _thread.allocate_lock()
        self.notes = ()

    def __del__(self):
        self._free(self._as_parameter_)


def new(kind, function, *arguments, keep=None):
    """Returns the handle that a function makes."""
    return Handle(call(function, *arguments), kind, keep)


def text_of(value):
    """Returns an option's value as the command spells it."""
    if isinstance(value, bool):
        return "true"
    if isinstance(value, (list, tuple)):
        return ",".join(text_of(one) for one in value)
    if isinstance(value, dict):
        return ",".join(f"{name}={text_of(one)}" for name, one in value.items())
    return os.fspath(value) if isinstance(value, os.PathLike) else str(value)


def given(options):
    """Returns the options that are not left out by None or False, as plain Python values."""
    plain = {name: value.tolist() if hasattr(value, "tolist") else value for name, value in options.items()}  # numpy's
    return {name: value for name, value in plain.items() if value is not None and value is not False}


def settings(what, options, paths=()):
    """Returns settings with these options by keyword; None and False leave one as it is."""
    made = new("settings", "settings_new", what.encode())
    for name, value in given(options).items():
        try:
            call("settings_set", made, name.replace("_", "-").encode(), c_text(text_of(value)))
        except UsageError:
            names = [option["name"].replace("-", "_") for option in describe(what)]
            if name in names:
                raise
            command = "bandit" if what == "replay" else what
            raise usage_error(f"there is no option {name!r}",
                              instead(name, names, f"the options are those of `halfspace {command} -h`")) from None
    for path in paths:
        call("settings_add_path", made, c_text(os.fsdecode(path)))
    return made


def c_text(text):
    """Returns a text for C, which ends at the first zero byte."""
    if "\0" in text:
        raise usage_error(f"{text!r} has a zero byte", "leave it out")
    return text.encode("utf-8", "surrogateescape")


def c_names(texts):
    return (c_char_p * len(texts))(*map(c_text, texts)) if texts is not None else None


def paths_of(X):
    """Returns the paths that X is: a str, a Path, or a list of them; None where X is something else."""
    if isinstance(X, (str, os.PathLike)):
        return [X]
    if isinstance(X, (list, tuple)) and X and all(isinstance(x, (str, os.PathLike)) for x in X):
        return list(X)
    return None


def describe(what):
    """Returns what halfspace_describe() does, such as the options of "train" or all "rules": a list of dicts."""
    return take_json(call("describe", what.encode()))


# ---- Results ----

# `result`: a dict, the JSON of the command; `text`: what it prints; `certificate`: a text or None.
Result = namedtuple("Result", "result text certificate")


def take_result(pointer):
    """Returns the Result of a call, and frees the library's."""
    handle = Handle(pointer, "result")
    certificate = take_bytes(call("result_certificate", handle))
    return Result(take_json(call("result_json", handle)), take_bytes(call("result_text", handle)).decode(),
                  certificate.decode() if certificate is not None else None)


def page(result):
    """Returns the page of a run's dict, HTML."""
    return take_bytes(call("page", json.dumps(result).encode())).decode()


# ---- Long calls ----


class Run:
    """A long call that Ctrl-C ends: what it noted, and whether it was interrupted.

    The call runs on a thread of its own while the main thread waits, for signals are handled by the main thread alone.
    An exception of a handler (KeyboardInterrupt) sets the stop; it is kept in `interrupt` until the call has returned,
    since the call borrows memory. The same thread shows the progress.

    Parameters
    ----------
    figures : NO_FIGURES, CURVES or ALL_FIGURES
        What to record for the page of a run.
    progress : bool
        Shows how far the call is.
    """

    def __init__(self, figures=NO_FIGURES, progress=False):
        self.notes = notes = []
        self.interrupt = None
        self._bar = bar() if progress else None
        self._now = self._shown = None
        self._shows_itself = False  # the call runs on the thread that shows it
        self._stop = new("stop", "stop_new")
        self._on_note = _OnNote(lambda context, text, fix: notes.append((text.decode("utf-8", "replace"),
                                                                         fix.decode("utf-8", "replace"))))
        self._on_progress = _OnProgress(self._note_progress) if progress else _OnProgress()
        self.stop = self._stop._as_parameter_
        self.watch = byref(Watch(None, self._on_note, self._on_progress, self._stop._as_parameter_, figures))

    def _note_progress(self, context, now):
        now = now.contents
        self._now = Progress(now.stage.decode(), now.share if now.share >= 0 else None, now.rounds, now.mistakes,
                             now.lower, now.upper, now.errors, now.weight)
        if self._shows_itself:
            self._show()

    def _show(self):
        now = self._now
        if now is not self._shown:
            self._shown = now
            self._bar.show(now)

    def call(self, name, *arguments):
        """Calls a function of the library, and shows its progress."""
        try:
            return self._call(name, *arguments)
        finally:
            if self._bar is not None:
                self._show()
                self._bar.close()

    def _call(self, name, *arguments):
        if threading.current_thread() is not threading.main_thread():
            self._shows_itself = True
            return call(name, *arguments)
        outcome = []
        done = _thread.allocate_lock()
        done.acquire()

        def work():
            try:
                outcome.append(call(name, *arguments))
            except BaseException as error:
                outcome.append(error)
            finally:
                done.release()

        _thread.start_new_thread(work, ())
        while True:
            try:
                # Wakes up now and then: a signal that another thread received does not wake this one.
                if done.acquire(timeout=0.05):
                    break
                self._show()
            except BaseException as interrupt:
                self.interrupt = interrupt
                lib["stop_set"](self._stop)
        if isinstance(outcome[0], InterruptedRunError) and self.interrupt is not None:
            raise self.interrupt
        if isinstance(outcome[0], BaseException):
            raise outcome[0]
        return outcome[0]

    def finish(self):
        """Raises what interrupted the call, once its result is kept."""
        if self.interrupt is not None:
            raise self.interrupt


def train(options, rows=None, paths=(), resume=None, figures=CURVES, progress=False):
    """Trains as halfspace_train() does.

    Returns
    -------
    model : Handle
    result : Result
    run : Run
        Call its finish() once the model is kept.
    """
    made = settings("train", options, paths)
    run = Run(figures, progress)
    if rows is not None:
        run.notes.extend(rows.notes)
    model, result = c_void_p(), c_void_p()
    run.call("train", made, rows, resume, run.watch, byref(model), byref(result))
    return Handle(model.value, "model"), take_result(result.value), run


def warn_of_notes(result, stacklevel=3):
    """Warns of what makes the model of a training run useless; by default where the caller was called."""
    for note in result.result.get("notes", ()):
        if note["grave"]:
            warnings.warn(f"{note['text']}; {note['fix']}", HalfspaceWarning, stacklevel)
