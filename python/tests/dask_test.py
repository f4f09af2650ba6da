"""Training on the workers of Dask: processes, one of which is killed; the same bits as the library's steps one by one."""

import os
import shutil
import signal
import subprocess
import threading
import time
import warnings

import numpy as np
import pytest

import halfspace
from support import command

pandas = pytest.importorskip("pandas", reason="pandas is not installed: NOTHING about Dask is tested")
dask = pytest.importorskip("dask", reason="dask is not installed: NOTHING about Dask is tested")
distributed = pytest.importorskip("distributed", reason="distributed is not installed: NOTHING about Dask is tested")

import dask.array as da  # noqa: E402
import dask.dataframe as dd  # noqa: E402

from halfspace import jobs  # noqa: E402
from halfspace.dask import HalfspaceClassifier  # noqa: E402

DRAW = np.random.default_rng(1)
X = DRAW.normal(size=(4000, 6))
Y = (X[:, 0] + X[:, 1] - X[:, 2] + DRAW.normal(size=4000) / 2 > 0).astype(int)
AVERAGED = {"preset": "averaged"}


@pytest.fixture(scope="module")
def client():
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
        with distributed.Client(cluster) as client:
            yield client


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    path = tmp_path_factory.mktemp("dask") / "rows.svm"
    lines = [f"{2 * y - 1} " + " ".join(f"{j}:{value:.3f}" for j, value in enumerate(x, 1)) for x, y in zip(X, Y)]
    path.write_text("\n".join(lines * 5) + "\n")
    return str(path)


def bits(model, folder):
    model.save(folder / "bits.model")
    return (folder / "bits.model").read_bytes()


def bits_of_one(path, shards, epochs):
    """The model of the same shards, whose tasks, fewer ones, this process does in another order."""
    job = jobs.train(path, shards=shards, epochs=epochs, tasks=2)
    return jobs.run(job, map=lambda do, tasks: map(do, reversed(tasks))).model.to_bytes()


def test_files_make_the_model_of_one_process(client, path, tmp_path):
    model = HalfspaceClassifier(shards=8, epochs=3).fit(path)
    assert bits(model.model_, tmp_path) == bits_of_one(path, 8, 3)
    assert model.result_["shards"] == 8 and model.result_["epochs"] == 3
    assert model.result_["training"]["rows"] == 20_000 and model.result_["training"]["errors"] < 3_000
    assert 0 < model.result_["mistakes"] <= model.result_["bound"]["value"]
    assert model.classes_.tolist() == ["-1", "1"]
    sparse = pytest.importorskip("scipy.sparse").csr_matrix(X[:50])
    assert set(model.predict(sparse)) == {"-1", "1"}


def test_one_shard_is_one_machine(client, path, tmp_path):
    plain = tmp_path / "plain.model"
    subprocess.run([command(), "train", path, "--preset", "averaged", "-q", "-o", plain], check=True,
                   stdout=subprocess.DEVNULL)
    whole = HalfspaceClassifier(shards=1, options={**AVERAGED, "order": "stream"}).fit(path)
    expected = halfspace.load(plain).decision_function(path)
    np.testing.assert_allclose(whole.model_.decision_function(path), expected, rtol=1e-11, atol=1e-11)
    eight = HalfspaceClassifier(shards=8, options=AVERAGED).fit(path)
    assert not np.allclose(eight.model_.decision_function(path), expected)


def test_files_make_the_model_of_halfspace_mpi(client, path, tmp_path):
    program = os.path.join(os.path.dirname(command()), "halfspace-mpi")
    if not os.path.exists(program) or shutil.which("mpirun") is None:
        pytest.skip("halfspace-mpi is not built: make mpi")
    environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    subprocess.run(["mpirun", "-n", "2", program, "train", path, "--shards", "8", "--epochs", "3", "-o",
                    tmp_path / "mpi.model"], check=True, stdout=subprocess.DEVNULL, env=environment)
    model = HalfspaceClassifier(shards=8, epochs=3).fit(path)
    assert bits(model.model_, tmp_path) == (tmp_path / "mpi.model").read_bytes()


@pytest.mark.parametrize("kind", ["array", "frame", "sparse"])
@pytest.mark.parametrize("arrange", [np.arange, lambda n: np.argsort(Y, kind="stable"),
                                     lambda n: np.argsort(Y + DRAW.random(n) / 5 + DRAW.normal(size=n) / 4)])
def test_sorted_rows_teach_as_others_do(kind, arrange):
    order = arrange(len(Y))
    x, y = X[order], Y[order]
    if kind == "frame":
        frame = dd.from_pandas(pandas.DataFrame(x, columns=list("abcdef")).assign(y=y), npartitions=16)
        data = frame[list("abcdef")], frame["y"]
    else:
        data = da.from_array(x, chunks=(250, 6)), da.from_array(y, chunks=250)
    if kind == "sparse":
        sparse = pytest.importorskip("scipy.sparse")
        data = data[0].map_blocks(sparse.csr_matrix), data[1]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model = HalfspaceClassifier(shards=16).fit(*data)
    right = (model.predict(data[0]).compute() == y).mean()
    assert right > 0.85
    assert model.result_["errors"] / model.result_["weight"] > 1 - right - 0.01  # not of rows that foresee their labels
    assert any("dealt to the shards" in str(w.message) for w in caught) == (arrange is not np.arange)


def test_a_worker_that_is_killed_changes_nothing(client, path, tmp_path):
    expected = bits_of_one(path, 64, 8)
    failures, found = [], []

    def fit():
        try:
            found.append(HalfspaceClassifier(shards=64, epochs=8).fit(path))
        except Exception as error:  # noqa: BLE001: it is raised below
            failures.append(error)

    workers = client.run(os.getpid)
    run = threading.Thread(target=fit)
    run.start()
    while run.is_alive() and not any(client.processing().values()):
        time.sleep(0.01)
    time.sleep(0.3)
    os.kill(sorted(workers.values())[0], signal.SIGKILL)
    assert run.is_alive(), "the run ended too early to lose a worker"
    run.join(120)
    assert not run.is_alive() and not failures, failures
    assert bits(found[0].model_, tmp_path) == expected
    client.wait_for_workers(2, timeout=60)
    assert set(client.run(os.getpid).values()) != set(workers.values())


@pytest.mark.parametrize("rows", [500, 1000])
def test_arrays(client, tmp_path, rows):
    Xd, yd = da.from_array(X, chunks=(rows, 3)), da.from_array(Y, chunks=700)
    model = HalfspaceClassifier(epochs=3).fit(Xd, yd)
    with dask.config.set(scheduler="synchronous"):
        alone = HalfspaceClassifier(epochs=3).fit(Xd, Y)
    assert bits(model.model_, tmp_path) == bits(alone.model_, tmp_path)
    assert model.result_["shards"] == 4000 // rows and model.result_["training"]["rows"] == 4000
    assert model.classes_.tolist() == [0, 1]
    labels = model.predict(Xd)
    assert isinstance(labels, da.Array) and labels.shape == (4000,) and labels.dtype == model.classes_.dtype
    assert (labels.compute() == model.predict(X)).all()
    assert (labels.compute() != Y).sum() == model.result_["training"]["errors"] < 800
    scores = model.decision_function(Xd).compute()
    assert ((scores > 0) == (labels.compute() == 1)).all()


def test_predicts_lazily(client):
    def unreadable():
        raise OSError("read too early")

    model = HalfspaceClassifier(epochs=2).fit(da.from_array(X, chunks=(1000, 6)), Y)
    rows = da.from_delayed(dask.delayed(unreadable)(), shape=(10, 6), dtype=float)
    labels = model.predict(rows)
    with pytest.raises(OSError, match="read too early"):
        labels.compute()


def test_several_classes(client):
    names = np.array(["b", "a", "c"])[np.clip(X[:, 0].round().astype(int), -1, 1)]
    Xd = da.from_array(X, chunks=(1000, 6))
    model = HalfspaceClassifier(epochs=5).fit(Xd, names)
    assert model.classes_.tolist() == ["a", "b", "c"]
    scores, labels = model.decision_function(Xd), model.predict(Xd).compute()
    assert scores.shape == (4000, 3) and (model.classes_[scores.compute().argmax(axis=1)] == labels).all()
    assert (labels != names).sum() == model.result_["training"]["errors"] < 1500


def test_data_frames(client, tmp_path):
    frame = pandas.DataFrame({"a": X[:, 0], "b": X[:, 1], "colour": np.where(X[:, 2] > 0, "red", "blue")})
    frame.loc[::50, "a"] = np.nan
    labels = pandas.Series(np.where(Y == 1, "yes", "no"))
    parts = dd.from_pandas(frame, npartitions=5)
    model = HalfspaceClassifier(epochs=3).fit(parts, dd.from_pandas(labels, npartitions=5))
    with dask.config.set(scheduler="synchronous"):
        alone = HalfspaceClassifier(epochs=3).fit(parts, dd.from_pandas(labels, npartitions=5))
    assert bits(model.model_, tmp_path) == bits(alone.model_, tmp_path)
    assert model.result_["shards"] == 4 and model.classes_.tolist() == ["no", "yes"]
    predicted = model.predict(parts)
    assert isinstance(predicted, da.Array)
    assert (predicted.compute() == model.predict(frame)).all()
    assert (predicted.compute() == labels).mean() > 0.8
    with pytest.raises(ValueError, match="5 partitions, and y 2"):
        HalfspaceClassifier().fit(parts, dd.from_pandas(labels, npartitions=2))


def test_partitions_without_rows(client, tmp_path):
    frame = pandas.DataFrame(X[:400], columns=list("abcdef")).assign(y=Y[:400])
    parts = dd.from_pandas(frame, npartitions=4)
    some = parts.map_partitions(lambda part: part[part.index >= 150])
    model = HalfspaceClassifier().fit(some[list("abcdef")], some["y"])
    whole = dd.concat([parts.partitions[1].loc[150:], parts.partitions[2:]])
    assert bits(model.model_, tmp_path) == bits(HalfspaceClassifier().fit(
        whole[list("abcdef")], whole["y"]).model_, tmp_path)
    few = parts.map_partitions(lambda part: part[part.index < 15])[list("abcdef")]
    assert len(model.predict(few).compute()) == len(model.decision_function(few).compute()) == 15
    with pytest.raises(halfspace.DataError, match="no rows"):
        none = parts.map_partitions(lambda part: part[part.index > 1000])
        HalfspaceClassifier().fit(none[list("abcdef")], none["y"])
    with pytest.raises(halfspace.DataError, match="only one class"):
        HalfspaceClassifier().fit(parts[list("abcdef")], parts["y"] * 0)
    with pytest.raises(ValueError, match="no rows"):
        HalfspaceClassifier().fit(parts[list("abcdef")], some["y"])


def test_chunks_of_unknown_sizes(client, tmp_path):
    frame = dd.from_pandas(pandas.DataFrame(X[:400]), npartitions=4)
    model = HalfspaceClassifier().fit(frame.values, da.from_array(Y[:400], chunks=100))
    known = HalfspaceClassifier().fit(da.from_array(X[:400], chunks=(100, 6)), Y[:400])
    assert bits(model.model_, tmp_path) == bits(known.model_, tmp_path)
    with pytest.raises(halfspace.UsageError, match="compute_chunk_sizes"):
        HalfspaceClassifier().fit(frame.values, Y[:400])
    with pytest.raises(ValueError, match="of X has 100 rows, and that of y 50"):
        HalfspaceClassifier().fit(frame.values, da.from_array(Y[:400], chunks=((50, 150, 100, 100),)))


def test_what_is_rejected(client, path, tmp_path):
    with pytest.raises(halfspace.UsageError, match="use uniform or mistakes"):
        HalfspaceClassifier(mixing="median").fit(path)
    with pytest.raises(halfspace.UsageError, match="leave y out"):
        HalfspaceClassifier().fit(path, Y)
    with pytest.raises(halfspace.UsageError, match="power of two"):
        HalfspaceClassifier(shards=6).fit(path)
    with pytest.raises(halfspace.UsageError, match="epochs is 0"):
        HalfspaceClassifier(epochs=0).fit(path)
    with pytest.raises(halfspace.UsageError, match="mixed once"):
        HalfspaceClassifier(shards=2, epochs=2, options={"rule": "arow"}).fit(path)
    with pytest.raises(halfspace.NoInputError):
        HalfspaceClassifier(shards=2).fit(str(tmp_path / "none.svm"))
    (tmp_path / "bad.svm").write_text("+1 1:1\n-1 1:x\n")
    with pytest.raises(halfspace.DataError, match="bad.svm:2:6"):
        HalfspaceClassifier(shards=2).fit(str(tmp_path / "bad.svm"))
    with pytest.raises(ValueError, match="requires y"):
        HalfspaceClassifier().fit(da.from_array(X))
    with pytest.raises(TypeError):
        HalfspaceClassifier().fit(3, Y)
    with pytest.raises(Exception, match="not fitted yet"):
        HalfspaceClassifier().predict(X)
