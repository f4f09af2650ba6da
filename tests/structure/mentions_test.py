"""Names in comments exist: a file that a comment names is in the tree, and so is a function written as name().

usage: mentions_test.py SOURCE_TREE    prints one line per fault; the exit status is 0 if there is none
"""

import re
import sys
from pathlib import Path

FOLDERS = ("include", "src", "web", "fuzz", "examples", "tests", "bench", "tools", "docs", "cmake")
CODE = (".h", ".cc")

FILE = re.compile(r"(?<![\w./*<-])((?:[\w-]+/)*[\w-]+\.(?:h|cc|md|py|js|css|cmake))\b(?![\w(])")
FUNCTION = re.compile(r"(?<![\w.])(?:\w+(?:::|\.|->))*(\w+)\(\)")
COMMENT = re.compile(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])\'|//(.*)')

# Files of other projects and of the reader.
FOREIGN_FILES = {"foreach_target.h", "highway.h", "math-inl.h", "gtest.h"}


def split(text):
    """Returns the code and the comments of a file, each line by line."""
    code, comments = [], []
    for line in text.splitlines():
        comment = ""
        for match in COMMENT.finditer(line):
            if match.group(1) is not None:
                comment, line = match.group(1), line[: match.start()]
                break
        code.append(line)
        comments.append(comment)
    return code, comments


def faults_of(root):
    files, sources, called = set(), {}, set()
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            name = path.relative_to(root).as_posix()
            if path.is_file():
                files.add(name)
                if path.suffix in CODE:
                    sources[name] = split(path.read_text())
    files.update(path.name for path in root.iterdir() if path.is_file())
    endings = {"/".join(parts[i:]) for parts in (name.split("/") for name in files) for i in range(len(parts))}
    for code, _ in sources.values():
        for line in code:
            called.update(re.findall(r"\b(\w+)\s*(?:<[^<>]*>)?\(", line))
            called.update(re.findall(r"\b(\w+)\{", line))
    faults = []
    for name, (_, comments) in sources.items():
        for number, comment in enumerate(comments, 1):
            for file in FILE.findall(comment):
                if file not in endings and file.split("/")[-1] not in FOREIGN_FILES:
                    faults.append(f"{name}:{number}: no file {file}")
            for function in FUNCTION.findall(comment):
                if function not in called:
                    faults.append(f"{name}:{number}: no function {function}()")
    return faults


def main():
    faults = faults_of(Path(sys.argv[1]).resolve())
    print("\n".join(faults))
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
