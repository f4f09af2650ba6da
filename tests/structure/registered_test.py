"""No test is forgotten: every test written in tests/**/*_test.cc is one that ctest runs.

usage: registered_test.py SOURCE_TREE BUILD_TREE CTEST    prints a line per fault; the exit status is 0 when there is none
"""

import json
import re
import subprocess
import sys
from pathlib import Path

MACRO = re.compile(r"^\s*(?:TEST|TEST_F|TEST_P|TYPED_TEST|TYPED_TEST_P|RC_GTEST_PROP|RC_GTEST_FIXTURE_PROP)\(\s*(\w+)\s*,\s*(\w+)",
                   re.MULTILINE)  # fmt: skip


def main():
    source, build, ctest = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
    listing = subprocess.run([ctest, "--test-dir", build, "--show-only=json-v1"],
                             check=True, capture_output=True).stdout
    tests = json.loads(listing)["tests"]
    names = set()
    for test in tests:  # a suite of a program each
        program, *arguments = test.get("command", [""])
        if wanted := [a for a in arguments if a.startswith("--gtest_filter=")]:
            listed = subprocess.run([program, *wanted, "--gtest_list_tests"],
                                    check=True, capture_output=True, text=True).stdout
            for line in listed.splitlines():
                word = line.split("#")[0].strip()
                if line.startswith(" "):
                    names.add(f"{test['name'].split('.')[0]}.{suite}{word}")
                else:
                    suite = word
    faults = [f"ctest: {name} is disabled: repair it or delete it" for name in sorted(names) if "DISABLED_" in name]

    files = sorted((source / "tests").rglob("*_test.cc"))
    written = 0
    for path in files:
        here = path.relative_to(source)
        text = path.read_text(encoding="utf-8")
        found = list(MACRO.finditer(text))
        if not found:
            faults.append(f"{here}:1: a test file without a test")
        for match in found:
            written += 1
            suite, test = match.groups()
            line = text.count("\n", 0, match.start(1)) + 1
            # The program is named for the folder; parametrised tests add /numbers and a prefix.
            pattern = re.compile(rf"{re.escape(path.parent.name)}\.(?:\w+/)?{suite}(?:/\w+)?\.{test}(?:/.*)?")
            if not any(pattern.fullmatch(name) for name in names):
                faults.append(f"{here}:{line}: ctest does not know {path.parent.name}.{suite}.{test}")
    if not files:
        faults.append(f"{source}: no test files")

    print("\n".join(faults) or f"{written} tests in {len(files)} files, and ctest runs them all")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
