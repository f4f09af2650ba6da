"""halfspace/halfspace.h is the whole library: every name of each public header but for details compiles through it alone.

usage: names_test.py SOURCE_TREE COMPILER    prints what is missing; the exit status is 0 if nothing is

The names are those that a header declares in a namespace, at the start of a line: types, functions, constants, aliases.
A file that includes halfspace.h alone names each in a using-declaration.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

NAMESPACE = re.compile(r"^(?:inline )?namespace ([\w:]+) \{")
END = re.compile(r"^\}  // namespace ([\w:]+)")
TYPE = re.compile(r"^(?:class|struct|enum class|enum|concept)(?: \[\[\w+\]\])? (\w+)\b(?! *<)")
ALIAS = re.compile(r"^using (\w+) =")
CONSTANT = re.compile(r"^(?:inline |extern )?(?:constexpr |const )[\w:<>*& ,]+?[ *&](\w+)(?:\[\w*\])? ?[={;]")
FUNCTION = re.compile(r"^(?=\w)(?!return|using|template|namespace|static_assert|#)[\w:<>*&,\[\] ]+?[ *&](\w+)\(")
HIDDEN = {"detail"}
KEYWORDS = {"operator", "requires", "if", "for", "while", "switch", "sizeof", "decltype", "noexcept", "alignas"}


def names_of(text):
    """Returns the qualified names that a header declares."""
    scopes, names = [], []
    specialised = False
    for line in text.splitlines():
        if match := NAMESPACE.match(line):
            scopes.append(match.group(1))
        elif END.match(line):
            scopes.pop()
        elif line.startswith("template <>"):
            specialised = True
            continue
        elif scopes and not specialised:
            for pattern in (TYPE, ALIAS, CONSTANT, FUNCTION):
                if match := pattern.match(line):
                    if match.group(1) not in KEYWORDS and not HIDDEN & set("::".join(scopes).split("::")):
                        names.append("::".join(scopes + [match.group(1)]))
                    break
        specialised = False
    return names


def main():
    root, compiler = Path(sys.argv[1]), sys.argv[2]
    lines, origin = [], {}
    for header in sorted((root / "include/halfspace").rglob("*.h")):
        if header.is_relative_to(root / "include/halfspace/detail"):
            continue
        for name in names_of(header.read_text()):
            if name not in origin:
                origin[name] = header.relative_to(root)
                lines.append(f"namespace name_{len(lines)} {{ using ::{name}; }}")
    if len(lines) < 450:
        sys.exit(f"only {len(lines)} names found: the headers are no longer written as this test reads them")
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "names.cc"
        source.write_text('#include "halfspace/halfspace.h"\n' + "\n".join(lines) + "\n")
        done = subprocess.run([compiler, "-std=c++20", "-fsyntax-only", "-fmax-errors=0", f"-I{root / 'include'}", source],
                              capture_output=True, text=True, check=False)
    for message in re.findall(r"error: (.*)", done.stderr):
        print(message)
    if done.returncode == 0:
        print(f"{len(lines)} names")
    sys.exit(done.returncode)


main()
