"""Who is ahead on which set: ranks and shortfalls."""

from dataclasses import dataclass, field

CLOSE = 0.1  # points of accuracy within which two are as good
ENOUGH = 2_000  # test rows from which a difference of a few tenths matters


@dataclass
class Standing:
    """One set: learner -> accuracy in percent; None where a learner was not done, and absent where it refused."""

    name: str
    rows: int
    features: int
    classes: int
    test_rows: int
    how: str
    source: str
    accuracy: dict = field(default_factory=dict)  # passes -> {learner: percent or None}
    log_loss: dict = field(default_factory=dict)
    processor: dict = field(default_factory=dict)  # seconds
    notes: list = field(default_factory=list)

    def evaluated_rows(self):
        return self.test_rows or self.rows


def ranks(results):
    """learner -> rank; equals share the mean of their ranks, and those not done share the last."""
    value = {name: -1.0 if result is None else result for name, result in results.items()}
    values = value.values()
    return {name: sum(other > own for other in values) + (sum(other == own for other in values) + 1) / 2
            for name, own in value.items()}


@dataclass
class Summary:
    name: str
    sets: int = 0  # with enough test rows
    first: int = 0  # at least as good as every peer
    close: int = 0  # first, or less than CLOSE behind
    worst: tuple = (0.0, "", "")  # points, set, peer
    behind: list = field(default_factory=list)  # (points, set, peer, test rows), over all sets, more than CLOSE
    not_done: list = field(default_factory=list)

    def lines(self):
        points, where, whom = self.worst
        line = (f"**{self.name}**: on {self.sets} sets with {ENOUGH:,} test rows or more: first on {self.first}, first"
                f" or within {CLOSE} points on {self.close}")
        line += f"; at most {points:.2f} points behind ({where}, {whom})." if points > 0 else "."
        line += f" Not done: {', '.join(self.not_done)}." if self.not_done else ""
        behind = "; ".join(f"{name} {points:.2f} ({peer}, {rows:,} rows)" for points, name, peer, rows in self.behind)
        return [line, *(["", f"Behind by more than {CLOSE} points, over all sets: {behind}."] if behind else [])]


def summarize(name, peers, standings, results_of):
    """`results_of` a standing gives {learner: accuracy}. Sets that the learner refused are left out."""
    found = Summary(name)
    for standing in standings:
        results, rows = results_of(standing), standing.evaluated_rows()
        done = {peer: results[peer] for peer in peers if results.get(peer) is not None}
        if name not in results or (results[name] is not None and not done):
            continue
        if results[name] is None:
            found.not_done.append(standing.name)
            points, best = 100.0, "all"
        else:
            best = max(done, key=done.get)
            points = round(done[best] - results[name], 4)
        if points > CLOSE:
            found.behind.append((points, standing.name, best, rows))
        if rows >= ENOUGH:
            found.sets += 1
            found.first += points <= 0
            found.close += points <= CLOSE
            found.worst = max(found.worst, (points, standing.name, best))
    found.behind.sort(reverse=True)
    return found


def mean_ranks(learners, standings, results_of):
    """learner -> (mean rank over the sets it was tried on, how many), the best first."""
    given = {}
    for standing in standings:
        results = {name: value for name, value in results_of(standing).items() if name in learners}
        for name, rank in ranks(results).items():
            given.setdefault(name, []).append(rank)
    return dict(sorted(((name, (sum(r) / len(r), len(r))) for name, r in given.items()), key=lambda item: item[1][0]))


def results_rows(standings, ours, ranked, beside, results_of):
    """A set a row; the best of the ranked in bold, a rank behind each of ours."""
    for standing in standings:
        results = results_of(standing)
        among = {name: results[name] for name in (*ours, *ranked) if name in results}
        if not among:
            continue
        best = max((value for value in among.values() if value is not None), default=None)

        def cell(name):
            if name not in results:
                return "–"
            text = "not done" if results[name] is None else f"{results[name]:.2f}"
            text = f"**{text}**" if name in among and results[name] == best is not None else text
            rivals = {peer: among[peer] for peer in (*ranked, name) if peer in among}
            return f"{text} ({ranks(rivals)[name]:g})" if name in ours else text

        yield [standing.name, f"{standing.evaluated_rows():,}", *map(cell, (*ours, *ranked, *beside))]
