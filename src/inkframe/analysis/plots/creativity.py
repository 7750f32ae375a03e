"""Plot the response of a prompt to creativity."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from inkframe.analysis.creativity import creativity_response
from inkframe.analysis.dask_support import gathers
from inkframe.analysis.plots.theme import MARKERS, SERIES, figure, plain, theme
from inkframe.analysis.validation import require
from inkframe.signatures import checked, options_of
from inkframe.vocabulary.choices import read_choices

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from inkframe.analysis.plots.chart import Chart

__all__ = ["plot_creativity_response"]

#: Panels: title, unit, and the columns with their labels. Shares are from 0 to 1.
PANELS: Final = (
    (
        "Similarity",
        "similarity, 0 to 1",
        {"similarity": "shared words", "self_bleu": "self-BLEU"},
    ),
    ("Distinct texts", "share of all texts", {"distinct_share": "distinct"}),
    ("New vocabulary per repeat", "share of a vocabulary", {"vocabulary_growth": "new words"}),
    ("Length variation", "standard deviation, words", {"length_spread": "spread"}),
)


@checked
@options_of(creativity_response)
@gathers
def plot_creativity_response(response: pd.DataFrame, **options: Any) -> Chart:
    """Plot how much the texts of a prompt differ at each creativity level.

    Points are the measures of ``creativity_response``, and whiskers are their bootstrap intervals. If there
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
    for axes, (title, unit, columns) in zip(chart.subplots(2, 2, sharex=True).flat, PANELS, strict=True):
        _panel(axes, curves, columns)
        plain(axes, title, y=unit)
        top = 1.06 if "length_spread" not in columns else axes.get_ylim()[1]
        axes.set_ylim(-0.04 * top, top)
        if len(columns) > 1:
            place: dict[str, Any] = {"loc": "lower right", "bbox_to_anchor": (1.01, 0.98), "ncols": 2}
            axes.legend(
                **place, handlelength=1.6, columnspacing=1, frameon=False, fontsize=9, labelcolor=theme().text
            )
        _steps(axes, response)
    chart.supxlabel("\n".join(notes) or "creativity", fontsize=10, color=SERIES[1] if notes else theme().text)
    return chart


def _panel(axes: Axes, curves: list[tuple[Any, pd.DataFrame]], columns: dict[str, str]) -> None:
    for series, (name, label) in enumerate(columns.items()):
        color, marker = SERIES[series], MARKERS[series]
        for number, (_, curve) in enumerate(curves):
            shift = (series - (len(columns) - 1) / 2) * 0.012
            x, y = curve["creativity"] + shift, curve[name]
            axes.plot(
                x,
                y,
                color=color,
                marker=marker,
                markersize=6,
                linewidth=1.8 if len(curves) == 1 else 1.2,
                linestyle=("-", "--")[series],
                markerfacecolor=color if curve["enough"].all() else "none",
                alpha=1 if len(curves) == 1 else 0.75,
                label=label if number == 0 else None,
            )
            if f"{name}_low" in curve:
                low, high = curve[f"{name}_low"], curve[f"{name}_high"]
                known = (low.notna() & y.notna()).to_numpy()
                whiskers = np.maximum(np.array([y - low, high - y])[:, known], 0)
                axes.errorbar(
                    x[known], y[known], whiskers, fmt="none", color=color, alpha=0.65, linewidth=1.4
                )


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
