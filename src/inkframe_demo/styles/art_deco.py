"""Art deco."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from PIL import ImageOps

from inkframe_demo.drawing.canvas import paint, to_image
from inkframe_demo.drawing.color import bright, gray, hexed, mix
from inkframe_demo.drawing.compose import compose
from inkframe_demo.drawing.operations import clipped
from inkframe_demo.drawing.shape import (
    Shape,
    ellipse,
    moved,
    polygon,
    rays,
    rectangle,
    ribbon,
)
from inkframe_demo.drawing.texture import clouded

if TYPE_CHECKING:
    from inkframe_demo.drawing.canvas import Picture, Size
    from inkframe_demo.drawing.scene import Scene
    from inkframe_demo.drawing.scene_layout import Stage

__all__ = ["art_deco"]

#: From black to ivory.
TONES = [
    hexed(name) for name in ("#0d1b26", "#12343b", "#1f5a5c", "#4f8a80", "#c9a24b", "#e9d7a2", "#f7efd9")
]
GOLD, RED = hexed("#d9b45a"), hexed("#b5483a")


def art_deco(scene: Scene, size: Size) -> Picture:
    """Draw a symmetric picture: gold rays from the horizon, dark greens, gold lines, a stepped frame."""
    stage = compose(replace(scene, layout=scene.layout | {"center"}), size)
    grounds = {"land", "far", "water"} if scene.place == "room" else {"land", "far", "water", "wall"}
    back = [*_rays(stage), *(_gilt(shape) for shape in stage.shapes if shape.kind in grounds)]
    half = to_image(paint(back, size, line=(GOLD, 0.0034)).picture)
    mirrored = ImageOps.mirror(half.crop((0, 0, (size[0] + 1) // 2, size[1])))
    half.paste(mirrored, (size[0] // 2, 0))
    picture = paint([*_arranged(stage), *_frame(stage)], size, ground=half, line=(GOLD, 0.0036)).picture
    return clipped(picture * (0.9 + 0.2 * clouded(stage.rng("sheen"), size, min(size) / 6, 2)))


def _arranged(stage: Stage) -> list[Shape]:
    """Return the things in pairs around the middle, and the widest of an odd number in the middle."""
    things: dict[float, list[Shape]] = {}
    for shape in stage.shapes:
        if shape.kind in {"thing", "detail"} and shape.depth > 0.3:
            things.setdefault(shape.depth, []).append(_gilt(shape))
    middle = stage.wide / 2
    # What is wider than half of the picture stays where it is.
    arranged = [part for parts in things.values() if _width(parts) > middle for part in parts]
    rest = sorted((parts for parts in things.values() if _width(parts) <= middle), key=_center)
    if len(rest) % 2:
        widest = rest.pop(max(range(len(rest)), key=lambda at: _width(rest[at])))
        arranged += _moved(widest, middle - _center(widest))
    for one, two in zip(rest[: len(rest) // 2], reversed(rest), strict=False):
        away = max((_center(two) - _center(one)) / 2, (_width(one) + _width(two)) / 4 + 0.01)
        arranged += _moved(one, middle - away - _center(one)) + _moved(two, middle + away - _center(two))
    return arranged


def _ends(parts: list[Shape]) -> tuple[float, float]:
    every = np.concatenate([outline[:, 0] for part in parts for outline in part.outlines])
    return float(every.min()), float(every.max())


def _width(parts: list[Shape]) -> float:
    left, right = _ends(parts)
    return right - left


def _center(parts: list[Shape]) -> float:
    return sum(_ends(parts)) / 2


def _moved(parts: list[Shape], right: float) -> list[Shape]:
    return [
        replace(part, outlines=tuple(moved(outline, right, 0) for outline in part.outlines)) for part in parts
    ]


def _gilt(shape: Shape) -> Shape:
    """Return a shape in a tone of its lightness; warm colors become gold and red."""
    level, warm = gray(shape.color), shape.color[0] - shape.color[2]
    tone = TONES[min(int(level * 7), 6)]
    if shape.kind in {"thing", "detail"} and warm > 0.18:
        tone = mix(RED if level < 0.5 else GOLD, tone, 0.25)
    opacity = 1.0 if shape.solid else shape.opacity
    return replace(shape, fill=(bright(tone, 1.12), bright(tone, 0.8)), softness=0.0, opacity=opacity)


def _rays(stage: Stage) -> list[Shape]:
    """Draw a fan of rays behind a rising disc at the middle of the horizon."""
    x, y = stage.wide / 2, min(stage.horizon, stage.tall * 0.7)
    fan = rays(x, y, np.pi, 2 * np.pi, 15)
    rings = ((0.3, TONES[1]), (0.285, GOLD), (0.25, TONES[5]), (0.2, GOLD), (0.185, TONES[4]))
    return [
        Shape((stage.whole,), tuple(TONES[:3]), 0.0, "sky"),
        Shape(fan, (GOLD, mix(GOLD, TONES[1], 0.55)), 0.001, "light"),
        *(
            Shape((ellipse(x, y, radius, count=96),), (color,), 0.002 + 0.0005 * step, "far")
            for step, (radius, color) in enumerate(rings)
        ),
    ]


def _frame(stage: Stage) -> list[Shape]:
    """Draw a dark border with two gold lines, and steps in the corners."""
    wide, tall = stage.wide, stage.tall
    frame = []
    for inset, width, color in ((0.0, 0.05, TONES[0]), (0.022, 0.006, GOLD), (0.042, 0.0035, GOLD)):
        right, low = wide - inset, tall - inset
        sides = (
            rectangle(inset, inset, right, inset + width),
            rectangle(inset, low - width, right, low),
            rectangle(inset, inset, inset + width, low),
            rectangle(right - width, inset, right, low),
        )
        frame.append(Shape(sides, (color,), 0.98, "detail"))
    steps = []
    for near, far in ((0.055, 0.145), (0.085, 0.115), (0.115, 0.085)):
        for line in (polygon((near, 0.05), (near, far)), polygon((0.05, near), (far, near))):
            corners = (line, line * (-1, 1) + (wide, 0), line * (1, -1) + (0, tall), (wide, tall) - line)
            steps += [ribbon(corner, 0.004) for corner in corners]
    return [*frame, Shape(tuple(steps), (GOLD,), 0.99, "detail")]
