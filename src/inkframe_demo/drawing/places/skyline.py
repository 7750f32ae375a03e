"""A city: its skyline in three layers, with a park or water in front."""

from __future__ import annotations

import numpy as np

from inkframe_demo.drawing.color import bright, hexed, mix, picked
from inkframe_demo.drawing.places.sky import draw_sky
from inkframe_demo.drawing.places.waters import draw_water
from inkframe_demo.drawing.scene_layout import Ground, Stage
from inkframe_demo.drawing.shape import Outline, ellipse, lenses, polygon, rectangle

__all__ = ["LAMP", "city", "draw_skyline"]

TOWERS = ("#6d7f92", "#8a8fa0", "#a08f88", "#5f7384", "#b09a84", "#77808a")
LAMP = hexed("#ffd27a")


def draw_skyline(stage: Stage, foot: float, height: float, depth: float, *, windows: bool = True) -> None:
    """Draw a row of towers on a line, the highest near the middle."""
    rng, x = stage.rng(f"skyline {depth}"), -0.05
    panes: list[Outline] = []
    while x < stage.wide + 0.05:
        broad = float(rng.uniform(0.05, 0.11)) * (0.7 + height)
        swell = 0.55 + 0.45 * float(np.exp(-(((x - stage.focus) / (0.38 * stage.wide)) ** 2)))
        top = foot - height * float(rng.uniform(0.4, 1.0)) * swell
        wall = stage.tinted("land", picked(rng, TOWERS), 0.7)
        stage.add(_tower(rng, x, top, broad, foot), (wall, bright(wall, 0.8)), depth, "wall")
        side = rectangle(x + broad * 0.62, top, x + broad, foot)
        stage.add(side, bright(wall, 0.62), depth, "detail", opacity=0.35)
        rows, columns = (
            np.arange(top + 0.015, foot - 0.02, 0.024),
            np.arange(x + 0.009, x + broad - 0.012, 0.017),
        )
        panes += [
            rectangle(px, py, px + 0.008, py + 0.012) for py in rows.tolist() for px in columns.tolist()
        ]
        x += broad + float(rng.choice([0.0, 0.0, 0.006, 0.02]))
    if windows:
        on = (rng.random(len(panes)) < (0.42 if stage.light.dark else 0.06)).tolist()
        unlit, lit = (
            [pane for pane, lamp in zip(panes, on, strict=True) if lamp == wanted] for wanted in (False, True)
        )
        stage.add(unlit, hexed("#39495c"), depth + 0.001, "detail", opacity=0.55)
        stage.shine(lit, mix(LAMP, stage.light.haze, 0.5 * (1 - depth)), depth + 0.001, opacity=0.95)


def _tower(rng: np.random.Generator, x: float, top: float, broad: float, foot: float) -> list[Outline]:
    """Return the outlines of a tower with one of five tops: a mast, a step, a gable, a slant, or none."""
    middle, end = x + broad / 2, x + broad
    crowns = (
        rectangle(middle - 0.002, top - (foot - top) * 0.22, middle + 0.002, top),
        rectangle(x + broad * 0.2, top - 0.025, x + broad * 0.8, top),
        polygon((x, top), (middle, top - broad * 0.6), (end, top)),
        polygon((x, top), (x, top - broad * 0.5), (end, top)),
        rectangle(x, top, end, foot),
    )
    return [rectangle(x, top, end, foot + 0.05), crowns[int(rng.integers(5))]]


def city(stage: Stage) -> None:
    """Draw a skyline in three layers, with a park or water in front."""
    stage.horizon = foot = stage.tall * 0.74
    draw_sky(stage)
    draw_skyline(stage, foot, 0.5, 0.18, windows=False)
    draw_skyline(stage, foot + 0.02, 0.46, 0.4)
    draw_skyline(stage, foot + 0.03, 0.24, 0.62)
    if stage.stands("water") or (stage.flip and not stage.stands("ground")):
        _waterside(stage, foot + 0.03)
    else:
        _park(stage, foot)


def _park(stage: Stage, foot: float) -> None:
    """Draw a row of trees and a street with lamps."""
    rng, leaf = stage.rng("park"), stage.tinted("land", hexed("#55704f"))
    stage.add(stage.floor(foot + 0.025), (hexed("#62666c"), hexed("#565b66")), 0.65, "land")
    spots = rng.uniform((0, 0.5), (stage.wide, 1.2), (34, 2)).tolist()
    crowns = [ellipse(x, foot + 0.035, 0.035 * size, 0.03 * size, 18) for x, size in spots]
    stage.add(crowns, (bright(leaf, 1.1), bright(leaf, 0.6)), 0.66, "land")
    if stage.light.dark:
        row = np.arange(0.05, stage.wide, 0.11).tolist()
        stage.shine([ellipse(x, foot + 0.05, 0.006, count=12) for x in row], LAMP, 0.67)
        halos = [ellipse(x, foot + 0.06, 0.05, 0.03, 20) for x in row]
        stage.shine(halos, LAMP, 0.67, opacity=0.4, softness=0.015)
    curb = rectangle(-0.1, stage.tall - 0.075, stage.wide + 0.1, stage.tall - 0.068)
    stage.add(curb, hexed("#d9d3c2"), 0.67, "detail", opacity=0.6)
    stage.ground(Ground(foot + 0.1, stage.tall - 0.04, (0.7, 0.86), 0.7), "ground", "shore")


def _waterside(stage: Stage, foot: float) -> None:
    """Draw water in front of the towers, with reflections of their lights."""
    draw_water(stage, foot, 0.65, calm=0.8)
    rng, many = stage.rng("lights in water"), int(60 * stage.wide)
    x, y = rng.uniform(0, stage.wide, many), foot + rng.random(many) ** 1.6 * (stage.tall - foot)
    marks = lenses(x, y, rng.uniform(0.008, 0.03, many), rng.uniform(0.0015, 0.004, many))
    color, opacity = (LAMP, 0.6) if stage.light.dark else (hexed("#3f4d60"), 0.3)
    stage.unlit(marks, color, 0.66, "glint", opacity=opacity)
    stage.ground(Ground(foot + 0.07, stage.tall - 0.07, (0.7, 0.85), 0.7), "water")
