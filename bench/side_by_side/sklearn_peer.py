"""scikit-learn as a program, the way its users write one: text in, model or predictions out.

usage: sklearn_peer.py train DATA MODEL [--passes N] [--averaged LOSS]    Perceptron(shuffle=False), or averaged SGD
       sklearn_peer.py predict MODEL DATA OUT
       sklearn_peer.py passes DATA PASSES      prints the seconds of one pass in memory: of 1 + PASSES less those of the first

DATA is LIBSVM text, or CSV (label first) when it is named so. The model is its weights, by numpy.
"""

import argparse
import json
import time

import numpy


def load(path, features=None):
    if path.endswith(".csv"):
        import pandas

        table = pandas.read_csv(path)
        return table.iloc[:, 1:].to_numpy(), table.iloc[:, 0].to_numpy()
    from sklearn.datasets import load_svmlight_file

    return load_svmlight_file(path, n_features=features)


def perceptron(passes):
    from sklearn.linear_model import Perceptron

    return Perceptron(max_iter=passes, tol=None, shuffle=False)


def train(arguments):
    points, labels = load(arguments.data)
    if arguments.averaged:
        from sklearn.linear_model import SGDClassifier

        how = {"perceptron": {"alpha": 0, "learning_rate": "constant", "eta0": 1, "shuffle": False}, "hinge": {"alpha": 1e-6}}
        learner = SGDClassifier(arguments.averaged, average=True, max_iter=arguments.passes, tol=None, random_state=1,
                                **how[arguments.averaged])  # fmt: skip
    else:
        learner = perceptron(arguments.passes)
    learner.fit(points, labels)
    with open(arguments.model, "wb") as file:
        numpy.savez(file, weights=learner.coef_[0], bias=learner.intercept_)


def predict(arguments):
    with open(arguments.model, "rb") as file:
        model = numpy.load(file)
        weights, bias = model["weights"], model["bias"]
    points, _ = load(arguments.data, len(weights))
    with open(arguments.out, "w") as file:
        file.writelines("+1\n" if score >= 0 else "-1\n" for score in points @ weights + bias)


def passes(arguments):
    points, labels = load(arguments.data)

    def seconds(count):
        begin = time.perf_counter()
        perceptron(count).fit(points, labels)
        return time.perf_counter() - begin

    seconds(1)  # warm
    print(json.dumps({"seconds": [(seconds(arguments.count + 1) - seconds(1)) / arguments.count for _ in range(3)]}))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    command = commands.add_parser("train")
    command.add_argument("data")
    command.add_argument("model")
    command.add_argument("--passes", type=int, default=1)
    command.add_argument("--averaged", choices=["perceptron", "hinge"])
    command.set_defaults(run=train)
    command = commands.add_parser("predict")
    command.add_argument("data")
    command.add_argument("model")
    command.add_argument("out")
    command.set_defaults(run=predict)
    command = commands.add_parser("passes")
    command.add_argument("data")
    command.add_argument("count", type=int)
    command.set_defaults(run=passes)
    arguments = parser.parse_args()
    arguments.run(arguments)


if __name__ == "__main__":
    main()
