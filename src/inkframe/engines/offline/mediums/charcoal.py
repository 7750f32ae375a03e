"""Charcoal."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from inkframe.engines.offline.drawing.color import hexed
from inkframe.engines.offline.drawing.operations import clipped, graded, luminance, warped
from inkframe.engines.offline.mediums.sheet import spread

if TYPE_CHECKING:
    from inkframe.engines.offline.drawing.canvas import Picture
    from inkframe.engines.offline.mediums.sheet import Sheet

__all__ = ["charcoal"]

#: From pressed charcoal to bare paper.
GRAYS = [hexed(name) for name in ("#141314", "#3a3837", "#7d7974", "#c2bcb2", "#f0ebe0")]


def charcoal(picture: Picture, sheet: Sheet) -> Picture:
    """Render black and gray on rough paper: deep edges, smudged tones, and erased highlights."""
    tone, sway, grain = spread(luminance(picture)), sheet.sway(40, 16), sheet.clouded(2.2, 2)
    rubbed = sheet.softened(warped(tone, sway, sway * np.float32(0.4)), 6)
    outline = sheet.outlined(tone, 1.7, 0.012, 0.06) * sheet.noise(30)
    depth = clipped(1 - (0.45 * tone + 0.55 * rubbed)) ** np.float32(1.15)
    dark = depth * (0.72 + 0.3 * sheet.hatched(9, 0.6, 1.4)) + outline * np.float32(0.5)
    broken = (grain - 0.52) * np.float32(0.85) * clipped(dark * 2.2) * (1.15 - dark)
    dark = clipped(dark * 1.15 + broken) * sheet.framed(0.01, 0.06, 0.05)
    return graded(1 - dark - (1 - grain) * np.float32(0.03), GRAYS)
