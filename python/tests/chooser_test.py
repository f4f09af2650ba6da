"""Choosers in the process and over HTTP: the same answers, a log that goes on, errors that say what is wrong."""

import os
import re
import subprocess

import pytest

import halfspace


@pytest.fixture(params=["process", "http"])
def opened(request, tmp_path):
    """Returns a function that opens a chooser with these options."""
    running = []

    def open_one(**options):
        if request.param == "process":
            running.append(halfspace.Chooser(tmp_path / "log", **options))
            return running[-1]
        words = [os.environ["HALFSPACE_COMMAND"], "choose", "--log", str(tmp_path / "log"), "--port", "0"]
        for name, value in options.items():
            words += ["--" + name.replace("_", "-"), ",".join(value) if isinstance(value, list) else str(value)]
        service = subprocess.Popen(words, stderr=subprocess.PIPE, text=True)
        running.append(service)
        for line in service.stderr:
            if found := re.match(r"listening on (\S+),", line):
                return halfspace.ChooserClient(found[1])
        raise AssertionError

    yield open_one
    for one in running:
        if isinstance(one, subprocess.Popen):
            one.kill()
            one.wait()
            one.stderr.close()


def test_learns_and_proves(opened):
    chooser = opened(policies=["squarecb", "first", "uniform"], run="squarecb", seed=3)
    for i in range(400):
        choice = chooser.rank({"a": {"sport": 1}, "b": {"news": 1}}, {"hour": i % 2}, event=f"v{i}")
        assert sum(choice.probabilities.values()) == pytest.approx(1)
        chooser.reward(choice, float(choice.action == "ab"[i % 2]))
    found = {one["name"]: one for one in chooser.policies()["policies"]}
    assert found["squarecb"]["gain"]["lower"] <= 0 <= found["squarecb"]["gain"]["upper"]
    assert found["squarecb"]["value"]["lower"] > found["uniform"]["value"]["value"]
    assert chooser.ledger()["rewards"] == 400
    assert chooser.settings()["seed"] == 3
    chooser.run("first")
    assert chooser.ledger()["run"] == "first"


def test_the_same_request_is_answered_as_before(opened):
    chooser = opened()
    first = chooser.rank(["a", "b"], event="x/ y")
    assert chooser.rank(["a", "b"], event="x/ y") == first
    chooser.reward(first, 1)
    chooser.reward("x/ y", 0)
    assert chooser.ledger()["reward"] == 1


def test_excluded_and_deferred(opened):
    chooser = opened()
    choice = chooser.rank(["a", "b", "c"], excluded=["a", "b"], deferred=True)
    assert choice.action == "c"
    assert choice.probabilities == {"a": 0, "b": 0, "c": 1}
    chooser.activate(choice)


def test_errors(opened):
    chooser = opened()
    error = (halfspace.HalfspaceError, halfspace.ServiceError)
    for wrong in ([], {"a": {"x": 1e300}}, {"": None}):
        with pytest.raises(error):
            chooser.rank(wrong)
    with pytest.raises(error, match="no choice"):
        chooser.reward("nobody", 1)
    with pytest.raises(error, match="outside"):
        chooser.reward(chooser.rank(["a"]), 2)
    with pytest.raises(error, match="none of those"):
        chooser.run("best")
    assert chooser.ledger()["rewards"] == 0


def test_a_log_goes_on(tmp_path):
    with halfspace.Chooser(tmp_path / "log", seed=5) as chooser:
        choice = chooser.rank(["a", "b"])
        with pytest.raises(halfspace.HalfspaceError):
            halfspace.Chooser(tmp_path / "log")  # another has it open
    with halfspace.Chooser(tmp_path / "log") as chooser:
        chooser.reward(choice, 1)
    with pytest.raises(halfspace.UsageError, match="other options"):
        halfspace.Chooser(tmp_path / "log", seed=6)
    with pytest.raises(halfspace.UsageError, match="no option"):
        halfspace.Chooser(tmp_path / "other", policy="first")
    with pytest.raises(halfspace.UsageError, match="closed"):
        chooser.ledger()


def test_a_frame(tmp_path):
    pandas = pytest.importorskip("pandas")
    with halfspace.Chooser(tmp_path / "log", policies=["first", "uniform"]) as chooser:
        frame = chooser.frame()
    assert isinstance(frame, pandas.DataFrame)
    assert list(frame.index) == ["first", "uniform", "exp4"]
    assert list(frame.columns)[:3] == ["value", "value_lower", "value_upper"]
