"""Inland waters: a lake that mirrors its mountains, a river between hills."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from inkframe_demo.drawing.color import WHITE, bright, hexed, mix
from inkframe_demo.drawing.places.fields import draw_hills, open_ground
from inkframe_demo.drawing.places.plants import draw_grass, draw_pines, grass_of
from inkframe_demo.drawing.places.sky import draw_sky
from inkframe_demo.drawing.places.terrain import (
    draw_hill,
    draw_massif,
    draw_mist,
    hill_line,
    peak_line,
)
from inkframe_demo.drawing.places.waters import draw_water
from inkframe_demo.drawing.scene_layout import Ground, Stage
from inkframe_demo.drawing.shape import lenses, moved, points, ribbon, under

if TYPE_CHECKING:
    from inkframe_demo.drawing.shape import Shape

__all__ = ["lake", "river"]


def lake(stage: Stage) -> None:
    """Draw mountains and pines, and their reflection in still water."""
    draw_sky(stage)
    first, grass = len(stage.shapes), grass_of(stage)
    rock = stage.tinted("land", hexed("#66788c"), 0.5)
    draw_massif(stage, peak_line(stage, "peaks", stage.horizon, 0.34), rock, 0.14, 0.4)
    draw_mist(stage, stage.horizon - 0.03, 0.18)
    shore = hill_line(stage, "shore", stage.horizon + 0.005, 0.035)
    draw_hill(stage, shore, mix(grass, hexed("#55706a"), 0.5), 0.28, "far")
    draw_pines(stage, shore, 0.13, 0.29, int(38 * stage.wide), hexed("#2f5548"))
    mirrored = stage.shapes[first:]
    draw_water(stage, stage.horizon + 0.015, deep="#2a6480", calm=1.0)
    for shape in mirrored:
        _mirror(stage, shape, stage.horizon + 0.015)
    draw_grass(stage, bright(grass, 0.6), height=0.16, many=70)
    bank = hill_line(stage, "bank", stage.tall - 0.1, 0.05, 3)
    stage.add(under(bank, stage.tall + 0.1), (bright(grass, 1.05), bright(grass, 0.6)), 0.8, "land")
    stage.ground(Ground(stage.down(0.25), stage.down(0.66), (0.5, 0.72), 0.5), "water")
    stage.ground(Ground(stage.tall - 0.1, stage.tall - 0.06, (0.84, 0.87), 0.9), "ground", "shore")


def _mirror(stage: Stage, shape: Shape, line: float) -> None:
    """Draw the reflection of a shape below a line."""
    turned = [outline * (1, -0.9) + (0, 1.9 * line) for outline in shape.outlines]
    kept = [points(o[:, 0], np.clip(o[:, 1], line + 0.001, stage.tall)) for o in turned]
    depth, opacity = 0.325 + shape.depth * 0.01, 0.4 * shape.opacity
    stage.unlit(kept, shape.fill[::-1], depth, "reflection", opacity=opacity, softness=0.004)


def river(stage: Stage) -> None:
    """Draw a river between the hills."""
    draw_sky(stage)
    draw_hills(stage)
    light, grass, top = stage.light, grass_of(stage), stage.horizon + 0.1
    t = np.linspace(0, 1, 46)
    sway = 0.2 * np.sin(t * 5 + (0 if stage.flip else 3)) * (1 - 0.7 * t)
    line, width = (
        points(stage.wide / 2 + sway, top + (stage.tall + 0.08 - top) * t**1.3),
        0.025 + 0.62 * t**1.7,
    )
    water = stage.tinted("water", hexed("#3f7f9c"), 0.9)
    stage.add(ribbon(moved(line, 0, -0.008), width * 1.1), bright(grass, 0.7), 0.595, "land")
    fill = (mix(light.sky[-1], light.on(water, 0.8), 0.3), light.on(water, 0.9))
    stage.unlit(ribbon(line, width), fill, 0.6, "water")
    rng = stage.rng("current")
    at, aside = rng.integers(8, 45, 40), rng.uniform(-0.38, 0.38, 40)
    marks = lenses(line[at, 0] + width[at] * aside, line[at, 1], 0.15 * width[at], 0.003 + 0.006 * t[at])
    stage.unlit(marks, mix(light.sky[-1], WHITE, 0.4), 0.602, "glint", opacity=0.4)
    draw_grass(stage, bright(grass, 0.8), height=0.08)
    open_ground(stage, 0.5)
    stage.ground(Ground(stage.down(0.55), stage.down(0.8), (0.65, 0.8), 0.7), "water")
    stage.ground(Ground(stage.down(0.52), stage.down(0.56), (0.66, 0.68), 0.9), "span")
