"""Pastel."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from inkframe.engines.offline.drawing.color import hexed
from inkframe.engines.offline.drawing.operations import blend, clipped, plane, saturated, stepped

if TYPE_CHECKING:
    from inkframe.engines.offline.drawing.canvas import Picture
    from inkframe.engines.offline.mediums.sheet import Sheet

__all__ = ["pastel"]

PAPER, POWDER = hexed("#a9a29b"), (1.0, 0.97, 0.94)


def pastel(picture: Picture, sheet: Sheet) -> Picture:
    """Render soft powder on tinted paper: pale blended colors, with the grain of the paper."""
    soft = blend(saturated(blend(sheet.blurred(picture, 5), picture, 0.35), 1.45), POWDER, 0.3)
    stroke, grain = sheet.strokes(60, 3.6, (0.95, 0.6)), sheet.clouded(2.2, 2)
    powder = stepped(grain - (stroke - 0.5) * np.float32(0.32), 0.82, 0.36)
    cover = (0.58 + 0.42 * powder) * sheet.framed(0.0, 0.05, 0.05)
    drifted = soft + (stroke - 0.5) * np.float32(0.12)
    return clipped(blend(plane(PAPER) * (0.95 + 0.1 * grain), drifted, cover))
