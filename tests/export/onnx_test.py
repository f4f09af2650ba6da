"""Exported ONNX models, parsed and checked by python3-onnx and run by an evaluator of their own, predict what halfspace
predict does. (The package has no evaluator of its own before 1.13.)

usage: onnx_test.py COMMAND SOURCE_TREE
"""

import json
import sys

import common

try:
    import numpy
    import onnx
    from onnx import numpy_helper
except ImportError as error:
    print(f"SKIPPED, loudly: {error}: install python3-onnx", file=sys.stderr)
    sys.exit(77)


def attributes(node):
    return {a.name: a.i for a in node.attribute}


TYPES = {onnx.TensorProto.FLOAT: numpy.float32, onnx.TensorProto.DOUBLE: numpy.float64, onnx.TensorProto.INT64: numpy.int64}


def of_one_type(*tensors):
    if len({t.dtype for t in tensors}) != 1:
        sys.exit(f"an operator would mix {[t.dtype for t in tensors]}")
    return tensors


def mat_mul(factors):
    assert all(x.ndim == 2 for x in factors), "onnxruntime rejects a batch of no rows times a vector"
    return numpy.matmul(*of_one_type(*factors))


def arg_max(inputs, axis, keepdims, select_last_index):
    (x,) = inputs
    assert axis == 1 and keepdims == 0
    return x.shape[1] - 1 - numpy.argmax(x[:, ::-1], axis=1) if select_last_index else numpy.argmax(x, axis=1)


def softmax(inputs, axis):
    (x,) = inputs
    powers = numpy.exp(x - x.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)


OPERATORS = {
    "MatMul": mat_mul,
    "Squeeze": lambda x: numpy.squeeze(x[0], axis=tuple(x[1])),
    "Add": lambda x: numpy.add(*of_one_type(*x)),
    "Mul": lambda x: numpy.multiply(*of_one_type(*x)),
    "Div": lambda x: numpy.divide(*of_one_type(*x)),
    "Max": lambda x: numpy.maximum(*of_one_type(*x)),
    "Min": lambda x: numpy.minimum(*of_one_type(*x)),
    "Less": lambda x: numpy.less(*of_one_type(*x)),
    "Greater": lambda x: numpy.greater(*of_one_type(*x)),
    "Not": lambda x: numpy.logical_not(x[0]),
    "Log": lambda x: numpy.log(x[0]),
    "Sqrt": lambda x: numpy.sqrt(x[0]),
    "Sigmoid": lambda x: 1 / (1 + numpy.exp(-x[0])),
    "Softmax": softmax,
    "Cast": lambda x, to: x[0].astype(TYPES[to]),
    "ReduceSum": lambda x, keepdims: numpy.sum(x[0], axis=tuple(x[1]), keepdims=bool(keepdims)),
    "Gather": lambda x, axis: numpy.take(x[0], x[1], axis=axis),
    "ArgMax": arg_max,
}


def evaluate(graph, x):
    values = {t.name: numpy_helper.to_array(t) for t in graph.initializer}
    (entry,) = graph.input
    shape = entry.type.tensor_type.shape.dim
    assert entry.type.tensor_type.elem_type == onnx.TensorProto.DOUBLE and shape[1].dim_value == x.shape[1]
    values[entry.name] = x
    for node in graph.node:
        (output,) = node.output
        values[output] = OPERATORS[node.op_type]([values[name] for name in node.input], **attributes(node))
    return {o.name: (o.type.tensor_type, values[o.name]) for o in graph.output}


def main():
    halfspace = common.Halfspace(sys.argv[1])
    for name, data, reading, unseen, header, how in common.cases(sys.argv[2], halfspace):
        model, exported = halfspace.path("model"), halfspace.path("model.onnx")
        halfspace.out("train", data, *reading, *how, "-q", "-o", model)
        halfspace.out("export", model, "-o", exported)
        parsed = onnx.load(exported)
        onnx.checker.check_model(parsed, full_check=True)
        features = json.loads({p.key: p.value for p in parsed.metadata_props}["features"])
        rows = common.libsvm_rows(unseen) if header is None else common.csv_rows(unseen, header)
        encoded = numpy.array(common.encoded(rows, features)).reshape(-1, len(features))
        outputs = evaluate(parsed.graph, encoded)
        assert {len(values) for _, values in evaluate(
            parsed.graph, numpy.zeros((0, len(features)))).values()} == {0}, name
        for declared, values in outputs.values():
            assert len(declared.shape.dim) == values.ndim, name
            assert declared.elem_type == onnx.TensorProto.STRING or values.dtype == TYPES[declared.elem_type], name
        labels = halfspace.predictions(model, unseen, *[f for f in reading if f == "--no-header"])
        found = outputs["label"][1]
        if found.dtype == numpy.int64:
            labels = [int(float(label)) for label in labels]
            found = found.tolist()
        else:
            found = [f.decode() if isinstance(f, bytes) else str(f) for f in found]
        common.same(found, labels, name)
        scores = outputs["score"][1]
        highest = scores if scores.ndim == 1 else scores.max(axis=1)
        flags = [f for f in reading if f == "--no-header"]
        common.close(highest.tolist(), map_floats(halfspace.predictions(model, unseen, "--scores", *flags)), name)
        assert ("probability" in outputs) == halfspace.is_calibrated(model, unseen, *flags), name
        if "probability" in outputs:
            lines = halfspace.predictions(model, unseen, "--probability", *flags)
            expected = [float(p) for line in lines for p in line.split()]
            common.close(outputs["probability"][1].ravel().tolist(), expected, name)
        print(f"{name}: {len(labels)} labels equal")


def map_floats(lines):
    return [float(line) for line in lines]


if __name__ == "__main__":
    main()
