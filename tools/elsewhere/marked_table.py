"""Tables in documents that scripts of this folder make: below a line that names the script, up to END.

A cell that is None was not observed, since a program is absent: it is neither compared nor written.
"""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
END = "<!-- end of table -->"


def skip(reason):
    print(f"SKIPPED, loudly: {reason}", file=sys.stderr)
    sys.exit(77)


def cells_of(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def finish(page, name, header, rows, write):
    """Writes the table into the page, or compares it and returns a line for each cell that has changed."""
    path = ROOT / page
    text = path.read_text(encoding="utf-8")
    begin = f"<!-- table: tools/elsewhere/{name} -->"
    if text.count(begin) != 1 or END not in text.split(begin)[1]:
        sys.exit(f"{page}: no table between {begin} and {END}")
    before, rest = text.split(begin)
    old, after = rest.split(END, 1)
    lines = old.strip().split("\n")
    known = [cells_of(line) for line in lines[:1] + lines[2:]] if old.strip() else []
    found = [list(header), *rows]
    if write:
        same_shape = len(known) == len(found)
        kept = [[known[i][j] if cell is None and same_shape else cell or "" for j, cell in enumerate(row)]
                for i, row in enumerate(found)]
        lines = ["| " + " | ".join(row) + " |" for row in kept]
        lines.insert(1, "|" + "---|" * len(header))
        path.write_text(before + begin + "\n" + "\n".join(lines) + "\n" + END + after, encoding="utf-8")
        return []
    if [len(row) for row in known] != [len(row) for row in found]:
        return [f"{page}: the table has {len(known)} rows, and {name} makes {len(found)}: --write"]
    return [f"{page}: {row[0]}, {header[j]}: {cell!r}, and {known[i][j]!r} in the page"
            for i, row in enumerate(found) for j, cell in enumerate(row) if cell is not None and cell != known[i][j]]


def report(faults, write):
    print("\n".join(faults) or ("written" if write else "all cells are as in the page"))
    sys.exit(1 if faults else 0)
