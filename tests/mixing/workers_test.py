"""halfspace-mpi from outside: the same model, and the same proof, for any number of workers, after deaths too; failures
are told once.

usage: workers_test.py HALFSPACE_MPI MPIRUN HALFSPACE [RUNS]    how many runs lose a worker (default 6)
"""

import gzip
import hashlib
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PROGRAM, MPIRUN, ON_ONE_MACHINE = sys.argv[1:4]
CHECKER = Path(__file__).resolve().parents[2] / "tools" / "verify-certificate"
ENVIRONMENT = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
               "OMPI_MCA_rmaps_base_oversubscribe": "1",
               "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",  # of Open MPI 5
               "OMPI_MCA_btl_tcp_if_include": "lo",
               "OMPI_MCA_btl_base_warn_component_unused": "0"}


def start(workers, *words, command="train"):
    return start_words([MPIRUN, "-n", workers, PROGRAM, command, *words])


def start_words(words):
    return subprocess.Popen(list(map(str, words)), env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            text=True, start_new_session=True)


def finished(job, seconds=120):
    out, err = job.communicate(timeout=seconds)
    return job.returncode, out, err


def run(workers, *words, command="train"):
    return finished(start(workers, *words, command=command))


def run_command(command, workers, *words):
    return run(workers, *words, command=command)


def run_local(command, files_of_workers, *words):
    """Runs a command of which each worker has its own files."""
    line = [MPIRUN]
    for files in files_of_workers:
        line += [":"] * (len(line) > 1) + ["-n", 1, PROGRAM, command, *words, "--local", *files]
    return finished(start_words(line))


def digest(path):
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


def check(right, what):
    if not right:
        print(f"FAILED: {what}")
        sys.exit(1)
    print(f"ok: {what}", flush=True)


def children_of(parent):
    """The workers among all processes below one."""
    workers, below = [], [parent]
    for pid in below:
        try:
            for thread in Path(f"/proc/{pid}/task").iterdir():
                below += map(int, (thread / "children").read_text().split())
            if Path(f"/proc/{pid}/cmdline").read_bytes().startswith(PROGRAM.encode()):
                workers.append(pid)
        except OSError:
            pass  # it has ended
    return workers


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


def ended(job):
    """The status of a job that lost a worker. Open MPI's own launcher, when one dies as it starts, may wait for ever."""
    try:
        return finished(job, 40)[0]
    except subprocess.TimeoutExpired:
        check(not children_of(job.pid), "no worker outlives the one that died")
        job.kill()
        return finished(job)[0]


def lose_workers(times, words, whole, rng):
    """Kills a worker at a random moment of each run, and goes on with any number of workers: the same model."""
    model, checkpoint = words[-1], words[words.index("--checkpoint") + 1]
    deaths, resumed = 0, 0
    for number in range(times):
        checkpoint.unlink(missing_ok=True)
        model.unlink(missing_ok=True)
        job = start(3, *words)
        while not children_of(job.pid) and job.poll() is None:
            time.sleep(0.01)
        # Of every other run after an epoch at least, however slow this machine is.
        while number % 2 and not checkpoint.exists() and job.poll() is None:
            time.sleep(0.01)
        time.sleep(rng.random() * (0.3 if number % 2 else 1.2))
        workers = children_of(job.pid)
        if workers and job.poll() is None:
            os.kill(rng.choice(workers), signal.SIGKILL)
        code = ended(job)
        deaths += code != 0
        if code != 0 and not model.exists():
            resume = ("--resume", checkpoint) if checkpoint.exists() else ()
            resumed += len(resume) > 0
            code, _, err = run(rng.choice([1, 2, 4]), *words, *resume)
            check(code == 0, f"goes on after a death {err if code else ''}")
        check(digest(model) == whole, "the same model")
    check(deaths > 0 and resumed > 0, f"{deaths} of {times} runs lost a worker, {resumed} of them after an epoch")


def spreadings(files):
    """Each worker's files: all with one, in turn, the last with the first worker, one without any, and all with all."""
    return [[files], [files[::2], files[1::2]], [files[-1:], [], files[:-1]], [[file] for file in files], [files] * 3]


def check_local_training(folder, files, words):
    model, digests = folder / "out.model", set()
    for spread in spreadings(files):
        code, _, err = run_local("train", spread, *words, "-o", model)
        check(code == 0, f"files of {[len(own) for own in spread]} {files[0].name} {words} {err if code else ''}")
        digests.add(digest(model))
    check(len(digests) == 1, f"the same model however files are spread: {files[0].name} {words}")
    return digests.pop()


def check_local(folder, rng):
    """Files that one worker alone reads."""
    folder = folder / "local"
    others = folder / "others"
    others.mkdir(parents=True)
    model = folder / "out.model"
    files, names, tables = [], [], []
    for i, rows in enumerate((3000, 500, 1500, 7000, 10)):
        files.append(folder / f"part-{i}.svm")
        write_rows(files[-1], rows, rng)
        names.append(folder / f"part-{i}.vw")
        write_names(names[-1], rows, rng)
        tables.append(folder / f"part-{i}.csv")
        tables[-1].write_text("colour,size,class\n" + "".join(
            f"c{rng.randint(0, 40)},{rng.randint(0, 9)},{rng.choice(['yes', 'no'])}\n" for _ in range(rows)))
    (folder / "empty.svm").write_text("")
    packed = [*files[:3], folder / "part-3.svm.gz"]
    packed[3].write_bytes(gzip.compress(files[3].read_bytes()))
    for data, words in ((files, ("--epochs", 3)), (files, ("--shards", 32)), (names, ("--epochs", 2)),
                        (tables, ("--epochs", 2, "--mixing", "mistakes")), (packed, ("--epochs", 2))):
        check_local_training(folder, data, words)
    whole = check_local_training(folder, files, ("--epochs", 2))
    code, _, err = run_local("train", [[*files, folder / "empty.svm"]], "--epochs", 2, "-o", model)
    check(code == 0 and digest(model) == whole, f"an empty file changes nothing {err}")
    code, _, err = run_local("train", [[folder / "part-[12].svm"], [folder / "part-[034].svm"], [folder / "none-*"]],
                             "--epochs", 2, "-o", model)
    check(code == 0 and digest(model) == whole, f"each worker expands its patterns, one to no file {err}")

    run = ("--checkpoint", folder / "run.mix", "-o", model)
    check(run_local("train", [files[:2], files[2:]], "--epochs", 4, *run)[0] == 0, "a run that is to go on")
    check(str(folder).encode() not in (folder / "run.mix").read_bytes(), "a checkpoint has no paths")
    resume = ("--epochs", 6, "--resume", folder / "run.mix")
    code, _, err = run_local("train", [files[4:], files[:1], files[1:4]], *resume, "-o", model)
    check(code == 0, f"goes on with other workers {err if code else ''}")
    resumed = digest(model)
    moved = others / "part-4.svm"
    moved.write_bytes(files[4].read_bytes())
    code, _, err = run_local("train", [[moved], files[:4]], *resume, "-o", model)
    check(code == 0 and digest(model) == resumed, f"goes on with a file elsewhere {err if code else ''}")
    check(run_local("train", [files], "--epochs", 6, "-o", model)[0] == 0 and digest(model) == resumed,
          "as one run does")
    for spread, what, status in (([files[:2], files[3:]], "part-2.svm: the run began with this file", 66),
                                 ([files, [names[0]]], "part-0.vw: the run began without this file", 2)):
        code, _, err = run_local("train", spread, *resume)
        check(code == status and what in err, f"other files than the run began with are refused: {code} {err}")
    moved.write_bytes(files[4].read_bytes() + b"1 1:1\n")
    code, _, err = run_local("train", [[moved], files[:4]], *resume)
    check(code == 65 and "part-4.svm: had" in err, f"a file that has grown is refused: {code} {err}")
    for words in (("--local",), ()):
        code, _, err = run_command("train", 2, *(files if words else [files[0]]), *words, "--epochs", 6, "--checkpoint",
                                   folder / "other.mix")
        check(code == 0, f"a checkpoint of a run {words} {err if code else ''}")
        code, _, err = run_command("train", 2, *files, *(() if words else ("--local",)), "--epochs", 6, "--resume",
                                   folder / "other.mix")
        check(code == 65 and "is of a run with" in err, f"a checkpoint of the other kind is refused: {code} {err}")

    code, _, err = run_local("train", [[files[0]], [moved], [files[4]]])
    check(code == 2 and "part-4.svm: workers 1 and 2 each have a file of this name" in err,
          f"two files of one name: {code} {err}")
    header = folder / "a-header.csv"
    header.write_text("colour,size,class\n")
    code, _, err = run_local("train", [[header], tables], "--epochs", 2, "-o", model)
    found = digest(model)
    check(code == 0, f"a header alone has no rows {err}")
    check(run_local("train", [[header, *tables]], "--epochs", 2, "-o", model)[0] == 0 and digest(model) == found,
          "wherever it is")
    code, _, err = run_local("train", [[files[0]], [moved, files[4]]])
    check(code == 2 and "worker 1" in err and "has the same name as" in err,
          f"two files of one name on one worker: {code} {err}")
    code, _, err = run_local("train", [[files[0]], [folder / "gone.svm"]])
    check(code == 66 and "worker 1" in err and "gone.svm: cannot open" in err,
          f"a missing file is refused: {code} {err}")
    code, _, err = run_local("train", [[folder / "none-*"], []])
    check(code == 2 and "no worker has a file" in err, f"no file at all is refused: {code} {err}")
    code, _, err = run_local("train", [files, [names[0]]])
    check(code == 65 and f"worker 1: {names[0]}" in err and "part-0.svm is" in err,
          f"another format is refused: {code} {err}")
    other = others / "part-9.csv"
    other.write_text("colour,weight,class\nc1,3,yes\n")
    code, _, err = run_local("train", [tables, [other]])
    check(code == 65 and f"worker 1: {other}:1" in err and "part-0.csv" in err,
          f"another header is refused: {code} {err}")
    code, _, err = run_local("train", [files, []], "--shards", 4)
    check(code == 2 and "--shards 8" in err, f"fewer shards than files are refused: {code} {err}")

    check(run_local("train", [files], "-o", model)[0] == 0, "a model to use")
    _, out, _ = run_command("evaluate", 1, model, *files, "--json")
    expected = json.loads(out)
    labels = folder / "labels.txt"
    check(run_command("predict", 1, model, *files, "-o", labels)[0] == 0, "the labels of all files")
    predicted = labels.read_bytes()
    for spread in spreadings(files):
        code, out, err = run_local("evaluate", spread, model, "--json")
        found = json.loads(out)
        check(code == 0 and {**found, "workers": 1} == expected,
              f"the same counts by {[len(own) for own in spread]} {err}")
        code, _, err = run_local("predict", spread, model, "-o", labels)
        check(code == 0 and labels.read_bytes() == predicted, f"predictions in the order of names {err}")


def check_words_and_weights(folder, rng):
    """The words of halfspace, and rows that count by their weights, as halfspace evaluate counts them."""
    data, model = folder / "weights.csv", folder / "weights.model"
    data.write_text(
        "a,n,y\n" + "".join(f"{rng.random()},{rng.randint(0, 4)},{rng.choice('pq')}\n" for _ in range(3000)))
    on_one = lambda *words: json.loads(subprocess.run([ON_ONE_MACHINE,
                                       *words, "--json"], check=True, capture_output=True).stdout)
    on_one("train", data, "--weight", "n", "-q", "-o", model)
    for words, weights in (((), "rows of weight k"), (("--unweighted",), "rows")):
        one = on_one("evaluate", model, data, *words)
        for workers in (1, 3):
            _, out, err = run_command("evaluate", workers, model, data, "--json", *words)
            counts = json.loads(out)
            check((counts["rows"], counts["errors"]) == (one["rows"], one["errors"]),
                  f"{workers} workers count {weights} {err}")
    code, out, err = run(2, data, "--passes", 2, "-q", "--drop", "n")
    check(code == 0 and "  2   " in out and err.count("--passes is --epochs here") == 1, "takes the words of train")
    ordered = folder / "sorted.csv"
    ordered.write_text("id,a,y\n" + "".join(f"{i},{rng.random() + i // 1500},{'pq'[i // 1500]}\n" for i in range(3000)))
    for workers in (1, 2):
        _, _, err = run(workers, ordered)
        check(err.count("the rows are sorted by class") == 1 and "and shuffles them" in err and
              "--order stream keeps" in err and err.count("the column 'id' counts the rows") == 1,
              f"{workers} workers note what is odd, once")
    code, out, err = run(1, command="--help")
    check("Usage: halfspace-mpi COMMAND" in out and "\n  mpirun -n 2 halfspace-mpi train " in out, "speaks of itself")
    _, brief, _ = run(1, "-h")
    _, full, _ = run(1, "--help")
    check(len(brief.splitlines()) <= 40 < len(full.splitlines()), "has a brief help and a full one")


def check_caches(folder, rows):
    """A cache, whose blocks all workers read."""
    cache, model = folder / "rows.hsc", folder / "cached.model"
    subprocess.run([Path(PROGRAM).with_name("halfspace"), "convert", rows, cache], check=True, capture_output=True)
    for words in (("--epochs", 3), ("--shards", 8)):
        digests = set()
        for workers in (1, 2, 3):
            code, out, err = run(workers, cache, *words, "-o", model, "--json")
            check(code == 0 and sum(shard["rounds"] for shard in json.loads(out)["ledger"][0]) == 20_000,
                  f"{workers} workers, a cache {words} {err}")
            digests.add(digest(model))
        check(len(digests) == 1, f"the same model of a cache for any number of workers: {words}")
    code, _, err = run_local("train", [[], [cache]], "--shards", 8, "-o", model)
    check(code == 0 and digest(model) in digests, f"and where one worker has it {err}")
    code, _, err = run_local("train", [[rows], [cache]])
    check(code == 2 and "rows.hsc: is a cache, which cannot be combined" in err,
          f"a cache with another file: {code} {err}")
    outputs = []
    for data in (rows, cache):
        for workers in (1, 3):
            _, out, _ = run_command("evaluate", workers, model, data, "--json")
            labels = folder / "labels.txt"
            check(run_command("predict", workers, model, data, "-o", labels)[0] == 0, f"predicts {data.name}")
            outputs.append(({**json.loads(out), "workers": 1}, labels.read_bytes()))
    check(all(output == outputs[0] for output in outputs), "evaluates and predicts a cache as its text")
    code, _, err = run(2, cache, cache)
    check(code == 2 and "is a cache, which cannot be combined" in err, f"two caches are refused: {code} {err}")


def write_parts(folder, name, rng, *, classes=2, noisy=0, by_class=False):
    """Rows with a gap between the classes, but for the noisy ones, in three files; by class: the first file has one."""
    planes = [[rng.randint(-5, 5) for _ in range(6)] for _ in range(classes)]
    lines = []
    while len(lines) < 1500:
        x = [rng.randint(-99, 99) for _ in planes[0]]
        scores = sorted((sum(w * v for w, v in zip(plane, x)), k) for k, plane in enumerate(planes))
        if scores[-1][0] - scores[-2][0] < 40:
            continue
        klass = scores[-1 if len(lines) >= noisy else -2][1]
        end = ".00000000000000000001e-2" if len(lines) % 9 == 0 else "e-2"  # more digits than 64 bits hold
        lines.append(f"{klass} " + " ".join(f"{j + 1}:{v}{end}" for j, v in enumerate(x) if v) + "\n")
    paths = [folder / f"{name}-{k}.svm" for k in (1, 2, 3)]
    if by_class:
        lines.sort(key=lambda line: line[0])
    ends = [0, sum(line[0] == "0" for line in lines) if by_class else 300, 1200, 1500]
    for path, begin, end in zip(paths, ends, ends[1:]):
        path.write_text("".join(lines[begin:end]))
    return paths


def write_tables(folder, rng):
    """Colours that the first table lacks are features all the same."""
    paths = [folder / f"table-{k}.csv" for k in (1, 2)]
    for path, colours in zip(paths, (("red", "blue"), ("red", "teal", "", "blue"))):
        with open(path, "w") as file:
            file.write("colour,size,label\n")
            for _ in range(400):
                colour, size = rng.choice(colours), rng.randint(0, 100)
                file.write(f"{colour},{size},{'yes' if size > (50 if colour in ('red', 'teal') else 30) else 'no'}\n")
    return paths


def proofs(folder, rng):
    for name, parts, right in (("separable", write_parts(folder, "separable", rng), 0),
                               ("by class", write_parts(folder, "by-class", rng, by_class=True), 0),
                               ("inseparable", write_parts(folder, "inseparable", rng, noisy=5), 1),
                               ("three classes", write_parts(folder, "three", rng, classes=3), 0),
                               ("tables", write_tables(folder, rng), 0)):
        digests = set()
        proof = folder / "proof.json"
        for workers in (1, 2, 3, 5):
            proof.unlink(missing_ok=True)
            code, _, err = run(workers, *parts, "-o", proof, command="certify")
            check(code == right, f"{workers} workers certify: {name} {err if code != right else ''}")
            digests.add(digest(proof))
        check(len(digests) == 1, f"the same certificate for any number of workers: {name}")
        alone = subprocess.run([ON_ONE_MACHINE, "certify", *parts, "--extra-seconds", "0"],
                               capture_output=True).returncode
        check(alone == right, f"one machine has the same verdict: {name}")
        for checker in ([ON_ONE_MACHINE, "verify"], [sys.executable, CHECKER]):
            checked = subprocess.run([*checker, proof, *parts], capture_output=True, text=True)
            check(checked.returncode == 0,
                  f"{Path(checker[-1]).name} accepts it {checked.stdout if checked.returncode else ''}")
        code, out, err = run(2, proof, *parts, command="verify")
        check(code == 0 and "valid" in out, f"so do two workers {err if code else ''}")

    lines = parts[1].read_text().splitlines(keepends=True)
    parts[1].write_text("".join(lines[:1] + lines[2:3] + lines[1:2] + lines[3:]))
    code, out, _ = run(2, proof, *parts, command="verify")
    check(code == 1 and "table-2.csv is not the certified file" in out, "rows in another order are other data")
    code, out, _ = run(2, proof, parts[0], command="verify")
    check(code == 1 and "covers 2 files" in out, "and so is a file less")
    bad = folder / "bad-part.svm"
    bad.write_text("1 1:2\n0 1:oops\n")
    good = folder / "separable-1.svm"
    code, _, err = run(2, good, bad, command="certify")
    check(code == 65 and f"{bad}:2:5" in err and err.count("fix:") == 1, f"a bad row is told once, where it is {err}")
    code, out, _ = run(2, good, good, "--seconds", "0.000001", command="certify")
    check(code == 3 and "Time ran out" in out, "a limit of time ends all workers")

    long = folder / "long.svm"
    long.write_text(good.read_text() * 8000)  # a worker that stops at the end of its job is Open MPI's to miss
    job = start(3, *3 * [long], "--time-out", 2, command="certify")
    time.sleep(3)
    stopped = children_of(job.pid)[-1]
    os.kill(stopped, signal.SIGSTOP)
    code, _, err = finished(job)
    try:
        os.kill(stopped, signal.SIGKILL)
    except ProcessLookupError:
        pass
    check(code == 74 and re.search(r"worker [12] has given no sign of life .* it was at ", err),
          f"a worker that stops is told by name: {err}")


def main():
    rng = random.Random(3)
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        rows, names, model = folder / "rows.svm", folder / "names.vw", folder / "out.model"
        write_rows(rows, 20_000, rng)
        write_names(names, 5_000, rng)
        for data, words in ((rows, ("--epochs", 3)), (rows, ("--epochs", 3, "--mixing", "mistakes")), (rows, ()),
                            (rows, ("--objective", "logistic", "--normalize", "row")),
                            (names, ("--epochs", 2, "--shards", 16))):
            digests = set()
            for workers in (1, 2, 3, 5) + ((17,) if "--shards" in words else ()):
                code, _, err = run(workers, data, *words, "-o", model)
                check(code == 0, f"{workers} workers {data.name} {words} {err if code else ''}")
                digests.add(digest(model))
            check(len(digests) == 1, f"the same model for any number of workers: {data.name} {words}")

        check_caches(folder, rows)
        check_words_and_weights(folder, rng)
        check_local(folder, rng)

        traffic = [json.loads(run(workers, rows, "--epochs", 2, "--json")[1])
                   ["bytes_sent_per_epoch"] for workers in (1, 2)]
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
        lose_workers(int(sys.argv[4]) if len(sys.argv) > 4 else 6, long_run, whole, rng)

        damaged = folder / "damaged.mix"
        damaged.write_bytes((folder / "run.mix").read_bytes()[:-1] + b"?")
        code, _, err = run(2, rows, "--epochs", 60, "--resume", damaged)
        check(code == 65 and str(damaged) in err and "damaged" in err,
              f"a damaged checkpoint is refused by name: {err}")

        lines = rows.read_text().splitlines()
        lines[12_345] = lines[12_345].replace(":", ":oops", 1)
        bad = folder / "bad.svm"
        bad.write_text("\n".join(lines) + "\n")
        code, _, err = run(3, bad)
        check(code == 65 and f"{bad}:12346:" in err and err.count("fix:")
              == 1, f"a bad row is told once, where it is: {code}\n{err}")
        code, out, _ = run(3, bad, "--on-error", "skip", "--json")
        check(code == 0 and '"rounds": 19999' in out, "or skipped, and counted")

        job = start(3, rows, "--epochs", 20_000, "--time-out", 2)
        while len(children_of(job.pid)) < 3 and job.poll() is None:
            time.sleep(0.01)
        time.sleep(3)  # a sign of life comes a second after the beginning
        stopped = children_of(job.pid)[1]
        os.kill(stopped, signal.SIGSTOP)
        began = time.monotonic()
        code, _, err = finished(job)
        try:
            os.kill(stopped, signal.SIGKILL)
        except ProcessLookupError:
            pass
        soon = time.monotonic() - began < 30
        check(code == 74 and "no sign of life" in err and "worker" in err and "epoch" in err and soon,
              f"a worker that stops is told by name: {err}")

        proofs(folder, rng)


main()
