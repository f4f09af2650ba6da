"""Why `halfspace train` without flags is behind the best peer on a set, from runs of what it can choose.

Logistic regression at several C and the rules that the plan compared are trained on all training rows and scored on
the test rows. The best of these bounds what a better choice could gain; it is chosen by the test rows, so it is no
result of ours.
"""

import math
import re
from dataclasses import dataclass, field

from harness.timing import Failed

from . import learners

BEHIND = 0.3  # points of accuracy from which a cause is looked for
COSTS = ("0.1", "1", "10", "100")  # C of the logistic losses


def flags_of(name):
    """The flags that train a candidate by the name the plan reports, such as `arow, 3 passes, columns scaled`."""
    if cost := re.search(r"logistic regression, C ([^ ,]+)", name):
        scale = "standard" if "columns standardised" in name else "none"
        return ("--objective", f"logistic:C={cost[1]}", "--normalize", scale, "--penalize-bias", "no")
    words, _, rest = name.partition(", ")
    rule, *words = words.split()
    keep = "average" if "averaged" in words else "last"
    words = [word for word in words if word != "averaged"]
    passes = re.match(r"\d+", rest)[0]
    parameters = [f"{key}={value}" for key, value in zip(words[::2], words[1::2])]
    if rule == "tournament" and passes != "1":
        parameters.append("validation-share=0.1")  # as in the plan, whose name leaves it out
    scaled = ("--normalize", "column") if "columns scaled" in rest else ()
    rule = ":".join([rule, *parameters])
    return ("--rule", rule, "--keep", keep, "--order", "shuffled", "--passes", passes, *scaled)


@dataclass
class Cause:
    name: str  # of the set
    rows: int  # of the test rows
    own: float  # accuracy in percent
    peer: str
    peers: float
    chosen: str
    offered: list  # names of what the plan compared
    scores: dict = field(default_factory=dict)  # candidate -> accuracy in percent on the test rows

    def points(self):
        return round(self.peers - self.own, 4)

    def error(self):
        """One standard error of our accuracy, in points."""
        share = self.own / 100
        return 100 * math.sqrt(share * (1 - share) / self.rows)

    def best(self):
        """(candidate, its accuracy)"""
        return max(self.scores.items(), key=lambda item: item[1], default=("none", 0.0))

    def cause(self):
        best, accuracy = self.best()
        if self.points() <= self.error():
            return "within one standard error"
        if accuracy < self.peers - BEHIND:
            return "no candidate comes near"
        return "better candidate not chosen" if best in self.offered else "better candidate not compared"

    def cells(self):
        best, accuracy = self.best()
        return [self.name, f"{self.rows:,}", f"{self.own:.2f}", f"{self.points():.2f}", self.peer,
                f"{self.error():.2f}", self.chosen, best, f"{accuracy:.2f}", self.cause()]


HEAD = ["set", "test rows", "ours", "points behind", "best peer", "standard error", "chosen",
        "best candidate by the test rows", "its accuracy", "cause"]  # fmt: skip


def find(bench, made, outcome, others):
    """The Cause where the outcome is more than BEHIND points behind the best of `others`, {peer: percent}, or None."""
    peer = max(others, key=others.get, default=None)
    own = 100 * outcome.accuracy
    if peer is None or made.data.progressive or others[peer] - own <= BEHIND:
        return None
    chosen = outcome.chosen
    offered = [one["name"] for one in chosen.get("candidates", ())]
    words = chosen.get("words", "not reported").partition(": ")[0]
    found = Cause(made.data.name, made.test_rows, own, peer, others[peer], words, offered)
    tried = {flags_of(name): name for name in offered}
    for cost in COSTS:
        name = f"logistic regression, C {cost}, columns standardised"
        tried.setdefault(flags_of(name), name)
    for flags, name in tried.items():
        try:
            found.scores[name] = 100 * learners.Ours(bench, online=False, flags=flags).try_on(made, 0).accuracy
        except Failed:
            continue  # longer than --patience
    return found
