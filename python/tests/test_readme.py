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
    os.symlink(os.path.join(os.path.abspath(EXAMPLES), "credit.csv"), tmp_path / "credit.csv")
    monkeypatch.chdir(tmp_path)
    exec(compile(block.replace("seconds=10", "seconds=1"), README, "exec"), {})
