"""Styles of comics, with lines around flat colors: anime, cartoon and pop art."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from inkframe_demo.drawing.canvas import paint
from inkframe_demo.drawing.color import WHITE, Color, bright, gray, hexed, mix, vivid
from inkframe_demo.drawing.compose import compose
from inkframe_demo.drawing.operations import (
    blend,
    blurred,
    clipped,
    luminance,
    plane,
    saturated,
)
from inkframe_demo.drawing.places.sky import draw_cumulus
from inkframe_demo.drawing.shape import Shape, rays
from inkframe_demo.drawing.texture import dots

if TYPE_CHECKING:
    from inkframe_demo.drawing.canvas import Picture, Size
    from inkframe_demo.drawing.scene import Scene
    from inkframe_demo.drawing.scene_layout import Stage

__all__ = ["anime", "cartoon", "pop_art"]

#: The colors of the lines of anime and cartoons.
ANIME_LINE, CARTOON_LINE = hexed("#2a2038"), hexed("#231a26")
#: The sky of anime by time of day, from the zenith to the horizon.
SKIES = {
    "dawn": ("#3f6fd0", "#8f9ff0", "#ffb0b8", "#ffe6b0"),
    "morning": ("#1f7fe0", "#4fa8f5", "#a8dcff", "#f0fbff"),
    "noon": ("#0f62d0", "#2f8cf0", "#7cc4ff", "#d8f4ff"),
    "afternoon": ("#1f74d0", "#55a5ea", "#b5dcf0", "#fff0c8"),
    "golden": ("#3a3f9f", "#9a55b8", "#ff7a70", "#ffd070"),
    "dusk": ("#141a5a", "#3f3a9a", "#a055b0", "#ff9a88"),
    "night": ("#060a38", "#101c66", "#2340a0", "#5a86e0"),
}
#: Places without an open sky.
CLOUDLESS = {"deep", "space", "abstract", "table", "wall", "room", "forest"}
#: The kinds of shapes that are shaded in a cartoon.
BODIES = {"thing", "land", "far", "wall", "water"}
#: The inks of pop art.
BLACK, PAPER, GRAY = hexed("#101018"), hexed("#ffffff"), hexed("#aed9ee")
INKS = [hexed(name) for name in ("#e8252f", "#f02f8a", "#f7d417", "#18a8e0", "#1f49b8", "#2fb45a", "#ff8a1f")]
#: Its skies and rays.
BURSTS = (("#ffd91f", "#ff8a1f"), ("#23b5e8", "#9fe3fa"), ("#ff5fa2", "#ffd1e3"), ("#2bc48a", "#c8f5de"))
#: Kinds of shapes it omits.
LEFT_OUT = {"sky", "glint", "shadow"}


def anime(scene: Scene, size: Size) -> Picture:
    """Draw a deep saturated sky with towering clouds, cel shading, thin lines and glowing sunlight."""
    stage = compose(scene, size)
    if scene.place not in CLOUDLESS:
        _tower_clouds(stage)
    sky = [hexed(name) for name in SKIES[scene.time]]
    shapes = [_cel(shape, sky) for shape in stage.shapes]
    picture = saturated(paint(shapes, size, line=(ANIME_LINE, 0.0035)).picture, 1.25)
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


def cartoon(scene: Scene, size: Size) -> Picture:
    """Draw flat bright colors in two tones, with a bold outline around everything."""
    shapes = [_toon(shape) for shape in compose(scene, size).shapes]
    return paint(shapes, size, line=(CARTOON_LINE, 0.0095)).picture


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


def pop_art(scene: Scene, size: Size) -> Picture:
    """Draw pure inks, heavy black lines, a burst of rays, and dots for shade."""
    stage = compose(scene, size)
    sky, ray = (hexed(name) for name in BURSTS[int(stage.rng("burst").integers(len(BURSTS)))])
    burst = rays(stage.sun_x, stage.horizon * 0.6, 0, 2 * np.pi, 16)
    shapes = [Shape((stage.whole,), (sky,), 0.0, "sky"), Shape(burst, (ray,), 0.001, "sky")]
    shapes += [
        _inked(shape) for shape in stage.shapes if shape.kind not in LEFT_OUT and shape.softness < 0.03
    ]
    canvas = paint(shapes, size, line=(BLACK, 0.0115))
    shade = luminance(paint(stage.shapes, size).picture)
    local = np.array([gray(shape.color) for shape in canvas.shapes], np.float32)[canvas.owner]
    tone = np.clip(0.3 + (0.52 - shade) * 0.7, 0, 0.62) * (local > 0.16)
    tone = np.where(canvas.of("sky"), np.clip(0.7 - shade * 0.9, 0.05, 0.54), tone)
    ink = dots(tone.astype(np.float32), max(8.5 * min(size) / 512, 3.0), 0.6)
    return blend(canvas.picture, canvas.picture * plane((0.44, 0.34, 0.48)), ink * np.float32(0.8))


def _inked(shape: Shape) -> Shape:
    color = PAPER if shape.kind == "cloud" else _ink(shape.color)
    return replace(
        shape, fill=(color,), softness=0.0, opacity=1.0 if shape.kind == "cloud" else shape.opacity
    )


def _ink(color: Color) -> Color:
    """Return the ink of a color's hue, lighter or darker; grays become black, pale blue or paper."""
    level, high, low = gray(color), max(color), min(color)
    if level < 0.13 or high - low < 0.07:
        return BLACK if level < 0.3 else GRAY if level < 0.62 else PAPER
    pure = [(part - low) / (high - low) for part in color]
    near = min(INKS, key=lambda ink: sum((a - b) ** 2 for a, b in zip(pure, ink, strict=True)))
    return mix(near, PAPER, 0.45) if level > 0.72 else bright(near, 0.62) if level < 0.25 else near
