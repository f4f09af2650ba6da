"""Runs of their own beside the random ones, each a generator of checks."""

import random
import re
import shlex
import subprocess

from tables import Failure


def endless(hs):
    """Presets that stop when nothing is left to learn end on classes that overlap, or say within seconds that they will not."""
    draw = random.Random(1)
    tables = (("xor.svm", "1 1:1 2:1\n-1 1:1 2:-1\n-1 1:-1 2:1\n1 1:-1 2:-1\n" * 5),
              ("overlap.svm", "".join(f"{draw.choice((1, -1))} 1:{draw.gauss(0, 1):.3f} 2:{draw.gauss(0, 1):.3f}\n" for _ in range(60))))  # fmt: skip
    for name, text in tables:
        data = hs.write(name, text)
        for preset in ("batch", "pla", "cyclic-pla", "random-pla", "pocket", "margin"):
            for more in ([], ["--folds", "3"]):
                def check(data=data, preset=preset, more=more):
                    words = [hs.halfspace, "train", data, "--preset", preset, *more]
                    hs.ran.append("halfspace " + shlex.join(words[1:]))
                    with subprocess.Popen(words, cwd=hs.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
                        try:
                            out, ended = process.communicate(timeout=4)[0], True
                        except subprocess.TimeoutExpired:
                            process.kill()
                            out, ended = process.communicate()[0], False
                    if not ended and (more or b"note" not in out):
                        raise Failure("ends", f"no end after 4 s, and no note: {hs.ran[-1]}\n{out.decode()[-300:]}")

                yield check


def changed_world(hs):
    """A stream whose concept changes: the returned weights are not much worse on rows like the last than the learner was."""
    draw = random.Random(7)

    def rows(count, late):
        for _ in range(count):
            x = [draw.gauss(0, 1) for _ in range(5)]
            score = x[1] + x[2] - x[0] if late else x[0] + x[1]
            yield f"{'1' if score > 0 else '-1'} " + " ".join(f"{j + 1}:{v:.4f}" for j, v in enumerate(x))

    for early, late in ((6000, 1500), (24000, 6000)):
        data = hs.write("world.svm", "\n".join([*rows(early, False), *rows(late, True)]) + "\n")
        new = hs.write("new.svm", "\n".join(rows(2000, True)) + "\n")
        for preset in ("", "rosenblatt", "pa1", "arow", "arow-diagonal", "scw1", "nag", "coin", "tournament", "multiclass-tournament"):
            for more in ([], ["--drift", "adwin"]):
                def check(preset=preset, more=more, data=data, new=new):
                    run = hs.json("train", "-", *(["--preset", preset] if preset else []), *more, "--window", "500", "-q", "-o",
                                  "world.model", standard_input=data)  # fmt: skip
                    wrong, then = 1 - hs.json("evaluate", "world.model", new)["accuracy"], run["window"]["error"]
                    if wrong > 2 * then + 0.05:
                        raise Failure("changed-world", f"{preset or 'the default'}, {run['rows']} rows of a pipe: the last 500 were "
                                      f"predicted {100 * then:.1f} % wrong, the model is wrong on {100 * wrong:.1f} % of rows like them; "
                                      f"guarded: {run.get('guarded')}")  # fmt: skip

                yield check


def logged_bandit(hs):
    """The closing sentences about a log have figures of the column that its own note prefers, each between its bounds."""
    draw = random.Random(3)
    for _ in range(20):
        lines = ["action,reward,propensity"]
        for _ in range(draw.randint(20, 200)):
            lines.append(f"{draw.choice('abc')},{draw.choice((0, 1))},{draw.choice((0.02, 0.2, 0.3, 0.5))}")
        text = "\n".join(lines) + "\n"

        def check(text=text):
            out = hs("bandit", hs.write("log.csv", text), "--logged")
            table = {match[1].strip(): (match[2], match[3]) for match in
                     re.finditer(r"^  (\S.*?)  +([0-9.]+)  +([0-9.]+)  \[", out, re.MULTILINE)}  # fmt: skip
            learning = next((both for name, both in table.items() if name.endswith("learning")), None)
            for found in re.finditer(r"earned ([0-9.]+) a round, between ([0-9.]+) and ([0-9.]*[0-9])", out):
                value, lower, upper = (float(found[i]) for i in (1, 2, 3))
                if not lower <= value <= upper:
                    raise Failure("bandit-logged", found[0])
                if "prefer the self-normalised" in out and learning and found[1] != learning[1]:
                    raise Failure("bandit-logged",
                                  f"{found[0]!r}, where the note prefers the self-normalised column: {learning}")

        yield check


def bandit_bounds(hs):
    """A bound in words is not below the bound in JSON."""
    draw = random.Random(5)
    for _ in range(10):
        arms = draw.randint(2, 4)
        lines = [",".join("abcd"[:arms])] + [",".join(str(draw.choice((0, 1)))
                                                      for _ in range(arms)) for _ in range(draw.randint(3, 60))]
        data = hs.write("arms.csv", "\n".join(lines) + "\n")
        for algorithm in ("exp3", "exp3-anytime", "exp3-mix", "exp3-ix", "exp3p"):
            def check(data=data, algorithm=algorithm):
                exact = hs.json("bandit", data, "--algorithm", algorithm)["bound"]
                text = hs("bandit", data, "--algorithm", algorithm)
                for found in re.finditer(r"(?:allows|at most|bound(?: of)?) +([0-9][0-9,.]*[0-9])", text):
                    shown = float(found[1].replace(",", ""))
                    digits = len(found[1].split(".")[1]) if "." in found[1] else 0
                    if exact and exact["value"] - 10.0**-digits < shown < exact["value"] - 1e-9:
                        raise Failure("bound-rounded-down",
                                      f"{algorithm}: prints {found[0]!r}, the bound is {exact['value']}")

            yield check


SCENARIOS = (endless, changed_world, logged_bandit, bandit_bounds)
