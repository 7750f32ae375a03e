"""Abstract."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from inkframe_demo.drawing.canvas import paint
from inkframe_demo.drawing.color import Color, bright, hexed, mix, vivid
from inkframe_demo.drawing.compose import compose
from inkframe_demo.drawing.operations import clipped
from inkframe_demo.drawing.shape import Outline, Shape, arc, polygon, ribbon
from inkframe_demo.drawing.texture import clouded

if TYPE_CHECKING:
    from inkframe_demo.drawing.canvas import Picture, Size
    from inkframe_demo.drawing.scene import Scene
    from inkframe_demo.drawing.scene_layout import Stage

__all__ = ["abstract"]

#: The ground, then four main colors.
POSTERS = (
    ("#f3ead7", "#1d3f6e", "#e2472f", "#f2b632", "#2f8f83"),
    ("#f6efe2", "#22223b", "#e4572e", "#17bebb", "#ffc914"),
    ("#efe6d8", "#0b3c49", "#c5283d", "#e9724c", "#ffc857"),
    ("#f4f0e8", "#3d348b", "#f18701", "#7678ed", "#f7b801"),
    ("#f2e9e1", "#1b4332", "#d62839", "#f4a261", "#52b69a"),
)
TOLD = {"land", "far", "thing", "water", "wall", "cloud", "light"}
LINE = hexed("#1d1b22")


def abstract(scene: Scene, size: Size) -> Picture:
    """Draw the scene as overlapping planes, discs, bars and triangles."""
    stage, rng = compose(scene, size), scene.rng("abstract style")
    palette = [hexed(name) for name in POSTERS[int(rng.integers(len(POSTERS)))]]
    if whole := scene.painted.get("all"):
        palette = [mix(color, whole, 0.35) for color in palette]
    shapes = _planes(stage, palette, rng)
    written = sorted((shape for shape in stage.shapes if shape.solid and shape.kind in TOLD), key=_area)
    for number, shape in enumerate(written[:-25:-1]):
        shapes += _token(shape, stage, palette, number, rng)
    ends = rng.uniform((0, 0), (stage.wide, stage.tall), (5, 2, 2))
    bars = tuple(ribbon(line, float(rng.uniform(0.003, 0.008))) for line in ends)
    shapes.append(Shape(bars, (LINE,), 0.9, "thing"))
    return clipped(paint(shapes, size).picture * (0.95 + 0.1 * clouded(rng, size, min(size) / 90, 3)))


def _area(shape: Shape) -> float:
    return float(np.prod(np.ptp(np.concatenate(shape.outlines), axis=0)))


def _planes(stage: Stage, palette: list[Color], rng: np.random.Generator) -> list[Shape]:
    """Divide the ground into three slanted planes."""
    planes = [Shape((stage.whole,), (bright(palette[0], 1.06), palette[0]), 0.0, "sky")]
    for number, (level, name) in enumerate(((0.3, 4), (0.56, 1), (0.8, 2))):
        y, tilt, right, low = (
            stage.tall * level,
            float(rng.uniform(-0.3, 0.3)),
            stage.wide + 0.1,
            stage.tall + 0.5,
        )
        slope = polygon((-0.1, y - tilt), (right, y + tilt), (right, low), (-0.1, low))
        color = mix(palette[name], palette[0], 0.15)
        planes.append(
            Shape((slope,), (bright(color, 1.12), color), 0.01 * (number + 1), "land", opacity=0.85)
        )
    return planes


def _token(
    shape: Shape, stage: Stage, palette: list[Color], number: int, rng: np.random.Generator
) -> list[Shape]:
    """Replace a shape with a disc, a half disc, a triangle or a bar of similar size, place and color."""
    every = np.clip(np.concatenate(shape.outlines), (0, 0), (stage.wide, stage.tall))
    (left, top), (right, bottom) = every.min(0).tolist(), every.max(0).tolist()
    reach = float(np.clip(np.hypot(right - left, bottom - top) / 2, 0.05, 0.32))
    x, y = (left + right) / 2, (top + bottom) / 2
    across, down, turn = rng.uniform((0.1, 0.2, 0), (0.9, 0.8, 2 * np.pi)).tolist()
    if right - left > 0.8 * stage.wide:
        x, y = across * stage.wide, top + reach * down
    forms = (
        arc(x, y, reach, turn, turn + 2 * np.pi, 72),
        arc(x, y, reach, turn, turn + np.pi, 72),
        arc(x, y, reach * 1.1, turn, turn + 4 * np.pi / 3, 3),
        ribbon(_through(x, y, reach, turn), reach * 0.5),
    )
    color = mix(palette[1 + number % 4], vivid(shape.color, 1.6), 0.2)
    depth, fill = 0.1 + 0.02 * number, (bright(color, 1.1), bright(color, 0.9))
    made = [Shape((forms[int(rng.integers(4))],), fill, depth, "land", opacity=0.88)]
    if number % 5 == 1:
        ring = arc(x, y, reach * 1.15, turn, turn + np.pi * 1.5)
        made.append(Shape((ribbon(ring, 0.007),), (palette[1],), depth, "thing"))
    return made


def _through(x: float, y: float, reach: float, turn: float) -> Outline:
    """Return a line through a point."""
    right, down = reach * float(np.cos(turn)), reach * float(np.sin(turn))
    return polygon((x - right, y - down), (x + right, y + down))
