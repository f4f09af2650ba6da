"""Seconds an epoch of halfspace-mpi on 1 to 64 machines: those of a cost model, and those of a simulated cluster.

The sources of halfspace-mpi are compiled by SimGrid's smpicxx and run in SMPI: passes over shards take the time that
they take here, messages the time that they take on the simulated network, a switch with a full-speed port for each
machine.
Both columns are predictions; no cluster was measured. The model, for n machines, v bytes a vector of weights:

  read   c / n       c: seconds of one pass on one machine
  mix    ceil(log2 n) (3 v / bandwidth + 2 latency + 4 v k) + 2 v k, k: seconds to convert a byte of a sum. Up the tree
         go two vectors a level, converted twice, down one, converted at both ends
  wait   what the simulation has beyond: for the slowest worker, and for copies in memory

c is taken from the simulation of 1 machine, k is measured apart, by adding two sums.

Needs libsimgrid-dev and python3-dask, and builds into build/simulated.
"""

import math
import os
import re
import statistics
import subprocess
import sys
import time
from pathlib import Path

from harness.bench import SOURCE

TITLE = "Seconds an epoch on 1 to 64 machines, predicted"
FIGURES = "docs/cluster.md: how long an epoch takes"
MACHINES, EPOCHS, RUNS = (1, 2, 4, 8, 16, 32, 64), (1, 4), 3
LATENCY = 50e-6  # of a link
LIBRARIES = "-lz -lzstd -llzma -lbz2 -lgmp -lnettle -lisal -lsimdjson -lsqlite3 -lsleef -lm".split()


def output(*words, **more):
    return subprocess.run([str(word) for word in words], check=True, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, **more).stdout


def build(folder):
    """Compiles src/mpi with smpicxx, which needs position-independent archives. Returns the program."""
    output("cmake", "--preset", "release", "-B", folder, "-DHALFSPACE_BUILD_TESTS=OFF",
           "-DCMAKE_POSITION_INDEPENDENT_CODE=ON", cwd=SOURCE)
    output("cmake", "--build", folder, "--parallel", os.cpu_count(), "--target", "halfspace_commands", "halfspace_c")
    program = folder / "halfspace-smpi"
    output("smpicxx", "-std=c++20", "-O2", "-DNDEBUG", "-DFMT_SHARED", '-DHALFSPACE_VERSION="simulated"',
           "-ffp-contract=off", "-fPIC", "-I", SOURCE / "src", "-I", SOURCE / "include",
           *sorted((SOURCE / "src/mpi").glob("*.cc")), folder / "libhalfspace_commands.a", folder / "libhalfspace.a",
           *LIBRARIES, "-o", program)
    return program


def write_cluster(folder, bytes_per_second):
    (folder / "hosts").write_text("".join(f"node-{i}\n" for i in range(max(MACHINES))))
    (folder / "cluster.xml").write_text(f"""<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <cluster id="cluster" prefix="node-" suffix="" radical="0-{max(MACHINES) - 1}" speed="1Gf"
    bw="{bytes_per_second:.0f}Bps" lat="{LATENCY}s"/>
</platform>
""")


def simulated_seconds(program, folder, machines, data, epochs):
    """Waits of the program are polls: each is taken as short, and as long as the one before."""
    out = output("smpirun", "-np", machines, "-hostfile", folder / "hosts", "-platform", folder / "cluster.xml",
                 "--cfg=smpi/host-speed:1Gf", "--cfg=smpi/display-timing:yes", "--cfg=smpi/grow-injected-times:no",
                 "--cfg=smpi/iprobe:1e-8", "--cfg=smpi/test:1e-5", "--cfg=smpi/finalization-barrier:yes",
                 "--log=root.thresh:warning", "--log=smpi_utils.thresh:info", program, "train", data, "--epochs", epochs,
                 "--threads", 1, "-o", folder / f"{machines}-{epochs}.model")
    return float(re.search(r"Simulated time: ([\d.e-]+) seconds", out)[1])


def seconds_to_convert_a_byte(folder, data):
    """To add two sums, both are read from bytes and the result is written."""
    os.environ["HALFSPACE_LIBRARY"] = str(folder / "libhalfspace.so")
    sys.path.insert(0, str(SOURCE / "python"))
    from halfspace.dask import _step

    options, files = {"preset": "averaged"}, (str(data),)
    plan = _step(options, files, "plan", (), 64)
    state = _step(options, files, "begin", [plan], 0)
    sums = [_step(options, files, "play", [plan, state], shard) for shard in (0, 1)]
    times = []
    for _ in range(21):
        began = time.process_time()
        added = _step(options, (), "add", sums)
        times.append(time.process_time() - began)
    return statistics.median(times) / (len(sums[0]) + len(sums[1]) + len(added))


def options(parser):
    parser.add_argument("file", type=Path, help="LIBSVM data")
    parser.add_argument("features", type=int)
    parser.add_argument("--mbit", type=float, default=1000, help="of each link")


def run(bench):
    folder, data, features = SOURCE / "build/simulated", bench.options.file.resolve(), bench.options.features
    bandwidth = bench.options.mbit * 1e6 / 8
    folder.mkdir(parents=True, exist_ok=True)
    program = build(folder)
    write_cluster(folder, bandwidth)
    few, many = EPOCHS
    seconds = {}
    for machines in MACHINES:
        # The averaged perceptron in both: a single epoch would be the tournament's.
        times = [(simulated_seconds(program, folder, machines, data, many + 1) -
                  simulated_seconds(program, folder, machines, data, few + 1)) / (many - few) for _ in range(RUNS)]
        seconds[machines] = statistics.median(times)
    if len({(folder / f"{machines}-{many + 1}.model").read_bytes() for machines in MACHINES}) != 1:
        sys.exit("the models differ")
    v, convert = 8 * features, seconds_to_convert_a_byte(folder, data)
    bench.text(f"{features:,} features, {bandwidth * 8 / 1e6:,.0f} Mbit/s, 64 shards; c = {seconds[1]:.3f} s, "
               f"k = {convert * 1e9:.2f} ns a byte; the same model on any number of machines")
    rows = []
    for machines in MACHINES:
        read, levels = seconds[1] / machines, math.ceil(math.log2(machines))
        mix = levels * (3 * v / bandwidth + 2 * LATENCY + 4 * v * convert) + (2 * v * convert if levels else 0)
        times = (read, mix, read + mix, seconds[machines], seconds[machines] - read - mix)
        rows.append([f"{machines}", *(f"{time:.3f} s" for time in times)])
    bench.table(["machines", "read", "mix", "predicted by the model", "simulated", "wait"], rows)
    bench.write(TITLE)
