"""Textures: noise, streaks, hatching, dots, cells, ragged edges. Lengths are in pixels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from PIL import Image

from inkframe_demo.drawing.operations import clipped, stepped

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from inkframe_demo.drawing.canvas import Field, Size

__all__ = ["Cells", "cells", "clouded", "coordinates", "dots", "framed", "hatched", "noise", "streaks"]


def coordinates(size: Size) -> tuple[Field, Field]:
    """Return x and y of all pixels, as a row and a column that broadcast."""
    return np.arange(size[0], dtype=np.float32)[None, :], np.arange(size[1], dtype=np.float32)[:, None]


def noise(rng: np.random.Generator, size: Size, cell: float | tuple[float, float]) -> Field:
    """Return smooth noise from 0 to 1 with grains of ``cell`` pixels, or of a width and height."""
    wide, high = cell if isinstance(cell, tuple) else (cell, cell)
    small = (max(int(size[0] / wide) + 2, 2), max(int(size[1] / high) + 2, 2))
    grains = rng.random((small[1], small[0]), np.float32)
    if wide <= 1 and high <= 1:
        return grains[: size[1], : size[0]]
    return clipped(np.asarray(Image.fromarray(grains).resize(size, Image.Resampling.BICUBIC)))


def clouded(rng: np.random.Generator, size: Size, cell: float, octaves: int = 3) -> Field:
    """Return fractal noise from 0 to 1: each octave half as large and half as strong."""
    field = noise(rng, size, cell)
    for octave in range(1, octaves):
        field = field + noise(rng, size, max(cell / 2**octave, 1)) * np.float32(0.5**octave)
    return field * np.float32(1 / (2 - 0.5 ** (octaves - 1)))


def streaks(rng: np.random.Generator, size: Size, length: float, width: float, angle: float) -> Field:
    """Return noise of long thin grains in one direction, from 0 to 1."""
    reach = int(np.hypot(*size)) + 2
    small = (max(int(reach / length), 2), max(int(reach / max(width, 1.0)), 2))
    grains = Image.fromarray(rng.random((small[1], small[0]), np.float32))
    large = grains.resize((reach, reach), Image.Resampling.BICUBIC)
    turned = large.rotate(float(np.degrees(angle)), Image.Resampling.BILINEAR)
    left, top = (reach - size[0]) // 2, (reach - size[1]) // 2
    return clipped(np.asarray(turned.crop((left, top, left + size[0], top + size[1]))))


def hatched(rng: np.random.Generator, size: Size, pitch: float, angle: float, wobble: float = 1.0) -> Field:
    """Return uneven parallel lines as drawn by hand, from 0 between them to 1 on them."""
    x, y = coordinates(size)
    sway = noise(rng, size, pitch * 14) * np.float32(wobble * 6.0)
    across = (x * np.float32(np.sin(angle)) + y * np.float32(np.cos(angle))) * np.float32(2 * np.pi / pitch)
    pressure = noise(rng, size, pitch * 2.5) * np.float32(0.44)
    return clipped(np.sin(across + sway) * np.float32(0.5) + np.float32(0.28) + pressure)


def dots(field: Field, pitch: float, angle: float) -> Field:
    """Return a field as halftone dots, 1 for ink; higher values have more ink."""
    x, y = coordinates((field.shape[1], field.shape[0]))
    turn = 2 * np.pi / pitch
    c, s = np.float32(np.cos(angle) * turn), np.float32(np.sin(angle) * turn)
    screen = (np.cos(x * c + y * s) + np.cos(y * c - x * s)) * np.float32(0.25) + np.float32(0.5)
    return clipped((field - screen) * np.float32(pitch * 0.6) + np.float32(0.5))


def framed(size: Size, rng: np.random.Generator, start: float, end: float, rough: float) -> Field:
    """Return a ragged frame: 0 at the edge and 1 within; distances are shares of the short side."""
    unit = min(size)
    x, y = coordinates(size)
    inside = np.minimum(np.minimum(x, size[0] - 1 - x), np.minimum(y, size[1] - 1 - y)) * np.float32(1 / unit)
    ragged = (clouded(rng, size, unit / 9, 4) - 0.5) * np.float32(rough)
    return stepped(inside + ragged, start, end)


@dataclass(frozen=True, slots=True)
class Cells:
    """A sheet cut into irregular cells.

    Args:
        label: A number for each pixel.
        border: The distance of each pixel from the edge of its cell.
    """

    label: NDArray[np.intp]
    border: Field


def cells(rng: np.random.Generator, size: Size, pitch: float) -> Cells:
    """Divide a sheet into the Voronoi cells of a jittered grid."""
    x, y = coordinates(size)
    step = np.float32(max(pitch, 4.0))
    wide, high = int(size[0] / step) + 3, int(size[1] / step) + 3
    seeds = rng.uniform(0.08, 0.92, (2, high, wide)).astype(np.float32)
    column, row = (x / step).astype(np.intp), (y / step).astype(np.intp)
    first = np.full((size[1], size[0]), np.float32(9e9))
    second, label = first.copy(), np.zeros(first.shape, np.intp)
    for down in (-1, 0, 1):
        for right in (-1, 0, 1):
            at = (row + down + 1, column + right + 1)
            dx = (column + right + seeds[0][at]).astype(np.float32) * step - x
            dy = (row + down + seeds[1][at]).astype(np.float32) * step - y
            far = dx * dx + dy * dy
            nearer = far < first
            second = np.where(nearer, first, np.minimum(second, far))
            label = np.where(nearer, at[0] * wide + at[1], label)
            first = np.where(nearer, far, first)
    return Cells(label, (np.sqrt(second) - np.sqrt(first)) * np.float32(0.5))
