"""Choosing among arms when only the loss of the chosen one is known. Needs no numpy."""

import json
import operator
import os
import secrets
import zlib
from ctypes import byref, c_double, c_size_t, c_uint32, c_uint64
from typing import NamedTuple

from . import _native as native
from ._native import call, data_error, usage_error

_MAGIC = b"halfspace bandit 1\n"  # before the arms, of a bandit whose arms have names


class Pull(NamedTuple):
    """A drawn arm, for which a loss is due.

    Attributes
    ----------
    ticket : int
        1, 2, 3 ...: what update() takes.
    arm : object
        The arm, as the bandit was given it; its number from 0 if arms were counted.
    probability : float
        With which it was drawn.
    """

    ticket: int
    arm: object
    probability: float


class Bandit:
    """An adversarial bandit: draws an arm, and learns from the loss of that arm alone.

    Parameters
    ----------
    arms : int or sequence of hashable
        The arms, each once; a count stands for 0, 1, 2 ...
    algorithm : str, optional
        Default: "exp3-ix-anytime", which needs no number of rounds. `Bandit.algorithms()` lists all.
    rounds : int, optional
        The horizon, in pulls, which all but the anytime algorithms need.
    delta : float, optional
        The probability, above 0 and below 1, that a bound with high probability fails.
    seed : int, optional
        Of the draws.

    Raises
    ------
    UsageError
        No arms, equal arms, an unknown algorithm, or an option out of range.

    Notes
    -----
    Losses may be reported late, in any order, or never. The same pulls and updates in the same order draw the same
    arms on every machine, also with a save(), a pickle or to_bytes() in between. Threads may share a bandit.

    Examples
    --------
    >>> bandit = Bandit(["red", "green"])
    >>> pull = bandit.pull()
    >>> bandit.update(pull, reward=1.0 if pull.arm == "red" else 0.0)
    """

    def __init__(self, arms, algorithm=None, rounds=None, delta=None, seed=None):
        names = _arms_of(arms)
        count = arms if names is None else len(names)
        settings = native.settings("bandit", {"algorithm": algorithm, "rounds": rounds, "delta": delta, "seed": seed})
        self._begin(names, native.new("bandit", "bandit_new", settings, operator.index(count)))

    def _begin(self, names, handle):
        self._names = names  # None: arms are numbers
        self._handle = handle
        self._count = self.describe()["arms"]

    @staticmethod
    def algorithms() -> "dict[str, str]":
        """Returns the algorithms as a dict of name to help, in one line each."""
        return {entry["name"]: entry["help"] for entry in native.describe("bandits")}

    @property
    def arms(self) -> "Sequence[Any]":
        """The arms: a range if they were counted, else a list."""
        return range(self._count) if self._names is None else list(self._names)

    def pull(self):
        """Draws an arm.

        Returns
        -------
        Pull
            ticket, arm and probability.

        Raises
        ------
        UsageError
            Ten million pulls have no loss yet.
        """
        ticket, arm, probability = c_uint64(), c_uint32(), c_double()
        with self._handle.lock:
            call("bandit_ask", self._handle, byref(ticket), byref(arm), byref(probability))
        number = arm.value
        return Pull(ticket.value, number if self._names is None else self._names[number], probability.value)

    def update(self, pull, loss=None, *, reward=None):
        """Learns the loss of a pull, once.

        Parameters
        ----------
        pull : Pull or int
            What pull() returned, or its ticket.
        loss : float, 0 to 1
            What the arm cost.
        reward : float, 0 to 1
            What it earned, instead of a loss: 1 - loss.

        Raises
        ------
        UsageError
            An unknown ticket, one that has its loss, or a number out of range. Nothing is learned.
        """
        if (loss is None) == (reward is None):
            raise usage_error("update() takes a loss or a reward", "give one of the two")
        name, given = ("loss", loss) if reward is None else ("reward", reward)
        try:
            number = c_double(given).value
        except TypeError:
            raise TypeError(f"the {name} is not a number: {given!r}") from None
        if not 0 <= number <= 1:
            raise usage_error(f"the {name} is {number!r}, not a number from 0 to 1", "rescale it")
        ticket = operator.index(pull.ticket if isinstance(pull, Pull) else pull)
        if not 0 < ticket < 1 << 64:
            raise usage_error(f"ticket {ticket} was never issued", "give a ticket that this bandit issued")
        with self._handle.lock:
            call("bandit_tell", self._handle, ticket, number if reward is None else 1 - number)

    def distribution(self) -> "dict[Any, float] | list[float]":
        """Returns the probabilities of the next pull: a dict by arm, or a list if the arms were counted."""
        values = (c_double * self._count)()
        with self._handle.lock:
            call("bandit_distribution", self._handle, values)
        return list(values) if self._names is None else dict(zip(self._names, values))

    def describe(self):
        """Returns what is known of the run.

        Returns
        -------
        dict
            algorithm; arms, how many; rounds, the horizon (0: none); delta; seed; asks, tells and open: pulls, those
            with a loss and those without; loss, the sum of the reported; bound: value, theorem and what it bounds, for
            runs in which each loss was reported before the next pull (None before the first pull, and beyond the
            horizon).
        """
        with self._handle.lock:
            return native.take_json(call("bandit_describe", self._handle))

    def _state(self):
        size = c_size_t()
        with self._handle.lock:
            address = call("bandit_encode", self._handle, byref(size))
        return native.take_bytes(address, size.value)

    def to_bytes(self) -> bytes:
        """Returns the whole state, from which from_bytes() continues with the same draws.

        Of counted arms these are the file "begin.bandit" with which a folder of `halfspace bandit --live --state` may
        begin; else the arms come first.

        Raises
        ------
        UsageError
            An arm is not a text, a number, a bool, None, or a tuple of these. Pickle keeps any.
        """
        state = self._state()
        if self._names is None:
            return state
        for arm in self._names:
            _refuse_unsaved(arm, arm)
        head = json.dumps(self._names).encode()
        return _MAGIC + b"%08x %d\n" % (zlib.crc32(head), len(head)) + head + b"\n" + state

    @classmethod
    def from_bytes(cls, data: bytes) -> "Bandit":
        """Returns the bandit that to_bytes() made bytes of. Raises DataError for any others, also damaged ones."""
        data = bytes(data)
        if not data.startswith(_MAGIC):
            return cls._restored(None, data)
        head, _, rest = data[len(_MAGIC):].partition(b"\n")
        try:
            check, size = head.split(b" ")
            text, end, state = rest[:int(size)], rest[int(size):int(size) + 1], rest[int(size) + 1:]
            intact = b"%08x %d" % (zlib.crc32(text), len(text)) == b" ".join((check, size)) and end == b"\n"
        except ValueError:
            intact = False
        if not intact:
            raise data_error("the names of the bandit's arms are damaged", "restore a copy")
        return cls._restored([_as_tuples(arm) for arm in json.loads(text)], state)

    @classmethod
    def _restored(cls, names, state):
        bandit = cls.__new__(cls)
        bandit._begin(names, native.new("bandit", "bandit_decode", state, len(state)))
        if names is not None and bandit._count != len(names):
            raise data_error("the bandit's state is of another number of arms", "restore a copy")
        return bandit

    def __reduce__(self):
        return _restored, (type(self), self._names, self._state())

    def save(self, path):
        """Writes to_bytes() to a file, atomically: a crash leaves the old file or the new one.

        Parameters
        ----------
        path : str or Path

        Raises
        ------
        UsageError
            As to_bytes(). The file is as before.
        OSError
            The file cannot be written. It is as before.
        """
        data = self.to_bytes()
        target = os.path.realpath(os.fspath(path))  # a link stays one
        temporary = f"{target}.{secrets.token_hex(8)}"
        try:
            with open(temporary, "xb") as stream:
                if os.path.exists(target):
                    os.fchmod(stream.fileno(), os.stat(target).st_mode & 0o777)
                stream.write(data)
                stream.flush()
                os.fsync(stream.fileno())
            os.replace(temporary, target)
        except BaseException:
            if os.path.exists(temporary):
                os.unlink(temporary)
            raise

    @classmethod
    def load(cls, path: "str | os.PathLike[str]") -> "Bandit":
        """Returns the bandit of a file of save(), or of a folder of `halfspace bandit --live --state`.

        Raises
        ------
        DataError
            The file is damaged, or no bandit's; the command was killed while it wrote to the folder.
        FileNotFoundError
        """
        try:
            return cls.from_bytes(b"".join(_read(file) for file in _files_of(path)))
        except native.DataError as error:
            raise native.DataError(error.kind, error.message, os.fspath(path), fix=error.fix) from None

    def __repr__(self):
        known = self.describe()
        return (f"<halfspace.Bandit of {known['arms']} arms, {known['algorithm']}: {known['asks']} pulls, "
                f"{known['open']} without a loss>")


def _restored(kind, names, state):
    return kind._restored(names, state)


def _read(path):
    with open(path, "rb") as stream:
        return stream.read()


def _files_of(path):
    """Returns the file, or of a folder those that its bandit is in: the last snapshot, and the log since then."""
    if not os.path.isdir(path):
        return [path]
    names = sorted(os.listdir(path))
    snapshots = [name for name in names if name.startswith("snapshot-")] or ["begin.bandit"]
    return [os.path.join(path, name) for name in snapshots[-1:] + [name for name in names if name.endswith(".log")]]


def _arms_of(arms):
    """Returns the arms as a list, or None for a count."""
    if hasattr(arms, "tolist"):  # numpy's
        arms = arms.tolist()
    if isinstance(arms, (str, bytes)):
        raise usage_error(f"arms is the text {arms!r}", "give a count, or a list of arms")
    if not isinstance(arms, bool):
        try:
            count = operator.index(arms)
        except TypeError:
            pass
        else:
            if count < 0:
                raise usage_error(f"a bandit cannot have {count} arms", "give as many arms as there are choices")
            return None
    try:
        names = list(arms)
    except TypeError:
        raise TypeError(f"arms is neither a count nor a sequence of arms: {arms!r}") from None
    seen = set()
    for arm in names:
        if arm in seen:
            raise usage_error(f"two arms are equal: {arm!r}", "give each arm once")
        seen.add(arm)
    return names


def _refuse_unsaved(arm, whole):
    if type(arm) is tuple:
        for part in arm:
            _refuse_unsaved(part, whole)
    elif arm is not None and type(arm) not in (str, int, float, bool):
        raise usage_error(f"the arm {whole!r} cannot be written to a file: it is a {type(arm).__name__}",
                          "use texts, numbers or tuples of these as arms, or pickle the bandit")


def _as_tuples(arm):
    return tuple(map(_as_tuples, arm)) if isinstance(arm, list) else arm
