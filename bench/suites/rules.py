"""Every rule that `halfspace train` knows, at its defaults, in one table; the kernel perceptron with a budget.

One pass each. electricity: progressive error (every row predicted before it is learned). The others: accuracy on the
test file, with the averaged weights and, in brackets, with the last ones. Rows a second on the rows held out of A: whole
runs, text to model, and passes over rows in memory, as shares of the plain perceptron's, in turn. The kernel perceptron
learns MNIST's 3 against 5, with room for 1,000 support vectors and for 100.
"""

import json
import re
import statistics

from harness.bench import report
from harness.machine import output_of
from harness.timing import Contender, Failed
from sets.readers import images

TITLE = "Every rule at its defaults"
FIGURES = "docs/rules.md: accuracy and speed of every rule"
ONE_PASS = {"margin": ["--order", "stream"]}  # whose default is more
PATIENCE = 30  # seconds that one run may take
STREAM = "electricity/electricity.libsvm.gz"
PAIR = "MNIST 3/5"
SETS = {  # name -> (training file, test file)
    "a9a": ("a9a/a9a", "a9a/a9a.t"),
    "imdb": ("imdb/imdb.libsvm.gz", "imdb/imdb.t.libsvm.gz"),
    "reuters earn": ("reuters21578/reuters21578_earn.libsvm.gz", "reuters21578/reuters21578_earn.t.libsvm.gz"),
    "MNIST": ("mnist/train-images-idx3-ubyte.gz", "mnist/t10k-images-idx3-ubyte.gz"),
}
EVICTIONS = ("random", "forgetron", "projectron")
REMARK = (
    "One pass each, values as the files have them. electricity: progressive error in %; a9a, imdb, reuters earn, MNIST"
    " (ten classes), MNIST 3/5: test accuracy in % with the averaged weights and, in brackets, with the last ones. Rate:"
    " rows a second as a share of the plain perceptron's, on the sparse rows held out of A: whole runs from text to model,"
    " and passes over rows in memory; medians of rounds in turn."
)


def rules_of(program):
    """The words of the help's line on --rule."""
    match = re.search(r"^ +--rule RULE +(.*?)\n +--", output_of(program, "train", "--help"), re.MULTILINE | re.DOTALL)
    return re.findall(r"[a-z0-9][a-z0-9+-]*", re.sub(r"\bor\b|\(.*?\)", " ", match.group(1)))


def pair_files(bench, found):
    """MNIST's 3 against its 5 as LIBSVM, 5 positive."""
    files = [bench.scratch / f"mnist-3-5{part}.svm" for part in ("", "-test")]
    for source, target in zip(found, files):
        if not target.exists():
            rows = (f"{'+1' if label == '5' else '-1'} {text}\n" for label, text in images(source) if label in "35")
            target.write_text("".join(rows))
    return files


class Runs:
    def __init__(self, bench):
        self.bench, self.patience, self.complaints = bench, PATIENCE, {}  # text -> where it was heard
        self.sets = {name: bench.find(*files) for name, files in SETS.items()}
        self.sets[PAIR] = pair_files(bench, self.sets["MNIST"]) if self.sets["MNIST"] else []
        self.stream, self.model = bench.find(STREAM), bench.work / "model"

    def train(self, rule, data, keep, *more):
        return self.bench.json_of("timeout", self.patience, *self.command(rule, data, keep), "--json", *more)

    def command(self, rule, data, keep):
        return [self.bench.program, "train", data, "-o", self.model, "--rule", rule, *ONE_PASS.get(rule, []),
                "--keep", keep, "-q"]

    def complain(self, rule, where, why):
        self.complaints.setdefault(f"{rule}: {why}", []).append(where)

    def right(self, name):
        found = self.bench.json_of(self.bench.program, "evaluate", self.model, self.sets[name][1], "--json")
        return f"{100 * found['accuracy']:.2f}"

    def shown(self, rule, where, figure):
        """A figure with averaged weights and, in brackets, with the last ones; a dash where the rule refuses both."""
        found = []
        for keep in ("average", "last"):
            try:
                found.append(figure(keep))
            except Failed as fault:
                why = fault
                found.append("")
        if not any(found):
            self.complain(rule, where, why)
            return "–"
        return found[0] + (f" ({found[1]})" if found[1] else "")

    def progressive_error(self, rule):
        def figure(keep):
            report = self.train(rule, self.stream[0], keep)
            return f"{100 * report['mistakes'] / report['rounds']:.2f}"

        return self.shown(rule, "electricity", figure).split(" ")[0] if self.stream else "–"

    def accuracy(self, rule, name):
        def figure(keep):
            self.train(rule, self.sets[name][0], keep)
            return self.right(name)

        return self.shown(rule, name, figure) if self.sets[name] else "–"

    def rates(self, rules):
        """rule -> shares of the plain perceptron's rate, as text."""
        sparse = self.bench.inputs.path("sparse-held-out.svm")
        inside = lambda rule: [self.bench.tool("in_memory"), "passes", sparse, "double", 5, rule]
        seconds = lambda printed: statistics.median(json.loads(printed)["seconds"])
        pairs = {rule: (Contender(f"{rule}, whole", self.command(rule, sparse, "last"), patience=PATIENCE),
                        Contender(f"{rule}, in memory", inside(rule), inner=seconds, patience=PATIENCE))
                 for rule in rules}
        self.bench.measure([contender for pair in pairs.values() for contender in pair], about="rates")
        for rule, pair in pairs.items():
            for fault in {contender.fault for contender in pair} - {""}:
                self.complain(rule, "the sparse rows", fault)
        plain = pairs["perceptron"]
        share = lambda one, base: f"{1 / one.ratio(base):.2f}" if one.samples and not one.fault else "–"
        return {rule: [share(one, base) for one, base in zip(pair, plain)] for rule, pair in pairs.items()}


def kernels(runs):
    """Rows of the table of the kernel perceptron: with room for all it needs, and with too little."""
    train = lambda *flags: runs.train("kernel", runs.sets[PAIR][0], "last", "--normalize", "row", *flags)

    def line(name, flags, passes, budget, eviction):
        flags = [*flags, "--budget", budget, "--eviction", eviction]
        found = train(*flags, *(["--order", "cyclic", "--passes", passes] if passes > 1 else []))
        full = found["support_vectors"] == budget
        return [name, f"{passes}", f"{budget:,}", eviction if full else "never", f"{found['support_vectors']:,}",
                f"{found['seconds']['total']:.2f}", runs.right(PAIR)]

    # Gamma is what folds of the training rows choose, before anything is tested.
    search = train("--kernel", "gaussian", "--budget", 1000, "--folds", 5, "--search", "gamma=0.1..20")
    gamma = f"{search['composition']['gamma']:.3g}"
    gaussian = (f"gaussian, gamma {gamma}", ["--kernel", "gaussian", "--gamma", gamma])
    yield line(*gaussian, 1, 1000, "projectron")
    yield line("polynomial, degree 3", ["--kernel", "polynomial", "--degree", "3"], 1, 1000, "projectron")
    yield line("linear", ["--kernel", "linear"], 1, 1000, "projectron")
    yield line(*gaussian, 10, 1000, "projectron")
    for eviction in EVICTIONS:
        yield line(*gaussian, 1, 100, eviction)


def run(bench):
    runs, everyone = Runs(bench), rules_of(bench.program)
    rules = ["perceptron"] + [rule for rule in bench.only(everyone) if rule != "perceptron"]
    rates, rows = runs.rates(rules), []
    for rule in rules:
        report(rule)
        accuracies = (runs.accuracy(rule, name) for name in runs.sets)
        rows.append([rule, runs.progressive_error(rule), *accuracies, *rates[rule]])
    report("")
    bench.text(REMARK)
    bench.table(["rule", "electricity", *runs.sets, "rate, whole", "in memory"], rows)
    bench.text(*(f"- {text} ({', '.join(dict.fromkeys(where))})" for text, where in runs.complaints.items()))
    bench.heading("Kernel perceptron with a budget")
    bench.text(f"{PAIR} (11,552 rows, 1,902 test rows), rows of norm 1; seconds from text to model. The gaussian's"
               " gamma is what `--folds 5 --search gamma=0.1..20` found on the training rows.")
    if runs.sets[PAIR] and "kernel" in rules:
        head = ["kernel", "passes", "room for", "makes room", "support vectors", "seconds", "right in %"]
        runs.patience = 20 * PATIENCE
        try:
            bench.table(head, list(kernels(runs)))
        except Failed as fault:
            bench.text(f"Not measured: {fault}.")
    for name in [name for name, files in {"electricity": runs.stream, **runs.sets}.items() if not files]:
        bench.missing(name)
    bench.write(TITLE)
