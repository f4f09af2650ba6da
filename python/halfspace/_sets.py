"""Adaptive prediction sets for rows that come one by one, as halfspace/detail/train/prediction_sets.h describes them."""

from bisect import bisect_left, insort
from collections import deque
from math import ceil, inf
from numbers import Real

from . import _native as native


class AdaptiveSets:
    """The level of the sets, and the nonconformities of the latest truths."""

    STEP, WINDOW = 0.02, 1000

    def __init__(self, coverage):
        if not isinstance(coverage, Real) or not 0 < coverage < 1:
            raise native.usage_error(f"sets={coverage!r} does not lie between 0 and 1",
                                     "0.9 is usual: nine of ten sets have the true class")
        self.coverage = float(coverage)
        self.rows = self.covered = self.sizes = self.singles = self.empty = 0
        self.most_pending = 1
        self.latest, self.ascending = deque(), []

    @property
    def level(self):
        return (1 - self.coverage) + self.STEP * (self.covered - self.coverage * self.rows)

    def threshold(self):
        """Returns the largest nonconformity in the next set."""
        level, count = self.level, len(self.ascending)
        if level >= 1:
            return -inf
        if level <= 0:
            return inf
        share = 1 - level
        rank = ceil(share * (count + 1))
        while rank / (count + 1) < share:
            rank += 1
        while rank > 0 and (rank - 1) / (count + 1) >= share:
            rank -= 1
        return inf if rank > count else self.ascending[max(rank, 1) - 1]

    def note_pending(self, count):
        self.most_pending = max(self.most_pending, count)

    def add(self, nonconformity, covered, size):
        """Learns the truth of a set: its nonconformity, and whether it was in the set, which had `size` classes."""
        if len(self.latest) == self.WINDOW:
            del self.ascending[bisect_left(self.ascending, self.latest.popleft())]
        self.latest.append(nonconformity)
        insort(self.ascending, nonconformity)
        self.rows += 1
        self.covered += covered
        self.sizes += size
        self.singles += size == 1
        self.empty += size == 0

    def report(self):
        rows = self.rows

        def share(part):
            return part / rows if rows else None

        bound = None
        if rows:
            bound = (max(self.coverage, 1 - self.coverage) + self.most_pending * self.STEP) / (rows * self.STEP)
        return {"wanted": self.coverage, "step": self.STEP, "window": self.WINDOW, "rows": rows,
                "errors": rows - self.covered, "error": share(rows - self.covered), "bound": bound, "level": self.level,
                "most_pending": self.most_pending, "mean_size": share(self.sizes), "single": share(self.singles),
                "empty": share(self.empty)}


def nonconformity(scores, number):
    """Returns the best score of another class, less that of class `number`."""
    if len(scores) == 1:
        return -scores[0] if number == 1 else scores[0]
    return max(score for k, score in enumerate(scores) if k != number) - scores[number]
