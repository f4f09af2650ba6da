"""Three verifiers agree on mutated certificates: the C++ one, the plain Python one, and the proved one.

Certificates of small data sets are mutated: a field, a byte, or the data; mostly with a checksum that is right again.
Minima are also given other weights, dual variables, losses and costs, and mostly the figures that are right for these.
Every verifier must give the same exit status, except that the proved one may refuse what its proofs do not cover (69).

usage: agreement_test.py SOURCE_TREE HALFSPACE CHECKER [--count N] [--seed S] [--keep FOLDER]
       CHECKER: build/formal/halfspace-check; the exit status is 0 if all agree
"""

import argparse
import contextlib
import copy
import hashlib
import importlib.machinery
import importlib.util
import io
import json
import math
import random
import subprocess
import sys
import tempfile
import unittest.mock
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from pathlib import Path

REFUSED = 69

# Data, and how to ask about them.
SMALL = {
    "apart": ("+1 1:1.0\n-1 1:-1 # two rows\n", []),
    "plane": ("+1 1:0.25 2:3e1\n-1 1:-.5 2:-1.\n+1 2:7 # x\n\n-1 1:-2\n+1 1:1 2:40\n", []),
    "conflict": ("+1 1:0.5\n-1 1:5e-1\n+1.0 1:2 3:1\n-1 2:1\r\n-1 1:2 3:1\n", []),
    "overlap": ("1 1:1 2:1\n1 1:-1 2:-1\n0 1:1 2:-1\n0 1:-1 2:1\n1 1:3\n0 2:2\n1 1:1 2:-1\n", []),
    "boundary": ("+1 1:1\n+1 1:0\n-1 1:0\n+1 1:2 2:1\n", []),
    "zero based": ("a 0:1 2:2\nb 0:-1\nb 1:3\n", ["--zero-based"]),
    "through the origin": ("+1 1:1 2:2\n-1 1:-3\n+1 2:1\n", ["--bias", "none"]),
    "half a bias": ("+1 1:3\n-1 1:1\n+1 1:4\n", ["--bias-scale", "0.5"]),
    "three classes": ("a 1:1\nb 2:1\nc 3:1\na 1:2 2:0.5\nc 3:1e1\n", []),
    "three in conflict": ("a 1:1\nb 2:1\nc 1:1\na 2:2\nb 1:1 2:1\nc\n", []),
    "one class": ("+1 1:1\n+1 1:2\n", []),
    "free": ("+1 1:1\n-1 1:1\n+1 2:1 3:1\n+1 4:1 5:1\n-1 4:-2 5:-1\n", ["--bias", "none"]),
    "quasi": ("+1 1:1 2:.5\n-1 1:1 2:.5\n+1 1:2\n-1 1:2 5:0\n+1 1:1 3:1\n-1 1:3 3:-2e0 4:1\n+1 3:1 4:1\n-1 2:1 3:-1 4:-3\n", []),
    "table.csv": ('x,"y ""2""",class\n1,2.5,a\n-1,.5,"b"\n\n 3 ,1e1, a\n', ["--header"]),
    "categories.csv": ("red,1,yes\nblue,?,no\nred,NA,yes\n\"blue\",3,no\ngreen,,yes\n", ["--no-header"]),
    "tabs.csv": ("1\t0\tyes\n0\t1\tno\r\n1\t1\tyes\n0\t0\tyes\n", ["--no-header"]),
    "copies.csv": ("a,b,c,kind,label\n1,1,2,x,0\n2,2,4,y,1\n1,1,2,x,1\n0,0,0,z,1\n3,3,6,x,0\n", ["--header"]),
    "conflict.csv": ("a,b,label\n1,1,0\n2,0,1\n1,1,1\n0,x,0\n", ["--header"]),
    "pixels-images-idx3": (bytes([0, 0, 8, 3, 0, 0, 0, 3, 0, 0, 0, 1, 0, 0, 0, 2, 255, 0, 0, 7, 200, 9]),
                           bytes([0, 0, 8, 1, 0, 0, 0, 3, 9, 1, 9])),
    "three-images-idx3": (bytes([0, 0, 8, 3, 0, 0, 0, 4, 0, 0, 0, 2, 0, 0, 0, 1, 1, 0, 0, 7, 2, 9, 1, 0]),
                          bytes([0, 0, 8, 1, 0, 0, 0, 4, 0, 1, 2, 2])),
}


def random_design(rng):
    """Returns rows with few values, so that ties, dependent columns and every kind of separation occur, and flags."""
    columns, size = rng.randint(1, 5), rng.randint(3, 12)
    weights = [rng.choice([-1, 0, 0, 1]) for _ in range(columns)]
    lines = []
    for _ in range(size):
        x = [rng.choice([0, 0, 1, -1, 2, "0.5"]) for _ in range(columns)]
        if columns > 2 and rng.random() < 0.9:
            x[2] = x[0]
        score = sum(w * float(v) for w, v in zip(weights, x))
        label = rng.choice(["+1", "-1"]) if score == 0 or rng.random() < 0.05 else "+1" if score > 0 else "-1"
        lines.append(" ".join([label, *(f"{j}:{v}" for j, v in enumerate(x, 1) if v != 0)]))
    return "\n".join(["-1", "+1 1:1", *lines, ""]), rng.choice([[], ["--bias", "none"], ["--bias-scale", "0.5"]])


WORDS = {
    "verdict": ["separable", "not separable", "undecided"],
    "claim": ["separable", "not separable", "margin at most", "mistakes at most", "rule A", "not rule A", "closed half-space",
              "errors at most", "errors at least"],
    "tie": ["A", "B"],
    "bias": ["none", "first", "last"],
    "question": ["two classes", "many classes"],
    "sign": ["+", "-", "undetermined"],
    "loss": ["hinge", "squared hinge", "logistic", "multinomial logistic"],
}  # fmt: skip
BYTES = [b"0", b"1", b"9", b"-", b"+", b".", b"e", b"E", b":", b" ", b"\t", b"\r", b"\n", b"#", b"\0", b"\xef\xbb\xbf", b"x", b"1e3",
         b",", b'"', b"/", b"\\u0031", b"\xff", b"[", b"}"]  # fmt: skip


def sealed(certificate):
    """Returns the text with the checksum of its bytes."""
    keys = [key for key in certificate if key != "checksum"]
    return resealed("{" + "".join(f"{json.dumps(key)}: {json.dumps(certificate[key], ensure_ascii=False)},\n" for key in keys))


def resealed(text):
    raw = text.encode("utf-8", "surrogateescape") if isinstance(text, str) else text
    return raw + b'"checksum": "%s"}\n' % hashlib.sha256(raw).hexdigest().encode()


def described(certificate, datas):
    """Makes the certificate name the files as they are."""
    for source, files in zip(certificate["data"]["sources"], datas):
        for file, data in zip(source["files"], files):
            file["sha256"], file["bytes"] = hashlib.sha256(data).hexdigest(), len(data)


def in_two_files(certificate, data):
    """The same certificate about the first row and the others as two files."""
    lines = data.split(b"\n")
    datas = [[lines[0] + b"\n"], [b"\n".join(lines[1:])]]
    c = copy.deepcopy(certificate)
    source = c["data"]["sources"][0]
    c["data"]["sources"] = [{**copy.deepcopy(source), "rows": 1}, {**source, "rows": source["rows"] - 1}]
    for combination in c["combinations"]:
        for term in combination["terms"]:
            if term["row"] > 1:
                term["source"], term["row"] = 1, term["row"] - 1
    for place in c.get("coefficients", {}).get("rank_rows", []):
        if place["row"] > 1:
            place["source"], place["row"] = 1, place["row"] - 1
    for vector in c.get("minimum", {}).get("vectors", []):
        (of_all,) = vector["dual_variables"]
        first = of_all["rows"][:1] == [1]
        vector["dual_variables"] = [{"rows": of_all["rows"][:first], "values": of_all["values"][:first]},
                                    {"rows": [row - 1 for row in of_all["rows"][first:]], "values": of_all["values"][first:]}]  # fmt: skip
    described(c, datas)
    return c, datas


def with_excluded_row(certificate, data):
    """The same certificate about the same rows, and about one more that is not in the question."""
    datas = [[data + b"neither 1:1\n"]]
    c = copy.deepcopy(certificate)
    c["data"]["excluded"] = {"labels": ["neither"], "rows": 1}
    c["data"]["sources"][0]["rows"] += 1
    described(c, datas)
    return c, datas


def places(value, path=()):
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield from places(inner, (*path, key))


def other_number(rng, text):
    """A number as text, changed."""
    p, slash, q = text.partition("/")
    try:
        n = int(p)
    except ValueError:
        return rng.choice(["0", "1", "none"])
    n = rng.choice([n + 1, n - 1, -n, 2 * n, 0, 10 * n, 1])
    return rng.choice([f"{n}{slash}{q}", str(n), f"{n}/2", f"0{n}", f"{n} ", f"+{n}"] if rng.random() < 0.4 else [f"{n}{slash}{q}", str(n)])


def mutate_field(rng, certificate, others):
    paths = [path for path in places(certificate) if path and path[0] != "checksum"]
    inner = [path for path in paths if path[0] in ("coefficients", "minimum")]
    path = rng.choice(inner if inner and rng.random() < 0.5 else paths)
    holder = certificate
    for key in path[:-1]:
        holder = holder[key]
    key, value = path[-1], holder[path[-1]]
    kind = rng.random()
    if isinstance(holder, list) and kind < 0.3:
        action = rng.choice(["delete", "repeat", "swap"])
        if action == "delete":
            del holder[key]
        elif action == "repeat":
            holder.insert(key, copy.deepcopy(value))
        else:
            other = rng.randrange(len(holder))
            holder[key], holder[other] = holder[other], holder[key]
    elif isinstance(holder, dict) and kind < 0.03:
        del holder[key]
    elif isinstance(holder, dict) and kind < 0.05:
        holder["extra"] = value
    elif isinstance(value, bool):
        holder[key] = not value
    elif isinstance(value, int):
        holder[key] = rng.choice([value + 1, value - 1, 0, 2 * value, 1, 1 << 64, str(value), 1.5])
    elif isinstance(value, str):
        holder[key] = rng.choice(WORDS[key]) if key in WORDS else other_number(rng, value)
    elif value is None or kind < 0.4:
        holder[key] = rng.choice([None, [], {}, 0, 1, "0"])
    else:
        # The same part of another certificate.
        for name in path[:1]:
            certificate[name] = copy.deepcopy(rng.choice([other for other in others if name in other])[name])


def other_minimum(rng, part):
    """Changes the question or the answer of a minimum; its figures are then those of another one."""
    for _ in range(rng.choice([1, 1, 2])):
        vector = rng.choice(part["vectors"])
        duals = rng.choice(vector["dual_variables"])
        kind = rng.randrange(6)
        if kind == 0 and "primal" not in part:
            part["loss"] = rng.choice(["hinge", "squared hinge", "logistic"])
        elif kind == 1:
            part["costs"][rng.randrange(len(part["costs"]))] = rng.choice(["1", "3", "1/3", "7/10"])
        elif kind == 2:
            part["penalize_bias"] = not part["penalize_bias"]
        elif kind == 3 and vector["weights"]:
            vector["weights"][rng.randrange(len(vector["weights"]))] = str(rng.randint(-9, 9))
        elif kind == 4:
            vector[rng.choice(["weights_over", "dual_variables_over"])] = str(rng.choice([1, 3, 10**20]))
        elif duals["values"]:
            at = rng.randrange(len(duals["values"]))
            duals["values"][at] = str(max(1, int(duals["values"][at]) * rng.choice([1, 1, 2, 3]) // 2))


def restated(plain, certificate, paths):
    """States the figures that the plain verifier finds; of logistic losses, with what the format leaves for rounding."""
    found = []

    def keep(_name, exact, primal, dual, _stated):
        grid = 1 if exact else 2**80
        found.extend([primal, dual] if exact else [Fraction(
            math.ceil(primal * grid), grid), Fraction(math.floor(dual * grid), grid)])

    with contextlib.redirect_stdout(io.StringIO()), unittest.mock.patch.object(plain, "check_objectives", keep):
        try:
            plain.check_form(certificate)
            plain.verify(copy.deepcopy(certificate), [str(path) for path in paths])
        except (plain.Malformed, plain.NotValid):
            return
    minimum = certificate["minimum"]
    for stated, primal, dual in zip([minimum] if "primal" in minimum else minimum["vectors"], found[::2], found[1::2]):
        stated["primal"], stated["dual"] = str(primal), str(dual)


def mutate_bytes(rng, raw):
    at = rng.randrange(len(raw) + 1)
    return rng.choice([raw[:at] + rng.choice(BYTES) + raw[at + 1 :], raw[:at] + rng.choice(BYTES) + raw[at:], raw[:at] + raw[at + 1 :]])


def mutant(rng, bases):
    """Returns the text of a certificate, and its data."""
    certificate, datas = copy.deepcopy(rng.choice(bases))
    others = [c for c, _ in bases]
    kind = rng.random()
    if kind < 0.6:
        for _ in range(rng.choice([1, 1, 1, 2, 3])):
            try:
                mutate_field(rng, certificate, others)
            except (KeyError, IndexError, TypeError, AttributeError):
                pass
        return sealed(certificate), datas
    if kind < 0.85:
        files = rng.choice(datas)
        which = rng.randrange(len(files))
        for _ in range(rng.choice([1, 1, 2])):
            files[which] = mutate_bytes(rng, files[which])
        if rng.random() < 0.95:
            described(certificate, datas)
        return sealed(certificate), datas
    text = sealed(certificate)
    if kind < 0.98:
        body = text[: text.rindex(b'"checksum"')]
        return resealed(mutate_bytes(rng, body)), datas
    return mutate_bytes(rng, text), datas


def write(path, files):
    """Writes the files of a source, and returns the path that the commands take."""
    if len(files) == 2:
        path = path.with_name(path.name.removesuffix("-images-idx3") + "-images-idx3")
        path.with_name(path.name.replace("images-idx3", "labels-idx1")).write_bytes(files[1])
    path.write_bytes(files[0])
    return path


def certificate_of(halfspace, proof, data, flags, objective=None):
    """Returns what certify proves, or train of the minimum of an objective."""
    question = ["train", data, "-q", "--objective", objective, "--gap",
                "0.01", "--certificate"] if objective else ["certify", data, "-o"]
    done = subprocess.run([halfspace, *question, proof, *flags], capture_output=True, text=True, check=False)
    if not proof.exists():
        sys.exit(f"no certificate of {data.name}: {done.stdout}{done.stderr}")
    return json.loads(proof.read_text())


def certified(rng, halfspace, folder):
    bases = []
    for name, (text, more) in {**SMALL, **{f"random {i}": random_design(rng) for i in range(12)}}.items():
        files = [text, more] if isinstance(text, bytes) else [text.encode()]
        data = write(folder / name, files)
        flags = [] if isinstance(text, bytes) else more
        certificate = certificate_of(halfspace, folder / f"{name}.json", data, flags)
        of_name = [certificate]
        if certificate["question"] == "two classes":
            of_name.append(certificate_of(halfspace, folder / f"{name}.2.json", data, [*flags, "--coefficients"]))
        objective = rng.choice(["svm", "squared-hinge", "logistic"])
        own = [*flags, *rng.choice([[], ["--C", "0.1"], ["--l2", "0.3"]]), *
               (["--penalize-bias", "no"] if rng.random() < 0.3 else []),
               *(["--class-weight", "balanced"] if rng.random() < 0.3 else [])]
        rest = []
        if certificate["question"] == "many classes":
            rest = ["--multiclass", "one-against-rest"]
            of_name.append(certificate_of(halfspace, folder / f"{name}.4.json", data, own, "logistic"))
        of_name.append(certificate_of(halfspace, folder / f"{name}.3.json", data, [*own, *rest], objective))
        for c in of_name:
            bases.append((c, [files]))
            if c["data"]["format"] == "libsvm":
                bases.append(in_two_files(c, files[0]))
                bases.append(with_excluded_row(c, files[0]))
    return bases


def loaded(path):
    """Returns a script as a module."""
    loader = importlib.machinery.SourceFileLoader("plain", str(path))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("plain", loader))
    loader.exec_module(module)
    return module


def other_minima(rng, bases, plain, folder, count):
    """Returns texts of certificates of minima, many of them valid, and their data."""
    of_minima = [(c, datas) for c, datas in bases if "minimum" in c]
    for _ in range(count):
        certificate, datas = copy.deepcopy(rng.choice(of_minima))
        other_minimum(rng, certificate["minimum"])
        restated(plain, certificate, [write(folder / f"other.{s}", files) for s, files in enumerate(datas)])
        yield sealed(certificate), datas


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("source", type=Path)
    parser.add_argument("halfspace", type=Path)
    parser.add_argument("checker", type=Path)
    parser.add_argument("--count", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or Path(temporary)
        folder.mkdir(exist_ok=True, parents=True)
        bases = certified(rng, options.halfspace.resolve(), folder)
        mutants = [(sealed(c), datas) for c, datas in bases] + [mutant(rng, bases) for _ in range(options.count)]
        plain = loaded(options.source / "tools/verify-certificate")
        mutants += other_minima(rng, bases, plain, folder, options.count // 4)
        tasks = []
        for i, (text, datas) in enumerate(mutants):
            proof = write(folder / f"{i}.json", [text])
            tasks.append([str(path)
                         for path in [proof, *(write(folder / f"{i}.{s}", files) for s, files in enumerate(datas))]])
        listing = folder / "list"
        listing.write_text("".join("\t".join(task) + "\n" for task in tasks))

        def statuses(*command):
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            found = [int(line) for line in done.stdout.split()]
            if len(found) != len(tasks):
                sys.exit(f"{command[0]} stopped after {len(found)} certificates: {done.stderr}")
            return found

        def native(task):
            return subprocess.run([options.halfspace.resolve(), "verify", *task], capture_output=True, check=False).returncode

        python = statuses(sys.executable, "-B", options.source / "tests/proof/check_all.py",
                          options.source / "tools/verify-certificate", listing)
        proved = statuses(options.checker, "--list", listing)
        with ThreadPoolExecutor(2) as pool:
            built = list(pool.map(native, tasks))

    wrong = [i for i in range(len(bases)) if (built[i], python[i], proved[i]) != (0, 0, 0)]
    wrong += [i for i, (a, b, c) in enumerate(zip(built, python, proved)) if a != b or (a != c and c != REFUSED)]
    for i in wrong[:20]:
        print(
            f"mutant {i} of seed {options.seed}: halfspace {built[i]}, Python {python[i]}, proved {proved[i]}:", *tasks[i])
    counts = Counter(proved)
    words = {0: "valid", 1: "not valid", 65: "no certificates", 66: "unreadable", REFUSED: "refused by the proved one"}
    print(f"{len(tasks)} certificates: " + ", ".join(f"{n} {words.get(status, status)}" for status, n in sorted(counts.items())) +
          (f"; {len(wrong)} disagreements" if wrong else "; all verifiers agree"))  # fmt: skip
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
