"""One table, for the terminal and as Markdown, and numbers in it."""

import statistics


def seconds_text(seconds):
    if seconds < 0.1:
        return f"{seconds * 1000:.1f} ms"
    return f"{seconds:.3f} s" if seconds < 10 else f"{seconds:.1f} s"


def spread_text(seconds):
    """From the least to the largest, in the unit of the largest."""
    number, unit = seconds_text(max(seconds)).split()
    digits = len(number.partition(".")[2])
    return f"{min(seconds) * (1000 if unit == 'ms' else 1):.{digits}f}–{number} {unit}"


def figure_text(figure):
    return f"{figure:.3g}" if abs(figure) < 100 else f"{figure:,.0f}"


def ratio_text(contender, other):
    """A median and the spread, of the ratios of two that ran in turn."""
    ratios = contender.ratios(other)
    return [f"{statistics.median(ratios):.2f}", f"{min(ratios):.2f}–{max(ratios):.2f}"]


def used_columns(head, rows):
    """Without the columns in which every row is empty."""
    used = [k for k in range(len(head)) if k == 0 or any(k < len(row) and row[k] for row in rows)]
    return [head[k] for k in used], [[row[k] if k < len(row) else "" for k in used] for row in rows]


def markdown(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|---|" + "---:|" * (len(head) - 1)]
    return lines + ["| " + " | ".join(row) + " |" for row in rows]


def aligned(head, rows):
    widths = [max(map(len, column)) for column in zip(head, *rows)]
    return ["  ".join(f"{cell:<{w}}" if k == 0 else f"{cell:>{w}}" for k, (cell, w) in enumerate(zip(row, widths)))
            for row in (head, *rows)]
