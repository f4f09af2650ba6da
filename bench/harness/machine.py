"""The machine, in words and in what it allows."""

import datetime
import os
import platform
import re
import subprocess
import time
from pathlib import Path


VECTORS = {"avx512f": "AVX-512", "avx2": "AVX2", "asimd": "Neon"}  # the widest comes first


def output_of(*command):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, errors="replace", check=False)
    return (done.stdout + done.stderr).strip()


def describe(source, build):
    cache = (Path(build) / "CMakeCache.txt").read_text()
    processor = Path("/proc/cpuinfo").read_text()

    def field(text, name):
        match = re.search(rf"^{name}\s*(?::\w+=|: )(.*)$", text, re.MULTILINE)
        return match.group(1) if match else ""

    changes = " and changes" if output_of("git", "-C", source, "status", "--porcelain") else ""
    return {
        "date": datetime.date.today().isoformat(),
        "processor": field(processor, "model name") or platform.machine(),
        "family": f"{field(processor, 'cpu family')}/{field(processor, 'model')}",
        "vectors": next((name for flag, name in VECTORS.items() if f" {flag} " in f"{processor} "), "16 bytes"),
        "cores": os.cpu_count(),
        "memory_gb": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9, 1),
        "system": f"{platform.system()} {platform.release()}",
        "compiler": next(iter(output_of(field(cache, "CMAKE_CXX_COMPILER"), "--version").splitlines()), ""),
        "build": field(cache, "CMAKE_BUILD_TYPE"),
        "commit": output_of("git", "-C", source, "rev-parse", "--short=12", "HEAD") + changes,
        "load": round(os.getloadavg()[0], 2),
    }


def lines(machine):
    yield (f"{machine['date']}, {machine['processor']} (family/model {machine['family']}, {machine['vectors']}),"
           f" {machine['cores']} cores, {machine['memory_gb']} GB, {machine['system']}")
    yield f"{machine['compiler']}, {machine['build']}; commit {machine['commit']}; load before: {machine['load']}"
    if machine["load"] > 0.5:
        yield "The machine was not quiet: take no figure for more than a hint."


def kind(machine):
    """For a file's name: amd-epyc-2-cores."""
    words = re.sub(r"\(.*?\)|@.*| CPU| Processor", "", machine["processor"]).lower()
    return re.sub(r"[^a-z0-9]+", "-", words).strip("-") + f"-{machine['cores']}-cores"


def best_rate(count, run):
    """The most bytes a second of some runs."""
    rates = []
    for _ in range(7):
        begin = time.perf_counter()
        run()
        rates.append(count / (time.perf_counter() - begin))
    return max(rates)


def limits(path):
    """Bytes a second that one core reads from memory, and of a file in the page cache."""
    import numpy

    values, buffer = numpy.ones(1 << 27, numpy.uint64), bytearray(1 << 18)

    def read():
        with open(path, "rb", buffering=0) as file:
            while file.readinto(buffer):
                pass

    return {"memory": best_rate(values.nbytes, values.sum), "page cache": best_rate(Path(path).stat().st_size, read)}
