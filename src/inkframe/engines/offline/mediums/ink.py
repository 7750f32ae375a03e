"""Ink."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from inkframe.engines.offline.drawing.color import hexed
from inkframe.engines.offline.drawing.operations import (
    blend,
    clipped,
    edges,
    graded,
    luminance,
    saturated,
    stepped,
    warped,
)
from inkframe.engines.offline.mediums.sheet import spread

if TYPE_CHECKING:
    from inkframe.engines.offline.drawing.canvas import Field, Picture
    from inkframe.engines.offline.mediums.sheet import Sheet

__all__ = ["ink"]

#: From a full brush to bare paper.
INDIGO = [hexed(name) for name in ("#15171f", "#2f3646", "#6b7688", "#b4bcc4", "#f7f4ea")]
#: The share of the picture that each wash covers, and its darkness.
WASHES = ((0.6, 0.17), (0.34, 0.24), (0.13, 0.3))


def ink(picture: Picture, sheet: Sheet) -> Picture:
    """Render brush lines of uneven width over three gray washes on paper, with a trace of color."""
    sway = sheet.sway(30, 7, 3)
    drawn = warped(picture, sway, -sway)
    tone = spread(luminance(sheet.blurred(drawn, 1.5)))
    wash = _washes(tone, sheet)
    steep = sheet.blurred(edges(tone), 1.0) * (0.55 + sheet.noise(60))
    most = float(np.quantile(steep[::3, ::3], 0.92))
    line = stepped(steep, max(0.022, most * 0.45), max(0.06, most * 0.9))
    dark = clipped(wash + line * np.float32(0.95)) * sheet.framed(0.01, 0.03, 0.04)
    drawing, hint = graded(1 - dark, INDIGO), saturated(sheet.blurred(drawn, 7), 1.4)
    return clipped(blend(drawing, drawing * (0.45 + 0.75 * hint), 0.4))


def _washes(tone: Field, sheet: Sheet) -> Field:
    """Return overlapping washes with irregular edges."""
    wavering = tone + (sheet.clouded(46, 4) - 0.5) * np.float32(0.16)
    wash = np.zeros_like(tone)
    for share, dark in WASHES:
        level = float(np.clip(np.quantile(tone[::4, ::4], share), 0.1, 0.8))
        wash += stepped(wavering, level + 0.03, level - 0.03) * np.float32(dark)
    return clipped(wash * (0.86 + 0.28 * sheet.noise(1.2)) + sheet.blurred(edges(wash), 1) * np.float32(0.5))
