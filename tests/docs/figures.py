"""Figures that documents take from measured runs are in those runs.

A paragraph or list item that links to bench/runs/NAME.md, and a table below such a paragraph, may only have figures with
a unit (s, MB, %, times), or in a table any number, that NAME.md holds, or holds with more digits.

usage: figures.py SOURCE_TREE    prints one line per fault; the exit status is 0 when there is none
"""

import re
import sys
from pathlib import Path

MOST_LINES = {"README.md": 150}
DOCUMENTS = ["README.md"]
LINK = re.compile(r"\((?:\.\./)*(bench/runs/[\w.-]+)\.md\)")
WITH_UNIT = re.compile(r"(?<![\w.])(\d[\d,]*(?:\.\d+)?) (?:s|MB|%|times)(?!\w)")
BARE = re.compile(r"(?<![\w.])(\d[\d,]*(?:\.\d+)?)(?![\w.]*\w)")


def numbers_of(run):
    text = run.with_suffix(".md").read_text(encoding="utf-8") if run.with_suffix(".md").is_file() else ""
    return [float(number.replace(",", "")) for number in re.findall(r"\d[\d,]*(?:\.\d+)?", text)]


def is_there(figure, numbers):
    value, digits = float(figure.replace(",", "")), len(figure.partition(".")[2])
    return any(round(number, digits) == value for number in numbers)


def blocks_of(text):
    """Yields the line and the text of paragraphs, list items and tables, code left out."""
    text = re.sub(r"^```.*?^```$", lambda code: "\n" * code[0].count("\n"), text, flags=re.M | re.S)
    line = 1
    for block in re.split(r"(\n\n+|\n(?=- ))", text):
        if block.strip():
            yield line, block
        line += block.count("\n")


def faults(root, name):
    path = root / name
    text = path.read_text(encoding="utf-8")
    if text.count("\n") > MOST_LINES.get(name, 10**9):
        yield f"{name}:1: has {text.count(chr(10))} lines, and {MOST_LINES[name]} are the most"
    above = None
    for line, block in blocks_of(text):
        is_table = block.startswith("|")
        run = above if is_table else LINK.search(block)
        above = None if is_table else run
        if run is None:
            continue
        numbers = numbers_of(root / run[1])
        if not numbers:
            yield f"{name}:{line}: there is no {run[1]}"
        for figure in (BARE if is_table else WITH_UNIT).findall(block):
            if not is_there(figure, numbers):
                yield f"{name}:{line}: {figure} is not in {run[1]}"


def main():
    root = Path(sys.argv[1]).resolve()
    found = [fault for name in DOCUMENTS for fault in faults(root, name)]
    print("\n".join(found) or "the figures hold")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
