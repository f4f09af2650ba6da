#!/usr/bin/python3 -B
"""Whether the rows of a LIBSVM file are separable, by a linear program in doubles; prints verdict and seconds as JSON.

usage: linear_program.py FILE LIMIT
"""

import gzip
import json
import sys
import time

import numpy
from scipy.optimize import linprog
from scipy.sparse import csr_matrix, hstack

THRESHOLD = 1e-9


def read(path):
    """The rows as a sparse matrix, and their signs: the larger label is positive."""
    values, columns, ends, labels = [], [], [0], []
    with (gzip.open if path.endswith(".gz") else open)(path, "rt") as file:
        for line in file:
            label, *entries = line.split()
            labels.append(float(label))
            for index, value in (entry.split(":") for entry in entries):
                columns.append(int(index))
                values.append(float(value))
            ends.append(len(columns))
    signs = numpy.where(numpy.array(labels) == max(labels), 1.0, -1.0)
    return csr_matrix((values, columns, ends)), signs


def linear_program(points, signs, limit):
    """(verdict, seconds) of: minimise -t with t - y (<w, x> + b) <= 0."""
    bias = csr_matrix(signs.reshape(-1, 1))
    z = hstack([points.multiply(signs.reshape(-1, 1)), bias])
    constraints = hstack([-z, numpy.ones((z.shape[0], 1))], format="csr")
    cost = numpy.zeros(constraints.shape[1])
    cost[-1] = -1
    bounds = [(-1, 1)] * (len(cost) - 1) + [(None, None)]
    begin = time.perf_counter()
    answer = linprog(cost, A_ub=constraints, b_ub=numpy.zeros(z.shape[0]), bounds=bounds, method="highs",
                     options={"time_limit": limit})
    seconds = time.perf_counter() - begin
    if answer.status != 0:
        return "no answer", seconds
    return "separable" if -answer.fun > THRESHOLD else "not separable", seconds


if __name__ == "__main__":
    verdict, call = linear_program(*read(sys.argv[1]), float(sys.argv[2]))
    print(json.dumps({"verdict": verdict, "seconds": call}))
