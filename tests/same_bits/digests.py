#!/usr/bin/env python3
"""Holds a build to the bits of an earlier one.

  digests.py make COMMAND [--again]      runs what is not stored yet (with --again: everything) and stores its digests
  digests.py check COMMAND PART          runs what is stored and compares; PART: presets, variants or old_models

digests.json holds, for every run, the exit code, mistakes, updates, and SHA-256 digests of the weights as `inspect --json`
prints them (shortest digits that read back exactly), of the scores and labels that `predict` prints, and of the model
file's bytes. Only a build whose results are trusted may make it: after that a difference is a change of results, and is
either a mistake or goes into CHANGELOG.md together with new digests.

Data sets come from the repository (examples/, tests/same_bits/*.svm) or from HALFSPACE_DATA, else ../shared/data beside the
source folder; sets that are not there are named and left out.
"""

import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parent.parent
STORE = HERE / "digests.json"
OLD_MODELS = SOURCE / "tests" / "model" / "old"

# Sets of the repository, and of the folder of data.
SETS = {
    "larks": SOURCE / "examples" / "larks.csv",
    "credit": SOURCE / "examples" / "credit.csv",
    "ones": HERE / "ones.svm",
    "banknote": "banknote/banknote.libsvm",
    "heart_scale": "heart_scale/heart_scale",
    "digits": "digits/digits.libsvm",
    "sms_spam": "sms_spam/sms_spam.libsvm.gz",
}
# Their state is a matrix of features by features: a few updates on the set of many features are enough.
SQUARE = {"second-order", "arow"}

RULES = ("perceptron margin pa pa1 pa2 minnow multiclass second-order arow arow-diagonal adagrad alma projected winnow1 winnow2 "
         "eg kernel").split()


def data_folder():
    return pathlib.Path(os.environ.get("HALFSPACE_DATA") or SOURCE.parent / "shared" / "data")


def path_of(name):
    place = SETS[name]
    return place if isinstance(place, pathlib.Path) else data_folder() / place


def run(command, *arguments):
    return subprocess.run([command, *map(str, arguments)], stdin=subprocess.DEVNULL, capture_output=True, text=True)


def presets_of(command):
    """Reads the names of all presets from the help of train."""
    text = run(command, "train", "--help").stdout
    block = text[text.index("--preset NAME"):text.index("--rule RULE")]
    return re.findall(r"^ {8,}([a-z0-9-]+) +\S", block, re.M)


def stop_for(command, preset, folder):
    """Chooses passes for orders that make passes, updates for those that look for mistakes."""
    tiny = folder / "tiny.svm"
    tiny.write_text("1 1:1\n-1 2:1\n")
    done = run(command, "train", tiny, "--preset", preset, "--updates", 1, "--json", "-q")
    order = json.loads(done.stdout)["composition"]["order"]
    return ["--updates", "200"] if order in ("first-mistake", "random-mistake") else ["--passes", "3"]


def digest(data):
    return hashlib.sha256(data if isinstance(data, bytes) else data.encode()).hexdigest()[:32]


def weights_of(command, model):
    done = run(command, "inspect", model, "--json")
    if done.returncode:
        return f"inspect: exit code {done.returncode}"
    shown = json.loads(done.stdout, parse_float=str, parse_int=str)
    learned = {key: shown[key] for key in ("weights", "bias", "coefficients", "support_vectors") if key in shown}
    return digest(json.dumps(learned, sort_keys=True))


def printed(command, *arguments):
    done = run(command, "predict", *arguments)
    return digest(done.stdout) if done.returncode == 0 else f"exit code {done.returncode}"


def learn(command, arguments, data, model):
    """Trains, and gives the record of it."""
    done = run(command, "train", data, *arguments, "--threads", 1, "--json", "-q", "-o", model)
    record = {"exit": done.returncode}
    if done.returncode == 0:
        said = json.loads(done.stdout)
        record |= {"mistakes": said["mistakes"], "updates": said["updates"]}
        record |= look_at(command, model, data)
        record["model"] = digest(model.read_bytes())
    return record


def look_at(command, model, data):
    return {
        "weights": weights_of(command, model),
        "scores": printed(command, model, data, "--scores"),
        "labels": printed(command, model, data),
    }


def record_of(command, case):
    """Runs one stored case; None when its data are not there."""
    data = path_of(case["data"])
    if not data.exists():
        return None
    with tempfile.TemporaryDirectory() as folder:
        model = pathlib.Path(folder) / "model"
        if "file" not in case:
            return learn(command, case["arguments"], data, model)
        # The label column is not needed to predict, and the saved rows are those of the set.
        old = OLD_MODELS / case["file"]
        record = look_at(command, old, data)
        resumed = learn(command, ["--resume", old, *case["arguments"]], data, model)
        return record | {"resumed " + key: value for key, value in resumed.items()}


def pinned(arguments):
    """Adds what was the default when the digests were made: gamma is suited to the rows now."""
    kernel = "kernel" in arguments and "linear" not in arguments
    return [*arguments, "--gamma", "1"] if kernel and "--gamma" not in arguments else arguments


def preset_cases(command, folder):
    for preset in presets_of(command):
        stop = stop_for(command, preset, folder)
        for name in SETS:
            chosen = ["--updates", "20"] if name == "sms_spam" and preset in SQUARE else stop
            yield f"{preset} {name}", {"data": name, "arguments": pinned(["--preset", preset, *chosen])}


def variant_cases():
    """Lists what presets do not reach: every rule with every keeper, and every choice of a flag that changes results."""
    def case(name, arguments):
        arguments = pinned(arguments)
        return f"{' '.join(arguments)} {name}", {"data": name, "arguments": arguments}

    for rule in RULES:
        name = "ones" if rule.startswith("winnow") else "heart_scale"
        sets = (name,) if name == "ones" else (name, "credit")
        for keep in ("last", "average", "pocket", "vote"):
            for name in sets:
                yield case(name, ["--rule", rule, "--keep", keep, "--passes", "3"])
        name = sets[-1]
        for flags in ("--order shuffled --seed 7", "--tie mistake --bias first", "--tie negative --bias none",
                      "--start small --seed 3", "--class-weight +1=2", "--normalize row", "--normalize column", "--single",
                      "--order first-mistake", "--order random-mistake", "--order random", "--rate 0.3",
                      "--bias-scale 0.25", "--holdout 0.3", "--folds 3"):
            stop = ["--updates", "50"] if "mistake " in flags + " " and "--order" in flags else ["--passes", "2"]
            flags = flags.replace("+1", "approved") if name == "credit" else flags
            yield case(name, ["--rule", rule, *flags.split(), *stop])
    for update in ("max-score", "uniform", "proportional", "pa", "pa1", "pa2"):
        for name in ("digits", "heart_scale"):
            for keep in ("last", "average", "vote"):
                yield case(name, ["--rule", "multiclass", "--class-update", update, "--keep", keep, "--passes", "2"])
    for kernel in ("linear", "polynomial", "gaussian --gamma 0.1"):
        for budget in ("", "--budget 30", "--budget 30 --eviction forgetron", "--budget 30 --eviction projectron"):
            yield case("heart_scale", ["--rule", "kernel", "--kernel", *kernel.split(), *budget.split(), "--passes", "2"])
    for flags in ("--rule pa1 --aggressiveness 0.01", "--rule pa2 --aggressiveness 0.01", "--rule margin --margin 0.5",
                  "--rule second-order --regularization 3", "--rule arow --regularization 3",
                  "--rule arow-diagonal --regularization 3", "--rule adagrad --ball 0.5", "--rule projected --ball 2",
                  "--rule eg --ball 4", "--rule alma --alpha 0.5", "--rule minnow --positive-weights",
                  "--rule minnow --relative-margin 0.05 --radius 1",
                  "--rule pa1 --search aggressiveness=0.01,0.1,1 --folds 3", "--rule perceptron --calibrate platt --holdout 0.3",
                  "--rule perceptron --calibrate isotonic --folds 3", "--rule pa --window 50 --drift adwin"):
        yield case("heart_scale", [*flags.split(), "--passes", "2"])
    for flags in ("--rule winnow1 --alpha 3", "--rule winnow2 --alpha 1.2", "--rule winnow1 --theta 3",
                  "--rule winnow2 --theta 3"):
        yield case("ones", [*flags.split(), "--passes", "2"])


def old_model_cases(command, folder):
    """Writes one small model file a preset, and lists them."""
    OLD_MODELS.mkdir(exist_ok=True)
    for preset in presets_of(command):
        name = "ones" if preset.startswith("winnow") else "larks"
        stop = stop_for(command, preset, folder)
        file = OLD_MODELS / f"{preset}.model"
        if not file.exists():
            first = ["--updates", "10"] if stop[0] == "--updates" else ["--passes", "2"]
            done = run(command, "train", path_of(name), "--preset", preset, *first, "-q", "-o", file)
            if done.returncode:
                sys.exit(f"{preset}: {done.stderr}")
        yield preset, {"data": name, "file": file.name, "arguments": stop}


def side_by_side(command, cases):
    with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        yield from zip(cases, pool.map(lambda name: record_of(command, cases[name]), cases))


def make(command, again):
    stored = json.loads(STORE.read_text()) if STORE.exists() and not again else {}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        parts = {"presets": dict(preset_cases(command, folder)), "variants": dict(variant_cases()),
                 "old_models": dict(old_model_cases(command, folder))}
    for part, cases in parts.items():
        kept = stored.setdefault(part, {})
        missing = {name: case for name, case in cases.items() if name not in kept}
        for name, record in side_by_side(command, missing):
            if record is None:
                print(f"{part}: {name}: no data, not stored")
            else:
                kept[name] = missing[name] | {"result": record}
    # One case a line, so that a difference of two versions is read easily.
    parts = [f"{json.dumps(part)}: {{\n" + ",\n".join(f"{json.dumps(n)}: {json.dumps(c)}" for n, c in cases.items()) + "\n}"
             for part, cases in stored.items()]
    STORE.write_text("{" + ",\n".join(parts) + "}\n")
    for part, cases in stored.items():
        print(f"{part}: {len(cases)} stored, {sum(1 for c in cases.values() if c['result'].get('exit'))} of them refusals")


def check(command, part):
    cases = json.loads(STORE.read_text())[part]
    wrong, absent, checked = [], {}, 0
    for name, record in side_by_side(command, cases):
        if record is None:
            absent[cases[name]["data"]] = absent.get(cases[name]["data"], 0) + 1
            continue
        checked += 1
        stored = cases[name]["result"]
        differ = [f"{key} {stored.get(key)} -> {record.get(key)}"
                  for key in dict.fromkeys([*stored, *record]) if stored.get(key) != record.get(key)]
        if differ:
            wrong.append(f"{name}: " + "; ".join(differ))
    print(f"{checked} of {len(cases)} {part} compared")
    for name, count in absent.items():
        print(f"NOT CHECKED: {count} on {name}, which is not in {data_folder()}; set HALFSPACE_DATA")
    for line in wrong:
        print("DIFFERS:", line)
    sys.exit(1 if wrong or not checked else 0)


def main():
    if len(sys.argv) >= 3 and sys.argv[1] == "make":
        make(sys.argv[2], "--again" in sys.argv[3:])
    elif len(sys.argv) == 4 and sys.argv[1] == "check":
        check(sys.argv[2], sys.argv[3])
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
