"""The machine, in words and in what it allows."""

import datetime
import json
import os
import platform
import re
import subprocess
from pathlib import Path


def field(path, name):
    for line in Path(path).read_text().splitlines():
        key, _, value = line.partition(":")
        if key.strip() == name:
            return value.strip()
    return ""


def describe(source, build):
    cache = (Path(build) / "CMakeCache.txt").read_text()

    def cached(name):
        match = re.search(rf"^{name}:\w+=(.*)$", cache, re.MULTILINE)
        return match.group(1) if match else ""

    def git(*words):
        return subprocess.run(["git", "-C", str(source), *words], capture_output=True, text=True, check=False).stdout.strip()

    compiler = subprocess.run([cached("CMAKE_CXX_COMPILER"), "--version"], capture_output=True, text=True, check=False).stdout
    return {
        "date": datetime.date.today().isoformat(),
        "processor": field("/proc/cpuinfo", "model name") or platform.machine(),
        "family": f"{field('/proc/cpuinfo', 'cpu family')}/{field('/proc/cpuinfo', 'model')}",
        "cores": os.cpu_count(),
        "memory_gb": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9, 1),
        "system": f"{platform.system()} {platform.release()}",
        "compiler": compiler.splitlines()[0] if compiler else "",
        "build": cached("CMAKE_BUILD_TYPE"),
        "commit": git("rev-parse", "--short=12", "HEAD") + (" and changes" if git("status", "--porcelain") else ""),
        "load_before": round(os.getloadavg()[0], 2),
    }


def kind(machine):
    """For a file's name: amd-epyc-2-cores."""
    words = re.sub(r"\(.*?\)|@.*| CPU| Processor", "", machine["processor"]).lower()
    return re.sub(r"[^a-z0-9]+", "-", words).strip("-") + f"-{machine['cores']}-cores"


def limits(program, file):
    def rate(*words):
        done = subprocess.run([str(program), *map(str, words)], capture_output=True, text=True, check=True)
        return json.loads(done.stdout)["bytes_per_second"]

    return {"memory, one core": rate("memory"), "page cache, one core": rate("file", file)}
