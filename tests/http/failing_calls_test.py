"""Each system call of a service fails in turn: nothing acknowledged is lost, and nothing refused has happened.

usage: failing_calls_test.py HALFSPACE INJECTOR [unittest's arguments]

Tries a few calls of each kind, chosen by HALFSPACE_SEED=N (1); HALFSPACE_FAULTS=all: every call, and every request for
memory. HALFSPACE_KINDS=write,recv: these kinds alone.
"""

import concurrent.futures
import errno
import json
import os
import random
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path

from served import Client, rows

COMMAND = INJECTOR = ""
EVERY = os.environ.get("HALFSPACE_FAULTS") == "all"
PATIENCE = 20  # seconds in which a running service answers, starts or ends
SAMPLE = {"memory": 40}  # of calls to try, where not all are; 2 of others
CODES = {0, 66, 74}  # of exit: what failed is the machine, and neither the data nor the command line

# What may go wrong with a call, as its manual page has it. A socket does not pretend to have no data (EAGAIN): it is
# watched for changes alone.
ERRORS = {
    "open": ("EMFILE", "EIO", "EINTR", "ENOSPC"),
    "opendir": ("EMFILE", "ENOMEM"),
    "readdir": ("EIO",),
    "read": ("EIO", "EINTR", "short"),
    "pread": ("EIO", "EINTR", "short"),
    "write": ("ENOSPC", "EIO", "EINTR", "short"),
    "pwrite": ("ENOSPC", "EIO", "EINTR", "short"),
    "writev": ("ENOSPC", "EIO", "EINTR", "short"),
    "fdatasync": ("EIO", "ENOSPC", "EINTR"),
    "fsync": ("EIO", "ENOSPC", "EINTR"),
    "rename": ("EIO", "ENOSPC"),
    "link": ("EIO", "ENOSPC"),
    "unlink": ("EIO",),
    "mkdir": ("EIO", "ENOSPC"),
    "truncate": ("EIO", "EINTR"),
    "ftruncate": ("EIO", "EINTR"),
    "flock": ("ENOLCK", "EINTR"),
    "stat": ("EIO", "ENOMEM"),
    "lstat": ("EIO", "ENOMEM"),
    "fstat": ("EIO",),
    "lseek": ("EIO",),
    "close": ("EIO", "EINTR"),
    "fopen": ("EMFILE", "EIO"),
    "mmap": ("ENOMEM",),
    "dup": ("EMFILE",),
    "poll": (),  # after ENOMEM the HTTP library forgets an answer, of a change that is in the log; no signal comes
    "socket": ("EMFILE", "ENOBUFS"),
    "bind": ("ENOMEM",),
    "listen": ("ENOBUFS",),
    "getsockname": ("ENOBUFS",),
    "accept4": ("EMFILE", "ENOMEM", "ECONNABORTED", "EINTR"),
    "recv": ("ECONNRESET", "EINTR", "ENOMEM"),
    "send": ("EPIPE", "EINTR", "ENOBUFS"),
    "sendmsg": ("EPIPE", "EINTR", "ENOBUFS"),
    "epoll_create1": ("EMFILE", "ENOMEM"),
    "epoll_ctl": ("ENOMEM", "ENOSPC"),
    "epoll_wait": ("EINTR",),
    "eventfd": ("EMFILE", "ENOMEM"),
    "pthread_create": ("EAGAIN",),
    "memory": ("ENOMEM",),
}


class Ask:
    """A request, and the events that its success adds to the log: a row is its id and its line."""

    def __init__(self, method, path, body=b"", events=(), usual=200):
        self.method, self.path, self.body, self.events, self.usual = method, path, body, tuple(events), usual

    def first(self, count):
        """The request of which this one's first events are the whole."""
        if count == len(self.events):
            return self
        lines = [line for _, _, line in self.events[:count]]
        return Ask(self.method, self.path, "\n".join(lines), self.events[:count])


def learn(lines, name="", sequence=None):
    query = f"?id={name}" if name else f"?source=s&sequence={sequence}" if sequence else ""
    return Ask("POST", "/learn" + query, "\n".join(lines), [("learn", name, line) for line in lines])


def ask(name, row):
    features = row.split(" ", 1)[1]
    return Ask("POST", f"/predict?id={name}", features, [("ask", name, features)])


def truth(name, row):
    return Ask("POST", f"/truth?id={name}", row.split(" ", 1)[0], [("truth", name, row)])


def forget(name):
    return Ask("DELETE", f"/row/{name}", b"", [("forget", name, "")])


R = rows(60, seed=7)
PREDICT = Ask("POST", "/predict", "1:1 2:1\n1:-1")
READS = [PREDICT, Ask("GET", "/ledger"), Ask("GET", "/model")]
# A life from its first request on, without another model; and one that goes on from there. Every row is another.
FIRST = [
    PREDICT, learn(R[:5]), learn(R[5:6], "a"), ask("q1", R[6]), ask(
        "q2", R[7]), truth("q1", R[6]), learn(R[8:15], sequence=1),
    forget("a"), *READS, learn(R[15:25], sequence=2), truth("q2", R[7]
                                                            ), learn(R[25:26], "b"), ask("q3", R[26]), learn(R[27:28], "c"),
    forget("b"), PREDICT, Ask("POST", "/learn", "nonsense", usual=422), learn(R[28:30]),
]  # fmt: skip
SECOND = [learn(R[30:34], sequence=3), truth("q3", R[26]), forget("c"), Ask(
    "PUT", "/model", b"", [("model", "", "")]), learn(R[34:40]), *READS, ask("q4", R[40])]


class Ended:
    """What became of a service: the statuses of its answers (None: the connection was lost), how it ended."""

    def __init__(self):
        self.statuses, self.code, self.notes, self.model = [], None, "", None
        self.ended_early = False


class Service:
    """`halfspace serve` in a folder, with a log "log" and a socket "socket"."""

    def __init__(self, folder, environment):
        self.folder, self.client = folder, None
        words = [COMMAND, "serve", "m", "--log", "log", "--socket", "socket", "--snapshot", "6", "--publish", "0"]
        with open(folder / "notes", "wb") as notes:
            self.process = subprocess.Popen(words, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=notes,
                                            env={**os.environ, **environment})  # fmt: skip

    def notes(self):
        return (self.folder / "notes").read_text(encoding="utf-8", errors="replace")

    def listens(self):
        """Waits until it listens; False if it ended instead."""
        end = time.monotonic() + PATIENCE
        while "listening on" not in self.notes():
            if self.process.poll() is not None:
                return False
            if time.monotonic() > end:
                raise AssertionError("it neither listens nor ends: " + self.notes())
            time.sleep(0.002)
        return True

    def ask(self, request):
        """The answer; None if the connection was lost."""
        try:
            if self.client is None:
                self.client = Client(str(self.folder / "socket"))
                self.client.socket.settimeout(PATIENCE)
            return self.client.ask(request.method, request.path, request.body)
        except TimeoutError as error:
            raise AssertionError(f"no answer to {request.method} {request.path}") from error
        except (EOFError, OSError):
            self.leave()
            return None

    def leave(self):
        if self.client is not None:
            self.client.socket.close()
        self.client = None

    def model(self, version, patience):
        """The bytes of the model and its version, once it has so many events; nothing, if it does not come to them."""
        end = time.monotonic() + patience
        while self.process.poll() is None and time.monotonic() < end:
            ledger = self.ask(Ask("GET", "/ledger"))
            if ledger is not None and ledger.status == 200 and ledger.json["version"] >= version:
                model = self.ask(Ask("GET", "/model"))
                if model is not None and model.status == 200:
                    return model.body, ledger.json["version"]
        return None, None

    def end(self, number):
        self.leave()
        if self.process.poll() is None:
            self.process.send_signal(number)
        try:
            return self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise AssertionError("it does not end: " + self.notes()) from None


def life(folder, requests, ended, faults=None):
    """Runs a service through the requests, with the injector if there are faults, and ends it."""
    before = len(events_of(folder, whole=False))
    service = Service(folder, {"LD_PRELOAD": INJECTOR, **faults} if faults else {})
    try:
        if service.listens():
            for request in requests:
                if service.process.poll() is not None:
                    break
                answer = service.ask(request)
                ended.statuses.append(answer and answer.status)
            ready = service.ask(Ask("GET", "/readyz"))
            if ready is not None and ready.status == 200:
                ended.model, _ = service.model(len(events_of(folder)), PATIENCE)
            else:  # the log may have more than what was acknowledged
                certain = sum(len(request.events) for request, status in zip(requests, ended.statuses) if status == 200)
                ended.model, _ = service.model(before + certain, 1)
        ended.ended_early = service.process.poll() is not None
        ended.code = service.end(signal.SIGTERM)
    finally:
        service.leave()
        if service.process.poll() is None:
            service.process.kill()
            service.process.wait()
        ended.notes = service.notes()
    return ended


def events_of(folder, whole=True):
    """The events of a log by a reader of its own: docs/formats/log.md. `whole`: it ends with an event."""
    kinds, found = {1: "learn", 2: "ask", 3: "truth"}, []
    for path in sorted((folder / "log").glob("[0-9]*.log")):
        data = path.read_bytes()
        while data:
            magic, size, number, _ = struct.unpack_from("<IIQQ", data.ljust(24))
            if not whole and len(data) < 24 + size:
                break
            if magic != 0x474C5348 or number != len(found) + 1 or len(data) < 24 + size:
                raise AssertionError(f"{path.name}: event {number} where {len(found) + 1} should be")
            record, data = data[24 : 24 + size], data[24 + size :]
            kind = record[0] & 0x7F
            if record[0] & 0x80:  # a sequence comes first: its number and its source
                record = record[12 + struct.unpack_from("<I", record, 9)[0] :]
            if kind == 4:
                names = {found[event[0] - 1][1] for event in struct.iter_unpack("<Q", record[1:])}
                found.append(("forget", names.pop() if len(names) == 1 else str(names), ""))
            elif kind == 5:
                found.append(("model", "", ""))
            else:
                length = struct.unpack_from("<I", record, 1)[0]
                name, at = record[5 : 5 + length].decode(), 5 + length
                at += 4 + struct.unpack_from("<I", record, at)[0]
                found.append((kinds[kind], name, record[at:].decode()))
    return found


def kept_of(requests, statuses, events):
    """Which requests, and how many events of each, a log has: all that were acknowledged, a beginning of what was
    answered 500 or not at all, and nothing else."""
    kept, at = [], 0
    for request, status in zip(requests, statuses):
        count = 0
        if status == 200:
            count = len(request.events)
            if tuple(events[at : at + count]) != request.events:
                raise AssertionError(
                    f"{request.method} {request.path} was acknowledged; the log has {events[at : at + count]}")
        elif status in (None, 500):
            while count < len(request.events) and events[at : at + count + 1] == list(request.events[: count + 1]):
                count += 1
        if count:
            kept.append((request, count))
        at += count
    if at != len(events):
        raise AssertionError(f"the log has what was refused, or never sent: {events[at:]}")
    return kept


class FailingCalls(unittest.TestCase):
    """Two stages: a new log, and one that has snapshots and an incomplete event at its end."""

    @classmethod
    def setUpClass(cls):
        memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) and "TMPDIR" not in os.environ else None
        cls.folder = Path(tempfile.mkdtemp(prefix="halfspace_calls_", dir=memory))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.models, cls.lock = {}, threading.Lock()
        new = cls.folder / "new"
        new.mkdir()
        for name, seed in (("m", 1), ("other", 2)):
            (new / "d.svm").write_text("\n".join(rows(200, seed)) + "\n", encoding="ascii")
            subprocess.run([COMMAND, "train", "d.svm", "-q", "-o", name],
                           cwd=new, check=True, stdout=subprocess.DEVNULL)
        put = next(request for request in SECOND if request.method == "PUT")
        put.body = (new / "other").read_bytes()
        old = cls.folder / "old"
        shutil.copytree(new, old)
        ended = life(old, FIRST, Ended())
        assert ended.code == 0 and ended.statuses == [request.usual for request in FIRST], ended.notes
        cls.before = events_of(old)
        with open(max((old / "log").glob("[0-9]*.log")), "ab") as segment:
            segment.write(b"HSLG incomplete")

    def stage(self, name):
        """A folder of its own for a life of this stage."""
        folder = Path(tempfile.mkdtemp(prefix=name, dir=self.folder))
        shutil.copytree(self.folder / name, folder, dirs_exist_ok=True)
        self.addCleanup(shutil.rmtree, folder, True)
        return folder

    def undisturbed(self, name, kept):
        """The model of a service that got exactly these requests."""
        key = (name, tuple((id(request), count) for request, count in kept))
        with self.lock:
            found = self.models.get(key)
        if found is None:
            requests = [request.first(count) for request, count in kept]
            ended = life(self.stage(name), requests, Ended())
            self.assertEqual(ended.code, 0, ended.notes)
            found = ended.model if set(ended.statuses) <= {200} else b""
            with self.lock:
                self.models[key] = found
        return found

    def one_call(self, name, requests, call, error, number):
        """One call fails. Returns whether there were so many."""
        folder = self.stage(name)
        (folder / "trace").touch()
        (folder / "sizes").write_bytes(bytes(8))
        kind = "short" if error == "short" else str(getattr(errno, error))
        fault = {"FAULT_REQUEST": str(number)} if call == "memory" else {
            "FAULT_NAME": call, "FAULT_AT": str(number), "FAULT_KIND": kind}
        ended = Ended()
        try:
            life(folder, requests, ended, {"FAULT_TRACE": str(folder / "trace"),
                 "FAULT_REQUESTS": str(folder / "sizes"), **fault})
            self.check(folder, name, requests, ended, call)
        except AssertionError as failed:
            self.failures.append(
                f"{name}: {call} {number} {error}: {failed}\nexit {ended.code}, {ended.statuses}\n{ended.notes}")
        reached = struct.unpack("<Q", (folder / "sizes").read_bytes()
                                )[0] if call == "memory" else (folder / "trace").read_bytes().count(b"\n")
        shutil.rmtree(folder)
        return reached >= number

    def check(self, folder, name, requests, ended, call):
        self.assertIn(ended.code, CODES)
        if ended.code != 0:
            self.assertRegex(ended.notes, r"(?m)^halfspace: .+\n  fix: ")
        else:
            self.assertFalse(ended.ended_early, "it ended before the signal")
        if call not in ("memory", "pthread_create") and not ended.ended_early:
            for request, status in zip(requests, ended.statuses):
                if not request.events and request.method != "GET" and status is not None:
                    self.assertIn(status, (request.usual, 503) if request.usual != 200 else (200,), request.path)
        if 500 in ended.statuses and 503 in ended.statuses and ended.code == 0:
            self.assertIn("warning: log: the disk failed", ended.notes)
        kept = self.reopened(folder, name, requests, ended)
        if ended.model is not None:
            happened = [(request, count) for request, count in kept if ended.statuses[requests.index(request)] != 500]
            if ended.model not in (self.undisturbed(name, kept), self.undisturbed(name, happened)):
                raise AssertionError("the model that was served is not that of the acknowledged events")

    def reopened(self, folder, name, requests, ended):
        """What the log has once it is opened again, without a fault; the model must be that of an undisturbed life."""
        service = Service(folder, {})
        try:
            self.assertTrue(service.listens(), service.notes())
            model, version = service.model(0, PATIENCE)
            events = events_of(folder)
            self.assertEqual(version, len(events))
            before = self.before if name == "old" else []
            self.assertEqual(events[: len(before)], before)
            kept = kept_of(requests, ended.statuses, events[len(before) :])
            if model != self.undisturbed(name, kept):
                raise AssertionError("the log's model is not that of its events")
            if name == "new" and any(kind in ("learn", "truth") for kind, _, _ in events):
                trained = subprocess.run([COMMAND, "train", "log", "--resume", "log/begin.model", "-q", "-o", "trained"], cwd=folder,
                                         check=False, capture_output=True, text=True)  # fmt: skip
                self.assertEqual(trained.returncode, 0, trained.stderr)
                (folder / "served").write_bytes(model)
                self.assertEqual(weights(folder, "trained"), weights(folder, "served"))
        finally:
            service.end(signal.SIGKILL)
        return kept

    def calls(self, name, requests):
        """How many calls of each kind an undisturbed life makes."""
        folder = self.stage(name)
        (folder / "sizes").write_bytes(bytes(8))
        ended = life(folder, requests, Ended(), {
                     "FAULT_NAME": "*", "FAULT_TRACE": str(folder / "trace"), "FAULT_REQUESTS": str(folder / "sizes")})
        self.assertEqual((ended.code, ended.statuses), (0, [request.usual for request in requests]), ended.notes)
        names = [line.split()[0] for line in (folder / "trace").read_text(encoding="ascii").splitlines()]
        counts = {call: names.count(call) for call in ERRORS}
        counts["memory"] = struct.unpack("<Q", (folder / "sizes").read_bytes())[0]
        self.assertLessEqual(set(names), set(ERRORS), "a kind of call that has no errors here")
        return counts

    def try_all(self, name, requests):
        chosen = os.environ["HALFSPACE_KINDS"].split(",") if "HALFSPACE_KINDS" in os.environ else list(ERRORS)
        draw = random.Random(int(os.environ.get("HALFSPACE_SEED", "1")))
        counts = self.calls(name, requests)
        self.assertGreater(min(counts[call]
                           for call in ("open", "read", "write", "fdatasync", "recv", "accept4")), 0, counts)
        self.failures, trials = [], []
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            for call in chosen:
                for error in ERRORS[call]:
                    last = counts[call]
                    numbers = range(1, last + 1) if EVERY else draw.sample(range(1,
                                                                                 last + 1), min(SAMPLE.get(call, 2), last))
                    trials += [pool.submit(self.one_call, name, requests, call, error, number) for number in numbers]
                    if EVERY and last > 0:  # with several threads there may be more calls than the time before
                        concurrent.futures.wait(trials)
                        while self.one_call(name, requests, call, error, last := last + 1):
                            pass
            for trial in trials:
                trial.result()
        print(f"{name}: {len(trials)} faults,", {call: count for call, count in counts.items() if count}, file=sys.stderr)
        self.assertEqual(len(self.failures), 0, "\n\n".join(self.failures[:50]))

    def test_of_a_new_log(self):
        self.try_all("new", FIRST)

    def test_of_a_log_that_goes_on(self):
        self.try_all("old", SECOND)


def weights(folder, model):
    """What a model is, without the data that it names as its own."""
    shown = subprocess.run([COMMAND, "inspect", model, "--json"], cwd=folder,
                           check=True, capture_output=True, text=True)
    found = json.loads(shown.stdout)
    provenance = found.pop("provenance")
    return found, [provenance[key] for key in ("rounds", "mistakes", "updates")]


if __name__ == "__main__":
    COMMAND, INJECTOR = os.path.abspath(sys.argv.pop(1)), os.path.abspath(sys.argv.pop(1))
    unittest.main()
