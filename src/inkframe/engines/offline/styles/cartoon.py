"""Cartoon."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from inkframe.engines.offline.drawing.canvas import paint
from inkframe.engines.offline.drawing.color import Color, bright, gray, hexed, vivid
from inkframe.engines.offline.drawing.compose import compose

if TYPE_CHECKING:
    from inkframe.engines.offline.drawing.canvas import Picture, Size
    from inkframe.engines.offline.drawing.scene import Scene
    from inkframe.engines.offline.drawing.shape import Shape

__all__ = ["cartoon"]

LINE = hexed("#231a26")
BODIES = {"thing", "land", "far", "wall", "water"}


def cartoon(scene: Scene, size: Size) -> Picture:
    """Draw flat bright colors in two tones, with a bold outline around everything."""
    shapes = [_toon(shape) for shape in compose(scene, size).shapes]
    return paint(shapes, size, line=(LINE, 0.0095)).picture


def _loud(color: Color) -> Color:
    return vivid(bright(color, 1.12 if gray(color) > 0.25 else 1.0), 1.75)


def _toon(shape: Shape) -> Shape:
    if shape.kind == "sky":
        return replace(shape, fill=tuple(_loud(color) for color in shape.fill))
    body, shade = _loud(shape.color), _loud(bright(shape.color, 0.78))
    fill = (body, body, body, body, shade, shade) if shape.kind in BODIES else (body,)
    if shape.kind == "cloud" and shape.softness < 0.05:
        return replace(shape, fill=fill, softness=0.0, opacity=1.0)
    crisp = shape.kind in {"light", "shadow"} and shape.softness < 0.05
    return replace(shape, fill=fill, softness=0.0 if crisp else shape.softness)
