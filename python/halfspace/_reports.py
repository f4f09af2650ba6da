"""What a run says: its text, its page of figures, its pictures."""

import html

from . import _native as native

_HEIGHT = 640  # pixels of a page in a notebook: its head, its facts and the first figures; the rest is scrolled to


def frame_of(page):
    """Returns a page as a frame in another one: nothing of it touches the page around, and it loads nothing."""
    return (f'<iframe srcdoc="{html.escape(page)}" sandbox="allow-scripts" width="100%" height="{_HEIGHT}" '
            'style="border: 1px solid #8884; border-radius: 4px; max-width: 1100px"></iframe>')


def text_as_html(text):
    """Returns a text as HTML."""
    return f'<pre style="white-space: pre; overflow-x: auto; line-height: 1.3">{html.escape(text)}</pre>'


def axes(ax):
    """Returns the axes, or those of a new figure."""
    if ax is not None:
        return ax
    try:
        from matplotlib import pyplot
    except ImportError:
        raise ImportError("plot() needs matplotlib, which is not installed; pip install matplotlib, or write the page: "
                          "page() needs nothing") from None
    return pyplot.subplots()[1]


# ---- Training ----


def plot_training(result, ax=None):
    """Draws the errors of a run against its rounds, those of always predicting one class, and mistakes under the bound."""
    curves = result["figures"]["progress"]
    ax = axes(ax)
    ax.plot(curves["rounds"], curves.get("errors", curves["mistakes"]), color="C0", label="errors")
    ax.plot(curves["rounds"], curves["constant_mistakes"], color="0.6", linestyle=":", label="always one class")
    bound = result.get("bound")
    if bound and bound["value"] is not None:
        ax.plot(curves["rounds"], curves["mistakes"], color="C3", label="mistakes")
        ax.axhline(bound["value"], color="C3", linestyle="--", label=f"bound: {bound['theorem']}")
        if bound["value"] > 10 * max(1, curves["mistakes"][-1]):
            ax.set_yscale("log")
    ax.set_xlabel("rounds")
    ax.set_ylabel("rows predicted wrong")
    ax.legend()
    return ax


# ---- Certifying ----


def plot_certification(result, ax=None):
    """Draws two features with the separator or the hulls; else the search's bounds on the margin over time."""
    figures = result.get("figures", {})
    if "points" in figures:
        return _plot_plane(figures, axes(ax))
    if figures.get("bracket"):
        return _plot_bracket(figures["bracket"], axes(ax))
    raise native.usage_error("there is nothing to draw: the data have not two features, and the search kept no bounds",
                             "read the witness in result['figures'], or the page()")


def plot_contributions(explanation, ax=None):
    """Draws each column's contribution as a bar, the first on top."""
    ax = axes(ax)
    parts = explanation["contributions"][::-1]
    names = [f"{part['column']} = {part['value']}" if "value" in part else part["column"] for part in parts]
    ax.barh(names, [part["contribution"] for part in parts],
            color=["C0" if part["contribution"] > 0 else "C1" for part in parts])
    ax.axvline(0, color="0.2", linewidth=0.8)
    ax.set_xlabel(f"contribution to the score, against {explanation['reference']['of']}")
    ax.set_title(explanation["label"])
    return ax


def _plot_plane(figures, ax):
    points = figures["points"]
    for k, (name, of_class) in enumerate(points["classes"].items()):
        ax.scatter(of_class["x"], of_class["y"], s=16, marker="xo"[k], color=("C1", "C0")[k], label=name)
    for k, (name, hull) in enumerate(figures.get("hulls", {}).items()):
        ax.plot(hull["x"], hull["y"], color=("C1", "C0")[k], label=f"hull of {name}")
    if "meet" in figures:
        ax.scatter([figures["meet"]["x"]], [figures["meet"]["y"]], marker="*", s=120, color="C3",
                   label="where they intersect")
    if "line" in figures:
        ax.plot(figures["line"]["x"], figures["line"]["y"], color="0.2", label="the separator")
    ax.set_xlabel(points["features"][0])
    ax.set_ylabel(points["features"][1])
    ax.legend()
    return ax


def _plot_bracket(stages, ax):
    for k, stage in enumerate(stages):
        ax.fill_between(stage["seconds"], stage["lower"], stage["upper"], alpha=0.3, color=f"C{k}",
                        label=stage["stage"])
    ax.set_xlabel("seconds")
    ax.set_ylabel("bounds on the margin")
    ax.legend()
    return ax
