"""The tutorial notebook runs from its first cell to its last, with the outputs that it shows.

HALFSPACE_WRITE_TUTORIAL=1 writes the outputs of this run into it.
"""

import ast
import contextlib
import io
import json
import os

import pytest

TUTORIAL = os.path.join(os.path.dirname(__file__), "..", "..", "docs", "python-tutorial.ipynb")


def output_of(source, names):
    """Runs a cell as a notebook does; returns what it prints, and the repr of a last expression."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(tree, TUTORIAL, "exec"), names)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), TUTORIAL, "eval"), names)
            if value is not None:
                print(repr(value))
    return printed.getvalue()


def test_tutorial(tmp_path, monkeypatch):
    pytest.importorskip("sklearn")
    pytest.importorskip("pandas")
    if not os.path.exists(TUTORIAL):
        pytest.skip("the package is tested without the repository")
    with open(TUTORIAL, encoding="utf-8") as file:
        notebook = json.load(file)
    monkeypatch.chdir(tmp_path)
    names, write = {}, os.environ.get("HALFSPACE_WRITE_TUTORIAL")
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert len(cells) >= 12
    for cell in cells:
        output = output_of("".join(cell["source"]), names)
        shown = "".join(line for part in cell["outputs"] for line in part["text"])
        if write:
            cell["outputs"] = [{"name": "stdout", "output_type": "stream",
                                "text": output.splitlines(keepends=True)}] if output else []
        else:
            assert output == shown, "".join(cell["source"])
    if write:
        with open(TUTORIAL, "w", encoding="utf-8") as file:
            json.dump(notebook, file, indent=1, ensure_ascii=False)
            file.write("\n")
