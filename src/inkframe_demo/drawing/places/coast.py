"""Places by the sea: open sea with a headland, a beach."""

from __future__ import annotations

import numpy as np

from inkframe_demo.drawing.color import WHITE, bright, hexed
from inkframe_demo.drawing.places.hinterland import draw_hinterland
from inkframe_demo.drawing.places.sky import draw_sky
from inkframe_demo.drawing.places.waters import draw_water
from inkframe_demo.drawing.scene_layout import Ground, Stage
from inkframe_demo.drawing.shape import (
    blob,
    ellipse,
    moved,
    points,
    polygon,
    ribbon,
    smooth,
)

__all__ = ["beach", "sea"]

ROCK = hexed("#5f5a57")


def sea(stage: Stage) -> None:
    """Draw open sea, with a headland if something stands on land."""
    draw_sky(stage)
    if not draw_hinterland(stage) and stage.rng("isles").random() < 0.6:
        _isles(stage)
    draw_water(stage, stage.horizon)
    stage.ground(Ground(stage.down(0.2), stage.down(0.72), (0.5, 0.75), 0.45), "water")
    if stage.stands("ground", "shore"):
        _headland(stage)


def _isles(stage: Stage) -> None:
    rng, foot = stage.rng("isle"), stage.horizon + 0.003
    for number in range(int(rng.integers(1, 3))):
        x, reach = stage.wide * float(rng.uniform(0.05, 0.95)), float(rng.uniform(0.12, 0.3))
        step = np.linspace(-1, 1, 9)
        rise = reach * 0.28 * (1 - step**2) * rng.uniform(0.6, 1.2, 9)
        line = smooth(points(x + reach * step, stage.horizon - rise), closed=False)
        isle = np.concatenate([line, polygon((x + reach, foot), (x - reach, foot))])
        stage.add(isle, hexed("#5d7480"), 0.22 + 0.04 * number, "far")


def _headland(stage: Stage) -> None:
    """Draw a rocky headland under the main thing, with green on top."""
    x, low, top, rng = stage.focus, stage.tall, stage.down(0.36), stage.rng("headland")
    side = -1 if x < stage.wide / 2 else 1
    edge, outer = x - side * 0.34, stage.wide / 2 + side * (stage.wide / 2 + 0.2)
    step = np.linspace(0, 1, 8)
    ragged = edge - side * 0.1 * step + rng.uniform(-0.02, 0.02, 8)
    cliff = points(ragged, top + 0.04 + (low - top) * step)
    knots = polygon((outer, top - 0.05), (x, top), (x - side * 0.2, top + 0.012), (edge, top + 0.05))
    crest = smooth(knots, closed=False)
    rock = np.concatenate([crest, cliff, [[outer, low + 0.1]]])
    stage.add(rock, (bright(ROCK, 1.15), ROCK, bright(ROCK, 0.6)), 0.52, "land")
    strata = [
        polygon((edge + side * 0.03 * k, top + 0.08 * k), (outer, top + 0.055 * k - 0.02))
        for k in range(1, 6)
    ]
    layers = [ribbon(line, 0.006) for line in strata]
    stage.add(layers, bright(ROCK, 0.6), 0.521, "detail", opacity=0.45)
    fringe = points(crest[:, 0], crest[:, 1] + 0.05 + 0.012 * np.sin(np.arange(len(crest))))
    grass = stage.tinted("land", hexed("#7d9458"))
    turf = np.concatenate([crest, fringe[::-1]])
    stage.add(turf, (bright(grass, 1.15), bright(grass, 0.8)), 0.53, "land")
    foam = [ellipse(px, py, 0.05, 0.006, count=14) for px, py in cliff[4:].tolist()]
    stage.add(foam, WHITE, 0.531, "glint", opacity=0.6, softness=0.004)
    stage.ground(Ground(top, top + 0.004, (0.6, 0.6), 0.8), "shore")
    stage.ground(Ground(top + 0.01, top + 0.05, (0.6, 0.7), 0.8), "ground")


def beach(stage: Stage) -> None:
    """Draw sand in front, a foamy edge, and the sea behind."""
    draw_sky(stage)
    if not draw_hinterland(stage) and stage.flip:
        _isles(stage)
    draw_water(stage, stage.horizon, deep="#1f8aa0")
    rng, sand = stage.rng("beach"), stage.tinted("land", hexed("#e8cfa2"))
    x = np.linspace(-0.1, stage.wide + 0.1, 7)
    lean = (x / stage.wide - 0.5) * (0.2 if stage.flip else -0.2)
    shore = smooth(points(x, stage.down(0.5 + lean) + rng.uniform(-0.02, 0.02, 7)), closed=False)
    corners = polygon((stage.wide + 0.1, stage.tall + 0.1), (-0.1, stage.tall + 0.1))
    edges = (
        (0.05, WHITE, 0.35, "water"),
        (0.022, WHITE, 0.9, "water"),
        (0.008, bright(sand, 0.72), 1.0, "land"),
    )
    for lift, color, opacity, kind in edges:
        wash = np.concatenate([moved(shore, 0, -lift), corners])
        stage.add(wash, color, 0.5, kind, opacity=opacity, softness=0.0015)
    dry = np.concatenate([moved(shore, 0, 0.012), corners])
    stage.add(dry, (bright(sand, 0.92), sand, bright(sand, 1.12)), 0.51, "land")
    spots = rng.uniform((0, stage.down(0.68), 0.3), (stage.wide, stage.tall, 1.2), (40, 3)).tolist()
    marks = [blob(rng, px, py, 0.03 * size, 0.007 * size) for px, py, size in spots]
    stage.add(marks, bright(sand, 0.8), 0.52, "detail", opacity=0.5)
    stage.ground(Ground(stage.down(0.12), stage.down(0.3), (0.42, 0.48), 0.6), "water")
    stage.ground(Ground(stage.down(0.64), stage.tall - 0.07, (0.62, 0.85), 0.7), "ground", "shore")
