"""What the scripts of this folder share: tables in pages of docs/, made by running other programs.

A script compares its tables with the page, cell by cell, or writes them into it. A table is between the lines
<!-- table: tools/elsewhere/NAME[, PART] --> and <!-- end of table -->. A program that is absent is reported: its cells
stay as they are in the page, and are not compared. The exit status is 0 where all cells are the same, or written;
1 where some changed, each with a line; 77 where nothing could be run.
"""

import argparse
import json
import os
import re
import subprocess
import sys
from itertools import zip_longest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
END = "<!-- end of table -->"
SECONDS = 60


class Refused(Exception):
    pass


def run(*words):
    """Returns what a command prints. Raises Refused with its message if it fails."""
    done = subprocess.run(words, capture_output=True, text=True, timeout=SECONDS)
    if done.returncode != 0:
        raise Refused(done.stderr.strip() or done.stdout.strip())
    return done.stdout


def absent(program, command):
    print(f"SKIPPED: {program} is not installed ({command}); its cells are not compared", file=sys.stderr)


def version(program, *packages):
    """Returns the version of the program that the first of Debian's packages has, 2.3.0 of 2.3.0+dfsg-5.

    Where one of them is not installed, it reports the program as absent and returns None.
    """
    found = []
    for package in packages:
        query = ["dpkg-query", "-W", "-f", "${db:Status-Status} ${source:Upstream-Version}", package]
        status, _, text = subprocess.run(query, capture_output=True, text=True).stdout.partition(" ")
        if status != "installed":
            return absent(program, f"apt-get install {' '.join(packages)}")
        found.append(re.sub(r"[+~].*|\.\d{8}$", "", text).replace("-", "."))
    return found[0]


class Reader:
    """A process that reads a file for each line of its standard input, its name, and answers with a line of JSON."""

    def __init__(self, *words):
        self.process = subprocess.Popen(words, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL)

    def read(self, file):
        """Raises Refused if the answer is a text, the message of an error."""
        self.process.stdin.write(f"{file}\n")
        self.process.stdin.flush()
        found = json.loads(self.process.stdout.readline())
        if isinstance(found, str):
            raise Refused(found)
        return found

    def end(self):
        self.process.communicate(timeout=SECONDS)


def cells_of(line):
    return [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line.strip())[1:-1]]


def line_of(cells):
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


class Page:
    """A page of docs/ with the tables of the script that runs, and its arguments: [--write] [HALFSPACE]."""

    def __init__(self, name):
        parser = argparse.ArgumentParser(description=sys.modules["__main__"].__doc__.split("\n")[0])
        parser.add_argument("--write", action="store_true", help="write the tables into the page, not compare them")
        parser.add_argument("halfspace", nargs="?", default=ROOT / "build/release/halfspace")
        given = parser.parse_args()
        self.write, self.halfspace = given.write, os.path.abspath(given.halfspace)
        self.name, self.script, self.faults, self.observed = name, Path(sys.argv[0]).name, [], 0

    def table(self, part, columns, rows, keys=1):
        """Compares or writes a table. The first `keys` cells of a row name it; a cell that is None was not observed."""
        begin = f"<!-- table: tools/elsewhere/{self.script}{part and ', ' + part} -->\n"
        before, _, rest = (ROOT / self.name).read_text(encoding="utf-8").partition(begin)
        table, end, after = rest.partition(END)
        if not end:
            sys.exit(f"{self.name}: no table between {begin.strip()} and {END}")
        known = [cells_of(line) for line in table.strip().splitlines()]
        if known and len(known[0]) != len(columns):
            known = []
        known = {", ".join(row[:keys]) if i else "columns": row for i, row in enumerate(known) if i != 1}
        found = {", ".join(row[:keys]): row for row in rows}
        assert len(found) == len(rows), "two rows of one name"
        self.observed += sum(cell is not None for row in rows for cell in row[keys:])
        lines = []
        for row_name, row in {"columns": columns, **found}.items():
            pairs = list(zip_longest(known.pop(row_name, []), row, fillvalue=""))
            start = keys if lines else 0
            lines.append([old if new is None else new for old, new in pairs])
            self.faults += [f"{self.name}: {row_name}, {column}: was {old!r}, is {new!r}"
                            for column, (old, new) in list(zip(lines[0], pairs))[start:] if new not in (None, old)]
        self.faults += [f"{self.name}: {row_name}: a row that is no longer made" for row_name in known]
        if self.write:
            lines = [line_of(cells) for cells in lines]
            text = "\n".join([lines[0], "|" + "---|" * len(columns), *lines[1:], ""])
            (ROOT / self.name).write_text(before + begin + text + END + after, encoding="utf-8")

    def finish(self):
        if not self.observed:
            print("SKIPPED: nothing could be run", file=sys.stderr)
            sys.exit(77)
        print("\n".join(self.faults) or f"{self.name}: {self.observed} cells are the same")
        sys.exit(1 if self.faults and not self.write else 0)
