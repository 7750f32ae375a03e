"""Above the earth: the sky over a sea of clouds, and space."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from inkframe_demo.drawing.color import Color, bright, hexed, mix, picked, turn
from inkframe_demo.drawing.places.sky import draw_cumulus, draw_sky, draw_stars
from inkframe_demo.drawing.scene_layout import Ground
from inkframe_demo.drawing.shape import arc, blob, ellipse, points, ribbon, smooth, under

if TYPE_CHECKING:
    from inkframe_demo.drawing.scene_layout import Stage

__all__ = ["sky", "space"]

NEBULAE = ("#4f5fd0", "#a04fb8", "#2f8fae", "#d0708f", "#3fae9f")
GLOBES = ("#d08a5a", "#5f8fb8", "#b86f7f", "#7fae8f")


def sky(stage: Stage) -> None:
    """Draw a view above a sea of clouds."""
    stage.horizon = stage.tall * 0.86
    draw_sky(stage)
    rng = stage.rng("cloud sea")
    for row, (level, reach, depth) in enumerate(((0.82, 0.13, 0.2), (0.9, 0.19, 0.4), (1.02, 0.28, 0.88))):
        for x in np.arange(-0.1, stage.wide + 0.2, reach * 0.95).tolist():
            right, down, size = rng.uniform((-0.04, -0.02, 0.8), (0.04, 0.02, 1.15)).tolist()
            draw_cumulus(stage, x + right, stage.tall * level + down - 0.05 * row, reach * size, depth)
    ground = Ground(stage.tall * 0.8, stage.tall * 0.88, (0.6, 0.8), 0.7)
    stage.ground(ground, "ground", "shore", "water", "table")


def space(stage: Stage) -> None:
    """Draw stars, nebulae and, unless the description names one, a large planet."""
    rng, tall = stage.rng("space"), stage.tall
    whole = stage.scene.painted.get("all") or stage.scene.painted.get("sky")
    stage.unlit(stage.whole, [mix(hexed("#050818"), stop, 0.4) for stop in stage.light.sky[:3]], 0.0, "sky")
    for along in rng.random(9).tolist():
        across, down, high, drift = rng.uniform((0.1, 0.08, -0.2, -0.04), (0.3, 0.2, 0.2, 0.04)).tolist()
        y = tall * (0.85 - 0.7 * along if stage.flip else 0.15 + 0.7 * along) + high
        cloud = blob(rng, stage.wide * along, y, across, down, 0.4)
        color = turn(whole or picked(rng, NEBULAE), drift)
        stage.unlit(cloud, color, 0.005, "cloud", opacity=0.3, softness=0.08)
    draw_stars(stage, tall, 260)
    if not stage.has("planet"):
        level, radius = rng.uniform((0.24, 0.1), (0.34, 0.19)).tolist()
        _globe(stage, tall * level, radius, whole or picked(rng, GLOBES))
    if stage.stands("ground", "shore", "table"):
        _moonscape(stage)
    stage.horizon = tall * 0.85
    stage.ground(Ground(tall * 0.88, tall * 0.94, (0.62, 0.8), 0.8), "ground", "shore", "table")
    stage.ground(Ground(tall * 0.25, tall * 0.75, (0.5, 0.7), 0.6), "water", "deep", "air")


def _globe(stage: Stage, y: float, radius: float, color: Color) -> None:
    """Draw a planet with bands, lit from one side."""
    x = stage.sun_x
    stage.shine(ellipse(x, y, radius * 1.25), bright(color, 1.2), 0.02, opacity=0.35, softness=radius * 0.3)
    fill = (bright(color, 1.3), color, bright(color, 0.25))
    stage.unlit(ellipse(x, y, radius, count=90), fill, 0.03, "far", sideways=True)
    shade = (bright(color, 1.4), bright(color, 0.35))
    for lift, width in ((-0.5, 0.16), (-0.1, 0.1), (0.25, 0.2), (0.6, 0.1)):
        reach = radius * float(np.sqrt(1 - lift**2)) * 0.97
        line = (arc(0, 0, reach, 0.15, np.pi - 0.15, 30)) * (1, 0.12) + (x, y + radius * lift)
        band = ribbon(line, radius * width)
        stage.unlit(band, shade, 0.031, "detail", opacity=0.4, softness=0.003, sideways=True)


def _moonscape(stage: Stage) -> None:
    """Draw dusty ground with craters."""
    rng, tall = stage.rng("moonscape"), stage.tall
    x, y = np.linspace(-0.1, stage.wide + 0.1, 7), tall * 0.84 - rng.uniform(0, 0.05, 7)
    dust = stage.tinted("land", hexed("#8f86a0"))
    ridge = under(smooth(points(x, y), closed=False), tall + 0.1)
    stage.unlit(ridge, (bright(dust, 0.95), bright(dust, 0.4)), 0.5, "land")
    for px, py, reach in rng.uniform((0, tall * 0.88, 0.02), (stage.wide, tall, 0.07), (9, 3)).tolist():
        stage.unlit(
            ellipse(px, py, reach, reach * 0.28), (bright(dust, 0.35), bright(dust, 0.7)), 0.51, "detail"
        )
