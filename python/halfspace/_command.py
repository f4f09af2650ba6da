"""The command `halfspace` as a console script, and where it is."""

import os
import sys


def program():
    """Returns the path of the package's command, or of the one that HALFSPACE_COMMAND names; None: there is none."""
    own = os.path.join(os.path.dirname(os.path.abspath(__file__)), "_bin", "halfspace")
    return own if os.path.exists(own) else os.environ.get("HALFSPACE_COMMAND") or None


def main():
    """Becomes the command of the package."""
    path = program()
    if path is None:
        sys.exit("halfspace: the command is not in this package; install it anew, or set HALFSPACE_COMMAND to its path")
    os.execv(path, ["halfspace", *sys.argv[1:]])
