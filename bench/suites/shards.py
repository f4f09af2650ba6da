"""Accuracy of iterative parameter mixing by the number of shards and epochs, beside one machine.

One shard is one machine: the averaged perceptron's passes, each in a drawn order. Needs halfspace-mpi in the build (make mpi).
"""

import gzip
import os

from harness.bench import report

TITLE = "Accuracy by shards and epochs"
FIGURES = "docs/cluster.md: the table of accuracy by shards"
ITEMS = ["a9a", "reuters", "imdb", "set A"]
FILES = {"a9a": ("a9a/a9a", "a9a/a9a.t"), "imdb": ("imdb/imdb.libsvm.gz", "imdb/imdb.t.libsvm.gz"),
         "reuters": ("reuters21578/reuters21578_earn.libsvm.gz", "reuters21578/reuters21578_earn.t.libsvm.gz")}
SHARDS, EPOCHS = (1, 8, 64, 512), (1, 2, 5, 10)


def run(bench):
    os.environ |= {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    rows, model = [], bench.work / "model"
    for name in bench.only(ITEMS):
        made = [bench.inputs.path(file) for file in ("sparse.svm", "sparse-held-out.svm")] if name == "set A" else []
        if not (found := made or bench.find(*FILES[name])):
            bench.missing(name)
            continue
        files = [bench.work / f"{part}.svm" for part in ("train", "test")]  # a compressed file would be one range
        for packed, plain in zip(found, files):
            raw = packed.read_bytes()
            plain.write_bytes(gzip.decompress(raw) if packed.suffix == ".gz" else raw)
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
    bench.write(TITLE)
