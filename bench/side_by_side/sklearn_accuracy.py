"""scikit-learn's linear learners on one set, each at its defaults: a line of JSON for each, as it is done.

usage: sklearn_accuracy.py TRAIN TEST PATIENCE [--progressive]

The online ones make one pass and ten; the others stop by themselves. A learner that is not done after PATIENCE seconds
is stopped. --progressive: every training row is predicted before it is learned, one pass, and nothing is tested.
"""

import json
import os
import signal
import sys
import time
import warnings

import numpy
from sklearn import linear_model, svm
from sklearn.datasets import load_svmlight_file
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import log_loss

# name -> learner of a number of passes
ONLINE = {
    "SGD hinge": lambda **more: linear_model.SGDClassifier(loss="hinge", random_state=1, **more),
    "SGD log_loss": lambda **more: linear_model.SGDClassifier(loss="log_loss", random_state=1, **more),
    "PassiveAggressive": lambda **more: linear_model.PassiveAggressiveClassifier(random_state=1, **more),
    "Perceptron": lambda **more: linear_model.Perceptron(random_state=1, **more),
}
BATCH = {
    "LinearSVC": lambda: svm.LinearSVC(random_state=1),
    "LogisticRegression": lambda: linear_model.LogisticRegression(random_state=1),
}


def evaluated(learner, points, labels, test_points, test_labels):
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        begin = time.perf_counter()
        learner.fit(points, labels)
        seconds = time.perf_counter() - begin
    said = {"seconds": seconds, "accuracy": float((learner.predict(test_points) == test_labels).mean())}
    if any(issubclass(w.category, ConvergenceWarning) for w in heard) and not getattr(learner, "tol", 0) is None:
        said["note"] = "did not converge"
    if len(learner.classes_) == 2 and hasattr(learner, "predict_proba"):
        said["log_loss"] = float(log_loss(test_labels, learner.predict_proba(test_points)))
    return said


def progressive(learner, points, labels):
    begin, right, classes = time.perf_counter(), 0, numpy.unique(labels)
    for i in range(points.shape[0]):
        row = points[i]
        right += i > 0 and learner.predict(row)[0] == labels[i]
        learner.partial_fit(row, labels[i : i + 1], classes if i == 0 else None)
    return {"seconds": time.perf_counter() - begin, "accuracy": float(right / points.shape[0])}


def within(patience, task):
    """What the task says, from a process of its own that is ended when it takes too long."""
    ear, mouth = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(ear)
        signal.alarm(patience)  # not caught: ends this process
        try:
            said = task()
        except (ValueError, MemoryError) as fault:
            said = {"fault": str(fault)[:200]}
        os.write(mouth, json.dumps(said).encode())
        os._exit(0)
    os.close(mouth)
    with os.fdopen(ear, "rb") as file:
        text = file.read()
    os.waitpid(child, 0)
    return json.loads(text) if text else None


def main():
    train, test, patience = sys.argv[1], sys.argv[2], int(sys.argv[3])
    stream = "--progressive" in sys.argv
    begin = time.perf_counter()
    points, labels = load_svmlight_file(train)
    reading = time.perf_counter() - begin
    if stream:
        points = points.toarray()
        points = points.reshape(len(points), 1, -1)
    else:
        test_points, test_labels = load_svmlight_file(test, n_features=points.shape[1])

    def say(name, passes, task):
        said = within(patience, task)
        if said is not None:
            if "seconds" in said:
                said["seconds"] += reading
            print(json.dumps({"learner": name, "passes": passes, **said}), flush=True)

    for name, make in ONLINE.items():
        if stream:
            say(name, 1, lambda make=make: progressive(make(), points, labels))
            continue
        for passes in (1, 10):
            learner = make(max_iter=passes, tol=None)
            say(name, passes, lambda learner=learner: evaluated(learner, points, labels, test_points, test_labels))
    if not stream:
        for name, make in BATCH.items():
            say(name, 0, lambda make=make: evaluated(make(), points, labels, test_points, test_labels))


if __name__ == "__main__":
    main()
