"""Makes the playground of its parts: one HTML file with style, scripts and the engine; and the module for node.

usage: assemble.py OUT    reads OUT/glue.js and OUT/glue.wasm; writes OUT/index.html, and for node OUT/engine.js,
                          OUT/halfspace.mjs, OUT/halfspace.wasm and OUT/package.json
"""

import base64
import csv
import gzip
import html
import io
import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


MODULES = ("engine", "shared", "picture", "points", "plane", "worlds",
           "experts", "exercises", "page")  # each after those that it imports
EXPORT = re.compile(r"^export (?:(?:async )?(?:function|class|const) (\w+)|const \{ ([^}]*) \})", re.MULTILINE)


def joined(folder):
    """The modules as one: each but the last is a function's result, under its name."""
    parts = []
    for name in MODULES:
        text = (folder / f"{name}.js").read_text()
        text = re.sub(r'^import (?:\* as (\w+)|(\{[^}]*\}))\s+from "\./(\w+)\.js";', r"const \1\2 = \3Module;", text,
                      flags=re.MULTILINE)
        exported = EXPORT.findall(text)
        text = re.sub(r"^export ", "", text, flags=re.MULTILINE)
        if re.search(r"^import ", text, flags=re.MULTILINE):
            raise SystemExit(f"assemble.py: {name}.js imports in another way")
        if name != MODULES[-1]:
            names = ", ".join(single or several for single, several in exported)
            text = f"const {name}Module = (() => {{\n{text}return {{ {names} }};\n}})();\n"
        parts.append(text)
    return "\n".join(parts)


# The entries of docs/words.md that the page explains.
WORDS = ("arm", "averaged", "bias (intercept)", "bound", "certificate, certified", "comparator", "converges",
         "convex hull (hull)", "expert", "Hedge", "ledger", "loss", "margin", "mistake bound", "pass (epoch)",
         "perceptron", "pocket", "rate (learning rate)", "regret", "round", "row (example, instance)", "rule", "score",
         "separable", "tie", "update", "weight")


def words(text):
    """The list of WORDS, as HTML."""
    entries = dict(re.findall(r"^\*\*(.+?)\*\*: (.+?)(?=\n\n|\Z)", text, flags=re.MULTILINE | re.DOTALL))

    def as_html(markdown):
        return re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(" ".join(markdown.split()), quote=False))
    return "\n".join(f"<dt>{name}</dt><dd>{as_html(entries[name])}</dd>" for name in WORDS)


def incomes_and_debts(text):
    """Two columns of the first applicants who have both, in thousands, and the decision."""
    table = list(csv.DictReader(io.StringIO(text)))
    table = [row for row in table if row["income"].isdigit() and row["debt"].isdigit()][:200]
    rows = [f"{int(row['income']) / 1000:g},{int(row['debt']) / 1000:g},{row['decision']}" for row in table]
    return "\n".join(["income,debt,decision", *rows]) + "\n"


def main():
    out = Path(sys.argv[1])
    playground = ROOT / "web" / "playground"
    glue, wasm = (out / "glue.js").read_text(), (out / "glue.wasm").read_bytes()
    engine = (playground / "engine.js").read_text()
    packed = gzip.compress(wasm, compresslevel=9, mtime=0)
    style = [ROOT / "web" / "page.css", ROOT / "web" / "plane.css", playground / "page.css"]
    larks, credit = ((ROOT / "examples" / f"{name}.csv").read_text() for name in ("larks", "credit"))
    embedded = {"@LARKS@": larks, "@CREDIT@": incomes_and_debts(credit)}
    parts = {
        "@STYLE@": "\n".join(path.read_text() for path in style),
        "@GLUE@": glue,
        "@WASM@": base64.b64encode(packed).decode(),
        "@WORDS@": words((ROOT / "docs" / "words.md").read_text()),
        "@PAGE@": re.sub("|".join(embedded), lambda found: json.dumps(embedded[found.group()])[1:-1],
                         joined(playground)),
    }
    for name in ("@GLUE@", "@PAGE@"):
        if "</script" in parts[name]:
            raise SystemExit(f"assemble.py: {name} ends its own script")
    page = re.sub("|".join(parts), lambda found: parts[found.group()], (playground / "index.html").read_text())
    (out / "index.html").write_text(page)
    (out / "halfspace.mjs").write_text(glue + "\nexport default createHalfspace;\n")
    (out / "halfspace.wasm").write_bytes(wasm)
    (out / "engine.js").write_text(engine)
    (out / "package.json").write_text('{"type": "module"}\n')
    scripts = gzip.compress(page.replace(parts["@WASM@"], "").encode(), compresslevel=9, mtime=0)
    print(f"{out}/index.html: {len(page):,} bytes; the engine {len(wasm):,}, {len(packed):,} compressed; "
          f"scripts, style and text {len(scripts):,} compressed")


if __name__ == "__main__":
    main()
