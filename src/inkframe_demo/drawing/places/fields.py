"""Places in the open country: meadow, garden, village, road."""

from __future__ import annotations

import numpy as np

from inkframe_demo.drawing.color import bright, hexed, mix, picked
from inkframe_demo.drawing.layout import put
from inkframe_demo.drawing.motif import load_motif
from inkframe_demo.drawing.places.hinterland import draw_hinterland
from inkframe_demo.drawing.places.plants import draw_grass, draw_trees, grass_of
from inkframe_demo.drawing.places.sky import draw_sky
from inkframe_demo.drawing.places.terrain import draw_hill, hill_line
from inkframe_demo.drawing.scene_layout import Ground, Stage
from inkframe_demo.drawing.shape import moved, points, polygon, ribbon

__all__ = ["draw_hills", "garden", "meadow", "open_ground", "road", "village"]

WALLS = ("#efe3cd", "#e6cfae", "#d9dcd4", "#f2d9b8")
FLOWERS = ("#e2607a", "#f0b23a", "#d8453f", "#b78ad6", "#f4efe2", "#ef8a5a")


def open_ground(stage: Stage, far: float = 0.4) -> None:
    """Define the ground of things, from a share of the way below the horizon to the lower edge."""
    stage.ground(Ground(stage.down(far), stage.tall - 0.07, (0.62, 0.86), 0.55), "ground", "shore")


def draw_hills(stage: Stage) -> None:
    """Draw rows of hills, greener when nearer, with trees on the middle one."""
    grass = grass_of(stage)
    if not draw_hinterland(stage):
        far = hill_line(stage, "far", stage.horizon - 0.06, 0.12)
        draw_hill(stage, far, mix(grass, hexed("#6f93a8"), 0.6), 0.15, "far")
    draw_hill(
        stage, hill_line(stage, "behind", stage.horizon, 0.09, 4), mix(grass, hexed("#7fa0a0"), 0.3), 0.3
    )
    line = hill_line(stage, "middle", stage.horizon + 0.08, 0.08, 4)
    draw_hill(stage, line, bright(grass, 1.08), 0.45)
    draw_trees(stage, line, 0.085, 0.46, int(9 * stage.wide))
    draw_hill(stage, _near(stage), grass, 0.58)


def _near(stage: Stage) -> np.ndarray:
    return hill_line(stage, "near", stage.horizon + 0.2, 0.06, 3)


def meadow(stage: Stage) -> None:
    """Draw rolling hills with trees and long grass."""
    draw_sky(stage)
    draw_hills(stage)
    if stage.rng("meadow").random() < 0.6:
        _furrows(stage)
    draw_grass(stage, bright(grass_of(stage), 0.85))
    open_ground(stage)


def _furrows(stage: Stage) -> None:
    """Draw furrows on the near hill: rows toward a point, with alternating crops."""
    x, y, low = stage.wide * (0.3 if stage.flip else 0.7), stage.horizon + 0.1, stage.tall + 0.1
    near = _near(stage)
    edge = np.linspace(-0.5, stage.wide + 0.5, 25)
    top = np.interp(x + (edge - x) * 0.28, near[:, 0], near[:, 1]) + 0.004
    head = x + (edge - x) * (top - y) / (low - y)
    color = mix(grass_of(stage), hexed("#d9bf6a"), 0.35)
    rows = [
        polygon((head[k], top[k]), (head[k + 1], top[k + 1]), (edge[k + 1], low), (edge[k], low))
        for k in range(0, 24, 2)
    ]
    for row in rows:
        stage.add(row, (mix(color, stage.light.haze, 0.1), bright(color, 0.92)), 0.585, "land", opacity=0.5)


def garden(stage: Stage) -> None:
    """Draw a lawn before a hedge, with flower beds in front."""
    stage.horizon = stage.tall * 0.46
    draw_sky(stage)
    grass, rng = grass_of(stage), stage.rng("beds")
    far = hill_line(stage, "far", stage.horizon - 0.02, 0.1)
    draw_hill(stage, far, mix(grass, hexed("#6f93a8"), 0.5), 0.2, "far")
    line = hill_line(stage, "hedge", stage.horizon + 0.06, 0.03)
    draw_trees(stage, line, 0.19, 0.34, int(11 * stage.wide))
    draw_hill(stage, moved(line, 0, 0.03), bright(grass, 1.12), 0.4)
    for row, (share, size) in enumerate(((0.3, 0.09), (0.48, 0.13), (0.7, 0.19))):
        many = int((9 - 2 * row) * stage.wide)
        spots = rng.uniform((0, -0.02, 0.75), (stage.wide, 0.05, 1.2), (many, 3)).tolist()
        for x, lower, grown in spots:
            kind = load_motif(("flower", "tulip", "rose", "flower")[int(rng.integers(4))])
            spot = (x, stage.down(share) + lower, size * grown)
            put(stage, kind, *spot, 0.45 + 0.12 * row, picked(rng, FLOWERS))
    draw_grass(stage, bright(grass, 0.85), height=0.12)
    open_ground(stage, 0.5)


def road(stage: Stage) -> None:
    """Draw a road that winds over the hills to the horizon."""
    draw_sky(stage)
    draw_hills(stage)
    t, top = np.linspace(0, 1, 40), stage.horizon + 0.12
    sway = 0.16 * np.sin(t * 5.5 + (1 if stage.flip else 4)) * (0.25 + t) * (1 - 0.6 * t)
    line, width = (
        points(stage.wide / 2 + sway, top + (stage.tall + 0.06 - top) * t**1.5),
        0.015 + 0.5 * t**1.9,
    )
    stage.add(ribbon(line, width * 1.12), hexed("#cfc6ae"), 0.59, "land")
    stage.add(ribbon(line, width), (hexed("#77757a"), hexed("#5c5a60")), 0.6, "land")
    dashes = [ribbon(line[k : k + 3], width[k : k + 3] * 0.035) for k in range(6, 37, 5)]
    stage.add(dashes, hexed("#f0e8d2"), 0.601, "detail")
    open_ground(stage, 0.52)


def village(stage: Stage) -> None:
    """Draw houses on the hills around a church."""
    draw_sky(stage)
    draw_hills(stage)
    rng, house = stage.rng("village"), load_motif("house")
    put(stage, load_motif("church"), stage.wide * (0.66 if stage.flip else 0.34), stage.down(0.36), 0.24, 0.6)
    spots = rng.uniform((0.04, 0.3), (0.96, 0.62), (8, 2)).tolist()
    for x, share in sorted(spots, key=lambda spot: spot[1]):
        size = 0.09 + 0.1 * (share - 0.3) / 0.32
        put(stage, house, stage.wide * x, stage.down(share), size, 0.6 + 0.1 * share, picked(rng, WALLS))
    draw_grass(stage, bright(grass_of(stage), 0.85), height=0.07)
    open_ground(stage, 0.6)
