"""A client of `halfspace serve`: predicts, learns, and reports labels that come late.

Needs the standard library alone, not numpy. Only Client.model() and Client.replace() of a Model load the library.
"""

import http.client
import json
import os
import selectors
import socket as sockets
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import quote, urlencode, urlsplit

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from ._model import Model

_DEFAULT_WAIT = 1.0  # seconds before a request is sent again, where the service names none


class ServiceError(Exception):
    """The service answered a request with an error. With a status below 500, and with 503, nothing happened.

    Attributes
    ----------
    status : int
        The HTTP status: 409 does not fit the state, 422 cannot be read, 401 needs the token; docs/service.md has all.
    error : str
        What is wrong.
    fix : str or None
        What to do about it.
    """

    def __init__(self, status, error, fix=None):
        super().__init__(status, error, fix)
        self.status, self.error, self.fix = status, error, fix

    def __str__(self):
        return f"{self.error} (status {self.status})" + (f"; {self.fix}" if self.fix else "")


@dataclass(frozen=True)
class Refusal:
    """Why a row, or a label, was refused."""

    line: int  # which of the rows or pairs of the request, from 1
    column: int  # byte in the line, from 1; 0 where there is none
    error: str
    fix: "str | None"

    def __str__(self):
        place = f"line {self.line}" + (f", column {self.column}" if self.column else "")
        return f"{place}: {self.error}" + (f"; {self.fix}" if self.fix else "")


@dataclass(frozen=True)
class Prediction:
    """The prediction for a row, or why there is none."""

    label: "str | None"  # None: the row was refused
    score: "float | None"
    probability: "float | None"  # of the label; None also where the model has no probabilities
    refused: "Refusal | None" = None


@dataclass(frozen=True)
class Learned:
    """What became of rows that were sent to be learned."""

    rows: int  # how many were learned
    first: "int | None"  # the number of the first one in the log; None: none was learned
    refused: "list[Refusal]" = field(default_factory=list)
    repeated: int = 0  # how many the log has already, by their sequence
    refused_more: int = 0  # how many came after the last of the refused ones, of which too many came: none was read


@dataclass(frozen=True)
class Taken:
    """What became of labels that were sent."""

    labels: int  # how many were taken
    refused: "list[Refusal]" = field(default_factory=list)
    repeated: int = 0  # how many the log has already, by their sequence
    refused_more: int = 0  # how many came after the last of the refused ones, of which too many came: none was read


@dataclass(frozen=True)
class Receipt:
    """What the state is after a row was forgotten."""

    forgotten: int  # events that are out of the model
    events: int  # of the log
    log: str  # SHA-256 of the log
    model: str  # SHA-256 of the model


class Client:
    """A connection to `halfspace serve`.

    Parameters
    ----------
    url : str
        Where the service listens. Its path, where a server in front has one for the service, is put before the requests'.
    socket : str or Path, optional
        The Unix socket that it listens on, instead of a host and a port.
    token : str, optional
        For a service with `--token-file`, what changes of the model need.
    timeout : float or None
        Seconds to wait for the connection, and for each piece of an answer; None: without a limit.
    retries : int
        How often a request is sent again after 429, and after 503 with Retry-After: then nothing happened. The service
        names the seconds to wait; more than `timeout` are not waited for.

    Raises
    ------
    ServiceError
        By the methods: the service answered with an error.
    ConnectionError, TimeoutError, OSError
        By the methods: the service cannot be reached, or its answer did not come. A ConnectionError that says that it
        is not known whether the change happened is of a request that was sent and must not simply be sent again:
        ledger() tells how much was learned.

    Notes
    -----
    The connection is opened by the first request and kept. One that the service closed meanwhile is opened again before
    the next request. Requests that change nothing are sent again, once, if the connection is lost. Threads may share a
    client: one request is under way at a time. A child process made by fork() needs a client of its own.

    Rows are strings in the format of the model's data, one row each, or dicts, for a model of JSON Lines or CSV: their
    keys are the columns, which schema() names. One string may have several lines.

    A `sequence`, with the `source` that it is of, numbers a request that changes the model: the numbers of a source do
    not decrease. What the log has of a number is not added again, so that such a request is sent again, once, if the
    connection is lost, and may be sent again later. ledger()["sequences"] has the last number of each source.

    Examples
    --------
    >>> with Client() as client:
    ...     client.learn(["1 3:0.5 7:1", "-1 2:1"])
    ...     client.predict("3:0.5 7:1", id=17)[0].label
    ...     client.truth(17, 1)
    """

    def __init__(self, url: str = "http://127.0.0.1:8080", *, socket: "str | os.PathLike[str] | None" = None,
                 token: "str | None" = None, timeout: "float | None" = 30, retries: int = 3):
        if retries < 0:
            raise ValueError(f"retries is {retries!r}: give 0 or more")
        self._prefix = ""
        if socket is not None:
            self._connection = _UnixConnection(os.fspath(socket), timeout)
        else:
            self._connection = self._connection_to(url, timeout)
        self._fields = {} if token is None else {"Authorization": "Bearer " + token.strip()}
        self._timeout, self._retries = timeout, retries
        self._lock = threading.Lock()

    def _connection_to(self, url, timeout):
        parts = urlsplit(url)
        more = parts.username or parts.password or parts.query or parts.fragment
        if parts.scheme not in ("http", "https") or not parts.hostname or more:
            raise ValueError(f"{url!r} is no address of a service: give http://HOST:PORT, or socket=PATH")
        self._prefix = parts.path.rstrip("/")
        if parts.scheme == "https":
            return http.client.HTTPSConnection(parts.hostname, parts.port or 443, timeout=timeout)
        return http.client.HTTPConnection(parts.hostname, parts.port or 80, timeout=timeout)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """Closes the connection; a later request opens it again."""
        with self._lock:
            self._connection.close()

    # ---- Requests ----

    def predict(self, rows: "str | Mapping[str, Any] | Iterable[str | Mapping[str, Any]]",
                id: "str | int | None" = None, *, sequence: "int | None" = None,
                source: str = "") -> "list[Prediction]":
        """Returns the predictions for rows without their labels, in their order; refused ones among them.

        With an id, of one row, the row waits in the log for its label, unless it was refused: truth() reports it. An id
        that waits already is a ServiceError.
        """
        body = _lines(rows)
        if not body and id is None:
            return []
        target = _target("/predict", id, sequence, source)
        answer = self._ask("POST", target, body, changes=id is not None and sequence is None)
        found = answer.json("predictions")
        predictions = [_prediction(each) for each in found["predictions"]]
        read = len(predictions)
        return predictions + [_unread(read + i) for i in range(1, found.get("refused_more", 0) + 1)]

    def learn(self, rows: "str | Mapping[str, Any] | Iterable[str | Mapping[str, Any]]",
              id: "str | int | None" = None, *, sequence: "int | None" = None, source: str = "") -> Learned:
        """Learns rows with their labels; refused ones keep no other from being learned. The id, of one row, is what
        forget() takes."""
        body = _lines(rows)
        if not body and id is None:
            return Learned(0, None)
        target = _target("/learn", id, sequence, source)
        found = self._ask("POST", target, body, changes=sequence is None).json("rows")
        return Learned(found["rows"], found.get("first"), _refusals(found), found.get("repeated", 0),
                       found.get("refused_more", 0))

    def truth(self, id: "str | int", label: object, *, sequence: "int | None" = None, source: str = "") -> None:
        """Reports the label of the row that was predicted with this id, once. ServiceError: it is not taken."""
        taken = self._truths([(id, label)], sequence, source)
        if taken.refused:
            raise ServiceError(422, taken.refused[0].error, taken.refused[0].fix)

    def truths(self, pairs: "Mapping[Any, object] | Iterable[tuple[str | int, object]]") -> Taken:
        """Reports labels, given as pairs of an id and its label, or as a dict; refused ones keep no other from being
        taken. A label's str() is a class's name."""
        return self._truths(pairs.items() if isinstance(pairs, Mapping) else pairs, None, "")

    def _truths(self, pairs, sequence, source):
        body = _lines({"id": _text_of(id), "label": str(label)} for id, label in pairs)
        if not body:
            return Taken(0)
        target = _target("/truth", None, sequence, source)
        found = self._ask("POST", target, body, changes=sequence is None).json("taken")
        return Taken(found["taken"], _refusals(found), found.get("repeated", 0), found.get("refused_more", 0))

    def forget(self, id: "str | int") -> Receipt:
        """Forgets the row that was sent with this id: the model is from then on one that never saw it. ServiceError
        with status 404: no row has this id."""
        found = self._ask("DELETE", "/row/" + quote(_text_of(id), safe="")).json("receipt")
        receipt = found["receipt"]
        return Receipt(found["forgotten"], receipt["events"], receipt["log"], receipt["model"])

    def ledger(self) -> "dict[str, Any]":
        """Returns counts, mistakes and bounds, of the model that predictions are made with: a moment after learn()."""
        return self._ask("GET", "/ledger", changes=False).json("version")

    def schema(self) -> "dict[str, Any]":
        """Returns what rows and predictions are made of: the format, the columns in their order, and the classes."""
        return self._ask("GET", "/schema", changes=False).json("columns")

    def model(self) -> "Model":
        """Returns the model that predictions are made with."""
        data = self._ask("GET", "/model", changes=False).bytes()
        from ._model import Model

        return Model.from_bytes(data)

    def replace(self, model: "Model | bytes") -> int:
        """Puts another model, or the bytes of its file, of the same format in place of the one that learns; returns its
        version."""
        data = model if isinstance(model, (bytes, bytearray, memoryview)) else model.to_bytes()
        return self._ask("PUT", "/model", bytes(data)).json("version")["version"]

    def ready(self) -> bool:
        """Returns whether the service accepts changes; False also where nothing answers."""
        try:
            answer = self._exchange("GET", "/readyz", None, changes=False)
        except OSError:
            return False
        if answer.status == 503:
            return False
        answer.bytes()
        return True

    # ---- The connection ----

    def _ask(self, method, target, body=None, *, changes=True):
        """Sends a request until the service has room for it, `retries` times more at most; returns the last answer."""
        for left in range(self._retries, -1, -1):
            answer = self._exchange(method, target, body, changes)
            seconds = answer.seconds_to_wait()
            if left == 0 or seconds is None or (self._timeout is not None and seconds > self._timeout):
                break
            time.sleep(seconds)
        return answer

    def _exchange(self, method, target, body, changes):
        """Sends a request and returns its answer. A request that was sent whole, and changes the model, is not sent
        again: it may have happened."""
        with self._lock:
            for may_repeat in (True, False):
                opened = sent = False
                try:
                    self._open()
                    opened = True
                    try:
                        self._connection.request(method, self._prefix + target, body, self._fields)
                        sent = True
                    except (BrokenPipeError, ConnectionResetError):
                        pass  # the service may have refused the request before its end
                    return _Answer(self._connection.getresponse())
                except (OSError, http.client.HTTPException) as error:
                    self._connection.close()
                    if sent and changes:
                        raise ConnectionError(f"the answer to {method} {target} did not come: it is not known whether "
                                              "the change happened") from error
                    lost = isinstance(error, (ConnectionError, http.client.HTTPException))
                    if opened and lost and may_repeat:
                        continue
                    if isinstance(error, OSError):
                        raise
                    raise ConnectionError(f"the answer to {method} {target} was cut off") from error
                except BaseException:  # Ctrl-C: the answer must not be taken for the next request's
                    self._connection.close()
                    raise

    def _open(self):
        """Opens the connection, unless it is open. One that can be read from while no answer is due was closed by the
        service."""
        if self._connection.sock is not None:
            with selectors.DefaultSelector() as selector:
                selector.register(self._connection.sock, selectors.EVENT_READ)
                if selector.select(0):
                    self._connection.close()
        if self._connection.sock is None:
            self._connection.connect()


class _UnixConnection(http.client.HTTPConnection):
    def __init__(self, path, timeout):
        super().__init__("localhost", timeout=timeout)
        self._path = path

    def connect(self):
        self.sock = sockets.socket(sockets.AF_UNIX, sockets.SOCK_STREAM)
        try:
            self.sock.settimeout(self.timeout)
            self.sock.connect(self._path)
        except BaseException:
            self.close()
            raise


class _Answer:
    def __init__(self, response):
        """Reads the body. Raises IncompleteRead: also where the head was cut off before the length of the body."""
        if response.length is None and not response.chunked:
            raise http.client.IncompleteRead(b"")
        self.status, self._reason, self._fields = response.status, response.reason, response.headers
        self._body = response.read()

    def seconds_to_wait(self):
        """Returns the seconds after which the request can be sent again; None: it cannot."""
        after = self._fields.get("Retry-After")
        if self.status not in (429, 503) or (self.status == 503 and after is None):
            return None
        try:
            return max(0.0, float(int(after)))
        except (TypeError, ValueError):  # a date, from a server in front
            return _DEFAULT_WAIT

    def bytes(self):
        """Returns the body. Raises ServiceError."""
        if self.status != 200:
            raise self._error()
        return self._body

    def text(self):
        """Returns the body as a text. Raises ServiceError."""
        if not 200 <= self.status < 300:
            raise self._error()
        return self._body.decode("utf-8")

    def json(self, key):
        """Returns the body, an object with this key; also where all rows were refused. Raises ServiceError."""
        found = self._object()
        if self.status not in (200, 422) or key not in found:
            raise self._error()
        return found

    def _object(self):
        try:
            found = json.loads(self._body)
        except ValueError:
            return {}
        return found if isinstance(found, dict) else {}

    def _error(self):
        found = self._object()
        error = found.get("error") or f"not an answer of halfspace serve: {self._reason}"
        return ServiceError(self.status, error, found.get("fix"))


# ---- What requests are made of ----


def _text_of(id):
    text = str(id)
    if not text:
        raise ValueError("the id is empty: give each row an id of its own")
    return text


def _target(path, id, sequence, source):
    query = {} if id is None else {"id": _text_of(id)}
    if sequence is not None:
        query["sequence"] = str(sequence)
    if source:
        if sequence is None:
            raise ValueError("a source without a sequence: number its requests")
        query["source"] = source
    return path + ("?" + urlencode(query, quote_via=quote, safe="") if query else "")


def _plain(value):
    """Returns a scalar of numpy as Python's."""
    if hasattr(value, "item"):
        return value.item()
    raise TypeError(f"a value of a row is neither a number nor a text: {value!r}")


def _line(row):
    if isinstance(row, Mapping):
        return json.dumps(dict(row), default=_plain, allow_nan=False) + "\n"
    if not isinstance(row, str):
        raise TypeError(f"a row is a str or a dict, not {type(row).__name__}")
    row = row[:-1] if row.endswith("\n") else row
    if "\n" in row:
        raise ValueError(f"a row has several lines: {row!r}")
    return row + "\n"


def _lines(rows):
    """Returns rows as the body of a request."""
    if isinstance(rows, str):
        text = rows
    else:
        text = "".join(map(_line, [rows] if isinstance(rows, Mapping) else rows))
    return text.encode("utf-8", "surrogateescape")


# ---- What answers are made of ----


def _refusal(found):
    return Refusal(found["line"], found.get("column", 0), found["error"], found.get("fix"))


def _refusals(found):
    return [_refusal(each) for each in found["refused"]]


def _unread(line):
    return Prediction(None, None, None, Refusal(line, 0, "the row was not read: too many before it were refused",
                                                "correct the refused rows, and send the others again"))


def _prediction(found):
    if "error" in found:
        return Prediction(None, None, None, _refusal(found))
    return Prediction(found["label"], found["score"], found.get("probability"))


__all__ = ["Client", "Learned", "Prediction", "Receipt", "Refusal", "ServiceError", "Taken"]
