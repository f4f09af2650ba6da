"""Builds the wheel for `pip install .` (PEP 517), by `make python`.

What the build needs of Debian's packages is installed as `make run` does, as root or with sudo.
"""

import os
import pathlib
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    # pip's variables are for the interpreter that runs it, and the build has the system's.
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PIP_"))}
    subprocess.run(["make", "-C", ROOT, "python"], check=True, env=environment)
    [wheel] = (ROOT / "build/python").glob("halfspace-*.whl")
    shutil.copy(wheel, wheel_directory)
    return wheel.name
