"""Running things in turn and saying what they took."""

import json
import statistics
import subprocess
from dataclasses import dataclass, field


@dataclass
class Sample:
    """One run. `inner` is set where the program measured inside itself: its own seconds are then the time that counts."""

    seconds: float
    processor: float
    peak_mb: float


@dataclass
class Contender:
    """Something that is run once a round."""

    name: str
    command: list
    peer: object = None  # whose programs can predict with the model
    model: object = None  # path of the model it writes, to judge
    core: int | None = None  # pinned to this core
    inner: object = None  # text on stdout -> seconds; then the program times itself
    shell: bool = False  # the command is one string for the shell, which runs the timed program itself
    most_rounds: int | None = None
    samples: list = field(default_factory=list)
    accuracy: float | None = None
    note: str = ""  # what its output said that the reader should know
    fault: str = ""  # why its figures are not to be trusted

    def median(self):
        return statistics.median(s.seconds for s in self.samples)

    def seconds(self):
        return [s.seconds for s in self.samples]

    def peak_mb(self):
        return max(s.peak_mb for s in self.samples)


class Failed(Exception):
    pass


def run(contender, timed):
    """One run under `timed`, the program that measures; returns the sample and what was printed on stdout."""
    if contender.shell:
        whole = ["sh", "-c", contender.command[0].replace("TIMED", str(timed))]
    else:
        pin = ["--core", str(contender.core)] if contender.core is not None else []
        whole = [str(timed), *pin, *map(str, contender.command)]
    done = subprocess.run(whole, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", check=False)
    lines = done.stderr.strip().splitlines()
    try:
        took = json.loads(lines[-1])
    except (IndexError, ValueError):
        raise Failed(f"{contender.name}: {' '.join(lines[-3:]) or 'no report'}") from None
    if took["status"] != 0:
        raise Failed(f"{contender.name}: exit status {took['status']}: {' '.join(lines[-4:-1])}")
    sample = Sample(took["seconds"], took["processor"], took["peak_kb"] / 1000)
    if contender.inner:
        sample.seconds = contender.inner(done.stdout)
    return sample, done.stdout


def in_turn(contenders, rounds, timed, say):
    """A, B, C, A, B, C ...: each contender once a round, so that whatever the machine does meets all of them alike."""
    for number in range(rounds):
        for contender in contenders:
            if contender.fault or number >= (contender.most_rounds or rounds):
                continue
            say(f"round {number + 1} of {rounds}: {contender.name}")
            try:
                sample, printed = run(contender, timed)
            except Failed as failure:
                contender.fault = str(failure)
                continue
            contender.samples.append(sample)
            if contender.peer and number == 0:
                contender.note = contender.peer.remark(printed)


def paired_ratios(contender, ours):
    """How many times as long as ours it took, round by round."""
    return [theirs / own for theirs, own in zip(contender.seconds(), ours.seconds())]
