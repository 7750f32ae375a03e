"""The dominant colors of pictures, and their brightness."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pandas as pd

from inkframe.analysis.picture_input import each_picture
from inkframe.analysis.validation import annotate, left_out, require, whole
from inkframe.errors import InvalidArgument
from inkframe.signatures import checked

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from inkframe.analysis.picture_input import Pictures

__all__ = ["picture_colors"]

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


@checked
def picture_colors(frame: pd.DataFrame, pictures: Pictures, *, colors: int = 5) -> pd.DataFrame:
    """Compute the dominant colors of pictures, their brightness and contrast.

    Colors come from a median cut of a small copy, refined by k-means.

    Args:
        frame: Images, with their ids as the index.
        pictures: Bytes or PIL pictures by id, as a mapping, a Series or a function of the id.
        colors: The maximum number of colors for each picture, 1 to 32.

    Returns:
        A frame with one row for each picture and color, the id as index: rank, color, share,
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
    for position, picture in each_picture(frame.index, pictures, SIDE):
        picture.thumbnail((SIDE, SIDE))
        pixels = _lightness(np.asarray(picture, float).reshape(-1, 3))
        whole_picture = {"brightness": pixels.mean(), "contrast": pixels.std()}
        palette = _palette(picture, colors)
        rows += [color | whole_picture for color in palette]
        positions += [position] * len(palette)
    result = pd.DataFrame(rows, columns=list(UNITS), index=frame.index.take(positions))
    result = result.astype({"rank": "int64", "color": "str"} | dict.fromkeys(list(UNITS)[2:], "float64"))
    return annotate(result, UNITS, left_out(len(set(positions)), frame, "a picture"))


def _palette(picture: Any, colors: int) -> list[dict[str, Any]]:
    from PIL import Image

    flat = picture.quantize(colors, method=Image.Quantize.MEDIANCUT, kmeans=1)
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
