"""Pop art."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from inkframe.engines.offline.drawing.canvas import paint
from inkframe.engines.offline.drawing.color import Color, bright, gray, hexed, mix
from inkframe.engines.offline.drawing.compose import compose
from inkframe.engines.offline.drawing.operations import blend, luminance, plane
from inkframe.engines.offline.drawing.shape import Shape, rays
from inkframe.engines.offline.drawing.texture import dots

if TYPE_CHECKING:
    from inkframe.engines.offline.drawing.canvas import Picture, Size
    from inkframe.engines.offline.drawing.scene import Scene

__all__ = ["pop_art"]

BLACK, PAPER, GRAY = hexed("#101018"), hexed("#ffffff"), hexed("#aed9ee")
INKS = [hexed(name) for name in ("#e8252f", "#f02f8a", "#f7d417", "#18a8e0", "#1f49b8", "#2fb45a", "#ff8a1f")]
#: Sky and rays.
BURSTS = (("#ffd91f", "#ff8a1f"), ("#23b5e8", "#9fe3fa"), ("#ff5fa2", "#ffd1e3"), ("#2bc48a", "#c8f5de"))
LEFT_OUT = {"sky", "glint", "shadow"}


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
