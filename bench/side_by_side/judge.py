"""How good what was learned is, and whether it is nonsense: every model is asked about rows it has not seen."""

import subprocess


def judge(row, inputs, work):
    """Sets accuracy or fault of every contender that wrote a model."""
    if not row.held_out:
        return
    truth = inputs.signs(row.held_out)
    constant = max(sum(truth), len(truth) - sum(truth)) / len(truth)
    for contender in row.contenders:
        if not contender.model or contender.fault or not contender.samples:
            continue
        out = work / "predictions"
        data = inputs.path(row.held_out.removesuffix("svm") + (row.form or contender.peer.form))
        out.unlink(missing_ok=True)
        command = [str(word) for word in contender.peer.predict(contender.model, data, out)]
        if subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False).returncode != 0:
            contender.fault = "its own model cannot be used: " + " ".join(command)
            continue
        guesses = contender.peer.predictions(out)
        if len(guesses) != len(truth):
            contender.fault = f"{len(guesses):,} predictions for {len(truth):,} rows"
            continue
        contender.accuracy = sum((guess > 0) == real for guess, real in zip(guesses, truth)) / len(truth)
        if contender.accuracy < constant:
            contender.note = f"{contender.note}, " * bool(contender.note) + f"no better than a constant ({constant:.1%})"
