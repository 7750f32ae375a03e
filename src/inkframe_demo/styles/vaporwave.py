"""Vaporwave."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from inkframe_demo.drawing.canvas import paint
from inkframe_demo.drawing.color import hexed
from inkframe_demo.drawing.compose import compose
from inkframe_demo.drawing.operations import (
    blend,
    blurred,
    clipped,
    graded,
    luminance,
    saturated,
    shifted,
    stepped,
)
from inkframe_demo.drawing.shape import Shape, ellipse, rectangle
from inkframe_demo.drawing.texture import coordinates

if TYPE_CHECKING:
    from inkframe_demo.drawing.canvas import Field, Picture, Size
    from inkframe_demo.drawing.scene import Scene
    from inkframe_demo.drawing.scene_layout import Stage

__all__ = ["vaporwave"]

#: From shade to light.
WAVE = [hexed(name) for name in ("#12052e", "#3a0f6b", "#8a1f9f", "#ff3fa8", "#ff9fb8", "#7ff0ff", "#f4ffff")]
SKY = tuple(hexed(name) for name in ("#1a0a4a", "#5a1f9a", "#d83fae", "#ff9a7a"))
FLOOR = tuple(hexed(name) for name in ("#7a1f9a", "#2a0f5f", "#150633"))
SUN = tuple(hexed(name) for name in ("#fff07a", "#ffb05a", "#ff4fa0", "#c82fb8"))
SLITS = tuple(hexed(name) for name in ("#8a2fa8", "#d84fa8"))
CYAN, PINK = hexed("#56f2ff"), hexed("#ff5fb0")
#: Places without a horizon.
INWARD = {"table", "room", "wall", "abstract", "deep", "space"}


def vaporwave(scene: Scene, size: Size) -> Picture:
    """Draw a magenta and cyan dusk, a striped sun, and a glowing grid up to the horizon."""
    stage, unit = compose(scene, size), min(size)
    horizon = min(stage.horizon, stage.tall * 0.68)
    dusk = _dusk(stage, horizon)
    kept = [shape for shape in stage.shapes if shape.kind in {"far", "wall", "thing", "detail"}]
    if scene.place not in INWARD:
        kept += [shape for shape in stage.shapes if shape.kind == "land" and shape.depth < 0.5]
    front = paint([*dusk, *kept], size)
    seen = front.of("far", "wall", "thing", "detail", "land")
    wave = graded(luminance(front.picture) * np.float32(1.15), WAVE)
    wave = blend(wave, saturated(front.picture, 1.6), 0.3)
    picture = blend(paint(dusk, size).picture, wave, seen.astype(np.float32) * np.float32(0.96))
    picture = blend(picture, CYAN, _grid(stage, horizon) * ~front.of("thing", "detail", "wall"))
    picture = clipped(picture + blurred(clipped(picture - 0.45), unit / 60) * np.float32(0.7))
    fringe = max(round(unit / 260), 1)
    red, green, blue = picture
    picture = np.stack([shifted(red, -fringe, 0), green, shifted(blue, fringe, 0)])
    scan = np.arange(size[1]) // max(unit // 256, 1) % 2
    return picture * (np.float32(0.93) + np.float32(0.07) * scan.astype(np.float32))[:, None]


def _dusk(stage: Stage, horizon: float) -> list[Shape]:
    """Draw a sky, a sun with slits, and the ground in front of it."""
    x, radius = stage.wide / 2, 0.25
    y = horizon - radius / 2
    cuts = (
        (-0.34, 0.038),
        (-0.16, 0.044),
        (0.0, 0.055),
        (0.14, 0.065),
        (0.26, 0.073),
        (0.37, 0.081),
        (0.47, 0.088),
    )
    slits = [rectangle(x - radius, y + radius * at, x + radius, y + radius * (at + gap)) for at, gap in cuts]
    return [
        Shape((rectangle(0, 0, stage.wide, horizon + 0.01),), SKY, 0.0, "sky"),
        Shape((ellipse(x, y, radius * 1.3),), (PINK,), 0.002, "light", opacity=0.55, softness=0.09),
        Shape((ellipse(x, y, radius, count=96),), SUN, 0.003, "light"),
        Shape(tuple(slits), SLITS, 0.004, "light"),
        Shape((stage.floor(horizon),), FLOOR, 0.005, "sky"),
    ]


def _grid(stage: Stage, horizon: float) -> Field:
    """Return the lines of a grid in perspective below the horizon, brighter toward the viewer."""
    unit = np.float32(min(stage.size))
    x, y = coordinates(stage.size)
    below = y / unit - np.float32(horizon)
    down = np.maximum(below, np.float32(1e-3))
    far = np.float32(0.32) / down
    across, along = (x / unit - np.float32(stage.wide / 2)) * far * 6, far * 3
    side = np.abs(across - np.rint(across)) / (far * 6)
    cross = np.abs(along - np.rint(along)) / along * down * np.float32(0.9)
    lines = stepped(np.minimum(side, cross), 0.0055, 0.0015)
    return clipped(lines * np.clip(down * 5 + 0.15, 0, 0.9) * (below > 0))
