"""Certificates of real data that halfspace writes are accepted by the proved checker, and no other data are.

usage: real_data.py HALFSPACE CHECKER    exit status: 0 all accepted, 77 skipped, since the data are not there
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

DATA = Path(os.environ.get("HALFSPACE_DATA", Path(__file__).resolve().parents[2] / "../shared/data"))
NAMES = ["a9a/a9a", "agaricus/agaricus.txt.train", "banknote/banknote.libsvm", "crx/crx.libsvm", "digits/digits.libsvm",
         "heart_scale/heart_scale", "iris/iris.libsvm", "sonar/sonar.libsvm", "spambase/spambase.libsvm",
         "wdbc/wdbc.libsvm"]  # fmt: skip


def main():
    halfspace, checker = sys.argv[1:3]
    if not DATA.is_dir():
        print(f"SKIPPED: no real data in {DATA}; set HALFSPACE_DATA")
        sys.exit(77)
    faults = 0
    for name in NAMES:
        data = DATA / name
        if not data.exists():
            print(f"SKIPPED: {data} is not there")
            continue
        with tempfile.TemporaryDirectory() as folder:
            proof, altered = Path(folder) / "proof", Path(folder) / "altered"
            zero_based = ["--zero-based"] if name.startswith("agaricus") else []
            subprocess.run([halfspace, "certify", data, "-o", proof, *zero_based], capture_output=True, check=False)
            altered.write_bytes(data.read_bytes() + b"\n")
            done = subprocess.run([checker, proof, data], capture_output=True, text=True, check=False)
            other = subprocess.run([checker, proof, altered], capture_output=True, text=True, check=False)
        print(f"{name}: {(done.stdout + done.stderr).splitlines()[-1]}")
        faults += done.returncode != 0 or other.returncode != 1
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
