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
    "linear": 3, "regret": 3,
    "game": 4,
    "bounds": 5,
    "rules": 6,
    "train": 7, "experts": 7,
    "bandits": 8,
    "proof": 9, "model": 9, "report": 9,
    "cli": 10,
}  # fmt: skip

# Public headers that belong to no room: the whole library at once.
WHOLE = {"halfspace/halfspace.h"}

# Folders that may include less than their floor allows.
ONLY = {"proof/verify": {"base", "proof/verify"}}

# Arrows that still point up, until a rule is described in one place: (folder, included).
PENDING = {
    ("bounds", "rules/bound_of_family.h"), ("bounds", "halfspace/rules/minnow.h"),
    ("bounds", "halfspace/rules/passive_aggressive.h"), ("bounds", "halfspace/rules/composition.h"),
    ("bounds", "halfspace/rules/kernel_perceptron.h"), ("bounds", "halfspace/rules/multiclass.h"),
    ("game", "halfspace/rules/perceptron.h"), ("game", "halfspace/rules/composition.h"),
    ("game", "halfspace/rules/multiclass.h"), ("linear/weights", "halfspace/rules/adagrad.h"),
    ("linear/weights", "halfspace/rules/arow_diagonal.h"), ("linear/weights", "halfspace/rules/minnow.h"),
}  # fmt: skip

# Rooms whose errors of usage are met on a command line: each must name what to do.
FIXED = {"cli", "game", "linear", "model", "proof", "rules", "stream", "train"}

LINE_LIMIT = 700
TEXT = re.compile(r'"(?:[^"\\\n]|\\.)*"')
INCLUDE = re.compile(r'\s*#\s*include\s*(?:"([^"]*)"|<(halfspace/[^>]*)>)')


def place(included):
    """The folder inside a room that an include leads to ("kernels", "proof/verify"), or None and why it leads nowhere."""
    parts = included.split("/")
    if parts[0] == "halfspace":
        parts = parts[1:]
        if len(parts) == 1:
            return None, f'"{included}" stands in no room: a public header belongs to include/halfspace/<room>/'
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
    if (home, included) in PENDING:
        return None
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
