"""Places by the sea: open sea, beach, harbour, and what lies under water."""

from __future__ import annotations

import numpy as np

from inkframe.service.engines.offline.drawing.colour import bright, hexed, mix, picked
from inkframe.service.engines.offline.drawing.places.hinterland import draw_hinterland
from inkframe.service.engines.offline.drawing.places.sky import draw_sky
from inkframe.service.engines.offline.drawing.places.terrain import draw_hill, hill_line
from inkframe.service.engines.offline.drawing.places.waters import draw_water
from inkframe.service.engines.offline.drawing.shape import blob, ellipse, polygon, rectangle, ribbon, smooth
from inkframe.service.engines.offline.drawing.stage import Ground, Stage

__all__ = ["beach", "deep", "harbour", "sea"]

ROCK = hexed("#5f5a57")


def sea(stage: Stage) -> None:
    """Open sea, with a headland where something has to stand on it."""
    draw_sky(stage)
    if not draw_hinterland(stage) and stage.rng("isles").random() < 0.6:
        _isles(stage)
    draw_water(stage, stage.horizon)
    low = stage.tall - stage.horizon
    stage.grounds["water"] = Ground(stage.horizon + low * 0.2, stage.horizon + low * 0.72, (0.5, 0.75), 0.45)
    if any(thing.stands in {"ground", "shore"} for thing in stage.scene.things):
        _headland(stage)


def _isles(stage: Stage) -> None:
    rng = stage.rng("isles")
    for number in range(int(rng.integers(1, 3))):
        x, reach = stage.wide * float(rng.uniform(0.05, 0.95)), float(rng.uniform(0.12, 0.3))
        peaks = np.linspace(-1, 1, 9)
        y = stage.horizon - reach * 0.28 * (1 - peaks**2) * rng.uniform(0.6, 1.2, 9)
        line = smooth(np.stack([x + reach * peaks, y], 1), closed=False)
        stage.add(np.concatenate([line, [[x + reach, stage.horizon + 0.003], [x - reach, stage.horizon + 0.003]]]), hexed("#5d7480"), 0.22 + 0.04 * number, "far")


def _headland(stage: Stage) -> None:
    """Lay a rocky foreland under the main thing, with green on top."""
    x, low = stage.focus, stage.tall
    top = stage.horizon + (low - stage.horizon) * 0.36
    side = -1 if x < stage.wide / 2 else 1
    edge = x - side * 0.34
    outer = stage.wide / 2 + side * (stage.wide / 2 + 0.2)
    rng = stage.rng("headland")
    steps = np.linspace(0, 1, 8)
    cliff = np.stack(
        [edge - side * 0.1 * steps + rng.uniform(-0.02, 0.02, 8), top + 0.04 + (low - top) * steps], 1
    )
    crest = smooth(
        [(outer, top - 0.05), (x, top), (x - side * 0.2, top + 0.012), (edge, top + 0.05)], closed=False
    )
    stage.add(np.concatenate([crest, cliff, [[outer, low + 0.1]]]), (bright(ROCK, 1.15), ROCK, bright(ROCK, 0.6)), 0.52, "land")
    strata = [
        ribbon(np.array([[edge + side * 0.03 * k, top + 0.08 * k], [outer, top + 0.055 * k - 0.02]]), 0.006)
        for k in range(1, 6)
    ]
    stage.add(strata, bright(ROCK, 0.6), 0.521, "detail", opacity=0.45)
    turf = np.concatenate(
        [
            crest,
            (crest + (0, 0.045 + 0.02 * rng.random()))[::-1]
            + np.stack([np.zeros(len(crest)), 0.012 * np.sin(np.arange(len(crest)))], 1),
        ]
    )
    grass = stage.painted("land", hexed("#7d9458"))
    stage.add(turf, (bright(grass, 1.15), bright(grass, 0.8)), 0.53, "land")
    foam = [ellipse(float(px), float(py), 0.05, 0.006, points=14) for px, py in cliff[4:]]
    stage.add(foam, (1.0, 1.0, 1.0), 0.531, "glint", opacity=0.6, softness=0.004)
    stage.grounds["shore"] = Ground(top, top + 0.004, (0.6, 0.6), 0.8)
    stage.grounds["ground"] = Ground(top + 0.01, top + 0.05, (0.6, 0.7), 0.8)


def beach(stage: Stage) -> None:
    """Sand in front, a foamy edge, the sea behind."""
    draw_sky(stage)
    if not draw_hinterland(stage) and stage.flip:
        _isles(stage)
    draw_water(stage, stage.horizon, deep="#1f8aa0")
    low = stage.tall - stage.horizon
    rng = stage.rng("beach")
    lean = 0.2 if stage.flip else -0.2
    x = np.linspace(-0.1, stage.wide + 0.1, 7)
    y = stage.horizon + low * (0.5 + lean * (x / stage.wide - 0.5)) + rng.uniform(-0.02, 0.02, 7)
    shore = smooth(np.stack([x, y], 1), closed=False)
    sand = stage.painted("land", hexed("#e8cfa2"))
    closing = [[stage.wide + 0.1, stage.tall + 0.1], [-0.1, stage.tall + 0.1]]
    for lift, colour, opacity in (
        (-0.05, (1.0, 1.0, 1.0), 0.35),
        (-0.022, (1.0, 1.0, 1.0), 0.9),
        (-0.008, bright(sand, 0.72), 1.0),
    ):
        stage.add(np.concatenate([shore + (0, lift), closing]), colour, 0.5, "water" if opacity < 1 else "land", opacity=opacity, softness=0.0015)
    stage.add(np.concatenate([shore + (0, 0.012), closing]), (bright(sand, 0.92), sand, bright(sand, 1.12)), 0.51, "land")
    marks = [blob(rng, float(px), float(py), 0.03 * float(s), 0.007 * float(s)) for px, py, s in zip(
        rng.uniform(0, stage.wide, 40), rng.uniform(stage.horizon + low * 0.68, stage.tall, 40), rng.uniform(0.3, 1.2, 40), strict=True)]
    stage.add(marks, bright(sand, 0.8), 0.52, "detail", opacity=0.5)
    stage.grounds["water"] = Ground(stage.horizon + low * 0.12, stage.horizon + low * 0.3, (0.42, 0.48), 0.6)
    stage.grounds["ground"] = stage.grounds["shore"] = Ground(
        stage.horizon + low * 0.64, stage.tall - 0.07, (0.62, 0.85), 0.7
    )


def harbour(stage: Stage) -> None:
    """Calm water between a waterfront of houses and a quay."""
    draw_sky(stage)
    line = hill_line(stage, "harbour hill", stage.horizon - 0.06, 0.12)
    draw_hill(stage, line, hexed("#6f8a78"), 0.2, "far")
    _waterfront(stage)
    draw_water(stage, stage.horizon + 0.02, calm=0.5)
    low = stage.tall - stage.horizon
    _quay(stage)
    stage.grounds["water"] = Ground(stage.horizon + low * 0.24, stage.horizon + low * 0.62, (0.5, 0.7), 0.5)
    stage.grounds["ground"] = stage.grounds["shore"] = Ground(
        stage.tall - 0.105, stage.tall - 0.06, (0.84, 0.87), 0.9
    )


FACADES = ("#e9d8b4", "#d98f6a", "#c7d0c4", "#b96a58", "#f0e6d2", "#8fa9b4", "#e3b866", "#a9b79a")


def _waterfront(stage: Stage) -> None:
    """A row of narrow houses with gables, and their image in the water."""
    rng, foot = stage.rng("waterfront"), stage.horizon + 0.022
    x = -0.03
    while x < stage.wide:
        broad, high = float(rng.uniform(0.06, 0.11)), float(rng.uniform(0.09, 0.2))
        wall = picked(rng, FACADES)
        gable = polygon(
            x,
            foot,
            x,
            foot - high,
            x + broad / 2,
            foot - high - broad * 0.45,
            x + broad,
            foot - high,
            x + broad,
            foot,
        )
        stage.add(gable, (bright(wall, 1.05), bright(wall, 0.85)), 0.3, "wall")
        roof = polygon(
            x - 0.005,
            foot - high,
            x + broad / 2,
            foot - high - broad * 0.5,
            x + broad + 0.005,
            foot - high,
            x + broad / 2,
            foot - high - broad * 0.3,
        )
        stage.add(roof, hexed("#8a4a3c") if rng.random() < 0.6 else hexed("#5b6470"), 0.3, "wall")
        panes = [rectangle(px, py, px + broad * 0.16, py + 0.018) for px in (x + broad * 0.18, x + broad * 0.62)
                 for py in np.arange(foot - high + 0.015, foot - 0.025, 0.036).tolist()]
        lamp = stage.light.dark
        stage.add(panes, hexed("#ffd98a") if lamp else bright(hexed("#51636f"), 1.0), 0.3, "light" if lamp else "detail", lit=not lamp)
        mirror = rectangle(x, foot + 0.004, x + broad, foot + high * 0.75)
        stage.add(mirror, wall, 0.36, "reflection", opacity=0.3, softness=0.005)
        x += broad + float(rng.choice([0.0, 0.0, 0.004]))


def _quay(stage: Stage) -> None:
    stone, low, y = hexed("#8b8379"), stage.tall, stage.tall - 0.12
    stage.add(rectangle(-0.1, y, stage.wide + 0.1, low + 0.1), (bright(stone, 1.15), stone), 0.82, "land")
    stage.add(rectangle(-0.1, y, stage.wide + 0.1, y + 0.016), bright(stone, 1.35), 0.821, "land")
    seams = [
        rectangle(float(x), y + 0.016 + 0.05 * row, float(x) + 0.004, y + 0.066 + 0.05 * row)
        for row in range(3)
        for x in np.arange(0.03 + 0.05 * row, stage.wide, 0.13)
    ]
    rows = [rectangle(-0.1, y + 0.064 + 0.05 * k, stage.wide + 0.1, y + 0.067 + 0.05 * k) for k in range(2)]
    stage.add([*seams, *rows], bright(stone, 0.72), 0.822, "detail", opacity=0.7)
    for x in (0.14 * stage.wide, 0.86 * stage.wide):
        post = [rectangle(x - 0.014, y - 0.05, x + 0.014, y + 0.01), ellipse(x, y - 0.05, 0.021, 0.011, 20)]
        stage.add(post, (hexed("#4a4b52"), hexed("#2e2f36")), 0.83, "thing")


def deep(stage: Stage) -> None:
    """Under water: light from above, sand and weed below."""
    rng, wide, tall = stage.rng("deep"), stage.wide, stage.tall
    tint = stage.painted("water", hexed("#1f8fa6"))
    shade = 0.45 if stage.light.dark else 1.0
    tops = [
        bright(mix(tint, (1.0, 1.0, 1.0), 0.45), shade),
        bright(tint, 0.92 * shade),
        bright(mix(tint, hexed("#0c2f52"), 0.55), shade),
        bright(mix(tint, hexed("#081f3d"), 0.8), shade),
    ]
    stage.unlit(rectangle(0, 0, wide, tall), tops, 0.0, "sky")
    for x in rng.uniform(0.05, wide * 0.95, 6).tolist():
        ray = polygon(
            x,
            -0.05,
            x + 0.07,
            -0.05,
            x + 0.3 * (x / wide - 0.35) + 0.22,
            tall * 0.9,
            x + 0.3 * (x / wide - 0.35) + 0.02,
            tall * 0.9,
        )
        stage.shine(ray, (mix(tops[0], (1.0, 1.0, 1.0), 0.5), tops[1]), 0.05, opacity=0.16, softness=0.012)
    for step, (depth, level) in enumerate(((0.25, 0.8), (0.45, 0.88), (0.7, 0.95))):
        floor = hill_line(stage, f"seabed {step}", tall * level, 0.06)
        colour = mix(tops[2], hexed("#d9c79a"), 0.12 + 0.2 * step)
        stage.unlit(np.concatenate([floor, [[wide + 0.2, tall + 0.1], [-0.2, tall + 0.1]]]), (bright(colour, 1.15), bright(colour, 0.7)), depth, "land")
        _weed(stage, floor, depth + 0.02, step, tops[2])
    for x, y, r in rng.uniform((0, 0, 0.004), (wide, tall * 0.8, 0.014), (26, 3)).tolist():
        stage.shine(ellipse(x, y, r, points=20), bright(tops[0], 1.2), 0.5, opacity=0.35)
    stage.grounds["deep"] = stage.grounds["water"] = stage.grounds["air"] = Ground(
        tall * 0.2, tall * 0.72, (0.3, 0.68), 0.6
    )
    stage.grounds["ground"] = Ground(tall * 0.9, tall * 0.95, (0.72, 0.78), 0.9)
    stage.horizon = tall * 0.9


WEEDS = ("#e0705a", "#4fa36c", "#d99a4a", "#b0568f", "#3f8f86")


def _weed(stage: Stage, floor: object, depth: float, step: int, water: tuple[float, float, float]) -> None:
    rng, line = stage.rng(f"weed {step}"), np.asarray(floor)
    for _ in range(7):
        x = float(rng.uniform(0, stage.wide))
        y, tall = (
            float(np.interp(x, line[:, 0], line[:, 1])) + 0.01,
            float(rng.uniform(0.08, 0.2)) * (0.6 + step * 0.4),
        )
        colour = mix(water, picked(rng, WEEDS), 0.25 + 0.3 * step)
        t = np.linspace(0, 1, 14)
        fronds = [ribbon(np.stack([x + dx + 0.022 * np.sin(t * 7 + dx * 90) * t, y - tall * t * s], 1), 0.016 * (1.05 - t))
                  for dx, s in ((-0.025, 0.8), (0.0, 1.0), (0.024, 0.7))]
        stage.unlit(fronds, (bright(colour, 1.2), bright(colour, 0.75)), depth, "thing")
