"""Terrain: soft hills, mountains with a lit and a shaded side, mist between them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from inkframe_demo.drawing.color import bright, hexed, mix
from inkframe_demo.drawing.shape import Outline, points, smooth, under

if TYPE_CHECKING:
    from inkframe_demo.drawing.color import Color
    from inkframe_demo.drawing.scene_layout import Stage

__all__ = ["draw_hill", "draw_massif", "draw_mist", "hill_line", "peak_line"]

SNOW = (hexed("#f8f9fb"), hexed("#dfe7f0"))
SNOW_SHADE = hexed("#a9bbd2")


def hill_line(stage: Stage, purpose: str, base: float, height: float, knots: int = 5) -> Outline:
    """Return a soft ridge from edge to edge; ``height`` is its amplitude."""
    x = np.linspace(-0.15, stage.wide + 0.15, knots + 1)
    y = base - height * stage.rng(purpose).uniform(-0.5, 1, knots + 1)
    return smooth(points(x, y), 12, closed=False)


def peak_line(stage: Stage, purpose: str, base: float, height: float, knots: int = 5) -> Outline:
    """Return a jagged ridge: straight slopes between peaks, each octave less than half as high."""
    rng, place = stage.rng(purpose), np.linspace(0, 1, 220)
    rise = np.zeros(220)
    for octave in range(5):
        many = knots * 2**octave
        marks = rng.random(many + 1)
        if octave == 0:
            marks = np.where(np.arange(many + 1) % 2 == stage.flip, 0.55 + 0.45 * marks, 0.3 * marks)
        at = np.sort(np.clip(np.linspace(0, 1, many + 1) + rng.uniform(-0.3, 0.3, many + 1) / many, 0, 1))
        rise += np.interp(place, at, marks) * 0.42**octave
    return points(np.linspace(-0.1, stage.wide + 0.1, 220), base - height * rise / 1.45)


def draw_hill(stage: Stage, line: Outline, color: Color, depth: float, kind: str = "land") -> None:
    """Draw a hill under its ridge, lighter above and fading below."""
    far = depth < 0.5
    foot = mix(bright(color, 0.8), stage.light.haze, 0.18) if far else bright(color, 0.78)
    low = min(float(line[:, 1].max()) + 0.32, stage.tall + 0.3) if depth < 0.4 else stage.tall + 0.05
    stage.add(under(line, low), (bright(color, 1.1), color, foot), depth, kind)


def draw_massif(stage: Stage, line: Outline, color: Color, depth: float, snow: float) -> None:
    """Draw mountains under their ridge, with a shaded side and snow down to a share of their height."""
    foot = float(line[:, 1].max()) + 0.1
    fill = (bright(color, 1.12), color, mix(color, stage.light.haze, 0.35))
    stage.add(under(line, foot + 0.2), fill, depth, "far")
    faces = _faces(stage, line, foot, f"massif {depth}")
    shade = (bright(color, 0.72), mix(bright(color, 0.8), stage.light.haze, 0.3))
    for face in faces:
        stage.add(face, shade, depth, "far", opacity=0.85)
    high, ragged = float(line[:, 1].min()), stage.rng(f"snow {depth}").uniform(-0.03, 0.03, 46)
    wobble = np.interp(line[:, 0], np.linspace(-0.1, stage.wide + 0.1, 46), ragged)
    edge = np.maximum(line[:, 1], high + (foot - high) * snow + wobble + 0.25 * (line[:, 1] - high))
    stage.add(np.concatenate([line, points(line[:, 0], edge)[::-1]]), SNOW, depth, "far", opacity=0.94)
    for face in faces:
        low = np.minimum(face[:, 1], np.interp(face[:, 0], line[:, 0], edge))
        stage.add(points(face[:, 0], low), SNOW_SHADE, depth, "far", opacity=0.75)


def _faces(stage: Stage, line: Outline, foot: float, purpose: str) -> list[Outline]:
    """Return the shaded side of each peak."""
    rng, away = stage.rng(purpose), 1 if stage.sun_x < stage.wide / 2 else -1
    height = line[:, 1]
    faces = []
    for top in (at for at in range(6, len(line) - 6) if height[at] == height[at - 6 : at + 7].min()):
        end = top
        while (
            0 < end + away < len(line) and height[end + away] >= height[end] - 0.012 and abs(end - top) < 60
        ):
            end += away
        if abs(end - top) < 5:
            continue
        slope, drop = line[top : end + away : away], foot - height[top]
        step = np.linspace(0, 1, 7)[1:]
        bend = step * 0.12 + rng.uniform(-0.05, 0.05, 6) * np.sin(step * np.pi)
        back = points(line[top, 0] + away * bend * drop, height[top] + step * drop)
        faces.append(np.concatenate([slope, [[slope[-1, 0], foot]], back[::-1]]))
    return faces


def draw_mist(stage: Stage, y: float, depth: float, opacity: float = 0.5) -> None:
    """Draw a band of mist across the picture."""
    rng, x = stage.rng(f"mist {y:.3f}"), np.linspace(-0.2, stage.wide + 0.2, 7)
    above, below = points(x, y - rng.uniform(0.01, 0.05, 7)), points(x, y + rng.uniform(0.02, 0.05, 7))
    band = smooth(np.concatenate([above, below[::-1]]))
    stage.unlit(band, stage.light.haze, depth, "weather", opacity=opacity, softness=0.03)
