"""A hostile client of `halfspace serve`: whatever it sends, the log opens again, and what was acknowledged is there.

usage: hostile.py HALFSPACE [--requests N] [--batch N] [--seed S] [--only WORLD,SCENARIO...] [--timed] [--largest BYTES]

A world is a learner (a rule, a format, its classes) with a log of its own. Its requests are random: rows of every
magnitude, labels in every spelling, models that do not fit, bodies of every kind. After each batch the service is
killed and started again on the same log: it must open, with the state that was acknowledged, and `train LOG` must learn
the same weights. Scenarios are fixed sequences beside them. Of each check that fails, the shortest case is printed.
--timed also checks times, on an idle machine. HALFSPACE_RUNS sets the default of --requests, 400.
"""

import argparse
import collections
import gzip
import json
import math
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from served import Client, Served, request

PATIENCE = 60
LARGEST_ANSWER = 1 << 20  # bytes, models and pages apart
MEMORY = 64 << 20  # bytes above rest that requests may take, beside the weights
ADDRESS_SPACE = 2 << 20  # KiB: what a service may map, so that a fault does not take the machine
DOCUMENTED = {200, 400, 401, 403, 404, 405, 408, 409, 411, 413, 414, 415, 421, 422, 429, 431, 501, 503, 505}
MAGNITUDES = ("0", "-0", "1e-320", "5e-324", "1e-160", "1e-60", "1e60", "1e150", "1e160", "-1e160", "1e200", "1e300", "1e308",
              "-1.7976931348623157e308", "1e309", "nan", "inf", "0x10", "1_000", "1" * 400, "0." + "0" * 400 + "1")  # fmt: skip
FEATURES = ("0", "-1", "3", "5000", "20000", "60000", "65536", "16777216", "16777217", "4294967295", "4294967296", "1" + "0" * 20)
WEIGHTS = ("0", "1e-60", "1e60", "1e160", "1e308", "-1", "nan", "0.5", "3")


def strict(text):
    def reject(word):
        raise ValueError(f"{word} is no JSON")

    return json.loads(text, parse_constant=reject)


def meaning(label):
    """What a label means, whatever its spelling: its number, or its text."""
    try:
        return float(label)
    except ValueError:
        return label.strip()


class World:
    """A learner to begin a log with: rows in a format, their classes, and the flags of `serve` or a trained model."""

    def __init__(self, name, form, classes, begin=(), train=(), text="", weighted=False):
        self.name, self.form, self.classes, self.begin, self.train = name, form, classes, list(begin), train
        self.weighted = weighted
        self.text = text or self.sample()

    def sample(self, count=60):
        draw = random.Random(self.name)
        lines = [self.row(draw, self.classes[i % len(self.classes)]) for i in range(count)]
        return "".join(line + "\n" for line in ([self.header()] if self.form == "csv" else []) + lines)

    def header(self):
        return "a,b,c," + ("w," if self.weighted else "") + "y"

    def row(self, draw, label=None, value=None, weight=None, feature=None):
        """A row; its label is what is told, or absent. `value` and `feature` replace a number of it."""
        numbers = [f"{draw.gauss(0, 1):.3f}" for _ in range(3)] if "winnow" not in self.name else [draw.choice("01") for _ in range(3)]
        if label is not None and draw.random() < 0.8:
            numbers[0] = str(1 + self.classes.index(label)) if label in self.classes and "winnow" not in self.name else numbers[0]
        if value is not None:
            numbers[draw.randrange(3)] = value
        if self.form == "libsvm":
            cells = [f"{j + 1}:{v}" for j, v in enumerate(numbers) if v not in ("0",)]
            if feature is not None:
                cells.append(f"{feature}:{value or 1}")
            return " ".join(([label] if label is not None else []) + cells)
        if self.form == "csv":
            cells = [numbers[0], numbers[1], draw.choice("pq")] + ([weight or "1"] if self.weighted else [])
            return ",".join([*cells, label or ""])
        if self.form == "vw":
            head = f"{label} {weight or ''} " if label is not None else ""
            return head + "| " + " ".join(f"{name}:{v}" for name, v in zip(["a", "b", feature or "c"], numbers))
        members = {"a": Raw(numbers[0]), "b": Raw(numbers[1]), "c": draw.choice("pq")}
        text = ", ".join(f"{json.dumps(k)}: {v if isinstance(v, Raw) else json.dumps(v)}" for k, v in members.items())
        if label is not None:
            text += f', "y": {json.dumps(label)}'
        return "{" + text + "}"


class Raw(str):
    """A number as it is written."""


def worlds(halfspace):
    out = subprocess.run([halfspace, "train", "--help", "--json"], check=True, capture_output=True, timeout=PATIENCE).stdout
    flags = {flag["name"]: flag for flag in json.loads(out)["flags"]}
    presets = re.split(r", | or ", flags["preset"]["takes"])
    for i, preset in enumerate(presets):
        classes = [("1", "-1"), ("+1", "-1"), ("0", "1"), ("no", "yes")][i % 4]
        yield World(f"{preset}-libsvm", "libsvm", classes, ["--preset", preset])
        form = ("csv", "vw", "jsonl")[i % 3]
        yield World(f"{preset}-{form}", form, ("1", "-1") if form == "vw" else ("no", "yes"), ["--preset", preset, *reading(form)])
        yield World(f"{preset}-classes", "libsvm", ("a", "b", "c"), ["--preset", preset, "--classes", "a,b,c"])
    for loss in ("hinge", "squared-hinge", "logistic"):
        yield World(f"ftrl-{loss}", "libsvm", ("1", "-1"), ["--rule", "ftrl", "--loss", loss])
        yield World(f"nag-{loss}", "vw", ("1", "-1"), ["--rule", "nag", "--loss", loss])
    for objective in ("svm", "squared-hinge", "logistic"):
        yield World(f"objective-{objective}", "libsvm", ("1", "-1"), train=["--objective", objective])
    yield World("threshold", "csv", ("rare", "usual"), train=["--metric", "f1", "--threshold", "auto", "--calibrate", "platt", "--folds", "3",
                                                              "--positive", "rare", *reading("csv")])  # fmt: skip
    yield World("calibrated", "jsonl", ("no", "yes"), train=["--calibrate", "isotonic", "--folds", "3", *reading("jsonl")])
    yield World("weighted", "csv", ("no", "yes"), ["--preset", "arow-diagonal", "--weight", "w", *reading("csv")], weighted=True)
    yield World("weighted-vw", "vw", ("1", "-1"), ["--preset", "pa1"])
    yield World("default-jsonl", "jsonl", ("no", "yes"), train=[*reading("jsonl")])
    yield World("many-classes", "libsvm", tuple(f"c{i}" for i in range(40)), ["--rule", "multiclass", "--classes", ",".join(f"c{i}" for i in range(40))])


def reading(form):
    return ["--label", "y"] if form in ("csv", "jsonl") else []


class Fault(Exception):
    """A check that failed: its name and what was found."""


class Service:
    """A world's service and log, what the client knows of its state, and the checks of every answer."""

    def __init__(self, halfspace, world, folder, given):
        self.halfspace, self.world, self.folder, self.given = halfspace, world, Path(folder), given
        self.faults, self.counts, self.sent = [], collections.Counter(), []
        self.slowest, self.replaced, self.broken = 0.0, False, False
        self.asked, self.sequences, self.known = [], {}, []
        self.served, self.events = None, 0
        data = "data." + world.form
        (self.folder / data).write_text(world.text)
        if world.train:
            done = subprocess.run([halfspace, "train", data, *world.train, "-q", "-o", "m"], cwd=folder, capture_output=True, timeout=PATIENCE)
            if done.returncode != 0:
                raise LookupError(f"{world.name} cannot be trained: {done.stderr.decode()}")

    def begin_flags(self):
        return [] if self.world.train else ["--like", str(self.folder / ("data." + self.world.form)), *self.world.begin]

    def start(self, first=False):
        """Starts on the log; a log that does not open is a fault. A world that its rule refuses is none."""
        model = "m" if first and self.world.train else ""
        flags = ["--publish", "1", "--snapshot", "50", *(self.begin_flags() if first else [])]
        try:
            self.served = Served(self.halfspace, self.folder, *flags, model=model, address=("--socket", str(self.folder / "s")),
                                 shell=f"ulimit -v {ADDRESS_SPACE};")  # fmt: skip
        except RuntimeError as error:
            if first:
                raise LookupError(str(error)) from None
            raise Fault("log-opens", f"the log does not open again: {error}") from None
        self.rest = self.memory("VmRSS")

    def memory(self, field):
        return memory(Path(f"/proc/{self.served.process.pid}/status"), field)

    def fault(self, check, text):
        self.faults.append((check, self.world.name, text))

    # -- Requests and their answers -----------------------------------------------------------------------------------

    def ask(self, sent):
        """Sends requests at once, so that they may be of one group, and checks every answer."""
        try:
            Path(f"/proc/{self.served.process.pid}/clear_refs").write_text("5")
        except OSError:
            pass
        before = self.memory("VmRSS")
        answers = []
        begin = time.monotonic()
        try:
            with self.served.client() as client:
                client.send(b"".join(request(r["method"], r["target"], r["body"], r["fields"]) for r in sent))
                for r in sent:
                    answers.append(client.answer())
        except (EOFError, ConnectionError, TimeoutError, OSError) as error:
            if not any(r["closes"] for r in sent):
                self.fault("answered", f"{type(error).__name__} after {len(answers)} answers to {[self.words(r) for r in sent]}")
        seconds = time.monotonic() - begin
        self.slowest = max(self.slowest, seconds)
        if self.given.timed and seconds > 2:
            self.fault("time", f"{seconds:.1f} s for {[self.words(r) for r in sent]}")
        if self.served.process.poll() is not None:
            raise Fault("lives", f"the service ended with {self.served.process.returncode} after {[self.words(r) for r in sent]}")
        grown = self.memory("VmHWM") - max(before, self.rest)
        allowed = MEMORY + 16 * max((r["feature"] for r in sent), default=0)
        if grown > allowed:
            self.fault("memory", f"{grown >> 20} MiB more for {[self.words(r) for r in sent]}")
        for r, answer in zip(sent, answers):
            self.check(r, answer)
            self.sent.append(r)
        return answers

    def words(self, r):
        body = r["body"] if isinstance(r["body"], bytes) else r["body"].encode()
        shown = repr(body[:100])[1:] + (f" … {len(body)} bytes" if len(body) > 100 else "")
        return f"{r['method']} {r['target']} {' '.join(r['fields'])} {shown}".strip()

    def check(self, r, answer):
        text = answer.body.decode("utf-8", "replace")
        where = f"{self.words(r)}\n  answers {answer.status} {text[:300]!r}"
        self.counts[answer.status] += 1
        if answer.status not in DOCUMENTED:
            if not self.broken:
                self.fault("status", where)
            self.broken = self.broken or answer.status >= 500  # what follows tells nothing new
            return
        if r["expect"] and answer.status not in r["expect"]:
            self.fault("expected-" + r["kind"], f"expected {sorted(r['expect'])}: {where}")
        kind = answer.fields.get("content-type", "")
        predicted = 200 * answer.body.count(b'"score":')
        if not (r["method"] == "GET" and answer.status == 200 and r["target"] in ("/", "/model")) and len(answer.body) > LARGEST_ANSWER + predicted:
            self.fault("answer-size", f"{len(answer.body)} bytes: {where}")
        if kind.startswith("text/html") and answer.status != 200:
            self.fault("error-is-json", where)
        if kind.startswith("application/json"):
            try:
                value = strict(text)
            except ValueError as error:
                self.fault("json", f"{error}: {where}")
                return
            if re.search(r"\\u00(?:0[1-8bcef]|1)", json.dumps([x for x in walk(value, ("fix", "error"))])):
                self.fault("control-characters", where)
            if answer.status >= 400 and not (isinstance(value, dict) and ("error" in value or "refused" in value or "predictions" in value)):
                self.fault("error-is-json", where)
            self.learn_from(r, answer.status, value, where)

    def learn_from(self, r, status, value, where):
        """Keeps the client's own account of asked rows and of numbered requests."""
        if status != 200 or r["method"] == "GET":
            return
        self.events += value.get("rows", 0) + value.get("taken", 0) + (r["method"] in ("PUT", "DELETE") or "/predict?" in r["target"] and "id=" in r["target"])
        if r["kind"] == "ask":
            found = value["predictions"][0]
            if "label" in found:
                self.asked.append({"id": r["id"], "label": found["label"], "truth": None})
                self.known.append(r["id"])
        elif r["kind"] == "truth" and value.get("taken"):
            for row in self.asked:
                if row["id"] == r["id"] and row["truth"] is None:
                    row["truth"] = r["label"]
                    break
        elif r["kind"] == "forget":
            self.asked = [row for row in self.asked if row["id"] != r["id"]]
        elif r["kind"] == "put":
            self.replaced = True
        elif r["kind"] == "unfitting" and not mentions(json.dumps(value), r["names"]):
            if any("label" in row for row in value.get("predictions", [])) or value.get("rows"):
                self.fault("unfitting", where)

    def ledger(self):
        """The ledger, once it is that of all that was acknowledged: it is published a little later."""
        last, same, begin = None, 0, time.monotonic()
        while same < 3 or (last["version"] < self.events and not self.broken):
            if time.monotonic() - begin > PATIENCE / 3:
                self.fault("published", f"/ledger stays at version {last['version']}, {self.events} events were acknowledged")
                break
            answer = self.served.ask("GET", "/ledger")
            try:
                now = strict(answer.body.decode())
            except ValueError as error:
                raise Fault("json", f"GET /ledger: {error}: {answer.body[:400]!r}") from None
            same, last = (same + 1, last) if now == last else (0, now)
            time.sleep(0.004)
        return last

    def check_ledger(self, ledger):
        served = ledger["served"]
        told = [row for row in self.asked if row["truth"] is not None]
        wrong = sum(meaning(row["label"]) != meaning(row["truth"]) for row in told)
        if (served["labels"], served["mistakes"]) != (len(told), wrong):
            example = next((row for row in told), None)
            self.fault("served-mistakes", f"/ledger has {served['mistakes']} mistakes among {served['labels']} labels, by their meaning {wrong} among "
                       f"{len(told)}; such as {example}")  # fmt: skip
        bounds = served.get("error_bounds")
        if bounds and told:
            count = max(served["asked"], 1)
            if bounds["lower"] > wrong / count + 1e-12 or bounds["upper"] < wrong / count - 1e-12:
                self.fault("served-bounds", f"{bounds} for {wrong} wrong of {count} asked")
        if "error_bounds" in ledger["served"] and not 0 <= bounds["lower"] <= bounds["upper"] <= 1:
            self.fault("served-bounds", f"{bounds}")

    # -- Batches ------------------------------------------------------------------------------------------------------

    def batch(self, draw, count):
        """A batch of requests with a health check beside them; then a kill, and the log again."""
        begun = len(self.sent)
        health, waits = [], threading.Event()

        def watch():
            while not waits.wait(0.02):
                begin = time.monotonic()
                try:
                    status = self.served.ask("GET", "/healthz").status
                except (OSError, EOFError):
                    continue
                health.append((time.monotonic() - begin, status))

        watcher = threading.Thread(target=watch)
        watcher.start()
        try:
            while len(self.sent) - begun < count and not self.broken:
                self.ask([random_request(self, draw) for _ in range(draw.choice((1, 1, 1, 2, 5)))])
        finally:
            waits.set()
            watcher.join()
        if health and self.given.timed and max(health)[0] > 0.1:
            self.fault("health", f"/healthz took {1000 * max(health)[0]:.0f} ms")
        self.reopen(begun)

    def reopen(self, begun):
        ledger = self.ledger()
        self.check_ledger(ledger)
        model = self.served.ask("GET", "/model").body
        self.served.process.kill()
        self.served.__exit__()
        copy = self.folder / "copy"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(self.folder / "log", copy)
        try:
            self.start()
        except Fault as fault:
            raise Fault(fault.args[0], f"{fault.args[1]}\n  smallest: {self.smallest()}") from None
        self.broken = False
        again = self.ledger()
        drop = {"rounds", "updates", "mistakes"} if self.replaced else set()
        if {k: v for k, v in ledger.items() if k not in drop} != {k: v for k, v in again.items() if k not in drop}:
            self.fault("ledger-survives", f"before the kill {ledger}, after it {again}")
        if self.served.ask("GET", "/model").body != model:
            self.fault("model-survives", f"GET /model differs after a kill and a start, at version {ledger['version']}")
        if not self.replaced and ledger["learned"] > 0:
            self.trained_from(copy)

    def trained_from(self, log):
        """`train LOG` learns what the service learned."""
        (self.folder / "now").write_bytes(self.served.ask("GET", "/model").body)
        done = subprocess.run([self.halfspace, "train", log, "--resume", log / "begin.model", "-q", "-o", "again"], cwd=self.folder,
                              capture_output=True, timeout=PATIENCE)  # fmt: skip
        if done.returncode != 0:
            self.fault("train-log", f"train LOG --resume LOG/begin.model: exit {done.returncode}: {done.stderr.decode()[:300]}")
            return
        shown = [subprocess.run([self.halfspace, "inspect", name, "--json"], cwd=self.folder, capture_output=True, timeout=PATIENCE).stdout
                 for name in ("now", "again")]  # fmt: skip
        try:
            one, other = (strict(text) for text in shown)
        except ValueError as error:
            self.fault("json", f"inspect --json of a served model: {error}")
            return
        for key in ("weights", "bias", "coefficients"):
            if one.get(key) != other.get(key):
                self.fault("train-log", f"{key}: served {str(one.get(key))[:200]}, train LOG {str(other.get(key))[:200]}")

    def smallest(self):
        """Few requests that make a new log that does not open: one alone, or by halving what changes the state."""
        changes, left = [r for r in self.sent if r["changes"]], 80

        def fails(some):
            with tempfile.TemporaryDirectory(prefix="halfspace_hostile_") as folder:
                try:
                    other = Service(self.halfspace, self.world, folder, self.given)
                    other.start(first=True)
                    with other.served:
                        for r in some:
                            try:
                                other.served.ask(r["method"], r["target"], r["body"], r["fields"])
                            except (EOFError, OSError):
                                pass
                        other.served.process.kill()
                    other.start()
                    other.served.__exit__()
                except Fault:
                    return True
                except (LookupError, OSError):
                    pass
            return False

        for r in list(reversed(changes))[:25]:
            if fails([r]):
                return self.words(r)
        if not fails(changes):
            return f"not when sent one by one; the last of them: {[self.words(r) for r in self.sent[-3:]]}"
        parts = 2
        while len(changes) > 1 and left > 0 and parts <= len(changes):
            size = math.ceil(len(changes) / parts)
            for i in range(0, len(changes), size):
                left -= 1
                if fails(rest := changes[:i] + changes[i + size :]):
                    changes, parts = rest, max(2, parts - 1)
                    break
            else:
                if parts == len(changes):
                    break
                parts = min(len(changes), 2 * parts)
        return "\n    ".join(self.words(r) for r in changes)

    def end(self):
        if self.served is not None:
            self.served.__exit__()


def walk(value, names):
    """The texts of these members, at any depth."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key in names and isinstance(inner, str):
                yield inner
            yield from walk(inner, names)
    elif isinstance(value, list):
        for inner in value:
            yield from walk(inner, names)


def mentions(text, names):
    return any(name in text for name in names)


def build(method, target, body="", fields=(), kind="other", expect=(), **more):
    return {"method": method, "target": target, "body": body, "fields": tuple(fields), "kind": kind, "expect": set(expect), "closes": False,
            "changes": method in ("PUT", "DELETE") or target.startswith(("/learn", "/truth")) or "id=" in target, "feature": 0,
            **more}  # fmt: skip


def spelled(draw, label):
    """A class in some spelling of the same number, or as it is."""
    ways = [label]
    if re.fullmatch(r"[+-]?\d+", label):
        number = int(label)
        ways += [f"{number}", f"{number}.0", f" {number}", f"{number} ", f"{number}e0"] + ([f"+{number}", f"0{number}"] if number >= 0 else [])
    return draw.choice(ways)


def random_request(service, draw):
    """One hostile request; most kinds are equally likely, large bodies are rare."""
    world = service.world
    kinds = ["learn"] * 5 + ["predict"] * 3 + ["ask"] * 4 + ["truth"] * 4 + ["magnitude"] * 4 + ["feature", "weight", "sequence", "sequence",
             "forget", "put", "wrong", "wrong", "unfitting", "twice", "bulk", "unknown-label", "get"]  # fmt: skip
    kind = draw.choice(kinds) if draw.random() > 0.02 else "huge"
    label = draw.choice(world.classes)
    if kind == "learn":
        return build("POST", "/learn", "\n".join(world.row(draw, draw.choice(world.classes)) for _ in range(draw.randint(1, 5))), kind=kind,
                     expect=(200, 422))  # fmt: skip
    if kind == "predict":
        return build("POST", "/predict", "\n".join(world.row(draw) for _ in range(draw.randint(1, 5))), kind=kind, expect=(200, 422))
    if kind == "ask":
        identity = f"i{draw.randrange(10**9)}"
        return build("POST", f"/predict?id={identity}", world.row(draw), kind=kind, id=identity)
    if kind == "truth":
        waiting = [row["id"] for row in service.asked if row["truth"] is None]
        identity = draw.choice(waiting) if waiting and draw.random() < 0.9 else f"u{draw.randrange(10**9)}"
        spelling = spelled(draw, label)
        return build("POST", f"/truth?id={identity}", spelling, kind=kind, id=identity, label=spelling)
    if kind == "twice":
        identity = draw.choice(service.known) if service.known else "never"
        return build("POST", f"/truth?id={identity}", label, kind="truth", id=identity, label=label)
    if kind == "bulk":
        return build("POST", "/truth", "\n".join(json.dumps({"id": f"u{i}", "label": label}) for i in range(3)) + draw.choice(("", "\n{}", "\n[1]", "\nx")),
                     kind="bulk")  # fmt: skip
    if kind == "unknown-label":
        row = world.row(draw, draw.choice(("zzz", "2", "1e400", "nan", "\u00e9", "\"", "1\u00a0", "")))
        return build("POST", "/learn", row, kind="unknown-label")
    if kind == "magnitude":
        value = draw.choice(MAGNITUDES)
        target = draw.choice(("/learn", "/learn", "/predict", f"/predict?id=m{draw.randrange(10**9)}"))
        row = world.row(draw, label if target == "/learn" else None, value=value)
        more = {"id": target[12:]} if "id=" in target else {}
        return build("POST", target, row, kind="ask" if "id=" in target else "magnitude", **more)
    if kind == "feature":
        feature = draw.choice(FEATURES)
        target = draw.choice(("/learn", "/predict"))
        return build("POST", target, world.row(draw, label if target == "/learn" else None, feature=feature), kind="feature",
                     feature=min(int(feature), 1 << 24) if world.form == "libsvm" and 0 <= int(feature) <= 1 << 24 else 0)  # fmt: skip
    if kind == "weight":
        return build("POST", "/learn", world.row(draw, label, weight=draw.choice(WEIGHTS)), kind="weight")
    if kind == "sequence":
        source, last = draw.choice("AB"), service.sequences.get("AB", 0)
        number = max(0, last + draw.choice((0, 0, 1, 1, 1, -1)))
        service.sequences["AB"] = max(last, number)
        rows = "\n".join(world.row(draw, draw.choice(world.classes)) for _ in range(draw.randint(1, 3)))
        target = draw.choice((f"/learn?source={source}&sequence={number}", f"/learn?sequence={number}", "/learn?sequence=x", "/learn?source=A"))
        return build("POST", target, rows, kind="sequence")
    if kind == "forget":
        identity = draw.choice(service.known) if service.known and draw.random() < 0.7 else draw.choice(("none", "%00", "a%2Fb", "%FF", "x" * 5000))
        return build("DELETE", f"/row/{identity}", kind="forget", id=identity)
    if kind == "get":
        return build("GET", draw.choice(("/", "/ledger", "/metrics", "/healthz", "/readyz", "/model", "/schema")), kind="get")
    if kind == "put":
        return build("PUT", "/model", draw.choice(service.others), kind="put")
    if kind == "unfitting":
        names, row = unfitting(world, draw)
        return build("POST", draw.choice(("/predict", "/learn")), row, kind="unfitting", names=names)
    if kind == "wrong":
        return wrong(world, draw, label)
    return huge(service, world, draw, label)


def unfitting(world, draw):
    """A row with no name that the model knows, and these names."""
    if world.form == "jsonl":
        return draw.choice(((["Zzz"], '{"Zzz": 1, "y": "no"}'), (["row"], '{"row": {"a": 1, "b": 2, "c": "p"}, "y": "no"}'),
                            (["member", "empty", "none"], '{}'), (["member", "none", "empty"], '{"y": "no"}')))  # fmt: skip
    if world.form == "vw":
        return ["Zzz", "unknown", "namespace"], "1 |Zzz q:1 r:2"
    if world.form == "csv":
        return ["field"], ",".join("zzz" for _ in world.header().split(","))
    return ["index", "no", "colon"], "1 Zzz:1 q"


def wrong(world, draw, label):
    row, question = world.row(draw, label), world.row(draw)
    kind = draw.randrange(14)
    if kind == 0:
        return build(draw.choice(("PUT", "DELETE", "PATCH", "OPTIONS", "TRACE")), draw.choice(("/learn", "/predict", "/truth", "/ledger", "/")), "",
                     kind="method", expect=(405, 501), changes=False)  # fmt: skip
    if kind == 1:
        return build("GET", draw.choice(("/learn", "/truth", "/row/x")), kind="method", expect=(405,), changes=False)
    if kind == 2:
        return build("POST", draw.choice(("/elsewhere", "//predict", "/predict/", "/%2e%2e/x", "/PREDICT")), question, kind="path", expect=(404, 400))
    if kind == 3:
        return build("POST", draw.choice(("/predict?ID=19", "/predict?Id=19", "/predict?x=1")), question, kind="query", expect=(400, 404, 409, 422))
    if kind == 4:
        return build("POST", draw.choice(("/learn?seq=5", "/learn?Sequence=5", "/learn?src=A&sequence=5", "/truth?ids=3")), row, kind="query",
                     expect=(400, 404, 409, 422))  # fmt: skip
    if kind == 5:
        return build("POST", "http://localhost/predict", question, kind="absolute-form", expect=(200, 422), changes=False)
    if kind == 6:
        return build("POST", draw.choice(("/predict", "/learn")), gzip.compress(row.encode()), ["Content-Encoding: gzip"], kind="gzip", expect=(415,))
    if kind == 7:
        return build("POST", "/learn", gzip.compress(row.encode()), kind="gzip-body", expect=(415, 422, 400))
    if kind == 8:
        return build("POST", "/learn?id=&id=", row, kind="query", expect=(400, 404, 409, 422))
    if kind == 9:
        return build("POST", "/learn", row + "\x00" + row, kind="nul")
    if kind == 10:
        return build("POST", "/learn", row.encode() + b"\xe2\x82", kind="truncated")
    if kind == 11:
        return build("POST", draw.choice(("/learn", "/predict", "/truth?id=q", "/truth")), draw.choice(("", "\n", "\r\n", "\n\n\n", " ", "#", "# x")),
                     kind="empty")  # fmt: skip
    if kind == 12:
        return build("POST", "/predict?id=" + draw.choice(("a%0Ab", "%FF", "%zz", "+", "x" * 6000, "%E2%82%AC", "\u00e9")), question, kind="id", closes=True)
    return build("GET", draw.choice(("/model?x=1", "/ledger?now", "/..", "/%00", "/healthz?x")), kind="path")


def huge(service, world, draw, label):
    """A body of up to the largest size, of one hostile kind."""
    size = int(service.given.largest * draw.choice((0.1, 0.4, 1)))
    row = world.row(draw, label)
    kind = draw.randrange(11)
    if kind == 0:
        body = "x\n" * (size // 2)
    elif kind == 1:
        body = "{" + ",".join(f'"m{i}":{i}' for i in range(min(100_000, size // 16))) + "}"
    elif kind == 2:
        body = '{"a":' + "[" * (size // 2) + "]" * (size // 2 - 10) + "}"
    elif kind == 3:
        body = "1 " + " ".join(f"{i}:1" for i in range(1, min(size // 8, 300_000)))
    elif kind == 4:
        body = "\x00" * size
    elif kind == 5:
        body = b"\xe2\x82" * (size // 2)
    elif kind == 6:
        body = row.replace(":", ":" + "1" * min(size, 1_000_000), 1) + "1" * min(size, 1_000_000)
    elif kind == 7:
        body = gzip.compress(b"x" * size * 10)
    elif kind == 8:
        body = "\n" * size
    elif kind == 9:
        body = (row + "\n") * (min(size, 1 << 20) // len(row))
    else:
        body = "\n".join('{"id": "h%d", "label": "1"}' % i for i in range(min(size // 28, 50_000)))
    target = draw.choice(("/predict", "/learn", "/truth")) if kind != 9 else "/predict"
    return build("POST", target, body, kind="huge", feature=300_000 if kind == 3 else 0)


def other_models(service):
    """Model files that may not fit: of other columns, classes, formats, learners, and no model at all."""
    models = [b"", b"not a model", b"\x00" * 100]
    world, folder = service.world, service.folder
    variants = [(world.form, world.text, world.train or world.begin)]
    variants.append((world.form, world.text, ["--objective", "logistic", *reading(world.form)]))
    variants.append((world.form, world.text, ["--rule", "kernel", *reading(world.form)]))
    variants.append((world.form, world.text, ["--metric", "f1", "--threshold", "auto", "--folds", "3", *reading(world.form)]))
    variants.append((world.form, world.text, ["--folds", "3", "--preset", "perceptron", *reading(world.form)]))
    if world.form == "csv":
        lines = [line.split(",") for line in world.text.splitlines()]
        variants.append(("csv", "".join(",".join([line[1], line[0], *line[2:]]) + "\n" for line in lines), ["--preset", "rosenblatt", *reading("csv")]))
        variants.append(("csv", world.text.replace("a,b,c", "a,b,d", 1), ["--preset", "rosenblatt", *reading("csv")]))
    for form in ("libsvm", "vw"):
        other = World("other", form, ("1", "-1", "3") if form == "vw" else ("u", "v", "w"))
        variants.append((form, other.text, ["--preset", "rosenblatt"]))
    for i, (form, text, flags) in enumerate(variants):
        (folder / f"other{i}.{form}").write_text(text)
        done = subprocess.run([service.halfspace, "train", f"other{i}.{form}", *flags, "--passes", "3", "-q", "-o", f"other{i}"], cwd=folder, capture_output=True,
                              timeout=PATIENCE)  # fmt: skip
        if done.returncode == 0:
            whole = (folder / f"other{i}").read_bytes()
            models += [whole, whole] if i else [whole] * 3
            if i == 0:
                models.append(whole[: len(whole) // 2])
    return models


# -- Scenarios: one sequence each -----------------------------------------------------------------------------------------


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
    cases += [("m.svm", p, f"{y} {f}") for p in presets for y in ("a", "c") for f in [f"1:{v}" for v in MAGNITUDES[:15]] + [f"{f}:1" for f in FEATURES]]
    cases += [("b.vw", p, f"{y} {w} | a:1") for p in presets for y in ("1", "-1") for w in WEIGHTS]
    draw.shuffle(cases)
    failed = collections.OrderedDict()
    for like, preset, row in cases[:count]:
        shutil.rmtree(stage.folder / "log", ignore_errors=True)
        limits = f"ulimit -v {ADDRESS_SPACE};"
        words = [stage.halfspace, "serve", "--log", str(stage.folder / "log"), "--ingest", "-"]
        more = ["--like", str(stage.folder / like), "--preset", preset]
        # Twice, since a state may be finite after one row and not after two; then a good row.
        lines = [json.dumps({"learn": row})] * 2 + [json.dumps({"predict": row.split(" ", 1)[1] if like != "b.vw" else "| a:1"})]
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
            again = subprocess.run(["sh", "-c", limits + ' exec "$@"', "sh", *words], input=b'{"ledger": true}\n', capture_output=True, timeout=PATIENCE)
            if again.returncode != 0:
                failed.setdefault("ingest-opens", []).append(f"{case}: exit {again.returncode}: {again.stderr.decode()[:200]}")
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
        stage.run("train", f"{name}.svm", "-q", "--preset", "multiclass", *(["--classes", "a,b,c"] if name == "three" else []), "-o", f"{name}.model")
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
    done = stage.run("train", "aby.csv", "--label", "b", "--delimiter", "semicolon", "--decimal", "comma", "-q", "--preset", "rosenblatt", "-o", "m")
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
    cases = [(form, name, path) for form in ("svm", "jsonl") for name in bodies for path in ("/predict", "/learn", "/truth", "/predict?id=x")]
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


def memory(status, field):
    found = re.search(rf"{field}:\s+(\d+) kB", status.read_text())
    return int(found[1]) << 10 if found else 0


SCENARIOS = (ingested_rows, labels_by_meaning, columns_in_another_order, sequence_compares, threshold_stays, log_as_data, private_files, foreign_host,
             deleted_segment, objective_models, slow_heads, large_bodies)  # fmt: skip


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("halfspace")
    parser.add_argument("--requests", type=int, default=int(os.environ.get("HALFSPACE_RUNS", "400")))
    parser.add_argument("--batch", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="")
    parser.add_argument("--timed", action="store_true")
    parser.add_argument("--largest", type=int, default=2_000_000, help="bytes of the largest random body; 10000000 by hand")
    given = parser.parse_args()
    halfspace, only = os.path.abspath(given.halfspace), set(filter(None, given.only.split(",")))
    faults, statuses, slowest, skipped, sent, batches = [], collections.Counter(), 0.0, 0, 0, 0
    draw = random.Random(given.seed)

    for scenario in SCENARIOS:
        if only and scenario.__name__ not in only:
            continue
        with tempfile.TemporaryDirectory(prefix="halfspace_hostile_") as folder:
            stage = Stage(halfspace, folder)
            stage.timed = given.timed
            try:
                for check, text in scenario(stage, random.Random(given.seed), max(40, given.requests // 8)):
                    faults.append((check, scenario.__name__, text))
            except Fault as fault:
                faults.append((fault.args[0], scenario.__name__, fault.args[1]))
            except (RuntimeError, OSError, EOFError, KeyError) as error:
                faults.append(("scenario", scenario.__name__, repr(error)))

    menu = list(worlds(halfspace))
    draw.shuffle(menu)
    wanted = [world for world in menu if not only or world.name in only or "worlds" in only]
    while wanted and sent < given.requests:
        for world in wanted:
            if sent >= given.requests:
                break
            with tempfile.TemporaryDirectory(prefix="halfspace_hostile_") as folder:
                service = None
                try:
                    service = Service(halfspace, world, folder, given)
                    service.start(first=True)
                    service.others = other_models(service)
                    for _ in range(2):
                        service.batch(draw, given.batch)
                        batches += 1
                except LookupError:
                    skipped += 1
                    if skipped > 10 * len(menu):
                        wanted = []
                except Fault as fault:
                    faults.append((fault.args[0], world.name, fault.args[1]))
                finally:
                    if service is not None:
                        service.end()
                        for fault in service.faults:
                            if fault[0] not in {check for check, _, _ in faults}:
                                print(f"found {fault[0]} in {fault[1]}: {fault[2][:400]}", file=sys.stderr, flush=True)
                        faults += service.faults
                        statuses += service.counts
                        slowest = max(slowest, service.slowest)
                        sent += len(service.sent)
    by_check = collections.defaultdict(list)
    for fault in faults:
        by_check[fault[0]].append(fault)
    for check, those in sorted(by_check.items()):
        _, where, text = min(those, key=lambda fault: len(fault[2]))
        print(f"FAILED {check}: {len(those)} times, in {', '.join(sorted({w for _, w, _ in those})[:12])}; the shortest, {where}:\n  {text}\n")
    print(f"seed {given.seed}: {sent} random requests in {batches} batches, each with a kill; {skipped} worlds refused at the start; statuses "
          + ", ".join(f"{status} {number}" for status, number in sorted(statuses.items())) + f"; slowest {slowest:.2f} s; faults: {len(faults)}")  # fmt: skip
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    main()
