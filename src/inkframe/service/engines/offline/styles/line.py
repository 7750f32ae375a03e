"""Styles that live by their outlines: cartoon, anime, sketch."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from inkframe.service.engines.offline.drawing.canvas import paint
from inkframe.service.engines.offline.drawing.colour import Colour, bright, gray, hexed, mix, vivid
from inkframe.service.engines.offline.drawing.compose import compose
from inkframe.service.engines.offline.drawing.places.sky import draw_cumulus
from inkframe.service.engines.offline.drawing.shape import Shape
from inkframe.service.engines.offline.drawing.texture import (
    blurred,
    clouded,
    edges,
    graded,
    hatched,
    luminance,
    noise,
    saturated,
    stepped,
    warped,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from inkframe.service.engines.offline.drawing.scene import Scene

__all__ = ["anime", "cartoon", "sketch"]

SOLID = {"thing", "land", "far", "wall", "water"}


def cartoon(scene: Scene, size: tuple[int, int]) -> NDArray[np.float32]:
    """Flat bright colours in two tones, and one bold outline around everything."""
    shapes = [_toon(shape) for shape in compose(scene, size).shapes]
    return paint(shapes, size, line=(hexed("#231a26"), 0.0095)).picture


def _toon(shape: Shape) -> Shape:
    def loud(colour: Colour) -> Colour:
        return vivid(bright(colour, 1.12 if gray(colour) > 0.25 else 1.0), 1.75)

    if shape.kind == "sky":
        return replace(shape, fill=tuple(loud(colour) for colour in shape.fill))
    body, shade = loud(shape.colour), loud(bright(shape.colour, 0.78))
    fill = (body, body, body, body, shade, shade) if shape.kind in SOLID else (body,)
    crisp = shape.kind in {"cloud", "light", "shadow"} and shape.softness < 0.05
    return replace(
        shape,
        fill=fill,
        softness=0.0 if crisp else shape.softness,
        opacity=1.0 if shape.kind == "cloud" else shape.opacity,
    )


#: Skies of painted films by time of day: zenith to horizon.
FILM_SKIES = {
    "dawn": ("#3f6fd0", "#8f9ff0", "#ffb0b8", "#ffe6b0"), "morning": ("#1f7fe0", "#4fa8f5", "#a8dcff", "#f0fbff"),
    "noon": ("#0f62d0", "#2f8cf0", "#7cc4ff", "#d8f4ff"), "afternoon": ("#1f74d0", "#55a5ea", "#b5dcf0", "#fff0c8"),
    "golden": ("#3a3f9f", "#9a55b8", "#ff7a70", "#ffd070"), "dusk": ("#141a5a", "#3f3a9a", "#a055b0", "#ff9a88"),
    "night": ("#060a38", "#101c66", "#2340a0", "#5a86e0"),
}  # fmt: skip


def anime(scene: Scene, size: tuple[int, int]) -> NDArray[np.float32]:
    """A deep saturated sky with towering clouds, cel shading, thin lines, sunlight that spills."""
    stage = compose(scene, size)
    outside = any(shape.kind in {"far", "cloud", "water"} for shape in stage.shapes)
    if outside and scene.place not in {"deep", "space", "abstract"}:
        rng = stage.rng("film clouds")
        for _ in range(3):
            x, y = float(rng.uniform(0, stage.wide)), stage.horizon * float(rng.uniform(0.72, 0.98))
            for lift, reach in ((0.0, 0.26), (0.14, 0.19), (0.25, 0.12)):
                draw_cumulus(stage, x + lift * 0.3, y - lift, reach, 0.045)
    skies = [hexed(colour) for colour in FILM_SKIES[scene.time]]
    shapes = [_cel(shape, skies) for shape in stage.shapes]
    canvas = paint(shapes, size, line=(hexed("#2a2038"), 0.0035))
    picture = saturated(canvas.picture, 1.25)
    glow = np.clip(blurred(picture, min(size) / 40) - 0.55, 0, 1) * np.float32(1.1)
    picture = 1 - (1 - picture) * (1 - glow * np.float32(0.55))
    return np.clip((picture - 0.5) * 1.12 + 0.52, 0, 1)


def _cel(shape: Shape, skies: list[Colour]) -> Shape:
    if shape.kind == "sky" and len(shape.fill) == len(skies):
        return replace(
            shape, fill=tuple(mix(colour, film, 0.75) for colour, film in zip(shape.fill, skies, strict=True))
        )
    if shape.kind in {"sky", "light", "weather"}:
        return shape
    if shape.kind == "cloud":
        return replace(
            shape,
            fill=tuple(
                mix(colour, film, 0.45)
                for colour, film in zip(
                    (*shape.fill, shape.fill[-1]), ((1.0, 1.0, 1.0), skies[3], skies[1]), strict=False
                )
            ),
            softness=min(shape.softness, 0.001),
        )
    light, shade = (
        vivid(bright(shape.colour, 1.12), 1.3),
        mix(vivid(bright(shape.colour, 0.68), 1.3), skies[0], 0.22),
    )
    if shape.kind in {"thing", "wall"}:
        return replace(shape, fill=(light, light, light, light, shade, shade, shade))
    if shape.kind in SOLID:
        return replace(shape, fill=tuple(vivid(bright(colour, 1.06), 1.45) for colour in shape.fill))
    return replace(shape, fill=(vivid(shape.colour, 1.2),))


def sketch(scene: Scene, size: tuple[int, int]) -> NDArray[np.float32]:
    """Graphite on paper: searching outlines, tone in crossed strokes, the edge of the sheet left bare."""
    unit, rng = min(size) / 512, scene.rng("sketch")
    shapes = [
        replace(shape, fill=tuple(mix(colour, (1.0, 1.0, 1.0), 0.12) for colour in shape.fill))
        for shape in compose(scene, size).shapes
    ]
    drawn = paint(shapes, size)
    tone = luminance(drawn.picture)
    tone = np.clip((tone - tone.min()) / max(float(np.ptp(tone)), 0.2), 0, 1)
    sway = [(clouded(rng, size, 40 * unit, 2) - 0.5) * np.float32(9 * unit) for _ in range(4)]
    outline = np.zeros_like(tone)
    steep = np.clip(edges(tone) * 5 + edges(drawn.owner.astype(np.float32)).clip(0, 1) * 0.35, 0, 1)
    steep = blurred(steep, 0.7 * max(unit, 0.5))
    for right, down in (sway[:2], sway[2:]):
        outline = np.maximum(outline, warped(steep, right, down))
    strokes = np.zeros_like(tone)
    for level, angle, pitch in ((0.68, 0.75, 5.2), (0.5, 0.35, 4.6), (0.35, 1.2, 4.2), (0.22, -0.5, 3.8)):
        strokes += (
            hatched(rng, size, max(pitch * unit, 2.2), angle)
            * stepped(tone, level, level - 0.24)
            * np.float32(0.36)
        )
    paper = hexed("#f6f2e9")
    tooth = noise(rng, size, max(1.6 * unit, 1))
    dark = np.clip(outline * 0.95 + strokes * (0.62 + 0.6 * tooth), 0, 1) * _margin(size, rng)
    return graded(dark, [paper, hexed("#a8a4a0"), hexed("#5c5a5a"), hexed("#2c2b2e")]) - (
        tooth - 0.5
    ) * np.float32(0.03)


def _margin(size: tuple[int, int], rng: np.random.Generator) -> NDArray[np.float32]:
    """Fade towards an uneven edge."""
    unit = min(size)
    x = np.minimum(np.arange(size[0]), np.arange(size[0])[::-1]).astype(np.float32)[None, :]
    y = np.minimum(np.arange(size[1]), np.arange(size[1])[::-1]).astype(np.float32)[:, None]
    ragged = (noise(rng, size, (unit / 40, unit / 40)) - 0.5) * np.float32(unit * 0.04)
    return stepped(np.minimum(x, y) + ragged, unit * 0.012, unit * 0.05)

