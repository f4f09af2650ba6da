"""Certificates of real data that halfspace writes are accepted by the proved checker, and no other data are.

usage: real_data_test.py HALFSPACE CHECKER [--mnist]    --mnist: all pairs of MNIST's training images instead: long
       exit status: 0 all accepted, 77 skipped, since the data are not there
"""

import gzip
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

DATA = Path(os.environ.get("HALFSPACE_DATA", Path(__file__).resolve().parents[2] / "../shared/data"))
NAMES = ["iris/iris.csv", "german_credit/german.csv", "crx/crx.data", "wdbc/wdbc.data", "a9a/a9a",
         "agaricus/agaricus.txt.train", "banknote/banknote.libsvm", "crx/crx.libsvm", "digits/digits.libsvm",
         "heart_scale/heart_scale", "iris/iris.libsvm", "sonar/sonar.libsvm", "spambase/spambase.libsvm",
         "wdbc/wdbc.libsvm"]  # fmt: skip


def check_small(halfspace, checker):
    faults = 0
    for name in NAMES:
        data = DATA / name
        if not data.exists():
            print(f"SKIPPED: {data} is not there")
            continue
        flags = ["--zero-based"] if name.startswith("agaricus") else []
        question, fault = check_one(halfspace, checker, data, flags)
        faults += fault
        for objective in ["svm", "squared-hinge", "logistic"]:
            faults += check_one(halfspace, checker, data, [*flags, "--objective", objective])[1]
        if question == "many classes":
            rest = ["--multiclass", "one-against-rest"]
            faults += check_one(halfspace, checker, data, [*flags, *rest, "--objective", "logistic"])[1]
        if question == "two classes":
            faults += check_one(halfspace, checker, data, [*flags, "--coefficients"])[1]
    return faults


def check_one(halfspace, checker, data, flags):
    """Returns the question of the certificate, and whether the checker is wrong about it."""
    with tempfile.TemporaryDirectory() as folder:
        proof, altered = Path(folder) / "proof", Path(folder) / "altered"
        question = ["train", data, "-q", "--certificate"] if "--objective" in flags else ["certify", data, "-o"]
        subprocess.run([halfspace, *question, proof, *flags], capture_output=True, check=False)
        altered.write_bytes(data.read_bytes() + b"\n")
        done = subprocess.run([checker, proof, data], capture_output=True, text=True, check=False)
        other = subprocess.run([checker, proof, altered], capture_output=True, text=True, check=False)
        certificate = json.loads(proof.read_text())
    words = [line.strip() for line in (done.stdout + done.stderr).splitlines()
             if line.startswith(("  checked  coefficients", "  checked  the objective is", "valid"))]
    print(f"{data.parent.name}/{data.name}: {'; '.join(words)}")
    stated = "coefficients" in certificate or "--coefficients" not in flags
    return certificate["question"], done.returncode != 0 or other.returncode != 1 or not stated


def check_mnist(halfspace, checker):
    faults, seconds, checked = 0, 0.0, 0
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        for packed in (DATA / "mnist").glob("*.gz"):
            (folder / packed.stem).write_bytes(gzip.decompress(packed.read_bytes()))
        proofs = Path(os.environ.get("MNIST_PROOFS", folder / "proofs"))
        if not proofs.is_dir():
            images = DATA / "mnist/train-images-idx3-ubyte.gz"
            subprocess.run([halfspace, "certify", images, "--pairs", "--one-against-rest", "-o", proofs],
                           stdout=subprocess.DEVNULL, check=False)
        for proof in sorted(proofs.iterdir()):
            sources = json.loads(proof.read_text())["data"]["sources"]
            names = [folder / source["files"][0]["name"].split("/")[-1].removesuffix(".gz") for source in sources]
            began = time.monotonic()
            done = subprocess.run([checker, proof, *names], capture_output=True, text=True, check=False)
            seconds += time.monotonic() - began
            checked += 1
            if done.returncode != 0:
                faults += 1
                print(f"{proof.name}: {done.stdout}{done.stderr}")
    print(f"{checked} certificates of MNIST, {checked - faults} accepted, {seconds / max(checked, 1):.1f} s each")
    return faults + (checked != 55)


def main():
    halfspace, checker = sys.argv[1:3]
    if not DATA.is_dir():
        print(f"SKIPPED: no real data in {DATA}; set HALFSPACE_DATA")
        sys.exit(77)
    faults = check_mnist(halfspace, checker) if "--mnist" in sys.argv[3:] else check_small(halfspace, checker)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
