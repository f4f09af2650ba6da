"""Fixed sequences of hostile requests to `halfspace serve`, each a generator of (check, what was found)."""

import collections
import json
import os
import re
import shutil
import subprocess
import threading
import time
from pathlib import Path

from hostile_requests import FEATURES, MAGNITUDES, PATIENCE, WEIGHTS, reading
from served import Served

LARGEST_ANSWER = 1 << 20  # bytes, models and pages apart
MEMORY = 64 << 20  # bytes above rest that requests may take, beside the weights
ADDRESS_SPACE = 2 << 20  # KiB: what a service may map, so that a fault does not take the machine
DOCUMENTED = {200, 400, 401, 403, 404, 405, 408, 409, 411, 413, 414, 415, 421, 422, 429, 431, 501, 503, 505}


def strict(text):
    def reject(word):
        raise ValueError(f"{word} is no JSON")

    return json.loads(text, parse_constant=reject)


class Fault(Exception):
    """A check that failed: its name and what was found."""


def memory(status, field):
    found = re.search(rf"{field}:\s+(\d+) kB", status.read_text())
    return int(found[1]) << 10 if found else 0


class Stage:
    """A folder, the command, and services in it, for a scenario."""

    def __init__(self, halfspace, folder):
        self.halfspace, self.folder = halfspace, Path(folder)

    def write(self, name, text):
        (self.folder / name).write_text(text)
        return str(self.folder / name)

    def run(self, *words, given=b"", patience=PATIENCE):
        return subprocess.run([self.halfspace, *map(str, words)], cwd=self.folder, capture_output=True, timeout=patience, input=given)

    def json(self, *words):
        done = self.run(*words, "--json")
        if done.returncode:
            raise Fault("command", f"{words}: exit {done.returncode}: {done.stderr.decode()[:300]}")
        return strict(done.stdout.decode())

    def serve(self, *flags, model="", address=None):
        return Served(self.halfspace, self.folder, "--publish", "1", *flags, model=model, address=address or ("--socket", str(self.folder / "s")),
                      shell=f"ulimit -v {ADDRESS_SPACE};")  # fmt: skip


def settled(served):
    last = None
    while (now := served.ask("GET", "/ledger").json) != last:
        last = now
        time.sleep(0.03)
    return last


def ingested_rows(stage, draw, count):
    """A row of every magnitude, feature number and weight through --ingest, under every rule: the log opens again."""
    out = json.loads(stage.run("train", "--help", "--json").stdout)
    presets = re.split(r", | or ", next(flag for flag in out["flags"] if flag["name"] == "preset")["takes"])
    stage.write("b.svm", "1 1:1 2:1\n-1 3:1\n")
    stage.write("b.vw", "1 | a:1 b:1\n-1 | c:1\n")
    stage.write("m.svm", "a 1:1 2:1\nb 3:1\nc 2:1\n")
    cases = [("b.svm", p, f"{y} {f}") for p in presets for y in ("1", "-1")
             for f in [f"1:{v}" for v in MAGNITUDES[:15]] + [f"{f}:1" for f in FEATURES] + ["1:0.5", "1:-1", "1:1 2:1 3:1"]]  # fmt: skip
    cases += [("m.svm", p, f"{y} {f}") for p in presets for y in ("a", "c")
              for f in [f"1:{v}" for v in MAGNITUDES[:15]] + [f"{f}:1" for f in FEATURES]]
    cases += [("b.vw", p, f"{y} {w} | a:1") for p in presets for y in ("1", "-1") for w in WEIGHTS]
    draw.shuffle(cases)
    failed = collections.OrderedDict()
    for like, preset, row in cases[:count]:
        shutil.rmtree(stage.folder / "log", ignore_errors=True)
        limits = f"ulimit -v {ADDRESS_SPACE};"
        words = [stage.halfspace, "serve", "--log", str(stage.folder / "log"), "--ingest", "-"]
        more = ["--like", str(stage.folder / like), "--preset", preset]
        # Twice, since a state may be finite after one row and not after two; then a good row.
        lines = [json.dumps({"learn": row})] * 2 + \
            [json.dumps({"predict": row.split(" ", 1)[1] if like != "b.vw" else "| a:1"})]
        first = subprocess.run(["sh", "-c", limits + ' exec "$@"', "sh", *words, *more], input="\n".join(lines).encode() + b"\n",
                               capture_output=True, timeout=PATIENCE)  # fmt: skip
        if b'"rows"' not in first.stdout and first.returncode == 2 and not (stage.folder / "log").exists():
            continue  # the rule does not serve
        case = f"--like {like} --preset {preset}, {{\"learn\": \"{row[:60]}\"}}"
        for line in first.stdout.decode("utf-8", "replace").splitlines():
            try:
                strict(line)
            except ValueError:
                failed.setdefault("ingest-json", []).append(f"{case}: {line[:200]}")
        if first.returncode not in (0, 65):
            failed.setdefault(f"ingest-exit-{first.returncode}", []).append(f"{case}: {first.stderr.decode()[:200]}")
        if (stage.folder / "log").exists():
            again = subprocess.run(["sh", "-c", limits + ' exec "$@"', "sh", *words],
                                   input=b'{"ledger": true}\n', capture_output=True, timeout=PATIENCE)
            if again.returncode != 0:
                failed.setdefault("ingest-opens", []
                                  ).append(f"{case}: exit {again.returncode}: {again.stderr.decode()[:200]}")
    for check, those in failed.items():
        rules = sorted({re.search(r"--preset (\S+),", one)[1] for one in those})
        yield check, f"{len(those)} of {min(count, len(cases))} rows, such as {min(those, key=len)}; presets: {' '.join(rules)}"


def labels_by_meaning(stage, draw, count):
    """Right predictions are right whatever the spelling of the label."""
    del draw, count
    for classes, spelling in ((("+1", "-1"), {"+1": "1", "-1": "-1"}), (("1", "-1"), {"1": "+1", "-1": "-1"}), (("0", "1"), {"0": "0", "1": "1.0"})):
        shutil.rmtree(stage.folder / "log", ignore_errors=True)
        stage.write("d.svm", f"{classes[0]} 1:1\n{classes[1]} 2:1\n" * 20)
        stage.run("train", "d.svm", "-q", "--preset", "rosenblatt", "-o", "m")
        with stage.serve(model="m") as served:
            right = 0
            for i in range(40):
                answer = served.ask("POST", f"/predict?id={i}", f"{1 + i % 2}:1").json
                right += served.ask("POST", f"/truth?id={i}", spelling[answer["predictions"][0]["label"]]).status == 200
            shown = settled(served)["served"]
            if shown["mistakes"] != 0 or shown["labels"] and shown["error_bounds"]["lower"] > 0:
                yield "labels-by-meaning", f"classes {classes}, told as {spelling}: {right} right predictions, /ledger {shown}"


def columns_in_another_order(stage, draw, count):
    """PUT /model with the columns in another order is refused, or rows keep the meaning of their names."""
    del count
    a = "a,b,y\n" + "".join(f"{draw.choice((-9, 9))},{b},{'yes' if b > 0 else 'no'}\n" for b in (1, -1) * 20)
    lines = [line.split(",") for line in a.splitlines()]
    stage.write("ab.csv", a)
    stage.write("ba.csv", "".join(f"{line[1]},{line[0]},{line[2]}\n" for line in lines))
    for name in ("ab", "ba"):
        stage.run("train", f"{name}.csv", "-q", "--preset", "rosenblatt", "-o", f"{name}.model")
    with stage.serve(model="ab.model") as served:
        served.ask("POST", "/learn", "9,1,yes")
        served.ask("POST", "/predict?id=w", "9,-1,")
        put = served.ask("PUT", "/model", (stage.folder / "ba.model").read_bytes())
        if put.status == 200:
            served.ask("POST", "/truth?id=w", "no")
            for i in range(40):
                b = (1, -1)[i % 2]
                served.ask("POST", "/learn", f"{b},{draw.choice((-9, 9))},{'yes' if b > 0 else 'no'}")
        served.process.kill()
    if put.status == 200:
        done = stage.run("train", "log", "-q", "--preset", "rosenblatt", "-o", "log.model")
        weights = stage.json("inspect", "log.model")["weights"] if done.returncode == 0 else {}
        wrong = 1 - stage.json("evaluate", "log.model", "ab.csv")["accuracy"] if done.returncode == 0 else 0
        if wrong > 0.05:
            yield "columns-swapped", f"PUT /model of columns b,a is taken; train LOG then learns {weights}, wrong on {100 * wrong:.0f} % of rows of a,b"


def sequence_compares(stage, draw, count):
    """A repeated numbered request is compared, not counted: after a change of what is refused, no row is learned twice."""
    del draw, count
    stage.write("two.svm", "a 1:1\nb 2:1\n" * 4)
    stage.write("three.svm", "a 1:1\nb 2:1\nc 3:1\n" * 4)
    for name in ("two", "three"):
        stage.run("train", f"{name}.svm", "-q", "--preset", "multiclass", *
                  (["--classes", "a,b,c"] if name == "three" else []), "-o", f"{name}.model")
    body = "c 3:9\na 1:5\nb 2:7"
    with stage.serve(model="two.model") as served:
        first = served.ask("POST", "/learn?sequence=17", body)
        put = served.ask("PUT", "/model", (stage.folder / "three.model").read_bytes())
        again = served.ask("POST", "/learn?sequence=17", body)
        served.process.kill()
    rows = b"".join(path.read_bytes() for path in sorted((stage.folder / "log").glob("0*.log")))
    if rows.count(b"b 2:7") > 1:
        yield "sequence-twice", f"first {first.body!r}, PUT {put.status}, again {again.body!r}: 'b 2:7' is in the log {rows.count(b'b 2:7')} times"
    shutil.rmtree(stage.folder / "log")
    with stage.serve(model="two.model") as served:
        served.ask("POST", "/learn?sequence=1", "a 1:5\nb 2:7")
        other = served.ask("POST", "/learn?sequence=1", "b 2:8\na 1:6")
        if other.status == 200 and other.json.get("repeated") == 2:
            yield "sequence-other-content", f"the same number with other rows answers {other.body!r}"


def threshold_stays(stage, draw, count):
    """The operating point of a model with a threshold survives the first learned row, or the service refuses to learn."""
    del count
    rows = []
    for i in range(1000):
        rare = i % 16 == 0
        rows.append((draw.gauss(1.2 if rare else 0, 1), draw.gauss(1.2 if rare else 0, 1), "rare" if rare else "usual"))
    stage.write("rare.csv", "a,b,y\n" + "".join(f"{a:.3f},{b:.3f},{y}\n" for a, b, y in rows))
    done = stage.run("train", "rare.csv", "--label", "y", "--positive", "rare", "--metric", "f1", "--threshold", "auto", "--calibrate", "platt", "--folds", "3",
                     "-q", "-o", "m")  # fmt: skip
    if done.returncode:
        raise Fault("command", done.stderr.decode())
    lines = "\n".join(f"{a:.3f},{b:.3f}," for a, b, _ in rows)
    try:
        served = stage.serve(model="m")
    except RuntimeError:
        return  # refused, with a reason
    with served:
        before = served.ask("POST", "/predict", lines).json["predictions"]
        learned = served.ask("POST", "/learn", f"{rows[1][0]:.3f},{rows[1][1]:.3f},usual")
        if learned.status != 200:
            return
        settled(served)
        after = served.ask("POST", "/predict", lines).json["predictions"]
        rare = [sum(row["label"] == "rare" for row in rows) for rows in (before, after)]
        if rare[1] < 0.7 * rare[0] or rare[1] > 1.5 * rare[0]:
            yield "threshold-goes", f"{rare[0]} of 1,000 rows predicted rare by the model, {rare[1]} after one learned row"
        if "probability" in before[0] and "probability" not in after[0]:
            yield "probability-goes", f"before one learned row {before[0]}, after it {after[0]}"


def log_as_data(stage, draw, count):
    """A log read as data has the label, the classes and the dialect of its model."""
    del draw, count
    stage.write("aby.csv", "a;b;y\n" + "".join(f"{i},5;{'pq'[i % 2]};{i % 3}\n" for i in range(30)))
    done = stage.run("train", "aby.csv", "--label", "b", "--delimiter", "semicolon",
                     "--decimal", "comma", "-q", "--preset", "rosenblatt", "-o", "m")
    if done.returncode:
        raise Fault("command", done.stderr.decode())
    with stage.serve(model="m") as served:
        learned = served.ask("POST", "/learn", "\n".join(f"{i},5;{'pq'[i % 2]};{i % 3}" for i in range(30)))
        if learned.status != 200 or learned.json["rows"] != 30:
            raise Fault("command", f"{learned.body!r}")
        served.process.kill()
    shown = stage.run("check", "log", "--json")
    classes = sorted(strict(shown.stdout.decode())["classes"]) if shown.returncode == 0 else shown.stderr.decode()[:200]
    if classes != ["p", "q"]:
        yield "log-as-data", f"check LOG has classes {classes}, its model has p and q (--label b of a;b;y with decimal comma)"
    done = stage.run("train", "log", "-q", "--preset", "rosenblatt", "--json")
    names = sorted(strict(done.stdout.decode())["classes"]) if done.returncode == 0 else done.stderr.decode()[:200]
    if names != ["p", "q"]:
        yield "log-as-data", f"train LOG has classes {names}, its model has p and q"


def private_files(stage, draw, count):
    """Only their owner reads a log and a model, with a umask of 022."""
    del draw, count
    stage.write("d.svm", "1 1:1\n-1 2:1\n" * 20)
    old = os.umask(0o022)
    try:
        stage.run("train", "d.svm", "-q", "-o", "m")
        with stage.serve("--snapshot", "1", model="m") as served:
            served.ask("POST", "/learn", "1 1:1")
            served.stop()
    finally:
        os.umask(old)
    for path in [stage.folder / "log", *sorted((stage.folder / "log").iterdir())]:
        if path.stat().st_mode & 0o077:
            yield "private-files", f"{path.name} has mode {path.stat().st_mode & 0o777:o}"
            return


def foreign_host(stage, draw, count):
    """A page of another host, whose name was bound to the loopback, reads nothing."""
    del draw, count
    stage.write("d.svm", "1 1:1\n-1 2:1\n" * 20)
    stage.run("train", "d.svm", "-q", "-o", "m")
    with stage.serve(model="m", address=("--port", "0")) as served:
        for host in ("evil.example", "evil.example:80", "127.0.0.1.evil.example", "localhost.evil.example"):
            with served.client() as client:
                client.send(f"GET /model HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
                if (answer := client.answer()).status == 200:
                    yield "foreign-host", f"GET /model with Host: {host} is answered {answer.status}"
                    return
        port = served.address[1]
        for host in (f"localhost:{port}", f"127.0.0.1:{port}", "localhost"):
            with served.client() as client:
                client.send(f"GET /ledger HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
                if (answer := client.answer()).status != 200:
                    yield "own-host", f"Host: {host} is refused with {answer.status}"


def deleted_segment(stage, draw, count):
    """A segment that is gone is noticed."""
    del draw, count
    stage.write("d.svm", "1 1:1\n-1 2:1\n" * 20)
    stage.run("train", "d.svm", "-q", "-o", "m")
    with stage.serve("--snapshot", "1000", model="m") as served:
        for i in range(10):
            served.ask("POST", "/learn", f"1 1:{i + 1}")
        served.process.kill()
    for path in (stage.folder / "log").glob("*.log"):
        path.unlink()
    try:
        with stage.serve() as served:
            ledger = settled(served)
            if ledger["learned"] < 10 and not any(re.search("missing|segment|gone|fewer", note) for note in served.notes):
                yield "deleted-segment", f"starts with {ledger['learned']} of 10 rows, and says {served.notes}"
    except RuntimeError:
        pass


def objective_models(stage, draw, count):
    """A model that cannot go on is refused before anything is written, at start and by PUT."""
    del draw, count
    rows = {"svm": "1 1:1\n-1 2:1\n" * 20, "vw": "1 | a:1\n-1 | b:1\n" * 20, "csv": "a,y\n" + "1,yes\n-1,no\n" * 20}
    kinds = {"plain": ["--preset", "rosenblatt"], "svm": ["--objective", "svm"], "logistic": ["--objective", "logistic"], "folds": ["--folds", "3"],
             "pocket": ["--preset", "pocket", "--updates", "5"], "kernel": ["--preset", "kernel"], "batch": ["--preset", "batch"],
             "search": ["--rule", "pa1", "--search", "aggressiveness=0.1,1", "--folds", "3"], "holdout": ["--holdout", "0.2"],
             "conformal": ["--conformal", "--holdout", "0.3"], "passes": ["--passes", "3"], "normalize": ["--normalize", "column"],
             "row": ["--normalize", "row"], "random": ["--rule", "perceptron", "--order", "random", "--updates", "9"]}  # fmt: skip
    for form, text in rows.items():
        stage.write("d." + form, text)
        for name, flags in kinds.items():
            stage.run("train", "d." + form, *flags, "-q", "-o", name)
        for name in kinds:
            if not (stage.folder / name).exists():
                continue
            shutil.rmtree(stage.folder / "log", ignore_errors=True)
            for way in ("start", "PUT"):
                shutil.rmtree(stage.folder / "log", ignore_errors=True)
                row = {"svm": "1 1:1", "vw": "1 | a:1", "csv": "1,yes"}[form]
                status = None
                try:
                    with stage.serve(model=name if way == "start" else "plain") as served:
                        if way == "PUT":
                            status = served.ask("PUT", "/model", (stage.folder / name).read_bytes()).status
                        learned = served.ask("POST", "/learn", row)
                        served.process.kill()
                    if learned.status not in (200, 409, 422):
                        yield "model-goes-on", f"{way} of a {name} model ({form}) is taken ({status}), /learn answers {learned.status} {learned.body[:200]!r}"
                    with stage.serve() as served:
                        pass
                except RuntimeError as error:
                    if way == "PUT" or (stage.folder / "log").exists() and status is not None or "listening" in str(error):
                        yield "model-destroys-log", f"{way} of a {name} model ({form}, PUT answers {status}): {str(error)[:200]}"
                    elif (stage.folder / "log" / "begin.model").exists():
                        again = stage.run("serve", "--log", "log", "--ingest", "-")
                        if again.returncode not in (0,):
                            yield "model-destroys-log", f"{way} of a {name} model ({form}) leaves a log that does not open: {again.stderr.decode()[:200]}"


def slow_heads(stage, draw, count):
    """Clients that send their heads byte by byte do not hold all connections for ever."""
    del draw, count
    stage.write("d.svm", "1 1:1\n-1 2:1\n" * 20)
    stage.run("train", "d.svm", "-q", "-o", "m")
    with stage.serve("--connections", "8", "--idle", "1", model="m") as served:
        slow = [served.client() for _ in range(8)]
        stop = threading.Event()

        def dribble():
            text = b"GET /ledger HTTP/1.1\r\nHost: localhost\r\nX: " + b"a" * 10_000
            for i in range(len(text)):
                if stop.wait(0.3):
                    return
                for client in slow:
                    try:
                        client.send(text[i : i + 1])
                    except OSError:
                        pass

        thread = threading.Thread(target=dribble)
        thread.start()
        time.sleep(0.5)
        try:
            with served.client() as client:
                client.socket.settimeout(20)
                client.ask("GET", "/healthz")
        except (TimeoutError, OSError, EOFError):
            yield "slow-heads", "8 clients that send a byte each 0.3 s hold all of 8 connections (--idle 1): no answer to another for 20 s"
        finally:
            stop.set()
            thread.join()
            for client in slow:
                client.__exit__()


def large_bodies(stage, draw, count):
    """Bodies of 4 MiB of each kind: bounded answers and memory, and a service that goes on. Some of them unless many runs are asked for."""
    stage.write("d.svm", "1 1:1\n-1 2:1\n" * 20)
    stage.write("d.jsonl", '{"a": 1, "y": "no"}\n{"a": 2, "y": "yes"}\n' * 20)
    size = 1 << 22
    bodies = {"lines of x": "x\n" * (size // 2), "empty lines": "\n" * size, "one line": "x" * size, "nul": "\0" * size, "deep": "[" * size,
              "row of many": "{" + ",".join(f'"m{i}":{i}' for i in range(20_000)) + "}", "feature": "1 16777216:1", "digits": "1 1:" + "1" * 1_000_000,
              "spaces": " " * size, "same id": '{"id":"a","label":"1"}\n' * (size // 23), "quotes": '"' * size, "commas": "," * size}  # fmt: skip
    cases = [(form, name, path) for form in ("svm", "jsonl")
             for name in bodies for path in ("/predict", "/learn", "/truth", "/predict?id=x")]
    draw.shuffle(cases)
    for form in ("svm", "jsonl"):
        stage.run("train", "d." + form, "-q", *reading("jsonl" if form == "jsonl" else ""), "-o", form + ".model")
    for form, name, path in cases if count > 200 else cases[:12]:
        shutil.rmtree(stage.folder / "log", ignore_errors=True)
        body, what = bodies[name], f"POST {path} of {name} ({form}), {len(bodies[name])} bytes"
        with stage.serve(model=form + ".model") as served:
            status = Path(f"/proc/{served.process.pid}/status")
            rest, begin = memory(status, "VmRSS"), time.monotonic()
            try:
                with served.client() as client:
                    client.socket.settimeout(15)
                    answer = client.ask("POST", path, body)
            except TimeoutError:
                yield "large-time", f"{what}: no answer for 15 s, {memory(status, 'VmHWM') - rest >> 20} MiB more"
                continue
            except (EOFError, OSError) as error:
                yield "large-answered", f"{what}: {type(error).__name__}, the service's exit: {served.process.poll()}"
                continue
            seconds = time.monotonic() - begin
            if len(answer.body) > LARGEST_ANSWER:
                yield "large-answer-size", f"{what}: an answer of {len(answer.body)} bytes"
            grown = memory(status, "VmHWM") - rest
            if grown > MEMORY + (16 << 24 if name == "feature" else 0):
                yield "large-memory", f"{what}: {grown >> 20} MiB more"
            if stage.timed and seconds > 1:
                yield "large-time", f"{what}: {seconds:.1f} s"
            if answer.status not in DOCUMENTED:
                yield "large-status", f"{what}: {answer.status} {answer.body[:200]!r}"
            if answer.fields.get("content-type", "").startswith("application/json"):
                try:
                    strict(answer.body.decode("utf-8", "replace"))
                except ValueError as error:
                    yield "large-json", f"{what}: {error}"
            served.process.kill()


SCENARIOS = (ingested_rows, labels_by_meaning, columns_in_another_order, sequence_compares, threshold_stays, log_as_data, private_files, foreign_host,
             deleted_segment, objective_models, slow_heads, large_bodies)  # fmt: skip
