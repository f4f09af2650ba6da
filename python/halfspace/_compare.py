"""Comparisons of rules and models."""

import os
from ctypes import c_void_p
from dataclasses import dataclass

from . import _native as native
from ._model import Model, _Drawn, labelled_rows


@dataclass(frozen=True)
class Comparison(_Drawn):
    """Which rule or model is best, and whether that is significant: the answer of `halfspace compare`."""

    best: "str | None"  # the best competitor; None where no data set has results of all
    better_than: "list[str]"  # the competitors that it is significantly better than
    result: dict  # all of `compare --json`
    text: str  # what the command prints


def compare(X, y=None, *, rules=None, models=None, progress=False, **options):
    """Compares rules, the default and trained models on the same rows, with tests.

    Parameters
    ----------
    X, y : as in train(); files are one data set each
    rules : list of str, optional
        Rules, presets or "default", each with options of its own: ["default", "averaged", "pa1:passes=3"]. Default: a
        few; none if there are models.
    models : dict of str to Model or path, optional
        Trained models by the names they are compared by; they are evaluated, never trained.
    progress : bool
        Shows how far the comparison is.
    **options : those of `halfspace compare`, such as folds=5 or test="test.csv"

    Returns
    -------
    Comparison

    Raises
    ------
    UsageError, DataError, NoInputError

    Examples
    --------
    >>> rows = [[i % 7, i % 5] for i in range(70)]
    >>> compare(rows, [i % 7 > 3 for i in range(70)], rules=["averaged", "minnow"], folds=5).best
    'averaged'
    """
    rows, paths = labelled_rows(X, y)
    settings = native.settings("compare", {"rules": rules, **options}, paths)
    named = {name: model if isinstance(model, Model) else Model(native.new("model", "model_load", os.fsencode(model)))
             for name, model in (models or {}).items()}
    handles = (c_void_p * len(named))(*(model._handle._as_parameter_.value for model in named.values()))
    run = native.Run(progress=progress)
    found = native.take_result(run.call("compare", settings, rows, handles, native.c_names(list(map(str, named))),
                                        len(named), run.watch))
    run.finish()
    return Comparison(found.result["best"], found.result.get("significantly_better_than", []), found.result,
                      found.text)
