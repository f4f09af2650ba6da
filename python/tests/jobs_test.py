"""Jobs on whatever has a map: the same bits, in any order, after deaths, from one engine to another."""

import concurrent.futures
import json
import multiprocessing
import os
import random
import shutil
import signal
import subprocess
import sys
import threading

import pytest

import halfspace
from halfspace import jobs
from support import command


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    draw = random.Random(1)
    lines = ["a,b,colour,class"]
    for i in range(4000):
        a, b = draw.gauss(0, 1), draw.gauss(0, 1)
        lines.append(f"{a:.3f},{b:.3f},c{draw.randrange(3 + i // 100)},{'yes' if (a > b) != (i % 10 == 0) else 'no'}")
    path = tmp_path_factory.mktemp("jobs") / "rows.csv"
    path.write_text("\n".join(lines) + "\n")
    return path


def trained(path, map=map, **options):
    return jobs.run(jobs.train(path, shards=16, epochs=3, **options), map=map).model.to_bytes()


@pytest.fixture(scope="module")
def expected(path):
    return trained(path)


def test_every_engine_makes_the_same_model(path, expected):
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        assert trained(path, pool.map) == expected
    with concurrent.futures.ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
        assert trained(path, pool.map, tasks=4) == expected
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        assert trained(path, pool.imap_unordered, tasks=7) == expected
    assert trained(path, lambda do, tasks: map(do, random.Random(2).sample(tasks, len(tasks)))) == expected


def test_joblib_makes_the_same_model(path, expected):
    joblib = pytest.importorskip("joblib", reason="joblib is not installed: jobs on it are NOT tested")
    assert trained(path, lambda do, tasks: joblib.Parallel(2)(joblib.delayed(do)(task) for task in tasks)) == expected


def test_mpi4py_makes_the_same_model(path, expected, tmp_path):
    mpirun = shutil.which("mpirun.openmpi")
    if mpirun is None or subprocess.run([sys.executable, "-c", "import mpi4py"], capture_output=True).returncode:
        pytest.skip("mpi4py is not installed: jobs on mpi4py.futures are NOT tested")
    program, model = tmp_path / "program.py", tmp_path / "own.model"
    program.write_text("import sys\nfrom mpi4py.futures import MPIPoolExecutor\nfrom halfspace import jobs\n"
                       "if __name__ == '__main__':\n    with MPIPoolExecutor() as pool:\n"
                       "        job = jobs.run(jobs.train(sys.argv[1], shards=16, epochs=3), map=pool.map)\n"
                       "    job.model.save(sys.argv[2])\n")
    environ = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    subprocess.run([mpirun, "-n", "3", "--oversubscribe", sys.executable, "-m", "mpi4py.futures", program, path, model],
                   check=True, env=environ, timeout=300)
    assert model.read_bytes() == expected


def test_the_minimum_is_that_of_one_machine(path):
    job = jobs.run(jobs.train(path, objective="logistic", C=0.5, shards=8))
    words = [command(), "train", path, "--objective", "logistic", "--C", "0.5", "--json"]
    alone = json.loads(subprocess.run(words, check=True, capture_output=True, text=True).stdout)["minimum"]
    found = job.result["minimum"]
    assert found["gap"] <= 1e-6 and found["dual"] <= alone["primal"] and alone["dual"] <= found["primal"]
    with concurrent.futures.ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
        again = jobs.run(jobs.train(path, objective="logistic", C=0.5, shards=8, tasks=2), map=pool.map)
    assert again.model.to_bytes() == job.model.to_bytes()
    with pytest.raises(halfspace.UsageError, match="epochs"):
        jobs.train(path, objective="logistic", epochs=2)
    with pytest.raises(halfspace.UsageError, match="one machine"):
        jobs.train(path, objective="svm")


def test_proofs_are_found_and_checked(tmp_path):
    paths = []
    for part in range(3):
        draw = random.Random(part)
        rows = [(draw.randint(-9, 9), draw.randint(-9, 9)) for _ in range(50)]
        paths.append(tmp_path / f"part-{part}.svm")
        paths[-1].write_text("".join(f"{'+1' if 2 * a > b + 3 else '-1'} 1:{a} 2:{b}\n" for a, b in rows))
    job = jobs.run(jobs.certify(paths, extra_seconds=0))
    assert job.result["verdict"] == "separable"
    with concurrent.futures.ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
        assert jobs.run(jobs.certify(paths, extra_seconds=0), map=pool.map).certificate == job.certificate
        assert jobs.run(jobs.verify(job.certificate, paths), map=pool.map).result["valid"]
    assert not jobs.run(jobs.verify(job.certificate, paths[::-1])).result["valid"]


def test_ctrl_c_ends_a_search(tmp_path):
    draw = random.Random(1)
    path = tmp_path / "hard.svm"  # whose search takes minutes
    path.write_text("".join(f"{draw.choice((-1, 1))} " + " ".join(f"{j}:{draw.gauss(0, 1)}" for j in range(1, 801)) + "\n"
                            for _ in range(1600)))
    job = jobs.certify(path)
    threading.Timer(3, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        jobs.run(job)


def test_a_job_goes_on_with_another_engine(path, expected):
    saved = []
    job = jobs.train(path, shards=16, epochs=3)
    with pytest.raises(RuntimeError, match="enough"):
        def stop(job):
            saved.append(job.save())
            if job.epoch == 1:
                raise RuntimeError("enough")

        jobs.run(job, on_step=stop)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        assert jobs.run(jobs.load(saved[-1]), map=pool.map).model.to_bytes() == expected
    assert jobs.run(jobs.load(saved[0])).model.to_bytes() == expected


def _do_or_die(task):
    """Kills its own process on the first try of a task that a file says."""
    number, data, shared, folder = task
    mark = os.path.join(folder, str(number))
    if number % 3 == 1 and not os.path.exists(mark):
        open(mark, "w").close()
        os.kill(os.getpid(), signal.SIGKILL)
    return jobs.do((number, data, shared))


def test_workers_may_die(path, expected, tmp_path):
    job, deaths = jobs.train(path, shards=16, epochs=3, tasks=4), 0
    while not job.done:
        with concurrent.futures.ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
            shared = job.shared()
            futures = [pool.submit(_do_or_die, (task.number, task.data, shared, str(tmp_path))) for task in job.tasks()]
            for future in futures:
                try:
                    job.take(*future.result())
                except concurrent.futures.process.BrokenProcessPool:
                    deaths += 1
                    break
    assert deaths >= 3 and job.model.to_bytes() == expected


def test_evaluation_and_prediction(path, expected, tmp_path):
    model = jobs.run(jobs.train(path, shards=16, epochs=3)).model
    assert model.to_bytes() == expected
    one = model.evaluate(path)
    counts = jobs.run(jobs.evaluate(model, path, tasks=5)).result
    assert counts["rows"] == 4000 and counts["errors"] == one["errors"]
    lines = jobs.run(jobs.predict(model, path, tasks=5)).take_lines()
    assert lines == list(model.predict(path))
    scores = jobs.run(jobs.predict(model, path, scores=True)).take_lines()
    assert [float(score) for score in scores] == pytest.approx(list(model.decision_function(path)))


def test_sorted_rows_are_noted_and_teach_as_others_do(path, expected, tmp_path):
    head, *lines = path.read_text().splitlines()
    lines.sort(key=lambda line: line.rpartition(",")[2])
    (tmp_path / "sorted.csv").write_text("\n".join([head, *lines]) + "\n")
    with pytest.warns(halfspace.HalfspaceWarning, match="sorted by class, or nearly so: each shard has rows from all"):
        job = jobs.run(jobs.train(tmp_path / "sorted.csv", shards=64, epochs=1, preset="averaged"))
    right = 1 - job.model.evaluate(path)["errors"] / 4000
    assert right > 0.85 and job.result["errors"] / 4000 > 1 - right - 0.01


def test_what_is_rejected(path):
    with pytest.raises(halfspace.UsageError, match="power of two"):
        jobs.train(path, shards=12)
    with pytest.raises(halfspace.UsageError, match="use uniform or mistakes"):
        jobs.train(path, mixing="median")
    with pytest.raises(halfspace.UsageError, match="tasks is 0"):
        jobs.train(path, tasks=0)
    with pytest.raises(halfspace.UsageError, match="no option 'nonesuch'"):
        jobs.train(path, nonesuch=1)
    for options in ({"passes": 3}, {"objective": "svm"}, {"normalize": "column"}, {"holdout": 0.2}):
        with pytest.raises(halfspace.UsageError):
            jobs.train(path, **options)
    with pytest.raises(TypeError, match="neither a path"):
        jobs.train(3)
    job = jobs.train(path)
    with pytest.raises(halfspace.UsageError, match="not done"):
        job.model
    task, shared = job.tasks()[0], job.shared()
    number, result = jobs.do((task.number, task.data, shared))
    with pytest.raises(halfspace.DataError, match="damaged"):
        job.take(number, result[:-1])
    with pytest.raises(halfspace.DataError, match="another task or job"):
        jobs.train(path, epochs=2).take(number, result)
    with pytest.raises(halfspace.DataError):
        jobs.load(job.save()[:-3])
    with pytest.raises(halfspace.NoInputError):
        jobs.run(jobs.train("/nonexistent/rows.csv"))
    job.take(number, result)
    job.take(number, result)
