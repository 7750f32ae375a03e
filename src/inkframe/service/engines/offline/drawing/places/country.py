"""Places on land: hills, gardens, forests, mountains, deserts, snow, roads, villages, lakes and rivers."""

from __future__ import annotations

import numpy as np

from inkframe.service.engines.offline.drawing.colour import bright, hexed, mix, picked, toned
from inkframe.service.engines.offline.drawing.motif import load_motif
from inkframe.service.engines.offline.drawing.places.hinterland import draw_hinterland
from inkframe.service.engines.offline.drawing.places.sky import draw_sky
from inkframe.service.engines.offline.drawing.places.terrain import (
    draw_grass,
    draw_hill,
    draw_massif,
    draw_mist,
    draw_pines,
    draw_trees,
    green,
    hill_line,
    peak_line,
)
from inkframe.service.engines.offline.drawing.places.waters import draw_water
from inkframe.service.engines.offline.drawing.shape import (
    ellipse,
    lens,
    lenses,
    polygon,
    rectangle,
    ribbon,
    smooth,
    under,
)
from inkframe.service.engines.offline.drawing.stage import Ground, Stage
from inkframe.service.engines.offline.drawing.staging import put

__all__ = ["desert", "forest", "garden", "lake", "meadow", "mountains", "river", "road", "village", "winter"]


def _open_ground(stage: Stage, far: float = 0.3) -> None:
    low = stage.tall - stage.horizon
    stage.grounds["ground"] = stage.grounds["shore"] = Ground(
        stage.horizon + low * (far + 0.1), stage.tall - 0.07, (0.62, 0.86), 0.55
    )


def _hills(stage: Stage) -> None:
    """Three rows of hills, the nearer the greener."""
    grass = green(stage)
    if not draw_hinterland(stage):
        draw_hill(
            stage,
            hill_line(stage, "far", stage.horizon - 0.06, 0.12),
            mix(grass, hexed("#6f93a8"), 0.6),
            0.15,
            "far",
        )
    draw_hill(
        stage,
        hill_line(stage, "middle far", stage.horizon + 0.0, 0.09, 4),
        mix(grass, hexed("#7fa0a0"), 0.3),
        0.3,
    )
    line = hill_line(stage, "middle", stage.horizon + 0.08, 0.08, 4)
    draw_hill(stage, line, bright(grass, 1.08), 0.45)
    draw_trees(stage, line, 0.085, 0.46, int(9 * stage.wide))
    near = hill_line(stage, "near", stage.horizon + 0.2, 0.06, 3)
    draw_hill(stage, near, grass, 0.58)


def meadow(stage: Stage) -> None:
    """Rolling hills with trees and long grass."""
    draw_sky(stage)
    _hills(stage)
    if stage.rng("meadow").random() < 0.6:
        _furrows(stage)
    draw_grass(stage, bright(green(stage), 0.85))
    _open_ground(stage)


def _furrows(stage: Stage) -> None:
    """Plough the near hill: rows that run to a point, one crop lighter than the other."""
    x, y = stage.wide * (0.3 if stage.flip else 0.7), stage.horizon + 0.1
    near = hill_line(stage, "near", stage.horizon + 0.2, 0.06, 3)
    colour = mix(green(stage), hexed("#d9bf6a"), 0.35)
    edge = np.linspace(-0.5, stage.wide + 0.5, 25)
    for a, b in zip(edge[::2], edge[1::2], strict=False):
        row = np.array([[x, y], [b, stage.tall + 0.1], [a, stage.tall + 0.1]])
        at = near[(near[:, 0] > -0.1) & (near[:, 0] < stage.wide + 0.1)]
        top = np.interp(x + (np.array([a, b]) - x) * 0.28, at[:, 0], at[:, 1]) + 0.004
        share = (top - y) / (stage.tall + 0.1 - y)
        row = np.array([[x + (a - x) * share[0], top[0]], [x + (b - x) * share[1], top[1]], row[1], row[2]])
        stage.add(row, (mix(colour, stage.light.haze, 0.1), bright(colour, 0.92)), 0.585, "land", opacity=0.5)


def garden(stage: Stage) -> None:
    """A lawn before a hedge, with beds of flowers in front."""
    stage.horizon = stage.tall * 0.46
    draw_sky(stage)
    grass = green(stage)
    draw_hill(
        stage,
        hill_line(stage, "far", stage.horizon - 0.02, 0.1),
        mix(grass, hexed("#6f93a8"), 0.5),
        0.2,
        "far",
    )
    line = hill_line(stage, "hedge", stage.horizon + 0.06, 0.03)
    draw_trees(stage, line, 0.19, 0.34, int(11 * stage.wide))
    draw_hill(stage, line + (0, 0.03), bright(grass, 1.12), 0.4)
    rng = stage.rng("beds")
    for row, (share, size) in enumerate(((0.3, 0.09), (0.48, 0.13), (0.7, 0.19))):
        foot = stage.horizon + (stage.tall - stage.horizon) * share
        for x in np.sort(rng.uniform(0, stage.wide, int((9 - 2 * row) * stage.wide))).tolist():
            kind = ("flower", "tulip", "rose", "flower")[int(rng.integers(4))]
            colour = picked(rng, ("#e2607a", "#f0b23a", "#d8453f", "#b78ad6", "#f4efe2", "#ef8a5a"))
            put(
                stage,
                load_motif(kind),
                x,
                foot + float(rng.uniform(-0.02, 0.05)),
                size * float(rng.uniform(0.75, 1.2)),
                0.45 + 0.12 * row,
                colour,
            )
    draw_grass(stage, bright(grass, 0.85), height=0.12)
    _open_ground(stage, 0.42)


def forest(stage: Stage) -> None:
    """Trees behind trees in the mist, a clearing of light between them."""
    stage.horizon = stage.tall * 0.64
    light, wide, tall = stage.light, stage.wide, stage.tall
    leaf = green(stage, leaf=True)
    back = mix(light.haze, light.on(bright(leaf, 1.3), 0.5), 0.3)
    glow = mix(back, mix(light.sun, light.sky[-1], 0.4), 0.15 if light.dark else 0.8)
    stage.unlit(rectangle(0, 0, wide, tall), (mix(back, light.sky[0], 0.5), back, glow), 0.0, "sky")
    stage.shine(ellipse(wide / 2, tall * 0.46, 0.2, 0.34), glow, 0.02, opacity=0.9, softness=0.1)
    for number, depth in enumerate((0.2, 0.36, 0.5)):
        foot = hill_line(stage, f"floor {number}", stage.horizon + 0.06 * number - 0.02, 0.025)
        stage.add(under(foot, tall + 0.1), (mix(leaf, hexed("#8a8648"), 0.4), bright(leaf, 0.7)), depth, "land")
        shade = mix(leaf, hexed("#244a42"), 0.35 + 0.2 * number)
        draw_pines(
            stage,
            foot,
            0.32 + 0.2 * number,
            depth + 0.01,
            int((22 - 5 * number) * wide),
            shade,
            0.08 + 0.22 * number,
        )
        draw_mist(stage, stage.horizon + 0.02 + 0.06 * number, depth + 0.03, 0.5 - 0.12 * number)
    _rays(stage)
    _trunks(stage)
    moss = mix(leaf, hexed("#57613a"), 0.4)
    floor = hill_line(stage, "near floor", stage.horizon + 0.2, 0.05)
    stage.add(under(floor, tall + 0.1), (bright(moss, 1.1), bright(moss, 0.55)), 0.6, "land")
    bend = np.linspace(0, 1, 24)
    path = np.stack(
        [
            wide / 2 + 0.1 * np.sin(bend * 4) * (1 - bend),
            stage.horizon + 0.14 + (tall - stage.horizon) * bend,
        ],
        1,
    )
    stage.add(ribbon(path, 0.03 + 0.42 * bend ** 1.6), (hexed("#c9b083"), hexed("#8d7852")), 0.601, "land", opacity=0.8, softness=0.004)
    draw_grass(stage, bright(moss, 0.8), many=110)
    _open_ground(stage, 0.45)


def _rays(stage: Stage) -> None:
    if stage.light.dark or stage.light.veiled:
        return
    for number in range(4):
        x = stage.wide * (0.3 + 0.15 * number)
        stage.shine(polygon(x, -0.05, x + 0.06, -0.05, x - 0.06 + 0.08 * number, stage.tall * 0.85, x - 0.22 + 0.08 * number, stage.tall * 0.85), stage.light.sun, 0.5, opacity=0.14, softness=0.02)


def _trunks(stage: Stage) -> None:
    rng = stage.rng("trunks")
    bark = hexed("#4b3a30")
    for depth, many, broad in ((0.52, 5, 0.035), (0.57, 3, 0.06)):
        for _ in range(int(many * stage.wide)):
            x = float(rng.choice([rng.uniform(-0.02, 0.34), rng.uniform(0.66, 1.02)])) * stage.wide
            foot = stage.horizon + 0.16 + 0.4 * (depth - 0.5)
            line = np.array([[x + float(rng.uniform(-0.02, 0.02)), -0.05], [x, foot * 0.6], [x, foot + 0.06]])
            stage.add(ribbon(smooth(line, closed=False), np.linspace(broad * 0.7, broad * 1.15, 17)), (bright(bark, 1.3), bark, bright(bark, 0.6)), depth, "land", sideways=True)


def mountains(stage: Stage) -> None:
    """Ranges behind ranges, snow on the highest, pines in front."""
    stage.horizon = stage.tall * 0.66
    draw_sky(stage)
    rock = toned(hexed("#6b7687"), stage.painted("land", hexed("#6b7687")), 1.0)
    rock = mix(rock, stage.painted("land", rock), 0.45)
    draw_massif(stage, peak_line(stage, "first", stage.horizon - 0.05, 0.36, 4), rock, 0.12, 0.5)
    draw_mist(stage, stage.horizon - 0.06, 0.16)
    draw_massif(stage, peak_line(stage, "second", stage.horizon + 0.0, 0.3, 5), bright(rock, 0.88), 0.3, 0.42)
    draw_mist(stage, stage.horizon - 0.01, 0.34)
    wood = mix(green(stage, leaf=True), hexed("#3f5f58"), 0.6)
    line = hill_line(stage, "wood", stage.horizon + 0.05, 0.08)
    draw_hill(stage, line, wood, 0.45)
    draw_pines(stage, line, 0.1, 0.46, int(46 * stage.wide), bright(wood, 0.85))
    near = hill_line(stage, "near", stage.horizon + 0.15, 0.05, 3)
    draw_hill(stage, near, bright(green(stage), 0.9), 0.58)
    if not stage.scene.things:
        draw_pines(stage, near + (0, 0.1), 0.3, 0.9, int(4 * stage.wide) + 1, hexed("#1f3d35"))
    _open_ground(stage, 0.42)


def desert(stage: Stage) -> None:
    """Dunes with a lit and a shaded side."""
    draw_sky(stage)
    sand = stage.painted("land", hexed("#dca867"))
    rng = stage.rng("dunes")
    if not draw_hinterland(stage):
        draw_hill(
            stage, hill_line(stage, "far", stage.horizon, 0.07), mix(sand, hexed("#b06f5f"), 0.4), 0.2, "far"
        )
    for number, (depth, drop) in enumerate(((0.35, 0.03), (0.5, 0.1), (0.58, 0.2))):
        x = np.linspace(-0.1, stage.wide + 0.1, 5)
        y = stage.horizon + drop + rng.uniform(-0.09, 0.05, 5) * (1 + 0.4 * number)
        crest = smooth(np.stack([x, y], 1), 14, closed=False)
        shade = bright(sand, 0.96 + 0.05 * number)
        stage.add(under(crest, stage.tall + 0.1), (bright(shade, 1.2), shade, bright(shade, 0.86)), depth, "land")
        top = int(np.argmin(crest[5:-5, 1])) + 5
        away = 1 if stage.sun_x < crest[top, 0] else -1
        slope = crest[top:] if away > 0 else crest[top::-1]
        t = np.linspace(0, 1, 16)
        edge = np.stack(
            [
                crest[top, 0] + away * (0.02 * np.sin(t * 5) + 0.3 * t),
                crest[top, 1] + t * (stage.tall - crest[top, 1]),
            ],
            1,
        )
        stage.add(np.concatenate([slope, [[slope[-1, 0], stage.tall + 0.1]], edge[::-1]]), (bright(shade, 0.7), bright(shade, 0.82)), depth, "land", opacity=0.8, softness=0.0015)
    ripples = lenses(rng.uniform(0, stage.wide, 60),
                rng.uniform(stage.horizon + 0.26, stage.tall, 60),
                rng.uniform(0.04, 0.12, 60),
                rng.uniform(0.001, 0.003, 60))
    stage.add(ripples, bright(sand, 0.72), 0.59, "detail", opacity=0.35)
    _open_ground(stage)


def winter(stage: Stage) -> None:
    """Snowy hills and pines under a pale sky."""
    draw_sky(stage)
    snow = toned(hexed("#eef3f8"), stage.painted("land", hexed("#eef3f8")), 1.0)
    draw_massif(stage, peak_line(stage, "peaks", stage.horizon + 0.02, 0.3), hexed("#8496ab"), 0.14, 0.75)
    for number, (drop, depth) in enumerate(((0.02, 0.3), (0.09, 0.44))):
        line = hill_line(stage, f"snow {number}", stage.horizon + drop, 0.06)
        draw_hill(stage, line, bright(snow, 0.95), depth)
        draw_pines(stage, line, 0.1 + 0.08 * number, depth + 0.01, int((26 - 10 * number) * stage.wide))
    near = hill_line(stage, "near", stage.horizon + 0.19, 0.05, 3)
    stage.add(under(near, stage.tall + 0.1), (bright(snow, 1.05), bright(snow, 0.95), mix(bright(snow, 0.86), hexed("#9fb6d6"), 0.35)), 0.58, "land")
    rng = stage.rng("drifts")
    drifts = lenses(rng.uniform(0, stage.wide, 16),
                rng.uniform(stage.horizon + 0.24, stage.tall, 16),
                rng.uniform(0.08, 0.2, 16),
                rng.uniform(0.003, 0.009, 16))
    stage.add(drifts, hexed("#a9bdd8"), 0.59, "detail", opacity=0.3, softness=0.003)
    _open_ground(stage, 0.38)


def road(stage: Stage) -> None:
    """A road that winds over the hills to the horizon."""
    draw_sky(stage)
    _hills(stage)
    t = np.linspace(0, 1, 40)
    x = stage.wide * 0.5 + 0.16 * np.sin(t * 5.5 + (1 if stage.flip else 4)) * (0.25 + t) * (1 - 0.6 * t)
    line = np.stack([x, stage.horizon + 0.12 + (stage.tall + 0.06 - stage.horizon - 0.12) * t**1.5], 1)
    width = 0.015 + 0.5 * t**1.9
    stage.add(ribbon(line, width * 1.12), hexed("#cfc6ae"), 0.59, "land")
    stage.add(ribbon(line, width), (hexed("#77757a"), hexed("#5c5a60")), 0.6, "land")
    dashes = [ribbon(line[k : k + 3], width[k : k + 3] * 0.035) for k in range(6, 37, 5)]
    stage.add(dashes, hexed("#f0e8d2"), 0.601, "detail")
    _open_ground(stage, 0.42)


def village(stage: Stage) -> None:
    """Houses on the hills around a church."""
    draw_sky(stage)
    _hills(stage)
    rng = stage.rng("village")
    house, church = load_motif("house"), load_motif("church")
    low = stage.tall - stage.horizon
    put(stage, church, stage.wide * (0.66 if stage.flip else 0.34), stage.horizon + low * 0.36, 0.24, 0.6)
    spots = [(float(x), float(y)) for x, y in rng.uniform((0.04, 0.3), (0.96, 0.62), (8, 2))]
    for x, y in sorted(spots, key=lambda spot: spot[1]):
        size = 0.09 + 0.1 * (y - 0.3) / 0.32
        put(
            stage,
            house,
            stage.wide * x,
            stage.horizon + low * y,
            size,
            0.6 + 0.1 * y,
            picked(rng, ("#efe3cd", "#e6cfae", "#d9dcd4", "#f2d9b8")),
        )
    draw_grass(stage, bright(green(stage), 0.85), height=0.07)
    _open_ground(stage, 0.5)


def lake(stage: Stage) -> None:
    """Mountains and pines, and their image in still water."""
    draw_sky(stage)
    rock = mix(hexed("#66788c"), stage.painted("land", hexed("#66788c")), 0.5)
    first = len(stage.shapes)
    draw_massif(stage, peak_line(stage, "peaks", stage.horizon + 0.0, 0.34), rock, 0.14, 0.4)
    draw_mist(stage, stage.horizon - 0.03, 0.18)
    shore = hill_line(stage, "shore", stage.horizon + 0.005, 0.035)
    draw_hill(stage, shore, mix(green(stage), hexed("#55706a"), 0.5), 0.28, "far")
    draw_pines(stage, shore, 0.13, 0.29, int(38 * stage.wide))
    mirrored = stage.shapes[first:]
    draw_water(stage, stage.horizon + 0.015, deep="#2a6480", calm=1.0)
    for shape in mirrored:
        flipped = [outline * (1, -0.9) + (0, 1.9 * (stage.horizon + 0.015)) for outline in shape.outlines]
        kept = [np.stack([o[:, 0], np.clip(o[:, 1], stage.horizon + 0.016, stage.tall)], 1) for o in flipped]
        stage.unlit(kept, shape.fill[::-1], 0.325 + shape.depth * 0.01, "reflection", opacity=0.4 * shape.opacity, softness=0.004)
    low = stage.tall - stage.horizon
    draw_grass(stage, bright(green(stage), 0.6), height=0.16, many=70)
    stage.grounds["water"] = Ground(stage.horizon + low * 0.25, stage.horizon + low * 0.66, (0.5, 0.72), 0.5)
    bank = hill_line(stage, "bank", stage.tall - 0.1, 0.05, 3)
    stage.add(under(bank, stage.tall + 0.1), (bright(green(stage), 1.05), bright(green(stage), 0.6)), 0.8, "land")
    stage.grounds["ground"] = stage.grounds["shore"] = Ground(
        stage.tall - 0.1, stage.tall - 0.06, (0.84, 0.87), 0.9
    )


def river(stage: Stage) -> None:
    """A river that comes down between the hills."""
    draw_sky(stage)
    _hills(stage)
    t = np.linspace(0, 1, 46)
    x = stage.wide * 0.5 + 0.2 * np.sin(t * 5 + (0 if stage.flip else 3)) * (1 - 0.7 * t)
    top = stage.horizon + 0.1
    line = np.stack([x, top + (stage.tall + 0.08 - top) * t**1.3], 1)
    width = 0.025 + 0.62 * t**1.7
    light = stage.light
    water = mix(hexed("#3f7f9c"), stage.painted("water", hexed("#3f7f9c")), 0.9)
    bank = bright(green(stage), 0.7)
    stage.add(ribbon(line + (0, -0.008), width * 1.1), bank, 0.595, "land")
    stage.unlit(ribbon(line, width), (mix(light.sky[-1], light.on(water, 0.8), 0.3), light.on(water, 0.9)), 0.6, "water")
    rng = stage.rng("current")
    at = rng.integers(8, 45, 40)
    marks = [
        lens(
            float(line[k, 0] + width[k] * 0.38 * s),
            float(line[k, 1]),
            0.15 * float(width[k]),
            0.003 + 0.006 * float(t[k]),
        )
        for k, s in zip(at.tolist(), rng.uniform(-1, 1, 40).tolist(), strict=True)
    ]
    stage.unlit(marks, mix(light.sky[-1], (1.0, 1.0, 1.0), 0.4), 0.602, "glint", opacity=0.4)
    draw_grass(stage, bright(green(stage), 0.8), height=0.08)
    _open_ground(stage, 0.4)
    low = stage.tall - stage.horizon
    stage.grounds["water"] = Ground(stage.horizon + low * 0.55, stage.horizon + low * 0.8, (0.65, 0.8), 0.7)
    stage.grounds["span"] = Ground(stage.horizon + low * 0.52, stage.horizon + low * 0.56, (0.66, 0.68), 0.9)
