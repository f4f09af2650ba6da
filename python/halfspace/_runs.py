"""Games with experts and bandits, and labs, as the command runs them. Needs no numpy."""

import os
import shlex
import tempfile
from dataclasses import dataclass
from math import isinf, nan
from numbers import Rational

from . import _native as native
from ._model import _Drawn
from ._native import data_error, usage_error
from ._reports import axes

_TABLE = "table.csv"  # what rows in memory are called
_AS_WRITTEN = {"header": True, "delimiter": "comma"}  # how they are written


@dataclass(frozen=True)
class Run(_Drawn):
    """What experts(), bandit() or lab() gave.

    `str()` of it is the command's text, without colours.

    Attributes
    ----------
    command : str
        "experts", "bandit" or "lab".
    result : dict
        The run's JSON with the data of its figures: docs/formats/json.md.
    status : int
        The command's exit status: 0; of a lab also 1, the claim did not hold.
    text : str
        What the command prints.
    notes : str
        What it notes.
    """

    command: str
    result: dict
    status: int
    text: str
    notes: str

    @property
    def holds(self):
        """Whether the lab's claim held; None of other commands."""
        return self.status == 0 if self.command == "lab" else None

    def __str__(self):
        return self.text

    def __repr__(self):
        name = self.result.get("lab") or self.result.get("algorithm") or "nothing"
        held = {None: "", True: ", holds", False: ", does not hold"}[self.holds]
        return f"<halfspace.Run of {self.command}: {name}{held}>"

    def plot(self, ax=None):
        """Plots the regret of each player over the rounds against its bound, or what a lab measured against its bound.

        `ax` is as in Model.plot(). Raises ImportError as it does, and UsageError if the run has nothing to plot: the game
        of a log, or a lab without a figure.
        """
        return _lab_lines(self.result, ax) if self.command == "lab" else _regret_lines(self.result, ax)


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
        Ctrl-C, which ends the run.

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
    words = [name] if data is None else [name, _positional(data)]
    return _run("lab", words, options)


# ---- Running ----


def _positional(path):
    """Returns a path as a word that is neither a flag nor standard input."""
    text = os.fspath(path)
    text = os.fsdecode(text) if isinstance(text, bytes) else text
    return "./" + text if text.startswith("-") else text


def _flag(name, value):
    """Returns an option as a word of the command line."""
    flag = "--" + name.replace("_", "-")
    return flag if value is True else f"{flag}={native.text_of(value)}"


def _run_on(command, table, options):
    if isinstance(table, (str, bytes, os.PathLike)):
        return _run(command, [_positional(table)], options)
    with tempfile.TemporaryDirectory(prefix="halfspace-") as folder:
        path = os.path.join(folder, _TABLE)
        _write_table(table, path)
        return _run(command, [path], options, rows=True)


def _run(command, words, options, rows=False):
    """Runs a command with these words and options. `rows`: on a table of rows in memory, which messages do not name."""
    given, path = native.given(options), words[-1]
    if command == "lab":
        settings = native.settings("lab", {**given, "lab": words[0]}, words[1:])
    else:
        settings = native.settings("replay" if command == "bandit" else command, {**given, **_AS_WRITTEN} if rows else given,
                                   words)
    run = native.Run(native.CURVES)
    try:
        found = run.call("run", settings, run.watch)
    except native.HalfspaceError as error:
        raise _about_rows(error, path) if rows else error from None
    status, (result, text, _) = native.lib["result_status"](found), native.take_result(found)
    run.finish()
    notes = "".join(f"note: {note}\n  fix: {fix}\n" for note, fix in dict.fromkeys(run.notes))
    # The command line without the files that are gone by now.
    shown = ["halfspace", command, *([_TABLE] if rows else words), *(_flag(*option) for option in given.items())]
    head = {"command": result["command"], "version": result["version"], "invocation": " ".join(map(shlex.quote, shown))}
    return Run(command, {**head, **result}, status, text, notes.replace(path, _TABLE) if rows else notes)


def _about_rows(error, path):
    """Returns an error about the file of a table as one about its rows: the first line names the columns."""
    message = error.message.replace(path, _TABLE)
    if error.line > 1:
        message = f"row {error.line - 1} of the table: {message}"
    return type(error)(error.kind, message, fix=error.fix)


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


def _numbers(values):
    return [nan if value is None else value for value in values]


def _regret_lines(result, ax):
    """Draws each player's regret, or mistakes, and its bound, dashed."""
    players = [player for player in result.get("algorithms", [result]) if player.get("path")]
    if not players:
        raise usage_error("the run has no regret to plot", "give a table of losses with at least one round")
    ax = axes(ax)
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


def _lab_lines(result, ax):
    """Draws the lab's lines over its x, and the theorem's bounds, dashed."""
    figure = result.get("figure")
    if not figure:
        raise usage_error(f"lab {result.get('lab')} has nothing to plot", "print the run, or draw its page()")
    ax = axes(ax)
    x, lines, bounds, by = figure["x"], figure["lines"], figure["bounds"], figure.get("by")
    groups = {}
    for row in result["rows"]:
        groups.setdefault(row[by] if by else None, []).append(row)
    for group, rows in groups.items():
        xs = [row[x] for row in rows]
        suffix = f", {by} {group}" if by else ""
        colors = {}
        for at, name in enumerate(lines):
            line, = ax.plot(xs, _numbers(row[name] for row in rows), marker="o", label=name + suffix)
            colors[at] = line.get_color()
        for at, name in enumerate(bounds):
            ax.plot(xs, _numbers(row[name] for row in rows), color=colors.get(at), linestyle="--", label=name + suffix)
    if figure.get("logarithmic"):
        if all(isinstance(row[x], (int, float)) and row[x] > 0 for row in result["rows"]):
            ax.set_xscale("log")
        if all(row[name] is None or row[name] > 0 for row in result["rows"] for name in (*lines, *bounds)):
            ax.set_yscale("log")
    ax.set_xlabel(x)
    ax.legend()
    return ax
