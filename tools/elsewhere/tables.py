"""What the scripts of this folder share: programs that may be absent, and tables in pages of docs/."""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SECONDS = 60


class Refused(Exception):
    pass


def run(*words):
    """Returns what a command prints. Raises Refused with its message if it fails."""
    done = subprocess.run(words, capture_output=True, text=True, timeout=SECONDS)
    if done.returncode != 0:
        raise Refused(done.stderr.strip() or done.stdout.strip())
    return done.stdout


def installed(package):
    done = subprocess.run(["dpkg-query", "-W", "-f", "${Status}", package], capture_output=True, text=True)
    return done.returncode == 0 and done.stdout.endswith(" installed")


def package_version(package):
    """Returns the version of a program that Debian's package has: 2.3.0 of 2.3.0+dfsg-5."""
    return run("dpkg-query", "-W", "-f", "${Version}", package).split("-")[0].split("+")[0]


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


class Table:
    """A table between two lines of a page, and the lines below it."""

    def __init__(self, page, name, script):
        self.page = ROOT / "docs" / page
        self.begin, self.end = f"<!-- {name}: {script} -->\n", f"<!-- end of {name} -->\n"

    def parts(self):
        before, begin, rest = self.page.read_text().partition(self.begin)
        written, end, after = rest.partition(self.end)
        if not begin or not end:
            sys.exit(f"{self.page.name}: no {self.begin.strip()} with its end")
        return before, written, after

    def write(self, columns, cells, below=()):
        """`cells`: row -> column -> text."""
        before, _, after = self.parts()
        rows = [["", *columns], *[[row, *(cells[row][column] for column in columns)] for row in cells]]
        rows.insert(1, ["---"] * len(rows[0]))
        lines = [f"| {' | '.join(row)} |\n" for row in rows]
        end = ["\n", *below] if below else []
        self.page.write_text("".join([before, self.begin, "\n", *lines, *end, "\n", self.end, after]))

    def differences(self, columns, cells, below=()):
        """Returns the cells that are not as written, by name, for the given columns."""
        written = self.parts()[1]
        rows = [line.strip().removeprefix("| ").removesuffix(" |").split(" | ") for line in written.splitlines()
                if line.startswith("|")]
        known = {row[0]: dict(zip(rows[0][1:], row[1:])) for row in rows[2:]}
        faults = [f"{what}: a row that the script has not" for what in known if what not in cells]
        for what, row in cells.items():
            for column in columns:
                was = known.get(what, {}).get(column)
                if was != row[column]:
                    faults.append(f"{what}, {column}: was '{was}', is '{row[column]}'")
        return faults + [f"below the table: not there: {line.strip()}" for line in below if line not in written]


def finish(tables, absent, faults, writing):
    """Writes or compares the tables, (table, columns, cells, lines below) each, and returns the exit status."""
    for program in absent:
        print(f"SKIPPED: {program} is not installed; what it reads is not compared", file=sys.stderr)
    if writing and absent:
        sys.exit("nothing is written: the tables need every program")
    for table, columns, cells, below in tables:
        if writing:
            table.write(columns, cells, below)
        else:
            faults = faults + table.differences(columns, cells, below)
    rows = sum(len(cells) for _, _, cells, _ in tables)
    print("\n".join(faults) or f"{rows} rows are as written", file=sys.stderr if faults else sys.stdout)
    return 1 if faults else 0
