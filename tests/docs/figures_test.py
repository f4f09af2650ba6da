"""Every figure of README.md and of docs/*.md is printed by a command that a test runs, or is in a stored record.

A figure is a number with a unit (s, MB, %, times and so on), and in a table below a paragraph that links to a record any
number. It must be, or be rounded from, a number of

- a record that its paragraph or list item, or the paragraph above its table, links to: bench/runs/NAME.md;
- a block between ``` of its own document, or of one that its paragraph links to: commands_test.py runs those;
- a section that is a record itself: RECORDS.

What is no measurement, but a limit or a default, is in LIMITS.

usage: figures_test.py SOURCE_TREE    prints one line per fault; the exit status is 0 when there is none
"""

import re
import sys
from pathlib import Path

MOST_LINES = {"README.md": 150}
LINK = re.compile(r"\((?:\.\./)*(bench/runs/[\w.-]+)\.md\)")
PAGE = re.compile(r"\((?:\.\./)*((?:docs/)?(?:how-to/)?[\w-]+)\.md(?:#[\w-]*)?\)")
UNITS = "s|ms|microseconds|seconds|minutes|hours|kB|MB|GB|MiB|GiB|%|times"
WITH_UNIT = re.compile(rf"(?<![\w.,])(\d[\d,]*(?:\.\d+)?) (?:{UNITS})(?!\w)")
BARE = re.compile(r"(?<![\w.])(\d[\d,]*(?:\.\d+)?)(?![\w.]*\w)")
NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")

# Sections that say how and on what they were measured, on data or machines that no test has: (document, heading), or a
# whole document.
RECORDS = {
    "docs/experiments.md",
    ("docs/bounds.md", "The least loss of linear models"),
    ("docs/bounds.md", "Regret of experts and bandits"),
    ("docs/cluster.md", "How long an epoch takes"),
    ("docs/evaluation.md", "How the default learns"),
    ("docs/evaluation.md", "Cross-validation"),
    ("docs/evaluation.md", "Searching a parameter"),
    ("docs/evaluation.md", "Few features"),
    ("docs/evaluation.md", "Probabilities"),
    ("docs/evaluation.md", "Streams that drift"),
    ("docs/optimum.md", "A certificate of it"),
    ("docs/rules.md", "Accuracy of every rule"),
}
# Limits, defaults and levels of confidence, as they stand in the text.
LIMITS = {
    "docs/bounds.md": ["8 MB"],
    "docs/limits.md": ["256 MiB"],
    "docs/rules.md": ["10 % of"],
    "docs/service.md": ["95 % confidence"],
}


def numbers_in(text):
    return [float(number.replace(",", "")) for number in NUMBER.findall(text)]


def numbers_of(run):
    return numbers_in(run.with_suffix(".md").read_text(encoding="utf-8")) if run.with_suffix(".md").is_file() else []


def printed_by(page):
    """The numbers of what a document shows of commands."""
    text = page.read_text(encoding="utf-8") if page.is_file() else ""
    return numbers_in("\n".join(re.findall(r"^```\n(.*?)^```", text, flags=re.M | re.S)))


def is_there(figure, numbers):
    value, digits = float(figure.replace(",", "")), len(figure.partition(".")[2])
    return any(round(number, digits) == value for number in numbers)


def blocks_of(text):
    """Yields the line and the text of headings, paragraphs, list items and tables, code left out."""
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
    own, heading, above = printed_by(path), "", None
    for line, block in blocks_of(text):
        if block.startswith("#"):
            heading = block.splitlines()[0].lstrip("# ")
        is_table = block.startswith("|")
        run = above if is_table else LINK.search(block)
        above = None if is_table else run
        numbers = list(own)
        if run is not None:
            recorded = numbers_of(root / run[1])
            if not recorded:
                yield f"{name}:{line}: there is no {run[1]}"
            numbers += recorded
        for page in PAGE.findall(block):
            numbers += printed_by((path.parent / page).with_suffix(".md"))
        if name in RECORDS or (name, heading) in RECORDS:
            continue
        for limit in LIMITS.get(name, []):
            block = block.replace(limit, "")
        for figure in (BARE if is_table and run is not None else WITH_UNIT).findall(block):
            if not is_there(figure, numbers):
                yield f"{name}:{line}: {figure} is in no record, and no block that is run prints it"


def documents(root):
    return ["README.md", *sorted(path.relative_to(root).as_posix() for path in (root / "docs").glob("*.md"))]


def main():
    root = Path(sys.argv[1]).resolve()
    found = [fault for name in documents(root) for fault in faults(root, name)]
    for name, heading in ((r, None) if isinstance(r, str) else r for r in sorted(RECORDS, key=str)):
        there = (root / name).is_file() and (
            heading is None or re.search(rf"^#+ {re.escape(heading)}$", (root / name).read_text(encoding="utf-8"), re.M))
        if not there:
            found.append(f"{name}: there is no section {heading}")
    print("\n".join(found) or "the figures hold")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
