"""Plot the response of a prompt to creativity."""

from __future__ import annotations

from textwrap import fill
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from inkframe.analysis.charts import MARKERS, SERIES, SIZE, figure, plain, shorten, theme
from inkframe.analysis.creativity import creativity_response
from inkframe.analysis.validation import require
from inkframe.signatures import checked, options_of
from inkframe.vocabulary.vocabulary import read_choices

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from inkframe.analysis.plot_chart import Chart

__all__ = ["plot_creativity_response"]

#: Panels by measure: title and unit. Shares are from 0 to 1.
PANELS: Final = {
    "similarity": ("Similarity", "words in common, 0 to 1"),
    "distinct_share": ("Distinct texts", "share of all texts"),
    "length_spread": ("Length variation", "mean difference, words"),
}
SHARES: Final = ("similarity", "distinct_share")
#: The maximum number of prompts with a color and a name of their own.
NAMED: Final = 8
#: Characters at the beginning that prompts may have in common and show.
SAME: Final = 24


@checked
@options_of(creativity_response)
def plot_creativity_response(response: pd.DataFrame, **options: Any) -> Chart:
    """Plot how much the texts of a prompt differ at each creativity level.

    Points are the measures of ``creativity_response``, and whiskers are their intervals. Of one line, the distinct
    texts are written beside it. If there
    are too few repeats for intervals, the points are hollow, and a note below says so.

    Args:
        response: Documents, or the result of ``creativity_response``.
        options: Arguments of ``creativity_response``, for documents.

    Raises:
        InvalidArgument: The frame is neither.
        ConfigurationError: matplotlib is not installed.
    """
    require(response)
    if "similarity" not in response.columns or "label" not in response.columns:
        response = creativity_response(response, **options)
    pooled = response if response["creativity"].is_unique else None
    if pooled is None:
        require(response, "prompt")
    curves: list[tuple[Any, pd.DataFrame]] = (
        [("", response)] if pooled is not None else list(response.groupby("prompt", sort=False))
    )
    title = "Response to creativity" + (f", {len(curves)} prompts, one line each" if len(curves) > 1 else "")
    chart = figure(5.7, _words(response), title)
    notes = response.attrs.get("analysis", {}).get("notes", [])
    names = _names([str(prompt) for prompt, _ in curves])
    grid = chart.add_gridspec(2, 2)
    places = (grid[0, :], grid[1, 0], grid[1, 1])
    for (name, (title, unit)), place in zip(PANELS.items(), places, strict=True):
        axes = chart.add_subplot(place)
        for number, (prompt, curve) in enumerate(curves):
            _curve(axes, curve, name, number, names[prompt])
        if name == "distinct_share" and len(curves) == 1:
            _counts(axes, response)
        plain(axes, title, y=unit)
        top = 1.06 if name in SHARES else max(axes.get_ylim()[1], 1)
        axes.set_ylim(-0.04 * top, top)
        _steps(axes, response)
    if len(curves) > 1:
        lines = [line for line in chart.axes[0].lines if not str(line.get_label()).startswith("_")]
        look: dict[str, Any] = {"loc": "outside upper right", "ncols": 2, "frameon": False}
        chart.legend(handles=lines, **look, fontsize=SIZE - 2, labelcolor=theme().text)
    warned = any("are needed" in note for note in notes)
    below = "\n".join(fill(note, 120) for note in notes)
    chart.supxlabel(below or "creativity", fontsize=SIZE - 1, color=SERIES[1] if warned else theme().text)
    return chart


def _curve(axes: Axes, curve: pd.DataFrame, name: str, number: int, prompt: str) -> None:
    """Draw a measure by level, with its interval, or with the counts of distinct texts."""
    named = number < NAMED
    color = SERIES[number % len(SERIES)] if named else theme().line
    marker = MARKERS[number % len(MARKERS)]
    x, y = curve["creativity"], curve[name]
    look: dict[str, Any] = {"color": color, "marker": marker, "markersize": 6, "linewidth": 1.6}
    look |= {"linestyle": ("-", "--")[number // len(SERIES) % 2], "alpha": 1 if named else 0.5}
    look |= {
        "markerfacecolor": color if curve["enough"].all() else "none",
        "label": prompt if named else None,
    }
    axes.plot(x, y, **look)
    if f"{name}_low" in curve:
        low, high = curve[f"{name}_low"], curve[f"{name}_high"]
        known = (low.notna() & y.notna()).to_numpy()
        whiskers = np.maximum(np.array([y - low, high - y])[:, known], 0)
        axes.errorbar(x[known], y[known], whiskers, fmt="none", color=color, alpha=0.65, linewidth=1.4)


def _counts(axes: Axes, response: pd.DataFrame) -> None:
    columns = response[["creativity", "distinct_share", "distinct", "texts"]]
    for level, share, distinct, texts in columns.itertuples(index=False):
        text: dict[str, Any] = {"xytext": (0, -14), "textcoords": "offset points", "ha": "center"}
        axes.annotate(f"{distinct} of {texts}", (level, share), **text, fontsize=8, color=theme().text)


def _names(prompts: list[str]) -> dict[str, str]:
    """Return a short name for each prompt, without the beginning that all have in common if it is long."""
    letters = enumerate(zip(*prompts, strict=False))
    same = next((at for at, each in letters if len(set(each)) > 1), 0)
    return {prompt: shorten(f"…{prompt[same:]}" if same > SAME else prompt, 48) for prompt in prompts}


def _steps(axes: Axes, response: pd.DataFrame) -> None:
    steps = {float(choice.code): choice.label for choice in read_choices("creativities")}
    steps |= dict(zip(response["creativity"], response["label"], strict=True))
    levels = sorted(steps)
    labels = [
        f"{steps[level]}\n{level:g}" if steps[level] != f"{level:g}" else f"{level:g}" for level in levels
    ]
    axes.set_xticks(levels, labels=labels)
    axes.tick_params(labelbottom=True, labelsize=8)
    axes.set_xlim(min(levels) - 0.07, max(levels) + 0.07)


def _words(response: pd.DataFrame) -> str:
    by_level = response.groupby("creativity")["similarity"].mean()
    steps = ", ".join(f"{level:g}: {value:.2f}" for level, value in by_level.items())
    return f"Response to creativity; mean similarity of repeats at each level: {steps}."
