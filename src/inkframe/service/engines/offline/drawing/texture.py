"""Fields and operations on whole pictures: noise, blur, edges, dots, hatching, warping.

Pictures are float32 arrays from 0 to 1, height by width by 3; fields are height by width. Lengths are in pixels.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PIL import Image, ImageFilter

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from inkframe.service.engines.offline.drawing.colour import Colour

__all__ = [
    "blend", "blurred", "clouded", "coordinates", "dots", "edges", "graded", "hatched", "luminance", "noise",
    "saturated", "softened", "stepped", "warped",
]  # fmt: skip

Field = "NDArray[np.float32]"


def luminance(colour: NDArray[np.float32]) -> NDArray[np.float32]:
    """Give how light each pixel is."""
    return colour @ np.array([0.299, 0.587, 0.114], np.float32)


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
    """Blur a picture or a field, in eight bits."""
    image = Image.fromarray(np.clip(picture * 255 + 0.5, 0, 255).astype(np.uint8))
    return np.asarray(image.filter(ImageFilter.GaussianBlur(radius)), np.float32) * np.float32(1 / 255)


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


def blend(under: NDArray[np.float32], over: NDArray[np.float32] | Colour, share: NDArray[np.float32] | float) -> NDArray[np.float32]:
    """Lay one picture or colour over another; the share is a number or a field."""
    top = np.asarray(over, np.float32)
    part = share[..., None] if isinstance(share, np.ndarray) else np.float32(share)
    return under + (top - under) * part


def graded(field: NDArray[np.float32], colours: list[Colour]) -> NDArray[np.float32]:
    """Turn a field into colours, from the first at 0 to the last at 1."""
    steps = np.linspace(0, 255, len(colours))
    ramp = np.stack([np.interp(np.arange(256), steps, [colour[part] for colour in colours]) for part in range(3)], 1)
    return ramp.astype(np.float32)[np.clip(field * 255, 0, 255).astype(np.uint8)]


def saturated(picture: NDArray[np.float32], factor: float) -> NDArray[np.float32]:
    """Scale the distance of each colour from its gray."""
    level = luminance(picture)[..., None]
    return np.clip(level + (picture - level) * np.float32(factor), 0, 1)


def stepped(field: NDArray[np.float32], low: float, high: float) -> NDArray[np.float32]:
    """Rise smoothly from 0 at ``low`` to 1 at ``high``; the other way round if high is the smaller."""
    t = np.clip((field - np.float32(low)) * np.float32(1 / (high - low)), 0, 1)
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
    high, wide = picture.shape[:2]
    x, y = coordinates((wide, high))
    across = np.clip(x + right, 0, wide - 1).astype(np.intp)
    along = np.clip(y + down, 0, high - 1).astype(np.intp)
    return picture[along, across]
