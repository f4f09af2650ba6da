"""What the documents quote is what the examples hold: a block marked ```cpp example=NAME is a contiguous part of
examples/NAME.cc, and one marked ```text example=NAME of examples/NAME.out.

usage: quoted_test.py SOURCE_TREE    prints one line per fault; the exit status is 0 when there is none
"""

import re
import sys
from pathlib import Path

BLOCK = re.compile(r"^```(\w+) example=(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SUFFIX = {"cpp": ".cc", "text": ".out"}
# Documents that quote, and must not stop doing so unnoticed.
QUOTING = ["docs/tour.md", "docs/tutorial.md"]


def faults(root):
    for path in sorted([root / "README.md", *(root / "docs").rglob("*.md")]):
        text = path.read_text(encoding="utf-8")
        name = path.relative_to(root).as_posix()
        found = list(BLOCK.finditer(text))
        if name in QUOTING and not found:
            yield f"{name}:1: quotes no example"
        if len(found) != len(re.findall(r"^```.*example=", text, re.MULTILINE)):
            yield f"{name}:1: a marked block is not closed, or not marked as ```cpp example=NAME"
        for match in found:
            language, example, quoted = match.groups()
            line = text.count("\n", 0, match.start()) + 1
            source = root / "examples" / (example + SUFFIX.get(language, "?"))
            if not source.is_file():
                yield f"{name}:{line}: there is no {source.relative_to(root)}"
            elif not quoted.strip() or "\n" + quoted not in "\n" + source.read_text(encoding="utf-8"):
                yield f"{name}:{line}: not a part of {source.relative_to(root)}"


def main():
    root = Path(sys.argv[1]).resolve()
    found = list(faults(root))
    print("\n".join(found) or "the quotations hold")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
