"""Who is ahead: ranks, shortfalls, and the tables of bench/accuracy."""

from dataclasses import dataclass, field

CLOSE = 0.1  # points of accuracy within which two are as good
ENOUGH = 2_000  # test rows from which a difference of a few tenths says something


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
    seconds: dict = field(default_factory=dict)
    notes: list = field(default_factory=list)

    def evaluated_rows(self):
        return self.test_rows or self.rows


def ranks(results):
    """learner -> rank; equals share the mean of their ranks, and those not done share the last."""
    order = sorted(results, key=lambda name: -(results[name] if results[name] is not None else -1.0))
    given = {}
    for name in order:
        better = sum(ahead(results[other], results[name]) for other in order)
        equal = sum(results[other] == results[name] for other in order)
        given[name] = better + (equal + 1) / 2
    return given


def ahead(one, other):
    return one is not None and (other is None or one > other)


def shortfall(name, results, peers):
    """(points that the best of the peers is ahead of `name`, negative when behind; the best); None if none is done."""
    done = {peer: results[peer] for peer in peers if results.get(peer) is not None}
    if not done or results.get(name) is None:
        return None
    best = max(done, key=done.get)
    return done[best] - results[name], best


@dataclass
class Summary:
    name: str
    sets: int  # with enough test rows
    first: int  # at least as good as every peer
    close: int  # first, or less than CLOSE behind
    worst: tuple  # (points, set, peer)
    behind: list  # (points, set, peer, test rows), over all sets, more than CLOSE
    not_done: list


def summarize(name, peers, standings, results_of):
    """`results_of` a standing gives {learner: accuracy}. Sets that the learner refused are left out."""
    found = Summary(name, 0, 0, 0, (0.0, "", ""), [], [])
    for standing in standings:
        results = results_of(standing)
        if name not in results:
            continue
        if results[name] is None:
            found.not_done.append(standing.name)
        gap = shortfall(name, results, peers) if results[name] is not None else (100.0, "all")
        if gap is None:
            continue
        points, best = round(gap[0], 4), gap[1]
        if points > CLOSE:
            found.behind.append((points, standing.name, best, standing.evaluated_rows()))
        if standing.evaluated_rows() < ENOUGH:
            continue
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


# ---- Markdown ----


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|---|" + "---:|" * (len(head) - 1)]
    return lines + ["| " + " | ".join(row) + " |" for row in rows]


def percent(value):
    return "not done" if value is None else f"{value:.2f}"


def results_table(standings, ours, ranked, beside, results_of):
    """A set a line; the best of the ranked in bold, a rank behind each of ours."""

    def line(standing):
        results = results_of(standing)
        among = {name: results[name] for name in (*ours, *ranked) if name in results}
        best = max((value for value in among.values() if value is not None), default=None)
        cells = [standing.name, f"{standing.evaluated_rows():,}"]
        for name in (*ours, *ranked, *beside):
            if name not in results:
                cells.append("–")
                continue
            cell = percent(results[name])
            cell = f"**{cell}**" if results[name] is not None and results[name] == best and name in among else cell
            if name in ours:
                peers = {peer: results[peer] for peer in ranked if peer in results} | {name: results[name]}
                cell += f" ({ranks(peers)[name]:g})"
            cells.append(cell)
        return cells

    shown = [standing for standing in standings if any(name in results_of(standing) for name in (*ours, *ranked))]
    return table(["set", "test rows", *ours, *ranked, *(f"*{name}*" for name in beside)], map(line, shown))


def summary_lines(found):
    points, where, whom = found.worst
    lines = [
        f"**{found.name}**: on {found.sets} sets with {ENOUGH:,} test rows or more: first on {found.first},"
        f" first or within {CLOSE} points on {found.close}"
        + (f"; at most {points:.2f} points behind ({where}, {whom})." if points > 0 else ".")
    ]
    if found.not_done:
        lines[0] += f" Not done: {', '.join(found.not_done)}."
    if found.behind:
        behind = "; ".join(f"{name} {points:.2f} ({peer}, {rows:,} rows)" for points, name, peer, rows in found.behind)
        lines += ["", f"Behind by more than {CLOSE} points, over all sets: {behind}."]
    return [*lines, ""]


def rank_table(learners, standings, results_of):
    means = mean_ranks(learners, standings, results_of)
    rows = ([name, f"{mean:.2f}", f"{count}"] for name, (mean, count) in means.items())
    return table(["program", "mean rank", "sets"], rows)


def figures_table(standings, learners, figures_of, form):
    """Log loss, or seconds."""
    shown = [name for name in learners if any(name in figures_of(standing) for standing in standings)]
    found = [(standing.name, figures_of(standing)) for standing in standings if figures_of(standing)]
    rows = ([name, *(form.format(values[one]) if one in values else "–" for one in shown)] for name, values in found)
    return table(["set", *shown], rows)


def sets_table(standings):
    rows = ([s.name, f"{s.rows:,}", f"{s.features:,}", f"{s.classes}", f"{s.test_rows:,}", s.how, s.source]
            for s in standings)  # fmt: skip
    return table(["set", "rows", "features", "classes", "test rows", "split", "from"], rows)
