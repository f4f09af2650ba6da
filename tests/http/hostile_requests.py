"""What a hostile client of `halfspace serve` sends: learners to begin with, rows, requests and models that do not fit."""

import gzip
import json
import random
import re
import subprocess

PATIENCE = 60  # seconds for what takes milliseconds on an idle machine
MAGNITUDES = ("0", "-0", "1e-320", "5e-324", "1e-160", "1e-60", "1e60", "1e150", "1e160", "-1e160", "1e200", "1e300", "1e308",
              "-1.7976931348623157e308", "1e309", "nan", "inf", "0x10", "1_000", "1" * 400, "0." + "0" * 400 + "1")  # fmt: skip
FEATURES = ("0", "-1", "3", "5000", "20000", "60000", "65536", "16777216",
            "16777217", "4294967295", "4294967296", "1" + "0" * 20)
WEIGHTS = ("0", "1e-60", "1e60", "1e160", "1e308", "-1", "nan", "0.5", "3")


class World:
    """A learner to begin a log with: rows in a format, their classes, and the flags of `serve` or a trained model."""

    def __init__(self, name, form, classes, begin=(), train=(), text="", weighted=False):
        self.name, self.form, self.classes, self.begin, self.train = name, form, classes, list(begin), train
        self.weighted = weighted
        self.text = text or self.sample()

    def sample(self, count=60):
        draw = random.Random(self.name)
        lines = [self.row(draw, self.classes[i % len(self.classes)]) for i in range(count)]
        return "".join(line + "\n" for line in ([self.header()] if self.form == "csv" else []) + lines)

    def header(self):
        return "a,b,c," + ("w," if self.weighted else "") + "y"

    def row(self, draw, label=None, value=None, weight=None, feature=None):
        """A row; its label is what is told, or absent. `value` and `feature` replace a number of it."""
        numbers = [f"{draw.gauss(0, 1):.3f}" for _ in range(3)] if "winnow" not in self.name else [
            draw.choice("01") for _ in range(3)]
        if label is not None and draw.random() < 0.8:
            numbers[0] = str(1 + self.classes.index(label)
                             ) if label in self.classes and "winnow" not in self.name else numbers[0]
        if value is not None:
            numbers[draw.randrange(3)] = value
        if self.form == "libsvm":
            cells = [f"{j + 1}:{v}" for j, v in enumerate(numbers) if v not in ("0",)]
            if feature is not None:
                cells.append(f"{feature}:{value or 1}")
            return " ".join(([label] if label is not None else []) + cells)
        if self.form == "csv":
            cells = [numbers[0], numbers[1], draw.choice("pq")] + ([weight or "1"] if self.weighted else [])
            return ",".join([*cells, label or ""])
        if self.form == "vw":
            head = f"{label} {weight or ''} " if label is not None else ""
            return head + "| " + " ".join(f"{name}:{v}" for name, v in zip(["a", "b", feature or "c"], numbers))
        members = {"a": Raw(numbers[0]), "b": Raw(numbers[1]), "c": draw.choice("pq")}
        text = ", ".join(f"{json.dumps(k)}: {v if isinstance(v, Raw) else json.dumps(v)}" for k, v in members.items())
        if label is not None:
            text += f', "y": {json.dumps(label)}'
        return "{" + text + "}"


class Raw(str):
    """A number as it is written."""


def worlds(halfspace):
    out = subprocess.run([halfspace, "train", "--help", "--json"], check=True,
                         capture_output=True, timeout=PATIENCE).stdout
    flags = {flag["name"]: flag for flag in json.loads(out)["flags"]}
    presets = re.split(r", | or ", flags["preset"]["takes"])
    for i, preset in enumerate(presets):
        classes = [("1", "-1"), ("+1", "-1"), ("0", "1"), ("no", "yes")][i % 4]
        yield World(f"{preset}-libsvm", "libsvm", classes, ["--preset", preset])
        form = ("csv", "vw", "jsonl")[i % 3]
        yield World(f"{preset}-{form}", form, ("1", "-1") if form == "vw" else ("no", "yes"), ["--preset", preset, *reading(form)])
        yield World(f"{preset}-classes", "libsvm", ("a", "b", "c"), ["--preset", preset, "--classes", "a,b,c"])
    for loss in ("hinge", "squared-hinge", "logistic"):
        yield World(f"ftrl-{loss}", "libsvm", ("1", "-1"), ["--rule", "ftrl", "--loss", loss])
        yield World(f"nag-{loss}", "vw", ("1", "-1"), ["--rule", "nag", "--loss", loss])
    for objective in ("svm", "squared-hinge", "logistic"):
        yield World(f"objective-{objective}", "libsvm", ("1", "-1"), train=["--objective", objective])
    yield World("threshold", "csv", ("rare", "usual"), train=["--metric", "f1", "--threshold", "auto", "--calibrate", "platt", "--folds", "3",
                                                              "--positive", "rare", *reading("csv")])  # fmt: skip
    yield World("calibrated", "jsonl", ("no", "yes"), train=["--calibrate", "isotonic", "--folds", "3", *reading("jsonl")])
    yield World("weighted", "csv", ("no", "yes"), ["--preset", "arow-diagonal", "--weight", "w", *reading("csv")], weighted=True)
    yield World("weighted-vw", "vw", ("1", "-1"), ["--preset", "pa1"])
    yield World("default-jsonl", "jsonl", ("no", "yes"), train=[*reading("jsonl")])
    yield World("many-classes", "libsvm", tuple(f"c{i}" for i in range(40)), ["--rule", "multiclass", "--classes", ",".join(f"c{i}" for i in range(40))])


def reading(form):
    return ["--label", "y"] if form in ("csv", "jsonl") else []


def build(method, target, body="", fields=(), kind="other", expect=(), **more):
    return {"method": method, "target": target, "body": body, "fields": tuple(fields), "kind": kind, "expect": set(expect), "closes": False,
            "changes": method in ("PUT", "DELETE") or target.startswith(("/learn", "/truth")) or "id=" in target, "feature": 0,
            **more}  # fmt: skip


def spelled(draw, label):
    """A class in some spelling of the same number, or as it is."""
    ways = [label]
    if re.fullmatch(r"[+-]?\d+", label):
        number = int(label)
        ways += [f"{number}", f"{number}.0", f" {number}", f"{number} ", f"{number}e0"] + \
            ([f"+{number}", f"0{number}"] if number >= 0 else [])
    return draw.choice(ways)


def random_request(service, draw):
    """One hostile request; most kinds are equally likely, large bodies are rare."""
    world = service.world
    kinds = ["learn"] * 5 + ["predict"] * 3 + ["ask"] * 4 + ["truth"] * 4 + ["magnitude"] * 4 + ["feature", "weight", "sequence", "sequence",
                                                                                                 "forget", "put", "wrong", "wrong", "unfitting", "twice", "bulk", "unknown-label", "get"]  # fmt: skip
    kind = draw.choice(kinds) if draw.random() > 0.02 else "huge"
    label = draw.choice(world.classes)
    if kind == "learn":
        return build("POST", "/learn", "\n".join(world.row(draw, draw.choice(world.classes)) for _ in range(draw.randint(1, 5))), kind=kind,
                     expect=(200, 422))  # fmt: skip
    if kind == "predict":
        return build("POST", "/predict", "\n".join(world.row(draw) for _ in range(draw.randint(1, 5))), kind=kind, expect=(200, 422))
    if kind == "ask":
        identity = f"i{draw.randrange(10**9)}"
        return build("POST", f"/predict?id={identity}", world.row(draw), kind=kind, id=identity)
    if kind == "truth":
        waiting = [row["id"] for row in service.asked if row["truth"] is None]
        identity = draw.choice(waiting) if waiting and draw.random() < 0.9 else f"u{draw.randrange(10**9)}"
        spelling = spelled(draw, label)
        return build("POST", f"/truth?id={identity}", spelling, kind=kind, id=identity, label=spelling)
    if kind == "twice":
        identity = draw.choice(service.known) if service.known else "never"
        return build("POST", f"/truth?id={identity}", label, kind="truth", id=identity, label=label)
    if kind == "bulk":
        return build("POST", "/truth", "\n".join(json.dumps({"id": f"u{i}", "label": label}) for i in range(3)) + draw.choice(("", "\n{}", "\n[1]", "\nx")),
                     kind="bulk")  # fmt: skip
    if kind == "unknown-label":
        row = world.row(draw, draw.choice(("zzz", "2", "1e400", "nan", "\u00e9", "\"", "1\u00a0", "")))
        return build("POST", "/learn", row, kind="unknown-label")
    if kind == "magnitude":
        value = draw.choice(MAGNITUDES)
        target = draw.choice(("/learn", "/learn", "/predict", f"/predict?id=m{draw.randrange(10**9)}"))
        row = world.row(draw, label if target == "/learn" else None, value=value)
        more = {"id": target[12:]} if "id=" in target else {}
        return build("POST", target, row, kind="ask" if "id=" in target else "magnitude", **more)
    if kind == "feature":
        feature = draw.choice(FEATURES)
        target = draw.choice(("/learn", "/predict"))
        return build("POST", target, world.row(draw, label if target == "/learn" else None, feature=feature), kind="feature",
                     feature=min(int(feature), 1 << 24) if world.form == "libsvm" and 0 <= int(feature) <= 1 << 24 else 0)  # fmt: skip
    if kind == "weight":
        return build("POST", "/learn", world.row(draw, label, weight=draw.choice(WEIGHTS)), kind="weight")
    if kind == "sequence":
        source, last = draw.choice("AB"), service.sequences.get("AB", 0)
        number = max(0, last + draw.choice((0, 0, 1, 1, 1, -1)))
        service.sequences["AB"] = max(last, number)
        rows = "\n".join(world.row(draw, draw.choice(world.classes)) for _ in range(draw.randint(1, 3)))
        target = draw.choice((f"/learn?source={source}&sequence={number}",
                             f"/learn?sequence={number}", "/learn?sequence=x", "/learn?source=A"))
        return build("POST", target, rows, kind="sequence")
    if kind == "forget":
        identity = draw.choice(service.known) if service.known and draw.random(
        ) < 0.7 else draw.choice(("none", "%00", "a%2Fb", "%FF", "x" * 5000))
        return build("DELETE", f"/row/{identity}", kind="forget", id=identity)
    if kind == "get":
        return build("GET", draw.choice(("/", "/ledger", "/metrics", "/healthz", "/readyz", "/model", "/schema")), kind="get")
    if kind == "put":
        return build("PUT", "/model", draw.choice(service.others), kind="put")
    if kind == "unfitting":
        names, row = unfitting(world, draw)
        return build("POST", draw.choice(("/predict", "/learn")), row, kind="unfitting", names=names)
    if kind == "wrong":
        return wrong(world, draw, label)
    return huge(service, world, draw, label)


def unfitting(world, draw):
    """A row with no name that the model knows, and these names."""
    if world.form == "jsonl":
        return draw.choice(((["Zzz"], '{"Zzz": 1, "y": "no"}'), (["row"], '{"row": {"a": 1, "b": 2, "c": "p"}, "y": "no"}'),
                            (["member", "empty", "none"], '{}'), (["member", "none", "empty"], '{"y": "no"}')))  # fmt: skip
    if world.form == "vw":
        return ["Zzz", "unknown", "namespace"], "1 |Zzz q:1 r:2"
    if world.form == "csv":
        return ["field"], ",".join("zzz" for _ in world.header().split(","))
    return ["index", "no", "colon"], "1 Zzz:1 q"


def wrong(world, draw, label):
    row, question = world.row(draw, label), world.row(draw)
    kind = draw.randrange(14)
    if kind == 0:
        return build(draw.choice(("PUT", "DELETE", "PATCH", "OPTIONS", "TRACE")), draw.choice(("/learn", "/predict", "/truth", "/ledger", "/")), "",
                     kind="method", expect=(405, 501), changes=False)  # fmt: skip
    if kind == 1:
        return build("GET", draw.choice(("/learn", "/truth", "/row/x")), kind="method", expect=(405,), changes=False)
    if kind == 2:
        return build("POST", draw.choice(("/elsewhere", "//predict", "/predict/", "/%2e%2e/x", "/PREDICT")), question, kind="path", expect=(404, 400))
    if kind == 3:
        return build("POST", draw.choice(("/predict?ID=19", "/predict?Id=19", "/predict?x=1")), question, kind="query", expect=(400, 404, 409, 422))
    if kind == 4:
        return build("POST", draw.choice(("/learn?seq=5", "/learn?Sequence=5", "/learn?src=A&sequence=5", "/truth?ids=3")), row, kind="query",
                     expect=(400, 404, 409, 422))  # fmt: skip
    if kind == 5:
        return build("POST", "http://localhost/predict", question, kind="absolute-form", expect=(200, 422), changes=False)
    if kind == 6:
        return build("POST", draw.choice(("/predict", "/learn")), gzip.compress(row.encode()), ["Content-Encoding: gzip"], kind="gzip", expect=(415,))
    if kind == 7:
        return build("POST", "/learn", gzip.compress(row.encode()), kind="gzip-body", expect=(415, 422, 400))
    if kind == 8:
        return build("POST", "/learn?id=&id=", row, kind="query", expect=(400, 404, 409, 422))
    if kind == 9:
        return build("POST", "/learn", row + "\x00" + row, kind="nul")
    if kind == 10:
        return build("POST", "/learn", row.encode() + b"\xe2\x82", kind="truncated")
    if kind == 11:
        return build("POST", draw.choice(("/learn", "/predict", "/truth?id=q", "/truth")), draw.choice(("", "\n", "\r\n", "\n\n\n", " ", "#", "# x")),
                     kind="empty")  # fmt: skip
    if kind == 12:
        return build("POST", "/predict?id=" + draw.choice(("a%0Ab", "%FF", "%zz", "+", "x" * 6000, "%E2%82%AC", "\u00e9")), question, kind="id", closes=True)
    target = draw.choice(("/model?x=1", "/ledger?now", "/..", "/%00", "/healthz?x"))
    return build("GET", target, kind="path", closes=target == "/%00")  # libmicrohttpd 1.0.10 refuses it itself


def huge(service, world, draw, label):
    """A body of up to the largest size, of one hostile kind."""
    size = int(service.given.largest * draw.choice((0.1, 0.4, 1)))
    row = world.row(draw, label)
    kind = draw.randrange(11)
    if kind == 0:
        body = "x\n" * (size // 2)
    elif kind == 1:
        body = "{" + ",".join(f'"m{i}":{i}' for i in range(min(100_000, size // 16))) + "}"
    elif kind == 2:
        body = '{"a":' + "[" * (size // 2) + "]" * (size // 2 - 10) + "}"
    elif kind == 3:
        body = "1 " + " ".join(f"{i}:1" for i in range(1, min(size // 8, 300_000)))
    elif kind == 4:
        body = "\x00" * size
    elif kind == 5:
        body = b"\xe2\x82" * (size // 2)
    elif kind == 6:
        body = row.replace(":", ":" + "1" * min(size, 1_000_000), 1) + "1" * min(size, 1_000_000)
    elif kind == 7:
        body = gzip.compress(b"x" * size * 10)
    elif kind == 8:
        body = "\n" * size
    elif kind == 9:
        body = (row + "\n") * (min(size, 1 << 20) // len(row))
    else:
        body = "\n".join('{"id": "h%d", "label": "1"}' % i for i in range(min(size // 28, 50_000)))
    target = draw.choice(("/predict", "/learn", "/truth")) if kind != 9 else "/predict"
    return build("POST", target, body, kind="huge", feature=300_000 if kind == 3 else 0)


def other_models(service):
    """Model files that may not fit: of other columns, classes, formats, learners, and no model at all."""
    models = [b"", b"not a model", b"\x00" * 100]
    world, folder = service.world, service.folder
    variants = [(world.form, world.text, world.train or world.begin)]
    variants.append((world.form, world.text, ["--objective", "logistic", *reading(world.form)]))
    variants.append((world.form, world.text, ["--rule", "kernel", *reading(world.form)]))
    variants.append((world.form, world.text, ["--metric", "f1", "--threshold",
                    "auto", "--folds", "3", *reading(world.form)]))
    variants.append((world.form, world.text, ["--folds", "3", "--preset", "perceptron", *reading(world.form)]))
    if world.form == "csv":
        lines = [line.split(",") for line in world.text.splitlines()]
        variants.append(("csv", "".join(",".join([line[1], line[0], *line[2:]]) +
                        "\n" for line in lines), ["--preset", "rosenblatt", *reading("csv")]))
        variants.append(("csv", world.text.replace("a,b,c", "a,b,d", 1), ["--preset", "rosenblatt", *reading("csv")]))
    for form in ("libsvm", "vw"):
        other = World("other", form, ("1", "-1", "3") if form == "vw" else ("u", "v", "w"))
        variants.append((form, other.text, ["--preset", "rosenblatt"]))
    for i, (form, text, flags) in enumerate(variants):
        (folder / f"other{i}.{form}").write_text(text)
        done = subprocess.run([service.halfspace, "train", f"other{i}.{form}", *flags, "--passes", "3", "-q", "-o", f"other{i}"], cwd=folder, capture_output=True,
                              timeout=PATIENCE)  # fmt: skip
        if done.returncode == 0:
            whole = (folder / f"other{i}").read_bytes()
            models += [whole, whole] if i else [whole] * 3
            if i == 0:
                models.append(whole[: len(whole) // 2])
    return models
