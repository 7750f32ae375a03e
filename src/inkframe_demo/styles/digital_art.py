"""Digital art."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from inkframe_demo.drawing.canvas import paint
from inkframe_demo.drawing.color import WHITE, Color, hexed, mix
from inkframe_demo.drawing.compose import compose
from inkframe_demo.drawing.operations import (
    blend,
    blurred,
    clipped,
    graded,
    luminance,
    plane,
    saturated,
    shifted,
)
from inkframe_demo.drawing.shape import Shape, ellipse
from inkframe_demo.drawing.texture import coordinates

if TYPE_CHECKING:
    from inkframe_demo.drawing.canvas import Canvas, Field, Picture, Size
    from inkframe_demo.drawing.scene import Scene
    from inkframe_demo.drawing.scene_layout import Stage

__all__ = ["digital_art"]

#: From shade to light.
GRADE = [hexed(name) for name in ("#0a0620", "#2a1a6a", "#1f7fa8", "#ff9f6a", "#fff3d8")]
WARM, COLD = hexed("#ffb070"), hexed("#6fd8ff")


def digital_art(scene: Scene, size: Size) -> Picture:
    """Draw cinematic color: deep violet shadows, rim light, a blooming sun, drifting sparks."""
    unit, stage = min(size), compose(scene, size)
    canvas = paint(stage.shapes, size)
    glow = COLD if stage.light.dark else WARM
    graded_ = graded(luminance(canvas.picture), GRADE)
    picture = saturated(blend(canvas.picture, graded_, 0.5), 1.35)
    x, y = coordinates(size)
    sun_y = stage.horizon * (1 - stage.light.height * 0.8)
    far = np.hypot(x - np.float32(stage.sun_x * unit), y - np.float32(sun_y * unit))
    picture = picture * (np.float32(0.62) + np.float32(0.75) * np.exp(far * np.float32(-1 / (0.36 * unit))))
    picture = _screened(picture, _rims(canvas, stage) * plane(glow) * np.float32(0.8))
    picture = _screened(picture, clipped(blurred(clipped(picture - 0.5), unit / 26) * np.float32(1.1)))
    return clipped(picture + _sparks(stage, mix(glow, WHITE, 0.4)))


def _screened(picture: Picture, light: Picture) -> Picture:
    """Blend two pictures in screen mode."""
    return 1 - (1 - picture) * (1 - light)


def _rims(canvas: Canvas, stage: Stage) -> Field:
    """Light the edges of near things that face the sun."""
    unit = min(stage.size)
    step = max(round(unit / 170), 1)
    toward = step if stage.sun_x < stage.wide / 2 else -step
    depth = canvas.depth
    return blurred(clipped((depth - shifted(depth, toward, step)) * 9), unit / 400)


def _sparks(stage: Stage, color: Color) -> Picture:
    unit = min(stage.size)
    spots = stage.rng("sparks").uniform((0, 0.2, 0.001), (stage.wide, stage.tall, 0.0042), (46, 3)).tolist()
    bits = [
        Shape((ellipse(x, y, size, count=10),), (WHITE,), 0.5, "light", opacity=0.9) for x, y, size in spots
    ]
    return blurred(luminance(paint(bits, stage.size).picture), max(unit / 420, 0.6)) * plane(color)
