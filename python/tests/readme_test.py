"""The examples of README.md run."""

import os
import re

import pytest

README = os.path.join(os.path.dirname(__file__), "..", "README.md")
EXAMPLES = os.path.join(os.path.dirname(__file__), "..", "..", "examples")

with open(README) as file:
    BLOCKS = re.findall(r"```python\n(.*?)```", file.read(), re.S)


@pytest.mark.parametrize("block", BLOCKS)
def test_block(block, tmp_path, monkeypatch):
    if "sklearn" in block:
        pytest.importorskip("sklearn")
    if "pandas" in block:
        pytest.importorskip("pandas")
    os.symlink(os.path.join(os.path.abspath(EXAMPLES), "credit.csv"), tmp_path / "credit.csv")
    monkeypatch.chdir(tmp_path)
    exec(compile(block.replace("seconds=10", "seconds=1"), README, "exec"), {})


def test_the_block_of_the_main_readme():
    path = os.path.join(os.path.dirname(__file__), "..", "..", "README.md")
    if not os.path.exists(path):
        pytest.skip("the package is tested without the repository")
    datasets = pytest.importorskip("sklearn.datasets")
    with open(path) as file:
        block = re.findall(r"```py\n(.*?)```", file.read(), re.S)
    X, y = datasets.load_breast_cancer(return_X_y=True)
    names = {"X": X, "y": y, "X_new": X[:5]}
    exec(compile(block[0], path, "exec"), names)
    assert names["model"].score(X, y) > 0.9 and names["spam"].predict_one({"links": 3}) is True
