"""Pencil."""

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

__all__ = ["pencil"]

PAPER = hexed("#fdfbf5")


def pencil(picture: Picture, sheet: Sheet) -> Picture:
    """Render sharp colored pencils: fine parallel lines, crossed in dark areas, thin contours, bare paper."""
    tone = luminance(picture)
    dark = 1 - tone
    first, second, third = (sheet.streaks(46, 2, angle) for angle in (0.8, 0.55, -0.7))
    cover = stepped(first, 0.35, 0.8) * (0.45 + 0.4 * dark) + np.float32(0.12)
    cover += stepped(second, 0.4, 0.8) * stepped(dark, 0.25, 0.6) * np.float32(0.5)
    cover += stepped(third, 0.4, 0.8) * stepped(dark, 0.5, 0.85) * np.float32(0.5)
    paper, color = plane(PAPER), saturated(picture, 1.5) * np.float32(0.86)
    drawn = paper + (color - paper) * np.clip(cover, 0, 0.95) * sheet.framed(0.005, 0.045, 0.06)
    sway = sheet.sway(30, 3)
    line = warped(sheet.outlined(tone, 0.6, 0.025, 0.12), sway, sway)
    return clipped(blend(drawn, color * np.float32(0.35), line * np.float32(0.75)))
