"""Threads and workers, from one to as many as the machine has cores: how many times as fast.

Whole processes bound to the first 1, 2, 4 … cores (`taskset`), round by round; a speed-up is that over one core, within a
round. `jobs` is halfspace.jobs on as many processes, `workers` is halfspace-mpi (make mpi). Made for 16 cores and six
minutes: items that would begin after five are left out, by name.
"""

import os
import statistics
import time

from harness import tables
from harness.timing import Contender

TITLE = "Threads and workers"
FIGURES = "none in documents yet: speed-ups on many cores"
MOST, BEGIN_BEFORE = 16, 300
ITEMS = ["text", "CSV", "names", "ten passes", "certify", "jobs", "workers"]
JOBS = """
import sys
from concurrent.futures import ProcessPoolExecutor
from halfspace import jobs
if __name__ == "__main__":
    with ProcessPoolExecutor(int(sys.argv[1])) as pool:
        jobs.run(jobs.train(sys.argv[2], epochs=5, shards=16), map=pool.map).model.save(sys.argv[3])
"""


def command_of(bench, item, workers):
    """The words that do an item on the cores they are bound to."""
    model = bench.work / "model"
    train = [bench.program, "train", "-q", "-o", model, "--preset", "averaged"]
    sparse = bench.inputs.path("sparse.svm")
    if item == "text":
        return [*train, sparse]
    if item == "CSV":
        return [*train, bench.inputs.path("dense.csv")]
    if item == "names":
        return [*train, bench.inputs.path("sparse.vw")]
    if item == "ten passes":
        return [*train, sparse, "--passes", 10]
    if item == "certify":
        return [bench.program, "certify", bench.inputs.path("dense.svm"), "--extra-seconds", 0]
    if item == "jobs":
        script = bench.work / "jobs.py"
        script.write_text(JOBS)
        return ["/usr/bin/python3", "-B", script, workers, sparse, model]
    return ["mpirun", "-n", workers, "--oversubscribe", bench.build / "halfspace-mpi", "train", "-q", "-o", model, sparse,
            "--epochs", 5, "--shards", 16]


def run(bench):
    os.environ |= {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
                   "PYTHONPATH": str(bench.build.parents[1] / "python"),
                   "HALFSPACE_LIBRARY": str(bench.build / "libhalfspace.so")}
    cores = sorted(os.sched_getaffinity(0))
    counts = [n for n in (1, 2, 4, 8, 16) if n <= min(MOST, len(cores))]
    began, rows, late = time.monotonic(), [], []
    for item in bench.only(ITEMS):
        if item == "workers" and not (bench.build / "halfspace-mpi").exists():
            bench.text("Not here: halfspace-mpi (make mpi).")
            continue
        if time.monotonic() - began > BEGIN_BEFORE:
            late.append(item)
            continue
        made = bench.measure([Contender(f"{item}, {n}", ["taskset", "-c", ",".join(map(str, cores[:n])),
                                                         *command_of(bench, item, n)]) for n in counts], about=item)
        if fault := next((one.fault for one in made if one.fault), None):
            bench.text(f"{item}: {fault}")
            continue
        rows.append([item, tables.seconds_text(made[0].median()),
                     *(f"{statistics.median(1 / ratio for ratio in one.ratios(made[0])):.2f}" for one in made[1:])])
    bench.table(["", "1 core", *(f"{n} cores" for n in counts[1:])], rows)
    if late:
        bench.text(f"No time was left for: {', '.join(late)}.")
    bench.write(TITLE)
