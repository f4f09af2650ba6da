"""The proofs of formal/ are proofs: nothing assumed, nothing weakened, and a slip in the checker stops them.

- No word that assumes or switches off a check stands in a file of formal/, outside of comments.
- `Print Assumptions` finds nothing for any Theorem or Example, but the axioms of Coq's real numbers for those of REAL,
  and the main theorems have the types of Statements.v and Real.v.
- Each patch of slips/ makes the checker wrong, and a proof fails.
- SHA-256 equals Python's, and nothing is built in formal/.

usage: proofs_test.py SOURCE_TREE BUILD    BUILD: the folder of formal/build; the exit status is 0 if all hold
"""

import hashlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

FORBIDDEN = re.compile(
    r"\b(Axioms?|Admitted|admit|give_up|Parameters?|Conjectures?|Abort|bypass_check|native_compute|Declare Module|Primitive|Undo"
    r"|(?:Unset|Set) (?:Guard|Positivity|Universe) Checking|Set Impredicative Set|Type-?in-?Type)\b"
)
THEOREM = re.compile(r"^(?:Theorem|Example) (\w+)", re.MULTILINE)
TYPES = {"check_is_sound": "Check_is_sound check", "decimals_are_exact": "Decimals_are_exact read_decimal",
         "mixing_bound": "Mixing_bound", "mixing_stops": "Mixing_stops", "stream_certificate": "Stream_certificate",
         "conformal_coverage": "Conformal_coverage", "hinge_duality": "Hinge_duality",
         "squared_hinge_duality": "Squared_hinge_duality", "softmax_duality": "Softmax_duality",
         "logistic_minima_are_sound": "Logistic_minima_are_sound check"}  # fmt: skip
REAL = {"Softmax", "Logistic"}
AXIOMS = {"ClassicalDedekindReals.sig_not_dec", "ClassicalDedekindReals.sig_forall_dec",
          "FunctionalExtensionality.functional_extensionality_dep", "Classical_Prop.classic"}  # fmt: skip
AXIOM = re.compile(r"^([\w.]+)\s*:", re.MULTILINE)
BUILT = {".v", ".ml", ".md", ""}


def without_comments(text):
    """Coq's comments nest."""
    out, depth, at = [], 0, 0
    while at < len(text):
        pair = text[at : at + 2]
        if pair in ("(*", "*)"):
            depth += 1 if pair == "(*" else -1
            at += 2
        else:
            out.append(text[at] if depth == 0 or text[at] == "\n" else " ")
            at += 1
    return "".join(out)


def words(source):
    for path in sorted((source / "formal").glob("*.v")):
        for number, line in enumerate(without_comments(path.read_text()).splitlines(), 1):
            for match in FORBIDDEN.finditer(line):
                yield f"formal/{path.name}:{number}: {match.group(1)}"


def leftovers(source):
    for path in sorted((source / "formal").iterdir()):
        if path.suffix not in BUILT or path.name.startswith("."):
            yield f"formal/{path.name}: built in the source tree"


def coq(build, text):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "question.v"
        path.write_text(text)
        return subprocess.run(["coqc", "-q", "-noglob", "-R", build, "", path], capture_output=True, text=True, check=False)


def assumptions(source, build):
    # Extract.v proves nothing.
    files = [path for path in sorted((source / "formal").glob("*.v")) if path.stem != "Extract"]
    theorems = [(path.stem, name) for path in files for name in THEOREM.findall(without_comments(path.read_text()))]

    def printed(names):
        text = "Require " + " ".join(path.stem for path in files) + ".\n"
        return coq(build, text + "".join(f"Print Assumptions {module}.{name}.\n" for module, name in names))

    rational = [(module, name) for module, name in theorems if module not in REAL]
    done = printed(rational)
    closed = done.stdout.count("Closed under the global context")
    if done.returncode or closed != len(rational) or "Axioms" in done.stdout:
        yield f"{len(rational)} theorems, {closed} without assumptions: {done.stdout.replace('Closed under the global context', '')}{done.stderr}"
    of_reals = [theorem for theorem in theorems if theorem not in rational]
    done = printed(of_reals)
    others = set(AXIOM.findall(done.stdout)) - AXIOMS - {"Axioms"}
    if done.returncode or others or done.stdout.count("Axioms:") != len(of_reals):
        yield f"theorems of real numbers with other axioms: {sorted(others)}: {done.stdout}{done.stderr}"
    missing = TYPES.keys() - {name for _, name in theorems}
    if missing:
        yield f"no theorem {', '.join(sorted(missing))}"
    imports = "Require Import " + " ".join(path.stem for path in files) + ".\n"
    done = coq(build, imports +
               "".join(f"Definition same_{name} : {type} := {name}.\n" for name, type in TYPES.items()))
    if done.returncode:
        yield f"a theorem is not what Statements.v says: {done.stderr}"
    print(f"{len(rational)} theorems without assumptions, {len(of_reals)} with the axioms of real numbers")


def slips(source, build):
    patches = sorted((source / "tests/formal/slips").glob("*.patch"))
    if len(patches) < 2:
        yield "no slips"
    for patch in patches:
        with tempfile.TemporaryDirectory() as folder:
            tree, work = Path(folder) / "tree", Path(folder) / "build"
            shutil.copytree(source / "formal", tree / "formal")
            # What comes before the slip is not proved again.
            shutil.copytree(build, work)
            done = subprocess.run(["patch", "-s", "-p1", "-i", patch.resolve()],
                                  cwd=tree, capture_output=True, text=True, check=False)
            if done.returncode:
                yield f"{patch.name} does not apply: {done.stdout}"
                continue
            done = subprocess.run([tree / "formal/build", work], capture_output=True, text=True, check=False)
            where = re.search(r'File "\./(\w+\.v)", line (\d+)', done.stderr)
            if done.returncode == 0 or not where:
                yield f"{patch.name}: no proof fails{done.stderr}"
            else:
                print(f"{patch.stem}: stopped by {where.group(1)}, line {where.group(2)}")


def digests(build):
    rng = random.Random(1)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bytes"
        for size in [*range(130), 1000, 65535, 65536, 65537, 1 << 20]:
            path.write_bytes(rng.randbytes(size))
            done = subprocess.run([build / "halfspace-check", "--sha256", path],
                                  capture_output=True, text=True, check=False)
            if done.stdout.strip() != hashlib.sha256(path.read_bytes()).hexdigest():
                yield f"SHA-256 of {size} bytes is not Python's"


def main():
    source, build = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    faults = [*words(source), *leftovers(source), *assumptions(source, build), *slips(source, build), *digests(build)]
    print("\n".join(faults) or "the proofs hold")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
