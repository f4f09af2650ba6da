"""Every public name, used as its types allow: checked by `mypy --strict`, and run, by types_test.py."""

import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import halfspace
from halfspace import (AROWClassifier, AveragedPerceptron, Bandit, Certification, Client, Comparison, DataError,
                       Evaluation, FTRLClassifier, HalfspaceClassifier, HalfspaceError, HalfspaceWarning,
                       InputOutputError, InternalError, InterruptedRunError, Learned, LinearSVC, LogisticRegression,
                       Model, NoInputError, NoMemoryError, OnlineClassifier, PassiveAggressiveClassifier, Perceptron,
                       Prediction, Pull, Receipt, Refusal, Run, Separation, ServiceError, Taken, UsageError,
                       Verification)

X: NDArray[np.float64] = np.random.default_rng(1).normal(size=(80, 3))
Y: NDArray[np.int64] = (X[:, 0] > 0).astype(np.int64)


def use_estimators() -> None:
    estimators = [HalfspaceClassifier(passes=2, class_weight={0: 2.0}), Perceptron(), AveragedPerceptron(rate=0.5),
                  PassiveAggressiveClassifier(rule="pa2", aggressiveness=0.1),
                  AROWClassifier(rule="arow", regularization=2, holdout=0.25, calibrate="platt"),
                  FTRLClassifier(alpha=0.1, loss="logistic", memory="64M")]
    for estimator in estimators:
        scores: NDArray[Any] = estimator.fit(X, Y).partial_fit(X, Y.tolist()).decision_function(X)
        labels: NDArray[Any] = estimator.predict(X)
        accuracy: float = estimator.score(X, Y)
        weights: NDArray[Any] = estimator.coef_ * 2 + estimator.intercept_
        parameters: dict[str, Any] = estimator.set_params(passes=3).get_params()
        notes: list[tuple[str, str]] = estimator.notes_
        expected = estimator.expected_error_
        upper: float = expected["upper"] if expected is not None else 1.0
        rounds: int = estimator.ledger_["rounds"]
        columns: int = estimator.n_features_in_
        model: Model = estimator.model_
        assert scores.shape == labels.shape == estimator.classes_[Y].shape and weights.shape == (1, columns)
        assert 0 <= accuracy <= 1 and parameters["passes"] == 3 and upper > 0 and rounds > 0
        assert len(model.classes) == 2 and all(len(note) == 2 for note in notes)
    chances: NDArray[Any] = FTRLClassifier().fit(X, Y, sample_weight=np.ones(80)).predict_proba(X)
    assert chances.shape == (80, 2)
    decided = HalfspaceClassifier(rule="pa1:aggressiveness=0.5", holdout=0.3, metric="f1", threshold="auto").fit(X, Y)
    assert (decided.model_.result or {})["threshold"]["by"] == "f1"
    assert FTRLClassifier(threshold=0.3).fit(X, Y).predict(X).shape == (80,)
    conformal = Perceptron(conformal=True, holdout=0.5).fit(X, Y)
    sets: NDArray[Any] = conformal.predict_set(X, coverage=0.8, each_class=True)
    assert sets.shape == conformal.model_.predict_set(X, 0.8).shape == (80, 2)


def use_minima() -> None:
    machine = LinearSVC(loss="hinge", C=0.5, tol=1e-8, intercept_scaling=2, class_weight={0: 2.0}).fit(X, Y)
    passes: int = machine.n_iter_
    regression = LogisticRegression(solver="newton-cg", n_jobs=-1, class_weight="balanced").fit(X, Y.tolist())
    chances: NDArray[Any] = regression.predict_proba(X) + regression.predict_log_proba(X)
    proved: NDArray[Any] = regression.objective_ - regression.dual_objective_ + regression.gap_ + regression.radius_
    digits: NDArray[Any] = regression.n_certain_digits_
    model: Model = machine.model_
    assert passes > 0 and (regression.n_iter_ > 0).all() and chances.shape == (80, 2) and len(model.classes) == 2
    assert (proved >= 0).all() and digits.shape == machine.coef_.shape and machine.predict(X).shape == Y.shape


def use_online(folder: Path) -> None:
    online = OnlineClassifier(classes=["ham", "spam"], class_weight={"spam": 2}, rule="pa1", aggressiveness=1)
    one: OnlineClassifier = online.learn_one({"length": 3, "links": 1.5}, "spam", w=2)
    label: str = one.predict_one({"length": 1})
    names: list[str] = online.feature_names
    by_default = OnlineClassifier().learn_one({"a": 1}, True)
    chances: dict[Any, float] = by_default.predict_proba_one({"a": 2})
    late: str = one.predict_one({"length": 1, "colour": "red", "gap": None}, key=7)
    kept: list[Any] = one.pending
    one.learn_late(7, "ham").learn_many([({"length": 2}, "ham"), ({"length": 9}, "spam")]).forget(8)
    assert late in ("ham", "spam") and kept == [7]
    assert label in ("ham", "spam") and names[:2] == ["length", "links"] and len(chances) == 2
    sure = OnlineClassifier(sets=0.9)
    may_be: set[Any] = sure.predict_set_one({"a": 1}, key=1)
    share: float = sure.learn_late(1, True).sets_report()["error"]
    assert may_be == {False, True} and share == 0
    assert online.model.features == 3
    online.save(folder / "online.model")
    assert halfspace.load(folder / "online.model").features == 3


def use_comparison(folder: Path) -> None:
    found: Comparison = halfspace.compare(X, Y, rules=["averaged", "pa1:passes=2"], folds=4, confidence=0.9)
    best: str | None = found.best
    others: list[str] = found.better_than
    assert best in ("averaged", "pa1:passes=2") and len(others) < 2 and found.page().startswith("<!")
    path = folder / "compare.csv"
    path.write_text("a,b,y\n" + "".join(f"{i % 5},{i % 3},{'no' if i % 5 < 2 else 'yes'}\n" for i in range(60)))
    model: Model = halfspace.train(X, Y, rule="arow")
    again = halfspace.compare(X[:40], Y[:40], models={"first": model, "second": model})
    assert again.best == "first" and "McNemar" in str(again)
    assert halfspace.compare([path], rules=["averaged"], folds=2).result["folds"] == 2


def use_models(folder: Path) -> None:
    path = folder / "rows.csv"
    path.write_text("a,b,y\n" + "".join(f"{i % 5},{i % 3},{'no' if i % 5 < 2 else 'yes'}\n" for i in range(60)))
    model: Model = halfspace.train(path, rule="arow", passes=3, normalize="column", drop=["b"])
    labels: list[str] = model.predict(path, on_error="skip", threads=1)
    scores: NDArray[Any] = model.decision_function([path, str(path)])
    weights, biases = model.weights()
    vectors: int = weights.shape[0] * model.vectors
    evaluation: Evaluation = model.evaluate(path, confidence=0.9, average="weighted")
    accuracy: float = evaluation["accuracy"]
    text: str = model.report()
    assert "mistakes" in text and str(accuracy * 60)[:2] in str(evaluation) and model.page().startswith("<!")
    described: dict[str, Any] = model.describe()
    result = model.result
    trained: int = 0 if result is None else result["rounds"]
    model.save(folder / "saved.model")
    loaded: Model = halfspace.load(folder / "saved.model")
    again: Model = Model.from_bytes(loaded.to_bytes())
    assert len(labels) == 60 and len(scores) == 120 and vectors == len(biases) == 1 and accuracy > 0.5
    assert described["features"] == again.features and trained > 0 and not again.has_probabilities
    assert again.notes == [] and again.description == described
    path = folder / "rows.vw"
    path.write_text("1 |user a |item x |site s\n-1 |user b |item x |site s\n" * 9)
    clicks = halfspace.train(path, quadratic="ui", cubic=["uui"], ignore="|s", noconstant=True)
    hashed = halfspace.train(path, hash=10, hash_names=3)
    assert hashed.describe()["hashed"]["bits"] == 10 and hashed.describe()["hashed"]["names_kept"] == 3
    only = halfspace.train(path, only=["user", "item"], interactions=["user:item", "user:user:item"], bias="none")
    assert clicks.describe()["features"] == only.describe()["features"] == 7


def use_exchange(folder: Path) -> None:
    model = halfspace.train(X, Y, rule="ftrl")
    other: Any = halfspace.to_sklearn(model)
    back: Model = halfspace.from_sklearn(other, label="class", sparse=False)
    onnx: bytes = halfspace.to_onnx(back, folder / "m.onnx") + back.to_onnx() + back.to_pmml(str(folder / "m.pmml"))
    assert back.predict_proba(X).shape == (80, 2) and len(onnx) > 0


def use_proofs(folder: Path) -> None:
    rows, labels = [[1.0, 0.0], [2.0, 1.0], [-1.0, 0.0]], ["a", "a", "b"]
    proof: Certification = halfspace.certify(rows, labels, seconds=5, bias="last")
    text: str | None = proof.certificate
    margin = proof.margin
    lower: float = 0.0 if margin is None else float(margin["lower"])
    halfspace.write_rows(folder / "proved.svm", rows, labels)
    (folder / "proof.json").write_text(text or "")
    again: Certification = halfspace.certify(rows, labels, resume=folder / "proof.json", memory="1M")
    assert again.verdict == proof.verdict
    checked: Verification = halfspace.verify(proof, folder / "proved.svm")
    assert proof.separable and text is not None and checked.valid and lower > 0
    assert halfspace.verify(text, [folder / "proved.svm"]).to_dict() == checked.to_dict()
    assert proof.to_dict()["verdict"] == proof.verdict and checked.result["valid"] and proof.rows == 3
    found: Separation = halfspace.separation(rows, labels, intercept=False, names=["a", "b"], sample_weight=[1, 2, 1],
                                             seconds=5)
    estimates: dict[str, str] = found.coefficients
    named: list[str] = found.finite + found.infinite + found.aliased
    numbers: list[int] = found.row_numbers
    found.write_rows(folder / "separated.csv")
    assert found.kind == "complete" and found.separated and set(named) <= set(estimates) and len(numbers) < 4
    assert halfspace.verify(found, folder / "separated.csv").valid and found.certificate is not None and found.page()


def use_bandits(folder: Path) -> None:
    live: Bandit = Bandit(["a", "b"], algorithm="exp3-ix-anytime", seed=3)
    pull: Pull = live.pull()
    live.update(pull, reward=1)
    live.update(live.pull().ticket, loss=0.25)
    live.save(folder / "live.bandit")
    chances = Bandit.load(folder / "live.bandit").distribution()
    again: Bandit = Bandit.from_bytes(live.to_bytes())
    assert pull.arm in ("a", "b") and 0 < pull.probability <= 1 and len(chances) == 2 and again.describe()["arms"] == 2
    losses = [{"left": float(i % 2), "right": 0.4} for i in range(50)]
    runs: list[Run] = [halfspace.experts(losses, losses=True), halfspace.bandit(np.ones((9, 2))),
                       halfspace.lab("halving", seed=2)]
    assert all(str(run) and run.to_dict()["command"] == run.command and run.page() for run in runs)
    assert runs[-1].holds


def use_errors() -> None:
    kinds: list[type[HalfspaceError]] = [UsageError, DataError, NoInputError, InternalError, NoMemoryError,
                                         InputOutputError, InterruptedRunError]
    try:
        halfspace.load("/no/such.model")
    except NoInputError as error:
        place: tuple[str | None, int, int] = (error.file, error.line, error.column)
        words: str = error.message + (error.fix or "")
        assert place[0] == "/no/such.model" and words and error.kind == 66 and type(error) in kinds
    warned: type[UserWarning] = HalfspaceWarning
    assert issubclass(warned, UserWarning) and halfspace.library_version() == halfspace.__version__


def ask(client: Client) -> float | None:
    found: list[Prediction] = client.predict({"age": 3, "name": "a"}) + client.predict(["3:0.5"], id=17)
    learned: Learned = client.learn("1 3:0.5\n-1 2:1")
    client.learn({"age": age} for age in range(3))
    client.truth("case 17", "yes")
    taken: Taken = client.truths({17: True})
    client.truths([(18, 1), ("a", "yes")])
    receipt: Receipt = client.forget(17)
    refused: list[Refusal] = learned.refused + taken.refused + [each.refused for each in found if each.refused]
    version: int = client.replace(client.model()) + client.replace(b"") + client.ledger()["version"]
    assert learned.first != version and receipt.log != receipt.model and refused[0].line and taken.labels
    return found[0].probability


def use_client(folder: Path) -> None:
    """What `ask` would return, client_test.py tests: here nothing listens."""
    with Client(socket=folder / "none.sock", token="secret", timeout=1.5, retries=0) as client:
        ready: bool = client.ready()
        try:
            ask(client)
        except (ServiceError, ConnectionError, FileNotFoundError) as error:
            if isinstance(error, ServiceError):
                print(error.status, error.error, error.fix or "")
        assert not ready and Client("http://localhost:8080") is not client


def main() -> None:
    use_estimators()
    use_minima()
    use_errors()
    with tempfile.TemporaryDirectory() as folder:
        use_online(Path(folder))
        use_comparison(Path(folder))
        use_models(Path(folder))
        use_exchange(Path(folder))
        use_proofs(Path(folder))
        use_bandits(Path(folder))
        use_client(Path(folder))


if __name__ == "__main__":
    main()
