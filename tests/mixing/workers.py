"""halfspace-mpi from outside: the same model for any number of workers, after deaths too; failures are told once.

usage: workers.py HALFSPACE_MPI MPIRUN [RUNS]    how many runs lose a worker (default 6)
"""

import hashlib
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PROGRAM, MPIRUN = sys.argv[1], sys.argv[2]
ENVIRONMENT = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
               "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_btl_base_warn_component_unused": "0"}


def start(workers, *words):
    return subprocess.Popen([MPIRUN, "-n", str(workers), PROGRAM, "train", *map(str, words)], env=ENVIRONMENT,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)


def finished(job):
    out, err = job.communicate(timeout=120)
    return job.returncode, out, err


def run(workers, *words):
    return finished(start(workers, *words))


def digest(path):
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


def check(right, what):
    if not right:
        print(f"FAILED: {what}")
        sys.exit(1)
    print(f"ok: {what}", flush=True)


def children_of(parent):
    """All processes below one."""
    table = subprocess.run(["ps", "-e", "-o", "pid=,ppid=,args="], capture_output=True, text=True).stdout
    rows = [line.split(None, 2) for line in table.splitlines()]
    below, again = {parent}, True
    while again:
        again = False
        for pid, over, _ in rows:
            if int(over) in below and int(pid) not in below:
                below.add(int(pid))
                again = True
    return [int(pid) for pid, _, args in rows if int(pid) in below and args.startswith(PROGRAM)]


def write_rows(path, rows, rng):
    with open(path, "w") as file:
        for _ in range(rows):
            x = [rng.randint(-4, 4) for _ in range(20)]
            score = sum(x[::2]) - sum(x[1::2])
            y = 1 if (score > 0) != (rng.random() < 0.1) else -1
            file.write(f"{y:+d} " + " ".join(f"{j + 1}:{v}" for j, v in enumerate(x) if v) + "\n")


def write_names(path, rows, rng):
    with open(path, "w") as file:
        for _ in range(rows):
            user, item = int(300 * rng.random() ** 2), int(200 * rng.random() ** 2)
            file.write(f"{1 if (user + item) % 3 else -1} |user u{user} |item i{item} price:{rng.randint(1, 9)}\n")


def lose_workers(times, words, whole, rng):
    """Kills a worker at a random moment of each run, and goes on with any number of workers: the same model."""
    model, checkpoint = words[-1], words[words.index("--checkpoint") + 1]
    deaths, resumed = 0, 0
    for _ in range(times):
        checkpoint.unlink(missing_ok=True)
        model.unlink(missing_ok=True)
        job = start(3, *words)
        while not children_of(job.pid) and job.poll() is None:
            time.sleep(0.01)
        time.sleep(rng.random() * 1.2)
        workers = children_of(job.pid)
        if workers and job.poll() is None:
            os.kill(rng.choice(workers), signal.SIGKILL)
        code, _, _ = finished(job)
        deaths += code != 0
        if code != 0 and not model.exists():
            resume = ("--resume", checkpoint) if checkpoint.exists() else ()
            resumed += len(resume) > 0
            code, _, err = run(rng.choice([1, 2, 4]), *words, *resume)
            check(code == 0, f"goes on after a death {err if code else ''}")
        check(digest(model) == whole, "the same model")
    check(deaths > 0 and resumed > 0, f"{deaths} of {times} runs lost a worker, {resumed} of them after an epoch")


def main():
    rng = random.Random(3)
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        rows, names, model = folder / "rows.svm", folder / "names.vw", folder / "out.model"
        write_rows(rows, 20_000, rng)
        write_names(names, 5_000, rng)
        for data, words in ((rows, ("--epochs", 3)), (rows, ("--epochs", 3, "--mixing", "mistakes")), (rows, ()),
                            (names, ("--epochs", 2, "--shards", 16))):
            digests = set()
            for workers in (1, 2, 3, 5) + ((17,) if "--shards" in words else ()):
                code, _, err = run(workers, data, *words, "-o", model)
                check(code == 0, f"{workers} workers {data.name} {words} {err if code else ''}")
                digests.add(digest(model))
            check(len(digests) == 1, f"the same model for any number of workers: {data.name} {words}")

        traffic = [json.loads(run(workers, rows, "--epochs", 2, "--json")[1])["bytes_sent_per_epoch"] for workers in (1, 2)]
        check(traffic[0] == 0 and traffic[1] >= 3 * 20 * 8 + 32 * 24,
              f"the bytes of the sums, 32 shards' counts among them, and of the weights: {traffic}")

        long_run = (rows, "--epochs", 40, "--checkpoint", folder / "run.mix", "-o", model)
        code, _, _ = run(2, *long_run)
        whole = digest(model)
        model.unlink()
        code, _, err = run(3, *long_run, "--resume", folder / "run.mix")
        check(code == 0 and digest(model) == whole, f"a death after the last epoch costs nothing {err if code else ''}")
        code, _, err = run(2, rows, "--epochs", 39, "--resume", folder / "run.mix", "-o", model)
        check(code == 65 and "40 epochs already" in err, f"a checkpoint beyond the epochs asked for is refused {code}")
        lose_workers(int(sys.argv[3]) if len(sys.argv) > 3 else 6, long_run, whole, rng)

        damaged = folder / "damaged.mix"
        damaged.write_bytes((folder / "run.mix").read_bytes()[:-1] + b"?")
        code, _, err = run(2, rows, "--epochs", 60, "--resume", damaged)
        check(code == 65 and str(damaged) in err and "damaged" in err, f"a damaged checkpoint is refused by name: {err}")

        lines = rows.read_text().splitlines()
        lines[12_345] = lines[12_345].replace(":", ":oops", 1)
        bad = folder / "bad.svm"
        bad.write_text("\n".join(lines) + "\n")
        code, _, err = run(3, bad)
        check(code == 65 and f"{bad}:12346:" in err and err.count("fix:") == 1, f"a bad row is told once, where it is: {code}\n{err}")
        code, out, _ = run(3, bad, "--on-error", "skip", "--json")
        check(code == 0 and '"rounds": 19999' in out, "or skipped, and counted")

        job = start(3, rows, "--epochs", 2000, "--time-out", 2)
        time.sleep(1.5)
        stopped = children_of(job.pid)[1]
        os.kill(stopped, signal.SIGSTOP)
        began = time.monotonic()
        code, _, err = finished(job)
        try:
            os.kill(stopped, signal.SIGKILL)
        except ProcessLookupError:
            pass
        check(code == 74 and "no sign of life" in err and "worker" in err and "epoch" in err and time.monotonic() - began < 30,
              f"a worker that stops is told by name: {err}")


main()
