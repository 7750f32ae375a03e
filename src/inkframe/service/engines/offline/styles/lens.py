"""Styles with a lens: photography, and the virtual camera of a 3D render."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from inkframe.service.engines.offline.drawing.canvas import paint
from inkframe.service.engines.offline.drawing.colour import bright, mix, vivid
from inkframe.service.engines.offline.drawing.compose import compose
from inkframe.service.engines.offline.drawing.texture import blend, blurred, clouded, coordinates, edges, luminance, noise, softened, stepped

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from inkframe.service.engines.offline.drawing.scene import Scene

__all__ = ["photography", "render"]


def photography(scene: Scene, size: tuple[int, int]) -> NDArray[np.float32]:
    """A lens focused on the main thing: the distance melts, surfaces have texture, film has grain."""
    unit, rng = min(size), scene.rng("photography")
    stage = compose(scene, size)
    canvas = paint(stage.shapes, size)
    depth = canvas.depth
    rough = clouded(rng, size, unit / 24, 5) - 0.5
    fine = noise(rng, size, (max(unit / 300, 1), max(unit / 500, 1))) - 0.5
    land = canvas.of("land", "thing", "wall", "far", "water").astype(np.float32) * (0.35 + 0.65 * depth)
    sharp = canvas.picture * (1 + (rough * np.float32(0.62) + fine * np.float32(0.34)) * land)
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
    stage = compose(scene, size)
    shapes = [replace(shape, fill=tuple(vivid(bright(mix(colour, (1.0, 1.0, 1.0), 0.1), 1.0), 1.35) for colour in shape.fill))
              for shape in stage.shapes if shape.kind not in {"shadow"}]  # fmt: skip
    canvas = paint(shapes, size)
    bodies = paint([shape for shape in shapes if shape.kind not in {"detail", "glint", "light", "weather"}], size)
    level, solid = bodies.depth, np.where(bodies.of("sky"), np.float32(0), np.float32(1))
    rim = np.clip(edges(bodies.owner.astype(np.float32)), 0, 1)
    height = 1 - (np.clip(softened(rim, unit / 150) * 1.6, 0, 1) * 0.3 + np.clip(softened(rim, unit / 40) * 4, 0, 1) * 0.7)
    height = softened(height * solid, max(unit / 150, 1.5))
    down, across = np.gradient(height * np.float32(unit * 0.034))
    length = np.sqrt(down * down + across * across + 1)
    light = np.clip((across * 0.45 + down * 0.6 + 0.72) / length, 0, 1)
    cover = np.roll(level, (round(unit / 50) or 1, round(unit / 80) or 1), (0, 1)) - level
    shadow = blurred(np.clip(cover * 5, 0, 1), unit / 60)
    picture = canvas.picture * (0.42 + 0.82 * light) * (1 - np.float32(0.45) * shadow)
    picture = picture + (light**26 * solid * np.float32(0.2) * stepped(height, 0.1, 0.6))
    bounce = blurred(picture, unit / 16)
    return np.clip(blend(picture, bounce * np.float32(1.1), 0.15), 0, 1)
