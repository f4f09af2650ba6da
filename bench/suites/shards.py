"""Accuracy on shards: of iterative parameter mixing, by their number and the epochs, and of a minimum; beside one machine.

One shard is one machine: the averaged perceptron's passes, each in a drawn order. Needs halfspace-mpi in the build (make mpi).
"""

import gzip
import os
import time

from harness.bench import report

TITLE = "Accuracy by shards and epochs"
FIGURES = "docs/cluster.md: the tables of accuracy by shards"
ITEMS = ["a9a", "reuters", "imdb", "set A"]
FILES = {"a9a": ("a9a/a9a", "a9a/a9a.t"), "imdb": ("imdb/imdb.libsvm.gz", "imdb/imdb.t.libsvm.gz"),
         "reuters": ("reuters21578/reuters21578_earn.libsvm.gz", "reuters21578/reuters21578_earn.t.libsvm.gz")}
SHARDS, EPOCHS = (1, 8, 64, 512), (1, 2, 5, 10)
COSTS = {"a9a": 1, "reuters": 1, "imdb": 0.01, "set A": 10}  # C of logistic regression


def run(bench):
    os.environ |= {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    rows, minima, model = [], [], bench.work / "model"
    for name in bench.only(ITEMS):
        made = [bench.inputs.path(file) for file in ("sparse.svm", "sparse-held-out.svm")] if name == "set A" else []
        if not (found := made or bench.find(*FILES[name])):
            bench.missing(name)
            continue
        files = [bench.work / f"{part}.svm" for part in ("train", "test")]  # a compressed file would be one range
        for packed, plain in zip(found, files):
            raw = packed.read_bytes()
            plain.write_bytes(gzip.decompress(raw) if packed.suffix == ".gz" else raw)
        minima += minimum(bench, name, *files, model)
        for shards in SHARDS:
            cells = []
            for epochs in EPOCHS:
                report(f"{name}: {shards} shards, {epochs} epochs")
                train = [bench.build / "halfspace-mpi", "train", files[0], "--preset", "averaged", "-o", model]
                count = bench.json_of(*train, "--json", "--shards", shards, "--epochs", epochs)["rounds"] // epochs
                accuracy = bench.json_of(bench.program, "evaluate", model, files[1], "--json")["accuracy"]
                cells.append(f"{100 * accuracy:.2f} %")
            rows.append([name, f"{count:,}", f"{shards}", f"{count // shards:,}", *cells])
    head = ["data", "rows", "shards", "rows a shard", *(f"{n} epoch{'s' * (n > 1)}" for n in EPOCHS)]
    bench.table(head, rows)
    bench.table(["logistic", "features", "C", "shards", "accuracy", "steps", "sent", "seconds"], minima)
    bench.write(TITLE)


def minimum(bench, name, train, test, model):
    """Returns the rows of the table: one machine, then shards by two workers."""
    words = [train, "--objective", "logistic", "--C", COSTS[name], "-o", model, "--json"]
    alone, rows = None, []
    for shards in (None, 2, 64, 512):
        report(f"{name}: the minimum, {shards or 'no'} shards")
        begun = time.monotonic()
        made = bench.json_of(bench.program, "train", *words) if shards is None else \
            bench.json_of("mpirun", "--oversubscribe", "-n", 2, bench.build / "halfspace-mpi", "train", *words, "--shards",
                          shards)
        seconds = time.monotonic() - begun
        found = made["minimum"]
        alone = alone or found
        if found["dual"] > alone["primal"] or alone["dual"] > found["primal"]:
            raise SystemExit(f"{name}: {shards} shards have another minimum")
        accuracy = bench.json_of(bench.program, "evaluate", model, test, "--json")["accuracy"]
        steps, sent = (f"{made['steps']}", f"{made['bytes_sent'] / 1e6:,.1f} MB") if shards else ("", "")
        rows.append([name, f"{made['features']:,}", f"{COSTS[name]}", str(shards or "one machine"), f"{100 * accuracy:.2f} %",
                     steps, sent, f"{seconds:.1f}"])
    return rows
