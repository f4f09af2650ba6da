"""What every suite has: the build, its inputs, contenders timed in turn, and a record of the figures."""

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from . import machine, tables, timing
from .inputs import Inputs

SOURCE = Path(__file__).resolve().parents[2]
WORK = "models-"  # how the folder begins that a run makes its models in


def report(text):
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


class Bench:
    def __init__(self, suite, options, command):
        self.suite, self.options, self.rounds = suite, options, options.rounds
        self.build = options.build.resolve()
        self.program, self.timed = self.build / "halfspace", self.tool("timed")
        self.scratch = SOURCE / "build/bench-data"
        share = 100 if options.small else 1
        self.inputs = Inputs(self.scratch / ("small" if options.small else ""), self.tool("make_inputs"), share, report)
        self.sets = [folder.resolve() for folder in options.data]  # folders of data sets
        self.machine = machine.describe(SOURCE, self.build)
        self.measured, self.lines, self.command = [], [], command
        self.folder = tempfile.TemporaryDirectory(dir=self.inputs.folder, prefix=WORK)
        self.work = Path(self.folder.name)

    def tool(self, name):
        """A program of the build."""
        path = self.build / "bench" / name
        if not path.exists():
            sys.exit(f"{path} is not built; next:\n  cmake --preset release -DHALFSPACE_BUILD_BENCH=ON\n"
                     "  cmake --build --preset release --target bench halfspace_cli halfspace_c")
        return path

    def find(self, *names):
        """The paths of a data set's files, in the first folder that has them all; none where no folder has."""
        for folder in self.sets:
            if all((folder / name).exists() for name in names):
                return [folder / name for name in names]
        return []

    def only(self, items):
        """The items that --only names, all where it is not given."""
        text = self.options.only
        wanted = items if not text else [text] if text in items else re.split("; *" if ";" in text else ", *", text)
        if unknown := [item for item in wanted if item not in items]:
            sys.exit(f"bench/run: no item {unknown[0]} in {self.suite}; there are {'; '.join(items)}")
        return wanted

    def missing(self, name):
        self.text(f"Not here: {name}; --data names the folders of data sets.")

    def measure(self, contenders, rounds=None, about=""):
        timing.run_in_turn(contenders, rounds or self.rounds, self.timed, lambda text: report(f"{about} {text}"))
        self.measured += contenders
        report("")
        return contenders

    def json_of(self, *command):
        done = subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              check=False)
        if done.returncode not in (0, 1, 3):
            raise timing.Failed(next(iter(done.stderr.strip().splitlines()), f"exit status {done.returncode}"))
        return json.loads(done.stdout)

    # The record: printed as it grows, and written at the end.

    def heading(self, text):
        print(f"\n{text}")
        self.lines += [f"## {text}", ""]

    def text(self, *lines):
        print("\n".join(lines), flush=True)
        self.lines += [*lines, ""]

    def table(self, head, rows):
        head, rows = tables.used_columns(head, rows)
        print("\n".join(tables.aligned(head, rows)), flush=True)
        self.lines += [*tables.markdown(head, rows), ""]

    def command_of(self, contender):
        """As one would type it from the source folder: whose folders this machine has is nobody's business."""
        if callable(contender.run):
            return ""
        text = contender.run if isinstance(contender.run, str) else " ".join(map(str, contender.run))
        text = re.sub(rf"{WORK}\w+/", "", text.replace(f"{SOURCE}/", ""))
        pin = f"taskset -c {contender.core} " if contender.core is not None else ""
        return pin + re.sub(r"(^|(?<= ))/\S*/(?=\S)", "", text)

    def paths(self):
        stem = f"{self.machine['date']}-{machine.kind(self.machine)}-{self.suite}"
        to = self.options.to or SOURCE / f"bench/runs/{stem}"
        return to.with_suffix(".md"), SOURCE / f"build/bench-runs/{stem}.json"

    def write(self, title, more=None):
        """The tables, which documents quote, and every sample as JSON, which is not tracked."""
        if self.options.no_write:
            return
        about = [f"{line}  " for line in machine.lines(self.machine)]
        lines = [f"# {title}, {self.machine['date']}", "", f"`{self.command}`", "", *about, ""]
        tables_path, record = self.paths()
        for path in (tables_path, record):
            path.parent.mkdir(parents=True, exist_ok=True)
        tables_path.write_text("\n".join(lines + self.lines))
        samples = [{"name": c.name, "command": self.command_of(c), "samples": [vars(s) for s in c.samples],
                    "accuracy": c.accuracy, "note": c.note, "fault": c.fault} for c in self.measured]
        raw = {"command": self.command, "machine": self.machine, "measured": samples, **(more or {})}
        record.write_text(json.dumps(raw, indent=1, ensure_ascii=False) + "\n")
        print(f"written: {tables_path}, {record}")
