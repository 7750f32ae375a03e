"""Plot the summary of a library, and the coverage of its looks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pandas as pd

from inkframe.analysis.charts import SERIES, SIZE, bars, figure, plain, shorten, theme
from inkframe.analysis.intervals import wilson
from inkframe.analysis.summary import PERIODS, SETTINGS, coverage, library_summary
from inkframe.analysis.validation import require
from inkframe.errors import InvalidArgument
from inkframe.signatures import checked, options_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from inkframe.analysis.plot_chart import Chart

__all__ = ["plot_coverage", "plot_library_summary"]

#: The maximum number of upright names along the top; more are slanted.
UPRIGHT: Final = 8
#: The maximum number of values of a setting; the others are counted together.
MOST: Final = 15
#: The maximum number of period labels along an axis.
LABELS: Final = 8
#: Colors of few and of many records. White numbers are readable on both, and both on any page.
FEW, MANY = np.array([0x6B, 0x76, 0x90]) / 255, np.array([0x2F, 0x62, 0xE0]) / 255
#: Inches for a bar, and for the rest of a panel.
BAR, AROUND = 0.235, 0.75


@checked
@options_of(library_summary)
def plot_library_summary(summary: pd.DataFrame, **options: Any) -> Chart:
    """Plot the growth of a library, and for each setting the counts and the share of favorites.

    Args:
        summary: Documents or images, or the result of ``library_summary``.
        options: Arguments of ``library_summary``, for documents or images.

    Raises:
        InvalidArgument: The frame is neither, or is empty.
        ConfigurationError: matplotlib is not installed.
    """
    require(summary)
    if not {"setting", "value", "records"} <= set(summary.columns):
        summary = library_summary(summary, **options)
    found = set(summary["setting"])
    settings = [name for name in SETTINGS if name in found]
    period = next((name for name in PERIODS if name in found), None)
    if not settings and not period:
        raise InvalidArgument("There is nothing to draw: the library is empty.\nPass documents or images.")
    tables = [_most(summary[summary["setting"] == name]) for name in settings]
    heights = [BAR * max(len(table), 2) + AROUND for table in tables]
    heights = ([2.1] if period else []) + heights
    overall = summary[summary["setting"] == "all"].iloc[0]
    title = _headline(overall)
    chart = figure(sum(heights) + 0.5, f"Summary of a library: {title}.", title)
    grid = chart.add_gridspec(len(heights), 2, height_ratios=heights, width_ratios=[3, 2])
    if period:
        _growth(chart.add_subplot(grid[0, :]), summary[summary["setting"] == period], period)
    for row, (name, table) in enumerate(zip(settings, tables, strict=True), start=1 if period else 0):
        rated = table["favorite_share"].notna().any()
        left = chart.add_subplot(grid[row, 0 if rated else slice(None)])
        _counts(left, table)
        plain(left, name.capitalize(), x="records", grid="x")
        if rated:
            _liked(chart.add_subplot(grid[row, 1], sharey=left), table, overall["favorite_share"])
    return chart


@checked
def plot_coverage(counts: pd.DataFrame, rows: str = "style", columns: str = "medium") -> Chart:
    """Plot how many records each combination of two settings has; empty ones are outlined.

    Args:
        counts: Images, or the result of ``coverage``.
        rows: The setting of the rows, for images.
        columns: The setting of the columns, for images.

    Raises:
        InvalidArgument: The frame is neither, or is empty.
        ConfigurationError: matplotlib is not installed.
    """
    require(counts)
    if "analysis" not in counts.attrs or counts.columns.name is None:
        counts = coverage(counts, rows, columns)
    if not counts.size:
        raise InvalidArgument("There is nothing to draw: no record has these settings.\nPass images.")
    values = counts.to_numpy(float)
    empty = int((values == 0).sum())
    title = f"{counts.index.name} × {counts.columns.name}: {empty} of {values.size} combinations are empty".capitalize()
    chart = figure(0.36 * len(counts) + 1.5, f"{title}.", title)
    axes = chart.subplots()
    strongest = max(values.max(initial=0), 1)
    for (row, column), count in np.ndenumerate(values):
        _cell(axes, row, column, count, strongest)
    axes.set_xlim(-0.5, values.shape[1] - 0.5)
    axes.set_ylim(values.shape[0] - 0.5, -0.5)
    plain(axes, grid="", x="numbers are records; an outline is an empty combination")
    slanted: dict[str, Any] = (
        {"rotation": 40, "ha": "left", "rotation_mode": "anchor"} if values.shape[1] > UPRIGHT else {}
    )
    axes.xaxis.tick_top()
    axes.set_xticks(range(values.shape[1]), [shorten(name, 14) for name in counts.columns], **slanted)
    axes.set_yticks(range(values.shape[0]), [shorten(name, 18) for name in counts.index])
    axes.tick_params(colors=theme().text, length=0)
    axes.spines[:].set_visible(False)
    return chart


def _cell(axes: Axes, row: int, column: int, count: float, strongest: float) -> None:
    from matplotlib.patches import FancyBboxPatch

    if count:
        strength = np.sqrt(count / strongest)
        look = {"facecolor": FEW + strength * (MANY - FEW), "linewidth": 0}
        axes.text(column, row, f"{count:,.0f}", ha="center", va="center", fontsize=SIZE - 1, color="white")
    else:
        look = {"facecolor": "none", "edgecolor": theme().line, "alpha": 0.6, "linewidth": 0.8}
        look["linestyle"] = (0, (3, 3))
    shape = "round,pad=0,rounding_size=0.08"
    axes.add_patch(FancyBboxPatch((column - 0.42, row - 0.38), 0.84, 0.76, boxstyle=shape, **look))


def _headline(overall: Any) -> str:
    words = f"{overall['records']:,} records"
    if overall["favorite_share"] == overall["favorite_share"]:  # not missing
        words += f", {overall['favorite_share']:.0%} favorites"
    if overall["median_words"] == overall["median_words"]:  # not missing
        words += f", median length {overall['median_words']:,.0f} words"
    return words


def _most(table: pd.DataFrame) -> pd.DataFrame:
    """Return the first rows, and one more for the sum of all others."""
    if len(table) <= MOST:
        return table
    kept, rest = table.iloc[: MOST - 1], table.iloc[MOST - 1 :]
    rated = rest.loc[rest["favorite_share"].notna(), "records"].sum()
    low, high = wilson(rest["favorites"].sum(), rated)
    others = {
        "value": f"{len(rest)} others",
        "records": rest["records"].sum(),
        "favorites": rest["favorites"].sum(),
    }
    others |= {"favorite_share": rest["favorites"].sum() / rated if rated else np.nan}
    others |= {"favorite_low": float(low), "favorite_high": float(high)}
    found = pd.concat([kept, pd.DataFrame([others])], ignore_index=True)
    found.attrs["has_others"] = True
    return found


def _counts(axes: Axes, table: pd.DataFrame) -> None:
    """Draw a bar for each value; that of all others is an outline no longer than the longest."""
    values, records = table["value"].tolist(), table["records"].tolist()
    if not table.attrs.get("has_others"):
        bars(axes, values, records)
        return
    most = max(records[:-1])
    bars(axes, values, [*records[:-1], min(records[-1], most)], labels=records)
    axes.patches[-1].set(facecolor="none", edgecolor=theme().line, linestyle=(0, (3, 3)))


def _growth(axes: Axes, table: pd.DataFrame, period: str) -> None:
    position = np.arange(len(table))
    total = table["records"].cumsum()
    axes.fill_between(position, total, color=SERIES[0], alpha=0.18, linewidth=0)
    axes.plot(position, total, color=SERIES[0], linewidth=1.8, label="all so far")
    axes.bar(position, table["records"], color=SERIES[1], width=0.6, label=f"new each {period}")
    step = max(1, -(-len(table) // LABELS))
    axes.set_xticks(position[::step], labels=table["value"].iloc[::step])
    axes.set_ylim(bottom=0)
    axes.legend(frameon=False, fontsize=SIZE - 1, labelcolor=theme().text, loc="upper left")
    plain(axes, "Growth", x=period, y="records")


def _liked(axes: Axes, table: pd.DataFrame, overall: float) -> None:
    position = np.arange(len(table))
    share = table["favorite_share"].to_numpy(float)
    low, high = (table[f"favorite_{end}"].to_numpy(float) for end in ("low", "high"))
    axes.errorbar(
        share,
        position,
        xerr=np.maximum([share - low, high - share], 0),
        fmt="s",
        color=SERIES[2],
        markersize=5,
        linewidth=1.4,
        clip_on=False,
    )
    place: dict[str, Any] = {"xytext": (8, 0), "textcoords": "offset points", "va": "center"}
    for at, (liked, records) in enumerate(zip(table["favorites"], table["records"], strict=True)):
        if not np.isnan(share[at]):
            rated = round(liked / share[at]) if liked else records
            said = f"{liked:,} of {rated:,}"
            axes.annotate(
                said, (1, at), **place, fontsize=SIZE - 2.5, color=theme().text, annotation_clip=False
            )
    axes.axvline(overall, color=theme().line, linewidth=1, linestyle=":")
    axes.set_xlim(0, 1)
    axes.set_xticks([0, 0.25, 0.5, 0.75, 1], labels=["0", "25", "50", "75", "100 %"])
    plain(axes, "Favorites", x="share and interval; dotted: all records", grid="x")
    axes.tick_params(labelleft=False)
