"""Chalk."""

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
from inkframe.engines.offline.mediums.sheet import spread

if TYPE_CHECKING:
    from inkframe.engines.offline.drawing.canvas import Picture
    from inkframe.engines.offline.mediums.sheet import Sheet

__all__ = ["chalk"]

BOARD, WHITE_CHALK = hexed("#26332f"), (1.0, 1.0, 0.97)


def chalk(picture: Picture, sheet: Sheet) -> Picture:
    """Render dusty color on a blackboard: light areas are chalk, dark areas are the board."""
    tone = spread((luminance(picture) + picture.max(0)) * np.float32(0.5))
    sway = sheet.sway(26, 6)
    outline = warped(sheet.outlined(tone, 0.9, 0.02, 0.1), sway, sway)
    middle = float(np.clip(np.median(tone[::4, ::4]), 0.05, 0.95))
    tone = np.clip(tone, 1e-3, 1) ** np.float32(max(np.log(0.5) / np.log(middle), 0.75))
    stroke, tooth = sheet.strokes(60, 2.6, (0.85, 0.5)), sheet.clouded(2.4, 2)
    cover = (0.14 + 0.78 * tone) * (0.5 + 0.56 * stroke) + outline * np.float32(0.5)
    cover = stepped(cover - (tooth - 0.5) * np.float32(0.8), 0.14, 0.72)
    dust = blend(saturated(sheet.blurred(picture, 1), 1.25), WHITE_CHALK, 0.34)
    dust = blend(dust, WHITE_CHALK, outline * np.float32(0.5))
    board = plane(BOARD) * (0.85 + 0.3 * sheet.clouded(120, 4)) + sheet.softened(cover, 22) * np.float32(0.13)
    return clipped(blend(board, dust, cover * np.float32(0.92)))
