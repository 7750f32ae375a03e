"""Spray paint."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from inkframe_demo.drawing.operations import (
    blend,
    clipped,
    luminance,
    plane,
    regions,
    saturated,
    shifted,
    stepped,
)
from inkframe_demo.drawing.texture import coordinates

if TYPE_CHECKING:
    from inkframe_demo.drawing.canvas import Field, Picture
    from inkframe_demo.mediums.sheet import Sheet

__all__ = ["spray_paint"]


def spray_paint(picture: Picture, sheet: Sheet) -> Picture:
    """Render stenciled color on a wall: soft edges, spatter, and dripping paint."""
    wall, dust = _wall(sheet), sheet.noise(1.1)
    flat = regions(sheet.blurred(picture, 2.2), 14)
    loud = clipped((saturated(flat.mean, 1.75) - 0.5) * 1.2 + 0.5)
    mist = sheet.blurred(loud, 9)
    edge = stepped(sheet.blurred(flat.border, 6), 0.02, 0.3)
    color = blend(loud, mist, stepped(dust, 0.42, 0.6) * edge)
    _run(color, flat.border, sheet)
    cover = sheet.framed(0.03, 0.12, 0.04)
    cover = stepped(cover + (dust - 0.5) * np.float32(0.75) * (1 - np.abs(2 * cover - 1)), 0.3, 0.7)
    painted = blend(wall, color * (0.88 + 0.24 * luminance(wall)), cover * np.float32(0.93))
    drops = stepped(sheet.noise(2.4), 0.965, 0.99) * np.float32(0.8)
    return clipped(blend(painted, shifted(mist, round(25 * sheet.unit), 0), drops))


def _wall(sheet: Sheet) -> Picture:
    """Return a wall of bricks under old whitewash."""
    x, y = coordinates(sheet.size)
    high, long = np.float32(24 * sheet.unit), np.float32(58 * sheet.unit)
    row = np.floor(y / high)
    column = x / long + (row % 2) * np.float32(0.5)
    seam = np.minimum(y / high - row, (column - np.floor(column)) * (long / high))
    bricks = sheet.rng.random(997).astype(np.float32)[(row * 31 + np.floor(column) * 7).astype(np.intp) % 997]
    level = 0.56 + bricks * np.float32(0.12) + sheet.clouded(30, 4) * np.float32(0.24)
    wall: Picture = (level - stepped(seam, 0.12, 0.05) * np.float32(0.2)) * plane((1.0, 0.95, 0.9))
    return wall


def _run(color: Picture, border: Field, sheet: Sheet) -> None:
    """Draw drips of paint from some edges, as thin lines with a drop at the end."""
    (wide, high), rng = sheet.size, sheet.rng
    broad, above = max(round(2.2 * sheet.unit), 1), round(3 * sheet.unit)
    for x in rng.integers(broad, wide - broad, max(round(26 * wide / min(sheet.size)), 8)).tolist():
        starts = np.flatnonzero(border[: int(high * 0.8), x])
        if not len(starts):
            continue
        top = int(starts[int(rng.integers(len(starts)))])
        low = min(top + int(rng.uniform(0.05, 0.2) * high), high - 1)
        paint = color[:, max(top - above, 0), x][:, None, None]
        color[:, top:low, x : x + broad] = paint
        color[:, max(low - 2 * broad, 0) : low + broad // 2, max(x - 1, 0) : x + broad + 1] = paint
