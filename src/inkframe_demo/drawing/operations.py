"""Operations on whole pictures and fields: mixing, blurring, edges, moving. Lengths are in pixels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from PIL import Image, ImageFilter

from inkframe_demo.drawing.canvas import pixels, to_image

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from inkframe_demo.drawing.canvas import Field, Picture
    from inkframe_demo.drawing.color import Color

__all__ = [
    "Regions",
    "blend",
    "blurred",
    "clipped",
    "edges",
    "graded",
    "luminance",
    "plane",
    "regions",
    "saturated",
    "shifted",
    "softened",
    "stepped",
    "warped",
]


#: The luminance of red, green and blue (ITU-R BT.601).
WEIGHTS = np.float32(0.299), np.float32(0.587), np.float32(0.114)


def plane(color: Color) -> Picture:
    """Return a color as a picture of one pixel."""
    return np.array(color, np.float32)[:, None, None]


def clipped(picture: Picture) -> Picture:
    """Clip a picture or a field to 0 and 1."""
    return np.asarray(np.clip(picture, 0, 1), np.float32)


def luminance(picture: Picture) -> Field:
    """Return the luminance of each pixel."""
    red, green, blue = WEIGHTS
    gray: Field = picture[0] * red + picture[1] * green + picture[2] * blue
    return gray


def blend(under: Picture, over: Picture | Color, share: Field | float) -> Picture:
    """Blend one picture or color over another; the share is a number or a field."""
    top = plane(over) if isinstance(over, tuple) else over
    return under + (top - under) * np.asarray(share, np.float32)


def saturated(picture: Picture, factor: float) -> Picture:
    """Scale the distance of each color from its gray."""
    level = luminance(picture)
    return clipped(level + (picture - level) * np.float32(factor))


def graded(field: Field, colors: Sequence[Color]) -> Picture:
    """Turn a field into colors, from the first at 0 to the last at 1."""
    level = np.clip(field * np.float32(255), 0, 255).astype(np.uint8)
    steps = np.linspace(0, 255, len(colors))
    ramps = [np.interp(np.arange(256), steps, band).astype(np.float32) for band in zip(*colors, strict=True)]
    return np.stack([ramp[level] for ramp in ramps])


def stepped(field: Field, low: Field | float, high: Field | float) -> Field:
    """Interpolate smoothly from 0 at ``low`` to 1 at ``high``, or in reverse if high is smaller."""
    share = clipped((field - np.asarray(low, np.float32)) * np.asarray(1 / (high - low), np.float32))
    return share * share * (3 - 2 * share)


def blurred(picture: Picture, radius: float) -> Picture:
    """Blur a picture or a field in eight bits; wide blurs use a smaller copy."""
    image = to_image(picture)
    shrink = max(int(radius / 3), 1)
    if shrink == 1:
        return pixels(image.filter(ImageFilter.GaussianBlur(radius)))
    small = image.reduce(shrink).filter(ImageFilter.GaussianBlur(radius / shrink))
    return pixels(small.resize(image.size, Image.Resampling.BICUBIC))


def softened(field: Field, radius: float) -> Field:
    """Blur a field in full precision, using a smaller copy."""
    high, wide = field.shape
    small = (max(int(wide / radius), 2), max(int(high / radius), 2))
    reduced = Image.fromarray(field).resize(small, Image.Resampling.HAMMING)
    return np.asarray(reduced.resize((wide, high), Image.Resampling.BICUBIC), np.float32)


def edges(field: Field) -> Field:
    """Return the gradient of a field at each pixel."""
    down, across = np.gradient(field)
    return np.asarray(np.hypot(down, across), np.float32)


def shifted(picture: Picture, right: int, down: int) -> Picture:
    """Shift a picture or a field; new pixels repeat the edge."""
    high, wide = picture.shape[-2:]
    across = np.clip(np.arange(wide) - right, 0, wide - 1)
    along = np.clip(np.arange(high) - down, 0, high - 1)
    return picture[..., along[:, None], across[None, :]]


def warped(picture: Picture, right: Field, down: Field) -> Picture:
    """Take each pixel from another position, offset to the right and down."""
    high, wide = picture.shape[-2:]
    x, y = np.arange(wide, dtype=np.float32), np.arange(high, dtype=np.float32)[:, None]
    across = np.clip(x + right, 0, wide - 1).astype(np.intp)
    along = np.clip(y + down, 0, high - 1).astype(np.intp)
    return picture[..., along, across]


@dataclass(frozen=True, slots=True)
class Regions:
    """A picture cut into regions.

    Args:
        label: A number for each pixel.
        mean: The mean colors.
        border: 1 where one region meets another, else 0.
    """

    label: NDArray[np.intp]
    mean: Picture
    border: Field


def regions(picture: Picture, many: int) -> Regions:
    """Divide a picture into regions with a number of colors.

    The colors are those of a small copy; each pixel gets the nearest by a table of all colors in five bits,
    because Pillow would block the interpreter for a large picture.
    """
    image = to_image(picture)
    small = image.reduce(max(min(image.size) // 96, 1))
    names = small.quantize(many, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE).getpalette() or []
    colors = np.array(names, np.float32).reshape(-1, 3)[:many] * np.float32(1 / 255)
    step = (np.arange(32, dtype=np.float32) + np.float32(0.5)) / np.float32(32)
    cube = np.stack(np.meshgrid(step, step, step, indexing="ij"), -1).reshape(-1, 1, 3)
    nearest = ((cube - colors) ** 2).sum(-1).argmin(-1)
    red, green, blue = np.clip(picture * np.float32(32), 0, 31).astype(np.intp)
    label = nearest[(red << 10) | (green << 5) | blue]
    border = np.zeros(label.shape, np.float32)
    border[:, 1:] = label[:, 1:] != label[:, :-1]
    border[1:] = np.maximum(border[1:], label[1:] != label[:-1])
    return Regions(label, np.stack([band[label] for band in colors.T]), border)
