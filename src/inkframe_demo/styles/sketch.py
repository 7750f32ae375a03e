"""Sketch."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from inkframe_demo.drawing.canvas import paint
from inkframe_demo.drawing.color import hexed
from inkframe_demo.drawing.compose import compose
from inkframe_demo.drawing.operations import (
    blurred,
    clipped,
    edges,
    graded,
    luminance,
    stepped,
    warped,
)
from inkframe_demo.drawing.texture import clouded, framed, hatched, noise

if TYPE_CHECKING:
    from inkframe_demo.drawing.canvas import Picture, Size
    from inkframe_demo.drawing.scene import Scene

__all__ = ["sketch"]

#: From bare paper to pressed graphite.
GRAPHITE = [hexed(name) for name in ("#f6f2e9", "#a8a4a0", "#5c5a5a", "#2c2b2e")]
#: The lightness up to which strokes are drawn, and their angle and distance.
STROKES = ((0.68, 0.75, 5.2), (0.5, 0.35, 4.6), (0.35, 1.2, 4.2), (0.22, -0.5, 3.8))


def sketch(scene: Scene, size: Size) -> Picture:
    """Draw graphite on paper: repeated outlines, crossed strokes for tone, and a bare edge."""
    unit, rng = min(size) / 512, scene.rng("sketch")
    drawn = paint(compose(scene, size).shapes, size)
    tone = luminance(drawn.picture)
    low = float(tone.min())
    tone = clipped((tone - low) * np.float32(0.88 / max(float(tone.max()) - low, 0.2)) + np.float32(0.12))
    borders = clipped(edges(drawn.owner.astype(np.float32)))
    steep = blurred(clipped(edges(tone) * 5 + borders * np.float32(0.35)), 0.7 * max(unit, 0.5))
    sway = [(clouded(rng, size, 40 * unit, 2) - 0.5) * np.float32(9 * unit) for _ in range(4)]
    outline = np.maximum(warped(steep, *sway[:2]), warped(steep, *sway[2:]))
    strokes = np.zeros_like(tone)
    for level, angle, pitch in STROKES:
        layer = hatched(rng, size, max(pitch * unit, 2.2), angle)
        strokes += layer * stepped(tone, level, level - 0.24) * np.float32(0.36)
    tooth = noise(rng, size, max(1.6 * unit, 1))
    dark = clipped(outline * np.float32(0.95) + strokes * (0.62 + 0.6 * tooth))
    dark *= framed(size, rng, 0.012, 0.05, 0.05)
    return graded(dark, GRAPHITE) - (tooth - 0.5) * np.float32(0.03)
