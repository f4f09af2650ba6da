"""What `halfspace predict` gives for each row of a file."""

import json
import struct


def bits(value):
    return struct.pack("<d", value + 0.0)  # a zero of either sign is one


def predicted(halfspace, model, data):
    """Returns (label, score, probability or None) of each row."""
    rows = []
    calibrated = halfspace.is_calibrated(model, data)
    lines = halfspace.predictions(model, data, "--scores", "--as", "jsonl")
    more = halfspace.predictions(model, data, "--probability", "--as", "jsonl") if calibrated else [None] * len(lines)
    for line, other in zip(lines, more, strict=True):
        row = json.loads(line)
        score = row["score"] if "score" in row else row["score:" + row["prediction"]]
        probability = None
        if other is not None:
            by_class = {key: value for key, value in json.loads(other).items() if key.startswith("probability")}
            first = next(iter(by_class.values()))
            probability = first if len(by_class) == 1 else by_class["probability:" + row["prediction"]]
        rows.append((row["prediction"], float(score), probability))
    return rows
