"""The shape of the source tree: which room may include which, and what every file owes its reader.

The rooms are floors of a house and includes point down only. The two tables below are the whole map: a new room or a
new public header is added there, or this test fails.

usage: structure.py SOURCE_TREE    prints one line per fault; the exit status is 0 when there is none
"""

import re
import sys
from pathlib import Path

# Rooms of one floor do not include one another.
FLOOR = {
    "base": 0,
    "kernels": 1,
    "stream": 2,
    "linear": 3, "experts": 3, "bandits": 3,
    "game": 4,
    "proof": 5, "model": 5, "report": 5,
    "cli": 6,
}  # fmt: skip

# The room, or folder of a room, behind each public header include/halfspace/<name>.h. A folder include/halfspace/<room>/ belongs to its room.
HEADER_ROOM = {
    "error": "base",
    "random": "base",
    "rate": "base",
    "softmax": "base",
    "example": "kernels",
    "pair_kernels": "kernels",
    "kernels": "kernels",
    "reader": "stream",
    "cache": "stream",
    "train": "game",
    "folds": "game",
    "calibration": "game",
    "drift": "game",
    "rows": "stream",
    "schema": "stream",
    "bounds": "game",
    "composition": "game",
    "game": "game",
    "learner": "game",
    "ledger": "game",
    "recording": "game",
    "regret_path": "game",
    "combiner": "game",
    "follow": "game",
    "pull": "game",
    "regret": "game",
    "regret_bounds": "game",
    "model": "game",
    "model_file": "model",
    "export": "model",
    "bandit_store": "model",
    "certify": "proof",
    "pairwise": "proof",
    "certificate": "proof/verify",
    "verify": "proof/verify",
}

# Folders that may include less than their floor allows.
ONLY = {"proof/verify": {"base", "proof/verify"}}

# Rooms whose errors of usage are met on a command line: each must name what to do.
FIXED = {"cli", "game", "linear", "model", "proof", "stream"}

LINE_LIMIT = 700
TEXT = re.compile(r'"(?:[^"\\\n]|\\.)*"')
INCLUDE = re.compile(r'\s*#\s*include\s*(?:"([^"]*)"|<(halfspace/[^>]*)>)')


def place(included):
    """The folder inside a room that an include leads to ("kernels", "proof/verify"), or None and why it leads nowhere."""
    parts = included.split("/")
    if parts[0] == "halfspace" and len(parts) == 2:
        name = parts[1].removesuffix(".h")
        if name not in HEADER_ROOM:
            return None, f'unknown public header "{included}": add it to HEADER_ROOM in tests/structure/structure.py'
        return HEADER_ROOM[name], None
    if parts[0] == "halfspace":
        parts = parts[1:]
    if len(parts) < 2 or parts[0] not in FLOOR:
        return None, (
            f'"{included}" does not begin with a room: write "room/file.h", or add the room to FLOOR in tests/structure/structure.py'
        )
    return "/".join(parts[:-1]), None


def arrow_fault(home, included):
    """Why a file of the folder `home` may not include `included`; None when it may."""
    target, fault = place(included)
    if fault:
        return fault
    room, target_room = home.split("/")[0], target.split("/")[0]
    for folder, allowed in ONLY.items():
        if home == folder or home.startswith(folder + "/"):
            if not any(target == a or target.startswith(a + "/") for a in allowed):
                return f'{folder} may include only {", ".join(sorted(allowed))}, not "{included}"'
    if room == target_room or FLOOR[target_room] < FLOOR[room]:
        return None
    relation = "beside" if FLOOR[target_room] == FLOOR[room] else "above"
    return f'{room} includes "{included}" of {target_room}, a room {relation} it'


def usage_errors_without_fix(text):
    """The lines on which an error of usage is made that does not say what to do: no .fix() up to the end of the statement."""
    code = TEXT.sub('""', text)
    for match in re.finditer(r"\bError\(\s*ErrorKind::usage\b", code):
        if ".fix(" not in code[match.start() : code.find(";", match.start())]:
            yield code.count("\n", 0, match.start()) + 1


def source_files(root, *folders):
    for folder in folders:
        for path in sorted((root / folder).rglob("*")):
            if path.is_file() and path.suffix in {".h", ".cc", ".py", ".sh"}:
                yield path


def faults(root):
    found = []

    def report(path, line, message):
        found.append(f"{path.relative_to(root)}:{line}: {message}")

    for path in source_files(root, "src", "include"):
        public = path.is_relative_to(root / "include")
        text = path.read_text(encoding="utf-8")
        if public:
            home, fault = place(path.relative_to(root / "include").as_posix())
        else:
            home, fault = place(path.relative_to(root / "src").as_posix())
        if fault:
            report(path, 1, fault)
            continue
        for number, line in enumerate(text.splitlines(), 1):
            match = INCLUDE.match(line)
            if not match:
                continue
            included = match.group(1) or match.group(2)
            if public and not included.startswith("halfspace/"):
                report(path, number, f'a public header includes the private "{included}"')
                continue
            fault = arrow_fault(home, included)
            if fault:
                report(path, number, fault)
        for number in usage_errors_without_fix(text) if home.split("/")[0] in FIXED else ():
            report(path, number, "an error of usage without .fix(): it must name what to do")
        if not text.startswith("//"):
            report(path, 1, "does not begin with a comment that says what the file holds")
        # Highway's files that are included once an instruction set end in -inl.h.
        once = path.suffix == ".h" and not path.name.endswith("-inl.h")
        if once and not re.search(r"^#pragma once$", text, re.MULTILINE):
            report(path, 1, "a header without #pragma once")

    for path in source_files(root, "src", "include", "tests", "fuzz", "bench", "tools"):
        lines = len(path.read_text(encoding="utf-8").splitlines())
        if lines > LINE_LIMIT:
            report(path, LINE_LIMIT + 1, f"{lines} lines, more than {LINE_LIMIT}: split it")

    for path in sorted((root / "fuzz").glob("*_fuzz.cc")):
        corpus = root / "fuzz" / "corpus" / path.name.removesuffix("_fuzz.cc")
        if not corpus.is_dir() or not any(corpus.iterdir()):
            report(path, 1, f"no inputs in {corpus.relative_to(root)}/")

    return found


def main():
    root = Path(sys.argv[1]).resolve()
    if not any(source_files(root, "src")):
        sys.exit(f"{root}: no source files: is this the source tree?")
    found = faults(root)
    print("\n".join(found) or "the structure holds")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
