"""A hostile client of `halfspace serve`: whatever it sends, the log opens again, and what was acknowledged is there.

usage: hostile_test.py HALFSPACE [--requests N] [--batch N] [--seed S] [--only WORLD,SCENARIO...] [--timed]
                       [--largest BYTES]

A world is a learner (a rule, a format, its classes) with a log of its own. Its requests are random: rows of every
magnitude, labels in every spelling, models that do not fit, bodies of every kind. After each batch the service is
killed and started again on the same log: it must open, with the state that was acknowledged, and `train LOG` must learn
the same weights. Scenarios are fixed sequences beside them. Of each check that fails, the shortest case is printed.
--timed also checks times, on an idle machine. HALFSPACE_RUNS sets the default of --requests, 400.
"""

import argparse
import collections
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

from hostile_requests import PATIENCE, other_models, random_request, worlds
from hostile_scenarios import ADDRESS_SPACE, DOCUMENTED, LARGEST_ANSWER, MEMORY, SCENARIOS, Fault, Stage, memory, strict
from served import Served, request


def meaning(label):
    """What a label means, whatever its spelling: its number, or its text."""
    try:
        return float(label)
    except ValueError:
        return label.strip()


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
            done = subprocess.run([halfspace, "train", data, *world.train, "-q", "-o", "m"],
                                  cwd=folder, capture_output=True, timeout=PATIENCE)
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
                self.fault(
                    "answered", f"{type(error).__name__} after {len(answers)} answers to {[self.words(r) for r in sent]}")
        seconds = time.monotonic() - begin
        self.slowest = max(self.slowest, seconds)
        if self.given.timed and seconds > 2:
            self.fault("time", f"{seconds:.1f} s for {[self.words(r) for r in sent]}")
        if self.served.process.poll() is not None:
            raise Fault(
                "lives", f"the service ended with {self.served.process.returncode} after {[self.words(r) for r in sent]}")
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
        self.events += value.get("rows", 0) + value.get("taken", 0) + \
            (r["method"] in ("PUT", "DELETE") or "/predict?" in r["target"] and "id=" in r["target"])
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
            known = self.world.train or self.world.form != "vw"
            if known and (any("label" in row for row in value.get("predictions", [])) or value.get("rows")):
                self.fault("unfitting", where)  # an untrained learner of VW's text has no namespaces yet

    def ledger(self):
        """The ledger, once it is that of all that was acknowledged: it is published a little later."""
        last, same, begin = None, 0, time.monotonic()
        while same < 3 or (last["version"] < self.events and not self.broken):
            if time.monotonic() - begin > PATIENCE / 3:
                self.fault(
                    "published", f"/ledger stays at version {last['version']}, {self.events} events were acknowledged")
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
        ledger, broken = self.ledger(), self.broken
        if not broken:
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
        if broken:
            return  # whether the last change counts was not known
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
            self.fault(
                "train-log", f"train LOG --resume LOG/begin.model: exit {done.returncode}: {done.stderr.decode()[:300]}")
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
                self.fault(
                    "train-log", f"{key}: served {str(one.get(key))[:200]}, train LOG {str(other.get(key))[:200]}")

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


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("halfspace")
    parser.add_argument("--requests", type=int, default=int(os.environ.get("HALFSPACE_RUNS", "400")))
    parser.add_argument("--batch", type=int, default=25)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="")
    parser.add_argument("--timed", action="store_true")
    parser.add_argument("--largest", type=int, default=2_000_000,
                        help="bytes of the largest random body; 10000000 by hand")
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
                        if not service.broken:
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
        print(
            f"FAILED {check}: {len(those)} times, in {', '.join(sorted({w for _, w, _ in those})[:12])}; the shortest, {where}:\n  {text}\n")
    print(f"seed {given.seed}: {sent} random requests in {batches} batches, each with a kill; {skipped} worlds refused at the start; statuses "
          + ", ".join(f"{status} {number}" for status, number in sorted(statuses.items())) + f"; slowest {slowest:.2f} s; faults: {len(faults)}")  # fmt: skip
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    main()
