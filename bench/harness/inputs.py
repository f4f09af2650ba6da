"""The generated inputs, made when they are first wanted and kept: build/bench-data is never in git."""

import subprocess
from pathlib import Path

DESCRIPTION = (
    "A: 400,000 rows of 47,236 features, Zipf frequencies, 30.0 M nonzeros, norm 1, 6 significant digits, 5 % label"
    " noise; 50,000 more held out",
    "B: 500,000 rows of 100 features, dense, separable; 10,000 more held out",
    "C: 1,000 rows of 20 features",
)


class Inputs:
    def __init__(self, folder, make_inputs, share, report):
        self.folder, self.make_inputs, self.share, self.report = Path(folder), make_inputs, share, report
        self.folder.mkdir(parents=True, exist_ok=True)

    def path(self, name):
        """The path of a file such as sparse.svm, sparse-held-out.vw or sparse.svm.gz, in the page cache."""
        path = self.folder / name
        if not path.exists():
            self.report(f"making {name}, once")
            if path.suffix == ".gz":
                with open(f"{path}.part", "wb") as out:
                    subprocess.run(["gzip", "-6", "-c", self.path(path.stem)], stdout=out, check=True)
                Path(f"{path}.part").rename(path)
            else:
                stem = name.split(".")[0].removesuffix("-held-out")
                subprocess.run([self.make_inputs, stem, self.folder, str(self.share)], check=True)
        with open(path, "rb", buffering=0) as file:
            while file.read(1 << 20):
                pass
        return path

    def signs(self, name):
        """The labels of a LIBSVM file, as booleans."""
        with open(self.path(name)) as file:
            return [line.startswith("+") for line in file]
