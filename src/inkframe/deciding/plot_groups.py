"""Plot groups with their intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from inkframe.analysis.charts import SERIES, SIZE, figure, plain, shorten, theme
from inkframe.analysis.validation import require
from inkframe.deciding.groups import compare_groups
from inkframe.deciding.win_rates import win_rates
from inkframe.signatures import check_keywords, checked, keywords_of

if TYPE_CHECKING:
    import pandas as pd

    from inkframe.analysis.plot_chart import Chart

__all__ = ["plot_compare_groups", "plot_win_rates"]

#: Colors by verdict; the verdict is written beside each group, too.
COLORS: Final = {"best": SERIES[2], "worse": SERIES[1]}
#: Inches for a group, and around all.
GROUP, AROUND = 0.36, 1.1


@checked
def plot_compare_groups(groups: pd.DataFrame, **options: Any) -> Chart:
    """Plot the mean of each group with its interval, and its verdict.

    Args:
        groups: Documents or images, or the result of ``compare_groups``.
        options: Arguments of ``compare_groups``, for documents or images.

    Raises:
        InvalidArgument: The frame is neither.
        WrongKeyword: ``compare_groups`` does not take an option.
        ConfigurationError: matplotlib is not installed.
    """
    check_keywords("plot_compare_groups", options, keywords_of(compare_groups))
    require(groups)
    if not {"n", "mean", "low", "high", "verdict"} <= set(groups.columns):
        groups = compare_groups(groups, **options)
    names = _names(groups, "n")
    label = groups.attrs.get("analysis", {}).get("units", {}).get("mean", "mean")
    beside = [f"{row.mean:.2f} · {row.verdict}, n = {row.n}" for row in _rows(groups)]
    colors = [COLORS.get(verdict, SERIES[0]) for verdict in groups["verdict"]]
    return _dots(names, groups[["mean", "low", "high"]].to_numpy(float), beside, colors, label)


@checked
def plot_win_rates(rates: pd.DataFrame, **options: Any) -> Chart:
    """Plot the rate at which each group wins, with its interval.

    Args:
        rates: Judgments of pairs, or the result of ``win_rates``.
        options: Arguments of ``win_rates``, for judgments.

    Raises:
        InvalidArgument: The frame is neither.
        WrongKeyword: ``win_rates`` does not take an option.
        ConfigurationError: matplotlib is not installed.
    """
    check_keywords("plot_win_rates", options, keywords_of(win_rates))
    require(rates)
    if not {"n", "win_rate", "low", "high"} <= set(rates.columns):
        rates = win_rates(rates, **options)
    names = _names(rates, "n")
    beside = [f"{row.win_rate:.2f}, n = {row.n}" for row in _rows(rates)]
    values = rates[["win_rate", "low", "high"]].to_numpy(float)
    return _dots(names, values, beside, [SERIES[0]] * len(names), "win rate")


def _names(groups: pd.DataFrame, first: str) -> list[str]:
    """Return a name for each row, from the columns before the first one of the result."""
    columns = groups.columns[: list(groups.columns).index(first)]
    return [", ".join(f"{value}" for value in row) for row in groups[columns].itertuples(index=False)]


def _rows(groups: pd.DataFrame) -> list[Any]:
    return list(groups.itertuples(index=False))


def _dots(names: list[str], values: Any, beside: list[str], colors: list[str], label: str) -> Chart:
    said = "; ".join(f"{name} {text}" for name, text in zip(names, beside, strict=True))
    chart = figure(GROUP * len(names) + AROUND, f"{label} by group: {said}.")
    axes = chart.subplots()
    small: dict[str, Any] = {"va": "center", "fontsize": SIZE - 1.5, "color": theme().text}
    for at, ((value, low, high), color) in enumerate(zip(values, colors, strict=True)):
        ends = np.maximum(np.nan_to_num([[value - low], [high - value]]), 0)
        axes.errorbar([value], [at], xerr=ends, fmt="o", color=color, markersize=6, linewidth=1.6)
        axes.annotate(beside[at], (1.02, at), xycoords=("axes fraction", "data"), **small)
    axes.set_yticks(range(len(names)), labels=[shorten(name, 40) for name in names])
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.margins(x=0.08)
    plain(axes, label[0].upper() + label[1:], x="mean and interval", grid="x")
    return chart
