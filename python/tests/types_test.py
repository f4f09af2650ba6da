"""Type stubs: those of tools/make-stubs, and what a strict type checker makes of them."""

import ast
import os
import subprocess
import sys

import pytest

import halfspace
from halfspace import _native as native

HERE = os.path.dirname(os.path.abspath(__file__))
USE = os.path.join(HERE, "typed_use.py")

WRONG = """import halfspace
halfspace.AROWClassifier(gamma=1)
halfspace.AROWClassifier(rule="perceptron")
halfspace.train("a.csv", rule="no such rule")
halfspace.train("a.csv", passes="three")
halfspace.FTRLClassifier(alpha="much")
halfspace.LinearSVC(loss="logistic")
halfspace.LogisticRegression(penalty="l1")
halfspace.LogisticRegression("l2", 1.0)
halfspace.LinearSVC().partial_fit([[1.0]], [1])
halfspace.certify("a.csv", folds=3)
halfspace.load(3)
halfspace.load("a.model").predict("a.csv", passes=3)
halfspace.load("a.model").to_onnx().encode()
halfspace.OnlineClassifier().learn_one([1, 2], True)
halfspace.OnlineClassifier().learn_one({"a": [1]}, True)
halfspace.verify(halfspace.certify("a.csv"), 3)
halfspace.from_sklearn()
halfspace.separation("a.csv", intercept="no")
halfspace.separation("a.csv").finite["age"]
halfspace.Client(port=8080)
halfspace.Client().predict(3)
halfspace.Client().learn("1 1:1").label
halfspace.Nothing
"""


@pytest.fixture(scope="module")
def stubs(tmp_path_factory):
    """Returns a folder with the package of stubs that the generator writes."""
    package = tmp_path_factory.mktemp("stubs") / "halfspace"
    package.mkdir()
    subprocess.run([sys.executable, "-B", os.path.join(HERE, "..", "..", "tools", "make-stubs"), package], check=True)
    (package / "py.typed").touch()
    return package.parent


def test_wheel_has_the_stubs_of_the_generator(stubs):
    installed = os.path.dirname(halfspace.__file__)
    if not os.path.isdir(os.path.join(installed, "_libs")):
        pytest.skip("the package is not that of a wheel")
    written = {path.name: path.read_text() for path in (stubs / "halfspace").glob("*.pyi")}
    assert written.keys() == {name for name in os.listdir(installed) if name.endswith(".pyi")}
    assert "py.typed" in os.listdir(installed)
    for name, text in written.items():
        with open(os.path.join(installed, name)) as file:
            assert file.read() == text, name


def test_stubs_have_every_public_name_and_option(stubs):
    tree = ast.parse((stubs / "halfspace" / "__init__.pyi").read_text())
    defined = {node.name: node for node in tree.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
    assert sorted(set(halfspace.__all__) - defined.keys()) == []
    for command in ("train", "certify", "compare"):
        options = {option["name"].replace("-", "_") for option in native.describe(command)}
        keywords = {argument.arg for argument in defined[command].args.args + defined[command].args.kwonlyargs}
        assert sorted(options - keywords) == [], command


def mypy(path, stubs, tmp_path):
    pytest.importorskip("mypy")
    environment = dict(os.environ, MYPYPATH=str(stubs))
    return subprocess.run([sys.executable, "-m", "mypy", "--strict", "--no-error-summary", "--hide-error-context",
                           "--python-executable", sys.executable, "--cache-dir", tmp_path / "cache", path],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment, cwd=tmp_path)


def test_every_public_name_is_used():
    with open(USE) as file:
        tree = ast.parse(file.read())
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    names |= {node.attr for node in ast.walk(tree)
              if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "halfspace"}
    assert sorted(set(halfspace.__all__) - names) == [], "use them in typed_use.py"


def test_strict_types_accept_the_use(stubs, tmp_path):
    checked = mypy(USE, stubs, tmp_path)
    assert checked.returncode == 0, checked.stdout


def test_strict_types_reject_misuse(stubs, tmp_path):
    path = tmp_path / "wrong.py"
    path.write_text(WRONG)
    checked = mypy(path, stubs, tmp_path)
    lines = {int(line.split(":")[1]) for line in checked.stdout.splitlines() if ": error:" in line}
    assert lines == set(range(2, WRONG.count("\n") + 1)), checked.stdout


def test_the_use_runs():
    pytest.importorskip("sklearn")
    import typed_use

    typed_use.main()
