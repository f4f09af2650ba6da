"""How far a long call is, shown to a person."""

import math
import sys
from collections import namedtuple
from decimal import ROUND_CEILING, ROUND_FLOOR, Context

# `share`: done, from 0 to 1, or None; `lower`, `upper`: bounds on the margin, 0 while there are none; `errors`, `weight`:
# the weight of the rows predicted wrong before learning, and of all so far.
Progress = namedtuple("Progress", "stage share rounds mistakes lower upper errors weight")


def rounded(number, up):
    """Returns a bound as text with three significant digits, rounded so that it stays a bound."""
    if not math.isfinite(number):
        return f"{number}"
    kept = Context(prec=3, rounding=ROUND_CEILING if up else ROUND_FLOOR).create_decimal_from_float(float(number))
    return f"{float(kept):.3g}"


def words_of(now):
    """Returns what there is to say besides the stage and the share: "1,234,567 rounds, 4.2 % wrong"."""
    if now.upper > 0:
        return f"margin in [{rounded(now.lower, up=False)}, {rounded(now.upper, up=True)}]"
    if not now.rounds:
        return ""
    wrong = f", {100 * now.errors / now.weight:.2f} % wrong" if now.errors else ""
    return f"{now.rounds:,} rounds{wrong}"


class _Line:
    """One line on stderr that is overwritten."""

    def __init__(self):
        self._width = 0

    def show(self, now):
        share = "" if now.share is None else f"{100 * now.share:.0f} %"
        line = ", ".join(part for part in (f"{now.stage}: {share}" if share else now.stage, words_of(now)) if part)
        self._write(line)

    def _write(self, line):
        sys.stderr.write("\r" + line.ljust(self._width))
        sys.stderr.flush()
        self._width = len(line)

    def close(self):
        if self._width:
            sys.stderr.write("\n")
            sys.stderr.flush()


class _Bar:
    """A bar of tqdm, in percent."""

    _known = "{desc}: {percentage:3.0f}%|{bar}| {elapsed}<{remaining}{postfix}"
    _unknown = "{desc}: {elapsed}{postfix}"

    def __init__(self, tqdm):
        self._bar = tqdm(total=100, leave=True, bar_format=self._unknown)

    def show(self, now):
        bar = self._bar
        bar.bar_format = self._unknown if now.share is None else self._known
        bar.n = 0 if now.share is None else round(100 * now.share, 1)
        bar.set_description_str(now.stage, refresh=False)
        bar.set_postfix_str(words_of(now), refresh=False)
        bar.refresh()

    def close(self):
        self._bar.close()


def bar():
    """Returns what shows the progress of one call: a bar of tqdm where it is installed, else a line on stderr."""
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return _Line()
    return _Bar(tqdm)
