"""Predictions for files: the bits of `halfspace predict`."""

import csv
import gzip
import os
import signal
import subprocess
import threading

import numpy as np
import pytest

import halfspace
from support import ESTIMATORS, command

DRAW = np.random.default_rng(5)
NAMES = ["a", "b", "c"]
ROWS = 5000  # several blocks
X = DRAW.normal(size=(ROWS, 3))
TWO = np.where(X @ [1, -2, 0.5] + DRAW.normal(size=ROWS) > 0, "yes", "no")
THREE = np.array(["low", "mid", "top"])[np.digitize(X[:, 0] + X[:, 1] + 0.3 * DRAW.normal(size=ROWS), [-1, 1])]


def write(path, rows, labels=None, names=NAMES):
    with open(path, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([*names, *([] if labels is None else ["y"])])
        for i, row in enumerate(rows):
            writer.writerow([*map(repr, row.tolist()), *([] if labels is None else [labels[i]])])
    return path


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("files")
    return {"two": write(folder / "two.csv", X, TWO), "three": write(folder / "three.csv", X, THREE),
            "bare": write(folder / "bare.csv", X)}


def printed(model, path, tmp_path, *flags):
    """What `halfspace predict` prints, as lines."""
    saved = tmp_path / "printed.model"
    model.save(saved)
    return subprocess.run([command(), "predict", saved, path, *flags], check=True, stdout=subprocess.PIPE,
                          text=True).stdout.splitlines()


def numbers(lines):
    return np.array([[float(number) for number in line.split()] for line in lines])


@pytest.mark.parametrize("classes", ["two", "three"])
@pytest.mark.parametrize("Estimator", ESTIMATORS)
def test_estimators_predict_as_the_command(Estimator, classes, files, tmp_path):
    options = {"passes": 2} if Estimator is not halfspace.HalfspaceClassifier else {}
    estimator = Estimator(**options).fit(files[classes])
    model = estimator.model_
    for path in (files[classes], files["bare"]):
        assert estimator.predict(path).tolist() == printed(model, path, tmp_path) == model.predict(path)
        scores = estimator.decision_function(str(path))
        highest = scores if classes == "two" else scores.max(axis=1)
        assert (highest == numbers(printed(model, path, tmp_path, "--scores"))[:, 0]).all()
        assert (scores == estimator.decision_function(X)).all()
    if model.describe()["calibrated"]:
        own = model.predict_proba(files["bare"])
        told = numbers(printed(model, files["bare"], tmp_path, "--probability"))
        assert (own[:, 1:] == told).all() if classes == "two" else (own == told).all()
        assert estimator.predict_proba(files["bare"]).shape == (ROWS, len(estimator.classes_))


def test_rows_of_fit_in_memory_and_of_predict_in_files(files):
    pandas = pytest.importorskip("pandas")
    labels = np.where(TWO == "yes", 7, 3)
    estimator = halfspace.AROWClassifier().fit(pandas.DataFrame(X, columns=NAMES), labels)
    frame = pandas.DataFrame(X, columns=NAMES)
    assert (estimator.predict(files["bare"]) == estimator.predict(frame)).all()
    assert estimator.predict(files["bare"]).dtype == labels.dtype
    assert (estimator.decision_function(files["two"]) == estimator.decision_function(frame)).all()


def test_columns_are_matched_by_name(tmp_path, files):
    model = halfspace.train(files["three"])
    turned = write(tmp_path / "turned.csv", X[:, ::-1], names=NAMES[::-1])
    assert (model.decision_function(turned) == model.decision_function(files["bare"])).all()


def test_arrays_in_files(tmp_path):
    np.save(tmp_path / "x.npy", X)
    estimator = halfspace.PassiveAggressiveClassifier().fit(X, THREE)
    assert (estimator.decision_function(tmp_path / "x.npy") == estimator.decision_function(X)).all()
    sparse = pytest.importorskip("scipy.sparse")
    rows = sparse.csr_matrix(np.where(abs(X) > 1, X, 0))
    sparse.save_npz(tmp_path / "x.npz", rows)
    estimator = halfspace.PassiveAggressiveClassifier().fit(rows, THREE)
    assert (estimator.decision_function(tmp_path / "x.npz") == estimator.decision_function(rows)).all()


def test_several_files_compressed_ones_and_threads(tmp_path, files):
    model = halfspace.train(files["two"], rule="pa1", passes=1)
    parts = [write(tmp_path / f"{k}.csv", X[k::2]) for k in range(2)]
    whole = model.decision_function(parts)
    assert (whole == np.concatenate([model.decision_function(X_part) for X_part in parts])).all()
    assert len(model.predict(parts)) == ROWS
    packed = tmp_path / "bare.csv.gz"
    packed.write_bytes(gzip.compress(files["bare"].read_bytes()))
    scores = model.decision_function(files["bare"])
    assert (model.decision_function(packed) == scores).all()
    for threads in (1, 2, 5):
        assert (model.decision_function(files["bare"], threads=threads) == scores).all()


def test_labels_in_the_file_do_not_matter(tmp_path, files):
    model = halfspace.train(files["two"], rule="pa1", passes=1)
    strange = write(tmp_path / "strange.csv", X, ["?" if i % 2 else "never seen" for i in range(ROWS)])
    assert model.predict(strange) == model.predict(files["bare"])


def test_bad_rows(tmp_path, files):
    model = halfspace.train(files["three"], rule="ftrl", passes=1)
    path = write(tmp_path / "bad.csv", X[:3000])
    lines = path.read_text().splitlines()
    bad = [5, 6, 2500]
    for row in bad:
        lines[row + 1] = "1,2"
    path.write_text("\n".join(lines) + "\n")
    with pytest.raises(halfspace.DataError) as caught:
        model.predict(path)
    assert (caught.value.line, caught.value.file) == (7, str(path))
    good = np.setdiff1d(np.arange(3000), bad)
    labels = model.predict(path, on_error="skip")
    assert len(labels) == 3000 and [row for row, label in enumerate(labels) if label is None] == bad
    scores, chances = (method(path, on_error="skip") for method in (model.decision_function, model.predict_proba))
    expected = model.decision_function(files["bare"])[:3000]
    assert (scores[good] == expected[good]).all() and np.isnan(scores[bad]).all()
    assert np.isnan(chances[bad]).all() and np.allclose(chances[good].sum(axis=1), 1)


def test_rejects(tmp_path, files):
    model = halfspace.train(files["two"], rule="pa1", passes=1)
    with pytest.raises(FileNotFoundError):
        model.predict("/no/such/file.csv")
    with pytest.raises(halfspace.UsageError, match="no_such_option|no-such-option"):
        model.predict(files["bare"], no_such_option=1)
    with pytest.raises(halfspace.UsageError, match="option of reading files"):
        model.predict(X, threads=1)
    with pytest.raises(halfspace.UsageError, match="no probabilities"):
        model.predict_proba(files["bare"])
    with pytest.raises(halfspace.DataError, match="column|a"):
        model.predict(write(tmp_path / "other.csv", X, names=["p", "q", "r"]))
    with pytest.raises((ValueError, AttributeError), match="not fitted"):
        halfspace.AROWClassifier().predict(files["bare"])


def test_ctrl_c_ends_a_wait_for_rows(tmp_path, files):
    model = halfspace.train(files["two"], rule="pa1", passes=1)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    timer = threading.Timer(0.3, signal.raise_signal, [signal.SIGINT])
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            model.predict(pipe)
    finally:
        timer.join()
    assert len(model.predict(files["bare"])) == ROWS


def test_threads_share_a_model(files):
    model = halfspace.train(files["three"], rule="ftrl", passes=1)
    expected, found = model.predict(files["bare"]), [None] * 4

    def work(k):
        found[k] = model.predict(files["bare"])

    threads = [threading.Thread(target=work, args=[k]) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(one == expected for one in found)


@pytest.mark.parametrize("make", [lambda X: X, lambda X: X.toarray(), lambda X: X.tocsc()])
def test_a_model_of_libsvm_text_predicts_for_matrices(tmp_path, make):
    from scipy import sparse
    from sklearn.datasets import dump_svmlight_file

    X = sparse.random(300, 12, 0.3, format="csr", random_state=1)
    X.data = np.round(X.data, 3)  # the text has 16 digits
    y = np.asarray(X.sum(axis=1)).ravel() > 1.5
    dump_svmlight_file(X, y.astype(int), str(tmp_path / "rows.svm"), zero_based=False)
    of_path = halfspace.FTRLClassifier(passes=10).fit(tmp_path / "rows.svm")
    of_matrix = halfspace.FTRLClassifier(passes=10).fit(X, y.astype(int))
    np.testing.assert_array_equal(of_path.coef_, of_matrix.coef_)
    np.testing.assert_array_equal(of_path.decision_function(make(X)), of_matrix.decision_function(X))
    np.testing.assert_array_equal(of_matrix.decision_function(tmp_path / "rows.svm"), of_matrix.decision_function(X))
