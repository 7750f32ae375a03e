"""3D render."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from inkframe_demo.drawing.canvas import paint
from inkframe_demo.drawing.color import WHITE, mix, vivid
from inkframe_demo.drawing.compose import compose
from inkframe_demo.drawing.operations import (
    blend,
    blurred,
    clipped,
    edges,
    plane,
    shifted,
    softened,
    stepped,
)

if TYPE_CHECKING:
    from inkframe_demo.drawing.canvas import Canvas, Field, Picture, Size
    from inkframe_demo.drawing.scene import Scene
    from inkframe_demo.drawing.shape import Shape

__all__ = ["render"]

#: Kinds of shapes without volume.
BODILESS = {"detail", "glint", "light", "weather"}


def render(scene: Scene, size: Size) -> Picture:
    """Draw smooth clay volumes in studio light: rounded, glossy, and casting shadows."""
    unit = min(size)
    shapes = [_clay(shape) for shape in compose(scene, size).shapes if shape.kind != "shadow"]
    canvas = paint(shapes, size)
    bodies = paint([shape for shape in shapes if shape.kind not in BODILESS], size)
    down, across = _slopes(bodies)
    lit = (across * 0.5 + down * 0.62 + 0.7) / np.sqrt(down * down + across * across + 1)
    light = blurred(clipped(lit), 0.6)
    cover = shifted(bodies.depth, round(unit / 64) or 1, round(unit / 40) or 1) - bodies.depth
    shadow = blurred(clipped(cover * 4), unit / 45) * plane((0.36, 0.324, 0.27))
    picture = canvas.picture * (0.56 + 0.6 * light) * (1 - shadow)
    picture = picture + stepped(light, 0.9, 1.0) * np.float32(0.3)
    return clipped(blend(picture, blurred(picture, unit / 16) * np.float32(1.1), 0.16))


def _clay(shape: Shape) -> Shape:
    if shape.kind == "sky":
        return replace(shape, fill=tuple(vivid(mix(color, WHITE, 0.3), 1.2) for color in shape.fill))
    opacity = 1.0 if shape.kind == "cloud" and shape.solid else shape.opacity
    return replace(shape, fill=tuple(vivid(mix(c, WHITE, 0.16), 1.5) for c in shape.fill), opacity=opacity)


def _slopes(bodies: Canvas) -> tuple[Field, Field]:
    """Return the slopes of layers, rounded at edges before farther layers and creased between things."""
    level, unit = bodies.depth, min(bodies.owner.shape)
    down, across = np.zeros_like(level), np.zeros_like(level)
    steps = np.unique(level.ravel()[::97].round(2))[1:].tolist()
    for low, high in pairwise([*steps, 2.0]):
        front = (level >= low - 0.005).astype(np.float32)
        here = front * (level < high - 0.005)
        slope = np.gradient(softened(front, unit / 34) + softened(front, unit / 90) * np.float32(0.4))
        down += slope[0] * here
        across += slope[1] * here
    rim = clipped(edges(bodies.owner.astype(np.float32))) * bodies.of("thing")
    crease = np.gradient(softened(rim, max(unit / 170, 1.1)) * np.float32(0.16))
    reach = np.float32(unit / 26)
    return (down - crease[0]) * reach, (across - crease[1]) * reach
