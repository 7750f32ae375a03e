"""Plot the palettes of pictures, from dark to bright."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from inkframe.analysis.charts import SIZE, figure, plain, shorten, theme
from inkframe.analysis.colors import picture_colors
from inkframe.analysis.picture_input import each_picture
from inkframe.analysis.validation import require
from inkframe.signatures import checked

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from inkframe.analysis.picture_input import Pictures
    from inkframe.analysis.plot_chart import Chart

__all__ = ["plot_picture_colors"]

#: The maximum number of pictures in a plot.
MOST: Final = 30
#: The height of a thumbnail in pixels, shown at half its size.
SIDE: Final = 44


@checked
def plot_picture_colors(colors: pd.DataFrame, pictures: Pictures | None = None) -> Chart:
    """Plot the dominant colors of pictures by area, the darkest picture first.

    Args:
        colors: The result of ``picture_colors``, or images with ``pictures``.
        pictures: Bytes or PIL pictures by id, as a mapping, a Series or a function of the id. With them,
            rows have thumbnails instead of names.

    Raises:
        InvalidArgument: The frame is neither.
        ConfigurationError: matplotlib is not installed.
    """
    require(colors)
    names = colors["name"].to_dict() if "name" in colors.columns else {}
    if not {"rank", "color", "share", "brightness"} <= set(colors.columns):
        colors = picture_colors(colors, pictures)  # type: ignore[arg-type]  # None is refused there
    order = colors.loc[colors["rank"] == 1, "brightness"].sort_values(kind="stable").index
    step = max(1, -(-len(order) // MOST))
    shown = order[::step]
    more = f", one of {step} shown" if step > 1 else ""
    pictured = "picture" if len(order) == 1 else "pictures"
    title = f"Colors of {len(order):,} {pictured} from dark to bright{more}"
    chart = figure(0.26 * max(len(shown), 2) + 1.3, f"{title}.", title)
    axes = chart.subplots()
    for row, key in enumerate(shown):
        _palette(axes, row, colors.loc[[key]])
    axes.set_yticks(range(len(shown)), labels=[shorten(names.get(key, key)) for key in shown])
    if pictures is not None:
        _thumbnails(axes, shown, pictures)
    axes.set_xlim(0, 1)
    axes.set_ylim(max(len(shown), 1) - 0.4, -0.6)
    unit = "share of the area, 0 to 1; at the right: brightness (mean CIE L*, 0 black to 100 white)"
    plain(axes, x=unit, grid="")
    return chart


def _thumbnails(axes: Axes, shown: pd.Index, pictures: Pictures) -> None:
    """Put small pictures in the place of names."""
    from matplotlib.offsetbox import AnnotationBbox, OffsetImage

    axes.set_yticks(range(len(shown)), labels=[""] * len(shown))
    for row, picture in each_picture(shown, pictures, SIDE):
        picture.thumbnail((2 * SIDE, SIDE))
        image = OffsetImage(np.asarray(picture), zoom=0.5)
        place: dict[str, Any] = {"xybox": (-6, 0), "boxcoords": "offset points", "box_alignment": (1, 0.5)}
        axes.add_artist(AnnotationBbox(image, (0, row), **place, frameon=False, pad=0, annotation_clip=False))


def _palette(axes: Axes, row: int, part: pd.DataFrame) -> None:
    edges = part["share"].cumsum() - part["share"]
    look: dict[str, Any] = {"color": part["color"], "height": 0.82, "edgecolor": "#8884", "linewidth": 0.5}
    axes.barh([row] * len(part), part["share"], left=edges, **look)
    brightness = f"{part['brightness'].iloc[0]:.0f}"
    axes.text(1.012, row, brightness, va="center", fontsize=SIZE - 1.5, color=theme().text)
