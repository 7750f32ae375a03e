"""Watercolor."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from inkframe.engines.offline.drawing.color import hexed
from inkframe.engines.offline.drawing.operations import (
    blend,
    clipped,
    edges,
    luminance,
    plane,
    regions,
    saturated,
    stepped,
    warped,
)

if TYPE_CHECKING:
    from inkframe.engines.offline.drawing.canvas import Picture
    from inkframe.engines.offline.mediums.sheet import Sheet

__all__ = ["watercolor"]

PAPER = hexed("#fbf8f0")


def watercolor(picture: Picture, sheet: Sheet) -> Picture:
    """Render washes on wet paper: dark rims, pale middles, pigment in the grain, and a bare border."""
    wet = warped(sheet.blurred(picture, 1.4), sheet.sway(34, 15, 4), sheet.sway(26, 15, 4))
    tones = regions(wet, 11)
    border = tones.border * stepped(sheet.blurred(edges(luminance(wet)), 2), 0.004, 0.02)
    rim, pool = sheet.blurred(border, 0.9), sheet.blurred(border, 6)
    blooms, pigment = sheet.clouded(70, 4) - 0.5, sheet.noise(1.4) - 0.5
    strength = 0.72 + 0.5 * blooms + 1.1 * rim + 0.7 * pool + np.float32(0.22) * pigment
    wash = saturated(blend(sheet.blurred(wet, 2.5), tones.mean, 0.35), 1.3)
    paper = plane(PAPER)
    stain = (paper - wash) * np.clip(strength, 0.15, 1.35) * sheet.framed(0.02, 0.055, 0.05)
    tooth = np.abs(sheet.clouded(2.6, 2) - 0.5)
    return clipped(paper - stain - tooth * np.float32(0.06))
