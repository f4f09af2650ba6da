"""The inputs, made when they are first wanted and kept: build/bench-data is never in git."""

import subprocess
from pathlib import Path

DESCRIPTION = {
    "sparse": "A: 400,000 rows of 47,236 features, Zipf frequencies, 30.0 M nonzeros, norm 1, 6 significant digits, 5 % label noise; 50,000 more held out",
    "dense": "B: 500,000 rows of 100 features, dense, separable; 10,000 more held out",
    "small": "C: 1,000 rows of 20 features",
}


class Inputs:
    def __init__(self, folder, make_inputs, say):
        self.folder, self.make_inputs, self.say = Path(folder), make_inputs, say

    def path(self, name):
        """The path of a file such as sparse.svm, sparse-held-out.vw or sparse.svm.gz, made if it is not there."""
        path = self.folder / name
        if not path.exists():
            self.folder.mkdir(parents=True, exist_ok=True)
            self.say(f"making {name}, once")
            if path.suffix == ".gz":
                with open(f"{path}.part", "wb") as out:
                    subprocess.run(["gzip", "-6", "-c", self.path(path.stem)], stdout=out, check=True)
                Path(f"{path}.part").rename(path)
            else:
                subprocess.run([self.make_inputs, name.split(".")[0].removesuffix("-held-out"), self.folder], check=True)
        return path

    def signs(self, name):
        """The labels of a LIBSVM file, as booleans."""
        with open(self.path(name)) as file:
            return [line.startswith("+") for line in file]

    @staticmethod
    def warm(path):
        """Into the page cache."""
        with open(path, "rb", buffering=0) as file:
            while file.read(1 << 20):
                pass
