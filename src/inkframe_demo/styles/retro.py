"""Retro."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from inkframe_demo.drawing.canvas import paint
from inkframe_demo.drawing.color import hexed
from inkframe_demo.drawing.compose import compose
from inkframe_demo.drawing.operations import (
    blend,
    clipped,
    luminance,
    plane,
    shifted,
    stepped,
)
from inkframe_demo.drawing.texture import clouded, coordinates, noise

if TYPE_CHECKING:
    from inkframe_demo.drawing.canvas import Field, Picture, Size
    from inkframe_demo.drawing.scene import Scene

__all__ = ["retro"]

#: Dark, cool, warm and light ink; the paper.
PRESSES = (
    ("#27404a", "#3f8a84", "#df6b3d", "#f0b95b", "#f4e6c8"),
    ("#3b2f3f", "#7a5a6f", "#d8573f", "#e9b04f", "#f3e3c6"),
    ("#233a57", "#5d8a72", "#c94f3a", "#edb85e", "#f5e7cb"),
)
#: The shares of a picture printed in each tone, so that dark and pale pictures use all inks.
SHARES, LEVELS = (0.01, 0.14, 0.5, 0.82, 0.98), (0.05, 0.31, 0.66, 0.88, 1.0)


def retro(scene: Scene, size: Size) -> Picture:
    """Draw a worn travel poster of the fifties: four misaligned spot inks on cream paper, with a border."""
    unit, rng = min(size) / 512, scene.rng("retro")
    names = PRESSES[int(rng.integers(len(PRESSES)))]
    dark, cool, warm, light, paper = (plane(hexed(name)) for name in names)
    picture = paint(compose(scene, size).shapes, size).picture
    worn = clouded(rng, size, 18 * unit, 4)
    grain = (noise(rng, size, max(1.3 * unit, 1)) - 0.5) * np.float32(0.16)
    tone, warmth = _leveled(luminance(picture)) + grain, picture[0] - picture[2] + grain * np.float32(0.6)
    slip = max(round(1.6 * unit), 1)
    plates = (
        (light, stepped(tone, 0.92, 0.84), 0, 0),
        (warm, stepped(warmth, 0.06, 0.14) * stepped(tone, 0.74, 0.68), -slip, slip),
        (cool, stepped(warmth, 0.1, 0.03) * stepped(tone, 0.7, 0.63), 0, -slip),
        (dark, stepped(tone, 0.36, 0.29), slip, 0),
    )
    sheet = np.broadcast_to(paper, picture.shape)
    for ink, plate, right, down in plates:
        cover = shifted(plate, right, down) * stepped(worn, 0.12, 0.24) * np.float32(0.95)
        sheet = blend(sheet, sheet * np.float32(0.16) + ink * np.float32(0.84), cover)
    sheet = blend(sheet, np.broadcast_to(paper, picture.shape), _border(size, worn))
    return clipped(sheet + (worn - 0.5) * np.float32(0.06))


def _leveled(tone: Field) -> Field:
    """Equalize the tones so that each ink gets its share."""
    marks = np.quantile(tone[::3, ::3], SHARES) + np.arange(len(SHARES)) * 0.02
    curve = np.interp(np.linspace(0, 1, 256), marks, LEVELS).astype(np.float32)
    return curve[(clipped(tone) * 255).astype(np.uint8)]


def _border(size: Size, worn: Field) -> Field:
    """Return 1 on the border of the sheet, with a worn edge."""
    x, y = coordinates(size)
    inside = np.minimum(np.minimum(x, size[0] - 1 - x), np.minimum(y, size[1] - 1 - y))
    edge = min(size) * 0.045
    return stepped(inside + (worn - 0.5) * np.float32(min(size) * 0.006), edge + 0.8, edge - 0.8)
