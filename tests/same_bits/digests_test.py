#!/usr/bin/python3 -B
"""Holds a build to the bits of an earlier one.

  digests_test.py check COMMAND PART      runs what is stored and compares; PART: presets or variants
  digests_test.py renew COMMAND KEY...    runs all and stores it, where these keys alone differ (model, weights, ...)

digests.json holds, for every run, the exit code, mistakes, updates, and SHA-256 digests of the weights as `inspect --json`
prints them (shortest digits that read back exactly), of the scores and labels that `predict` prints, and of the model
file's bytes. A case without a result is a new one. Only a build whose results are trusted may renew it: a difference is
a change of results, either a mistake or stored on purpose, with a line in CHANGELOG.md once a version is released.

Data sets come from the repository (examples/, tests/same_bits/*.svm) or from HALFSPACE_DATA, else ../shared/data beside the
source folder; sets that are not there are named and left out.
"""

import concurrent.futures
import hashlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parent.parent
STORE = HERE / "digests.json"

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


def data_folder():
    return pathlib.Path(os.environ.get("HALFSPACE_DATA") or SOURCE.parent / "shared" / "data")


def path_of(name):
    place = SETS[name]
    return place if isinstance(place, pathlib.Path) else data_folder() / place


def run(command, *arguments):
    return subprocess.run([command, *map(str, arguments)], stdin=subprocess.DEVNULL, capture_output=True, text=True)


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
        record |= {
            "weights": weights_of(command, model),
            "scores": printed(command, model, data, "--scores"),
            "labels": printed(command, model, data),
            "model": digest(model.read_bytes()),
        }
    return record


def record_of(command, case):
    """Runs one stored case; None when its data are not there."""
    data = path_of(case["data"])
    if not data.exists():
        return None
    with tempfile.TemporaryDirectory() as folder:
        model = pathlib.Path(folder) / "model"
        return learn(command, case["arguments"], data, model)


def side_by_side(command, cases):
    with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        yield from zip(cases, pool.map(lambda name: record_of(command, cases[name]), cases))


def renew(command, keys):
    """Stores the results of every case anew; ends where more than these keys of one differ."""
    parts = json.loads(STORE.read_text())
    for part, cases in parts.items():
        for name, record in side_by_side(command, cases):
            stored = cases[name].get("result")
            if record is None:
                sys.exit(f"{name}: no data")
            differ = {key for key in {*(stored or {}), *record} if (stored or {}).get(key) != record.get(key)}
            if stored is not None and not differ <= set(keys):
                sys.exit(f"{name}: {', '.join(sorted(differ - set(keys)))} differ; nothing is stored")
            cases[name]["result"] = record
    # One case a line, so that a difference of two versions is read easily.
    texts = [f"{json.dumps(part)}: {{\n" + ",\n".join(f"{json.dumps(n)}: {json.dumps(c)}" for n, c in cases.items()) + "\n}"
             for part, cases in parts.items()]
    STORE.write_text("{" + ",\n".join(texts) + "}\n")
    for part, cases in parts.items():
        print(
            f"{part}: {len(cases)} stored, {sum(1 for c in cases.values() if c['result'].get('exit'))} of them refusals")


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
    if len(sys.argv) >= 3 and sys.argv[1] == "renew":
        renew(sys.argv[2], sys.argv[3:])
    elif len(sys.argv) == 4 and sys.argv[1] == "check":
        check(sys.argv[2], sys.argv[3])
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
