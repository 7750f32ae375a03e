"""Crayon."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from inkframe.engines.offline.drawing.color import hexed
from inkframe.engines.offline.drawing.operations import (
    blend,
    clipped,
    luminance,
    plane,
    saturated,
    stepped,
    warped,
)

if TYPE_CHECKING:
    from inkframe.engines.offline.drawing.canvas import Picture
    from inkframe.engines.offline.mediums.sheet import Sheet

__all__ = ["crayon"]

PAPER = hexed("#faf6ea")


def crayon(picture: Picture, sheet: Sheet) -> Picture:
    """Render wax on paper: strong color, bold strokes, and white specks of paper."""
    sway = sheet.sway(50, 10)
    drawn = warped(picture, sway, -sway)
    loud = saturated(sheet.blurred(drawn, 2.2), 1.8)
    stroke, tooth = sheet.strokes(60, 3.2, (0.75, -0.5)), sheet.clouded(1.9, 2)
    press = 0.56 + 0.3 * (1 - luminance(loud)) + 0.6 * (stroke - 0.5)
    wax = stepped(press - (tooth - 0.5) * np.float32(0.95), 0.08, 0.46)
    waxed = blend(np.broadcast_to(plane(PAPER), picture.shape), loud * (0.72 + 0.42 * stroke), wax)
    outline = sheet.outlined(luminance(drawn), 1.8, 0.018, 0.055) * stepped(tooth, 0.75, 0.45)
    return clipped(blend(waxed, loud * np.float32(0.38), outline * np.float32(0.85)))
