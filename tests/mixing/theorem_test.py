"""Iterative parameter mixing against a slow oracle: perceptrons in exact fractions.

The oracle plays random small data of integers, where mixing uniformly over 2^k shards is exact in doubles too, and

  - checks the theorem itself in fractions: sum m(t) <= sum m(t) hinge_t(u) + |u| |w(N)| and |w(N)|^2 <= sum m(t) |x_t|^2
    for random u, with random shares m as well as equal ones;
  - compares its weights with those of halfspace-mpi or the C interface, which must be equal, not near.

usage: theorem_test.py RUNS [LIBRARY]    LIBRARY: libhalfspace.so, for the second part
"""

import ctypes
import random
import sys
import tempfile
from fractions import Fraction
from pathlib import Path


def dot(w, x):
    return sum(a * b for a, b in zip(w, x))


def play(w, rows):
    """Passes over rows; returns the weights and the mistakes, a score of 0 being one."""
    w, mistakes = list(w), []
    for x, y in rows:
        if y * dot(w, x) <= 0:
            mistakes.append((x, y))
            w = [a + y * b for a, b in zip(w, x)]
    return w, mistakes


def mixed(vectors, shares):
    return [sum(m * v[j] for m, v in zip(shares, vectors)) for j in range(len(vectors[0]))]


def random_rows(rng, rows, features, separable):
    u = [rng.randint(-3, 3) for _ in range(features)]
    made = []
    while len(made) < rows:
        x = [rng.randint(-4, 4) for _ in range(features)] + [1]
        score = dot(u + [rng.choice([0, 1])], x)
        if separable and score == 0:
            continue
        y = 1 if score > 0 else -1
        if not separable and rng.random() < 0.2:
            y = -y
        made.append((x, y))
    return made


def no_larger_than_root_product(left, a, b):
    """left <= sqrt(a b) for a, b >= 0, in fractions."""
    return left <= 0 or left * left <= a * b


def check_theorem(rng):
    """One random run; returns an error or None."""
    features, shards, epochs = rng.randint(1, 4), rng.choice([1, 2, 3, 4, 8]), rng.randint(1, 4)
    rows = random_rows(rng, rng.randint(shards, 40), features, rng.random() < 0.5)
    parts = [rows[i::shards] for i in range(shards)]
    w = [Fraction(0)] * (features + 1)
    weighted = squares = Fraction(0)
    terms = []
    for _ in range(epochs):
        played = [play(w, part) for part in parts]
        kind = rng.choice(["equal", "random", "mistakes"])
        if kind == "equal":
            shares = [Fraction(1, shards)] * shards
        elif kind == "mistakes" and any(m for _, m in played):
            total = sum(len(m) for _, m in played)
            shares = [Fraction(len(m), total) for _, m in played]
        else:
            drawn = [rng.randint(0, 9) for _ in range(shards)]
            drawn[0] += 1
            shares = [Fraction(d, sum(drawn)) for d in drawn]
        w = mixed([v for v, _ in played], shares)
        for m, (_, mistakes) in zip(shares, played):
            for x, y in mistakes:
                weighted += m
                squares += m * dot(x, x)
                terms.append((m, x, y))
    length = dot(w, w)
    if length > squares:
        return f"|w|^2 = {length} > {squares}"
    for _ in range(4):
        u = [Fraction(rng.randint(-6, 6), rng.randint(1, 3)) for _ in range(features + 1)]
        hinges = sum(m * max(Fraction(0), 1 - y * dot(u, x)) for m, x, y in terms)
        if not no_larger_than_root_product(weighted - hinges, dot(u, u), length):
            return f"{weighted} mistakes, hinges {hinges}, |u|^2 {dot(u, u)}, |w|^2 {length}"
    return None


class Order(ctypes.Structure):
    _fields_ = [("kind", ctypes.c_char_p), ("tasks", ctypes.c_uint32), ("shards", ctypes.c_uint32),
                ("epochs", ctypes.c_uint64), ("by_mistakes", ctypes.c_int32), ("scores", ctypes.c_int32),
                ("model", ctypes.c_char_p), ("model_size", ctypes.c_size_t),
                ("certificate", ctypes.c_char_p)]


class Task(ctypes.Structure):
    _fields_ = [("number", ctypes.c_uint64), ("first", ctypes.c_uint32), ("shards", ctypes.c_uint32),
                ("data", ctypes.c_void_p), ("size", ctypes.c_size_t)]


class Library:
    """Jobs of the C interface."""

    def __init__(self, path):
        self.lib = lib = ctypes.CDLL(path)
        for name in ("settings_new", "job_new", "job_shared", "run_task", "job_model"):
            getattr(lib, "halfspace_" + name).restype = ctypes.c_void_p

    def settings(self, path, options):
        made = ctypes.c_void_p(self.lib.halfspace_settings_new(b"train", None))
        for name, value in options.items():
            assert self.lib.halfspace_settings_set(made, name.encode(), value.encode(), None) == 0
        assert self.lib.halfspace_settings_add_path(made, str(path).encode(), None) == 0
        return made

    def train(self, settings, shards, epochs):
        """Returns the model, a handle."""
        order = Order(b"train", 2 * shards, shards, epochs)
        job = ctypes.c_void_p(self.lib.halfspace_job_new(ctypes.byref(order), settings, None))
        assert job
        while True:
            tasks, count, size = ctypes.POINTER(Task)(), ctypes.c_size_t(), ctypes.c_size_t()
            assert self.lib.halfspace_job_tasks(job, ctypes.byref(tasks), ctypes.byref(count), None) == 0
            if count.value == 0:
                return ctypes.c_void_p(self.lib.halfspace_job_model(job, None))
            own = [(task.number, ctypes.string_at(task.data, task.size)) for task in tasks[:count.value]]
            shared = ctypes.string_at(self.lib.halfspace_job_shared(job, ctypes.byref(size), None), size.value)
            for number, data in own:
                made = self.lib.halfspace_run_task(data, ctypes.c_size_t(len(data)), shared,
                                                   ctypes.c_size_t(len(shared)), None, ctypes.c_size_t(0),
                                                   ctypes.byref(size), None)
                assert made, number
                result = ctypes.string_at(made, size.value)
                assert self.lib.halfspace_job_take(job, ctypes.c_uint64(number), result,
                                                   ctypes.c_size_t(len(result)), None, None) == 0

    def weights(self, model):
        features = self.lib.halfspace_model_features(model)
        w, bias = (ctypes.c_double * features)(), (ctypes.c_double * 1)()
        assert self.lib.halfspace_model_weights(model, w, bias, None) == 0
        return list(w), bias[0]


def check_weights(rng, library, folder):
    """One random run, by the oracle and by the library over the same files; returns an error or None."""
    features, shards, epochs = rng.randint(1, 4), rng.choice([1, 2, 4, 8]), rng.randint(1, 3)
    rows = random_rows(rng, 400 * shards, features, rng.random() < 0.5)
    path = Path(folder) / "rows.svm"
    lines = [f"{y:+d} " + " ".join(f"{j + 1}:{v}" for j, v in enumerate(x[:-1])) + "\n" for x, y in rows]
    path.write_text("".join(lines))
    settings = library.settings(path, {"preset": "rosenblatt", "order": "stream"})
    # The rows of a shard, by where they begin: ranges in turn, a power of two of bytes, 16 a shard or a few more.
    size = 1 << ((path.stat().st_size // (16 * shards)).bit_length() - 1)
    parts, at = [[] for _ in range(shards)], 0
    for line, row in zip(lines, rows):
        parts[at // size % shards].append(row)
        at += len(line)
    w = [Fraction(0)] * (features + 1)
    for _ in range(epochs):
        w = mixed([play(w, part)[0] for part in parts], [Fraction(1, shards)] * shards)
    own, bias = library.weights(library.train(settings, shards, epochs))
    own += [0.0] * (features - len(own))
    if [Fraction(v) for v in [*own, bias]] != w:
        return f"{own} {bias}, and the oracle has {[float(v) for v in w]}"
    return None


def main():
    runs, failures = int(sys.argv[1]), 0
    rng = random.Random(1)
    for run in range(runs):
        fault = check_theorem(rng)
        if fault:
            failures += 1
            print(f"run {run}: {fault}")
    print(f"theorem: {runs} runs, {failures} violations")
    if len(sys.argv) > 2:
        library = Library(sys.argv[2])
        with tempfile.TemporaryDirectory() as folder:
            for run in range(max(20, runs // 100)):
                fault = check_weights(rng, library, folder)
                if fault:
                    failures += 1
                    print(f"run {run}: {fault}")
        print(f"weights: {max(20, runs // 100)} runs compared")
    sys.exit(failures > 0)


main()
