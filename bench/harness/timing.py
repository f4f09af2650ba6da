"""Contenders run in turn, A, B, C, A, B, C …, and ratios are taken within a round: what the machine does meets all."""

import json
import statistics
import subprocess
import time
from dataclasses import dataclass, field


@dataclass
class Sample:
    seconds: float
    processor: float = 0.0
    peak_mb: float = 0.0


@dataclass
class Contender:
    """Something that is run once a round: the words of a command, a line of shell, or a function."""

    name: str
    run: object  # in a line of shell, TIMED is the program that measures
    peer: object = None  # whose programs can predict with the model
    model: object = None  # the path of the model it writes
    core: int | None = None  # pinned to this core
    inner: object = None  # printed text -> seconds, of a program that times itself
    most_rounds: int | None = None
    patience: float | None = None  # seconds
    samples: list = field(default_factory=list)
    printed: str = ""  # by the last run; `result` is what a function returned
    result: object = None
    accuracy: float | None = None
    note: str = ""  # what its output reported that the reader should know
    fault: str = ""  # why it has no figures

    def seconds(self):
        return [sample.seconds for sample in self.samples]

    def median(self):
        return statistics.median(self.seconds())

    def peak_mb(self):
        return max(sample.peak_mb for sample in self.samples)

    def ratios(self, other):
        """How many times as long as the other it took, round by round."""
        return [own / theirs for own, theirs in zip(self.seconds(), other.seconds())]

    def ratio(self, other):
        return statistics.median(self.ratios(other))


class Failed(Exception):
    pass


def run_once(contender, timed):
    """Runs it once and keeps the sample; Failed has the reason where that cannot be."""
    if callable(contender.run):
        begin = time.perf_counter()
        contender.result = contender.run()
        contender.samples.append(Sample(time.perf_counter() - begin))
        return
    if isinstance(contender.run, str):
        words = ["sh", "-c", contender.run.replace("TIMED", str(timed))]
    else:
        pin = ["--core", contender.core] if contender.core is not None else []
        words = [timed, *pin, *contender.run]
    try:
        done = subprocess.run([str(word) for word in words], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              errors="replace", check=False, timeout=contender.patience)
    except subprocess.TimeoutExpired:
        raise Failed(f"not done after {contender.patience:g} s") from None
    lines = done.stderr.strip().splitlines()
    try:
        took = json.loads(lines[-1])
    except (IndexError, ValueError):
        raise Failed(" ".join(lines[-3:]) or "no report") from None
    if took["status"] != 0:
        reason = " ".join(lines[:-1]) or done.stdout.strip()
        raise Failed(f"exit status {took['status']}: {reason[:200]}")
    contender.printed = done.stdout + "\n".join(lines[:-1])
    seconds = contender.inner(done.stdout) if contender.inner else took["seconds"]
    contender.samples.append(Sample(seconds, took["processor"], took["peak_kb"] / 1000))


def run_in_turn(contenders, rounds, timed, report=lambda text: None):
    for number in range(rounds):
        for contender in contenders:
            if contender.fault or number >= (contender.most_rounds or rounds):
                continue
            report(f"round {number + 1} of {rounds}: {contender.name}")
            try:
                run_once(contender, timed)
            except Failed as failure:
                contender.fault = str(failure)
