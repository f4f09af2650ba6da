#!/usr/bin/python3 -B
"""scikit-learn as a program, the way its users write one: text in, model or predictions out.

usage: sklearn_peer.py train DATA MODEL PASSES [LOSS]   Perceptron(shuffle=False), or averaged SGD
       sklearn_peer.py predict MODEL DATA OUT
       sklearn_peer.py passes DATA PASSES               seconds of one pass in memory: of 1 + PASSES less the first's
       sklearn_peer.py all TRAIN TEST PATIENCE PASSES   its linear learners at their defaults, a line of JSON for each

DATA is LIBSVM text, or CSV (label first) when it is named so. The model is its weights, by numpy. `all` reads a set
once; the online learners make PASSES passes, for 0 those learn that stop by themselves, and a learner that is not done
after PATIENCE seconds is stopped. Without rows in TEST every row is predicted before it is learned.
"""

import json
import os
import signal
import sys
import time
import warnings

import numpy
from sklearn import linear_model, pipeline, preprocessing, svm
from sklearn.datasets import load_svmlight_file
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import log_loss


def load(path, features=None):
    if path.endswith(".csv"):
        import pandas

        table = pandas.read_csv(path)
        return table.iloc[:, 1:].to_numpy(), table.iloc[:, 0].to_numpy()
    return load_svmlight_file(path, n_features=features)


def perceptron(passes):
    return linear_model.Perceptron(max_iter=passes, tol=None, shuffle=False)


AVERAGED = {
    "perceptron": {"alpha": 0, "learning_rate": "constant", "eta0": 1, "shuffle": False},
    "hinge": {"alpha": 1e-6},
}


def train(data, model, passes, loss=None):
    learner = perceptron(int(passes))
    if loss:
        learner = linear_model.SGDClassifier(loss=loss, average=True, max_iter=int(passes), tol=None, random_state=1,
                                             **AVERAGED[loss])
    learner.fit(*load(data))
    with open(model, "wb") as file:
        numpy.savez(file, weights=learner.coef_[0], bias=learner.intercept_)


def predict(path, data, out):
    with open(path, "rb") as file:
        model = numpy.load(file)
        weights, bias = model["weights"], model["bias"]
    points, _ = load(data, len(weights))
    with open(out, "w") as file:
        file.writelines("+1\n" if score >= 0 else "-1\n" for score in points @ weights + bias)


def passes(data, count):
    points, labels = load(data)

    def seconds(passes):
        begin = time.perf_counter()
        perceptron(passes).fit(points, labels)
        return time.perf_counter() - begin

    seconds(1)  # warm
    print(json.dumps({"seconds": [(seconds(int(count) + 1) - seconds(1)) / int(count) for _ in range(3)]}))


ONLINE = {
    "SGD hinge": lambda **more: linear_model.SGDClassifier(loss="hinge", random_state=1, **more),
    "SGD log_loss": lambda **more: linear_model.SGDClassifier(loss="log_loss", random_state=1, **more),
    "PassiveAggressive": lambda **more: linear_model.PassiveAggressiveClassifier(random_state=1, **more),
    "Perceptron": lambda **more: linear_model.Perceptron(random_state=1, **more),
}
BATCH = {
    "LinearSVC": lambda: svm.LinearSVC(random_state=1),
    "LogisticRegression": lambda: linear_model.LogisticRegression(random_state=1),
    # Sparse columns are divided by their deviation and not centred.
    "LogisticRegressionCV, scaled": lambda: pipeline.make_pipeline(
        preprocessing.StandardScaler(with_mean=False),
        linear_model.LogisticRegressionCV(Cs=10, cv=5, random_state=1)),
}


def evaluated(learner, points, labels, test_points, truth):
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        begin = time.process_time()
        learner.fit(points, labels)
        found = {"processor": time.process_time() - begin}
    found["accuracy"] = float((learner.predict(test_points) == truth).mean())
    if any(issubclass(w.category, ConvergenceWarning) for w in heard) and getattr(learner, "tol", 0) is not None:
        found["note"] = "did not converge"
    if len(learner.classes_) == 2 and hasattr(learner, "predict_proba"):
        found["log_loss"] = float(log_loss(truth, learner.predict_proba(test_points)))
    return found


def progressive(learner, points, labels):
    begin, right, classes = time.process_time(), 0, numpy.unique(labels)
    for i, row in enumerate(points.toarray()[:, None, :]):
        right += i > 0 and learner.predict(row)[0] == labels[i]
        learner.partial_fit(row, labels[i : i + 1], classes if i == 0 else None)
    return {"processor": time.process_time() - begin, "accuracy": float(right / len(labels))}


def within(patience, task):
    """What the task returns, from a process of its own that is ended when it takes too long."""
    ear, mouth = os.pipe()
    if os.fork() == 0:
        os.close(ear)
        signal.alarm(patience)  # not caught: ends this process
        try:
            found = task()
        except (ValueError, MemoryError) as fault:
            found = {"fault": str(fault)[:200]}
        os.write(mouth, json.dumps(found).encode())
        os._exit(0)
    os.close(mouth)
    with os.fdopen(ear, "rb") as file:
        text = file.read()
    os.wait()
    return json.loads(text) if text else {"fault": f"not done after {patience} s"}


def all_learners(train_path, test_path, patience, count):
    begin = time.process_time()
    points, labels = load_svmlight_file(train_path)
    reading, stream = time.process_time() - begin, os.path.getsize(test_path) == 0
    test = () if stream else load_svmlight_file(test_path, n_features=points.shape[1])
    run = progressive if stream else evaluated
    how = {} if stream else {"max_iter": int(count), "tol": None}
    makers = {name: lambda make=make: make(**how) for name, make in ONLINE.items()} if int(count) else BATCH
    for name, make in makers.items():
        found = within(int(patience), lambda make=make: run(make(), points, labels, *test))
        print(json.dumps({"learner": name, **found, "processor": found.get("processor", 0) + reading}), flush=True)


if __name__ == "__main__":
    what, *words = sys.argv[1:]
    {"train": train, "predict": predict, "passes": passes, "all": all_learners}[what](*words)
