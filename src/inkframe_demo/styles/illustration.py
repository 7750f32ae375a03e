"""Illustration."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from inkframe_demo.drawing.canvas import paint
from inkframe_demo.drawing.color import Color, gray, hexed, mix, toned
from inkframe_demo.drawing.compose import compose
from inkframe_demo.drawing.operations import clipped, luminance, stepped
from inkframe_demo.drawing.texture import noise

if TYPE_CHECKING:
    from inkframe_demo.drawing.canvas import Picture, Size
    from inkframe_demo.drawing.scene import Scene
    from inkframe_demo.drawing.shape import Shape

__all__ = ["illustration"]

#: Palettes from dark to light; every color of a picture shifts toward the nearest of one palette.
SETS = (
    ("#22333b", "#3f6f6f", "#c2593f", "#e0a458", "#a8bfa0", "#f2d9a8", "#faf1de"),
    ("#2b2d42", "#5a4e7c", "#b5546f", "#ef8e6e", "#8fa8b8", "#f5cfa8", "#fdf3e4"),
    ("#1f3a4a", "#33658a", "#86a873", "#e07a3f", "#9fc0c4", "#f3d59a", "#fbf4e0"),
)


def illustration(scene: Scene, size: Size) -> Picture:
    """Draw flat layers in a few warm colors, shaded with grain like a printed picture book."""
    rng = scene.rng("illustration")
    palette = [hexed(name) for name in SETS[int(rng.integers(len(SETS)))]]
    shapes = compose(scene, size).shapes
    flat, full = paint([_flat(shape, palette) for shape in shapes], size), paint(shapes, size)
    local = np.array([gray(shape.color) for shape in full.shapes], np.float32)[full.owner]
    relief = luminance(full.picture) - local
    grain = noise(rng, size, max(1.15 * min(size) / 512, 1))
    darker = stepped(grain, 0.04 - relief * 2.4, -0.02 - relief * 2.4)
    lighter = stepped(grain, 0.98 - relief * 1.8, 1.04 - relief * 1.8)
    return clipped(flat.picture * (1 - np.float32(0.17) * darker) + np.float32(0.09) * lighter)


def _flat(shape: Shape, palette: list[Color]) -> Shape:
    if shape.kind == "sky" and len(shape.fill) > 1:
        dark = gray(shape.fill[0]) < 0.3
        high, low = palette[:2] if dark else (mix(palette[4], shape.fill[0], 0.3), palette[5])
        return replace(shape, fill=(high, mix(high, low, 0.55), low))
    color = shape.fill[0] if shape.kind == "cloud" else shape.color
    softness = 0.0 if shape.kind in {"cloud", "shadow"} else shape.softness
    return replace(shape, fill=(_nearest(color, palette),), softness=softness)


def _nearest(color: Color, palette: list[Color]) -> Color:
    """Shift a color toward the nearest of the palette, keeping some of its lightness."""

    def distance(other: Color) -> float:
        parts = zip(color, other, strict=True)
        return sum((a - b) ** 2 for a, b in parts) + (gray(color) - gray(other)) ** 2

    near = min(palette, key=distance)
    return mix(mix(near, toned(color, near, 1.0), 0.45), color, 0.12)
