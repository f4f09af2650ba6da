"""The client of `halfspace serve`: against the command, and against a server that fails as it is told to."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

import halfspace
import halfspace.client
from halfspace import Client, Learned, Prediction, ServiceError, Taken
from support import command

PATIENCE = 60  # seconds for what takes milliseconds on an idle machine
TOKEN = "a-token-of-twenty-four-c"
CREDIT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "examples", "credit.csv")


def rows_of_text(count):
    """Rows of two classes in LIBSVM's format."""
    state, lines = 1, []
    for _ in range(count):
        values = []
        for _ in range(8):
            state = (state * 1664525 + 1013904223) % 2**32
            values.append(state / 2**31 - 1)
        label = 1 if sum(values[:3]) > 0 else -1
        lines.append(f"{label} " + " ".join(f"{i + 1}:{value:.4f}" for i, value in enumerate(values)))
    return lines


ROWS = rows_of_text(200)


def write(path, lines):
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    folder = tmp_path_factory.mktemp("model")
    halfspace.train(write(folder / "d.svm", ROWS), rule="ftrl").save(folder / "m")
    return folder / "m"


class Served:
    """A running `halfspace serve`, over TCP on a free port, or on a Unix socket."""

    def __init__(self, model, folder, *flags, unix=False):
        self.socket = folder / "s"
        where = ["--socket", self.socket] if unix else ["--port", "0"]
        first = [] if model is None else [model]
        self.process = subprocess.Popen([command(), "serve", *first, "--log", folder / "log", *where, *flags],
                                        stderr=subprocess.PIPE, text=True)
        notes, self.url = "", None
        for line in self.process.stderr:
            notes += line
            found = re.match(r"listening on (\S+), model version", line)
            if found:
                self.url = found[1]
                break
        if self.url is None:
            self.process.wait(PATIENCE)
            self.process.stderr.close()
            if "cannot load GNU libmicrohttpd" in notes:
                pytest.skip("GNU libmicrohttpd is not installed")
            raise RuntimeError(notes)
        self.unix = unix

    def client(self, **options):
        options = {"timeout": PATIENCE, **options}
        return Client(socket=self.socket, **options) if self.unix else Client(self.url, **options)

    def pause(self):
        """Stops every thread, until SIGCONT."""
        os.kill(self.process.pid, signal.SIGSTOP)
        os.waitid(os.P_PID, self.process.pid, os.WSTOPPED)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait(PATIENCE)
        self.process.stderr.close()


@pytest.fixture(params=["tcp", "unix"])
def served(request, model, tmp_path):
    with Served(model, tmp_path, unix=request.param == "unix") as served:
        yield served


def ledger_of(client, version):
    """The ledger, once it is of this version: models are published a little later than they learn."""
    while True:
        ledger = client.ledger()
        if ledger["version"] >= version:
            return ledger


# ---- Against the command ----


def test_predictions_are_those_of_the_model(served, model, tmp_path):
    path = write(tmp_path / "new.svm", ROWS[:50])
    own = halfspace.load(model)
    labels, scores = own.predict(path), own.decision_function(path).tolist()
    chances = own.predict_proba(path)
    with served.client() as client:
        assert client.ready()
        found = client.predict(ROWS[:50])
        assert [each.label for each in found] == labels and len(set(labels)) == 2
        assert [each.score for each in found] == scores
        assert [each.probability for each in found] == [
            chances[i, own.classes.index(label)] for i, label in enumerate(labels)]
        assert all(each.refused is None for each in found)
        assert client.predict("\n".join(ROWS[:50])) == found, "one string of several lines"
        with open(path) as file:
            assert client.predict(file) == found, "lines as a file has them"
        assert client.predict(ROWS[0]) == found[:1]
        assert client.predict([]) == []


def test_the_columns_of_rows_and_rows_that_are_not_read(served, model):
    bad = ["1 1:x"] * 150
    with served.client() as client:
        schema = client.schema()
        assert (schema["format"], schema["columns"], sorted(schema["classes"])) == ("libsvm", [], ["-1", "1"])
        found = client.predict(bad)
        assert [each.refused.line for each in found] == list(range(1, 151))
        assert found[99].refused.error != found[100].refused.error
        learned = client.learn(bad)
        assert (learned.rows, len(learned.refused), learned.refused_more) == (0, 100, 50)
        assert client.truths([("never", 1)] * 130).refused_more == 30


def test_what_was_learned_is_the_model_that_predicts(served, model, tmp_path):
    path = write(tmp_path / "new.svm", ROWS[:50])
    with served.client() as client:
        assert client.learn(ROWS) == Learned(200, 1)
        assert client.learn(ROWS[0]) == Learned(1, 201)
        assert client.learn([]) == Learned(0, None)
        assert ledger_of(client, 201)["learned"] == 201
        now = client.model()
        assert now.to_bytes() != halfspace.load(model).to_bytes()
        assert [each.score for each in client.predict(ROWS[:50])] == now.decision_function(path).tolist()
        assert client.replace(halfspace.load(model)) == 202
        ledger_of(client, 202)
        before = halfspace.load(model).decision_function(path).tolist()
        assert [each.score for each in client.predict(ROWS[:50])] == before
        assert client.replace(now.to_bytes()) == 203
        with pytest.raises(ServiceError) as caught:
            client.replace(b"no model")
        assert caught.value.status == 422 and client.ready()


def test_labels_that_come_late(served):
    with served.client() as client:
        for id in (17, "a/b?c=d&e", "grün 1"):
            assert client.predict("1:1 2:1 3:1", id)[0].label == "1"
        client.truth("a/b?c=d&e", -1)
        assert client.truths([(17, "1"), ("never", 1)]).labels == 1
        with pytest.raises(ServiceError) as caught:
            client.truth(17, 1)
        assert "no row with this id waits" in caught.value.error and caught.value.fix
        taken = client.truths({"grün 1": 1, 17: 1, "x": 1})
        assert taken.labels == 1 and [each.line for each in taken.refused] == [2, 3]
        assert client.truths([]) == Taken(0)
        served_rows = ledger_of(client, 6)["served"]
        assert (served_rows["asked"], served_rows["labels"], served_rows["mistakes"]) == (3, 3, 1)


def test_an_id_that_waits_already_does_not_fit(served):
    with served.client() as client:
        client.predict("1:1", id="twice")
        with pytest.raises(ServiceError) as caught:
            client.predict("1:1", id="twice")
        assert caught.value.status == 409 and "waits" in str(caught.value)
        with pytest.raises(ServiceError) as caught:
            client.predict(["1:1", "1:2"], id="of two")
        assert caught.value.status == 422
        with pytest.raises(ValueError, match="the id is empty"):
            client.predict("1:1", id="")


def test_what_is_forgotten_was_never_there(served):
    with served.client() as client:
        client.learn(ROWS[:20])
        before = ledger_of(client, 20)["mistakes"]
        model = client.model()
        client.learn("-1 1:1 2:1 3:1", id="a/b c")
        assert ledger_of(client, 21)["mistakes"] > before
        receipt = client.forget("a/b c")
        assert receipt.forgotten == 1 and receipt.events == 22
        assert len(receipt.log) == len(receipt.model) == 64 and receipt.log != receipt.model
        assert ledger_of(client, 22)["learned"] == 20
        assert client.model().to_bytes() == model.to_bytes()
        with pytest.raises(ServiceError) as caught:
            client.forget("a/b c")
        assert caught.value.status == 404


def test_numbered_requests_count_once(served):
    label, row = ROWS[5].split(" ", 1)
    with served.client() as client:
        for rows, repeated in ((5, 0), (0, 5)):
            learned = client.learn(ROWS[:5], sequence=3, source="a/0")
            assert (learned.rows, learned.repeated) == (rows, repeated)
            client.predict(row, id="q", sequence=4, source="a/0")
            client.truth("q", label, sequence=5, source="a/0")
        assert client.learn(ROWS[0]).repeated == 0
        assert ledger_of(client, 8)["sequences"] == {"a/0": 5}
        with pytest.raises(ValueError, match="without a sequence"):
            client.learn(ROWS[0], source="b")


def test_refused_rows_keep_no_other_back(served):
    with served.client() as client:
        found = client.predict([ROWS[0], "1 2:x", ROWS[1], ""])
        assert [each.refused is None for each in found] == [True, False, True, False]
        assert found[1] == Prediction(None, None, None, found[1].refused)
        assert (found[1].refused.line, found[3].refused.line) == (2, 4)
        assert found[1].refused.column > 1 and found[1].refused.error in str(found[1].refused)
        assert [each.refused.line for each in client.predict(["1 2:x", "?"])] == [1, 2], "all of them"
        learned = client.learn([ROWS[0], "1 2:x", ROWS[1]])
        assert (learned.rows, learned.first, [each.line for each in learned.refused]) == (2, 1, [2])
        learned = client.learn("1 2:x")
        assert (learned.rows, learned.first, len(learned.refused)) == (0, None, 1)


def test_changes_need_the_token(model, tmp_path):
    (tmp_path / "token").write_text(TOKEN + "\n")
    with Served(model, tmp_path, "--token-file", tmp_path / "token") as served:
        for token in (None, "a-token-of-another-serv"):
            with served.client(token=token) as client:
                for change in (lambda: client.learn(ROWS), lambda: client.predict("1:1", id=1),
                               lambda: client.truths({1: 1}), lambda: client.forget(1),
                               lambda: client.replace(b"no model")):
                    with pytest.raises(ServiceError) as caught:
                        change()
                    assert caught.value.status == 401 and "Authorization" in caught.value.fix
                assert client.predict("1:1")[0].label and client.ledger()["version"] == 0
        with served.client(token=TOKEN + "\n") as client:
            assert client.learn(ROWS).rows == 200


def test_dicts_are_rows_of_json_lines(tmp_path):
    rows = [{"length": i % 7, "links": i % 3, "note": f'"{i % 2}"\n', "spam": "yes" if i % 7 > 3 else "no"}
            for i in range(90)]
    path = write(tmp_path / "d.jsonl", map(json.dumps, rows))
    halfspace.train(path, label="spam").save(tmp_path / "m")
    with Served(tmp_path / "m", tmp_path) as served, served.client() as client:
        bare = [{key: row[key] for key in ("length", "links", "note")} for row in rows]
        found = [each.label for each in client.predict(bare)]
        assert found == halfspace.load(tmp_path / "m").predict(path) and set(found) == {"yes", "no"}
        assert client.predict(bare[0])[0].label == found[0]
        assert client.learn(rows).rows == 90
        with pytest.raises(TypeError, match="a value of a row"):
            client.predict({"length": object()})
        with pytest.raises(ValueError, match="JSON"):
            client.predict({"length": float("nan")})


def test_rows_of_a_table(tmp_path):
    halfspace.train(CREDIT, id="applicant", label="decision").save(tmp_path / "m")
    with open(CREDIT) as file:
        lines = file.read().splitlines()[1:]
    with Served(tmp_path / "m", tmp_path, unix=True) as served, served.client() as client:
        assert [each.label for each in client.predict(lines)] == halfspace.load(tmp_path / "m").predict(CREDIT)


def test_threads_share_a_client(served):
    with served.client() as client, ThreadPoolExecutor(8) as pool:
        firsts = list(pool.map(lambda i: client.learn(ROWS[i], id=i).first, range(200)))
        assert sorted(firsts) == list(range(1, 201))
        assert ledger_of(client, 200)["learned"] == 200


def test_a_connection_that_was_idle_is_opened_again(model, tmp_path):
    with Served(model, tmp_path, "--idle", "1") as served, served.client() as client:
        assert client.learn(ROWS[0]).first == 1
        assert client._connection.sock.recv(1) == b"", "the service closes it after a second"
        assert client.learn(ROWS[0]).first == 2


def test_a_server_that_is_killed_may_have_learned(model, tmp_path):
    with Served(model, tmp_path, unix=True) as served, served.client() as client:
        assert client.learn(ROWS[:3]).rows == 3
        getresponse = client._connection.getresponse

        def kill():
            served.process.kill()
            served.process.wait(PATIENCE)
            return getresponse()

        served.pause()
        client._connection.getresponse = kill
        with pytest.raises(ConnectionError, match="not known whether"):
            client.learn(ROWS[3])
        client._connection.getresponse = getresponse
        assert not client.ready()
        for ask in (lambda: client.learn(ROWS[4]), lambda: client.predict(ROWS[4])):
            with pytest.raises(OSError):
                ask()
        with Served(None, tmp_path, unix=True):
            assert client.ready() and client.ledger()["learned"] == 3
            assert client.learn(ROWS[3]).first == 4


def test_an_answer_that_takes_too_long(model, tmp_path):
    with Served(model, tmp_path) as served, served.client(timeout=0.5) as client:
        served.pause()
        connect, connects = client._connection.connect, []
        client._connection.connect = lambda: connects.append(connect())
        with pytest.raises(socket.timeout):
            client.predict(ROWS[0])
        assert len(connects) == 1, "it is not asked again"
        with pytest.raises(ConnectionError, match="not known whether"):
            client.learn(ROWS[0])
        os.kill(served.process.pid, signal.SIGCONT)
        with served.client() as patient:
            assert ledger_of(patient, 1)["learned"] == 1, "it happened"


def test_the_path_of_an_address_comes_first(model, tmp_path):
    with Served(model, tmp_path) as served, Client(served.url + "/models/a/", timeout=PATIENCE) as client:
        with pytest.raises(ServiceError, match="nothing at /models/a/ledger") as caught:
            client.ledger()
        assert caught.value.status == 404


# ---- Against a server that fails ----

CUT = object()  # reads the request, and closes the connection
UNREAD = object()  # reads the head, and closes the connection


class Early(bytes):
    """An answer after the head, with the body unread; then the connection is closed."""


class Last(bytes):
    """An answer, or a part of one; then the connection is closed."""


def answer(status, body="{}", *fields):
    lines = [f"HTTP/1.1 {status} Because", f"Content-Length: {len(body)}", *fields, "", body]
    return "\r\n".join(lines).encode()


LEARNED = answer(200, '{"rows":1,"first":1,"refused":[]}')
PREDICTED = answer(200, '{"version":0,"predictions":[{"label":"a","score":0.5}]}')
BUSY = answer(429, '{"error":"busy","fix":"wait"}', "Retry-After: 7")


class Failing:
    """A server on a Unix socket that answers as `script` has it, request by request, and keeps their heads."""

    def __init__(self, folder, *script):
        self.path, self.script, self.requests = str(folder / "f"), list(script), []
        self.listening = socket.socket(socket.AF_UNIX)
        self.listening.bind(self.path)
        self.listening.listen()
        self.thread = threading.Thread(target=self.serve)
        self.thread.start()

    def serve(self):
        while self.script:
            connection = self.listening.accept()[0]
            connection.settimeout(PATIENCE)
            with connection, connection.makefile("rb") as stream:
                while self.script and self.answer(connection, stream):
                    pass

    def answer(self, connection, stream):
        """Whether the connection stays open."""
        head = stream.readline().decode()
        if not head:
            return False
        length = 0
        for line in iter(stream.readline, b"\r\n"):
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        what = self.script.pop(0)
        if what is UNREAD:
            self.requests.append("unread")
            return False
        if not isinstance(what, Early):
            stream.read(length)
        self.requests.append(head.rsplit(" ", 1)[0])
        if what is CUT:
            return False
        try:
            connection.sendall(what)
        except ConnectionError:  # the client has left
            return False
        return type(what) is bytes

    def __enter__(self):
        return Client(socket=self.path, timeout=PATIENCE), self.requests

    def __exit__(self, *_):
        while self.script and self.thread.is_alive():  # a test that failed
            self.script.clear()
            with socket.socket(socket.AF_UNIX) as last:
                last.connect(self.path)
        self.thread.join(PATIENCE)
        self.listening.close()


@pytest.fixture
def waits(monkeypatch):
    """The seconds that clients wait, which they do not."""
    found = []
    monkeypatch.setattr(halfspace.client.time, "sleep", found.append)
    return found


def test_waits_for_room(tmp_path, waits):
    full = answer(503, '{"error":"full"}', "Retry-After: 2")
    dated = answer(429, "{}", "Retry-After: Fri, 31 Dec 1999 23:59:59 GMT")
    with Failing(tmp_path, BUSY, full, dated, LEARNED) as (client, requests), client:
        assert client.learn(["1 1:1"], id="x y").rows == 1
    assert waits == [7, 2, 1] and requests == ["POST /learn?id=x%20y"] * 4


def test_waits_three_times_at_most(tmp_path, waits):
    with Failing(tmp_path, BUSY, BUSY, BUSY, BUSY, LEARNED) as (client, requests), client:
        with pytest.raises(ServiceError) as caught:
            client.learn("1 1:1")
        assert (caught.value.status, caught.value.error, caught.value.fix) == (429, "busy", "wait")
        assert waits == [7, 7, 7] and len(requests) == 4
        assert client.learn("1 1:1").rows == 1, "the connection is still good"


@pytest.mark.parametrize("given", [answer(503, '{"error":"down"}'), answer(503, "{}", "Retry-After: 3600"),
                                   answer(500, "{}", "Retry-After: 1"), answer(502, "<html>", "Retry-After: 1")])
def test_other_errors_are_raised_at_once(given, tmp_path, waits):
    with Failing(tmp_path, given) as (client, requests), client:
        with pytest.raises(ServiceError) as caught:
            client.learn("1 1:1")
    assert caught.value.status >= 500 and caught.value.error and waits == [] and len(requests) == 1


def test_a_service_that_is_not_ready(tmp_path, waits):
    with Failing(tmp_path, answer(503, "{}", "Retry-After: 1"), answer(200, "ready\n")) as (client, requests), client:
        assert not client.ready() and waits == []
        assert client.ready() and requests == ["GET /readyz"] * 2


CHANGES = [lambda client: client.learn("1 1:1"), lambda client: client.predict("1:1", id=1),
           lambda client: client.truth(1, 1), lambda client: client.forget(1),
           lambda client: client.replace(b"a model")]


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("what", [CUT, Last(LEARNED[:5]), Last(LEARNED[:30]), Last(LEARNED[:-40]), Last(LEARNED[:-3])])
def test_changes_are_not_repeated(change, what, tmp_path):
    with Failing(tmp_path, what, LEARNED) as (client, requests), client:
        with pytest.raises(ConnectionError, match="not known whether"):
            change(client)
        assert len(requests) == 1


def test_numbered_changes_are_repeated_once(tmp_path):
    with Failing(tmp_path, CUT, LEARNED, CUT, CUT) as (client, requests), client:
        assert client.learn("1 1:1", sequence=1).rows == 1 and len(requests) == 2
        with pytest.raises(ConnectionError):
            client.learn("1 1:1", sequence=2)
        assert len(requests) == 4


@pytest.mark.parametrize("what", [CUT, Last(PREDICTED[:30]), Last(PREDICTED[:-3]), Last(b"no HTTP\r\n\r\n")])
def test_predictions_are_asked_again_once(what, tmp_path):
    with Failing(tmp_path, what, PREDICTED, what, what) as (client, requests), client:
        assert client.predict("1:1") == [Prediction("a", 0.5, None)]
        assert requests == ["POST /predict"] * 2
        with pytest.raises(ConnectionError):
            client.predict("1:1")
        assert requests == ["POST /predict"] * 4


def test_a_change_that_was_not_sent_whole_is_sent_again(tmp_path):
    rows = ["1 1:1"] * 10**6  # more than buffers take
    with Failing(tmp_path, UNREAD, LEARNED, UNREAD, UNREAD) as (client, requests), client:
        assert client.learn(rows).rows == 1
        assert requests == ["unread", "POST /learn"]
        with pytest.raises(ConnectionError) as caught:
            client.learn(rows)
        assert "not known" not in str(caught.value)
        assert requests[2:] == ["unread", "unread"]


def test_an_answer_before_the_request_was_sent_whole(tmp_path):
    with Failing(tmp_path, Early(answer(413, '{"error":"too long"}'))) as (client, requests), client:
        with pytest.raises(ServiceError, match="too long"):
            client.learn(["1 1:1"] * 10**6)
    assert len(requests) == 1


def test_a_closed_connection_is_opened_again_before_a_change(tmp_path):
    with Failing(tmp_path, Last(LEARNED), LEARNED) as (client, requests), client:
        assert client.learn("1 1:1").rows == 1
        assert client._connection.sock.recv(1) == b"", "it is closed by now"
        assert client.learn("1 1:1").rows == 1
    assert requests == ["POST /learn"] * 2


def test_an_interrupt_leaves_no_answer_behind(tmp_path):
    with Failing(tmp_path, LEARNED, PREDICTED) as (client, requests), client:
        getresponse = client._connection.getresponse

        def interrupt():
            client._connection.getresponse = getresponse
            raise KeyboardInterrupt

        client._connection.getresponse = interrupt
        with pytest.raises(KeyboardInterrupt):
            client.learn("1 1:1")
        assert client.predict("1:1")[0].label == "a"


# ---- What needs no server ----


@pytest.mark.parametrize("url", ["localhost:8080", "ftp://localhost", "http://", "http://user@localhost", "8080",
                                 "http://localhost/?a=1", "http://localhost:x"])
def test_addresses_that_are_none(url):
    with pytest.raises(ValueError):
        Client(url)


def test_addresses():
    for url, host, port, prefix in [("http://[::1]:81/", "::1", 81, ""), ("http://[::1]", "::1", 80, ""),
                                    ("https://a.example/models/b/", "a.example", 443, "/models/b")]:
        client = Client(url)
        assert (client._connection.host, client._connection.port, client._prefix) == (host, port, prefix)


@pytest.mark.parametrize("rows,error", [([b"1:1"], TypeError), (3, TypeError), (["1:1\n1:2"], ValueError),
                                        ([{"a": {1, 2}}], TypeError)])
def test_rows_that_are_none(rows, error, tmp_path):
    with pytest.raises(error):
        Client(socket=tmp_path / "none").predict(rows)


def test_values_of_numpy_are_numbers():
    np = pytest.importorskip("numpy")
    assert halfspace.client._lines({"a": np.int64(3), "b": np.float32(0.5)}) == b'{"a": 3, "b": 0.5}\n'


def test_the_client_loads_neither_numpy_nor_the_library():
    program = ("import sys, halfspace; halfspace.Client(); "
               "sys.exit('numpy' in sys.modules or 'halfspace._native' in sys.modules)")
    assert subprocess.run([sys.executable, "-c", program]).returncode == 0
