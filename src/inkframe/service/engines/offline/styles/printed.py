"""Styles of print: pop art, retro."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from inkframe.service.engines.offline.drawing.canvas import paint
from inkframe.service.engines.offline.drawing.colour import Colour, bright, gray, hexed, mix
from inkframe.service.engines.offline.drawing.compose import compose
from inkframe.service.engines.offline.drawing.shape import Shape, polygon
from inkframe.service.engines.offline.drawing.texture import (
    blend,
    clouded,
    coordinates,
    dots,
    luminance,
    noise,
    shifted,
    stepped,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from inkframe.service.engines.offline.drawing.scene import Scene
    from inkframe.service.engines.offline.drawing.stage import Stage

__all__ = ["pop_art", "retro"]

INKS = ("#101018", "#e8252f", "#f02f8a", "#f7d417", "#18a8e0", "#1f49b8", "#2fb45a", "#ff8a1f", "#ffffff")
#: Sky and rays.
BURSTS = (("#ffd91f", "#ff8a1f"), ("#23b5e8", "#9fe3fa"), ("#ff5fa2", "#ffd1e3"), ("#2bc48a", "#c8f5de"))


def pop_art(scene: Scene, size: tuple[int, int]) -> NDArray[np.float32]:
    """Pure inks, heavy black lines, a burst of rays, and dots wherever there is shade."""
    unit, stage = min(size) / 512, compose(scene, size)
    sky, ray = (hexed(colour) for colour in BURSTS[int(stage.rng("burst").integers(len(BURSTS)))])
    shapes = [
        _inked(shape)
        for shape in stage.shapes
        if shape.kind not in {"sky", "glint", "shadow"} and shape.softness < 0.03
    ]
    shapes += [
        Shape((polygon(0, 0, stage.wide, 0, stage.wide, stage.tall, 0, stage.tall),), (sky,), 0.0, "sky"),
        _burst(stage, ray),
    ]
    canvas = paint(shapes, size, line=(hexed("#101018"), 0.0115))
    shade = luminance(paint(stage.shapes, size).picture)
    local = np.array([gray(shape.colour) for shape in canvas.shapes], np.float32)[canvas.owner]
    dark = np.clip(0.3 + (0.52 - shade) * 0.7, 0, 0.62) * (local > 0.16)  # no dots on black
    dark = np.where(canvas.of("sky"), np.clip(0.78 - shade, 0.05, 0.6) * 0.9, dark)
    ink = dots(dark.astype(np.float32), max(8.5 * unit, 3.0), 0.6)
    return blend(
        canvas.picture,
        canvas.picture * np.float32(0.42) * np.array([1.05, 0.8, 1.15], np.float32)[:, None, None],
        ink * np.float32(0.8),
    )


def _inked(shape: Shape) -> Shape:
    inks = [hexed(ink) for ink in INKS]
    if shape.kind == "cloud":
        return replace(shape, fill=(inks[8],), softness=0.0, opacity=1.0)
    colour = shape.colour
    level = gray(colour)
    if level < 0.13 or max(colour) - min(colour) < 0.07:  # grays go to black or white
        near = inks[0] if level < 0.3 else mix(inks[8], inks[4], 0.35) if level < 0.62 else inks[8]
    else:
        high, low = max(colour), min(colour)
        pure = tuple((part - low) / (high - low) for part in colour)
        near = min(inks[1:8], key=lambda ink: sum((a - b) ** 2 for a, b in zip(pure, ink, strict=True)))
        near = mix(near, inks[8], 0.45) if level > 0.72 else bright(near, 0.62) if level < 0.25 else near
    return replace(shape, fill=(near,), softness=0.0)


def _burst(stage: Stage, colour: Colour) -> Shape:
    x, y = stage.sun_x, stage.horizon * 0.6
    edge = np.linspace(0, 2 * np.pi, 33)
    rays = tuple(
        polygon(x, y, x + 3 * np.cos(a), y + 3 * np.sin(a), x + 3 * np.cos(b), y + 3 * np.sin(b))
        for a, b in zip(edge[::2], edge[1::2], strict=False)
    )
    return Shape(rays, (colour,), 0.001, "sky")


#: Dark, middle, warm and light ink; the paper.
PRESSES = (
    ("#27404a", "#3f8a84", "#df6b3d", "#f0b95b", "#f4e6c8"),
    ("#3b2f3f", "#7a5a6f", "#d8573f", "#e9b04f", "#f3e3c6"),
    ("#233a57", "#5d8a72", "#c94f3a", "#edb85e", "#f5e7cb"),
)


def retro(scene: Scene, size: tuple[int, int]) -> NDArray[np.float32]:
    """A travel poster of the fifties: four spot inks out of register on cream paper, worn, with a border."""
    unit, rng = min(size) / 512, scene.rng("retro")
    stage = compose(scene, size)
    press = [hexed(colour) for colour in PRESSES[int(rng.integers(len(PRESSES)))]]
    picture = paint(stage.shapes, size).picture
    tone, warmth = luminance(picture), picture[0] - picture[2]
    shares = np.quantile(tone[::3, ::3], (0.01, 0.14, 0.5, 0.82, 0.98)) + np.arange(5) * 0.02
    curve = np.interp(np.linspace(0, 1, 256), shares, (0.05, 0.31, 0.66, 0.88, 1.0)).astype(np.float32)
    tone = curve[(np.clip(tone, 0, 1) * 255).astype(np.uint8)]
    grain = (noise(rng, size, max(1.3 * unit, 1)) - 0.5) * np.float32(0.16)
    sheet = np.empty_like(picture)
    sheet[:] = np.array(press[4], np.float32)[:, None, None]
    worn = clouded(rng, size, 18 * unit, 4)
    shift = max(round(1.6 * unit), 1)
    plates = (
        (press[3], stepped(tone + grain, 0.92, 0.84), (0, 0)),
        (
            press[2],
            stepped(warmth + grain * 0.6, 0.06, 0.14) * stepped(tone + grain, 0.74, 0.68),
            (shift, -shift),
        ),
        (press[1], stepped(warmth + grain * 0.6, 0.1, 0.03) * stepped(tone + grain, 0.7, 0.63), (-shift, 0)),
        (press[0], stepped(tone + grain, 0.36, 0.29), (0, shift)),
    )
    for ink, plate, (right, down) in plates:
        cover = shifted(plate, right, down) * np.float32(0.95) * stepped(worn, 0.12, 0.24)
        sheet = blend(
            sheet,
            sheet * np.float32(0.16) + np.array(ink, np.float32)[:, None, None] * np.float32(0.84),
            cover,
        )
    return _border(sheet, press[4], worn)


def _border(sheet: NDArray[np.float32], paper: Colour, worn: NDArray[np.float32]) -> NDArray[np.float32]:
    high, wide = sheet.shape[1:]
    x, y = coordinates((wide, high))
    inside = np.minimum(np.minimum(x, wide - 1 - x), np.minimum(y, high - 1 - y)) + (worn - 0.5) * np.float32(
        min(wide, high) * 0.006
    )
    edge = min(wide, high) * 0.045
    sheet = blend(sheet, paper, stepped(inside, edge + 0.8, edge - 0.8))
    return np.clip(sheet + (worn - 0.5) * np.float32(0.06), 0, 1)
