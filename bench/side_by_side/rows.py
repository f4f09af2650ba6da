"""The rows of the table: for each, who is run how, and what is wanted of the figures."""

import json
import statistics
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from .measure import Contender, paired_ratios
from .programs import Halfspace, output_of

AS_FAST = 0.97  # an earlier build's time, divided by ours, is no less: what is below is more than noise
ROWS = {}  # name -> (title, maker), in the order of the table


def row(name, title):
    def enlist(make):
        ROWS[name] = (title, make)
        return make

    return enlist


@dataclass
class Wanted:
    """A figure that the project has set itself."""

    text: str
    figure: object  # () -> number
    at_least: float | None = None
    at_most: float | None = None

    def reached(self, figure):
        return (self.at_least is None or figure >= self.at_least) and (self.at_most is None or figure <= self.at_most)


@dataclass
class Row:
    name: str
    title: str
    contenders: list  # ours is the first
    wanted: list = field(default_factory=list)
    held_out: str = ""  # the LIBSVM input that models are evaluated on
    form: str = ""  # the form in which they all read it, where it is not each peer's own
    unit: str = ""  # of `amounts` a second
    amounts: dict = field(default_factory=dict)  # contender's name -> how much one run goes through
    missing: list = field(default_factory=list)  # (name, why)
    remark: str = ""
    packed: dict = field(default_factory=dict)  # contender's name -> bytes that one run reads, where its rows are packed
    compared: bool = True  # whether times of the contenders can be held against ours

    def named(self, name):
        return next((c for c in self.contenders if c.name == name and c.samples and not c.fault), None)

    def slower(self, name, times):
        """`name` takes at least so many times as long as ours."""
        self.wanted.append(Wanted(f"{name} ÷ ours", lambda: self._median_ratio(name), at_least=times))

    def _median_ratio(self, name):
        theirs, ours = self.named(name), self.named(self.contenders[0].name)
        return statistics.median(paired_ratios(theirs, ours)) if theirs and ours else None

    def seconds_at_most(self, limit, text="ours, seconds"):
        self.wanted.append(Wanted(text, lambda: self._of_ours(lambda c: c.median()), at_most=limit))

    def peak_at_most(self, limit):
        self.wanted.append(Wanted("ours, peak MB", lambda: self._of_ours(lambda c: c.peak_mb()), at_most=limit))

    def _of_ours(self, figure):
        ours = self.named(self.contenders[0].name)
        return figure(ours) if ours else None

    def rate(self, name):
        contender = self.named(name)
        return self.amounts[name] / contender.median() if contender and name in self.amounts else None


class Workshop:
    """What rows are made of."""

    def __init__(self, inputs, program, peers, tools, work, limits, before=None):
        self.inputs, self.peers, self.tools, self.work, self.limits = inputs, peers, tools, Path(work), limits
        self.ours, self.averaged = Halfspace(program), Halfspace(program, "averaged")
        self.before_folder = before
        self.before = Halfspace(before / "halfspace", name="before") if before else None

    def make(self, name):
        title, make = ROWS[name]
        return make(self, Row(name, title, []))

    def add(self, row, peer, command, model=None, name=None, **more):
        if peer.missing:
            row.missing.append((name or peer.name, peer.missing))
        else:
            row.contenders.append(Contender(name or peer.name, command(peer), peer, model, **more))

    def training(self, row, peers, stem, passes=1, packed="", held_out="", **more):
        """Each peer learns from its form of the input, or all from the row's."""
        row.held_out = held_out
        if self.before and peers[0] is self.ours:
            peers = [self.ours, self.before, *peers[1:]]
            row.slower("before", AS_FAST)
        for peer in peers:
            form = f".{row.form or peer.form}{packed}"
            model = self.model_path(row, peer)
            if peer.missing:
                row.missing.append((peer.name, peer.missing))
                continue
            data = self.inputs.path(stem + form)
            self.inputs.warm(data)
            row.contenders.append(Contender(peer.name, peer.train(data, model, passes), peer, model, **more))
        return row

    def model_path(self, row, peer):
        return self.work / f"{row.name}-{peer.name.replace(' ', '-')}.model"

    def choose(self, *names):
        return [self.peers[name] for name in names]

    def in_memory(self, row, name, unit, *words, tool=None):
        """A contender that is the library itself; `amount` is the field of its report that one run goes through."""

        def inner(printed, what={"GB/s": "unpacked_bytes", "M nnz/s": "nonzeros"}[unit]):
            report = json.loads(printed)
            if report["bytes"] != report["unpacked_bytes"]:
                row.packed[name] = report["bytes"]
            row.amounts[name] = report[what] / (1e9 if unit == "GB/s" else 1e6)
            row.unit = unit
            return statistics.median(report["seconds"])

        row.contenders.append(Contender(name, [tool or self.tools["in_memory"], *words], inner=inner))


# ---- A: sparse ----


@row("A1", "A, text to model, one pass, two cores")
def a1(shop, row):
    shop.training(row, [shop.ours, shop.averaged, *shop.peers.values()], "sparse", held_out="sparse-held-out.svm")
    for name, times in (("vw", 4.5), ("sol", 2.2), ("liblinear", 15), ("scikit-learn", 25)):
        row.slower(name, times)
    row.peak_at_most(40)
    return row


@row("A1-core", "A, text to model, one pass, pinned to one core")
def a1_core(shop, row):
    shop.training(row, [shop.ours, shop.averaged, *shop.choose("vw", "sol")], "sparse", held_out="sparse-held-out.svm", core=0)
    row.slower("vw", 4)
    return row


@row("A10", "A, text to model, ten passes")
def a10(shop, row):
    shop.training(row, [shop.ours, shop.averaged, *shop.peers.values()], "sparse", 10, held_out="sparse-held-out.svm")
    row.slower("vw", 6)
    return row


@row("A10-cache", "A, binary cache to model, ten passes")
def a10_cache(shop, row):
    vw, model = shop.peers["vw"], shop.model_path(row, shop.ours)
    row.held_out = "sparse-held-out.svm"
    cache = shop.work / "sparse.cache"
    if "Usage: halfspace convert" not in output_of(shop.ours.program, "convert", "--help"):
        row.missing.append(("halfspace", "this build has no convert command"))
        return row
    subprocess.run([str(w) for w in (shop.ours.program, "convert", shop.inputs.path("sparse.svm"), cache)], check=True, capture_output=True)
    row.contenders.append(Contender("halfspace", shop.ours.train(cache, model, 10), shop.ours, model))
    row.remark = f"caches: halfspace {cache.stat().st_size / 1e6:.0f} MB"
    if vw.missing:
        row.missing.append(("vw", vw.missing))
    else:
        theirs, model = shop.work / "sparse.vw.cache", shop.model_path(row, vw)
        command = [*vw.train(shop.inputs.path("sparse.vw"), model), "-k", "--cache_file", theirs]
        subprocess.run([str(w) for w in command], check=True)
        row.contenders.append(Contender("vw", vw.train_from_cache(theirs, model, 10), vw, model))
        row.remark += f", vw {theirs.stat().st_size / 1e6:.0f} MB"
    row.slower("vw", 6)
    return row


@row("A1-gzip", "A, gzip to model, one pass")
def a1_gzip(shop, row):
    shop.training(row, [shop.ours, shop.peers["vw"]], "sparse", packed=".gz", held_out="sparse-held-out.svm")
    row.slower("vw", 4)
    return row


@row("A-parse", "A, parsing alone, all checks on")
def a_parse(shop, row):
    data = shop.inputs.path("sparse.svm")
    shop.inputs.warm(data)
    for threads, name in ((1, "one core"), (2, "two cores")):
        shop.in_memory(row, name, "GB/s", "parse", data, threads, 3)
        row.contenders[-1].core = 0 if threads == 1 else None
    row.compared = False
    row.wanted.append(Wanted("one core, GB/s", lambda: row.rate("one core"), at_least=1.3))
    row.wanted.append(Wanted("two cores, GB/s", lambda: row.rate("two cores"), at_least=2.4))
    return row


def passes_in_memory(shop, row, data, unit, passes):
    for kind in ("double", "single"):
        shop.in_memory(row, f"halfspace, {kind}", unit, "passes", data, kind, passes)
    if shop.before:
        shop.in_memory(row, "before, double", unit, "passes", data, "double", passes, tool=shop.before_folder / "bench/in_memory")
        row.slower("before, double", AS_FAST)


@row("A-memory", "A, one pass in memory, one thread")
def a_memory(shop, row):
    data = shop.inputs.path("sparse.svm")
    passes_in_memory(shop, row, data, "M nnz/s", 10)
    sklearn = shop.peers["scikit-learn"]

    def inner(printed):
        row.amounts["scikit-learn"] = next(iter(row.amounts.values()))
        return statistics.median(json.loads(printed)["seconds"])

    shop.add(row, sklearn, lambda peer: peer.script("passes", data, 10), inner=inner)
    row.slower("scikit-learn", 1.25)
    row.wanted.append(Wanted("single, M nnz/s", lambda: row.rate("halfspace, single"), at_least=1000))
    return row


@row("A-predict", "A, 50,000 held-out rows predicted to a file")
def a_predict(shop, row):
    row.held_out = "sparse-held-out.svm"
    for peer in (shop.ours, *shop.peers.values()):
        if peer.missing:
            row.missing.append((peer.name, peer.missing))
            continue
        model, out = shop.work / f"sparse-{peer.name}.model", shop.work / f"sparse-{peer.name}.predictions"
        subprocess.run([str(w) for w in peer.train(shop.inputs.path(f"sparse.{peer.form}"), model)], check=True, capture_output=True)
        data = shop.inputs.path(f"sparse-held-out.{peer.form}")
        shop.inputs.warm(data)
        row.contenders.append(Contender(peer.name, peer.predict(model, data, out), peer, model))
    row.slower("sol", 2)
    return row


# ---- B: dense ----


@row("B-svm", "B, LIBSVM to model, one pass")
def b_svm(shop, row):
    peers = [shop.ours, *shop.choose("vw", "sol", "liblinear", "sofia-ml")]
    shop.training(row, peers, "dense", held_out="dense-held-out.svm")
    row.slower("sol", 2.5)
    return row


@row("B-csv", "B, CSV to model, one pass")
def b_csv(shop, row):
    row.form = "csv"
    shop.training(row, [shop.ours, *shop.choose("sol", "scikit-learn")], "dense", held_out="dense-held-out.svm")
    row.slower("sol", 3)
    row.slower("scikit-learn", 15)
    return row


@row("B-memory", "B, one dense pass in memory, one thread")
def b_memory(shop, row):
    passes_in_memory(shop, row, shop.inputs.path("dense.svm"), "GB/s", 20)
    bandwidth, row.compared = shop.limits["memory, one core"], False
    for kind in ("double", "single"):
        name = f"halfspace, {kind}"
        share = lambda name=name: (row.rate(name) or 0) * 1e9 / bandwidth if row.named(name) else None  # noqa: E731
        row.wanted.append(Wanted(f"{kind}, share of the memory's rate", share, at_least=0.6))
    return row


# ---- C: small ----


@row("C", "C, 1,000 × 20, text to model")
def c(shop, row):
    shop.training(row, [shop.ours, shop.averaged, *shop.peers.values()], "small", held_out="small.svm")
    row.seconds_at_most(0.004)
    row.peak_at_most(12)
    return row


# ---- what was learned, and how it scales ----


@row("accuracy", "A, accuracy on the held-out rows")
def accuracy(shop, row):
    row.held_out, row.compared = "sparse-held-out.svm", False
    sklearn, liblinear = shop.peers["scikit-learn"], shop.peers["liblinear"]
    data = shop.inputs.path("sparse.svm")
    model = shop.model_path(row, shop.averaged)
    row.contenders.append(Contender("averaged", shop.averaged.train(data, model, 10), shop.averaged, model, most_rounds=1))
    for loss in ("perceptron", "hinge"):
        model = shop.work / f"accuracy-{loss}.model"
        shop.add(row, sklearn, lambda peer, loss=loss, model=model: peer.train(data, model, 10, "--averaged", loss), model,
                 name=f"averaged SGD, {loss}", most_rounds=1)  # fmt: skip
    model = shop.work / "accuracy-liblinear.model"
    shop.add(row, liblinear, lambda peer: peer.train(data, model, tolerance=0.1), model, most_rounds=1)

    def above_sgd():
        ours, theirs = row.named("averaged"), row.named("averaged SGD, perceptron")
        return ours.accuracy - theirs.accuracy if ours and theirs and ours.accuracy and theirs.accuracy else None

    row.wanted.append(Wanted("averaged, above averaged SGD by the same rule", above_sgd, at_least=-0.003))
    row.remark = (
        "ten passes; averaged SGD is scikit-learn's SGDClassifier(average=True): the perceptron's loss with a constant step,"
        " or the hinge loss with alpha 1e-6, the best of the powers of ten on these rows"
    )
    return row


@row("scaling", "Rows of A through a pipe, one pass: time a row, and memory")
def scaling(shop, row):
    data, model = shop.inputs.path("sparse.svm"), shop.work / "scaling.model"
    shop.inputs.warm(data)
    for rows in (10_000, 100_000, 400_000, 1_000_000, 10_000_000):
        whole, rest = divmod(rows, 400_000)
        feed = "; ".join((["cat " + " ".join([str(data)] * whole)] if whole else []) + ([f"head -n {rest} {data}"] if rest else []))
        command = f"({feed}) | TIMED {shop.ours.program} train - -o {model} --preset rosenblatt -q"
        row.contenders.append(Contender(f"{rows:,} rows", [command], shell=True, most_rounds=2 if rows > 1_000_000 else None))
        row.amounts[f"{rows:,} rows"] = rows / 1e6
    row.unit, row.compared = "M rows/s", False
    small, large = "100,000 rows", "10,000,000 rows"

    def ratio():
        return row.rate(small) / row.rate(large) if row.named(small) and row.named(large) else None

    def memory():
        few, many = row.named(small), row.named(large)
        return many.peak_mb() / few.peak_mb() if few and many else None

    row.wanted.append(Wanted("time a row, 10⁷ ÷ 10⁵", ratio, at_most=1.1))
    row.wanted.append(Wanted("peak memory, 10⁷ ÷ 10⁵", memory, at_most=1.1))
    row.remark = "the first rows of A, or A again and again; at 10,000 rows the start of the process is part of the time"
    return row
