"""Runs the Python checker on many certificates in one process.

usage: check_all.py CHECKER LIST    LIST: lines of CERT<tab>DATA...; prints one exit status a line
"""

import contextlib
import importlib.machinery
import importlib.util
import io
import sys


def main():
    loader = importlib.machinery.SourceFileLoader("checker", sys.argv[1])
    checker = importlib.util.module_from_spec(importlib.util.spec_from_loader("checker", loader))
    loader.exec_module(checker)
    with open(sys.argv[2], encoding="utf-8") as lines:
        tasks = [line.rstrip("\n").split("\t") for line in lines]
    for task in tasks:
        sys.argv = ["verify-certificate", *task]
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            status = checker.main()
        print(status)


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    main()
