"""Runs what README.md, some pages of docs (main() names them), and the pages of docs/how-to and docs/site show, and
compares outputs.

A page is run in a folder of its own with copies of examples/ and tools/verify-certificate, block by block:

- ``` without a language: each line that begins with `$ ` is a command, and the lines below it are what it prints. A line
  of "…" alone stands for any lines, "…" in a line for any text. The exit status is not checked; `; echo $?` prints it.
  A command on one of DATA is not run where the folder of HALFSPACE_DATA, ../shared/data by default, lacks it, and a page
  with halfspace-mpi not where that is not built; that is reported.
- ```LANGUAGE file=NAME: the text of the file NAME, written before the next command runs.
- ```python: a program; a ```text block right below it is what it prints. A block with modules that are not installed is
  reported and not run.

usage: commands_test.py SOURCE_TREE HALFSPACE LIBRARY [PAGE...]

Prints one line per fault; the exit status is 0 when there is none
"""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

BLOCK = re.compile(r"^```([^\n`]*)\n(.*?)^```[ \t]*$", re.MULTILINE | re.DOTALL)
MADE = re.compile(r"^<!-- table: .*?^<!-- end of table -->$", re.MULTILINE | re.DOTALL)  # by tools/elsewhere
OPTIONAL = ("numpy", "sklearn", "pandas", "scipy", "dask")
DATA = {"banknote.libsvm": "banknote", "nfl_games.csv.gz": "nfl_elo", "a9a": "a9a", "sms_spam.libsvm.gz": "sms_spam",
        "agaricus.txt.train": "agaricus"}
SECONDS = 120


def pattern_of(expected):
    """Returns the regular expression of an output with lines and text left out."""
    parts = []
    for line in expected.strip("\n").split("\n"):
        if line.strip() == "…":
            parts.append(r"(?:[^\n]*\n)*?")
        else:
            parts.append(r"[^\n]*?".join(re.escape(piece) for piece in line.rstrip().split("…")) + r"\n")
    return re.compile("".join(parts))


def fits(expected, printed):
    printed = "".join(line.rstrip() + "\n" for line in printed.strip("\n").split("\n"))
    return pattern_of(expected).fullmatch(printed) is not None


def commands_of(block):
    """Yields the offset of its line, the command and the expected output."""
    lines = block.split("\n")
    starts = [index for index, line in enumerate(lines) if line.startswith("$ ")]
    for start, end in zip(starts, [*starts[1:], len(lines)]):
        last = start
        while lines[last].endswith("\\"):
            last += 1
        yield start, "\n".join(lines[start:last + 1])[2:], "\n".join(lines[last + 1:end])


def run(arguments, folder, environment, **more):
    return subprocess.run(arguments, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          timeout=SECONDS, encoding="utf-8", stdin=subprocess.DEVNULL, **more).stdout


def faults(root, page, folder, environment):
    text = page.read_text(encoding="utf-8")
    name = page.relative_to(root).as_posix()
    blocks = list(BLOCK.finditer(text))
    shown = 0
    for number, block in enumerate(blocks):
        info, body = block.groups()
        line = text.count("\n", 0, block.start()) + 2
        file = re.search(r"\bfile=(\S+)", info)
        if file:
            (folder / file[1]).write_text(body, encoding="utf-8")
        elif not info:
            for offset, command, expected in commands_of(body):
                shown += 1
                wanted = [data for data in DATA if data in command and not (folder / data).exists()]
                if wanted:
                    print(f"{name}:{line + offset}: not run, for want of {wanted[0]}")
                    continue
                printed = run(["bash", "-c", command], folder, environment)
                if not fits(expected, printed):
                    yield f"{name}:{line + offset}: prints something else:\n{printed}"
        elif info == "python":
            missing = [module for module in OPTIONAL
                       if re.search(rf"\b(import|from) {module}\b", body) and importlib.util.find_spec(module) is None]
            shown += 1
            if missing:
                print(f"{name}:{line}: not run, for want of {missing[0]}")
                continue
            printed = run([sys.executable, "-B", "-c", body], folder, environment)
            below = blocks[number + 1] if number + 1 < len(blocks) else None
            expected = below[2] if below and below[1] == "text" and not text[block.end():below.start()].strip() else ""
            if not fits(expected, printed):
                yield f"{name}:{line}: prints something else:\n{printed}"
    if page.parent.name == "how-to" and not shown and "example=" not in text:
        yield f"{name}:1: shows nothing that runs"
    lines = MADE.sub("", text).count("\n")
    if page.parent.name == "how-to" and lines > 60:
        yield f"{name}:1: has {lines} lines besides tables made by scripts, and 60 are the most"


def main():
    root, command, library = (Path(given).resolve() for given in sys.argv[1:4])
    named = ("bounds", "choose", "cluster", "errata", "optimum", "service", "tour")
    pages = [Path(given).resolve() for given in sys.argv[4:]] or sorted(
        [root / "README.md",
         *(root / "docs" / f"{name}.md" for name in named),
         *(root / "docs/how-to").glob("*.md"),
         *(root / "docs/site").glob("*.md")])
    found = []
    for page in pages:
        shown = "".join(block[2] for block in BLOCK.finditer(page.read_text(encoding="utf-8")))
        if "halfspace-mpi" in shown and not (command.parent / "halfspace-mpi").exists():
            print(f"{page.relative_to(root)}:1: not run, for want of halfspace-mpi")
            continue
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            shutil.copytree(root / "examples", folder / "examples")
            for data, under in DATA.items():
                source = Path(os.environ.get("HALFSPACE_DATA", root.parent / "shared/data")) / under / data
                if source.exists():
                    (folder / data).symlink_to(source.resolve())
            (folder / "tools").mkdir()
            shutil.copy(root / "tools/verify-certificate", folder / "tools")
            environment = {**os.environ, "PATH": f"{command.parent}:{os.environ['PATH']}", "LC_ALL": "C.UTF-8",
                           "HALFSPACE_LIBRARY": str(library), "HALFSPACE_COMMAND": str(command),
                           "PYTHONPATH": str(root / "python"), "CPATH": str(root / "include"),
                           "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
                           "OMPI_MCA_rmaps_base_oversubscribe": "1",
                           "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",  # of Open MPI 5
                           "OMPI_MCA_btl_tcp_if_include": "lo",
                           "LIBRARY_PATH": str(library.parent), "LD_LIBRARY_PATH": str(library.parent)}
            found += faults(root, page, folder, environment)
    print("\n".join(found) or f"{len(pages)} pages print what they show")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
