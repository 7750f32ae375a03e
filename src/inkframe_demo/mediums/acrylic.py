"""Acrylic."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PIL import Image, ImageDraw

from inkframe_demo.drawing.canvas import pixels, to_image
from inkframe_demo.drawing.operations import clipped, edges, luminance, saturated, stepped

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from inkframe_demo.drawing.canvas import Field, Picture
    from inkframe_demo.mediums.sheet import Sheet

__all__ = ["acrylic"]

#: A stroke with rounded ends: length and width from -1 to 1.
STROKE = np.array([
    (-1, 0), (-0.86, 0.75), (-0.4, 1), (0.3, 0.95), (0.8, 0.7),
    (1, 0.1), (0.82, -0.7), (0.3, -1), (-0.4, -0.95), (-0.88, -0.7),
])  # fmt: skip
#: The number of strokes converted to lists at once, which blocks the interpreter.
AT_ONCE = 256
#: The largest share of a sheet that is painted in detail.
MOST_DETAIL = 0.25
#: The width, length and density of the strokes of each layer, and whether it only covers detail.
LAYERS = ((15, 64, 1.0, False), (9, 38, 0.75, False), (4, 17, 1.0, True), (2.4, 10, 0.8, True))


def acrylic(picture: Picture, sheet: Sheet) -> Picture:
    """Paint thick overlapping strokes, each of one color, with light on the ridges of the paint."""
    source, tone = saturated(picture, 1.25), luminance(picture)
    paint, relief = to_image(sheet.blurred(source, 8)), Image.new("L", sheet.size, 128)
    angle = _directions(tone, sheet)
    detail = stepped(sheet.softened(clipped(edges(tone) * 6), 4), 0.08, 0.2)
    detail *= np.float32(min(1.0, MOST_DETAIL / max(float(detail.mean()), 0.01)))
    for width, length, density, sparing in LAYERS:
        spots = _spots(sheet, max(width * sheet.unit, 1.4) * 1.25 / density, detail if sparing else None)
        _lay(paint, relief, source, sheet, spots, angle, width, length)
    height = pixels(relief) + sheet.noise(1.3) * np.float32(0.1)
    slope = np.asarray(np.gradient(sheet.softened(height, 1.3)), np.float32)
    steepness = np.float32(2.6 * max(sheet.unit, 0.5))
    light: Field = np.clip((slope[0] + slope[1] * np.float32(0.7)) * steepness, -0.5, 0.5)
    shine = clipped(light - 0.1) * np.float32(0.2)
    return clipped(pixels(paint) * (1 + light * np.float32(0.46)) + shine)


def _directions(tone: Field, sheet: Sheet) -> Field:
    """Return the directions of strokes: along edges, and random elsewhere."""
    down, across = np.gradient(sheet.softened(sheet.softened(tone, 3), 10))
    steep = np.hypot(down, across) * np.float32(sheet.unit)
    return np.where(steep > 0.0016, np.arctan2(across, -down), sheet.clouded(120, 2) * np.float32(5))


def _spots(sheet: Sheet, step: float, where: Field | None) -> NDArray[np.float64]:
    """Return the middles of strokes: a jittered grid in random order, sparser where there is no detail."""
    wide, high = sheet.size
    grid = np.stack(np.meshgrid(np.arange(0, wide, step), np.arange(0, high, step)), -1).reshape(-1, 2)
    strewn = sheet.rng.permutation(grid + sheet.rng.uniform(-0.6, 0.6, grid.shape) * step)
    spots: NDArray[np.float64] = np.clip(strewn, 0, (wide - 1, high - 1))
    if where is None:
        return spots
    column, row = spots.astype(np.intp).T
    kept: NDArray[np.float64] = spots[where[row, column] > sheet.rng.random(len(row))]
    return kept


def _lay(
    paint: Image.Image,
    relief: Image.Image,
    source: Picture,
    sheet: Sheet,
    spots: NDArray[np.float64],
    angle: Field,
    width: float,
    length: float,
) -> None:
    """Paint one layer of strokes: their color on the paint, and their height on the relief."""
    rng, unit, many = sheet.rng, sheet.unit, len(spots)
    column, row = spots.astype(np.intp).T
    turn = angle[row, column] + rng.normal(0, 0.16, many)
    reach = max(length * unit, 4) / 2 * rng.uniform(0.6, 1.2, (many, 1))
    half = max(width * unit, 1.4) / 2 * rng.uniform(0.75, 1.15, (many, 1))
    along, aside = (
        np.stack([np.cos(turn), np.sin(turn)], 1) * reach,
        np.stack([-np.sin(turn), np.cos(turn)], 1) * half,
    )
    bend = rng.uniform(-0.9, 0.9, (many, 1)) * (1 - np.abs(STROKE[:, 0]))
    strokes, spines = (
        (
            spots[:, None]
            + along[:, None] * STROKE[:, :1]
            + aside[:, None] * (STROKE[:, 1] * broad + bend)[..., None]
        )
        for broad in (1.0, 0.25)
    )
    shade = source[:, row, column].T + rng.normal(0, 0.03, (many, 1)) + rng.normal(0, 0.012, (many, 3))
    colors, levels = np.clip(shade * 255, 0, 255).astype(int), rng.integers(70, 150, many)
    brush, ridge = ImageDraw.Draw(paint), ImageDraw.Draw(relief)
    fields = strokes.reshape(many, -1), spines.reshape(many, -1), colors, levels
    for start in range(0, many, AT_ONCE):
        some = (each[start : start + AT_ONCE].tolist() for each in fields)
        for stroke, spine, color, level in zip(*some, strict=True):
            brush.polygon(stroke, tuple(color))
            ridge.polygon(stroke, level)
            ridge.polygon(spine, level + 40)
