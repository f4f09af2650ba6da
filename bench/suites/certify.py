"""Verdicts with proof beside the usual way, a linear program: the same questions, timed in turn.

The linear program is the one of textbooks: maximise t with y (<w, x> + b) >= t for every row and -1 <= w, b <= 1, by
HiGHS. Its verdict is that of doubles: t above 1e-9 counts as separable. Two comparisons, each of like with like: whole
processes from the text file to the verdict (`certify --extra-seconds 0`, the exact check of the proof included, against
linear_program.py), and the search alone (certify's time until the verdict against SciPy's call). A ratio above 1:
certify was the faster. Needs SciPy.
"""

import json
import statistics
from pathlib import Path

from harness import peers
from harness.timing import Contender

TITLE = "Certify beside linear programs"
FIGURES = "none in documents: what a proof costs beside a verdict in doubles"
SETS = {
    "agaricus": "agaricus/agaricus.txt.train",
    "sonar": "sonar/sonar.libsvm",
    "golub": "golub_leukemia/golub_leukemia.libsvm.gz",
    "banknote": "banknote/banknote.libsvm",
    "heart": "heart_scale/heart_scale",
    "german": "german_credit/german_credit_numer.libsvm",
    "crx": "crx/crx.libsvm",
    "wdbc": "wdbc/wdbc.libsvm",
    "spambase": "spambase/spambase.libsvm",
    "a9a": "a9a/a9a",
    "w8a": "w8a/w8a.libsvm.gz",
    "sms_spam": "sms_spam/sms_spam.libsvm.gz",
    "electricity": "electricity/electricity.libsvm.gz",
    "reuters": "reuters21578/reuters21578_earn.libsvm.gz",
    "imdb": "imdb/imdb.libsvm.gz",
}
ITEMS = list(SETS)
SCRIPT = Path(__file__).parents[1] / "harness/linear_program.py"


def options(parser):
    parser.add_argument("--limit", type=float, default=20, help="seconds for a verdict")


def run(bench):
    rows, wholes, searches, limit = [], [], [], bench.options.limit
    for name in bench.only(ITEMS):
        if not (found := bench.find(SETS[name])):
            bench.missing(name)
            continue
        ours = [bench.program, "certify", found[0], "--json", "--extra-seconds", 0, "--seconds", limit]
        ours += ["--zero-based"] * (name == "agaricus")
        line = " ".join(map(str, ours))  # of whom exit statuses 1 and 3 are verdicts
        pair = bench.measure([Contender(f"{name}, certify", ["sh", "-c", f"{line}; [ $? != 2 ]"]),
                              Contender(f"{name}, program", [peers.PYTHON, "-B", SCRIPT, found[0], limit])], about=name)
        if any(one.fault for one in pair):
            rows.append([name, *(one.fault or "" for one in pair)])
            continue
        own, program = (json.loads(one.printed) for one in pair)
        whole = pair[1].ratio(pair[0])
        search = program["seconds"] / own["seconds"]["decide"]
        wholes.append(whole)
        searches.append(search)
        rows.append([name, own["verdict"], program["verdict"], f"{pair[0].median():.3f}", f"{pair[1].median():.3f}",
                     f"{whole:.1f}", f"{own['seconds']['decide']:.4f}", f"{program['seconds']:.4f}", f"{search:.1f}"])
    bench.table(["set", "certify", "program", "whole process: certify, s", "program, s", "ratio",
                 "search alone: certify, s", "program, s", "ratio"], rows)
    if wholes:
        bench.text(f"Medians of the ratios over {len(wholes)} sets: {statistics.median(wholes):.1f} by whole processes,"
                   f" {statistics.median(searches):.1f} by the search alone.")
    bench.write(TITLE)
