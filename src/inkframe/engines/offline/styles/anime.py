"""Anime."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from inkframe.engines.offline.drawing.canvas import paint
from inkframe.engines.offline.drawing.color import WHITE, Color, bright, hexed, mix, vivid
from inkframe.engines.offline.drawing.compose import compose
from inkframe.engines.offline.drawing.operations import blurred, clipped, saturated
from inkframe.engines.offline.drawing.places.sky import draw_cumulus

if TYPE_CHECKING:
    from inkframe.engines.offline.drawing.canvas import Picture, Size
    from inkframe.engines.offline.drawing.scene import Scene
    from inkframe.engines.offline.drawing.scene_layout import Stage
    from inkframe.engines.offline.drawing.shape import Shape

__all__ = ["anime"]

LINE = hexed("#2a2038")
#: Sky colors by time of day, from the zenith to the horizon.
SKIES = {
    "dawn": ("#3f6fd0", "#8f9ff0", "#ffb0b8", "#ffe6b0"),
    "morning": ("#1f7fe0", "#4fa8f5", "#a8dcff", "#f0fbff"),
    "noon": ("#0f62d0", "#2f8cf0", "#7cc4ff", "#d8f4ff"),
    "afternoon": ("#1f74d0", "#55a5ea", "#b5dcf0", "#fff0c8"),
    "golden": ("#3a3f9f", "#9a55b8", "#ff7a70", "#ffd070"),
    "dusk": ("#141a5a", "#3f3a9a", "#a055b0", "#ff9a88"),
    "night": ("#060a38", "#101c66", "#2340a0", "#5a86e0"),
}
INWARD = {"deep", "space", "abstract", "table", "wall", "room", "forest"}


def anime(scene: Scene, size: Size) -> Picture:
    """Draw a deep saturated sky with towering clouds, cel shading, thin lines and glowing sunlight."""
    stage = compose(scene, size)
    if scene.place not in INWARD:
        _tower_clouds(stage)
    sky = [hexed(name) for name in SKIES[scene.time]]
    shapes = [_cel(shape, sky) for shape in stage.shapes]
    picture = saturated(paint(shapes, size, line=(LINE, 0.0035)).picture, 1.25)
    glow = clipped(blurred(picture, min(size) / 40) - 0.55)
    picture = 1 - (1 - picture) * (1 - glow * np.float32(0.6))
    return clipped((picture - 0.5) * 1.12 + 0.52)


def _tower_clouds(stage: Stage) -> None:
    rng = stage.rng("film clouds")
    for across, level in rng.uniform((0, 0.72), (stage.wide, 0.98), (3, 2)).tolist():
        for lift, reach in ((0.0, 0.26), (0.14, 0.19), (0.25, 0.12)):
            draw_cumulus(stage, across + lift * 0.3, stage.horizon * level - lift, reach, 0.045)


def _cel(shape: Shape, sky: list[Color]) -> Shape:
    """Paint in flat light and shade; the shade is tinted by the sky."""
    if shape.kind == "sky" and len(shape.fill) == len(sky):
        return replace(
            shape, fill=tuple(mix(own, film, 0.75) for own, film in zip(shape.fill, sky, strict=True))
        )
    if shape.kind == "cloud" and len(shape.fill) > 1:
        tints = (WHITE, sky[3], sky[1])
        fill = tuple(mix(own, film, 0.45) for own, film in zip(shape.fill, tints, strict=False))
        return replace(shape, fill=fill, softness=min(shape.softness, 0.001))
    if shape.kind in {"thing", "wall"}:
        light = vivid(bright(shape.color, 1.12), 1.3)
        shade = mix(vivid(bright(shape.color, 0.68), 1.3), sky[0], 0.22)
        return replace(shape, fill=(light, light, light, light, shade, shade, shade))
    if shape.kind in {"land", "far", "water", "detail", "reflection"}:
        return replace(shape, fill=tuple(vivid(bright(color, 1.06), 1.45) for color in shape.fill))
    return shape
