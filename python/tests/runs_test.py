"""Experts, games and labs from Python: what the command gives, and how it ends."""

import html
import json
import os
import pickle
import random
import signal
import subprocess
import sys
import threading
import time
import types

import pytest

import halfspace
from halfspace import DataError, NoInputError, Run, UsageError
from halfspace import _runs as runs
from halfspace._command import program

pytestmark = pytest.mark.skipif(program() is None, reason="the command is not there")

LOSSES = [{"left": (3 * t % 7) / 7, "right": (t % 5) / 5, "none": 0.61} for t in range(300)]


def command(*arguments):
    return subprocess.run([program(), *arguments], check=True, stdout=subprocess.PIPE).stdout


@pytest.fixture
def losses(tmp_path):
    """Returns a CSV of LOSSES."""
    path = tmp_path / "losses.csv"
    path.write_text("left,right,none\n" + "".join(",".join(map(repr, row.values())) + "\n" for row in LOSSES))
    return path


def comparable(result):
    return {name: value for name, value in result.items() if name != "invocation"}


@pytest.mark.parametrize("name, options, flags", [
    ("experts", {"losses": True}, ["--losses"]),
    ("experts", {"losses": True, "algorithm": "hedge", "rate": 0.1},
     ["--losses", "--algorithm", "hedge", "--rate", "0.1"]),
    ("experts", {"gains": True, "range": (-1, 2), "columns": ["left", "none"], "seed": None, "rises": False},
     ["--gains", "--range=-1,2", "--columns", "left,none"]),
    ("bandit", {"repeat": 3}, ["--repeat", "3"]),
    ("bandit", {"algorithm": "exp3-ix", "seed": 7}, ["--algorithm", "exp3-ix", "--seed", "7"]),
])
def test_a_game_is_the_commands(losses, name, options, flags):
    run = getattr(halfspace, name)(losses, **options)
    assert isinstance(run, Run) and run.command == name and run.status == 0 and run.holds is None
    assert str(run).encode() == command(name, str(losses), *flags)
    printed = json.loads(command(name, str(losses), *flags, "--json", "--figures"))
    assert comparable(run.result) == comparable(printed)
    assert run.result["invocation"].startswith(f"halfspace {name} {losses}")
    assert run.result["path"]["rounds"][-1] == 300
    assert "save-run" not in run.result["invocation"]
    rows = getattr(halfspace, name)(LOSSES, **options)
    assert str(rows) == str(run) and comparable(rows.result) == comparable(run.result)
    assert rows.result["invocation"] == run.result["invocation"].replace(str(losses), "table.csv")


def test_a_lab_is_the_commands():
    run = halfspace.lab("halving")
    assert str(run).encode() == command("lab", "halving")
    assert run.holds is True and run.status == 0 and run.result["holds"]
    assert repr(run) == "<halfspace.Run of lab: halving, holds>"
    assert halfspace.lab("tightness", n=8).result["invocation"] == "halfspace lab tightness --n=8"


def test_a_lab_reads_data_and_writes_results(tmp_path):
    data = tmp_path / "class.csv"
    data.write_text("a,b\n0,0\n0,1\n1,0\n1,1\n")
    run = halfspace.lab("ldim", data)
    assert str(run).encode() == command("lab", "ldim", str(data))


def test_a_claim_that_fails():
    run = halfspace.lab("single-point", n=100, seed=421)
    assert (run.status, run.holds, run.result["holds"]) == (1, False, False)
    assert "DID NOT HOLD" in str(run) and repr(run).endswith("does not hold>")


def test_notes_of_a_run(tmp_path):
    path = tmp_path / "bare.csv"
    path.write_text("0.5,0.25\n0.75,1\n")
    noted = subprocess.run([program(), "experts", path, "--losses"],
                           stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert halfspace.experts(path, losses=True).notes == noted.stderr.replace("--header", "header") != ""


def test_pages_are_those_of_the_command(losses, tmp_path):
    for run in (halfspace.experts(losses, losses=True), halfspace.bandit(LOSSES), halfspace.lab("regret", n=100)):
        page = run.page()
        saved, drawn = tmp_path / "run.json", tmp_path / "page.html"
        saved.write_text(json.dumps(run.result))
        command("report", str(saved), "-o", str(drawn))
        assert page == drawn.read_text()
        assert page.startswith("<!DOCTYPE html>") and "<svg" in page
        frame = run._repr_html_()
        assert frame.startswith("<iframe ") and frame.endswith("</iframe>")
        source = frame.split('srcdoc="')[1].split('"')[0]
        assert html.unescape(source) == page and "<" not in source
    assert halfspace.bandit(LOSSES).page().count("halfspace bandit table.csv")


def test_a_page_is_that_of_report(losses, tmp_path):
    """Numbers that went through Python are drawn as the command draws its own."""
    path, saved = tmp_path / "own.html", tmp_path / "own.json"
    command("experts", str(losses), "--losses", "--report", str(path), "--save-run", str(saved))
    run = halfspace.experts(losses, losses=True)
    run.result["invocation"] = json.loads(saved.read_text())["invocation"]
    assert run.page() == path.read_text()


def test_a_run_is_kept():
    run = halfspace.lab("halving")
    assert pickle.loads(pickle.dumps(run)) == run
    assert run.to_dict() == {"command": "lab", "result": run.result, "status": 0, "text": run.text, "notes": run.notes}
    with pytest.raises(AttributeError):
        run.status = 1


# ---- Tables ----


def written(table, tmp_path):
    path = tmp_path / "written.csv"
    runs._write_table(table, str(path))
    return path.read_text()


def test_every_double_reads_back_the_same(tmp_path):
    draw = random.Random(3)
    numbers = [0.1, 1 / 3, 5e-324, 1.7976931348623157e308, -0.0, 1e22, 2**53 + 2.0, 1e-5]
    numbers += [draw.random() * 10.0 ** draw.randrange(-30, 30) for _ in range(500)]
    lines = written([[number, -number] for number in numbers], tmp_path).splitlines()[1:]
    assert [[float(cell).hex() for cell in line.split(",")] for line in lines] == \
        [[number.hex(), (-number).hex()] for number in numbers]
    # And as the command reads them: the loss of an expert is its only cell.
    for number in [draw.random() for _ in range(20)]:
        assert halfspace.experts([[number]], losses=True).result["experts"][0]["loss"] == number


def test_rows_of_every_kind_are_one_table(tmp_path):
    numpy, pandas = pytest.importorskip("numpy"), pytest.importorskip("pandas")
    rows = [[0.1, 1.0], [0.30000000000000004, 0.0]]
    expected = '"0","1"\n0.1,1.0\n0.30000000000000004,0.0\n'
    array = numpy.array(rows)
    for table in (rows, [tuple(row) for row in rows], array, numpy.asfortranarray(array), array[::-1][::-1],
                  [array[0], array[1]], pandas.DataFrame(array), [{0: 0.1, 1: 1.0}, {1: 0.0, 0: 0.30000000000000004}]):
        assert written(table, tmp_path) == expected
    assert written(array.astype(numpy.float32), tmp_path) == \
        f'"0","1"\n{float(numpy.float32(0.1))!r},1.0\n{float(numpy.float32(0.3))!r},0.0\n'
    frame = pandas.DataFrame({"a": [1, 2], "b": [0.5, None], "c": ["x", 'say "so", then'], "d": [True, False],
                              "e": pandas.array([1, None], dtype="Int64"),
                              "f": pandas.to_datetime(["2020-01-01", None])})
    assert written(frame, tmp_path) == ('"a","b","c","d","e","f"\n1,0.5,"x",1,1,"2020-01-01 00:00:00"\n'
                                        '2,,"say ""so"", then",0,,\n')
    assert written([{"a": 1}, {"b": None, "c": numpy.float64("nan")}, {"a": numpy.int8(3), "b": numpy.True_}],
                   tmp_path) == '"a","b","c"\n1,,\n,,\n3,1,\n'


def test_arms_of_an_array():
    numpy = pytest.importorskip("numpy")
    assert halfspace.Bandit(numpy.int64(3)).arms == range(3)
    named = halfspace.Bandit(numpy.array([5, 7]))
    named.update(named.pull(), loss=numpy.float32(0.5))
    named.update(named.pull(), reward=numpy.bool_(True))
    assert halfspace.Bandit.from_bytes(named.to_bytes()).arms == [5, 7]


def test_missing_losses_sleep():
    run = halfspace.experts([{"a": 0.5, "b": 0.25}, {"b": 0.5}, {"a": float("nan"), "b": 1}], losses=True)
    assert run.result["asleep"] == 2
    assert [expert["rounds"] for expert in run.result["experts"]] == [1, 3]
    assert halfspace.experts([{"a": 0.5}, {"a": None}], losses=True).result["asleep"] == 1


def test_names_and_labels_are_kept():
    names = ["a,b", 'say "so"', "tab\there", "#", "é", " padded", "1.5"]
    run = halfspace.experts([dict.fromkeys(names, 0.5)] * 2, losses=True)
    assert [expert["name"] for expert in run.result["experts"]] == names
    rows = [{"tom": word, "won": word} for word in ("yes; no", "#no")] * 5
    assert halfspace.experts(rows, outcome="won").result["best"] == {"name": "tom", "loss": 0.0}


def test_a_log_in_memory():
    rows = [{"action": "ab"[t % 2], "reward": t % 2, "propensity": 0.5} for t in range(100)]
    run = halfspace.bandit(rows, logged=True)
    assert run.result["best"]["name"] == "b"
    with pytest.raises(UsageError, match="no regret"):
        run.plot()


@pytest.mark.parametrize("table, error, words", [
    ([], UsageError, "no columns"),
    ([[]], UsageError, "no columns"),
    ([[1, 2], [3]], DataError, "row 2 of the table has 1 values, not 2"),
    ([[0.5, float("inf")]], DataError, "row 1 of the table, column 1: inf"),
    ([{"a": "x\ny"}], DataError, "row 1 of the table, column 'a'.*line break"),
    ([{"x\ny": 1}], DataError, "line break"),
    ([{"a": 0.5}, [0.5]], TypeError, "row 1 of the table is a dict"),
    ({"a": [0.5]}, TypeError, "dict"),
    (7, TypeError, "int"),
    (["a.csv", "b.csv"], TypeError, "row 1 of the table is a str"),
    ([[0.5], [0.25], [1.5]], DataError, "row 3 of the table: 1.5 in column '0' is not from 0 to 1"),
    ([["word"]], DataError, "row 1 of the table: "),
])
def test_tables_that_are_none(table, error, words):
    with pytest.raises(error, match=words) as caught:
        halfspace.experts(table, losses=True)
    assert "/" not in str(caught.value), "no name of a temporary file"


def test_arrays_that_are_no_table():
    numpy, sparse = pytest.importorskip("numpy"), pytest.importorskip("scipy.sparse")
    with pytest.raises(ValueError, match="1 dimensions"):
        halfspace.bandit(numpy.zeros(3))
    with pytest.raises(TypeError, match="toarray"):
        halfspace.bandit(sparse.csr_matrix(numpy.eye(2)))


# ---- Errors ----


def test_errors_have_their_kinds_and_places(tmp_path):
    path = tmp_path / "bad.csv"
    path.write_text("a,b\n0.5,1\n0.5,7\n")
    with pytest.raises(DataError) as caught:
        halfspace.bandit(str(path))
    error = caught.value
    assert (error.kind, error.file, error.line) == (65, str(path), 3) and error.column > 0
    assert error.message.startswith("7 in column 'b' is not from 0 to 1") and "range" in error.fix
    assert isinstance(error, ValueError)
    with pytest.raises(NoInputError) as caught:
        halfspace.experts(tmp_path / "gone.csv", losses=True)
    assert caught.value.file == str(tmp_path / "gone.csv")
    with pytest.raises(UsageError, match="no value of algorithm"):
        halfspace.experts(path, losses=True, algorithm="nobody")
    with pytest.raises(UsageError, match="no option 'no_such'"):
        halfspace.lab("halving", no_such=1)
    with pytest.raises(UsageError):
        halfspace.lab("nothing")
    with pytest.raises(UsageError, match="ldim needs data"):
        halfspace.lab("ldim")
    with pytest.raises(UsageError, match="rate does nothing with algorithm soa"):
        halfspace.experts(path, losses=True, algorithm="soa", rate=1)
    with pytest.raises(UsageError):
        halfspace.bandit(LOSSES, live=True)
    with pytest.raises(UsageError, match="zero byte"):
        halfspace.lab("halving\0")
    with pytest.raises(NoInputError):
        halfspace.experts("-", losses=True)  # a file of this name, not standard input
    with pytest.raises(TypeError):
        halfspace.lab(7)


def test_runs_need_no_command(monkeypatch):
    monkeypatch.setattr(subprocess, "Popen", None)
    monkeypatch.setenv("HALFSPACE_COMMAND", "/nowhere")
    assert halfspace.lab("halving").page() and halfspace.bandit(LOSSES).page()


# ---- Ctrl-C ----


@pytest.mark.parametrize("run", [
    lambda: halfspace.bandit(LOSSES, repeat=1_000_000),
    *(lambda name=name, n=n: halfspace.lab(name, n=n) for name, n in [
        ("minnow", 1_000_000), ("analysts", 100_000), ("exploration", 200_000), ("single-point", 10_000_000),
        ("regret", 1_000_000), ("tails", 100_000), ("margin-size", 100_000), ("doubling", 10_000_000),
        ("averaged", 10_000), ("pocket", 5_000), ("all", None)]),
])
def test_ctrl_c_ends_a_run(run):
    timer = threading.Timer(0.2, signal.raise_signal, [signal.SIGINT])
    started = time.monotonic()
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        run()
    timer.join()
    assert time.monotonic() - started < 20


# ---- Plots ----


class Axes:
    """Keeps what is drawn, as matplotlib's would draw it."""

    def __init__(self):
        self.lines, self.said = [], {}

    def plot(self, x, y, **how):
        assert len(x) == len(y)
        how.setdefault("color", f"C{len(self.lines)}")
        self.lines.append((list(x), list(y), how))
        return [types.SimpleNamespace(get_color=lambda: how["color"])]

    def __getattr__(self, name):
        if not name.startswith(("set_", "legend")):
            raise AttributeError(name)
        return lambda *arguments: self.said.update({name: arguments})


def test_plot_of_a_game():
    run, ax = halfspace.bandit(LOSSES), Axes()
    assert run.plot(ax) is ax
    players = run.result["algorithms"]
    assert len(ax.lines) == 2 * len(players) > 4
    for player, (x, y, how), (rounds, bounds, dashed) in zip(players, ax.lines[::2], ax.lines[1::2]):
        assert (x, y) == (player["path"]["rounds"], player["path"]["observed"])
        assert how["label"] == player["algorithm"] and dashed["label"] == player["algorithm"] + ", bound"
        assert dashed["linestyle"] == "--" and dashed["color"] == how["color"]
        assert rounds[-1] == 300 and bounds[-1] == player["bound"]["value"]
        assert len(bounds) == (len(x) if "bound" in player["path"] else 2)
    assert ax.said["set_xlabel"] == ("rounds",) and "regret" in ax.said["set_ylabel"][0]
    one = Axes()
    halfspace.experts(LOSSES, losses=True, algorithm="hedge").plot(one)
    assert len(one.lines) == 2
    assert one.lines[0][1][-1] < one.lines[1][1][-1], "the regret is below its bound"


def test_plot_of_a_lab():
    run, ax = halfspace.lab("regret", n=200), Axes()
    run.plot(ax)
    figure, rows = run.result["figure"], run.result["rows"]
    groups = len({row[figure["by"]] for row in rows}) if "by" in figure else 1
    assert len(ax.lines) == groups * (len(figure["lines"]) + len(figure["bounds"]))
    drawn = [y for _, y, _ in ax.lines]
    first = [row[figure["lines"][0]] for row in rows
             if "by" not in figure or row[figure["by"]] == rows[0][figure["by"]]]
    assert drawn[0] == first
    for x, measured, bound in ((line[0], line[1], other[1]) for line, other in zip(ax.lines[::2], ax.lines[1::2])):
        assert all(value <= most for value, most in zip(measured, bound))
    assert ax.said["set_xlabel"] == (figure["x"],)


def test_every_lab_with_a_figure_is_plotted():
    for name in ("analysts", "bias", "minnow", "halving", "cycling", "knn"):
        run = halfspace.lab(name)
        if run.result.get("figure"):
            run.plot(Axes())
        else:
            with pytest.raises(UsageError, match="nothing to plot"):
                run.plot(Axes())


def test_plot_needs_matplotlib(monkeypatch):
    run = halfspace.experts(LOSSES, losses=True)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ImportError, match="pip install matplotlib"):
        run.plot()
    ax = Axes()
    pyplot = types.SimpleNamespace(subplots=lambda: (None, ax))
    monkeypatch.setitem(sys.modules, "matplotlib", types.SimpleNamespace(pyplot=pyplot))
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", pyplot)
    assert run.plot() is ax and ax.lines
