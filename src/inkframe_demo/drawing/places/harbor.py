"""A harbor: calm water between a waterfront of gabled houses and a quay."""

from __future__ import annotations

import numpy as np

from inkframe_demo.drawing.color import bright, hexed, picked
from inkframe_demo.drawing.places.sky import draw_sky
from inkframe_demo.drawing.places.terrain import draw_hill, hill_line
from inkframe_demo.drawing.places.waters import draw_water
from inkframe_demo.drawing.scene_layout import Ground, Stage
from inkframe_demo.drawing.shape import ellipse, polygon, rectangle

__all__ = ["harbor"]

FACADES = ("#e9d8b4", "#d98f6a", "#c7d0c4", "#b96a58", "#f0e6d2", "#8fa9b4", "#e3b866", "#a9b79a")
ROOFS = ("#8a4a3c", "#8a4a3c", "#5b6470")


def harbor(stage: Stage) -> None:
    """Draw calm water between a waterfront of houses and a quay."""
    draw_sky(stage)
    hill = hill_line(stage, "harbor hill", stage.horizon - 0.06, 0.12)
    draw_hill(stage, hill, hexed("#6f8a78"), 0.2, "far")
    rng, x = stage.rng("waterfront"), -0.03
    while x < stage.wide:
        broad, high = float(rng.uniform(0.06, 0.11)), float(rng.uniform(0.09, 0.2))
        _house(stage, rng, x, broad, high)
        x += broad + float(rng.choice([0.0, 0.0, 0.004]))
    draw_water(stage, stage.horizon + 0.02, calm=0.5)
    _quay(stage)
    stage.ground(Ground(stage.down(0.24), stage.down(0.62), (0.5, 0.7), 0.5), "water")
    stage.ground(Ground(stage.tall - 0.105, stage.tall - 0.06, (0.84, 0.87), 0.9), "ground", "shore")


def _house(stage: Stage, rng: np.random.Generator, x: float, broad: float, high: float) -> None:
    """Draw one narrow house with a gable, and its reflection."""
    foot, wall, end, middle = stage.horizon + 0.022, picked(rng, FACADES), x + broad, x + broad / 2
    eaves, ridge = foot - high, foot - high - broad * 0.45
    front = polygon((x, foot), (x, eaves), (middle, ridge), (end, eaves), (end, foot))
    stage.add(front, (bright(wall, 1.05), bright(wall, 0.85)), 0.3, "wall")
    over, inner = ridge - broad * 0.05, ridge + broad * 0.15
    roof = polygon((x - 0.005, eaves), (middle, over), (end + 0.005, eaves), (middle, inner))
    stage.add(roof, picked(rng, ROOFS), 0.3, "wall")
    rows = np.arange(eaves + 0.015, foot - 0.025, 0.036).tolist()
    columns = (x + broad * 0.18, x + broad * 0.62)
    panes = [rectangle(px, py, px + broad * 0.16, py + 0.018) for px in columns for py in rows]
    if stage.light.dark:
        stage.shine(panes, hexed("#ffd98a"), 0.3)
    else:
        stage.add(panes, hexed("#51636f"), 0.3, "detail")
    mirror = rectangle(x, foot + 0.004, end, foot + high * 0.75)
    stage.add(mirror, wall, 0.36, "reflection", opacity=0.3, softness=0.005)


def _quay(stage: Stage) -> None:
    """Draw two rows of stones and a bollard at each end."""
    stone, y, wide = hexed("#8b8379"), stage.tall - 0.12, stage.wide + 0.1
    stage.add(stage.floor(y), (bright(stone, 1.15), stone), 0.82, "land")
    stage.add(rectangle(-0.1, y, wide, y + 0.016), bright(stone, 1.35), 0.821, "land")
    tops = [y + 0.016 + 0.05 * row for row in range(3)]
    seams = [
        rectangle(x, top, x + 0.004, top + 0.05)
        for row, top in enumerate(tops)
        for x in np.arange(0.03 + 0.05 * row, stage.wide, 0.13).tolist()
    ]
    beds = [rectangle(-0.1, top + 0.048, wide, top + 0.051) for top in tops[:2]]
    stage.add([*seams, *beds], bright(stone, 0.72), 0.822, "detail", opacity=0.7)
    for x in (0.14 * stage.wide, 0.86 * stage.wide):
        post = [rectangle(x - 0.014, y - 0.05, x + 0.014, y + 0.01), ellipse(x, y - 0.05, 0.021, 0.011, 20)]
        stage.add(post, (hexed("#4a4b52"), hexed("#2e2f36")), 0.83, "thing")
