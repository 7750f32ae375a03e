"""Photography."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from inkframe_demo.drawing.canvas import paint
from inkframe_demo.drawing.compose import compose
from inkframe_demo.drawing.operations import (
    blend,
    blurred,
    clipped,
    luminance,
    plane,
    stepped,
)
from inkframe_demo.drawing.texture import clouded, coordinates, noise

if TYPE_CHECKING:
    from inkframe_demo.drawing.canvas import Canvas, Picture, Size
    from inkframe_demo.drawing.scene import Scene

__all__ = ["photography"]

WARM, COLD = plane((1.09, 1.0, 0.86)), plane((0.84, 0.99, 1.08))


def photography(scene: Scene, size: Size) -> Picture:
    """Draw a photo focused on the main thing: blurred distance, textured surfaces, and film grain."""
    unit, rng, stage = min(size), scene.rng("photography"), compose(scene, size)
    canvas = paint(stage.shapes, size)
    sharp = _textured(canvas, rng)
    away = blurred(np.abs(canvas.depth - np.float32(stage.main_depth)), unit / 170)
    picture = blend(sharp, blurred(sharp, unit / 210), stepped(away, 0.1, 0.26))
    picture = blend(picture, blurred(sharp, unit / 85), stepped(away, 0.26, 0.6))
    spill = clipped(blurred(picture, unit / 20) - 0.62)
    picture = _film(clipped(picture + spill * np.float32(0.5)))
    x, y = coordinates(size)
    fall = np.hypot(x * np.float32(1.15 / size[0]) - 0.575, y * np.float32(1.15 / size[1]) - 0.575)
    picture = picture * (1 - np.float32(0.5) * stepped(fall, 0.36, 0.95))
    grain = noise(rng, size, max(unit / 480, 1)) - 0.5
    return clipped(picture + grain * np.float32(0.055))


def _textured(canvas: Canvas, rng: np.random.Generator) -> Picture:
    """Return surfaces with texture, stronger when nearer."""
    size = (canvas.owner.shape[1], canvas.owner.shape[0])
    unit = min(size)
    rough = clouded(rng, size, unit / 24, 5) - 0.5
    fine = noise(rng, size, (max(unit / 300, 1), max(unit / 500, 1))) - 0.5
    surface = canvas.of("land", "wall", "far", "water") * (0.35 + 0.65 * canvas.depth)
    surface = surface + canvas.of("thing") * np.float32(0.22)
    return clipped(canvas.picture * (1 + (rough * np.float32(0.5) + fine * np.float32(0.3)) * surface))


def _film(picture: Picture) -> Picture:
    """Deepen shadows and split the tones: cold below, warm above."""
    curve = picture * picture * (3 - 2 * picture)
    picture = curve * np.float32(0.72) + picture * np.float32(0.2)
    return picture * blend(COLD, WARM, stepped(luminance(picture), 0.1, 0.65))
