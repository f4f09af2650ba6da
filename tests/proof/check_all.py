"""Runs the Python checker on many certificates in one process.

usage: check_all.py CHECKER LIST    LIST: lines of CERT<tab>DATA...; prints one exit status a line
       check_all.py CHECKER         reads such lines from standard input; answers each with its exit status, the number of
                                    bytes that the checker prints, and these
"""

import contextlib
import importlib.machinery
import importlib.util
import io
import sys
import traceback


def main():
    loader = importlib.machinery.SourceFileLoader("checker", sys.argv[1])
    checker = importlib.util.module_from_spec(importlib.util.spec_from_loader("checker", loader))
    loader.exec_module(checker)
    listed = len(sys.argv) > 2
    for line in open(sys.argv[2], encoding="utf-8") if listed else sys.stdin:
        sys.argv = ["verify-certificate", *line.rstrip("\n").split("\t")]
        said = io.StringIO()
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            try:
                status = checker.main()
            except Exception:
                status = -1
                traceback.print_exc()
        text = b"" if listed else said.getvalue().encode("utf-8", "backslashreplace")
        sys.stdout.buffer.write(b"%d" % status + (b"" if listed else b" %d" % len(text)) + b"\n" + text)
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    main()
