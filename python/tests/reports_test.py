"""What runs say: texts byte for byte those of the command, pages, pictures, notebooks, progress."""

import copy
import html
import json
import pickle
import re
import signal
import subprocess
import sys
import threading
import types

import numpy as np
import pytest

import halfspace
from support import ESTIMATORS, command

DRAW = np.random.default_rng(3)
X = DRAW.normal(size=(500, 4))
Y = (X @ [1, -2, 0.5, 0] + 0.5 * DRAW.normal(size=500) > 0).astype(int)
FAST = halfspace.PassiveAggressiveClassifier


def write_table(path, x=X, y=Y, label="y"):
    rows = [",".join([f"c{j}" for j in range(x.shape[1])] + [label])]
    rows += [",".join([*map(repr, row), str(name)]) for row, name in zip(x.tolist(), y.tolist())]
    path.write_text("\n".join(rows) + "\n")
    return str(path)


@pytest.fixture
def table(tmp_path):
    return write_table(tmp_path / "rows.csv")


@pytest.fixture
def certifiable(tmp_path):
    """Files by the verdict that they have."""
    square = np.array([[1.0, 1], [-1, -1], [1, -1], [-1, 1]])
    return {"separable": write_table(tmp_path / "s.csv", square * [1, 3], np.array(["a", "b", "a", "b"])),
            "not separable": write_table(tmp_path / "n.csv", square, np.array(["a", "a", "b", "b"])),
            "one class": write_table(tmp_path / "o.csv", square, np.array(["a"] * 4))}


def text_of(*arguments):
    done = subprocess.run([command(), *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert done.returncode in (0, 1, 3), done.stderr
    return re.sub(r"  R's glm may warn .*\n", "", done.stdout)  # the command's hint at its own option


def json_of(page):
    return json.loads(re.search(r'<script type="application/json" id="run">(.*?)</script>', page, re.S)[1])


# ---- Texts ----


@pytest.mark.parametrize("options", [{}, {"rule": "pa1", "passes": 3, "holdout": 0.2}, {"folds": 4, "rule": "arow"},
                                     {"rule": "perceptron", "until": "clean", "seconds": 0.2}, {"preset": "averaged"},
                                     {"rule": "ftrl"}])
def test_the_ledger_is_the_commands(table, options):
    flags = [part for name, value in options.items() for part in (f"--{name}", str(value))]
    expected, text = text_of("train", table, "--quiet", *flags), halfspace.train(table, **options).report()
    if "seconds" in options:  # how far it comes differs
        expected, text = (re.sub(r"[\d,.]+", "N", one) for one in (expected, text))
    assert text == expected.replace("--holdout", "holdout")


def test_the_ledger_names_the_label_and_several_classes(tmp_path):
    path = write_table(tmp_path / "t.csv", y=np.array(["x", "y", "z"])[np.arange(500) % 3], label="kind")
    text = halfspace.train(path, rule="pa1").report()
    assert text == text_of("train", path, "--quiet", "--rule", "pa1").replace("--holdout", "holdout")
    assert "column 'kind', the last one" in text


def test_an_evaluation_is_the_commands(table, tmp_path):
    model = halfspace.train(table, rule="pa1")
    saved = str(tmp_path / "m.model")
    model.save(saved)
    for options, flags in (({}, []), ({"confidence": 0.5}, ["--confidence", "0.5"])):
        found = model.evaluate(table, **options)
        assert str(found) == text_of("evaluate", saved, table, *flags)
        assert dict(found) == json.loads(text_of("evaluate", saved, table, *flags, "--json"))
    assert isinstance(found, dict) and found["rows"] == 500
    for again in (copy.copy(found), pickle.loads(pickle.dumps(found))):
        assert again == found and str(again) == str(found)


@pytest.mark.parametrize("verdict", ["separable", "not separable", "one class"])
def test_a_verdict_is_the_commands(certifiable, tmp_path, verdict):
    path, saved = certifiable[verdict], str(tmp_path / "p.json")
    proof = halfspace.certify(path)
    assert str(proof) == text_of("certify", path)
    assert proof.separable == (verdict != "not separable")
    text_of("certify", path, "-o", saved)
    assert str(halfspace.verify(proof, path)) == text_of("verify", saved, path)
    wrong = certifiable["separable" if verdict != "separable" else "not separable"]
    assert str(halfspace.verify(proof, wrong)) == text_of("verify", saved, wrong)
    assert str(halfspace.verify(proof, wrong)).endswith("\nnot valid\n")


def test_no_verdict_names_the_option_of_python():
    proof = halfspace.certify(X, Y, seconds=1e-6)
    assert proof.separable is None and proof.certificate is None
    assert "more seconds may decide it" in str(proof) and "--" not in str(proof)


# ---- Pages ----


@pytest.mark.parametrize("passes", [1, 3])
def test_the_page_of_a_run_is_the_commands(table, tmp_path, passes):
    page = tmp_path / "page.html"
    text_of("train", table, "--rule", "pa1", "--passes", str(passes), "--report", str(page))
    expected = json_of(page.read_text())
    found = json_of(halfspace.train(table, rule="pa1", passes=passes, figures=True).page())
    for run in (expected, found):
        del run["seconds"]
    assert "plane" in found and found["figures"]["progress"]["rounds"][-1] == 500 * passes
    assert ("expected_upper" in found["figures"]["progress"]) == (passes == 1)
    assert expected.pop("invocation").startswith("halfspace train")
    for one, other in zip(expected.pop("notes"), found.pop("notes")):
        assert one["text"] == other["text"].replace("normalize column", "--normalize column")
    assert found == expected


def test_the_page_of_a_verdict_is_the_commands(certifiable, tmp_path):
    page = tmp_path / "page.html"
    for verdict in ("separable", "not separable"):
        text_of("certify", certifiable[verdict], "--report", str(page))
        expected, found = json_of(page.read_text()), json_of(halfspace.certify(certifiable[verdict]).page())
        for run in (expected, found):
            del run["seconds"], run["figures"]["bracket"]
            run.pop("invocation", None)
        assert found == expected and "points" in found["figures"]


def test_a_page_draws_curves_by_default():
    page = halfspace.train(X, Y, rule="pa1").page()
    assert "<figure" in page and "plane" not in json_of(page)


def test_a_page_in_a_notebook_is_the_page_escaped():
    y = np.where(Y == 1, "<script>alert(1)</script>", '"&\'')
    model = FAST().fit(X, y)
    for page, frame in ((model.model_.page(), model.model_._repr_html_()),
                        ((proof := halfspace.certify(X, y)).page(), proof._repr_html_())):
        srcdoc, = re.findall(r'srcdoc="([^"]*)"', frame)
        assert html.unescape(srcdoc) == page and "<" not in srcdoc
        assert "<script>alert" not in page
        assert frame.startswith("<iframe ") and frame.endswith("></iframe>") and 'sandbox="allow-scripts"' in frame
    shown = [model._repr_html_(), model._repr_mimebundle_()["text/html"], model.model_.evaluate(X, y)._repr_html_()]
    for text in shown:
        assert "<script>al" not in text and "&lt;script&gt;al" in text


# ---- Estimators ----


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_report_of_an_estimator(estimator, tmp_path):
    model = estimator().fit(X, Y)
    text = model.report_()
    assert text.startswith(
        "  new rows ") and "\n  data         500 rows, 4 features" in text and text == model.model_.report()
    path = tmp_path / "page.html"
    assert model.report_(path) == text
    assert path.read_text(encoding="utf-8") == model.model_.page()


def test_what_has_no_report_says_so(tmp_path):
    with pytest.raises(ValueError, match="not fitted"):
        FAST().report_()
    blockwise = FAST().partial_fit(X, Y, classes=[0, 1])
    unpickled = pickle.loads(pickle.dumps(FAST().fit(X, Y)))
    more = FAST().fit(X, Y).partial_fit(X, Y)
    path = tmp_path / "page.html"
    for model in (blockwise, unpickled, more):
        for ask in (model.report_, lambda: model.report_(path), model.plot_):
            with pytest.raises(halfspace.UsageError, match="no report.*keep report_"):
                ask()
        assert "<pre style" not in model._repr_html_()
    assert not path.exists()
    FAST().fit(X, Y).model_.save(tmp_path / "m.model")
    loaded = halfspace.load(tmp_path / "m.model")
    for ask in (loaded.report, loaded.page, loaded.plot):
        with pytest.raises(halfspace.UsageError, match="no report"):
            ask()
    assert loaded.result is None and "halfspace.Model" in loaded._repr_html_()


def test_in_a_notebook_scikit_learns_diagram_and_the_ledger():
    sklearn = pytest.importorskip("sklearn")
    model = FAST(passes=2)
    diagram = model._repr_html_()
    assert "sk-" in diagram and "<pre style" not in diagram
    model.fit(X, Y)
    shown = model._repr_html_()
    assert "sk-" in shown and html.escape(model.report_()) in shown
    assert html.escape(model.report_()) in model._repr_mimebundle_()["text/html"]
    with sklearn.config_context(display="text"):
        assert not hasattr(model, "_repr_html_")
        assert list(model._repr_mimebundle_()) == ["text/plain"]


# ---- Pictures ----


class Axes:
    """Axes that remember."""

    def __init__(self):
        self.calls = []

    def __getattr__(self, name):
        return lambda *given, **options: self.calls.append((name, given, options))

    def labelled(self):
        return {options["label"]: given for _, given, options in self.calls if "label" in options}


def test_plot_of_a_run():
    model = FAST(passes=4).fit(X, Y)
    ax = Axes()
    assert model.plot_(ax) is ax
    lines = ax.labelled()
    rounds, mistakes = lines["mistakes"]
    assert rounds[-1] == model.ledger_["rounds"] == 2000 and mistakes[-1] == model.ledger_["mistakes"]
    assert rounds == sorted(rounds) and mistakes == sorted(mistakes)
    bound, = lines[f"bound: {model.model_.result['bound']['theorem']}"]
    assert bound == model.model_.result["bound"]["value"] >= mistakes[-1]
    assert ("set_xlabel", ("rounds",), {}) in ax.calls
    assert set(halfspace.train(X, Y, rule="ftrl").plot(Axes()).labelled()) == {"errors", "always one class"}


def test_plot_of_a_verdict(certifiable):
    ax = Axes()
    assert halfspace.certify(certifiable["separable"]).plot(ax) is ax
    assert set(ax.labelled()) == {"a", "b", "the separator"}
    (x0, x1), (y0, y1) = ax.labelled()["the separator"]
    side = [np.sign((x1 - x0) * (y - y0) - (y1 - y0) * (x - x0)) for x, y in ((1, 3), (1, -3), (-1, 3), (-1, -3))]
    assert side[0] == side[1] == -side[2] == -side[3] != 0
    crossed = halfspace.certify(certifiable["not separable"]).plot(Axes()).labelled()
    assert set(crossed) == {"a", "b", "hull of a", "hull of b", "where they intersect"}
    assert crossed["where they intersect"] == ([0], [0])
    wide = halfspace.certify(X, Y).plot(Axes())
    assert ("set_xlabel", ("seconds",), {}) in wide.calls
    one = np.eye(4)
    with pytest.raises(halfspace.UsageError, match="nothing to draw"):
        halfspace.certify(np.vstack([one, one]), [0, 1] * 4, extra_seconds=0).plot(Axes())


def test_plot_without_matplotlib(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    for draw in (FAST().fit(X, Y).plot_, halfspace.certify(X[:, :2], Y).plot):
        with pytest.raises(ImportError, match="pip install matplotlib"):
            draw()


def test_plot_with_matplotlib():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    for draw in (FAST().fit(X, Y).plot_, halfspace.certify(X[:, :2], Y).plot, halfspace.certify(X, Y).plot):
        draw().figure.canvas.draw()


# ---- Progress ----


class Bar:
    """Stands for tqdm."""

    made = []

    def __init__(self, total, leave, bar_format):
        assert total == 100
        self.shown, self.closed, self.n, self.bar_format = [], False, 0, bar_format
        Bar.made.append(self)

    def set_description_str(self, desc, refresh):
        self.desc = desc

    def set_postfix_str(self, text, refresh):
        self.postfix = text

    def refresh(self):
        assert not self.closed
        self.shown.append((self.desc, self.n, self.postfix))

    def close(self):
        self.closed = True


@pytest.fixture
def tqdm(monkeypatch):
    Bar.made = []
    monkeypatch.setitem(sys.modules, "tqdm", types.ModuleType("tqdm"))
    auto = types.ModuleType("tqdm.auto")
    auto.tqdm = Bar
    monkeypatch.setitem(sys.modules, "tqdm.auto", auto)
    return Bar


@pytest.mark.parametrize("on_main_thread", [True, False])
def test_a_bar_of_tqdm(tqdm, on_main_thread):
    def fit():
        FAST(passes=8000, verbose=1).fit(X, Y)

    if on_main_thread:
        fit()
    else:
        thread = threading.Thread(target=fit)
        thread.start()
        thread.join()
    bar, = tqdm.made
    shares = [n for _, n, _ in bar.shown]
    assert bar.closed and 2 <= len(shares) <= 100 and shares == sorted(shares) and shares[-1] == 100
    stage, _, words = bar.shown[-1]
    assert stage == "training" and words.startswith("4,000,000 rounds, ") and words.endswith(" % wrong")


def test_a_bar_of_the_other_long_calls(tqdm, table):
    halfspace.train(table, progress=True)
    halfspace.certify(X, Y, progress=True)
    training, certifying = tqdm.made
    assert training.closed and training.shown[-1][:2] == ("training", 100)
    assert certifying.closed and len(certifying.shown) >= 1


def test_a_bar_is_closed_when_a_call_fails(tqdm):
    bad = X.copy()
    bad[7, 1] = np.nan
    with pytest.raises(halfspace.DataError):
        FAST(verbose=1).fit(bad, Y)
    assert all(bar.closed for bar in tqdm.made)


def test_ctrl_c_closes_the_bar(tqdm):
    model = FAST(passes=10**9, verbose=1)
    timer = threading.Timer(0.5, signal.raise_signal, [signal.SIGINT])
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            model.fit(X, Y)
    finally:
        timer.join()
    bar, = tqdm.made
    assert bar.closed and bar.shown[-1][1] < 100 and "rounds" in bar.shown[-1][2]
    assert re.search(r"stopped +interrupted", model.report_()) and model.score(X, Y) > 0.8


def test_a_line_without_tqdm(monkeypatch, capfd):
    monkeypatch.setitem(sys.modules, "tqdm", None)
    FAST(passes=2, verbose=1).fit(X, Y)
    out, err = capfd.readouterr()
    assert out == "" and err.endswith("\n")
    assert re.match(r"training: 100 %, 1,000 rounds, [\d.]+ % wrong *$", err.rstrip("\n").split("\r")[-1])


def test_silent_by_default(tqdm, capfd, table):
    FAST().fit(X, Y)
    FAST(verbose=0).fit(table)
    halfspace.train(X, Y, rule="pa1")
    halfspace.certify(X, Y)
    assert capfd.readouterr() == ("", "") and tqdm.made == []


def test_verbose_is_a_parameter():
    pytest.importorskip("sklearn")
    from sklearn.base import clone

    model = clone(FAST(verbose=1))
    assert model.get_params()["verbose"] == 1 and FAST().get_params()["verbose"] == 0
    assert "verbose : int" in FAST.__doc__
    assert (FAST(verbose=0).fit(X, Y).coef_ == FAST().fit(X, Y).coef_).all()
