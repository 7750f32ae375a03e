"""Fields and operations on whole pictures: noise, blur, edges, dots, hatching, warping.

A picture is an array of red, green and blue planes from 0 to 1, a field a single plane. Lengths are in pixels.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from PIL import Image, ImageFilter

from inkframe.service.engines.offline.drawing.canvas import pixels, to_image

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from inkframe.service.engines.offline.drawing.colour import Colour

    Level = float | NDArray[np.float32]

__all__ = [
    "Cells", "Regions", "blend", "blurred", "cells", "clouded", "coordinates", "dots", "edges", "framed", "graded", "hatched",
    "luminance", "noise", "plane", "regions", "saturated", "shifted", "softened", "stepped", "streaks", "warped",
]  # fmt: skip


def plane(colour: Colour) -> NDArray[np.float32]:
    """Give a colour the form of a picture of one pixel."""
    return np.array(colour, np.float32)[:, None, None]


def luminance(picture: NDArray[np.float32]) -> NDArray[np.float32]:
    """Give how light each pixel is."""
    return picture[0] * np.float32(0.299) + picture[1] * np.float32(0.587) + picture[2] * np.float32(0.114)


def coordinates(size: tuple[int, int]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Give x and y of each pixel in pixels, as a row and a column that broadcast."""
    return np.arange(size[0], dtype=np.float32)[None, :], np.arange(size[1], dtype=np.float32)[:, None]


def noise(
    rng: np.random.Generator, size: tuple[int, int], cell: float | tuple[float, float]
) -> NDArray[np.float32]:
    """Give smooth noise from 0 to 1 whose grains are ``cell`` pixels large, or wide and high."""
    wide, high = cell if isinstance(cell, tuple) else (cell, cell)
    small = (max(int(size[0] / wide) + 2, 2), max(int(size[1] / high) + 2, 2))
    grains = Image.fromarray(rng.random((small[1], small[0]), np.float32))
    if wide <= 1 and high <= 1:
        return np.asarray(grains)[: size[1], : size[0]]
    return np.clip(np.asarray(grains.resize(size, Image.Resampling.BICUBIC)), 0, 1)


def clouded(
    rng: np.random.Generator, size: tuple[int, int], cell: float, octaves: int = 3
) -> NDArray[np.float32]:
    """Give fractal noise from 0 to 1: each octave half as large and half as strong."""
    field = noise(rng, size, cell)
    for octave in range(1, octaves):
        field = field + noise(rng, size, max(cell / 2**octave, 1)) * np.float32(0.5**octave)
    return field / np.float32(2 - 0.5 ** (octaves - 1))


def blurred(picture: NDArray[np.float32], radius: float) -> NDArray[np.float32]:
    """Blur a picture or a field, in eight bits; wide blurs go by way of a smaller picture."""
    image = to_image(picture)
    shrink = max(int(radius / 3), 1)
    if shrink == 1:
        return pixels(image.filter(ImageFilter.GaussianBlur(radius)))
    small = image.reduce(shrink).filter(ImageFilter.GaussianBlur(radius / shrink))
    return pixels(small.resize(image.size, Image.Resampling.BICUBIC))


def softened(field: NDArray[np.float32], radius: float) -> NDArray[np.float32]:
    """Blur a field in full precision, by way of a smaller one."""
    high, wide = field.shape
    small = (max(int(wide / radius), 2), max(int(high / radius), 2))
    reduced = Image.fromarray(field).resize(small, Image.Resampling.HAMMING)
    return np.asarray(reduced.resize((wide, high), Image.Resampling.BICUBIC))


def edges(field: NDArray[np.float32]) -> NDArray[np.float32]:
    """Give how steep a field is at each pixel."""
    down, across = np.gradient(field)
    return np.hypot(down, across)


def blend(
    under: NDArray[np.float32], over: NDArray[np.float32] | Colour, share: NDArray[np.float32] | float
) -> NDArray[np.float32]:
    """Lay one picture or colour over another; the share is a number or a field."""
    top = plane(over) if isinstance(over, tuple) else over
    return under + (top - under) * np.asarray(share, np.float32)


def graded(field: NDArray[np.float32], colours: Sequence[Colour]) -> NDArray[np.float32]:
    """Turn a field into colours, from the first at 0 to the last at 1."""
    steps = np.linspace(0, 255, len(colours))
    level = np.clip(field * np.float32(255), 0, 255).astype(np.uint8)
    ramps = [np.interp(np.arange(256), steps, [colour[part] for colour in colours]) for part in range(3)]
    return np.stack([ramp.astype(np.float32)[level] for ramp in ramps])


def saturated(picture: NDArray[np.float32], factor: float) -> NDArray[np.float32]:
    """Scale the distance of each colour from its gray."""
    level = luminance(picture)
    return np.clip(level + (picture - level) * np.float32(factor), 0, 1)


def stepped(field: NDArray[np.float32], low: Level, high: Level) -> NDArray[np.float32]:
    """Rise smoothly from 0 at ``low`` to 1 at ``high``; the other way round if high is the smaller."""
    t = np.clip((field - np.asarray(low, np.float32)) * np.asarray(1 / (high - low), np.float32), 0, 1)
    return t * t * (3 - 2 * t)


def dots(field: NDArray[np.float32], pitch: float, angle: float) -> NDArray[np.float32]:
    """Print a field as round dots: 1 where there is ink, the more the higher the field."""
    x, y = coordinates((field.shape[1], field.shape[0]))
    turn = np.float32(2 * np.pi / pitch)
    c, s = np.float32(np.cos(angle)) * turn, np.float32(np.sin(angle)) * turn
    screen = (np.cos(x * c + y * s) + np.cos(y * c - x * s)) * np.float32(0.25) + np.float32(0.5)
    return np.clip((field - screen) * np.float32(pitch * 0.6) + np.float32(0.5), 0, 1)


def hatched(
    rng: np.random.Generator, size: tuple[int, int], pitch: float, angle: float, wobble: float = 1.0
) -> NDArray[np.float32]:
    """Give a field of drawn parallel lines, from 0 between them to 1 on them, uneven as by hand."""
    x, y = coordinates(size)
    sway = noise(rng, size, pitch * 14) * np.float32(wobble * 6.0)
    line = np.sin(
        (x * np.float32(np.sin(angle)) + y * np.float32(np.cos(angle))) * np.float32(2 * np.pi / pitch) + sway
    )
    pressure = noise(rng, size, pitch * 2.5)
    return np.clip(line * np.float32(0.5) + np.float32(0.28) + pressure * np.float32(0.44), 0, 1)


def framed(
    size: tuple[int, int], rng: np.random.Generator, start: float, end: float, rough: float
) -> NDArray[np.float32]:
    """Give 0 at the edge of the sheet and 1 within, ragged; distances as shares of the short side."""
    unit = min(size)
    x, y = coordinates(size)
    inside = np.minimum(np.minimum(x, size[0] - 1 - x), np.minimum(y, size[1] - 1 - y)) / np.float32(unit)
    ragged = (clouded(rng, size, unit / 9, 4) - 0.5) * np.float32(rough)
    return stepped(inside + ragged, start, end)


@dataclass(frozen=True, slots=True)
class Regions:
    """A picture cut into regions: a number for each pixel, the mean colours, and 1 at the borders."""

    label: NDArray[np.intp]
    mean: NDArray[np.float32]
    border: NDArray[np.float32]


def regions(picture: NDArray[np.float32], many: int) -> Regions:
    """Cut a picture into regions of so many colours."""
    image = to_image(picture)
    small = image.reduce(2) if min(image.size) > 100 else image
    indexed = small.quantize(many, Image.Quantize.MEDIANCUT, kmeans=0, dither=Image.Dither.NONE)
    label = np.asarray(image.quantize(palette=indexed, dither=Image.Dither.NONE))
    table = np.array(indexed.getpalette() or [], np.float32).reshape(-1, 3)[
        : max(many, int(label.max()) + 1)
    ] / np.float32(255)
    border = np.zeros(label.shape, np.float32)
    border[:, 1:] = label[:, 1:] != label[:, :-1]
    border[1:] = np.maximum(border[1:], label[1:] != label[:-1])
    return Regions(label.astype(np.intp), np.stack([column[label] for column in table.T]), border)


@dataclass(frozen=True, slots=True)
class Cells:
    """A sheet cut into irregular cells: a number for each pixel, and the distance to the border in pixels."""

    label: NDArray[np.intp]
    border: NDArray[np.float32]


def cells(rng: np.random.Generator, size: tuple[int, int], pitch: float) -> Cells:
    """Cut a sheet into the cells of a jittered grid: each pixel belongs to the nearest seed (Voronoi)."""
    x, y = coordinates(size)
    pitch = max(pitch, 4.0)
    wide, high = int(size[0] / pitch) + 3, int(size[1] / pitch) + 3
    seeds = rng.uniform(0.08, 0.92, (2, high, wide)).astype(np.float32)
    column, row = (x / np.float32(pitch)).astype(np.intp), (y / np.float32(pitch)).astype(np.intp)
    first = np.full((size[1], size[0]), np.float32(9e9))
    second, label = first.copy(), np.zeros(first.shape, np.intp)
    for down in (-1, 0, 1):
        for right in (-1, 0, 1):
            at = (row + down + 1, column + right + 1)
            dx = (column + right + seeds[0][at]) * np.float32(pitch) - x
            dy = (row + down + seeds[1][at]) * np.float32(pitch) - y
            far = dx * dx + dy * dy
            nearer = far < first
            second = np.where(nearer, first, np.minimum(second, far))
            label = np.where(nearer, at[0] * wide + at[1], label)
            first = np.where(nearer, far, first)
    return Cells(label, (np.sqrt(second) - np.sqrt(first)).astype(np.float32) / 2)


def streaks(
    rng: np.random.Generator, size: tuple[int, int], length: float, width: float, angle: float
) -> NDArray[np.float32]:
    """Give noise of long thin grains in one direction, from 0 to 1, like the marks of a stick."""
    reach = int(np.hypot(*size)) + 2
    small = (max(int(reach / length), 2), max(int(reach / max(width, 1.0)), 2))
    grains = Image.fromarray(rng.random((small[1], small[0]), np.float32))
    turned = grains.resize((reach, reach), Image.Resampling.BICUBIC).rotate(
        np.degrees(angle), Image.Resampling.BILINEAR
    )
    left, top = (reach - size[0]) // 2, (reach - size[1]) // 2
    return np.clip(np.asarray(turned.crop((left, top, left + size[0], top + size[1]))), 0, 1)


def shifted(picture: NDArray[np.float32], right: int, down: int) -> NDArray[np.float32]:
    """Move a picture or a field; what comes in repeats the edge."""
    high, wide = picture.shape[-2:]
    across = np.clip(np.arange(wide) - right, 0, wide - 1)
    along = np.clip(np.arange(high) - down, 0, high - 1)
    return picture[..., along[:, None], across[None, :]]


def warped(
    picture: NDArray[np.float32], right: NDArray[np.float32], down: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Fetch each pixel from another place, so many pixels to the right and down."""
    high, wide = picture.shape[-2:]
    x, y = coordinates((wide, high))
    across = np.clip(x + right, 0, wide - 1).astype(np.intp)
    along = np.clip(y + down, 0, high - 1).astype(np.intp)
    return picture[..., along, across]
