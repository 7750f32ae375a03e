"""Fields and operations on whole pictures: noise, blur, edges, dots, hatching, warping.

A picture is an array of red, green and blue planes from 0 to 1, a field a single plane. Lengths are in pixels.
"""

from __future__ import annotations

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
    "blend", "blurred", "clouded", "coordinates", "dots", "edges", "graded", "hatched", "luminance", "noise", "plane",
    "saturated", "softened", "stepped", "warped",
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


def noise(rng: np.random.Generator, size: tuple[int, int], cell: float | tuple[float, float]) -> NDArray[np.float32]:
    """Give smooth noise from 0 to 1 whose grains are ``cell`` pixels large, or wide and high."""
    wide, high = cell if isinstance(cell, tuple) else (cell, cell)
    small = (max(int(size[0] / wide) + 2, 2), max(int(size[1] / high) + 2, 2))
    grains = Image.fromarray(rng.random((small[1], small[0]), np.float32))
    if wide <= 1 and high <= 1:
        return np.asarray(grains)[: size[1], : size[0]]
    return np.clip(np.asarray(grains.resize(size, Image.Resampling.BICUBIC)), 0, 1)


def clouded(rng: np.random.Generator, size: tuple[int, int], cell: float, octaves: int = 3) -> NDArray[np.float32]:
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


def hatched(rng: np.random.Generator, size: tuple[int, int], pitch: float, angle: float, wobble: float = 1.0) -> NDArray[np.float32]:
    """Give a field of drawn parallel lines, from 0 between them to 1 on them, uneven as by hand."""
    x, y = coordinates(size)
    sway = noise(rng, size, pitch * 14) * np.float32(wobble * 6.0)
    line = np.sin((x * np.float32(np.sin(angle)) + y * np.float32(np.cos(angle))) * np.float32(2 * np.pi / pitch) + sway)
    pressure = noise(rng, size, pitch * 2.5)
    return np.clip(line * np.float32(0.5) + np.float32(0.28) + pressure * np.float32(0.44), 0, 1)


def warped(picture: NDArray[np.float32], right: NDArray[np.float32], down: NDArray[np.float32]) -> NDArray[np.float32]:
    """Fetch each pixel from another place, so many pixels to the right and down."""
    high, wide = picture.shape[-2:]
    x, y = coordinates((wide, high))
    across = np.clip(x + right, 0, wide - 1).astype(np.intp)
    along = np.clip(y + down, 0, high - 1).astype(np.intp)
    return picture[..., along, across]
