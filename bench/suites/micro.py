"""Micro benchmarks of the library (Google Benchmark): the kernels, the search for the Littlestone dimension.

--only is a regular expression of names: littlestone, dot, add …
"""

import json
import subprocess

TITLE = "Micro benchmarks"
FIGURES = "docs/bounds.md: the Littlestone dimension"
UNITS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}


def run(bench):
    words = [bench.tool("micro"), "--benchmark_format=json", "--benchmark_min_time=0.1"]
    words += [f"--benchmark_filter={bench.options.only}"] if bench.options.only else []
    found = json.loads(subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True).stdout)["benchmarks"]
    known = {"iterations", "real_time", "cpu_time", "threads", "repetitions", "repetition_index", "family_index",
             "per_family_instance_index"}
    rows = []
    for one in found:
        counters = {name: value for name, value in one.items() if isinstance(value, (int, float)) and name not in known}
        rows.append([one["name"], f"{one['real_time'] * UNITS[one['time_unit']]:.4g}",
                     ", ".join(f"{name} {value:.4g}" for name, value in counters.items())])
    bench.table(["benchmark", "seconds", "counters"], rows)
    bench.write(TITLE, {"benchmarks": found})
