"""The command's games with experts and bandits, and its labs, run as child processes. Needs no numpy."""

import html
import json
import os
import shlex
import signal
import subprocess
import tempfile
from dataclasses import dataclass
from math import isinf, nan
from numbers import Rational

from . import _native as native
from ._command import program
from ._model import _Result
from ._native import data_error, usage_error

_PATIENCE = 5  # seconds that a child has to end after SIGINT
_RESULTS = {"experts": {0}, "bandit": {0}, "lab": {0, 1, 3}, "report": {0}}  # exit statuses that come with a result
_TABLE = "table.csv"  # what rows in memory are called
_AS_WRITTEN = ["--header", "--delimiter=comma"]  # how they are written


@dataclass(frozen=True)
class Run(_Result):
    """What a run of the command gave: of experts(), bandit() or lab().

    `str()` of it is the command's text, without colours.

    Attributes
    ----------
    command : str
        "experts", "bandit" or "lab".
    result : dict
        The run's JSON with the data of its figures: docs/formats/json.md.
    status : int
        The exit status: 0; of a lab also 1, the claim did not hold, and 3, some questions are undecided.
    text : str
        What the command printed; bytes that are not UTF-8 are surrogate escapes.
    notes : str
        What it noted, on standard error.
    """

    command: str
    result: dict
    status: int
    text: str
    notes: str

    @property
    def holds(self):
        """Whether the lab's claim held: True or False; None where questions are undecided, and of other commands."""
        return {0: True, 1: False}.get(self.status) if self.command == "lab" else None

    def __str__(self):
        return self.text

    def __repr__(self):
        name = self.result.get("lab") or self.result.get("algorithm") or "nothing"
        held = {None: "", True: ", holds", False: ", does not hold"}[self.holds]
        return f"<halfspace.Run of {self.command}: {name}{held}>"

    def page(self) -> str:
        """Draws the run.

        Returns
        -------
        str
            The HTML of `halfspace report`: one page that loads nothing else.
        """
        with tempfile.TemporaryDirectory(prefix="halfspace-") as folder:
            run, page = os.path.join(folder, "run.json"), os.path.join(folder, "page.html")
            with open(run, "w", encoding="utf-8") as file:
                json.dump(self.result, file)
            _execute("report", [run, "--output=" + page])
            with open(page, encoding="utf-8") as file:
                return file.read()

    def _repr_html_(self):
        return (f'<iframe srcdoc="{html.escape(self.page())}" sandbox="allow-scripts" '
                'style="width: 100%; height: 40rem; border: 0"></iframe>')

    def plot(self, ax=None):
        """Plots the regret of each player over the rounds against its bound, or what a lab measured against its bound.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Default: those of a new figure.

        Returns
        -------
        Axes

        Raises
        ------
        UsageError
            The run has nothing to plot: the game of a log, or a lab without a figure.
        ImportError
            matplotlib is not installed.
        """
        draw = _lab_lines(self.result) if self.command == "lab" else _regret_lines(self.result)
        if ax is None:
            ax = _new_axes()
        return draw(ax)


def experts(table, **options):
    """Follows expert advice, or bets on choices, as `halfspace experts` does, and compares the regret with its bound.

    Parameters
    ----------
    table : str, Path, array, DataFrame, or list of dicts or of lists
        A column an expert, a row a round: a CSV file, or rows in memory. Columns without names are called 0, 1, 2 ...;
        None and NaN are missing.
    **options
        Those of `halfspace experts`, with `_` for `-`, True for one without a value: losses=True,
        outcome="won", algorithm="hedge", columns=["elo", "coach"].

    Returns
    -------
    Run

    Raises
    ------
    UsageError, DataError, NoInputError
        Naming the file, line and column, or the row of the table.
    KeyboardInterrupt
        Ctrl-C, which also ends the command.

    Examples
    --------
    >>> run = experts([{"left": 0.1, "right": 0.9}, {"left": 0.3, "right": 0.7}], losses=True)
    >>> run.result["best"]["name"]
    'left'
    """
    return _run_on("experts", table, options)


def bandit(table, **options):
    """Replays bandits on a table of the losses of every arm, or on a log, as `halfspace bandit` does.

    For arms whose losses come one by one, see `Bandit`.

    Parameters
    ----------
    table : str, Path, array, DataFrame, or list of dicts or of lists
        A column an arm, a row a round, losses from 0 to 1; with logged=True a row is an action, its reward and its
        propensity. As in experts().
    **options
        Those of `halfspace bandit`, as in experts(): algorithm="exp3-ix", repeat=100, gains=True.

    Returns
    -------
    Run

    Raises
    ------
    UsageError, DataError, NoInputError, KeyboardInterrupt
        As experts().
    """
    return _run_on("bandit", table, options)


def lab(name, data=None, **options):
    """Checks a theorem by experiment, as `halfspace lab` does.

    Parameters
    ----------
    name : str
        The lab: "halving", "minnow" ...; `halfspace lab --list` lists them.
    data : str or Path, optional
        The lab's file or folder, if it needs one.
    **options
        Those of `halfspace lab`, as in experts(): n=4096, seed=2.

    Returns
    -------
    Run
        `holds` tells whether the claim held.

    Raises
    ------
    UsageError, DataError, NoInputError, KeyboardInterrupt
        As experts().
    """
    if not isinstance(name, str):
        raise TypeError(f"the name of a lab is a str, not {name!r}")
    words = [_positional(name)]
    if data is not None:
        words.append(_positional(data))
    return _run("lab", words, options)


# ---- Running ----


def _positional(path):
    """Returns a path as a word that is neither a flag nor standard input."""
    text = os.fspath(path)
    text = os.fsdecode(text) if isinstance(text, bytes) else text
    return "./" + text if text.startswith("-") else text


def _flags(options):
    """Returns options by keyword as words of the command line; None and False leave one out."""
    words = []
    for name, value in options.items():
        if hasattr(value, "tolist"):  # numpy's
            value = value.tolist()
        if value is None or value is False:
            continue
        flag = "--" + name.replace("_", "-")
        words.append(flag if value is True else f"{flag}={native.text_of(value)}")
    return words


def _run_on(command, table, options):
    if isinstance(table, (str, bytes, os.PathLike)):
        return _run(command, [_positional(table)], options)
    with tempfile.TemporaryDirectory(prefix="halfspace-") as folder:
        path = os.path.join(folder, _TABLE)
        _write_table(table, path)
        return _run(command, [path], options, rows=True)


def _run(command, words, options, rows=False):
    """Runs the command on a path. `rows`: it is a table of rows in memory, which messages do not name."""
    given = _flags(options)
    with tempfile.TemporaryDirectory(prefix="halfspace-") as folder:
        saved = os.path.join(folder, "run.json")
        extra = (_AS_WRITTEN if rows else []) + ["--save-run=" + saved]
        status, text, notes = _execute(command, words + given + extra, words[-1], rows)
        if not os.path.exists(saved):
            raise usage_error("the command printed no result but a text", "leave out the options that ask for a text")
        with open(saved, encoding="utf-8") as file:
            result = json.load(file)
    # The command line without the files that are gone by now.
    shown = [_TABLE] if rows else words
    result["invocation"] = " ".join(map(shlex.quote, ["halfspace", command, *shown, *given]))
    return Run(command, result, status, text, notes)


def _execute(command, arguments, path=None, rows=False):
    """Runs the command. Returns its exit status, its text and its notes; raises what it reports instead of a result."""
    name = program()
    missing = "install the package anew, or set HALFSPACE_COMMAND to the path of the command halfspace"
    if name is None:
        raise native.NoInputError(native.NO_INPUT, "the command is not in this package", fix=missing)
    words = [native.c_text(word) for word in (name, command, *arguments)]
    try:
        # A session of its own: the terminal's Ctrl-C reaches this process alone, which passes it on once.
        child = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                 start_new_session=True)
    except OSError as error:
        raise native.NoInputError(native.NO_INPUT, f"the command cannot be started: {error}", fix=missing) from None
    try:
        output, messages = _finished(child)
    except BaseException:
        _end(child)
        raise
    text, notes = (data.decode("utf-8", "surrogateescape") for data in (output, messages))
    if child.returncode not in _RESULTS[command]:
        raise _error_of(child.returncode, notes, path, rows)
    return child.returncode, text, notes.replace(path, _TABLE) if rows else notes


def _finished(child):
    """Waits for a child; returns what it wrote to standard output and standard error."""
    while True:
        try:
            # Wakes up now and then: a signal that another thread received does not wake this one.
            return child.communicate(timeout=0.1)
        except subprocess.TimeoutExpired:
            pass


def _end(child):
    """Ends a child that is no longer wanted: by SIGINT, and by SIGKILL if it takes too long or at another Ctrl-C."""
    try:
        child.send_signal(signal.SIGINT)
        child.communicate(timeout=_PATIENCE)
    except BaseException:
        child.kill()
        child.communicate()


def _error_of(status, messages, path, rows):
    """Returns the exception of a command's message: FILE:LINE:COLUMN: what is wrong, and "  fix: " what to do."""
    if status < 0:
        return native.InternalError(native.INTERNAL, f"the command was ended by signal {-status}",
                                    fix="run it again, with more memory if that ran out")
    message = ("\n" + messages).rpartition("\nhalfspace: ")[2].strip("\n") or f"the command ended with status {status}"
    message, _, fix = message.partition("\n  fix: ")
    file, line, column = None, 0, 0
    if path is not None and message.startswith(path + ":"):
        place, found, rest = message[len(path) + 1:].partition(": ")
        numbers = place.split(":")
        if found and all(number.isdigit() for number in numbers):
            file, line, column, message = path, *map(int, (numbers + ["0"])[:2]), rest
        else:
            file, message = path, message[len(path) + 1:].lstrip()
    if rows:  # the first line names the columns
        file, line, column, message = None, 0, 0, f"row {line - 1} of the table: {message}" if line > 1 else message
        message = message.replace(path, _TABLE)
    kind = native.error_class(status)
    return kind(status, message, file, line, column, fix or None)


# ---- Tables ----


def _write_table(table, path):
    """Writes rows as CSV in which every number reads back as the same double, below a line of names."""
    names, rows = _names_and_rows(table)
    if not names:
        raise usage_error("the table has no columns", "give a row a round and a column an expert or an arm")
    with open(path, "w", encoding="utf-8", errors="surrogateescape", newline="") as file:
        file.write(",".join(_cell(str(name), 0, name) for name in names) + "\n")
        for number, row in enumerate(rows, 1):
            if len(row) != len(names):
                raise data_error(f"row {number} of the table has {len(row)} values, not {len(names)}",
                                 "give each row a value a column, None where there is none")
            cells = [_cell(value, number, name) for value, name in zip(row, names)]
            file.write((",".join(cells) or '""') + "\n")  # an empty line would be no row


def _names_and_rows(table):
    """Returns the names of the columns, and the rows."""
    if hasattr(table, "itertuples"):  # a DataFrame
        frame = table.astype(object).where(table.notna(), None)
        return list(frame.columns), frame.itertuples(index=False, name=None)
    if hasattr(table, "toarray"):
        raise TypeError("the table is sparse: give table.toarray()")
    if hasattr(table, "ndim"):  # an array
        if table.ndim != 2:
            raise ValueError(f"the table has {table.ndim} dimensions, not 2: rounds, and experts or arms")
        return list(range(table.shape[1])), table.tolist()
    if isinstance(table, dict) or not hasattr(table, "__iter__"):
        raise TypeError(f"the table is a {type(table).__name__}: give a path, an array, a DataFrame, or a list of "
                        "dicts or of lists")
    rows = list(table)
    if rows and all(isinstance(row, dict) for row in rows):
        names = list(dict.fromkeys(name for row in rows for name in row))
        return names, [[row.get(name) for name in names] for row in rows]
    for number, row in enumerate(rows, 1):
        if isinstance(row, (str, bytes, dict)) or not hasattr(row, "__len__"):
            raise TypeError(f"row {number} of the table is a {type(row).__name__}: give rows that are all dicts, or "
                            "all lists")
    return list(range(len(rows[0]))) if rows else [], [list(row) for row in rows]


def _cell(value, row, column):
    if hasattr(value, "item"):  # a number of numpy's
        value = value.item()
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return ""
    if isinstance(value, int):
        return str(int(value))  # True is 1
    if isinstance(value, float):
        if isinf(value):
            raise data_error(f"row {row} of the table, column {column!r}: {value!r} is not finite",
                             "give a finite number, or None for a missing value")
        return "" if value != value else float.__repr__(value)
    if isinstance(value, Rational):
        return repr(float(value))
    text = str(value)
    if "\n" in text or "\r" in text:
        where = f"row {row} of the table, column {column!r}" if row else f"the name of column {column!r}"
        raise data_error(f"{where}: the text {text!r} has a line break", "take it out")
    return '"' + text.replace('"', '""') + '"'


# ---- Plots ----


def _new_axes():
    try:
        from matplotlib import pyplot
    except ImportError:
        raise ImportError("plot() needs matplotlib: pip install matplotlib; page() needs nothing else") from None
    return pyplot.subplots()[1]


def _numbers(values):
    return [nan if value is None else value for value in values]


def _regret_lines(result):
    """Returns a function that draws each player's regret, or mistakes, and its bound, dashed."""
    players = [player for player in result.get("algorithms", [result]) if player.get("path")]
    if not players:
        raise usage_error("the run has no regret to plot", "give a table of losses with at least one round")

    def draw(ax):
        quantities = []
        for player in players:
            path, bound, name = player["path"], player.get("bound"), player["algorithm"]
            rounds = path["rounds"]
            line, = ax.plot(rounds, _numbers(path["observed"]), label=name)
            quantities.append(bound["bounds"] if bound else "regret")
            dashed = {"color": line.get_color(), "linestyle": "--", "label": f"{name}, bound"}
            if path.get("bound"):
                ax.plot(rounds, _numbers(path["bound"]), **dashed)
            elif bound and bound["value"] is not None:  # known for the whole run only
                ax.plot([rounds[0], rounds[-1]], [bound["value"]] * 2, **dashed)
        ax.set_xlabel("rounds")
        ax.set_ylabel(" or ".join(dict.fromkeys(quantities)))
        ax.legend()
        return ax

    return draw


def _lab_lines(result):
    """Returns a function that draws the lab's lines over its x, and the theorem's bounds, dashed."""
    figure = result.get("figure")
    if not figure:
        raise usage_error(f"lab {result.get('lab')} has nothing to plot", "print the run, or draw its page()")

    def draw(ax):
        x, lines, bounds, by = figure["x"], figure["lines"], figure["bounds"], figure.get("by")
        groups = {}
        for row in result["rows"]:
            groups.setdefault(row[by] if by else None, []).append(row)
        drawn = []
        for group, rows in groups.items():
            xs = [row[x] for row in rows]
            suffix = f", {by} {group}" if by else ""
            colors = {}
            for at, name in enumerate(lines):
                line, = ax.plot(xs, _numbers(row[name] for row in rows), marker="o", label=name + suffix)
                colors[at] = line.get_color()
            for at, name in enumerate(bounds):
                ax.plot(xs, _numbers(row[name] for row in rows), color=colors.get(at), linestyle="--",
                        label=name + suffix)
            drawn += [value for row in rows for name in (*lines, *bounds) for value in [row[name]]]
        if figure.get("logarithmic"):
            if all(isinstance(row[x], (int, float)) and row[x] > 0 for row in result["rows"]):
                ax.set_xscale("log")
            if all(value is None or value > 0 for value in drawn):
                ax.set_yscale("log")
        ax.set_xlabel(x)
        ax.legend()
        return ax

    return draw
