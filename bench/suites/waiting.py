"""Where users wait: what a command takes beside the part of it that nothing could do without.

Text that is read once beside twice, a plan beside its learner alone, a model loaded for one row, several classes, the
start of a small run; whole commands, with a peer where there is one. Times are processor seconds, least of the rounds.
"""

import json
import random

from harness import peers, tables
from harness.timing import Contender

TITLE = "Where users wait"
FIGURES = "docs/tour.md: certify of MNIST; the others are what changes of speed are held against"
ITEMS = ["JSON Lines", "names", "hashed names", "one row", "ten classes", "certify ten classes", "small"]
HEAD = ["", "processor s", "÷ the first", "peak MB"]


def made(bench, name, lines):
    """The path of an input that is kept, written where it is not there yet."""
    path = bench.inputs.folder / name
    if not path.exists():
        path.write_text("".join(lines))
    return path


def json_lines(rows):
    draws = random.Random(1)
    for _ in range(rows):
        x = [round(draws.gauss(0, 1), 4) for _ in range(2)]
        yield json.dumps({"a": x[0], "b": x[1], "y": int(draws.random() < 0.5)}) + "\n"


def names(rows, words):
    draws = random.Random(2)
    for _ in range(rows):
        y = draws.randrange(2)
        ids = (int(words * draws.random() ** 2) for _ in range(12))
        text = " ".join(f"|{chr(97 + j)} {chr(97 + j)}{(k + y * words // 9) % words}" for j, k in enumerate(ids))
        yield f"{2 * y - 1} {text}\n"


def classes(rows, count):
    draws = random.Random(3)
    yield ",".join(f"x{j}" for j in range(30)) + ",y\n"
    for _ in range(rows):
        y = draws.randrange(count)
        yield ",".join(f"{draws.gauss(j % count == y, 1):.4f}" for j in range(30)) + f",{y}\n"


def commands_of(bench, item):
    """The commands of an item by name; the first is what the others are held against."""
    share = 100 if bench.options.small else 1
    train, vw, model = [bench.program, "train", "-q", "--threads", 1], peers.Vw(), bench.work / "model"
    once = ["-o", model, "--passes", 1, "--order", "stream"]
    if item == "JSON Lines":
        data = made(bench, "waiting.jsonl", json_lines(1_000_000 // share))
        words = " ".join(map(str, [*train, *once, "--rule", "perceptron"]))
        return {"perceptron, from a pipe": f"TIMED {words} - --format jsonl <{data}",
                "from a file": f"TIMED {words} {data}"}
    if item in ("names", "hashed names"):
        data = made(bench, "waiting.vw", names(300_000 // share, 50_000))
        hashed = ["--hash", 18] if item == "hashed names" else []
        ours = {"tournament": [*train, data, *once, "--preset", "tournament", *hashed],
                "one pass, no other flag": [*train, data, "-o", model, "--passes", 1, *hashed]}
        return ours if vw.missing else ours | {"vw": vw.train(data, bench.work / "vw.model")}
    if item == "one row":
        data, model = made(bench, "waiting.vw", names(300_000 // share, 50_000)), bench.work / "names.model"
        bench.json_of(*train, data, "-o", model, "--preset", "tournament", "--json")
        one = made(bench, "waiting-one.vw", names(1, 50_000))
        return {"predict": [bench.program, "predict", model, one, "-o", bench.work / "labels"]}
    if item == "ten classes":
        data = made(bench, "waiting-classes.csv", classes(20_000 // share, 10))
        no_flag = [*train, data, "-o", model]
        return {"averaged perceptron": [*no_flag, "--rule", "perceptron", "--keep", "average"],
                "softmax minimum": [*no_flag, "--objective", "logistic"], "no flag": no_flag}
    if item == "certify ten classes":
        images = bench.find("mnist/train-images-idx3-ubyte.gz", "mnist/train-labels-idx1-ubyte.gz")[:1]
        line = " ".join(map(str, [bench.program, "certify", *images, "--extra-seconds", 0]))  # which exits with 1
        if not images:
            bench.missing("MNIST")
            return {}
        return {"certify": ["sh", "-c", f"{line}; [ $? = 1 ]"]}
    data = bench.inputs.path("small.svm")
    others = {peer.name: peer.train(data, bench.work / peer.name) for peer in (peers.Sol(), vw) if not peer.missing}
    return {"halfspace": [*train, data, *once, "--preset", "rosenblatt"]} | others


def run(bench):
    for item in bench.only(ITEMS):
        least = lambda one: min(sample.processor for sample in one.samples)
        commands = commands_of(bench, item)
        contenders = bench.measure([Contender(name, words) for name, words in commands.items()], about=item)
        bench.heading(item)
        bench.table(HEAD, [[one.name, one.fault] if one.fault else
                           [one.name, tables.seconds_text(least(one)), f"{least(one) / least(contenders[0]):.2f}",
                            f"{one.peak_mb():.0f}"] for one in contenders])
    bench.write(TITLE)
