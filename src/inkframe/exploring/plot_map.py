"""Plot a map of records, colored by a column."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pandas as pd

from inkframe.analysis.charts import SERIES, SIZE, figure, panels, plain, shorten, theme
from inkframe.analysis.validation import require
from inkframe.errors import InvalidArgument
from inkframe.exploring.projection import project
from inkframe.signatures import checked, options_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from inkframe.analysis.plot_chart import Chart

__all__ = ["plot_map"]

#: The groups with a color and a label of their own; all others are gray.
GROUPS: Final = 10
#: Middle tones that are distinct on light and dark backgrounds, beside those of all plots.
COLORS: Final = (*SERIES, "#b8890c", "#d0506e", "#3f93b8", "#7d8f2a", "#8b6fd6", "#a5644e")
OTHER: Final = "#8a8a8a"
#: Cells along a side of the grid that finds where a group is densest.
CELLS: Final = 12
#: A point's area, which shrinks as their number grows.
LARGEST, SMALLEST, AREA = 36.0, 3.0, 12_000.0


@checked
@options_of(project)
def plot_map(frame: pd.DataFrame, color: str | None = None, **options: Any) -> Chart:
    """Plot the records as points; similar records lie close together.

    Args:
        frame: Records with the columns ``x`` and ``y``, or texts, whose positions are computed by ``project``.
        color: A column: of categories, whose ten largest have a color and a label at a central record, or of
            numbers.
        options: Further arguments of ``project``.

    Raises:
        InvalidArgument: The column is missing.
        ConfigurationError: scikit-learn or matplotlib is not installed.

    Example:
        >>> plot_map(documents.join(ink.analysis.topics(documents)), color="label")
    """
    require(frame, *([color] if color is not None else []))
    placed = {"x", "y"} <= set(frame.columns)
    positions = frame[["x", "y"]] if placed else project(frame, **options)
    notes = positions.attrs.get("analysis", {}).get("notes", [])
    try:
        places = positions.to_numpy(np.float64, na_value=np.nan)
    except (TypeError, ValueError):
        raise InvalidArgument(
            "The columns 'x' and 'y' must hold numbers.\nDrop them to compute them."
        ) from None
    shown = np.isfinite(places).all(axis=1)
    places = places[shown]
    values = frame[color][shown] if color is not None else None
    by = f", colored by {color}" if color is not None else ""
    title = f"{len(places):,} records{by}"
    chart = figure(6.2, f"A map of {title}; similar records lie close together.", title)
    (axes,) = panels(chart, 1, 1)
    size = float(np.clip(AREA / max(len(places), 1), SMALLEST, LARGEST))
    if values is not None and pd.api.types.is_numeric_dtype(values) and values.dtype != bool:
        _numbers(chart, axes, places, values, size, str(color))
    else:
        _categories(axes, places, values, size)
    plain(axes, grid="")
    axes.set_xticks([])
    axes.set_yticks([])
    axes.set_aspect("equal", adjustable="datalim")
    for side in axes.spines.values():
        side.set_visible(False)
    if notes:
        chart.supxlabel(notes[0], fontsize=SIZE - 1, color=theme().text)
    return chart


def _numbers(
    chart: Chart, axes: Axes, places: NDArray[np.float64], values: pd.Series, size: float, name: str
) -> None:
    numbers = values.to_numpy(np.float64, na_value=np.nan)
    drawn = axes.scatter(
        places[:, 0], places[:, 1], c=numbers, s=size, cmap="viridis", linewidths=0, plotnonfinite=True
    )
    bar = chart.colorbar(drawn, ax=axes, shrink=0.6)
    bar.set_label(name, color=theme().text, fontsize=SIZE - 0.5)
    bar.ax.tick_params(colors=theme().text, labelsize=SIZE - 1)
    bar.outline.set_visible(False)


def _categories(axes: Axes, places: NDArray[np.float64], values: pd.Series | None, size: float) -> None:
    if values is None:
        axes.scatter(places[:, 0], places[:, 1], s=size, color=SERIES[0], linewidths=0, alpha=0.7)
        return
    counts = values.value_counts().head(GROUPS)
    names = counts.index[counts > 0].tolist()
    rest = (~values.isin(names)).to_numpy()
    axes.scatter(places[rest, 0], places[rest, 1], s=size, color=OTHER, linewidths=0, alpha=0.35)
    for name, color in zip(names, COLORS, strict=False):
        group = places[(values == name).to_numpy(na_value=False)]
        axes.scatter(group[:, 0], group[:, 1], s=size, color=color, linewidths=0, alpha=0.75)
        axes.annotate(
            shorten(name, 28),
            tuple(_densest(group)),
            color=color,
            fontsize=SIZE - 0.5,
            fontweight="bold",
            ha="center",
            va="bottom",
            path_effects=_outline(),
        )


def _densest(places: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the record in the middle of the fullest cell of a grid; the mean may lie where there is none."""
    low = places.min(axis=0)
    extent = np.maximum(places.max(axis=0) - low, 1e-9)
    cells = np.minimum((places - low) / extent * CELLS, CELLS - 1).astype(np.int64) @ np.array([CELLS, 1])
    fullest = places[cells == np.bincount(cells).argmax()]
    middle: NDArray[np.float64] = fullest[np.abs(fullest - fullest.mean(axis=0)).sum(axis=1).argmin()]
    return middle


def _outline() -> list[Any]:
    from matplotlib.patheffects import withStroke

    ground = theme().ground
    return [] if ground == "none" else [withStroke(linewidth=3, foreground=ground)]
