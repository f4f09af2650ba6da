"""Whole programs side by side, from text to model; the library beside the machine's limits."""

import json
import statistics
import subprocess
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from harness import inputs, machine, peers, tables
from harness.timing import Contender

TITLE = "Side by side"
FIGURES = "README and docs/cluster.md: times, ratios, memory, accuracy on A"
AS_FAST = 0.97  # an earlier build's time, divided by ours, is no less: what is below is more than noise
EVERYONE = ("vw", "sol", "liblinear", "sofia-ml", "scikit-learn")
HEAD = ["", "median", "spread", "processor", "peak MB", "rate", "right", "÷ ours", "spread", ""]
REMARK = ("Times are of whole processes, from text to model file, files in the page cache, medians and spread over the"
          " rounds; all contenders of a row run in turn, round by round, and ratios are taken within a round.")


def options(parser):
    parser.add_argument("--before", type=Path, help="the build folder of an earlier Halfspace: a contender of its own")


@dataclass
class Row:
    bench: object
    name: str
    peers: dict
    contenders: list = field(default_factory=list)  # ours is the first
    goals: list = field(default_factory=list)  # (text, () -> number or None, at least, at most)
    held_out: str = ""  # the LIBSVM input that models are evaluated on
    form: str = ""  # the form in which all read it, where it is not each peer's own
    unit: str = ""  # of `amounts` a second
    amounts: dict = field(default_factory=dict)  # a contender's name -> how much one run goes through
    notes: list = field(default_factory=list)
    compared: bool = True  # whether times of the contenders can be held against ours

    def __post_init__(self):
        self.ours = peers.Halfspace(self.bench.program)
        self.averaged = peers.Halfspace(self.bench.program, "averaged")
        self.before_folder = self.bench.options.before

    def path(self, name):
        return self.bench.inputs.path(name)

    def add(self, peer, command, model=None, name=None, **more):
        """A contender, unless its program is not here; `command` makes its words."""
        if peer.missing:
            self.notes.append(f"{name or peer.name}: not measured, {peer.missing}.")
            return
        self.contenders.append(Contender(name or peer.name, command(), peer, model, **more))

    def named(self, name):
        return next((c for c in self.contenders if c.name == name and c.samples and not c.fault), None)

    def of(self, name, figure):
        found = self.named(name)
        return figure(found) if found else None

    def ratio(self, name):
        theirs, ours = self.named(name), self.named(self.contenders[0].name)
        return theirs.ratio(ours) if theirs and ours else None

    def rate(self, name):
        return self.of(name, lambda c: self.amounts[name] / c.median()) if name in self.amounts else None

    def goal(self, text, figure, at_least=None, at_most=None):
        self.goals.append((text, figure, at_least, at_most))

    def slower(self, **times):
        """These take at least so many times as long as ours."""
        for name, least in times.items():
            name = name.replace("_", "-")
            self.goal(f"{name} ÷ ours", partial(self.ratio, name), at_least=least)

    def ours_at_most(self, seconds=None, peak=None):
        ours = self.contenders[0].name
        if seconds:
            self.goal("ours, seconds", lambda: self.of(ours, Contender.median), at_most=seconds)
        if peak:
            self.goal("ours, peak MB", lambda: self.of(ours, Contender.peak_mb), at_most=peak)

    def training(self, stem, names, passes=1, packed="", averaged=True, **more):
        """Each learns from its form of the input, or all from the row's."""
        self.held_out = f"{stem}-held-out.svm" if stem != "small" else "small.svm"
        ours = [self.ours] + [self.averaged] * averaged
        if self.before_folder:
            ours.insert(1, peers.Halfspace(self.before_folder / "halfspace", name="before"))
            self.slower(before=AS_FAST)
        for peer in (*ours, *(self.peers[name] for name in names)):
            model = self.model(peer.name)
            data = lambda peer=peer: self.path(f"{stem}.{self.form or peer.form}{packed}")
            train = lambda peer=peer, model=model, data=data: peer.train(data(), model, passes)
            self.add(peer, train, model, **more)

    def model(self, name):
        return self.bench.work / f"{self.name}-{name.replace(' ', '-')}.model"

    def in_memory(self, name, unit, *words, tool=None, **more):
        """A contender that is the library itself, timed inside."""

        def inner(printed):
            report = json.loads(printed)
            if report["bytes"] != report["unpacked_bytes"]:
                self.notes.append(f"{name}: a pass reads {report['bytes'] / 1e6:.0f} MB, as rows are packed")
            per, amount = (1e9, report["unpacked_bytes"]) if unit == "GB/s" else (1e6, report["nonzeros"])
            self.amounts[name] = amount / per
            return statistics.median(report["seconds"])

        self.unit = unit
        self.contenders.append(Contender(name, [tool or self.bench.tool("in_memory"), *words], inner=inner, **more))

    def passes(self, data, unit, count):
        for kind in ("double", "single"):
            self.in_memory(f"halfspace, {kind}", unit, "passes", data, kind, count)
        if self.before_folder:
            tool = self.before_folder / "bench/in_memory"
            self.in_memory("before, double", unit, "passes", data, "double", count, tool=tool)
            self.goal("before ÷ ours", lambda: self.ratio("before, double"), at_least=AS_FAST)


# ---- The rows. A: sparse; B: dense; C: small ----


def a1(row):
    row.training("sparse", EVERYONE)
    row.slower(vw=4.5, sol=2.2, liblinear=15, scikit_learn=25)
    row.ours_at_most(peak=40)


def a1_core(row):
    row.training("sparse", ("vw", "sol"), core=0)
    row.slower(vw=4)


def a10(row):
    row.training("sparse", EVERYONE, 10)
    row.slower(vw=6)


def a10_cache(row):
    vw, cache, theirs = row.peers["vw"], row.bench.work / "sparse.cache", row.bench.work / "sparse.vw.cache"
    row.held_out, data = "sparse-held-out.svm", row.path("sparse.svm")
    subprocess.run([row.bench.program, "convert", data, cache], check=True, capture_output=True)
    row.add(row.ours, lambda: row.ours.train(cache, row.model("halfspace"), 10), row.model("halfspace"))
    row.notes.append(f"caches: halfspace {cache.stat().st_size / 1e6:.0f} MB")
    if not vw.missing:
        words = [*vw.train(row.path("sparse.vw"), row.model("vw")), "-k", "--cache_file", theirs]
        subprocess.run([str(word) for word in words], check=True)
        row.notes.append(f"vw {theirs.stat().st_size / 1e6:.0f} MB")
    row.add(vw, lambda: vw.train_from_cache(theirs, row.model("vw"), 10), row.model("vw"))
    row.slower(vw=6)


def a1_gzip(row):
    row.training("sparse", ("vw",), packed=".gz", averaged=False)
    row.slower(vw=4)


def a_parse(row):
    for threads, name, least in ((1, "one core", 1.3), (2, "two cores", 2.4)):
        row.in_memory(name, "GB/s", "parse", row.path("sparse.svm"), threads, 3, core=0 if threads == 1 else None)
        row.goal(f"{name}, GB/s", partial(row.rate, name), at_least=least)
    row.in_memory("B as CSV, two cores", "GB/s", "parse", row.path("dense.csv"), 2, 3)
    row.compared = False


def a_memory(row):
    data = row.path("sparse.svm")
    row.passes(data, "M nnz/s", 10)

    def inner(printed):
        row.amounts["scikit-learn"] = next(iter(row.amounts.values()))
        return statistics.median(json.loads(printed)["seconds"])

    row.add(row.peers["scikit-learn"], lambda: [*peers.SKLEARN, "passes", data, 10], inner=inner)
    row.slower(scikit_learn=1.25)
    row.goal("single, M nnz/s", lambda: row.rate("halfspace, single"), at_least=1000)


def a_predict(row):
    row.held_out = "sparse-held-out.svm"

    def predicting(peer, model):
        words = peer.train(row.path(f"sparse.{peer.form}"), model)
        subprocess.run([str(word) for word in words], check=True, capture_output=True)
        out = row.bench.work / f"{peer.name}.predictions"
        return peer.predict(model, row.path(f"sparse-held-out.{peer.form}"), out)

    for peer in (row.ours, *row.peers.values()):
        model = row.model(peer.name)
        row.add(peer, lambda peer=peer, model=model: predicting(peer, model), model)
    row.slower(sol=2)


def b_svm(row):
    row.training("dense", ("vw", "sol", "liblinear", "sofia-ml"), averaged=False)
    row.slower(sol=2.5)


def b_csv(row):
    row.form = "csv"
    row.training("dense", ("sol", "scikit-learn"), averaged=False)
    row.slower(sol=3, scikit_learn=15)


def b_memory(row):
    row.passes(row.path("dense.svm"), "GB/s", 20)
    row.compared, memory = False, row.bench.limits["memory"] / 1e9
    for kind in ("double", "single"):
        share = lambda name=f"halfspace, {kind}": row.rate(name) and row.rate(name) / memory
        row.goal(f"{kind}, share of the memory's rate", share, at_least=0.6)


def c(row):
    row.training("small", EVERYONE)
    row.ours_at_most(seconds=0.004, peak=12)


def accuracy(row):
    row.held_out, row.compared = "sparse-held-out.svm", False
    sklearn, liblinear, data = row.peers["scikit-learn"], row.peers["liblinear"], row.path("sparse.svm")
    ours = lambda: row.averaged.train(data, row.model("averaged"), 10)
    row.add(row.averaged, ours, row.model("averaged"), "averaged", most_rounds=1)
    for loss in ("perceptron", "hinge"):
        train = lambda loss=loss: sklearn.train(data, row.model(loss), 10, loss)
        row.add(sklearn, train, row.model(loss), f"averaged SGD, {loss}", most_rounds=1)
    dual = lambda: liblinear.train(data, row.model("dual"), tolerance=0.1)
    row.add(liblinear, dual, row.model("dual"), most_rounds=1)

    def above_sgd():
        ours, theirs = row.named("averaged"), row.named("averaged SGD, perceptron")
        return ours.accuracy - theirs.accuracy if ours and theirs and ours.accuracy and theirs.accuracy else None

    row.goal("averaged, above averaged SGD by the same rule", above_sgd, at_least=-0.003)
    row.notes.append("ten passes; averaged SGD is scikit-learn's SGDClassifier(average=True): the perceptron's loss"
                     " with a constant step, or the hinge loss with alpha 1e-6, the best of the powers of ten on these rows")


def scaling(row):
    data, whole_rows = row.path("sparse.svm"), 400_000 // row.bench.inputs.share
    for rows in (10_000, 100_000, 400_000, 1_000_000, 10_000_000):
        whole, rest = divmod(rows // row.bench.inputs.share, whole_rows)
        feed = [f"cat {' '.join([str(data)] * whole)}"] * bool(whole) + [f"head -n {rest} {data}"] * bool(rest)
        line = f"({'; '.join(feed)}) | TIMED {row.ours.program} train - -o {row.model('ours')} --preset rosenblatt -q"
        row.contenders.append(Contender(f"{rows:,} rows", line, most_rounds=2 if rows > 1_000_000 else None))
        row.amounts[f"{rows:,} rows"] = rows / row.bench.inputs.share / 1e6
    row.unit, row.compared = "M rows/s", False
    small, large = "100,000 rows", "10,000,000 rows"

    def growth(figure):
        few, many = row.named(small), row.named(large)
        return figure(many) / figure(few) if few and many else None

    row.goal("time a row, 10⁷ ÷ 10⁵", lambda: growth(lambda one: one.median() / row.amounts[one.name]), at_most=1.1)
    row.goal("peak memory, 10⁷ ÷ 10⁵", lambda: growth(Contender.peak_mb), at_most=1.1)
    row.notes.append("the first rows of A, or A repeated; at 10,000 rows the start of the process is part of the time")


ROWS = {
    "A1": ("A, text to model, one pass, two cores", a1),
    "A1-core": ("A, text to model, one pass, pinned to one core", a1_core),
    "A10": ("A, text to model, ten passes", a10),
    "A10-cache": ("A, binary cache to model, ten passes", a10_cache),
    "A1-gzip": ("A, gzip to model, one pass", a1_gzip),
    "A-parse": ("A, parsing alone, all checks on", a_parse),
    "A-memory": ("A, one pass in memory, one thread", a_memory),
    "A-predict": ("A, 50,000 held-out rows predicted to a file", a_predict),
    "B-svm": ("B, LIBSVM to model, one pass", b_svm),
    "B-csv": ("B, CSV to model, one pass", b_csv),
    "B-memory": ("B, one dense pass in memory, one thread", b_memory),
    "C": ("C, 1,000 × 20, text to model", c),
    "accuracy": ("A, accuracy on the held-out rows", accuracy),
    "scaling": ("Rows of A through a pipe, one pass: time a row, and memory", scaling),
}
ITEMS = list(ROWS)


def evaluate(row):
    """Sets the accuracy of every contender that wrote a model: each predicts rows that it has not seen."""
    if not row.held_out:
        return
    truth = row.bench.inputs.signs(row.held_out)
    constant = max(sum(truth), len(truth) - sum(truth)) / len(truth)
    out = row.bench.work / "predictions"
    for one in row.contenders:
        if not one.model or one.fault:
            continue
        out.unlink(missing_ok=True)
        data = row.path(row.held_out.removesuffix("svm") + (row.form or one.peer.form))
        command = one.peer.predict(one.model, data, out)
        words = [str(word) for word in command]
        done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, check=False)
        guesses = one.peer.predictions(out) if done.returncode == 0 else []
        if len(guesses) != len(truth):
            one.fault = f"{len(guesses):,} predictions for {len(truth):,} rows"
            continue
        one.accuracy = sum((guess > 0) == real for guess, real in zip(guesses, truth)) / len(truth)
        one.note = one.peer.remark(one.printed)
        if one.accuracy < constant:
            one.note += f" no better than a constant ({constant:.1%})"


def cells(row, one):
    if one.fault or not one.samples:
        return [one.name, f"not measured: {one.fault}"]
    ours, outer, rate = row.contenders[0], not one.inner, row.rate(one.name)
    compared = row.compared and one is not ours and ours.samples and not ours.fault
    return [
        one.name,
        tables.seconds_text(one.median()),
        tables.spread_text(one.seconds()),
        tables.seconds_text(statistics.median(s.processor for s in one.samples)) if outer else "",
        f"{one.peak_mb():,.0f}" if outer else "",
        f"{rate:,.{2 if rate < 10 else 0}f} {row.unit}" if rate else "",
        f"{one.accuracy:.2%}" if one.accuracy is not None else "",
        *(tables.ratio_text(one, ours) if compared else ("", "")),
        one.note,
    ]


def verdict(text, figure, at_least, at_most):
    wanted = f"wanted at least {at_least:g}" if at_least is not None else f"wanted at most {at_most:g}"
    if (number := figure()) is None:
        return f"- {text}: {wanted}, not measured"
    reached = number >= at_least if at_least is not None else number <= at_most
    return f"- {text}: {tables.figure_text(number)}, {wanted}: {'reached' if reached else 'NOT REACHED'}"


def run(bench):
    bench.limits = machine.limits(bench.inputs.path("sparse.svm"))
    everyone = peers.all_peers()
    rates = ", ".join(f"{name} {rate / 1e9:.1f} GB/s" for name, rate in bench.limits.items())
    bench.text(f"Limits of one core: {rates}.", "", REMARK, "", *(f"- {line}" for line in inputs.DESCRIPTION),
               *(f"- {peer.version}" for peer in everyone.values() if peer.version))
    for name in bench.only(ITEMS):
        title, make = ROWS[name]
        row = Row(bench, name, everyone)
        make(row)
        bench.heading(f"{name}: {title}")
        bench.measure(row.contenders, about=name)
        evaluate(row)
        bench.table(HEAD, [cells(row, one) for one in row.contenders])
        bench.text(*(f"- {note}" for note in dict.fromkeys(row.notes)), *(verdict(*goal) for goal in row.goals))
        bench.text("```", *(bench.command_of(one) for one in row.contenders), "```")
    bench.write(TITLE)
