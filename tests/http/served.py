"""A served model under test: starts `halfspace serve`, speaks HTTP to it byte by byte, and stops it."""

import functools
import json
import os
import re
import signal
import socket
import subprocess
import tempfile
from pathlib import Path

PATIENCE = 60  # seconds for what takes milliseconds on an idle machine
TOKEN = "a-token-of-twenty-four-c"


def rows(count, seed=1):
    """Rows of two classes in LIBSVM's format, the same for the same seed."""
    state, lines = seed, []
    for _ in range(count):
        values = []
        for _ in range(8):
            state = (state * 1664525 + 1013904223) % 2**32
            values.append(state / 2**31 - 1)
        label = 1 if sum(values[:3]) > 0 else -1
        lines.append(f"{label} " + " ".join(f"{i + 1}:{value:.4f}" for i, value in enumerate(values)))
    return lines


class Answer:
    def __init__(self, status, fields, body):
        self.status, self.fields, self.body = status, fields, body

    @property
    def json(self):
        return json.loads(self.body)


class Client:
    """One connection. Reads answers in order, so that requests may be pipelined."""

    def __init__(self, address):
        family = socket.AF_UNIX if isinstance(address, str) else socket.AF_INET
        self.socket = socket.socket(family, socket.SOCK_STREAM)
        self.socket.settimeout(PATIENCE)
        try:
            self.socket.connect(address)
        except OSError:
            self.socket.close()
            raise
        self.unread = bytearray()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def send(self, data):
        self.socket.sendall(data)

    def ask(self, method, path, body=b"", fields=()):
        self.send(request(method, path, body, fields))
        return self.answer()

    def _more(self):
        try:
            got = self.socket.recv(65536)
        except ConnectionError:
            got = b""
        if not got:
            raise EOFError
        self.unread += got

    def answer(self):
        """The next answer; EOFError if the connection was closed before it."""
        while b"\r\n\r\n" not in self.unread:
            self._more()
        head, self.unread = self.unread.split(b"\r\n\r\n", 1)
        first, *lines = head.decode("latin-1").split("\r\n")
        fields = dict(line.lower().split(": ", 1) for line in lines)
        status = int(first.split()[1])
        length = 0 if status in (100, 204) else int(fields["content-length"])
        while len(self.unread) < length:
            self._more()
        body, self.unread = bytes(self.unread[:length]), self.unread[length:]
        return Answer(status, fields, body)

    def is_closed(self):
        """Waits until the server closes the connection."""
        try:
            while True:
                self._more()
        except EOFError:
            return True
        except TimeoutError:
            return False


def request(method, path, body=b"", fields=()):
    body = body.encode() if isinstance(body, str) else body
    lines = [f"{method} {path} HTTP/1.1", "Host: localhost", *fields]
    if body or method in ("POST", "PUT"):
        lines.append(f"Content-Length: {len(body)}")
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


class Served:
    """A running service. `flags`: of the command, after its log and socket; `serves`: the command."""

    def __init__(self, command, folder, *flags, model="m", address=("--port", "0"), environment=None, pass_fds=(), shell="",
                 serves="serve"):
        words = [command, serves, *([str(folder / model)] if model and serves == "serve" else []),
                 "--log", str(folder / "log"), *address, *flags]
        if shell:
            words = ["sh", "-c", shell + ' exec "$@"', "sh", *words]
        self.process = subprocess.Popen(
            words, stderr=subprocess.PIPE, env={**os.environ, **(environment or {})}, pass_fds=pass_fds, text=True
        )
        self.notes, self.where = [], ""
        for line in self.process.stderr:
            self.notes.append(line)
            if found := re.match(r"listening on (\S+), .*version (\d+); ", line):
                self.where, self.version = found[1], int(found[2])
                break
        if not self.where:
            code = self.process.wait(PATIENCE)
            self.process.stderr.close()
            raise RuntimeError(f"exit {code}: " + "".join(self.notes))
        host = re.match(r"http://(.*):(\d+)$", self.where)
        self.address = (host[1], int(host[2])) if host else self.where.removeprefix("unix:")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(PATIENCE)
        self.process.stderr.close()

    def client(self):
        return Client(self.address)

    def ask(self, method, path, body=b"", fields=()):
        with self.client() as client:
            return client.ask(method, path, body, fields)

    def ledger(self, version=0):
        """The ledger, once it is of this version or later: models are published a little later than they learn."""
        while True:
            ledger = self.ask("GET", "/ledger").json
            if ledger["version"] >= version:
                return ledger

    def stop(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        return self.process.wait(PATIENCE)


@functools.cache
def model_of(command):
    """The bytes of a small model, trained once."""
    with tempfile.TemporaryDirectory(prefix="halfspace_http_") as folder:
        model, data = Path(folder) / "m", Path(folder) / "d.svm"
        data.write_text("\n".join(rows(200)) + "\n", encoding="ascii")
        subprocess.run([command, "train", str(data), "-q", "-o", str(model)], check=True, stdout=subprocess.DEVNULL)
        return model.read_bytes()


class Folder:
    """A folder with a small model "m", and what a test adds to it."""

    def __init__(self, command):
        self._folder = tempfile.TemporaryDirectory(prefix="halfspace_http_")
        self.path = Path(self._folder.name)
        (self.path / "d.svm").write_text("\n".join(rows(200)) + "\n", encoding="ascii")
        (self.path / "token").write_text(TOKEN + "\n", encoding="ascii")
        (self.path / "m").write_bytes(model_of(command))

    def remove(self):
        self._folder.cleanup()
