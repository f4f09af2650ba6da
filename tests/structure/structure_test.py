"""The shape of the source tree: which room may include which, and what every file owes its reader.

The rooms are floors of a house and includes point down only: FLOOR is the whole map, and a new room is added there, or
this test fails. What is known in one place stays there: a flag's name in cli, a rule's name in its entry, the values of
an enum in every switch over it. Exemptions stand in tables, each with its reason.

usage: structure_test.py SOURCE_TREE    prints one line per fault; the exit status is 0 when there is none
"""

import json
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
    "rules": 6, "optimum": 6,
    "train": 7, "experts": 7,
    "bandits": 8,
    "proof": 9, "model": 9, "report": 9, "reasons": 9,
    "lab": 10, "mixing": 10, "service": 10,
    "jobs": 11,
    "c": 12, "http": 12,
    "cli": 13,
    "mpi": 14,
}  # fmt: skip

# The folders of a room whose files would be too many to see at once: floors again, from the lowest. Public headers are
# below all of them. Each folder has a README.md that says what it is for, what comes in and what goes out; a format's
# has its entry.
FOLDERS = {
    "stream": [
        {"text", "rows"},
        {"names", "source"},
        {"formats"},
        {"foreign", "pipeline", "labels"},
        {"columns", "arrays"},
        {"csv", "arff", "jsonl", "libsvm", "npy", "vw", "idx", "sqlite"},
        {"schema", "survey"},
        {"cache"},
        {"reader"},
    ],
    "train": [{"metrics"}, {"predict"}, {"evaluate", "run"}, {"choose"}, {"compare", "settings"}],
    "proof": [{"search", "verify"}, {"exact"}, {"decide"}, {"coefficients", "large"}, {"certify"}],
    "report": [{"results"}, {"figures"}, {"pages"}],
}
HEAD = re.compile(r"\A# .*\n\n.*\n\nIn: .*\n\nOut: ", re.DOTALL)

# Public headers that belong to no room, and are for users alone: the whole library at once.
WHOLE = {"halfspace/halfspace.h"}
# Headers in C, each for users of one room.
IN_C = {"halfspace_c.h": "c"}

# Folders that may include less than their floor allows.
ONLY = {"proof/verify": {"base", "proof/verify"}}

# Rooms whose errors of usage are met on a command line: each must name what to do.
FIXED = {"cli", "game", "http", "lab", "linear", "model", "proof", "rules", "stream", "train"}

# Headers that cost a compilation dearly: the most files of src/ that may include each.
DEAR = {"nlohmann/": 5}

# What a library keeps to itself, and changes without notice: newer Debians have newer libraries.
PRIVATE = re.compile(
    r"\bFMT_\w+|<fmt/[\w-]+-inl\.h>|\b(?:fmt|nlohmann|simdjson|fast_float)::(?:\w+::)*(?:detail|internal)\b")

# What has other bits in another C library, or on another processor.
UNSTABLE = re.compile(
    r"\bstd::(?:(?:exp2?|expm1|log(?:2|10|1p|b)?|pow|a?(?:sin|cos|tan)h?|atan2|erfc?|[lt]gamma|hypot|cbrt)[fl]?(?=\()|shuffle\b)|\blong double\b"
)

# What users build: newer compilers have more warnings, which must not stop it.
BUILT_BY_USERS = {"base", "release"}

# Where `default:` may stand, and over what. A switch over an enum of ours names every value, so that -Wswitch tells of a
# new one.
DEFAULT = {
    "src/base/markup.cc": "characters",
    "src/report/figures/plane_geometry.cc": "the numbers of marks",
    "src/stream/arrays/arrow_table.cc": "the letters of Arrow's types",
    "src/stream/source/source.cc": "the results of ISA-L and liblzma, which are not ours",
}

# Where a rule's name stands as a text outside of its entry, because it is another thing there: (file or folder, names).
HOMONYMS = {
    "include/halfspace/experts/experts_game.h": {"perceptron", "minnow"},  # algorithms that combine experts
    "include/halfspace/detail/rules/kernel_perceptron.h": {"kernel"},  # a parameter
    "include/halfspace/rules/margin_perceptron.h": {"margin"},  # a parameter
    "include/halfspace/detail/rules/multiclass.h": {"pa", "pa1", "pa2"},  # ways to move the classes
    "include/halfspace/rules/rule_entry.h": {"kernel", "second-order"},  # groups of rules
    "src/cli": {"margin", "kernel"},  # a figure, and a line's name
    "src/cli/train_flags.cc": {"multiclass"},  # a flag
    "src/lab": {"margin"},  # a figure
    "src/lab/labs.cc": {"minnow"},  # an experiment
    "src/mixing/result_json.cc": {"margin"},  # a figure
    "src/lab/perceptron_labs.cc": {"minnow", "perceptron"},  # an experiment and its columns
    "src/proof/certify/certify_figures.cc": {"margin"},  # a unit
    "src/proof/certify/proof_json.cc": {"margin"},  # a figure
    "src/train/run/train.cc": {"multiclass"},  # a flag
    "src/train/settings/objective_settings.cc": {"multiclass"},  # an option
    "src/train/settings/train_settings.cc": {"multiclass"},  # an option
    "src/report/results/ledger_text.cc": {"projected"},  # what became of a support vector
    "src/model/fields.h": {"margin"},  # a parameter in a model file
    "src/report": {"margin", "kernel"},  # a figure, and a line's name
}  # fmt: skip

LINE_LIMIT = 700
FUNCTION_LIMIT = 60
# Files with one function that is longer, since it is one algorithm told in one go: how long it may be.
LONG = {
    "src/proof/decide/decide.cc": 70,  # the stages of a decision
    "src/proof/verify/verifier.cc": 64,  # the terms of a combination
    "src/stream/cache/cache.cc": 83,  # a cache's footer, field by field
    "src/stream/csv/scan.cc": 81,  # the states of a field
    "src/stream/libsvm/libsvm.cc": 64,  # a row's features
    "src/stream/text/decimals.cc": 65,  # the digits of a decimal
}  # fmt: skip
CLASS_LIMIT = 300
# Types that are longer, as room/name: how long each may be. None is added; one that is split is removed.
LARGE = {
    "base/Json": 370,
    "rules/MulticlassTournament": 460,
    "stream/Csv": 950,
    "stream/Jsonl": 620,
    "stream/VwRowReader": 670,
}  # fmt: skip
RULES_LIMIT = 6  # more rules than these in one list of a test: iterate over the table
LISTED = {"tests/rules/family.h": "the rules whose theorems tests/rules states one by one"}
TEXT = re.compile(r'"(?:[^"\\\n]|\\.)*"')
TOKEN = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)
      | R"(?P<mark>[^()\s]*)\((?P<raw>.*?)\)(?P=mark)"
      | "(?P<text>(?:[^"\\\n]|\\.)*)"
      | (?<!\w)'(?:[^'\\\n]|\\.)+'""",
    re.DOTALL | re.VERBOSE,
)
TYPE = re.compile(
    r"\b(?:class|struct|enum|union)\s+((?:\w+::)*\w+)(?:\s*<[^{]*>)?(?:\s+final)?\s*(?::(?!:)[^()]*)?$"
)
MEMBER = re.compile(r"\b((?:\w+(?:<[^<>()]*>)?::)+)~?(?:\w+|operator\W{1,3})\s*\(")
INCLUDE = re.compile(r'\s*#\s*include\s*(?:"([^"]*)"|<(halfspace/[^>]*)>)')


def place(included):
    """The folder inside a room that an include leads to ("kernels", "proof/verify"), or None and why it leads nowhere."""
    parts = included.split("/")
    if included in WHOLE:
        return None, f'"{included}" is for users: include the headers that are needed'
    if included in IN_C:
        return IN_C[included], None
    if parts[0] == "halfspace":
        parts = parts[2:] if parts[1] == "detail" else parts[1:]
        if len(parts) == 1:
            return None, f'"{included}" stands in no room: a public header belongs to include/halfspace/<room>/'
    if len(parts) < 2 or parts[0] not in FLOOR:
        return None, (
            f'"{included}" does not begin with a room: write "room/file.h", or add the room to FLOOR of structure_test.py'
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


def folder_fault(path, included):
    """Why a file of src/ may not include a private header of another folder of its room; None when it may."""
    room, folder = path.split("/")[1:3]
    levels = {name: level for level, names in enumerate(FOLDERS.get(room, ())) for name in names}
    target = included.split("/")
    if not levels or target[0] != room or len(target) < 3 or target[1] == folder:
        return None
    if levels.get(target[1], 0) < levels.get(folder, 0):
        return None
    return f'src/{room}/{folder} includes "{included}", which is not below it in FOLDERS'


def folder_faults(root):
    """What is wrong with the folders of rooms that have them, as (path, message)."""
    for room, levels in FOLDERS.items():
        known = set().union(*levels)
        for path in sorted((root / "src" / room).iterdir()) if (root / "src" / room).is_dir() else ():
            head = path / "README.md"
            if path.is_file() and path.suffix in {".h", ".cc"}:
                yield path, f"a loose file: {room} has folders"
            elif path.is_dir() and path.name not in known:
                yield path, "a folder that is not in FOLDERS of tests/structure/structure_test.py"
            elif path.is_dir() and not (path / "entry.cc").is_file():
                if not head.is_file() or not HEAD.match(head.read_text(encoding="utf-8")):
                    yield path, 'no README.md with a title, what the folder is for, "In: ..." and "Out: ..."'


def usage_errors_without_fix(text):
    """The lines on which an error of usage is made that does not say what to do: no .fix() up to the end of the statement."""
    code = TEXT.sub('""', text)
    for match in re.finditer(r"\bError\(\s*ErrorKind::usage\b", code):
        if ".fix(" not in code[match.start() : code.find(";", match.start())]:
            yield code.count("\n", 0, match.start()) + 1


def line_of(text, at):
    return text.count("\n", 0, at) + 1


def literals(text):
    """The string literals of C++ as (where, content), without those of comments and #include lines."""
    for match in TOKEN.finditer(text):
        content = match.group("raw") if match.group("raw") is not None else match.group("text")
        if content is not None and not text[text.rfind("\n", 0, match.start()) + 1 : match.start()].lstrip().startswith("#"):
            yield match.start(), content


def bare(text):
    """C++ with the same lines and columns, its comments, strings and preprocessor lines blank."""
    code = TOKEN.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text)
    return re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", lambda match: re.sub(r"[^\n]", " ", match.group()), code, flags=re.MULTILINE)


def definitions(code):
    """The functions and types of bare C++ as (kind, name, line, how many lines), outside of functions.

    The name of a type includes the types around it; that of a member function defined outside is its class.
    """
    open_braces, since = [], 0
    for match in re.finditer(r"[{};]", code):
        head, start, at = code[since : match.start()], since, match.start()
        since = match.end()
        if match.group() == "{":
            name = ""
            inside = any(kind in ("body", "function") for kind, _, _ in open_braces)
            if inside or re.search(r"=\s*$", head):
                kind = "body"
            elif re.search(r"\b(?:namespace|extern)\b", head) or not head.strip():
                kind = "scope"
            elif named := TYPE.search(head):
                around = [outer for outer_kind, outer, _ in open_braces if outer_kind == "type"]
                kind, name = "type", "::".join(around[-1:] + [named[1]])
            else:
                kind = "function" if ")" in head else "body"
                member = MEMBER.search(head)
                name = re.sub(r"<[^<>]*>", "", member[1])[:-2] if member else ""
            first = start + re.match(r"(?:\s|\b(?:public|private|protected)\s*:)*", head).end()
            open_braces.append((kind, name, first))
        elif match.group() == "}" and open_braces:
            kind, name, first = open_braces.pop()
            if kind in ("function", "type"):
                yield kind, name, line_of(code, first), line_of(code, at) - line_of(code, first) + 1


def class_lengths(defined):
    """The types of a room as {name: (file, line, lines)}, with the lines of member functions that are defined outside.

    `defined`: for every file of the room what definitions() gives.
    """
    types = {}
    for path, found in defined:
        for kind, name, line, lines in found:
            if kind == "type":
                path_of, line_of_type, so_far = types.get(name, (path, line, 0))
                types[name] = (path_of, line_of_type, so_far + lines)
    for _, found in defined:
        for kind, name, _, lines in found:
            while kind == "function" and name and name not in types:
                name = name.partition("::")[2]  # a namespace
            if kind == "function" and name:
                path, line, so_far = types[name]
                types[name] = (path, line, so_far + lines)
    return types


def rule_names(root):
    """The names of rules, as their entries write them: .name = "alma", or entry(rule::arow, "arow", ...)."""
    names = set()
    for path in source_files(root, "src/rules/entries"):
        names.update(re.findall(r'(?:\.name = |\brule::\w+,\s*)"([^"]+)"', path.read_text(encoding="utf-8")))
    return names


def is_homonym(name, path):
    return any((path == place or path.startswith(place + "/")) and name in names for place, names in HOMONYMS.items())


def code_faults(path, text, code, defined, names):
    """The faults of one file's code as (line, message): `path` is relative to the tree, `names` are those of rules."""
    entry = path.startswith("src/rules/entries/")
    for at, content in literals(text):
        if content.startswith("libreoffice "):  # another program's
            continue
        if not path.startswith(("src/cli/", "src/mpi/")) and re.search(r'(?<!style=\\")--[A-Za-z]', content):
            yield line_of(text, at), f'"{content[:40]}" names a flag: only cli knows flags, write option("name")'
        named_as_value = re.search(r'\boption\("rule",\s*$', text[:at])
        if content in names and not entry and not named_as_value and not is_homonym(content, path):
            yield line_of(text, at), f'"{content}" is a rule\'s name: it stands in its entry alone, ask the table of rules'
    if path not in DEFAULT:
        for match in re.finditer(r"\bdefault\s*:(?!:)", code):
            yield line_of(code, match.start()), "`default:`: name every value, or add the file to DEFAULT with a reason"
    for match in UNSTABLE.finditer(code):
        yield line_of(code, match.start()), f"{match[0]} has other bits elsewhere: see halfspace/detail/base/elementary.h and random.h"
    for kind, _, line, lines in defined:
        if kind == "function" and lines > LONG.get(path, FUNCTION_LIMIT):
            yield line, f"a function of {lines} lines, more than {LONG.get(path, FUNCTION_LIMIT)}: split it"


def unreachable_headers(root):
    """Public headers, but for details, that the header for users does not lead to, by way of others or by itself."""
    include, seen, waiting = root / "include", set(), sorted(WHOLE)
    while waiting:
        header = waiting.pop()
        if header in seen or not (include / header).is_file():
            continue
        seen.add(header)
        text = (include / header).read_text(encoding="utf-8")
        waiting += [match.group(1) or match.group(2) for match in map(INCLUDE.match, text.splitlines()) if match]
    return [
        path
        for path in source_files(root, "include")
        if path.relative_to(include).as_posix() not in seen | IN_C.keys() and not path.is_relative_to(include / "halfspace/detail")
    ]


def source_files(root, *folders):
    for folder in folders:
        for path in sorted((root / folder).rglob("*")):
            if path.is_file() and path.suffix in {".h", ".cc", ".py", ".sh"}:
                yield path


def faults(root):
    found = []
    names = rule_names(root)
    dear = {header: [] for header in DEAR}
    rooms = {}  # what their files define

    def report(path, line, message):
        found.append(f"{path.relative_to(root)}:{line}: {message}")

    for path in source_files(root, "src", "include"):
        if path.name in IN_C:
            continue
        public = path.is_relative_to(root / "include")
        text = path.read_text(encoding="utf-8")
        whole = public and path.relative_to(root / "include").as_posix() in WHOLE
        if whole:
            home, fault = "", None
        elif public:
            home, fault = place(path.relative_to(root / "include").as_posix())
        else:
            home, fault = place(path.relative_to(root / "src").as_posix())
        if fault:
            report(path, 1, fault)
            continue
        code = bare(text)
        defined = list(definitions(code))
        rooms.setdefault(home.split("/")[0], []).append((path, defined))
        for number, message in code_faults(path.relative_to(root).as_posix(), text, code, defined, names):
            report(path, number, message)
        for header, files in dear.items():
            if re.search(rf'^\s*#\s*include\s*[<"]{header}', text, re.MULTILINE):
                files.append(path)
        for number, line in enumerate(text.splitlines(), 1):
            if PRIVATE.search(line):
                report(path, number, f"{PRIVATE.search(line)[0]} is a private part of a library")
            match = INCLUDE.match(line)
            if not match:
                continue
            included = match.group(1) or match.group(2)
            if public and not included.startswith("halfspace/"):
                report(path, number, f'a public header includes the private "{included}"')
                continue
            fault = place(included)[1] if whole else arrow_fault(home, included)
            if not fault and not public:
                fault = folder_fault(path.relative_to(root).as_posix(), included)
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

    for path, message in folder_faults(root):
        report(path, 1, message)

    for room, defined in sorted(rooms.items()):
        for name, (path, line, lines) in class_lengths(defined).items():
            limit = LARGE.get(f"{room}/{name}", CLASS_LIMIT)
            if lines > limit:
                with_functions = f"{lines} lines, with its functions defined outside"
                report(path, line, f"{name} has {with_functions}, more than {limit}: split it")
            elif limit > CLASS_LIMIT >= lines:
                report(path, line, f"{name} has only {lines} lines: remove it from LARGE")

    presets = root / "CMakePresets.json"
    for preset in json.loads(presets.read_text(encoding="utf-8"))["configurePresets"] if presets.is_file() else ():
        if preset["name"] in BUILT_BY_USERS and "HALFSPACE_WERROR" in preset.get("cacheVariables", {}):
            report(presets, 1, f"{preset['name']} makes warnings errors, in what users build")

    for path in source_files(root, "src", "include", "tests", "fuzz", "bench", "tools"):
        lines = len(path.read_text(encoding="utf-8").splitlines())
        if lines > LINE_LIMIT:
            report(path, LINE_LIMIT + 1, f"{lines} lines, more than {LINE_LIMIT}: split it")

    if any((root / "include" / header).is_file() for header in WHOLE):
        for path in unreachable_headers(root):
            report(path, 1, f"{', '.join(sorted(WHOLE))} does not lead to this public header: include it there")

    for header, files in dear.items():
        for path in files[DEAR[header] :]:
            report(path, 1, f"<{header}...> is included in {len(files)} files, more than {DEAR[header]}")

    for path in source_files(root, "tests"):
        if path.relative_to(root).as_posix() in LISTED:
            continue
        text = path.read_text(encoding="utf-8") if path.suffix in {".h", ".cc"} else ""
        code = bare(text)
        named = "|".join(rf'"{re.escape(name)}"' for name in sorted(names))
        lists = list(re.finditer(rf"(?:\brule::\w+\s*,\s*){{{RULES_LIMIT},}}rule::\w+", code))
        lists += re.finditer(rf"(?:(?:{named})\s*,\s*){{{RULES_LIMIT},}}(?:{named})", text) if names else []
        for match in lists:
            report(path, line_of(code, match.start()), "a list of rules: iterate over the table and select by property")

    for path in sorted((root / "fuzz").glob("*_fuzz.cc")):
        corpus = root / "fuzz" / "corpus" / path.name.replace("_fuzz.cc", ".txt")
        if not corpus.is_file() or not corpus.stat().st_size:
            report(path, 1, f"no inputs in {corpus.relative_to(root)}")

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
