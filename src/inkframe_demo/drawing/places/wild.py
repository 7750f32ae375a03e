"""Wild places: forest, mountains, desert, winter."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from inkframe_demo.drawing.color import bright, hexed, mix, toned
from inkframe_demo.drawing.places.fields import open_ground
from inkframe_demo.drawing.places.hinterland import draw_hinterland
from inkframe_demo.drawing.places.plants import (
    draw_grass,
    draw_pines,
    draw_trees,
    grass_of,
    leaves_of,
)
from inkframe_demo.drawing.places.sky import draw_sky
from inkframe_demo.drawing.places.terrain import (
    draw_hill,
    draw_massif,
    draw_mist,
    hill_line,
    peak_line,
)
from inkframe_demo.drawing.shape import (
    Outline,
    ellipse,
    lenses,
    moved,
    points,
    polygon,
    ribbon,
    smooth,
    under,
)

if TYPE_CHECKING:
    from inkframe_demo.drawing.scene_layout import Stage

__all__ = ["desert", "forest", "mountains", "winter"]

#: The seasons in which a forest has deciduous trees.
LEAFY = ("autumn", "spring")


def forest(stage: Stage) -> None:
    """Draw rows of trees in the mist, with a bright clearing between them."""
    stage.horizon = stage.tall * 0.64
    leaf, low = leaves_of(stage), stage.tall + 0.1
    _clearing(stage)
    for number, depth in enumerate((0.2, 0.36, 0.5)):
        foot = hill_line(stage, f"floor {number}", stage.horizon + 0.06 * number - 0.02, 0.025)
        stage.add(under(foot, low), (mix(leaf, hexed("#8a8648"), 0.4), bright(leaf, 0.7)), depth, "land")
        height, many = 0.32 + 0.2 * number, int((22 - 5 * number) * stage.wide)
        shade = mix(leaf, hexed("#244a42"), 0.35 + 0.2 * number)
        gap = 0.08 + 0.22 * number
        if stage.scene.season in LEAFY:
            draw_trees(stage, foot, height * 0.9, depth + 0.01, many // 2, gap)
        else:
            draw_pines(stage, foot, height, depth + 0.01, many, shade, gap)
        draw_mist(stage, stage.horizon + 0.02 + 0.06 * number, depth + 0.03, 0.5 - 0.12 * number)
    _trunks(stage)
    moss = mix(leaf, hexed("#57613a"), 0.4)
    floor = hill_line(stage, "near floor", stage.horizon + 0.2, 0.05)
    stage.add(under(floor, low), (bright(moss, 1.1), bright(moss, 0.55)), 0.6, "land")
    t = np.linspace(0, 1, 24)
    path = points(stage.wide / 2 + 0.1 * np.sin(t * 4) * (1 - t), stage.down(t) + 0.14)
    earth = (hexed("#c9b083"), hexed("#8d7852"))
    stage.add(ribbon(path, 0.03 + 0.42 * t**1.6), earth, 0.601, "land", opacity=0.8, softness=0.004)
    draw_grass(stage, bright(moss, 0.8), many=110)
    open_ground(stage, 0.55)


def _clearing(stage: Stage) -> None:
    """Draw the light in a forest's clearing, and rays from above."""
    light, wide, tall = stage.light, stage.wide, stage.tall
    back = mix(light.haze, light.on(bright(leaves_of(stage), 1.3), 0.5), 0.3)
    glow = mix(back, mix(light.sun, light.sky[-1], 0.4), 0.15 if light.dark else 0.8)
    stage.unlit(stage.whole, (mix(back, light.sky[0], 0.5), back, glow), 0.0, "sky")
    stage.shine(ellipse(wide / 2, tall * 0.46, 0.2, 0.34), glow, 0.02, opacity=0.9, softness=0.1)
    if light.dark or light.veiled:
        return
    for number in range(4):
        x, low = wide * (0.3 + 0.15 * number), tall * 0.85
        foot = x - 0.22 + 0.08 * number
        ray = polygon((x, -0.05), (x + 0.06, -0.05), (foot + 0.16, low), (foot, low))
        stage.shine(ray, light.sun, 0.5, opacity=0.14, softness=0.02)


def _trunks(stage: Stage) -> None:
    """Draw trunks on both sides, broader when nearer."""
    rng, bark = stage.rng("trunks"), hexed("#4b3a30")
    for depth, many, broad in ((0.52, 5, 0.035), (0.57, 3, 0.06)):
        foot = stage.horizon + 0.16 + 0.4 * (depth - 0.5)
        for aside, lean in rng.uniform((-0.36, -0.02), (0.36, 0.02), (int(many * stage.wide), 2)).tolist():
            x = stage.wide * (aside + (0.02 if aside < 0 else 0.66) if aside > 0 else 0.34 + aside)
            line = smooth(polygon((x + lean, -0.05), (x, foot * 0.6), (x, foot + 0.06)), closed=False)
            trunk = ribbon(line, np.linspace(broad * 0.7, broad * 1.15, len(line)))
            stage.add(trunk, (bright(bark, 1.3), bark, bright(bark, 0.6)), depth, "land", sideways=True)


def mountains(stage: Stage) -> None:
    """Draw mountain ranges, with snow on the highest and pines in front."""
    stage.horizon = stage.tall * 0.66
    draw_sky(stage)
    high = stage.horizon
    rock = stage.tinted("land", hexed("#6b7687"), 0.6)
    draw_massif(stage, peak_line(stage, "first", high - 0.05, 0.36, 4), rock, 0.12, 0.5)
    draw_mist(stage, high - 0.06, 0.16)
    draw_massif(stage, peak_line(stage, "second", high, 0.3, 5), bright(rock, 0.88), 0.3, 0.42)
    draw_mist(stage, high - 0.01, 0.34)
    wood = mix(leaves_of(stage), hexed("#3f5f58"), 0.6)
    line = hill_line(stage, "wood", high + 0.05, 0.08)
    draw_hill(stage, line, wood, 0.45)
    draw_pines(stage, line, 0.1, 0.46, int(46 * stage.wide), bright(wood, 0.85))
    near = hill_line(stage, "near", high + 0.15, 0.05, 3)
    draw_hill(stage, near, bright(grass_of(stage), 0.9), 0.58)
    if not stage.scene.things:
        draw_pines(stage, moved(near, 0, 0.1), 0.3, 0.9, int(4 * stage.wide) + 1, hexed("#1f3d35"))
    open_ground(stage, 0.52)


def desert(stage: Stage) -> None:
    """Draw dunes with a lit and a shaded side."""
    draw_sky(stage)
    sand, rng = stage.tinted("land", hexed("#dca867")), stage.rng("dunes")
    if not draw_hinterland(stage):
        far = hill_line(stage, "far", stage.horizon, 0.07)
        draw_hill(stage, far, mix(sand, hexed("#b06f5f"), 0.4), 0.2, "far")
    for number, (depth, drop) in enumerate(((0.35, 0.03), (0.5, 0.1), (0.58, 0.2))):
        rise = rng.uniform(-0.09, 0.05, 5) * (1 + 0.4 * number)
        crest = points(np.linspace(-0.1, stage.wide + 0.1, 5), stage.horizon + drop + rise)
        _dune(stage, smooth(crest, 14, closed=False), bright(sand, 0.96 + 0.05 * number), depth)
    x, y = rng.uniform(0, stage.wide, 60), rng.uniform(stage.horizon + 0.26, stage.tall, 60)
    ripples = lenses(x, y, rng.uniform(0.04, 0.12, 60), rng.uniform(0.001, 0.003, 60))
    stage.add(ripples, bright(sand, 0.72), 0.59, "detail", opacity=0.35)
    open_ground(stage)


def _dune(stage: Stage, crest: Outline, color: tuple[float, float, float], depth: float) -> None:
    low = stage.tall + 0.1
    stage.add(under(crest, low), (bright(color, 1.2), color, bright(color, 0.86)), depth, "land")
    top = int(np.argmin(crest[5:-5, 1])) + 5
    x, y = crest[top].tolist()
    away = 1 if stage.sun_x < x else -1
    slope = crest[top:] if away > 0 else crest[top::-1]
    t = np.linspace(0, 1, 16)
    edge = points(x + away * (0.02 * np.sin(t * 5) + 0.3 * t), y + t * (stage.tall - y))
    shade = np.concatenate([slope, [[slope[-1, 0], low]], edge[::-1]])
    fill = (bright(color, 0.7), bright(color, 0.82))
    stage.add(shade, fill, depth, "land", opacity=0.8, softness=0.0015)


def winter(stage: Stage) -> None:
    """Draw snowy hills and pines under a pale sky."""
    draw_sky(stage)
    snow = hexed("#eef3f8")
    if tint := stage.scene.painted.get("land"):
        snow = toned(snow, tint, 1.0)
    draw_massif(stage, peak_line(stage, "peaks", stage.horizon + 0.02, 0.3), hexed("#8496ab"), 0.14, 0.75)
    for number, (drop, depth) in enumerate(((0.02, 0.3), (0.09, 0.44))):
        line = hill_line(stage, f"snow {number}", stage.horizon + drop, 0.06)
        draw_hill(stage, line, bright(snow, 0.95), depth)
        many = int((26 - 10 * number) * stage.wide)
        draw_pines(stage, line, 0.1 + 0.08 * number, depth + 0.01, many, hexed("#2f5548"))
    near = hill_line(stage, "near", stage.horizon + 0.19, 0.05, 3)
    fill = (bright(snow, 1.05), bright(snow, 0.95), mix(bright(snow, 0.86), hexed("#9fb6d6"), 0.35))
    stage.add(under(near, stage.tall + 0.1), fill, 0.58, "land")
    rng = stage.rng("drifts")
    x, y = rng.uniform(0, stage.wide, 16), rng.uniform(stage.horizon + 0.24, stage.tall, 16)
    drifts = lenses(x, y, rng.uniform(0.08, 0.2, 16), rng.uniform(0.003, 0.009, 16))
    stage.add(drifts, hexed("#a9bdd8"), 0.59, "detail", opacity=0.3, softness=0.003)
    open_ground(stage, 0.48)
