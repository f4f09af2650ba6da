"""The command `halfspace` as a console script."""

import os
import sys


def main():
    """Becomes the command of the package."""
    program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "_bin", "halfspace")
    os.execv(program, ["halfspace", *sys.argv[1:]])
