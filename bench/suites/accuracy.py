"""How right what was learned is: Halfspace beside its peers on some forty data sets, everyone at its defaults.

Every program learns from the same values once and in ten passes (batch solvers: until they stop by themselves), and
predicts rows it has not seen: the official test file, else every fifth row; electricity is a stream, evaluated row by
row before it is learned. sets/table.py has the sets and where they are from. --ours '' is the default, at one and at
ten passes, and without any flag beside the batch solvers; --ours tournament is --preset tournament; several are
compared. Without flags, it is compared with solvers that choose C by folds, too, and where it is more than 0.3 points
behind the best peer, a table has the cause. Processor seconds are of one run each: only a hint. Prepared sets are kept
in build/accuracy-data (2.7 GB).
"""

from dataclasses import asdict
from pathlib import Path

from harness.bench import SOURCE, report
from harness.timing import Failed
from sets import causes, files, learners, standing, table

TITLE = "Accuracy beside the peers"
FIGURES = "README: sets on which it is first, ranks, points of accuracy; causes of what is missing"
ITEMS = [one.name for one in table.SETS]
PASSES = (1, 10)
REMARK = (
    "Accuracy in % of the test rows. Everyone at its defaults, a bias for everyone; vw with more passes than one"
    " holds a tenth of the rows back and may stop early, which is its default; --holdout_off takes all of them."
)


def options(parser):
    parser.add_argument("--ours", action="append", metavar="PRESET", help="a preset of ours; '' for no flag")
    parser.add_argument("--minimum", action="store_true", help="the minimum of the logistic objective, too; C by folds")
    parser.add_argument("--batch", action="store_true", help="only what stops by itself: ours without flags, solvers")
    parser.add_argument("--program", type=Path, help="the command, when it is not the build's")
    parser.add_argument("--patience", type=int, default=120, help="seconds that one run may take")


def files_of(bench, data):
    """The files of a set, or none when they are nowhere. Those of A are made when they are wanted."""
    names = [name for name in (data.train, data.test) if name]
    return [bench.inputs.path(name) for name in names] if data.source == table.MADE else bench.find(*names)


def measure(bench, made, everyone):
    """(the standing of one prepared set, the Cause where ours without flags is behind)"""
    data = made.data
    size = (made.rows, made.features, made.classes, made.test_rows)
    result = standing.Standing(data.name, *size, data.how(), data.source)
    online, cause = () if bench.options.batch else PASSES, None
    for passes in (*online, learners.BATCH):
        found = {}
        result.accuracy[passes] = {}
        for learner in everyone:
            if learner.online == (passes == learners.BATCH) or (data.progressive and passes > 1):
                continue
            report(f"{data.name}, {passes} passes: {learner.name}")
            try:
                found[learner.name] = learner.try_on(made, passes)
                result.accuracy[passes][learner.name] = 100 * found[learner.name].accuracy
            except learners.Refused:
                continue
            except Failed as fault:
                result.accuracy[passes][learner.name] = None
                result.notes.append(f"{learner.name}, {passes} passes: {fault}".replace(", 0 passes", ""))
        result.processor[passes] = {name: one.processor for name, one in found.items()}
        result.log_loss[passes] = {name: one.log_loss for name, one in found.items() if one.log_loss is not None}
        result.notes += [f"{name}: {one.note}" for name, one in found.items() if one.note]
        if learners.NO_FLAG in found:
            report(f"{data.name}: causes")
            others = {name: value for name, value in everywhere(result).items()
                      if value is not None and not name.startswith("halfspace")}
            cause = causes.find(bench, made, found[learners.NO_FLAG], others)
    return result, cause


def at(passes, *more):
    return lambda one: {name: value for p in (passes, *more) for name, value in one.accuracy[p].items()}


def everywhere(one):
    """Batch solvers, and the online learners at ten passes and at one."""
    once = {f"{name}, one pass": value for name, value in one.accuracy.get(1, {}).items()}
    return one.accuracy.get(10, {}) | one.accuracy[learners.BATCH] | once


def results(bench, standings, mine, online, batch):
    """The tables of accuracy: online learners among themselves at equal passes, then everyone."""

    def summary(name, others, results_of):
        bench.text(*standing.summarize(name, others, standings, results_of).lines())

    def rank_table(names, results_of):
        means = standing.mean_ranks(names, standings, results_of)
        bench.table(["program", "mean rank", "sets"], [[n, f"{m:.2f}", f"{count}"] for n, (m, count) in means.items()])

    for passes, title in ((1, "One pass"), (10, "Ten passes")):
        every = at(passes, learners.BATCH)
        bench.heading(f"{title}, online learners")
        for name in mine:
            summary(name, online, at(passes))
        rows = standing.results_rows(standings, mine, online, batch, every)
        bench.table(["set", "test rows", *mine, *online, *(f"*{name}*" for name in batch)], list(rows))
        bench.text("In brackets: our rank among the online learners. In italics: batch solvers, not ranked.")
        rank_table([*mine, *online], at(passes))
        bench.heading(f"{title}, all programs")
        for name in mine:
            summary(name, online + batch, every)
        rank_table([*mine, *online, *batch], every)


def without_flags(bench, standings, online, batch, found):
    """Ours without flags beside the solvers: who is ahead, by how much, and why."""
    peers = [*online, *(f"{one}, one pass" for one in online), *(one for one in batch if one[:9] != "halfspace")]
    for name in (one for one in batch if one.startswith("halfspace")):
        bench.heading(f"{name}, beside all programs, the online ones at one pass and at ten")
        bench.text(*standing.summarize(name, peers, standings, everywhere).lines())
    figures(bench, standings, batch, "accuracy", learners.BATCH, "Accuracy, solvers", "{:.2f}")
    figures(bench, standings, batch, "log_loss", learners.BATCH, "Log loss, solvers (two classes)", "{:.4f}")
    figures(bench, standings, batch, "processor", learners.BATCH, "Processor seconds, solvers: one run", "{:.2f}")
    bench.heading(f"Causes: {learners.NO_FLAG}, more than {causes.BEHIND} points behind the best peer")
    if found:
        bench.table(causes.HEAD, [one.cells() for one in found])
    else:
        bench.text("None.")


def figures(bench, standings, everyone, kind, passes, title, form):
    found = [(one.name, getattr(one, kind)[passes]) for one in standings]
    shown = [name for name in everyone if any(name in values for _, values in found)]
    cell = lambda value: "–" if value is None else form.format(value)
    bench.heading(title)
    bench.table(["set", *shown],
                [[name, *(cell(values.get(one)) for one in shown)] for name, values in found if values])


def run(bench):
    ours, others, about = learners.everyone(bench, bench.options.ours or [""], bench.options.minimum)
    wanted, standings, absent, found_causes = bench.only(ITEMS), [], [], []
    for data in (one for one in table.SETS if one.name in wanted):
        if not (found := files_of(bench, data)):
            absent.append(data.name)
            continue
        try:
            made = files.prepare(data, found, SOURCE / "build/accuracy-data")
        except ValueError as fault:
            absent.append(f"{data.name}: {fault}")
            continue
        one, cause = measure(bench, made, [*ours, *others])
        standings.append(one)
        found_causes += [cause] if cause else []
    report("")
    bench.text(REMARK, "", *about, *(f"- not here: {name}" for name in absent))
    if not standings:
        return
    online, batch = ([one.name for one in others if one.online == kind] for kind in (True, False))
    mine = [one.name for one in ours]
    if not bench.options.batch:
        results(bench, standings, mine, online, batch)
        for passes, words in zip(PASSES, ("one pass", "ten passes")):
            figures(bench, standings, mine + online, "log_loss", passes, f"Log loss, {words} (two classes)", "{:.4f}")
            figures(bench, standings, mine + online, "processor", passes, f"Processor seconds, {words}", "{:.2f}")
    without_flags(bench, standings, online, batch, found_causes)
    bench.heading("The sets")
    bench.table(["set", "rows", "features", "classes", "test rows", "split", "from"],
                [[s.name, f"{s.rows:,}", f"{s.features:,}", f"{s.classes}", f"{s.test_rows:,}", s.how, s.source]
                 for s in standings])
    heard = {}  # note -> sets
    for one in standings:
        for note in one.notes:
            heard.setdefault(note, []).append(one.name)
    bench.text(*(f"- {note} ({'; '.join(names)})" for note, names in heard.items()))
    bench.write(TITLE, {"sets": [asdict(one) for one in standings], "causes": [asdict(one) for one in found_causes]})
