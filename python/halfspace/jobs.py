"""Jobs: training, evaluation, prediction and proofs as tasks of bytes, for whatever has a map.

    from concurrent.futures import ProcessPoolExecutor
    from halfspace import jobs

    job = jobs.train(["part-1.svm", "part-2.svm"], epochs=3)
    with ProcessPoolExecutor() as pool:
        jobs.run(job, map=pool.map)
    job.model.save("rows.model")

A task may be done anywhere, in any order, and again: the outcome has the same bits whoever does it. See docs/cluster.md.
"""

import builtins
import warnings
from collections import namedtuple
from ctypes import Structure, byref, c_char_p, c_int32, c_size_t, c_uint32, c_uint64, c_void_p, string_at

from . import _native as native

# `first`, `shards`: those whose rows it reads, or the number of its slice; `data`: bytes.
Task = namedtuple("Task", "number first shards data")


class _Order(Structure):
    _fields_ = [("kind", c_char_p), ("tasks", c_uint32), ("shards", c_uint32), ("epochs", c_uint64),
                ("by_mistakes", c_int32), ("scores", c_int32), ("model", c_char_p), ("model_size", c_size_t),
                ("certificate", c_char_p)]


class _Task(Structure):
    _fields_ = [("number", c_uint64), ("first", c_uint32), ("shards", c_uint32), ("data", c_void_p),
                ("size", c_size_t)]


class Job:
    """A job: made by train(), evaluate(), predict(), certify(), verify() or load(). One thread uses it at a time.

    Attributes
    ----------
    done : bool
    epoch : int
        Finished, of training.
    notes : list of str
        What whoever looked at the data first found odd about them, and what was done about it.
    model : halfspace.Model
        Of a training that is done.
    certificate : str
        Of a certification that is done, for a file that `halfspace verify` reads; empty: the data were not read to
        their end in time.
    result : dict
        Of a training (ledger by epoch and shard, errors, bound), an evaluation (rows, errors, confusion), a certification
        or a verification (as `halfspace certify --json`, `verify --json`) that is done.
    """

    def __init__(self, handle, searches=True):
        self._handle = handle
        self._searches = searches  # taking a result may be long

    def tasks(self):
        """Returns the Tasks of this step that have no result yet; none: the job is done."""
        found, count = c_void_p(), c_size_t()
        native.call("job_tasks", self._handle, byref(found), byref(count))
        array = (_Task * count.value).from_address(found.value) if count.value else ()
        return [Task(task.number, task.first, task.shards, string_at(task.data, task.size)) for task in array]

    def shared(self):
        """Returns what the tasks of this step have in common, such as the weights: bytes."""
        size = c_size_t()
        return native.take_bytes(native.call("job_shared", self._handle, byref(size)), size.value)

    def take(self, number, result):
        """Takes the result of a task, in any order; a second one changes nothing. The last one of a step of a
        certification may take as long as its search; Ctrl-C ends it, and the job.

        Raises DataError for bytes that are damaged, or of another task or job.
        """
        if not self._searches:
            native.call("job_take", self._handle, number, result, len(result), None)
            return
        run = native.Run(native.NO_FIGURES)
        run.call("job_take", self._handle, number, result, len(result), run.stop)
        run.finish()

    def save(self):
        """Returns the job as bytes, for load(): it goes on there, with any engine."""
        size = c_size_t()
        return native.take_bytes(native.call("job_save", self._handle, byref(size)), size.value)

    @property
    def done(self):
        return not self.tasks()

    @property
    def epoch(self):
        return native.lib["job_epoch"](self._handle)

    @property
    def notes(self):
        return [f"{note['text']}; {note['fix']}" for note in native.take_json(native.call("job_notes", self._handle))]

    @property
    def model(self):
        from ._model import Model

        return Model(native.new("model", "job_model", self._handle))

    @property
    def certificate(self):
        return native.take_bytes(native.call("job_certificate", self._handle)).decode()

    @property
    def result(self):
        return native.take_json(native.call("job_json", self._handle))

    def take_lines(self):
        """Returns the lines of a prediction so far, and forgets them: a list of str, one a row, in the order of the rows.

        For more rows than fit into memory, call it after each step: run(job, on_step=lambda job: write(job.take_lines())).
        """
        return native.take_bytes(native.call("job_take_lines", self._handle)).decode().splitlines()


def _job(kind, settings, options, paths, **order):
    made = _Order(kind.encode(), **order)
    return Job(native.new("job", "job_new", byref(made), native.settings(settings, options, paths)), kind == "certify")


def _data(paths):
    found = native.paths_of(paths)
    if found is None:
        raise TypeError(f"{type(paths).__name__} is neither a path nor a list of paths, which every worker can read")
    import os

    return [os.path.abspath(path) for path in found]


def train(paths, *, shards=64, epochs=1, mixing="uniform", tasks=16, **options):
    """Returns a job that trains by iterative parameter mixing.

    Parameters
    ----------
    paths : path or list of paths
        Which whoever does a task can read.
    shards : int
        A power of two: the data are divided so, whoever does the tasks.
    epochs : int
        Passes over the data; the weights are mixed after each.
    mixing : "uniform" or "mistakes"
        What a shard's weights count: all alike, or as it made mistakes.
    tasks : int
        At most so many can be done at once.
    options
        Of `halfspace train`, with `_` for `-`, about the rule and the reading, such as rule="arow"; others are refused.
        By default the averaged perceptron; for one epoch the tournament.
    """
    return _train(_data(paths), shards, epochs, mixing, tasks, options)


def _train(paths, shards, epochs, mixing, tasks, options):
    if mixing not in ("uniform", "mistakes"):
        raise native.usage_error(f"mixing is {mixing!r}", "use uniform or mistakes")
    for name, value, most in (("shards", shards, 1 << 32), ("epochs", epochs, 1 << 64), ("tasks", tasks, 1 << 32)):
        if not 1 <= value < most:
            raise native.usage_error(f"{name} is {value!r}", "use 1 or more")
    return _job("train", "train", options, paths, shards=shards, epochs=epochs, tasks=tasks,
                by_mistakes=mixing == "mistakes")


def evaluate(model, paths, *, tasks=16, **options):
    """Returns a job that counts right and wrong labels. `options`: of `halfspace evaluate` about reading and weights;
    others are refused."""
    data = model.to_bytes()
    return _job("evaluate", "evaluate", options, _data(paths), tasks=tasks, model=data, model_size=len(data))


def predict(model, paths, *, scores=False, tasks=16, **options):
    """Returns a job that predicts a label a row, or the score that decides."""
    data = model.to_bytes()
    return _job("predict", "evaluate", options, _data(paths), tasks=tasks, scores=scores, model=data,
                model_size=len(data))


def certify(paths, **options):
    """Returns a job that decides whether data are linearly separable, with proof: a task passes over a file.

    `options`: bias, bias_scale, seconds, extra_seconds, memory (where the job is), and about reading, as of
    `halfspace certify`; others are refused.
    """
    return _job("certify", "certify", options, _data(paths))


def verify(certificate, paths):
    """Returns a job that checks a certificate, a str, against its data: as many files, in their order."""
    return _job("verify", "certify", {}, _data(paths), certificate=certificate.encode())


def load(saved):
    """Returns the job of Job.save(). Raises DataError for damaged bytes."""
    return Job(native.new("job", "job_load", bytes(saved), len(saved)))


def do(task):
    """Does a task, (number, data, shared): returns (number, result). A function of its argument, for any process.

    The process keeps the rows of shards for later steps, of one job at a time, within its option `memory`.
    """
    number, data, shared = task
    return number, _done(data, shared, [])


def _done(data, shared, rows):
    """`rows`: the library's rows of each shard, None for those that the task does not read."""
    size = c_size_t()
    array = (c_void_p * max(1, len(rows)))(*(handle and handle._as_parameter_ for handle in rows))
    address = native.call("run_task", data, len(data), shared, len(shared), array, len(rows), byref(size))
    return native.take_bytes(address, size.value)


def run(job, map=builtins.map, on_step=None):
    """Does the tasks of a job by a map, step by step, and returns the job, which is done.

    Parameters
    ----------
    job : Job
    map : callable
        map(function, list) of whatever does them: the built-in one, that of an executor or a pool, `imap_unordered`, a
        list comprehension over futures. The results may come in any order, and be lazy.
    on_step : callable or None
        Called with the job after each step, such as to save it.
    """
    warned = len(job.notes)
    while tasks := job.tasks():
        shared = job.shared()
        for number, result in map(do, [(task.number, task.data, shared) for task in tasks]):
            job.take(number, result)
        for note in job.notes[warned:]:
            warnings.warn(note, native.HalfspaceWarning, stacklevel=2)
        warned = len(job.notes)
        if on_step is not None:
            on_step(job)
    native.lib["forget_rows"]()
    return job


__all__ = ["Job", "Task", "certify", "do", "evaluate", "load", "predict", "run", "train", "verify"]
