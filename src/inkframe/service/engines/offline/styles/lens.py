"""Styles with a lens: photography, and the virtual camera of a 3D render."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from inkframe.service.engines.offline.drawing.canvas import paint
from inkframe.service.engines.offline.drawing.colour import mix, vivid
from inkframe.service.engines.offline.drawing.compose import compose
from inkframe.service.engines.offline.drawing.texture import (
    blend,
    blurred,
    clouded,
    coordinates,
    edges,
    luminance,
    noise,
    plane,
    shifted,
    softened,
    stepped,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from inkframe.service.engines.offline.drawing.canvas import Canvas
    from inkframe.service.engines.offline.drawing.scene import Scene
    from inkframe.service.engines.offline.drawing.shape import Shape

__all__ = ["photography", "render"]


def photography(scene: Scene, size: tuple[int, int]) -> NDArray[np.float32]:
    """A lens focused on the main thing: the distance melts, surfaces have texture, film has grain."""
    unit, rng = min(size), scene.rng("photography")
    stage = compose(scene, size)
    canvas = paint(stage.shapes, size)
    depth = canvas.depth
    rough = clouded(rng, size, unit / 24, 5) - 0.5
    fine = noise(rng, size, (max(unit / 300, 1), max(unit / 500, 1))) - 0.5
    land = canvas.of("land", "wall", "far", "water").astype(np.float32) * (0.35 + 0.65 * depth) + canvas.of(
        "thing"
    ) * np.float32(0.22)
    sharp = canvas.picture * (1 + (rough * np.float32(0.5) + fine * np.float32(0.3)) * land)
    away = blurred(np.abs(depth - np.float32(stage.main_depth)), unit / 170)
    near, far = blurred(sharp, unit / 210), blurred(sharp, unit / 85)
    picture = blend(sharp, near, stepped(away, 0.1, 0.26))
    picture = blend(picture, far, stepped(away, 0.26, 0.6))
    light = np.clip(blurred(picture, unit / 20) - 0.62, 0, 1)
    picture = np.clip(picture + light * np.float32(0.5), 0, 1)
    picture = _film(picture)
    x, y = coordinates(size)
    fall = np.hypot((x / size[0] - 0.5) * 1.15, (y / size[1] - 0.5) * 1.15)
    picture *= 1 - np.float32(0.5) * stepped(fall, 0.36, 0.95)
    grain = noise(rng, size, max(unit / 480, 1)) - 0.5
    return np.clip(picture + grain * np.float32(0.055), 0, 1)


def _film(picture: NDArray[np.float32]) -> NDArray[np.float32]:
    """Deepen shadows and split the tones: teal below, warm above."""
    picture = np.clip(picture, 0, 1)
    curve = picture * picture * (3 - 2 * picture)
    picture = curve * np.float32(0.72) + picture * np.float32(0.2)
    tone = luminance(picture)
    warm = np.array([1.09, 1.0, 0.86], np.float32)[:, None, None]
    cool = np.array([0.84, 0.99, 1.08], np.float32)[:, None, None]
    return picture * blend(np.broadcast_to(cool, picture.shape), warm, stepped(tone, 0.1, 0.65))


def render(scene: Scene, size: tuple[int, int]) -> NDArray[np.float32]:
    """Smooth clay volumes in studio light: every shape rounded, glossy, and shadowing its neighbours."""
    unit = min(size)
    shapes = [_clay(shape) for shape in compose(scene, size).shapes if shape.kind != "shadow"]
    canvas = paint(shapes, size)
    bodies = paint([shape for shape in shapes if shape.kind not in {"detail", "glint", "light", "weather"}], size)
    down, across = _slopes(bodies, unit)
    light = np.clip((across * 0.5 + down * 0.62 + 0.7) / np.sqrt(down * down + across * across + 1), 0, 1)
    light = blurred(light, 0.6)
    level = bodies.depth
    cover = shifted(level, round(unit / 64) or 1, round(unit / 40) or 1) - level
    shadow = blurred(np.clip(cover * 4, 0, 1), unit / 45)
    picture = canvas.picture * (0.56 + 0.6 * light) * (1 - np.float32(0.36) * shadow * plane((1.0, 0.9, 0.75)))
    picture = picture + stepped(light, 0.9, 1.0) * np.float32(0.3)
    bounce = blurred(picture, unit / 16)
    return np.clip(blend(picture, bounce * np.float32(1.1), 0.16), 0, 1)


def _slopes(bodies: Canvas, unit: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Round every layer off towards its edge, but only towards what lies behind it."""
    level = bodies.depth
    steps = np.unique(level.ravel()[::97].round(2))[1:]
    down, across = np.zeros_like(level), np.zeros_like(level)
    for low, high in zip(steps, [*steps[1:], 2.0], strict=True):
        front = (level >= low - 0.005).astype(np.float32)
        here = front * (level < high - 0.005)
        round_ = softened(front, unit / 34) + softened(front, unit / 90) * np.float32(0.4)
        slope = np.gradient(round_)
        down += slope[0] * here
        across += slope[1] * here
    rim = softened(np.clip(edges(bodies.owner.astype(np.float32)), 0, 1) * bodies.of("thing"), max(unit / 170, 1.1))
    crease = np.gradient(rim)
    reach = np.float32(unit / 26)
    return down * reach - crease[0] * reach * np.float32(0.16), across * reach - crease[1] * reach * np.float32(0.16)


def _clay(shape: Shape) -> Shape:
    if shape.kind == "sky":
        return replace(
            shape, fill=tuple(vivid(mix(colour, (1.0, 1.0, 1.0), 0.3), 1.2) for colour in shape.fill)
        )
    fill = tuple(vivid(mix(colour, (1.0, 1.0, 1.0), 0.16), 1.5) for colour in shape.fill)
    return replace(shape, fill=fill, opacity=1.0 if shape.kind == "cloud" and shape.solid else shape.opacity)
