"""Exported ONNX models in onnxruntime itself, of its packages for node, predict what halfspace predict does.

usage: onnxruntime_test.py COMMAND SOURCE_TREE

Needs node, and onnxruntime-node or onnxruntime-web; both are run where both are there. HALFSPACE_NODE_MODULES names the
folder in which `npm install --ignore-scripts onnxruntime-node` was run; otherwise they are looked for where node looks.
"""

import array
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import common

PACKAGES = ("onnxruntime-node", "onnxruntime-web")
FOLDER = os.environ.get("HALFSPACE_NODE_MODULES", ".")
SECONDS = 120


class Runtime:
    def __init__(self, package):
        script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "onnxruntime.cjs")
        self.words = [shutil.which("node") or "node", script, FOLDER, package]
        found = subprocess.run(self.words, capture_output=True, text=True, timeout=SECONDS)
        if found.returncode not in (0, 77):
            sys.exit(f"{package}: {found.stderr}")
        self.name = f"{package} {found.stdout}" if found.returncode == 0 else None

    def answers(self, model, width, rows):
        result = subprocess.run([*self.words, model, str(width), rows], capture_output=True, text=True, timeout=SECONDS)
        if result.returncode != 0:
            sys.exit(f"{self.name}: {result.stderr}")
        return json.loads(result.stdout)


def runtimes():
    found = [runtime for runtime in map(Runtime, PACKAGES) if runtime.name] if shutil.which("node") else []
    if not found:
        print("SKIPPED, loudly: onnxruntime is not there: npm install --ignore-scripts onnxruntime-node, and name the "
              "folder in HALFSPACE_NODE_MODULES", file=sys.stderr)
        sys.exit(77)
    return found


def features(exported):
    """The names of the features: a metadata property, at the end of the file."""
    with open(exported, "rb") as file:
        text = file.read()
    at = text.rindex(b"\n\bfeatures\x12") + 11
    while text[at] >= 128:  # a length
        at += 1
    return json.loads(text[at + 1:].decode())


def page_runs(halfspace, source, folder):
    """The program of docs/how-to/serve-elsewhere.md prints what the page shows."""
    text = (Path(source) / "docs/how-to/serve-elsewhere.md").read_text(encoding="utf-8")
    ((name, program),) = re.findall(r"^```js file=(\S+)\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    (expected,) = re.findall(r"^```text\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    Path(halfspace.path(name)).write_text(program, encoding="utf-8")
    data, model = Path(source) / "examples/credit.csv", halfspace.path("credit.model")
    halfspace.out("train", data, "--id", "applicant", "-q", "-o", model)
    halfspace.out("export", model, "-o", halfspace.path("credit.onnx"))
    modules = Path(folder).resolve() / "node_modules"
    if modules.is_dir():
        Path(halfspace.path("node_modules")).symlink_to(modules)
    printed = subprocess.run(["node", name], cwd=halfspace.folder.name, capture_output=True, text=True, timeout=SECONDS)
    if printed.stdout != expected:
        sys.exit(f"docs/how-to/serve-elsewhere.md: prints something else:\n{printed.stdout}{printed.stderr}")
    print("the program of docs/how-to/serve-elsewhere.md prints what it shows")


def refused(halfspace):
    """Votes and isotonic calibration end with the reason, and leave no file."""
    rows, model = halfspace.path("refused.svm"), halfspace.path("refused")
    with open(rows, "w", encoding="ascii") as file:
        file.writelines(f"{1 if i % 3 else -1} 1:{i % 7} 2:{i % 5}\n" for i in range(60))
    cases = {"vote": ["--keep", "vote"], "isotonic": ["--holdout", "0.3", "--calibrate", "isotonic"]}
    for reason, flags in cases.items():
        halfspace.out("train", rows, *flags, "-q", "-o", model)
        result = halfspace.run("export", model, "-o", halfspace.path("refused.onnx"))
        assert result.returncode == 2 and reason in result.stderr, (reason, result.stderr)
        assert not os.path.exists(halfspace.path("refused.onnx")), reason


def check(found, expected, what):
    """Labels, and scores and probabilities where they are expected."""
    labels, scores, probabilities = expected
    if found["label"]["type"] == "int64":
        labels = [str(int(float(label))) for label in labels]
    common.same(found["label"]["data"], labels, what)
    classes = 1 if len(found["score"]["dims"]) == 1 else found["score"]["dims"][1]
    values = found["score"]["data"]
    highest = [max(values[i:i + classes]) for i in range(0, len(values), classes)]
    common.close(highest, scores, what)
    assert ("probability" in found) == (probabilities is not None), what
    if probabilities is not None:
        common.close(found["probability"]["data"], [p for row in probabilities for p in row], what)


def main():
    halfspace = common.Halfspace(sys.argv[1])
    found = runtimes()
    refused(halfspace)
    if found[0].name.startswith("onnxruntime-node"):
        page_runs(halfspace, sys.argv[2], FOLDER)
    for name, data, reading, unseen, header, how in common.cases(sys.argv[2], halfspace):
        model, exported, binary = (halfspace.path(file) for file in ("model", "model.onnx", "rows"))
        halfspace.out("train", data, *reading, *how, "-q", "-o", model)
        halfspace.out("export", model, "-o", exported)
        names = features(exported)
        rows = common.libsvm_rows(unseen) if header is None else common.csv_rows(unseen, header)
        with open(binary, "wb") as file:
            for row in common.encoded(rows, names):
                array.array("d", row).tofile(file)
        flags = [f for f in reading if f == "--no-header"]
        labels = halfspace.predictions(model, unseen, *flags)
        scores = [float(line) for line in halfspace.predictions(model, unseen, "--scores", *flags)]
        probabilities = None
        if halfspace.is_calibrated(model, unseen, *flags):
            lines = halfspace.predictions(model, unseen, "--probability", *flags)
            probabilities = [[float(p) for p in line.split()] for line in lines]
        for runtime in found:
            answers = runtime.answers(exported, len(names), binary)
            check(answers["all"], (labels, scores, probabilities), f"{runtime.name}, {name}")
            for i, single in enumerate(answers["single"]):
                expected = ([labels[i]], [scores[i]], probabilities and [probabilities[i]])
                check(single, expected, f"{runtime.name}, {name}, row {i + 1} alone")
            assert all(output["dims"][0] == 0 for output in answers["none"].values()), name
            print(f"{runtime.name}, {name}: {len(labels)} labels equal")


if __name__ == "__main__":
    main()
