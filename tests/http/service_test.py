"""The service over HTTP: what it answers, what it survives, and that nothing that it acknowledged is lost.

usage: service_test.py HALFSPACE [unittest's arguments]
"""

import json
import os
import resource
import select
import signal
import socket
import stat
import subprocess
import sys
import threading
import time
import unittest

from served import PATIENCE, TOKEN, Folder, Served, request, rows

COMMAND = ""
BEARER = (f"Authorization: Bearer {TOKEN}",)


class ServiceTest(unittest.TestCase):
    def setUp(self):
        self.folder = Folder(COMMAND)
        self.addCleanup(self.folder.remove)
        self.path = self.folder.path

    def serve(self, *flags, **how):
        served = Served(COMMAND, self.path, *flags, **how)
        self.addCleanup(served.__exit__)
        return served

    def refused(self, *flags, **how):
        with self.assertRaises(RuntimeError) as raised:
            self.serve(*flags, **how)
        return str(raised.exception)


class Requests(ServiceTest):
    def test_predict_learn_truth_and_forget(self):
        served = self.serve()
        predicted = served.ask("POST", "/predict", "1:1 2:1 3:1\n1:-1 2:-1 3:-1")
        self.assertEqual([row["label"] for row in predicted.json["predictions"]], ["1", "-1"])
        self.assertEqual(served.ask("POST", "/learn", "\n".join(rows(10))).json["rows"], 10)
        self.assertEqual(served.ask("POST", "/predict?id=case+17", "1:1").status, 200)
        twice = served.ask("POST", "/truth", '{"id": "case 17", "label": "1", "label": "-1"}').json
        self.assertEqual((twice["taken"], len(twice["refused"])), (0, 1), twice)
        self.assertEqual(served.ask("POST", "/truth?id=case%2017", "1").json["taken"], 1)
        ledger = served.ledger(12)
        self.assertEqual((ledger["learned"], ledger["served"]["labels"]), (11, 1))
        self.assertEqual(served.ask("DELETE", "/row/case%2017").json["forgotten"], 2)
        self.assertEqual(served.ask("DELETE", "/row/case%2017").status, 404)
        self.assertEqual(served.ledger(13)["learned"], 10)

    def test_pages_of_its_own(self):
        served = self.serve()
        self.assertEqual(served.ask("GET", "/healthz").body, b"ok\n")
        self.assertEqual(served.ask("GET", "/readyz").status, 200)
        self.assertEqual(served.ask("POST", "/healthz").status, 405)
        with served.client() as client:
            client.send(request("HEAD", "/healthz") + b"GET /nothing HTTP/1.1\r\nHost: localhost\r\n\r\n")
            while b"ok" not in client.unread and b"404" not in client.unread:
                client._more()
            self.assertNotIn(b"ok\n", client.unread)

    def test_metrics_count_every_request_once(self):
        served = self.serve("--threads", "2")
        for _ in range(5):
            served.ask("POST", "/learn", rows(1)[0])
        served.ask("POST", "/learn", "nonsense")
        served.ask("POST", "/truth?id=%7B%22line%22%3A1", "1")  # refuses one, and names it
        served.ask("GET", "/elsewhere/predict")
        text = served.ask("GET", "/metrics").body.decode()
        figures = dict(line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))
        figures = {name: float(value) for name, value in figures.items()}
        counts = {name: value for name, value in figures.items() if name.startswith("halfspace_requests_total")}
        self.assertEqual(counts, {'halfspace_requests_total{route="learn",status="200"}': 5,
                                  'halfspace_requests_total{route="learn",status="422"}': 1,
                                  'halfspace_requests_total{route="truth",status="422"}': 1,
                                  'halfspace_requests_total{route="other",status="404"}': 1})  # fmt: skip
        buckets = [value for name, value in figures.items() if name.startswith("halfspace_request_seconds_bucket")]
        self.assertEqual(buckets, sorted(buckets))
        self.assertEqual(buckets[-1], 8)
        self.assertEqual(figures["halfspace_request_seconds_count"], 8)
        self.assertEqual((figures["halfspace_rows_learned"], figures["halfspace_version"]), (5, 5))
        self.assertEqual(figures["halfspace_refused_total"], 2)
        self.assertEqual((figures["halfspace_requests_waiting"], figures["halfspace_writable"]), (0, 1))

    def test_predictions_go_on_while_a_large_model_is_encoded(self):
        many = 3_000_000
        (self.path / "wide.svm").write_text("1 " +
                                            " ".join(f"{i}:1" for i in range(1, many + 1)) + "\n-1 1:1\n", encoding="ascii")
        subprocess.run([COMMAND, "train", str(self.path / "wide.svm"), "-q", "--preset", "averaged", "-o", str(self.path / "wide")],
                       check=True, stdout=subprocess.DEVNULL)  # fmt: skip
        served = self.serve(model="wide")
        earlier = 0
        with served.client() as first, served.client() as second:
            for version in range(1, 6):
                served.ask("POST", "/learn", "1 1:1")
                served.ledger(version)
                first.send(request("GET", "/model"))
                self.assertEqual(second.ask("POST", "/predict", "1:1").status, 200)
                earlier += not select.select([first.socket], [], [], 0)[0]
                model = first.answer()
                self.assertEqual((model.status, len(model.body) > 8 * many), (200, True))
                if earlier:
                    break
            first.send(request("GET", "/model"))
            self.assertEqual(first.answer().body, model.body)
        self.assertGreater(earlier, 0, "each prediction waited for the model that was asked for before it")

    def test_pipelined_requests_are_answered_in_order(self):
        served = self.serve()
        with served.client() as client:
            client.send(b"".join(request("POST", "/learn", row) + request("POST", "/predict", "1:1") + request("GET", "/healthz")
                                 for row in rows(50)))  # fmt: skip
            for i in range(50):
                self.assertEqual(client.answer().json["first"], i + 1)
                self.assertIn("predictions", client.answer().json)
                self.assertEqual(client.answer().body, b"ok\n")

    def test_many_clients_at_once_lose_nothing(self):
        served = self.serve("--threads", "2")
        numbers, lock = [], threading.Lock()

        def learn(seed):
            with served.client() as client:
                for row in rows(50, seed):
                    first = client.ask("POST", "/learn", row).json["first"]
                    client.ask("POST", "/predict", "1:1 2:1")
                    with lock:
                        numbers.append(first)

        together([threading.Thread(target=learn, args=(seed,)) for seed in range(8)])
        self.assertEqual(sorted(numbers), list(range(1, 401)))
        self.assertEqual(served.ledger(400)["learned"], 400)


class Addresses(ServiceTest):
    def test_a_unix_socket_is_made_and_removed(self):
        path = str(self.path / "socket")
        served = self.serve(address=("--socket", path))
        self.assertEqual(served.ask("POST", "/learn", rows(1)[0]).status, 200)
        self.assertIn("another process", self.refused(address=("--socket", path)))
        self.assertEqual(served.ask("GET", "/healthz").status, 200)
        self.assertEqual(served.stop(), 0)
        self.assertFalse(os.path.exists(path))

    def test_a_deserted_socket_is_replaced_and_a_file_is_not(self):
        path = str(self.path / "socket")
        self.serve(address=("--socket", path)).stop(signal.SIGKILL)
        self.assertTrue(os.path.exists(path))
        self.serve(address=("--socket", path), model="").stop()
        (self.path / "socket").write_text("precious", encoding="ascii")
        self.assertIn("is no socket", self.refused(address=("--socket", path), model=""))
        self.assertEqual((self.path / "socket").read_text(encoding="ascii"), "precious")

    def test_other_machines_only_by_request_and_with_a_token(self):
        self.assertIn("other machines", self.refused("--address", "0.0.0.0"))
        self.assertIn("--token-file", self.refused("--address", "0.0.0.0", "--any-address"))
        self.assertIn("digits", self.refused("--address", "localhost"))

    def test_a_port_in_use_is_reported(self):
        served = self.serve()
        self.assertIn("another process listens there", self.refused(address=("--port", str(served.address[1]))))

    def test_systemd_passes_a_socket_and_hears_of_the_state(self):
        heard = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.addCleanup(heard.close)
        heard.bind(str(self.path / "notify"))
        heard.settimeout(PATIENCE)
        listening = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(listening.close)
        environment = {"NOTIFY_SOCKET": str(self.path / "notify"), "WATCHDOG_USEC": "300000"}
        number = listening.fileno()
        served = self.serve(address=(), environment=environment, pass_fds=(number,),
                            shell=f"exec 3<&{number}; export LISTEN_FDS=1 LISTEN_PID=$$;")  # fmt: skip
        self.assertEqual(served.address, listening.getsockname())
        self.assertEqual(heard.recv(100), b"READY=1")
        self.assertEqual(heard.recv(100), b"WATCHDOG=1")
        self.assertEqual(served.ask("GET", "/healthz").status, 200)
        self.assertEqual(served.stop(), 0)
        states = [heard.recv(100)]
        while states[-1] == b"WATCHDOG=1":
            states.append(heard.recv(100))
        self.assertEqual(states[-1], b"STOPPING=1")


class Tokens(ServiceTest):
    def test_changes_need_the_token_and_predictions_do_not(self):
        served = self.serve("--token-file", str(self.path / "token"))
        row = rows(1)[0]
        changes = [("POST", "/learn", row), ("POST", "/truth?id=1", "1"),
                   ("POST", "/predict?id=1", "1:1"), ("DELETE", "/row/1", ""), ("PUT", "/model", "x")]
        wrong = [(), ("Authorization: Bearer wrong",), (f"Authorization: Bearer {TOKEN}x",), (f"Authorization: Bearer {TOKEN[:-1]}",),
                 ("Authorization: Bearer ",), ("Authorization:",), (f"Authorization: Basic {TOKEN}",), BEARER * 2]  # fmt: skip
        for change in changes:
            for fields in wrong:
                answer = served.ask(*change, fields)
                self.assertEqual((answer.status, answer.fields["www-authenticate"]), (401, "bearer"), (change, fields))
        self.assertEqual(served.ask("POST", "/predict", "1:1").status, 200)
        self.assertEqual(served.ledger()["version"], 0)
        self.assertEqual(served.ask("POST", "/learn", row, BEARER).status, 200)
        self.assertNotIn(TOKEN, "".join(served.notes))

    def test_a_refused_body_leaves_the_connection_usable(self):
        served = self.serve("--token-file", str(self.path / "token"))
        with served.client() as client:
            self.assertEqual(client.ask("POST", "/learn", rows(1)[0] * 1000).status, 401)
            self.assertEqual(client.ask("POST", "/learn", rows(1)[0], BEARER).status, 200)

    def test_pages_of_other_sites_change_nothing(self):
        served = self.serve()
        origin = ("Origin: https://elsewhere.example",)
        self.assertEqual(served.ask("POST", "/learn", rows(1)[0], origin).status, 403)
        self.assertEqual(served.ask("POST", "/predict", "1:1", origin).status, 200)
        self.assertEqual(served.ledger()["version"], 0)

    def test_weak_tokens_are_refused(self):
        for text in ["", "short\n", "with a blank in it, and long\n", "x" * 600, "two-lines-of-a-token\nand-another-one\n"]:
            (self.path / "weak").write_text(text, encoding="ascii")
            self.assertIn("a token is one line", self.refused("--token-file", str(self.path / "weak")))

    def test_reads_need_the_token_if_that_is_wanted(self):
        served = self.serve("--token-file", str(self.path / "token"), "--token-for", "all")
        for method, path, body in [("POST", "/predict", "1:1"), ("GET", "/ledger", ""), ("GET", "/model", ""), ("GET", "/", ""), ("GET", "/schema", "")]:
            self.assertEqual(served.ask(method, path, body).status, 401, path)
            self.assertEqual(served.ask(method, path, body, BEARER).status, 200, path)
        for path in ("/healthz", "/readyz", "/metrics"):
            self.assertEqual(served.ask("GET", path).status, 200, path)

    def test_other_names_of_the_service_are_refused(self):
        def status(served, host):
            with served.client() as client:
                client.send(f"GET /ledger HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
                return client.answer().status

        mine, others = ["localhost", "127.0.0.1:80", "[::1]"], ["evil.example", "localhost.evil.example:80", "10.1.2.3"]
        served = self.serve()
        self.assertEqual([status(served, host) for host in mine + others], [200] * 3 + [421] * 3)
        served.stop()
        served = self.serve("--host", "evil.example,other", model="")
        self.assertEqual([status(served, host) for host in [*mine, *others, "OTHER:1"]], [200] * 4 + [421] * 2 + [200])
        served.stop()
        served = self.serve("--any-host", model="")
        self.assertEqual([status(served, host) for host in mine + others], [200] * 6)
        served.stop()
        served = self.serve(model="", address=("--socket", str(self.path / "socket")))
        self.assertEqual([status(served, host) for host in mine + others], [200] * 6)


class Files(ServiceTest):
    def mode(self, path):
        return stat.S_IMODE(os.stat(self.path / path).st_mode)

    def test_the_log_and_the_socket_are_their_owners(self):
        before = os.umask(0)
        try:
            served = self.serve(address=("--socket", str(self.path / "socket")))
            served.ask("POST", "/learn", rows(1)[0])
            self.assertEqual(self.mode("socket"), 0o600)
            served.stop()
            self.serve(model="", address=("--socket", str(self.path / "socket"), "--socket-group"))
            self.assertEqual(self.mode("socket"), 0o660)
        finally:
            os.umask(before)
        self.assertEqual(self.mode("log"), 0o700)
        names = os.listdir(self.path / "log")
        self.assertGreater(len(names), 3)  # the header, the model, the events, a snapshot
        self.assertEqual({self.mode(f"log/{name}") for name in names}, {0o600})

    def test_the_access_log_has_each_request_and_follows_a_rotation(self):
        path = self.path / "access"
        served = self.serve("--access-log", str(path))
        served.ask("POST", "/learn?id=a", rows(1)[0])
        served.ask("GET", "/nothing")
        first = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        self.assertEqual([(line["client"], line["method"], line["path"], line["status"]) for line in first],
                         [("127.0.0.1", "POST", "/learn", 200), ("127.0.0.1", "GET", "/nothing", 404)])  # fmt: skip
        self.assertEqual(set(first[0]), {"time", "client", "method", "path", "status", "seconds", "bytes"})
        self.assertEqual(first[0]["bytes"], len(served.ask("POST", "/learn?id=a", rows(1)[0]).body))
        os.rename(path, self.path / "access.1")
        served.ask("GET", "/healthz")
        self.assertEqual(json.loads(path.read_text(encoding="utf-8"))["path"], "/healthz")
        self.assertEqual(stat.S_IMODE(os.stat(path).st_mode) & 0o077, 0)


class Hostile(ServiceTest):
    def test_bad_lines_have_short_answers(self):
        served = self.serve()
        for body in (b"x\n" * (2 << 20), b"\n" * (4 << 20), b"x" * (4 << 20), b"{" * (4 << 20), b"1:1e308\n" * (1 << 18), b"\xff\n" * (2 << 20)):
            for path in ("/predict", "/learn", "/truth", "/predict?id=1", "/learn?id=1"):
                answer = served.ask("POST", path, body)
                self.assertLess(len(answer.body), 100_000, (path, body[:10]))
                self.assertIsInstance(answer.json, dict)
        with open(f"/proc/{served.process.pid}/status", encoding="ascii") as file:
            peak = next(int(line.split()[1]) for line in file if line.startswith("VmHWM"))
        self.assertLess(peak, 200_000)  # kilobytes

    def test_others_are_answered_during_a_prediction_of_many_rows(self):
        served = self.serve()
        body = "\n".join(rows(1)[0][2:].strip() for _ in range(150_000))
        earlier = 0
        with served.client() as first, served.client() as second:
            for _ in range(5):
                first.send(request("POST", "/predict", body))
                for _ in range(20):
                    self.assertEqual(second.ask("GET", "/healthz").body, b"ok\n")
                    self.assertEqual(len(second.ask("POST", "/predict", "1:1").json["predictions"]), 1)
                earlier += not select.select([first.socket], [], [], 0)[0]
                self.assertEqual(len(first.answer().json["predictions"]), 150_000)
        self.assertGreater(earlier, 0, "each of them waited for the prediction of many rows")

    def test_heads_that_do_not_end(self):
        served = self.serve("--idle", "1", "--connections", "4")
        slow = [served.client() for _ in range(4)]
        for _ in range(40):
            for each in slow:
                try:
                    each.send(b"G")
                except ConnectionError:
                    pass
            time.sleep(0.1)
        self.assertEqual(served.ask("GET", "/healthz").status, 200)
        for each in slow:
            each.socket.close()

    def test_wrong_methods_and_encodings(self):
        served = self.serve()
        for method, path, allow in [("GET", "/learn", "post"), ("POST", "/ledger", "get, head"), ("POST", "/model", "get, head, put"),
                                    ("PUT", "/row/1", "delete"), ("POST", "/healthz", "get, head")]:  # fmt: skip
            answer = served.ask(method, path, "")
            self.assertEqual((answer.status, answer.fields["allow"]), (405, allow))
            self.assertIn("fix", answer.json)
        answer = served.ask("POST", "/predict", b"\x1f\x8b", ("Content-Encoding: gzip",))
        self.assertEqual((answer.status, "Content-Encoding" in answer.json["fix"]), (415, True))
        self.assertEqual(served.ask("POST", "http://elsewhere/predict", "1:1").status, 200)
        self.assertEqual(served.ask("POST", "/predict?ID=1", "1:1").status, 400)

    def closes(self, served, data):
        with served.client() as client:
            client.send(data)
            return client.is_closed()

    def test_half_a_request_times_out(self):
        served = self.serve("--idle", "1")
        for data in [b"", b"GET", b"GET / HTTP/1.1\r\nHost", request("POST", "/learn", rows(1)[0])[:-5]]:
            self.assertTrue(self.closes(served, data), data)
        self.assertEqual(served.ledger()["version"], 0)

    def test_bodies_above_the_limit(self):
        served = self.serve("--body", "1k")
        row = rows(1)[0].encode()
        many = b"\n".join([row] * 20)
        self.assertGreater(len(many), 1024)
        with served.client() as client:
            self.assertEqual(client.ask("POST", "/learn", many).status, 413)
            client.send(b"POST /learn HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n" + chunked(many))
            self.assertEqual(client.answer().status, 413)
            client.send(b"POST /learn HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n" + chunked(row))
            self.assertEqual(client.answer().json["rows"], 1)
            self.assertEqual(client.ask("POST", "/learn", b"\n".join([row] * 5)).json["rows"], 5)
        with served.client() as client:  # a client that waits for a word before it sends the body
            client.send(b"POST /learn HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 2000\r\n\r\n")
            self.assertEqual(client.answer().status, 413)
        with served.client() as client:
            client.send(b"POST /learn HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: %d\r\n\r\n" % len(row))
            self.assertEqual(client.answer().status, 100)
            client.send(row)
            self.assertEqual(client.answer().status, 200)
        with served.client() as client:
            client.send(b"POST /learn HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999\r\n\r\n")
            self.assertEqual(client.answer().status, 413)
            self.assertTrue(client.is_closed())
        self.assertEqual(served.ledger(7)["learned"], 7)

    def test_all_bodies_together_are_limited(self):
        served = self.serve("--bodies", "64k")
        with served.client() as first, served.client() as second:
            for _ in range(60):  # whoever is told that a body is done with may send the next at once
                first.send(b"POST /learn HTTP/1.1\r\nHost: localhost\r\nContent-Length: 60001\r\n\r\n" + b"#" * 60000)
                while True:  # until the first body has arrived
                    answer = second.ask("POST", "/predict", b"1:1 " + b" " * 10000)
                    if answer.status == 503:
                        break
                self.assertEqual(answer.fields["retry-after"], "1")
                first.send(b"\n")
                self.assertIn(first.answer().status, (200, 422))
                self.assertEqual(second.ask("POST", "/predict", b"1:1" + b" " * 10000).status, 200)

    def test_heads_above_the_limit(self):
        served = self.serve()
        for field in [b"X-%d: y\r\n", b"X-%d: " + b"y" * 1000 + b"\r\n"]:
            with served.client() as client:
                try:
                    client.send(b"GET /healthz HTTP/1.1\r\n" + b"".join(field % i for i in range(10**5)) + b"\r\n")
                    self.assertIn(client.answer().status, (400, 413, 431))
                except (EOFError, ConnectionError):
                    pass
        with served.client() as client:
            try:
                client.send(b"GET /" + b"x" * 10**6 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n")
                self.assertIn(client.answer().status, (400, 414))
            except (EOFError, ConnectionError):
                pass
        self.assertEqual(served.ask("GET", "/healthz").status, 200)

    def test_ambiguous_framing_is_refused_and_the_connection_closed(self):
        served = self.serve()
        row = rows(1)[0].encode()
        inner = request("POST", "/learn", row)
        length = b"Content-Length: %d\r\n" % len(inner)
        heads = [
            length + b"Transfer-Encoding: chunked\r\n",
            b"Transfer-Encoding: chunked\r\n" + length,
            length + b"Content-Length: 0\r\n",
            length + length,
            b"Content-Length : %d\r\n" % len(inner),
            b"Content-Length: +%d\r\n" % len(inner),
            b"Content-Length: %d, %d\r\n" % (len(inner), len(inner)),
            b"Content-Length: -1\r\n",
            b"Content-Length: 0x10\r\n",
            b"Content-Length: 18446744073709551617\r\n",
            b"Content-Length:\r\n",
            b"Transfer-Encoding: identity\r\n",
            b"Transfer-Encoding: chunked, identity\r\n",
            b"Transfer-Encoding: xchunked\r\n",
            b"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
            b"Transfer-Encoding : chunked\r\n",
            b"X Y: 1\r\n" + length,
            b"Host: localhost\r\n" + length,
        ]
        for method in ["POST", "GET"]:
            for head in heads:
                with served.client() as client:
                    client.send(f"{method} /learn HTTP/1.1\r\nHost: localhost\r\n".encode() + head + b"\r\n" + inner)
                    try:
                        status = client.answer().status
                        self.assertIn(status, (400, 413, 501), (method, head))
                    except EOFError:
                        pass
                    self.assertTrue(client.is_closed(), (method, head))
                    self.assertNotIn(b"HTTP/1.1 200", client.unread, (method, head))
        with served.client() as client:  # HTTP/1.0 knows no chunks
            client.send(b"POST /learn HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n" + chunked(row))
            self.assertEqual(client.answer().status, 400)
        self.assertEqual(served.ledger()["version"], 0)

    def test_malformed_targets_and_texts(self):
        served = self.serve()
        row = rows(1)[0]
        for path in ["/row/%", "/row/%f", "/row/%zz", "/row/%00", "/row/a%0ab", "/row/%ff", "/row/%c3", "/row/%ed%a0%80", "/learn?a=1&a=2", "/learn?%00"]:
            method = "DELETE" if path.startswith("/row") else "POST"
            self.assertEqual(served.ask(method, path, row).status, 400, path)
        for target in [b"*", b"learn", b"http:///learn"]:
            with served.client() as client:
                client.send(b"POST " + target + b" HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n")
                self.assertEqual(client.answer().status, 400)
        for body in [b"\xff\xfe\x00", b"1 \xc3:1", b"\x00" * 100, b"1 1:1\x00"]:
            self.assertIn(served.ask("POST", "/learn", body).status, (200, 422), body)
        self.assertEqual(served.ask("GET", "/healthz").status, 200)

    def test_noise(self):
        served = self.serve("--idle", "1")
        state = 1
        for _ in range(40):
            noise = bytearray(request("POST", "/learn?id=1", rows(1)[0]))
            for _ in range(6):
                state = (state * 1664525 + 1013904223) % 2**32
                noise[(state >> 8) % len(noise)] = state >> 24
            with served.client() as client:
                client.send(bytes(noise))
                client.socket.shutdown(socket.SHUT_WR)
                self.assertTrue(client.is_closed(), bytes(noise))
        self.assertEqual(served.ask("GET", "/healthz").status, 200)

    def test_a_thousand_idle_connections(self):
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        if hard < 1200:
            self.skipTest("a process may have no 1,200 open files here")
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, 1200), hard))
        served = self.serve("--connections", "1002")
        idle = [served.client() for _ in range(1000)]
        try:
            for client in idle[::100]:
                client.send(b"GET /healthz HT")
            with served.client() as client:
                self.assertEqual(client.ask("POST", "/learn", rows(1)[0]).status, 200)
            for client in idle[::100]:
                client.send(b"TP/1.1\r\nHost: localhost\r\n\r\n")
                self.assertEqual(client.answer().body, b"ok\n")
        finally:
            for client in idle:
                client.socket.close()

    def test_more_connections_than_allowed_wait(self):
        served = self.serve("--connections", "4")
        idle = [served.client() for _ in range(4)]
        for client in idle:
            self.assertEqual(client.ask("GET", "/healthz").status, 200)
        waiting = served.client()
        waiting.send(request("GET", "/healthz"))
        self.assertEqual(select.select([waiting.socket], [], [], 0.3)[0], [])
        for client in idle:
            client.socket.close()
        self.assertEqual(waiting.answer().status, 200)
        waiting.socket.close()


class Durability(ServiceTest):
    def test_requests_beyond_those_that_may_wait_are_put_off(self):
        served = self.serve("--waiting", "1", "--threads", "2")
        acknowledged = 0
        for _ in range(50):  # the first round mostly has some
            clients = [served.client() for _ in range(32)]
            for client in clients:
                client.send(request("POST", "/learn", rows(1)[0]) * 4)
            answers = [client.answer() for client in clients for _ in range(4)]
            for client in clients:
                client.socket.close()
            self.assertLessEqual({answer.status for answer in answers}, {200, 429})
            acknowledged += sum(answer.status == 200 for answer in answers)
            put_off = [answer for answer in answers if answer.status == 429]
            if put_off:
                break
        self.assertEqual(put_off[0].fields["retry-after"], "1")
        self.assertEqual(served.ledger(acknowledged)["learned"], acknowledged)

    def learn_until_gone(self, served, seed, acknowledged, sent):
        """Learns rows with ids until the connection ends; notes the ids that were sent, and those acknowledged."""
        try:
            with served.client() as client:
                for i, row in enumerate(rows(20, seed) * 1000):
                    name = f"{seed}-{i}"
                    sent.append(name)
                    answer = client.ask("POST", f"/learn?id={name}", row)
                    if answer.status == 200:
                        acknowledged.append(name)
                    else:
                        self.assertEqual(answer.status, 503)
        except (EOFError, OSError):
            pass

    def interrupt(self, served, number, seeds, acknowledged, sent, enough):
        learners = [threading.Thread(target=self.learn_until_gone, args=(
            served, seed, acknowledged, sent)) for seed in seeds]
        for learner in learners:
            learner.start()
        while len(acknowledged) < enough:
            time.sleep(0.001)
        code = served.stop(number)
        for learner in learners:
            learner.join()
        return code

    def test_a_signal_ends_it_without_loss(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            acknowledged, sent = [], []
            before = self.serve(model="m" if number == signal.SIGTERM else "")
            first = before.version
            self.assertEqual(self.interrupt(before, number, range(4), acknowledged, sent, 100), 0)
            after = self.serve(model="")
            self.assertGreaterEqual(after.version - first, len(acknowledged))
            self.assertLessEqual(after.version - first, len(sent))
            model = after.ask("GET", "/model").body
            self.assertEqual(after.stop(), 0)
            again = self.serve(model="")
            self.assertEqual(again.version, after.version)
            self.assertEqual(again.ask("GET", "/model").body, model)
            self.assertEqual(again.stop(), 0)

    def test_kill_loses_nothing_that_was_acknowledged(self):
        acknowledged, sent = [], []
        for i in range(int(os.environ.get("HALFSPACE_KILLS", "20"))):
            served = self.serve("--snapshot", "50", model="" if i else "m")
            self.assertGreaterEqual(served.version, len(acknowledged))
            self.assertLessEqual(served.version, len(sent))
            seeds = (1000 + 2 * i, 1001 + 2 * i)
            self.assertEqual(self.interrupt(served, signal.SIGKILL, seeds, acknowledged,
                             sent, len(acknowledged) + 7 * i % 40 + 3), -signal.SIGKILL)
        served = self.serve(model="")
        self.assertEqual(served.ledger()["learned"], served.version)
        for name in acknowledged[:: len(acknowledged) // 20]:
            self.assertEqual(served.ask("DELETE", f"/row/{name}").json["forgotten"], 1, name)
        self.assertEqual(served.ask("DELETE", "/row/never").status, 404)

    def test_an_answered_stop_is_an_end(self):
        served = self.serve()
        with served.client() as idle, served.client() as half:
            half.send(b"POST /learn HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n1 1:1")
            self.assertEqual(idle.ask("GET", "/healthz").status, 200)
            self.assertEqual(served.stop(), 0)
            self.assertTrue(idle.is_closed())


class Lines(ServiceTest):
    """--ingest: the same requests as lines."""

    def ingest(self, text, *flags):
        ran = subprocess.run([COMMAND, "serve", str(self.path / "m"), "--log", str(self.path / "lines"), "--ingest", "-", *flags],
                             input=text, capture_output=True, timeout=PATIENCE, check=False)  # fmt: skip
        self.assertEqual(ran.returncode, 0, ran.stderr)
        return ran.stdout.splitlines(keepends=True)

    def test_answers_are_those_of_http(self):
        served = self.serve()
        lines, expected, version = [], [], 0
        for i, row in enumerate(rows(60)):
            label, features = row.split(" ", 1)
            now = [({"learn": row}, "POST", "/learn", row, 1), ({"predict": features}, "POST", "/predict", features, 0),
                   ({"predict": features, "id": f"a/{i}"}, "POST", f"/predict?id=a/{i}", features, 1),
                   ({"truth": label, "id": f"a/{i}"}, "POST", f"/truth?id=a/{i}", label, 1), ({"ledger": True}, "GET", "/ledger", "", 0)]  # fmt: skip
            if i % 10 == 9:
                now.append(({"forget": f"a/{i - 5}"}, "DELETE", f"/row/a/{i - 5}", "", 1))
            for line, method, path, body, events in now:
                if not events:
                    served.ledger(version)
                lines.append(json.dumps(line))
                answer = served.ask(method, path, body)
                self.assertEqual(answer.status, 200)
                expected.append(answer.body)
                version += events
        self.assertEqual(self.ingest("\n".join(lines).encode()), expected)
        self.assertEqual(len(self.ingest(b'\n\r\n{"ledger": true}\n')), 1)

    def test_every_line_has_an_answer(self):
        good = json.dumps({"learn": rows(1)[0]}).encode()
        bad = [b"x", b"[]", b"1", b"{}", b'{"learn": 1}', b'{"learn": "1 1:1", "truth": "1"}', b'{"id": "a"}', b'{"learn": "1 1:x"}', b"\xff",
               b'{"learn": "1 1:1", "more": 1}', b'{"learn": "1 1:1", "learn": "-1 1:1"}', b'{"truth": "1", "id": "never"}', b'{"forget": ""}', b'{"learn": "' +
               b"1 1:1\\n" * 400 + b'"}',
               b"[" * 900]  # fmt: skip
        answers = self.ingest(b"\n".join(part for line in bad for part in (good, line)), "--body", "1k")
        self.assertEqual(len(answers), 2 * len(bad))
        for i, answer in enumerate(answers):
            self.assertEqual(b'"refused":[]' in answer, i % 2 == 0, answer)
            self.assertEqual(b'"error"' in answer, i % 2 == 1, answer)

    def test_a_learner_that_has_seen_no_row(self):
        like = self.path / "like.svm"
        like.write_text("\n".join(rows(2)))
        for flags in ((), ("--preset", "arow", "--window", "10"), ("--rule", "perceptron", "--normalize", "row")):
            log = self.path / "-".join(("like", *flags))
            text = "\n".join(json.dumps({"learn": row}) for row in rows(30)).encode() + b'\n{"ledger": true}'
            ran = subprocess.run([COMMAND, "serve", "--like", str(like), "--log", str(log), "--ingest", "-", *flags],
                                 input=text, capture_output=True, timeout=PATIENCE, check=False)  # fmt: skip
            self.assertEqual(ran.returncode, 0, ran.stderr)
            ledger = json.loads(ran.stdout.splitlines()[-1])
            self.assertEqual((ledger["learned"], ledger["rounds"]), (30, 30))
            self.assertEqual("window" in ledger, "--window" in flags)

    def test_nothing_is_learned_twice(self):
        lines = [json.dumps({"partition": i % 2, "offset": i // 2, "learn": row}) for i, row in enumerate(rows(40))]
        flags = ("--sequence", "offset", "--source", "partition")
        self.ingest("\n".join(lines[:25]).encode(), *flags)
        again = self.ingest("\n".join(lines).encode(), *flags)
        self.assertEqual([json.loads(answer)["repeated"] for answer in again], [1] * 25 + [0] * 15)
        ledger = json.loads(self.ingest(b'{"partition": 0, "offset": 0, "ledger": true}', *flags)[0])
        self.assertEqual((ledger["learned"], ledger["sequences"]), (40, {"0": 19, "1": 19}))
        refused = self.ingest(b'{"learn": "1 1:1"}\n{"offset": 1.5, "partition": 0, "learn": "1 1:1"}', *flags)
        self.assertTrue(all(b'"error"' in answer for answer in refused), refused)


def chunked(body):
    middle = len(body) // 2
    return b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in (body[:middle], body[middle:])) + b"0\r\n\r\n"


def together(threads):
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


if __name__ == "__main__":
    COMMAND = sys.argv.pop(1)
    unittest.main()
