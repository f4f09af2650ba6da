"""The table, for the terminal, as Markdown and as JSON."""

import re
import statistics
from pathlib import Path

from .measure import paired_ratios


def seconds_text(seconds):
    if seconds < 0.1:
        return f"{seconds * 1000:.1f} ms"
    return f"{seconds:.3f} s" if seconds < 10 else f"{seconds:.1f} s"


def spread_text(seconds):
    """From the least to the largest, in the unit of the largest."""
    low, high = min(seconds), max(seconds)
    number, unit = seconds_text(high).split()
    digits = len(number.partition(".")[2])
    return f"{low * (1000 if unit == 'ms' else 1):.{digits}f}–{number} {unit}"


def figure_text(figure):
    return f"{figure:.3g}" if abs(figure) < 100 else f"{figure:,.0f}"


def cells(row, contender):
    """One line of a row: name, time, spread, processor, peak, rate, accuracy, ratio, spread of the ratio."""
    if contender.fault or not contender.samples:
        return [contender.name, "not measured: " + (contender.fault or "no run")]
    seconds = contender.seconds()
    ours = row.contenders[0]
    ratio = spread = ""
    if row.compared and contender is not ours and ours.samples and not ours.fault:
        ratios = paired_ratios(contender, ours)
        ratio, spread = f"{statistics.median(ratios):.2f}", f"{min(ratios):.2f}–{max(ratios):.2f}"
    rate = row.rate(contender.name)
    return [
        contender.name,
        seconds_text(contender.median()),
        spread_text(seconds),
        "" if contender.inner else seconds_text(statistics.median(s.processor for s in contender.samples)),
        "" if contender.inner else f"{contender.peak_mb():,.0f}",
        f"{rate:,.2f}" if rate and rate < 10 else f"{rate:,.0f}" if rate else "",
        f"{contender.accuracy:.2%}" if contender.accuracy is not None else "",
        ratio,
        spread,
        contender.note,
    ]


def headings(row):
    return ["", "median", "spread", "processor", "peak MB", row.unit, "right", "÷ ours", "spread", ""]


def verdicts(row):
    """(text, figure or None, limit text, reached or None) for what is wanted of the row."""
    for wanted in row.wanted:
        figure = wanted.figure()
        limit = f"at least {wanted.at_least:g}" if wanted.at_least is not None else f"at most {wanted.at_most:g}"
        yield wanted.text, figure, limit, None if figure is None else wanted.reached(figure)


def remarks(row):
    """What is to be said of a row beside its figures."""
    found = [row.remark] if row.remark else []
    if row.packed and row.unit == "GB/s":
        read = ", ".join(f"{name} {size / 1e6:.0f} MB" for name, size in row.packed.items())
        found.append(f"GB/s are of the rows' numbers at full length; packed, as they are kept, a pass reads less of memory: {read}")
    return found


def verdict_line(text, figure, limit, reached):
    if figure is None:
        return f"{text}: wanted {limit}, not measured"
    return f"{text}: {figure_text(figure)}, wanted {limit}: {'reached' if reached else 'NOT REACHED'}"


def table(row):
    """The row as aligned lines."""
    lines = [f"{row.name}  {row.title}"]
    body = [cells(row, contender) for contender in row.contenders]
    whole = [line for line in body if len(line) > 2]
    used = [k for k in range(len(headings(row))) if k == 0 or any(line[k] for line in whole)]
    grid = [headings(row), *whole]
    widths = {k: max(len(line[k]) for line in grid) for k in used}
    names = max([widths.get(0, 0), *(len(name) for name, _ in row.missing), *(len(line[0]) for line in body)])
    widths[0] = names
    for line in [headings(row)] * bool(whole) + body:
        if len(line) == 2:
            lines.append(f"  {line[0]:<{names}}  {line[1]}")
            continue
        text = "  ".join(f"{line[k]:<{widths[k]}}" if k in (0, 9) else f"{line[k]:>{widths[k]}}" for k in used)
        lines.append("  " + text.rstrip())
    lines += [f"  {name:<{names}}  not measured: {why}" for name, why in row.missing]
    lines += ["  " + remark for remark in remarks(row)]
    lines += ["    " + verdict_line(*verdict) for verdict in verdicts(row)]
    return "\n".join(lines)


def machine_lines(machine, limits):
    return [
        f"{machine['date']}, {machine['processor']} (family/model {machine['family']}), {machine['cores']} cores, {machine['memory_gb']} GB,"
        f" {machine['system']}",
        f"{machine['compiler']}, {machine['build']}; commit {machine['commit']}; load before the run {machine['load_before']}",
        "limits: " + ", ".join(f"{name} {rate / 1e9:.1f} GB/s" for name, rate in limits.items()),
    ]


def markdown(rows, machine, limits, versions, descriptions, command):
    lines = [f"# Side by side, {machine['date']}", "", *(line + "  " for line in machine_lines(machine, limits)), ""]
    lines += [f"`{command}`", "", "Times are of whole processes, from text to model file, files in the page cache, medians and spread over the",
              "rounds; all contenders of a row run in turn, round by round, and ratios are taken within a round.", ""]  # fmt: skip
    lines += ["- " + text for text in descriptions.values()]
    lines += ["- " + text.splitlines()[0] for text in versions.values() if text] + [""]
    for row in rows:
        lines += [f"## {row.name}: {row.title}", ""]
        heads = headings(row)
        body = [cells(row, contender) for contender in row.contenders]
        used = [k for k in range(len(heads)) if k == 0 or any(len(line) > 2 and line[k] for line in body)]
        if body:
            lines += ["| " + " | ".join(heads[k] for k in used) + " |", "|" + "---|" * len(used)]
        for line in body:
            line = line if len(line) > 2 else [*line, *[""] * (len(heads) - 2)]
            lines.append("| " + " | ".join(line[k] for k in used) + " |")
        lines.append("")
        lines += [f"{name}: not measured, {why}." for name, why in row.missing]
        lines += [remark + "." for remark in remarks(row)]
        lines += ["- " + verdict_line(*verdict) for verdict in verdicts(row)]
        lines += ["", "```", *(command_text(contender) for contender in row.contenders), "```", ""]
    return "\n".join(lines)


ROOT = Path(__file__).resolve().parents[2]
SOURCE = f"{ROOT}/"
WORK = "models-"  # how the folder begins in which models are made; it goes with the run


def command_text(contender):
    """As one would type it from the source folder: whose folders this machine has, and which are gone, is nobody's business."""
    pin = f"taskset -c {contender.core} " if contender.core is not None else ""
    text = " ".join(str(word) for word in contender.command).replace(SOURCE, "")
    text = re.sub(rf"{WORK}\w+/", "", text)
    return pin + re.sub(r"(^|(?<= ))/\S*/(?=\S)", "", text)


def as_json(rows, machine, limits, versions, command):
    return {
        "command": command,
        "machine": machine,
        "limits": limits,
        "versions": versions,
        "rows": [
            {
                "name": row.name,
                "title": row.title,
                "contenders": [
                    {
                        "name": c.name,
                        "command": command_text(c),
                        "seconds": c.seconds(),
                        "processor": [s.processor for s in c.samples],
                        "peak_mb": [s.peak_mb for s in c.samples],
                        "accuracy": c.accuracy,
                        "rate": row.rate(c.name),
                        "note": c.note,
                        "fault": c.fault,
                    }
                    for c in row.contenders
                ],
                "unit": row.unit,
                "missing": dict(row.missing),
                "remarks": remarks(row),
                "wanted": [
                    {"what": text, "figure": figure, "limit": limit, "reached": reached} for text, figure, limit, reached in verdicts(row)
                ],
            }
            for row in rows
        ],
    }


def run_files(name):
    """Returns where a run is written: its tables, which documents quote, and its raw record, which is not tracked."""
    files = ROOT / "bench/runs" / f"{name}.md", ROOT / "build/bench-runs" / f"{name}.json"
    for file in files:
        file.parent.mkdir(parents=True, exist_ok=True)
    return files
