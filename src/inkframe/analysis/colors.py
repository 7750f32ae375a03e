"""The dominant colors of pictures and their brightness, and their plot."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pandas as pd

from inkframe.analysis.charts import SIZE, chart, figure, plain, shorten, theme
from inkframe.analysis.validation import (
    Pictures,
    annotate,
    each_picture,
    left_out,
    require,
    result_of,
    whole,
)
from inkframe.errors import InvalidArgument, checked
from inkframe.frames import ids_of_pictures
from inkframe.versions import text_type

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import NDArray


__all__ = ["picture_colors", "plot_picture_colors"]

#: Pixels along the longer side of the copy that colors are computed from.
SIDE: Final = 96
UNITS: Final = {
    "rank": "1 for the color of the largest area",
    "color": "sRGB, #rrggbb",
    "share": "share of the picture's area, 0 to 1",
    "lightness": "CIE L* of the color, 0 black to 100 white",
    "brightness": "mean CIE L* of the picture, 0 to 100",
    "contrast": "standard deviation of CIE L* over the picture",
}

#: The maximum number of pictures in a plot.
MOST: Final = 30
#: The height of a thumbnail in pixels, shown at half its size.
SHOWN_SIDE: Final = 44


@checked
def picture_colors(
    frame: pd.DataFrame, pictures: Pictures, *, colors: int = 5, column: str | None = None
) -> pd.DataFrame:
    """Compute the dominant colors of pictures, their brightness and contrast.

    Colors come from a median cut of a small copy, refined by k-means.

    Args:
        frame: Images, or a frame with a generated column of them.
        pictures: Bytes or PIL pictures by id, as a mapping, a Series or a function of the id.
        colors: The maximum number of colors for each picture, 1 to 32.
        column: The generated column of pictures, where there are several.

    Returns:
        A frame with one row for each picture and color, indexed like the frame: rank, color, share,
        lightness, and for the whole picture brightness and contrast.

    Raises:
        InvalidArgument: There is no source of pictures, or a picture cannot be read.

    Example:
        >>> colors = picture_colors(images, pictures=lambda id: client.images.get(id).picture)
        >>> images.join(colors.query("rank == 1")).sort_values("brightness")
    """
    require(frame)
    if whole("colors", colors) > 32:  # more are no longer dominant
        raise InvalidArgument(f"colors must be 1 to 32, got {colors}.\nMore colors are not dominant.")
    rows: list[dict[str, Any]] = []
    positions: list[int] = []
    for position, picture in each_picture(ids := ids_of_pictures(frame, column), pictures, SIDE):
        picture.thumbnail((SIDE, SIDE))
        pixels = _lightness(np.asarray(picture, float).reshape(-1, 3))
        whole_picture = {"brightness": pixels.mean(), "contrast": pixels.std()}
        palette = _palette(picture, colors)
        rows += [color | whole_picture for color in palette]
        positions += [position] * len(palette)
    result = (
        pd.DataFrame(rows, frame.index.take(positions), list(UNITS))
        .astype({"rank": "int64", "color": text_type()} | dict.fromkeys(list(UNITS)[2:], "float64"))
        .assign(**({} if ids.equals(frame.index) else {"id": ids.take(positions)}))
    )
    return annotate(result, UNITS, left_out(len(set(positions)), frame, "a picture"))


def _palette(picture: Any, colors: int) -> list[dict[str, Any]]:
    flat = picture.quantize(colors, kmeans=1)  # by a median cut, which is the method for RGB
    table = np.array(flat.getpalette(), np.uint8).reshape(-1, 3)
    found = sorted(flat.getcolors(), key=lambda entry: (-entry[0], entry[1]))
    lightness = _lightness(table.astype(float))
    return [
        {
            "rank": rank,
            "color": f"#{bytes(table[at]).hex()}",
            "share": count / (picture.width * picture.height),
            "lightness": lightness[at],
        }
        for rank, (count, at) in enumerate(found, start=1)
    ]


def _lightness(pixels: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the CIE 1976 L* of sRGB pixels 0 to 255 (IEC 61966-2-1)."""
    scaled = pixels / 255
    linear = np.where(scaled <= 0.04045, scaled / 12.92, ((scaled + 0.055) / 1.055) ** 2.4)
    luminance = linear @ np.array([0.2126, 0.7152, 0.0722])
    return np.asarray(
        np.where(luminance <= 216 / 24389, luminance * 24389 / 27, 116 * np.cbrt(luminance) - 16)
    )


@checked
def plot_picture_colors(colors: pd.DataFrame, pictures: Pictures | None = None) -> chart.Chart:
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
    colors = result_of(picture_colors, colors, ("rank", "color", "share", "brightness"), pictures)
    order = colors.loc[colors["rank"] == 1, "brightness"].sort_values(kind="stable").index
    step = max(1, -(-len(order) // MOST))
    shown = order[::step]
    more = f", one of {step} shown" if step > 1 else ""
    pictured = "picture" if len(order) == 1 else "pictures"
    title = f"Colors of {len(order):,} {pictured} from dark to bright{more}"
    chart = figure(0.26 * max(len(shown), 2) + 1.3, f"{title}.", title)
    axes = chart.subplots()
    for row, key in enumerate(shown):
        _draw_palette(axes, row, colors.loc[[key]])
    axes.set_yticks(range(len(shown)), labels=[shorten(names.get(key, key)) for key in shown])
    if pictures is not None:
        _thumbnails(
            axes, shown.map(dict(zip(colors.index, colors.get("id", colors.index), strict=True))), pictures
        )
    axes.set(xlim=(0, 1), ylim=(max(len(shown), 1) - 0.4, -0.6))
    unit = "share of the area, 0 to 1; at the right: brightness (mean CIE L*, 0 black to 100 white)"
    plain(axes, x=unit, grid="")
    return chart


def _thumbnails(axes: Axes, shown: pd.Index, pictures: Pictures) -> None:
    """Put small pictures in the place of names."""
    from matplotlib.offsetbox import AnnotationBbox, OffsetImage

    axes.set_yticks(range(len(shown)), labels=[""] * len(shown))
    for row, picture in each_picture(shown, pictures, SHOWN_SIDE):
        picture.thumbnail((2 * SHOWN_SIDE, SHOWN_SIDE))
        image = OffsetImage(np.asarray(picture), zoom=0.5)
        axes.add_artist(
            AnnotationBbox(
                image,
                (0, row),
                xybox=(-6, 0),
                boxcoords="offset points",
                box_alignment=(1, 0.5),
                frameon=False,
                pad=0,
                annotation_clip=False,
            )
        )


def _draw_palette(axes: Axes, row: int, part: pd.DataFrame) -> None:
    edges = part["share"].cumsum() - part["share"]
    axes.barh(
        [row] * len(part),
        part["share"],
        left=edges,
        color=part["color"],
        height=0.82,
        edgecolor="#8884",
        linewidth=0.5,
    )
    brightness = f"{part['brightness'].iloc[0]:.0f}"
    axes.text(1.012, row, brightness, va="center", fontsize=SIZE - 1.5, color=theme().text)
