"""Exported PMML, run by a small evaluator of the parts of PMML 4.4 that it uses, predicts what halfspace predict does: from
the columns of the CSV file as they are.

usage: pmml_test.py COMMAND SOURCE_TREE
"""

import math
import sys
import xml.etree.ElementTree as xml

import common

NAMESPACE = {"p": "http://www.dmg.org/PMML-4_4"}


def find(node, path):
    return node.findall("/".join("p:" + part for part in path.split("/")), NAMESPACE)


def local(node):
    return node.tag.split("}")[1]


FUNCTIONS = {
    "+": lambda a, b: a + b,
    "*": lambda a, b: a * b,
    "-": lambda a, b: a - b,
    "/": lambda a, b: a / b,
    "max": max,
    "min": min,
    "ln": math.log,
    "exp": lambda a: math.inf if a > 709 else math.exp(a),
    "greaterOrEqual": lambda a, b: a >= b,
    "greaterThan": lambda a, b: a > b,
    "isMissing": lambda a: a is None,
}


def value(node, fields):
    """An expression of PMML; None is a missing value."""
    kind = local(node)
    if kind == "FieldRef":
        return fields[node.get("field")]
    if kind == "Constant":
        return node.text or "" if node.get("dataType") == "string" else float(node.text)
    assert kind == "Apply", kind
    name = node.get("function")
    if name == "if":
        return value(node[1] if value(node[0], fields) else node[2], fields)
    return FUNCTIONS[name](*(value(argument, fields) for argument in node))


class Model:
    def __init__(self, path):
        root = xml.parse(path).getroot()
        assert root.get("version") == "4.4"
        (self.model,) = find(root, "RegressionModel")
        order = ["MiningSchema", "Output", "LocalTransformations", "RegressionTable"]
        places = [order.index(local(child)) for child in self.model]
        assert places == sorted(places), "the parts of a model have an order"
        self.fields = {f.get("name"): f for f in find(root, "DataDictionary/DataField")}
        assert len(self.fields) == len(find(root, "DataDictionary/DataField"))
        self.inputs = [self.input(f) for f in find(self.model, "MiningSchema/MiningField")
                       if f.get("usageType") != "target"]
        self.derived = find(self.model, "LocalTransformations/DerivedField")
        self.tables = find(self.model, "RegressionTable")
        self.outputs = find(self.model, "Output/OutputField")

    def input(self, mining):
        """Name, type, texts of missing values, and what stands for them, of a field that is read."""
        field = self.fields[mining.get("name")]
        missing = {v.get("value") for v in find(field, "Value") if v.get("property") == "missing"}
        return mining.get("name"), field.get("dataType"), missing, mining.get("missingValueReplacement")

    def predict(self, row):
        fields = {}
        for name, kind, missing, replacement in self.inputs:
            given = row.get(name, "")
            if isinstance(given, str):
                given = None if given in missing else given
            if given is None:
                given = replacement
            if given is not None and kind == "double":
                given = float(given)
            fields[name] = given
        for derived in self.derived:
            assert derived.get("name") not in fields
            fields[derived.get("name")] = value(derived[0], fields)
        scores = []
        for table in self.tables:
            terms = [float(table.get("intercept"))]
            for predictor in table:
                given = fields[predictor.get("name")]
                if local(predictor) == "NumericPredictor":
                    terms.append(float(predictor.get("coefficient")) * given)
                elif given == predictor.get("value"):
                    terms.append(float(predictor.get("coefficient")))
            scores.append((math.fsum(terms), table.get("targetCategory")))
        if self.model.get("functionName") == "classification":
            assert self.model.get("normalizationMethod") == "none"
            best = max(score for score, _ in scores)
            return {"label": next(category for score, category in scores if score == best), "score": best}
        results = {}
        for output in self.outputs:
            name = output.get("name")
            fields[name] = scores[0][0] if output.get("feature") == "predictedValue" else value(output[0], fields)
            results[name] = fields[name]
        return results


def main():
    halfspace = common.Halfspace(sys.argv[1])
    refused = {"rows": "divided by its norm", "single": "single precision", "tenths": "single precision"}
    for name, data, reading, unseen, header, how in common.cases(sys.argv[2], halfspace):
        model, exported = halfspace.path("model"), halfspace.path("model.pmml")
        halfspace.out("train", data, *reading, *how, "-q", "-o", model)
        if name in refused:
            result = halfspace.run("export", model, "-o", halfspace.path("never.pmml"))
            assert result.returncode == 2 and refused[name] in result.stderr and "fix: export to ONNX" in result.stderr, name
            continue
        halfspace.out("export", model, "-o", exported)
        reader = Model(exported)
        rows = common.libsvm_rows(unseen) if header is None else common.csv_rows(unseen, header)
        results = [reader.predict(row) for row in rows]
        flags = [f for f in reading if f == "--no-header"]
        common.same([r["label"] for r in results], halfspace.predictions(model, unseen, *flags), name)
        scores = halfspace.predictions(model, unseen, "--scores", *flags)
        common.close([r["score"] for r in results], [float(s) for s in scores], name)
        calibrated = any("probability" in r for r in results)
        with open(exported, encoding="utf-8") as file:
            several = 'functionName="regression"' not in file.read()
        assert calibrated == (not several and halfspace.is_calibrated(model, unseen, *flags)), name
        if calibrated:
            expected = halfspace.predictions(model, unseen, "--probability", *flags)
            common.close([r["probability"] for r in results], [float(p) for p in expected], name)
        print(f"{name}: {len(results)} labels equal")


if __name__ == "__main__":
    main()
