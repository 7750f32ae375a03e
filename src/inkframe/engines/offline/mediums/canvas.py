"""Canvas."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from inkframe.engines.offline.drawing.color import hexed
from inkframe.engines.offline.drawing.operations import blend, clipped, plane, saturated, stepped
from inkframe.engines.offline.drawing.texture import coordinates, noise

if TYPE_CHECKING:
    from inkframe.engines.offline.drawing.canvas import Field, Picture
    from inkframe.engines.offline.mediums.sheet import Sheet

__all__ = ["canvas"]

LINEN = hexed("#cdb996")


def canvas(picture: Picture, sheet: Sheet) -> Picture:
    """Render oil on coarse linen: woven threads, thin paint on their tops, and a raw edge."""
    height = _weave(sheet)
    thin = stepped(height * np.float32(0.55) + sheet.clouded(46, 4) * np.float32(0.75), 0.78, 1.12)
    cover = (1 - np.float32(0.62) * thin) * sheet.framed(0.025, 0.075, 0.05)
    oil = saturated(sheet.blurred(picture, 1.3), 1.12) * (0.66 + 0.46 * height)
    return clipped(blend(plane(LINEN) * (0.6 + 0.5 * height), oil, cover))


def _weave(sheet: Sheet) -> Field:
    """Return the height of a plain weave, from 0 between the threads to about 1 on top of them."""
    x, y = coordinates(sheet.size)
    unit, pitch = sheet.unit, np.float32(np.pi / max(5.4 * sheet.unit, 2.6))
    sway = sheet.sway(60, 3, 1)
    u, v = (x + sway) * pitch, (y - sway) * pitch
    warp, weft = np.abs(np.sin(u)), np.abs(np.sin(v))
    over = (np.floor(u / np.float32(np.pi)) + np.floor(v / np.float32(np.pi))) % 2 > 0
    thread = np.where(over, warp * (weft * 0.45 + 0.55), weft * (warp * 0.45 + 0.55))
    thin = max(2 * unit, 1)
    slubs = [noise(sheet.rng, sheet.size, cell) - 0.5 for cell in ((thin, 70 * unit), (70 * unit, thin))]
    height: Field = thread + (slubs[0] + slubs[1]) * np.float32(0.3)
    return height
